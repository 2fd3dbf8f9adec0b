// A program with a mocked vendor: `node program.mjs MOCK VENDOR_URL DOWN_URL [SERVICE_URL]` prints, for each client, the outcome of its calls.
import { clients } from './clients.mjs'
import { mocks } from './mocks.mjs'
import { printOutcomes } from './outcomes.mjs'

const [mock, vendor, down, service] = process.argv.slice(2)
const absent = 'https://payments.invalid'
await mocks[mock](vendor, absent)

await printOutcomes(clients, {
  vendor: ['POST', `${vendor}/charge`],
  absent: ['POST', `${absent}/charge`],
  down: ['GET', down],
  ...(service && { service: ['GET', service, { 'x-vital-api-key': 'test' }] }),
})
process.exit()
