// The live service speaks HTTP/2 too; a client that offers it gets HTTP/1.1 here.
import got from 'got'

const client = got.extend({
  prefixUrl: 'https://api.sandbox.eu.junction.com',
  headers: { 'x-vital-api-key': 'sk_eu_from_the_source' },
  http2: true,
})
const { client_user_id } = await client.post('v2/user', { json: { client_user_id: 'got' } }).json()
console.log(client_user_id)
