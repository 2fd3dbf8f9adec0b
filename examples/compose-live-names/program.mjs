const BASE = 'https://api.sandbox.tryvital.io'

const response = await fetch(`${BASE}/v2/user`, {
  method: 'POST',
  headers: { 'x-vital-api-key': 'sk_us_from_the_source', 'content-type': 'application/json' },
  body: JSON.stringify({ client_user_id: 'node' }),
})
console.log('created', (await response.json()).client_user_id)
