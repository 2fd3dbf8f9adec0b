// A program whose calls to a vendor a library mocks or observes: `node in-process.mjs LIBRARY ORDER VENDOR_URL SERVICE_URL` prints,
// for each client, the outcome of its calls. ORDER says when the library is installed: before a Petri in this process intercepts
// the calls to the service, after it, or without one.
import { clients } from './clients.mjs'
import { mocks } from './mocks.mjs'
import { observers } from './observers.mjs'
import { printOutcomes } from './outcomes.mjs'

const [library, order, vendor, service] = process.argv.slice(2)
const install = { ...mocks, ...observers }[library]
const { startPetri } = await import('../../../dist/index.js')

const petri = order === 'after' && (await startPetri())
const interception = await petri?.intercept?.()
const observed = await install(vendor)
const intercepting = order === 'before' && (await startPetri({ intercept: true }))

const toVendor = { vendor: ['POST', `${vendor}/charge`] }
if (petri || intercepting) {
  // Not covered.
  const { undici, ...intercepted } = clients
  await printOutcomes(intercepted, { service: ['GET', service, { 'x-vital-api-key': 'test' }] })
}
await printOutcomes(clients, toVendor)
interception?.close()
await intercepting?.close?.()
await printOutcomes(clients, toVendor)
if (observed) console.log(JSON.stringify({ client: 'all', call: 'observed', outcome: observed() }))
process.exit()
