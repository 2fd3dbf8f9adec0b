import { describe, expect, it } from 'vitest'
import { DAY_MS, toWire } from '../../src/kernel/instant.ts'
import { orderBy } from '../support/orders.ts'
import { eventsOf, forEachTest, START } from '../support/petri.ts'

const petri = forEachTest()

const resend = (body: object) => petri.post('/v3/order/resend_events', body)
const daysAgo = (days: number, ms = 0) => toWire(START - days * DAY_MS + ms)
const eventCount = () => eventsOf(petri).length

describe('events that are sent again', () => {
  it('are those of the orders named, or of all whose latest event is within the time', async () => {
    const order = await orderBy(petri, 'walk_in_test')
    const other = await orderBy(petri, 'walk_in_test')
    const before = eventCount()
    expect((await resend({ order_ids: [order.id] })).body).toEqual({ order_ids: [order.id] })
    expect(eventCount()).toBe(before + 1)
    expect((await resend({ order_ids: [order.id, order.id] })).body).toEqual({ order_ids: [order.id] })
    expect(eventCount()).toBe(before + 2)
    expect((await resend({ start_at: daysAgo(1) })).body).toEqual({ order_ids: [order.id, other.id] })
    expect((await resend({ start_at: daysAgo(2), end_at: daysAgo(1) })).body).toEqual({ order_ids: [] })
  })

  it('span 60 days at most, and no less than nothing', async () => {
    expect(await resend({ start_at: daysAgo(60) })).toAnswer(200)
    expect(await resend({ start_at: daysAgo(60, -1000) })).toAnswer(422)
    expect(await resend({ start_at: daysAgo(90), end_at: daysAgo(30) })).toAnswer(200)
    expect(await resend({ start_at: daysAgo(1), end_at: daysAgo(1) })).toAnswer(200)
    expect(await resend({ start_at: daysAgo(1), end_at: daysAgo(2) })).toAnswer(422)
    expect(await resend({})).toAnswer(422)
  })
})
