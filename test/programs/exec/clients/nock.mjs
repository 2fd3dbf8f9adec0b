// A test process that mocks another service with nock, and reaches the live one through Petri.
import axios from 'axios'
import nock from 'nock'
import { startPetri } from 'petri-sandbox'

const petri = await startPetri({ intercept: true })
nock('https://other.example').get('/').reply(200, 'mocked').persist()
const headers = { 'x-vital-api-key': 'sk_us_from_the_source' }
const live = 'https://api.sandbox.tryvital.io/v2/user'
console.log(
  await (await fetch('https://other.example/')).text(),
  (await axios.get('https://other.example/')).data,
)
console.log((await fetch(live, { headers })).status, (await axios.get(live, { headers })).status)
nock.restore()
await petri.close()
