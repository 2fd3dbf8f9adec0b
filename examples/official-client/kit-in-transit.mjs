// A kit gets stuck on its way, is found again and completes; every webhook is verified. Needs a Petri at PETRI_URL.
//   npm start                                              in one terminal
//   node examples/official-client/kit-in-transit.mjs      in another
import { createServer } from 'node:http'
import { VitalClient } from '@tryvital/vital-node'
import { Webhook } from 'svix'

const url = process.env.PETRI_URL ?? 'http://127.0.0.1:4080'

/** The control API: what no client of the service has. */
async function petri(path, body, headers = {}) {
  const response = await fetch(`${url}/_petri${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

// What would be your application: it takes a webhook if its signature is right, and prints what it hears.
let secret
const receiver = createServer(async (request, response) => {
  let body = ''
  for await (const text of request.setEncoding('utf8')) body += text
  const { event_type, data } = new Webhook(secret).verify(body, request.headers)
  if (event_type.startsWith('labtest.order.'))
    console.log(`  received ${event_type}: ${data.last_event.status}`)
  response.writeHead(204).end()
})
await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve))

// A world of its own, whose clock stands until it is told to go on: a key, and the secret its webhooks are signed with.
const token = process.env.PETRI_CONTROL_TOKEN
const world = await petri(
  '/worlds',
  { frozen: true, webhook_url: `http://127.0.0.1:${receiver.address().port}/` },
  token ? { authorization: `Bearer ${token}` } : {},
)
secret = world.webhook_secret
const inWorld = (path, body) => petri(path, body, { 'x-vital-api-key': world.api_key })
const advance = (body) => inWorld('/clock/advance', body)

// The official client as it is: only where and with which key.
const client = new VitalClient({ apiKey: world.api_key, environment: url })
const { userId } = await client.user.create({ clientUserId: 'ada' })
const [kit] = await client.labTests.get({ collectionMethod: 'testkit' })
const address = { firstLine: '1 Test Street', city: 'Phoenix', state: 'AZ', country: 'US' }
console.log('A kit is ordered.')
const { order } = await client.testkit.createOrder({
  userId,
  labTestId: kit.id,
  // This ZIP code asks for the scenario: stuck on its way to the customer.
  shippingDetails: { ...address, receiverName: 'Ada Example', zip: '00112', phoneNumber: '+16025550123' },
})

// Webhooks come some milliseconds after the response.
await inWorld('/wait', { message: { order_id: order.id }, times: 2 })

console.log('Four days pass.')
await advance({ by: '4d' })
console.log('Four more days pass.')
await advance({ by: '4d' })

console.log('The customer registers the kit and sends it back.')
await client.testkit.register({
  sampleId: order.sampleId,
  patientDetails: {
    firstName: 'Ada',
    lastName: 'Example',
    dob: '1985-12-10',
    gender: 'female',
    phoneNumber: '+16025550123',
    email: 'ada@example.com',
  },
  patientAddress: { ...address, zip: '85004' },
})
await advance({ until: 'idle' })

const done = await client.labTests.getOrder(order.id)
console.log(`The order is ${done.status}; its result is ${done.interpretation}.`)
receiver.close()
