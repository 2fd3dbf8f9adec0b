import { describe, expect, it } from 'vitest'
import { ordersOfTransaction } from '../../src/resources/order-transactions/service.ts'
import {
  cancelOrder,
  createUser,
  moveOrder,
  orderBy,
  orderForPatient,
  readOrder,
  sendOrder,
  setFeatures,
  standardTest,
  statusesOf,
} from '../support/orders.ts'
import { eventsOf, forEachTest } from '../support/petri.ts'
import { simulate } from '../support/simulation.ts'

const petri = forEachTest()

const transactionOf = (order: { order_transaction: { id: string } }) =>
  petri.read(`/v3/order_transaction/${order.order_transaction.id}`)
const redraw = 'collecting_sample.walk_in_test.redraw_available'

describe('an order transaction', () => {
  it('is read by itself, with both spellings of each status', async () => {
    const order = await orderBy(petri, 'walk_in_test')
    expect(await transactionOf(order)).toEqual({
      id: order.order_transaction.id,
      team_id: order.team_id,
      status: 'active',
      orders: [
        {
          id: order.id,
          origin: 'initial',
          parent_id: null,
          last_status: 'ordered',
          last_status_created_at: '2026-01-05T09:00:00.001000Z',
          low_level_status: 'ordered',
          low_level_status_created_at: '2026-01-05T09:00:00.001000Z',
          created_at: '2026-01-05T09:00:00.000000Z',
          updated_at: '2026-01-05T09:00:00.000000Z',
        },
      ],
    })
    await cancelOrder(petri, order.id)
    expect((await transactionOf(order)).status).toBe('cancelled')
    expect(await petri.get('/v3/order_transaction/7f0c2d2c-0000-4000-8000-000000000000')).toRefuse(
      404,
      "This order transaction doesn't exist",
    )
    await setFeatures(petri, { order_transactions: false })
    expect(await petri.get(`/v3/order_transaction/${order.order_transaction.id}`)).toRefuse(
      403,
      'This feature is not available to your team',
    )
  })

  it('is over once its order is completed, or has failed', async () => {
    const done = await orderBy(petri, 'walk_in_test')
    const failed = await orderBy(petri, 'walk_in_test')
    await simulate(petri, done.id)
    await simulate(petri, failed.id, 'failed.walk_in_test.sample_error')
    expect([(await transactionOf(done)).status, (await transactionOf(failed)).status]).toEqual([
      'completed',
      'completed',
    ])
  })
})

describe('an order that is not to be processed', () => {
  it('closes its transaction as cancelled', async () => {
    const order = await orderForPatient(petri)
    const path = `/_petri/orders/${order.id}/move`
    expect(await petri.post(path, { status: 'do_not_process' })).toAnswer(200)
    expect((await transactionOf(order)).status).toBe('cancelled')
  })
})

describe('a redraw', () => {
  const drawAgain = async (missing?: string[]) => {
    const order = await orderBy(petri, 'walk_in_test')
    await moveOrder(petri, order.id, 'requisition_created')
    const answer = await moveOrder(petri, order.id, redraw, missing && { results: { missing } })
    return { initial: answer.body, answer }
  }

  it('is an order of its own for the markers that are missing', async () => {
    await setFeatures(petri, { redraws: true })
    const { initial } = await drawAgain(['ldl-cholesterol-calc'])
    const transaction = await transactionOf(initial)
    expect(transaction.status).toBe('active')
    const [first, second] = transaction.orders
    expect(first).toMatchObject({ id: initial.id, origin: 'initial', last_status: 'redraw_available' })
    expect(second).toMatchObject({
      origin: 'redraw',
      parent_id: initial.id,
      last_status: 'requisition_created',
    })
    const follow = await readOrder(petri, second.id)
    expect(statusesOf(follow)).toEqual([
      'received.walk_in_test.ordered',
      'received.walk_in_test.requisition_created',
    ])
    expect(follow.sample_id).not.toBe(initial.sample_id)
    expect(follow.lab_test.auto_generated).toBe(true)
    expect(follow.lab_test.markers.length).toBeLessThan(initial.lab_test.markers.length)
    expect((await readOrder(petri, initial.id)).order_transaction).toEqual(follow.order_transaction)
    const idsOf = () => ordersOfTransaction(petri.world(), transaction.id).map(({ id }) => id)
    expect(idsOf()).toEqual([initial.id, follow.id])

    const told = eventsOf(petri)
      .slice(-3)
      .map(({ event_type, order_id }) => [event_type, order_id])
    expect(told).toEqual([
      ['labtest.order.updated', initial.id],
      ['labtest.order.created', follow.id],
      ['labtest.order.updated', follow.id],
    ])
    expect(await cancelOrder(petri, initial.id)).toAnswer(400)
    const again = await moveOrder(petri, follow.id, redraw)
    expect(again).toAnswer(409)
    await petri.post(`/v3/order/${follow.id}/test`, { has_missing_results: true })
    expect((await readOrder(petri, follow.id)).last_event.status).toBe('completed.walk_in_test.completed')
    expect((await transactionOf(initial)).status).toBe('completed')
  })

  it('comes of a simulation with missing results, unless completed is asked for', async () => {
    await setFeatures(petri, { redraws: true })
    const finish = async (query = '') => {
      const order = await orderBy(petri, 'walk_in_test')
      await petri.post(`/v3/order/${order.id}/test${query}`, { has_missing_results: true })
      return readOrder(petri, order.id)
    }
    const open = await finish()
    expect(open.last_event.status).toBe(redraw)
    const exact = await finish('?final_status=completed.walk_in_test.completed')
    expect(exact.last_event.status).toBe('completed.walk_in_test.completed')
    const follow = open.order_transaction.orders[1]
    await cancelOrder(petri, follow.id)
    expect((await transactionOf(open)).status).toBe('completed')
  })
})

describe('a recreation', () => {
  const recreate = async (user_id: string, how: { path?: string; reason?: string } = {}) => {
    const lab_test_id = await standardTest(petri, 'walk_in_test')
    const { path = '/v3/order/create', reason = 'INCORRECT_LAB' } = how
    return (await sendOrder(petri, { user_id, lab_test_id, update_reason: reason }, { path })).body.order
  }

  it('takes the place of the latest order of that test', async () => {
    const user_id = await createUser(petri)
    const old = await orderBy(petri, 'walk_in_test', { user_id })
    await orderBy(petri, 'on_site_collection', { user_id })
    await cancelOrder(petri, old.id)
    const fresh = await recreate(user_id)
    expect(fresh).toMatchObject({
      origin: 'recreation',
      order_transaction: {
        id: old.order_transaction.id,
        status: 'active',
        orders: [
          { id: old.id, low_level_status: 'cancelled' },
          { id: fresh.id, origin: 'recreation', parent_id: old.id },
        ],
      },
    })
    expect((await readOrder(petri, old.id)).order_transaction.orders).toHaveLength(2)
    const next = await recreate(user_id, { path: '/v3/order' })
    expect(next.order_transaction.orders.at(-1)).toMatchObject({ parent_id: fresh.id })
  })

  it('is asked for in the query as well', async () => {
    const user_id = await createUser(petri)
    const old = await orderBy(petri, 'walk_in_test', { user_id })
    const lab_test_id = await standardTest(petri, 'walk_in_test')
    const path = '/v3/order/create?update_reason=INCORRECT_LAB'
    const { body } = await sendOrder(petri, { user_id, lab_test_id }, { path })
    expect(body.order.order_transaction.id).toBe(old.order_transaction.id)
  })
})
