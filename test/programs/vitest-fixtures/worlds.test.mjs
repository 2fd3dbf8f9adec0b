import { test } from 'petri-sandbox/vitest'
import { describe, expect } from 'vitest'

describe.each(['first', 'second'])('the %s test', () => {
  test('has a world of its own', async ({ world }) => {
    const order = await world.orders.place({ scenario: 'happy-path' })
    expect((await world.orders.list()).data.map(({ id }) => id)).toEqual([order.id])
    expect(order).toHaveStatus('ordered')
  })
})

const later = test.extend({ worldOptions: { now: '2027-03-01T09:00:00Z' } })
later('has the options of its world', async ({ world }) => {
  expect((await world.clock.now()).getUTCFullYear()).toBe(2027)
})

test('that fails prints what was asked', async ({ world }) => {
  await world.call('GET', '/v3/order/nothing').catch(() => undefined)
  expect(await world.orders.place()).toHaveStatus('completed')
})
