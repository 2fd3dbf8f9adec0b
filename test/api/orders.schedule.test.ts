import { beforeEach, describe, expect, it } from 'vitest'
import { orders } from '../../src/resources/orders/table.ts'
import { field } from '../support/field.ts'
import {
  advance,
  moveOrder,
  readFollowed,
  readOrder,
  sendOrder,
  standardTest,
  statusesOf,
} from '../support/orders.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'

let petri: TestPetri
beforeEach(async () => {
  petri = await startTestWorld()
})

/** Orders a kit for the example patient, for a day. */
async function schedule(activate_by: string, scenario = 'happy-path') {
  const lab_test_id = await standardTest(petri, 'testkit')
  const headers = { 'x-petri-scenario': scenario }
  return (await sendOrder(petri, { lab_test_id, activate_by }, { headers })).body.order
}
const reschedule = (id: string, activate_by: string | null) => petri.patch(`/v3/order/${id}`, { activate_by })
const lastOf = async (id: string) => statusesOf(await readOrder(petri, id)).at(-1)

describe('an order for a day', () => {
  it('begins at once when the day is today, and at midnight when it is to come', async () => {
    const today = await schedule('2026-01-05')
    expect(await readFollowed(petri, today.id)).toMatchObject({ scenario: 'happy-path' })
    const tomorrow = await schedule('2026-01-06')
    expect(await readFollowed(petri, tomorrow.id)).toMatchObject({ scenario: null })
    const listed = async (type: string) =>
      (await petri.read(`/v3/orders?order_activation_types=${type}`)).orders.map(field('id'))
    expect([await listed('current'), await listed('scheduled')]).toEqual([[today.id], [tomorrow.id]])
    await advance(petri, '14h')
    expect(await readFollowed(petri, tomorrow.id)).toMatchObject({ scenario: null })
    await advance(petri, '1h')
    expect(await readFollowed(petri, tomorrow.id)).toMatchObject({ scenario: 'happy-path' })
  })

  it('keeps the scenario it was placed with when it is put off or begun', async () => {
    for (const day of ['2026-01-12', null]) {
      const { id } = await schedule('2026-01-10', 'lost-on-the-way-out')
      await reschedule(id, day)
      await advance(petri, '60d')
      expect(await lastOf(id)).toBe('failed.testkit.lost')
      petri = await startTestWorld()
    }
  })

  it('begins once, on the day it was put off to', async () => {
    const { id } = await schedule('2026-01-10')
    await reschedule(id, '2026-01-08')
    await advance(petri, '60d')
    const statuses = statusesOf(await readOrder(petri, id))
    expect(new Set(statuses).size).toBe(statuses.length)
    expect(statuses.at(-1)).toBe('completed.testkit.completed')
  })

  it('that has begun can be put off, and follows the scenario of its ZIP code or the world from then on', async () => {
    const { id } = await schedule('2026-01-05', 'lost-on-the-way-out')
    await reschedule(id, '2026-01-20')
    expect(await readFollowed(petri, id)).toMatchObject({ left_because: 'the order was rescheduled' })
    await advance(petri, '14d')
    expect(await lastOf(id)).toBe('received.testkit.ordered')
    await advance(petri, '60d')
    expect(await lastOf(id)).toBe('completed.testkit.completed')
  })

  it('does not begin any more once it was moved manually, or is gone', async () => {
    const moved = await schedule('2026-01-10')
    const gone = await schedule('2026-01-10')
    await moveOrder(petri, moved.id, 'requisition_created')
    petri.world().db.delete(orders, gone.id)
    await advance(petri, '60d')
    expect(await lastOf(moved.id)).toBe('received.testkit.requisition_created')
    expect((await petri.read('/_petri/world')).failed_jobs).toEqual([])
  })

  it('that was placed without one cannot be given one', async () => {
    const lab_test_id = await standardTest(petri, 'testkit')
    const { id } = (await sendOrder(petri, { lab_test_id })).body.order
    expect(await reschedule(id, '2026-01-10')).toRefuse(
      400,
      'The order was not created with activate_by and cannot be scheduled',
    )
  })
})
