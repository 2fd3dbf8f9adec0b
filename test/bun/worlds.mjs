// The kit in Bun: `bun test ./test/bun/worlds.mjs`, after `npm run build`.
import { afterAll, expect, test } from 'bun:test'
import { parseWebhook, startPetri } from '../../dist/index.js'

const petri = await startPetri()
afterAll(() => petri.close())

test('a world has orders, webhooks and a port', async () => {
  const world = await petri.world()
  const statuses = []
  await world.webhooks.deliverTo(async (request) => {
    const { data } = await parseWebhook(request, world.webhookSecret)
    statuses.push(data.last_event?.status)
  })
  const { id } = await world.orders.place({ scenario: 'problem-in-transit-customer' })
  await world.clock.advance('5d')
  const headers = { 'x-vital-api-key': world.apiKey }
  const response = await fetch(`${petri.url}/v3/order/${id}`, { headers })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ id, status: 'collecting_sample' })
  expect(statuses).toContain('collecting_sample.testkit.problem_in_transit_customer')
  await world.close()
})

test('a call to a live host is intercepted', async () => {
  using _ = await petri.intercept()
  const headers = { 'x-vital-api-key': 'sk_us_any' }
  const response = await fetch('https://api.sandbox.tryvital.io/v2/user', { headers })
  expect(await response.json()).toMatchObject({ total: 0 })
})
