import { test as base } from 'petri-sandbox/vitest'
import { expect } from 'vitest'
import { createApp } from './app.ts'

interface Fixtures {
  app: ReturnType<typeof createApp>
  order: (scenario?: string) => Promise<string>
  place: (given?: { labTestId?: string; zip?: string }) => Promise<string>
}

const test = base.extend<Fixtures>({
  app: async ({ world }, use) => {
    const app = createApp(world)
    await world.webhooks.deliverTo(app.receive)
    await use(app)
  },
  order: async ({ world }, use) => use(async (scenario) => (await world.orders.place({ scenario })).id),
  place: async ({ world: { call, fixtures, users }, app }, use) => {
    const labTests = await call<{ id: string; method: string }[]>('GET', '/v3/lab_tests')
    const kit = labTests.find(({ method }) => method === 'testkit')?.id ?? ''
    await use(async ({ labTestId = kit, ...address } = {}) => {
      const { user_id } = await users.create()
      return app.order(user_id, labTestId, fixtures.patient(), fixtures.address(address))
    })
  },
})

test('orders a kit for a patient', async ({ world, app, place }) => {
  const id = await place()
  await world.clock.settle()
  await expect(world).toAgree(id, app.show(id))
})
test('takes a scenario from the ZIP code', async ({ world, app, place }) => {
  const id = await place({ zip: '00112' })
  await world.orders.reach(id, 'problem_in_transit_customer')
  expect(app.show(id)?.status).toBe('problem_in_transit_customer')
})
test('says why the service refuses an order', async ({ place }) => {
  const labTestId = '00000000-0000-4000-8000-000000000000'
  await expect(place({ labTestId })).rejects.toThrow('Test does not exist')
})
const statuses = ['transit_customer', 'out_for_delivery', 'with_customer', 'delivered_to_lab', 'completed']
test.for(statuses)('shows that an order is %s', async (status, { world, app, order }) => {
  const id = await order('problem-in-transit-customer')
  await world.orders.reach(id, status)
  await expect(world).toAgree(id, app.show(id))
})
test('shows results', async ({ world, app, order }) => {
  const id = await order()
  await world.orders.setResults(id, { values: { glucose: 91 } })
  await world.orders.reach(id, 'completed')
  expect(app.show(id)?.results).toMatchObject({ glucose: 91 })
})
test('shows partial results', async ({ world, app, order }) => {
  await world.set({ features: { partial_results_webhooks: true } })
  const id = await order('walk-in-partial-results')
  await world.orders.reach(id, 'partial_results')
  await expect(world).toAgree(id, app.show(id))
})
const deliveries = [{ duplicate: 2 }, { reorder: 2 }, { drop_first: 2 }]
test.for(deliveries)('is right in the end with %o', async (rules, { world, app, order }) => {
  await world.webhooks.faults.set(rules)
  const id = await order('critical-result')
  await world.clock.advance({ until: 'idle' })
  await expect(world).toAgree(id, app.show(id))
  expect(app.alarms).toEqual([id])
})
const forgeries = ['bad_signature', 'stale_timestamp'] as const
test.for(forgeries)('refuses a webhook with a %s', async (rule, { world, app, order }) => {
  await world.webhooks.faults.set({ [rule]: true })
  const id = await order()
  await world.clock.settle()
  expect(app.show(id)).toBeUndefined()
})
test('asks again when the service is unavailable', async ({ world, app, order }) => {
  const operation = 'GET /v3/order/{order_id}/result'
  await world.faults.set({ operation, times: 2, respond: { status: 503 } })
  const id = await order()
  await world.orders.reach(id, 'completed')
  await expect(world).toAgree(id, app.show(id))
})
test('cancels an order', async ({ world, app, order }) => {
  const id = await order()
  await app.cancel(id)
  await world.clock.settle()
  expect(app.show(id)?.status).toBe('cancelled')
})
test('says that it is too late to cancel', async ({ world, app, order }) => {
  const id = await order()
  await world.orders.reach(id, 'completed')
  await expect(app.cancel(id)).rejects.toThrow('400')
})
test('reads the weight of a user', async ({ world, app }) => {
  const { user_id } = await world.users.create()
  const summary = { calendar_date: '2026-01-04', weight: 80 }
  await world.users.addData(user_id, { resource: 'body', provider: 'withings', summary })
  await world.clock.settle()
  expect(app.weights).toEqual([80])
})
