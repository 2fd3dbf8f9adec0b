import { startPetri } from 'petri-sandbox'
import { Webhook } from 'svix'
import { afterAll, expect, it } from 'vitest'

interface OrderEvent {
  event_type: string
  data: { id: string; last_event: { status: string }; interpretation: string | null }
}

const petri = await startPetri()
afterAll(() => petri.close())

it('alarms once for a critical result after a problem in transit', async () => {
  const world = await petri.world({ now: '2026-01-05T09:00:00Z' })
  const statuses: string[] = []
  const alarms: string[] = []
  const handled = new Set<string>()
  let deliveries = 0

  // The program under test: it verifies each webhook, and handles it once however often it comes.
  await world.webhooks.deliverTo(async (request) => {
    const headers = Object.fromEntries(request.headers)
    const { event_type, data } = new Webhook(world.webhookSecret).verify(
      await request.text(),
      headers,
    ) as OrderEvent
    deliveries += 1
    const id = headers['svix-id'] ?? ''
    if (!event_type.startsWith('labtest.order.') || handled.has(id))
      return new Response(null, { status: 204 })
    handled.add(id)
    statuses.push(data.last_event.status)
    if (data.interpretation === 'critical') alarms.push(data.id)
    return new Response(null, { status: 204 })
  })

  await world.webhooks.faults.set({ duplicate: 1 })
  const order = await world.orders.place({ scenario: 'problem-in-transit-customer' })
  await world.clock.advance('5d')
  expect(statuses.at(-1)).toBe('collecting_sample.testkit.problem_in_transit_customer')
  const critical = { status: 'completed', results: { interpretation: 'critical' }, force: true } as const
  await world.orders.move(order.id, critical)
  await world.clock.settle()
  expect(statuses.at(-1)).toBe('completed.testkit.completed')
  expect(alarms).toEqual([order.id])
  expect(deliveries).toBeGreaterThan(handled.size)
})
