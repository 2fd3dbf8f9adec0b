import { describe, expect, it } from 'vitest'
import type { Method } from '../../src/resources/orders/lifecycle.ts'
import { visitOrderAddress } from '../support/appointments.ts'
import {
  advance,
  cancelOrder,
  moveOrder,
  orderBy,
  orderForPatient,
  readOrder,
  setFeatures,
  untilIdle,
} from '../support/orders.ts'
import { eventsOf, forEachTest, ok } from '../support/petri.ts'

// Cancelling orders as the live sandbox answers.

const NOT_CANCELLABLE =
  'This order is not in a Cancellable Status. Refer to the documentation to check the order lifecycle (https://docs.tryvital.io/lab/workflow/lab-test-lifecycle).'

const petri = forEachTest()

/** The id of an order that has gone through these statuses. */
async function orderAt(method: Method, lows: readonly string[]): Promise<string> {
  const { id } =
    method === 'testkit'
      ? await orderForPatient(petri, { scenario: 'manual' })
      : await orderBy(petri, method, { patient_address: visitOrderAddress })
  for (const status of lows) await moveOrder(petri, id, status)
  return id
}

const sentSoFar = () => eventsOf(petri).length

const atHome = ['requisition_created', 'appointment_pending', 'appointment_scheduled']

describe('an order is cancelled', () => {
  it.each<[Method, readonly string[]]>([
    ['testkit', []],
    ['testkit', ['requisition_created']],
    ['walk_in_test', []],
    ['walk_in_test', ['requisition_created']],
    ['walk_in_test', ['requisition_created', 'appointment_pending']],
    ['walk_in_test', ['requisition_created', 'appointment_pending', 'appointment_scheduled']],
    ['walk_in_test', ['requisition_created', 'appointment_pending', 'appointment_cancelled']],
    ['at_home_phlebotomy', []],
    ['at_home_phlebotomy', ['requisition_created']],
    ['at_home_phlebotomy', ['requisition_created', 'appointment_pending']],
    ['at_home_phlebotomy', atHome],
    ['at_home_phlebotomy', [...atHome, 'appointment_cancelled']],
    ['at_home_phlebotomy', [...atHome, 'draw_completed']],
    ['on_site_collection', []],
    ['on_site_collection', ['requisition_created']],
  ])('of %s after %j', async (method, lows) => {
    const id = await orderAt(method, lows)
    const body = await ok(cancelOrder(petri, id))
    expect(body).toMatchObject({ status: 'success', message: 'order cancelled' })
    expect(body.order).toMatchObject({
      id,
      status: 'cancelled',
      last_event: { status: `cancelled.${method}.cancelled` },
      order_transaction: { status: 'cancelled', orders: [{ low_level_status: 'cancelled' }] },
    })
    expect(body.order.events).toHaveLength(lows.length + 2)
    expect(await readOrder(petri, id)).toEqual(body.order)
  })
})

describe('a kit on its way is not cancelled', () => {
  const way = [
    'requisition_created',
    'transit_customer',
    'out_for_delivery',
    'with_customer',
    'transit_lab',
    'delivered_to_lab',
  ]

  it.each([
    [7, way],
    [8, [...way, 'completed']],
  ])('with its %i events', async (count, lows) => {
    const id = await orderAt('testkit', lows)
    const before = await readOrder(petri, id)
    expect(before.events).toHaveLength(count)
    const sent = sentSoFar()
    expect(await cancelOrder(petri, id)).toAnswer(400)
    expect((await cancelOrder(petri, id)).body).toEqual({ detail: NOT_CANCELLABLE })
    expect(await readOrder(petri, id)).toEqual(before)
    expect(sentSoFar()).toBe(sent)
  })

  it.each(['spec', 'live'])('with the same body in the form %s', async (contract_form) => {
    await setFeatures(petri, { contract_form })
    expect((await cancelOrder(petri, await orderAt('testkit', way))).body).toEqual({
      detail: NOT_CANCELLABLE,
    })
  })

  it('and keeps to its scenario', async () => {
    const { id } = await orderForPatient(petri, { scenario: 'happy-path' })
    await advance(petri, '3d')
    expect(await cancelOrder(petri, id)).toAnswer(400)
    await untilIdle(petri)
    expect((await readOrder(petri, id)).status).toBe('completed')
  })
})

describe('an order that is cancelled already', () => {
  it.each(['testkit', 'walk_in_test', 'at_home_phlebotomy', 'on_site_collection'] as const)(
    'of %s is answered with 200 and gets no event',
    async (method) => {
      const id = await orderAt(method, [])
      const { order } = (await cancelOrder(petri, id)).body
      await advance(petri, '1h')
      const sent = sentSoFar()
      expect(await cancelOrder(petri, id)).toAnswer(200, {
        order,
        status: 'success',
        message: 'order already cancelled',
      })
      expect(await readOrder(petri, id)).toEqual(order)
      expect(sentSoFar()).toBe(sent)
    },
  )
})
