import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, it } from 'node:test'
import { useWorld } from 'petri-sandbox'

const current = useWorld({ beforeEach, afterEach, afterAll: after }, { now: '2027-03-01T09:00:00Z' })

for (const name of ['first', 'second'])
  it(`the ${name} test has a world of its own`, async () => {
    const { world } = current
    const { id } = await world.orders.place({ scenario: 'happy-path' })
    assert.deepEqual(
      (await world.orders.list()).data.map((order) => order.id),
      [id],
    )
    assert.equal((await world.clock.now()).getUTCFullYear(), 2027)
  })

it('that fails prints what was asked', async () => {
  await current.world.call('GET', '/v3/order/nothing').catch(() => undefined)
  assert.fail('on purpose')
})
