// A test process that mocks another service with MSW, and reaches the live one through Petri.
import axios from 'axios'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { startPetri } from 'petri-sandbox'

const petri = await startPetri({ intercept: true })
const server = setupServer(http.get('https://other.example/', () => HttpResponse.text('mocked')))
server.listen({ onUnhandledRequest: 'bypass' })
const headers = { 'x-vital-api-key': 'sk_us_from_the_source' }
const live = 'https://api.sandbox.tryvital.io/v2/user'
console.log(
  await (await fetch('https://other.example/')).text(),
  (await axios.get('https://other.example/')).data,
)
console.log((await fetch(live, { headers })).status, (await axios.get(live, { headers })).status)
server.close()
await petri.close()
