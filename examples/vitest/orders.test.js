// npx vitest run examples/vitest/orders.test.js
import { matchers, startPetri } from 'petri-sandbox'
import { Webhook } from 'svix'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

expect.extend(matchers)

let petri
beforeAll(async () => {
  petri = await startPetri({ now: '2026-01-05T09:00:00Z' })
})
afterAll(() => petri.close())

// What is tested: an integration that keeps the last status it heard of each order.
let heard
async function receiver(request) {
  const verifier = new Webhook(petri.webhookSecret)
  const { event_type, data } = verifier.verify(await request.text(), Object.fromEntries(request.headers))
  if (event_type.startsWith('labtest.order.')) heard.set(data.id, data.last_event?.status ?? data.status)
  return new Response(null, { status: 204 })
}

beforeEach(async () => {
  heard = new Map()
  await petri.reset()
  await petri.webhooks.deliverTo(receiver)
})

it('hears of a kit that is lost for a while', async () => {
  const { id } = await petri.orders.place({ scenario: 'problem-in-transit-customer' })
  await petri.clock.advance('4d')
  expect(await petri.orders.get(id)).toHaveStatus('problem_in_transit_customer')

  await petri.clock.advance({ until: 'idle' })
  const order = await petri.orders.get(id)
  expect(order).toHaveVisited(['problem_in_transit_customer', 'with_customer', 'completed'])
  expect(heard.get(id)).toBe('completed.testkit.completed')
  await expect(petri).toHaveDelivered({ event_type: 'labtest.order.created', order_id: id }, 1)
})

it('hears of everything once, though every message comes twice', async () => {
  await petri.webhooks.faults.set({ duplicate: 1 })
  const { id } = await petri.orders.place()
  await petri.clock.settle()
  await expect(petri).toHaveDelivered({ event_type: 'labtest.order.created', order_id: id }, 1)
  expect(heard.size).toBe(1)
})
