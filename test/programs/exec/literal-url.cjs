// As the Node adapter of axios sends: with node:https, an agent of its own, and the URL in the source.
const https = require('node:https')

const request = https.request(
  'https://api.sandbox.eu.tryvital.io/v2/user',
  {
    method: 'POST',
    agent: new https.Agent({ keepAlive: true }),
    headers: { 'x-vital-api-key': 'sk_eu_from_the_source', 'content-type': 'application/json' },
  },
  (response) => {
    let text = ''
    response.on('data', (part) => {
      text += part
    })
    response.on('end', () => {
      console.log(JSON.parse(text).client_user_id)
      process.exit()
    })
  },
)
request.end(JSON.stringify({ client_user_id: 'literal' }))
