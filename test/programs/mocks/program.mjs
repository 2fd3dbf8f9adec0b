// A program with a mocked vendor: `node program.mjs MOCK VENDOR_URL DOWN_URL [SERVICE_URL]` prints, for each client, the outcome of its calls.
import { clients } from './clients.mjs'
import { mocks } from './mocks.mjs'

const [mock, vendor, down, service] = process.argv.slice(2)
const absent = 'https://payments.invalid'
await mocks[mock](vendor, absent)

const calls = {
  vendor: ['POST', `${vendor}/charge`],
  absent: ['POST', `${absent}/charge`],
  down: ['GET', down],
  ...(service && { service: ['GET', service, { 'x-vital-api-key': 'test' }] }),
}

for (const [client, send] of Object.entries(clients)) {
  for (const [name, call] of Object.entries(calls)) {
    const outcome = await send(...call).then(
      ({ status, body }) => `${status} ${body}`,
      (error) => error.code ?? error.cause?.code ?? error.message,
    )
    console.log(JSON.stringify({ client, call: name, outcome }))
  }
}
process.exit()
