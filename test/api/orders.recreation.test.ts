import { describe, expect, it } from 'vitest'
import { findLabTest } from '../../src/resources/lab-tests/service.ts'
import { recreateOrder } from '../../src/resources/orders/service.ts'
import { orders } from '../../src/resources/orders/table.ts'
import {
  createUser,
  moveOrder,
  orderBy,
  sendOrder,
  setFeatures,
  shipping,
  standardTest,
} from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'

// Which order another one replaces, and what it takes over.

const petri = forEachTest()

describe('an order that takes the place of one whose results do not fit', () => {
  it.each([
    ['testkit', shipping.first_line],
    ['walk_in_test', undefined],
  ])('by %s is sent where the first one was', async (method, line) => {
    const { order } = (await sendOrder(petri, { lab_test_id: await standardTest(petri, method) })).body
    const labTest = findLabTest(petri.world(), order.lab_test.id) ?? expect.fail()
    const next = recreateOrder(petri.world(), petri.world().db.get(orders, order.id), labTest)
    expect(next.shipping_details?.first_line).toBe(line)
    expect(next).toMatchObject({ origin: 'recreation', physician: order.physician, status: 'received' })
    expect(next.events.map(({ status }) => status)).toEqual([
      `received.${method}.ordered`,
      `received.${method}.requisition_created`,
    ])
    expect(next.order_transaction?.orders.map(({ parent_id }) => parent_id)).toEqual([null, order.id])
  })

  it('of a kit by another method is sent nowhere', async () => {
    const { order } = (await sendOrder(petri, { lab_test_id: await standardTest(petri, 'testkit') })).body
    const other = findLabTest(petri.world(), await standardTest(petri, 'walk_in_test')) ?? expect.fail()
    const next = recreateOrder(petri.world(), petri.world().db.get(orders, order.id), other)
    expect([next.shipping_details, next.details.type]).toEqual([null, 'walk_in_test'])
  })
})

describe('an order that replaces one at the wrong laboratory', () => {
  const headers = { 'x-petri-scenario': 'manual' }
  const recreated = async (user_id: string, more: object = {}) => {
    const lab_test_id = await standardTest(petri, 'walk_in_test')
    const order = { user_id, lab_test_id, update_reason: 'INCORRECT_LAB', ...more }
    return (await sendOrder(petri, order, { headers })).body.order
  }
  /** Another lab test of the same laboratory with these markers. */
  const labTestOf = async (...marker_ids: number[]): Promise<string> =>
    (
      await petri.post('/v3/lab_tests', {
        name: 'Mine',
        method: 'walk_in_test',
        description: 'x',
        marker_ids,
      })
    ).body.id

  it('replaces one with a marker in common, also of another lab test', async () => {
    const user_id = await createUser(petri)
    // The standard test has the lipid panel 8001 and others beside it.
    const old = await orderBy(petri, 'walk_in_test', { user_id, lab_test_id: await labTestOf(8001, 8083) })
    const next = await recreated(user_id)
    expect(next).toMatchObject({ origin: 'recreation', order_transaction: { id: old.order_transaction.id } })
    expect(next.order_transaction.orders.at(-1)).toMatchObject({
      id: next.id,
      parent_id: old.id,
      origin: 'recreation',
    })
  })

  it('is found by its lab test where markers are not listed, and by markers where there is no lab test yet', async () => {
    const user_id = await createUser(petri)
    const labTests = await petri.read('/v3/lab_tests')
    const unlisted = labTests.find(({ markers }: { markers?: unknown }) => !markers)
    const order = { user_id, lab_test_id: unlisted.id }
    const { order: old } = (await sendOrder(petri, order, { headers })).body
    const { body } = await sendOrder(petri, { ...order, update_reason: 'INCORRECT_LAB' }, { headers })
    expect(body.order.order_transaction.orders.at(-1).parent_id).toBe(old.id)
    const walkIn = await orderBy(petri, 'walk_in_test', { user_id })
    const more = { lab_test_id: undefined, collection_method: 'walk_in_test' }
    const next = await recreated(user_id, { ...more, order_set: { add_on: { marker_ids: [8001] } } })
    expect(next.order_transaction.orders.at(-1).parent_id).toBe(walkIn.id)
  })

  it('replaces none of another user or without one in common, and none where nobody asks for it', async () => {
    const user_id = await createUser(petri)
    await orderBy(petri, 'walk_in_test', { user_id: await createUser(petri, 'other') })
    await orderBy(petri, 'walk_in_test', { user_id, lab_test_id: await labTestOf(8083) })
    expect((await recreated(user_id)).origin).toBe('initial')
    expect(await recreated(user_id, { update_reason: null })).toMatchObject({
      origin: 'initial',
      order_transaction: { orders: [{ parent_id: null }] },
    })
  })

  it('replaces the latest active one, and each only once', async () => {
    const user_id = await createUser(petri)
    const first = await orderBy(petri, 'walk_in_test', { user_id })
    const second = await orderBy(petri, 'walk_in_test', { user_id })
    const parentOf = async () => (await recreated(user_id)).order_transaction.orders.at(-1).parent_id
    expect(await parentOf()).toBe(second.id)
    const third = await parentOf()
    expect([first.id, second.id]).not.toContain(third)
  })

  it.each(['completed', 'corrected', 'redraw_available'])('replaces none that is %s', async (status) => {
    await setFeatures(petri, { redraws: true })
    const user_id = await createUser(petri)
    const old = await orderBy(petri, 'walk_in_test', { user_id })
    if (status === 'corrected') await moveOrder(petri, old.id, 'completed', { force: true })
    await moveOrder(petri, old.id, status, { force: true })
    const next = await recreated(user_id)
    expect(next.order_transaction.orders.at(-1)?.parent_id).not.toBe(old.id)
  })

  it.each([
    ['walk_in_test', 'sample_error'],
    ['walk_in_test', 'cancelled'],
    ['testkit', 'do_not_process'],
    ['testkit', 'lost'],
    ['testkit', 'failure_to_deliver_to_customer'],
    ['testkit', 'failure_to_deliver_to_lab'],
  ])('prefers by %s one that ended with %s to an active one', async (method, status) => {
    const user_id = await createUser(petri)
    const lab_test_id = await standardTest(petri, method)
    const place = async (more: object = {}) =>
      (await sendOrder(petri, { user_id, lab_test_id, ...more }, { headers })).body.order
    const failed = await place()
    const moved = await moveOrder(petri, failed.id, status, { force: true })
    expect(moved).toAnswer(200)
    await place()
    const next = await place({ update_reason: 'INCORRECT_LAB' })
    expect(next.order_transaction.orders.at(-1).parent_id).toBe(failed.id)
  })
})
