import { Agent, request } from 'undici'

const { body } = await request('https://api.us.junction.com/v2/user', {
  method: 'POST',
  dispatcher: new Agent(),
  headers: { 'x-vital-api-key': 'pk_us_production', 'content-type': 'application/json' },
  body: JSON.stringify({ client_user_id: 'undici' }),
})
console.log((await body.json()).client_user_id)
