import fetch from 'node-fetch'

const response = await fetch('https://api.us.junction.com/v2/user', {
  method: 'POST',
  headers: { 'x-vital-api-key': 'sk_us_from_the_source', 'content-type': 'application/json' },
  body: JSON.stringify({ client_user_id: 'node-fetch' }),
})
console.log((await response.json()).client_user_id)
