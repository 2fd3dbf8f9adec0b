import axios from 'axios'

const client = axios.create({
  baseURL: 'https://api.sandbox.tryvital.io',
  headers: { 'x-vital-api-key': 'sk_us_from_the_source' },
})
const { data } = await client.post('/v2/user', { client_user_id: 'axios' })
console.log(data.client_user_id)
