// node --test examples/node-test/orders.test.mjs
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startPetri } from 'petri-sandbox'

let petri
before(async () => {
  petri = await startPetri()
})
after(() => petri.close())

test('a result that is critical says so', async () => {
  const world = await petri.world()
  const { id } = await world.orders.place({ scenario: 'critical-result' })
  await world.clock.advance({ until: 'idle' })
  const order = await world.orders.get(id)
  assert.equal(order.last_event.status, 'completed.testkit.completed')
  assert.equal(order.interpretation, 'critical')
})

test('a call that fails once is made again', async () => {
  const world = await petri.world()
  const { id } = await world.orders.place()
  await world.faults.set({ operation: 'GET /v3/order/{order_id}', times: 1, respond: { status: 503 } })
  const statuses = [await world.fetch(`/v3/order/${id}`), await world.fetch(`/v3/order/${id}`)].map(
    ({ status }) => status,
  )
  assert.deepEqual(statuses, [503, 200])
})
