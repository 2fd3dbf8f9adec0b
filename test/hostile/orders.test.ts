import { describe, expect, it } from 'vitest'
import { orders } from '../../src/resources/orders/table.ts'
import { orderForPatient, orderKit, readOrder, register } from '../support/orders.ts'
import { forEachTest, startTestPetri } from '../support/petri.ts'

const petri = forEachTest()

const exported = () => petri.read('/_petri/state')

describe('a sample id longer than a label has room for', () => {
  const longest = 'S'.repeat(64)

  it('is refused by a registration', async () => {
    const { sample_id } = await orderKit(petri)
    expect(await register(petri, `${longest}S`)).toRefuse(422, [
      { loc: ['body', 'sample_id'], type: 'string_too_long', ctx: { max_length: 64 } },
    ])
    expect(await register(petri, longest)).toAnswer(404)
    expect(await register(petri, sample_id)).toAnswer(200)
  })

  it('is refused by an import of a state, which leaves the world as it was', async () => {
    const { id } = await orderForPatient(petri)
    const before = await exported()
    const withSample = (sampleId: string) => {
      const state = structuredClone(before)
      state.tables.orders[id].sample_id = sampleId
      return petri.put('/_petri/state', state)
    }
    expect(await withSample(`${longest}S`)).toRefuse(422, [
      { loc: ['body', 'tables', 'orders', id, 'sample_id'] },
    ])
    expect(await exported()).toEqual(before)
    expect(await withSample(longest)).toAnswer(200)
    expect((await readOrder(petri, id)).sample_id).toBe(longest)
  })
})

describe('orders that share a transaction and a sample', () => {
  const COUNT = 20_000
  const idOf = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`

  it('are listed, found and moved as quickly as others', { tags: 'slow' }, async () => {
    const large = await startTestPetri()
    const { id } = await orderKit(large, { scenario: 'manual' })
    const { db } = large.world()
    const order = db.get(orders, id)
    for (let at = 0; at < COUNT; at++) db.put(orders, { ...order, id: idOf(at) })
    await large.put('/_petri/snapshots/shared')
    const startedAt = performance.now()
    expect(await large.post('/_petri/snapshots/shared/restore')).toAnswer(200)
    const list = await large.get('/v3/orders?size=1')
    expect(list.body).toMatchObject({ total: COUNT + 1 })
    const transaction = order.order_transaction?.id
    const found = await large.get(`/v3/orders?order_transaction_id=${transaction}&size=1`)
    expect(found.body).toMatchObject({ total: COUNT + 1 })
    const body = await large.read(`/v3/order_transaction/${transaction}`)
    expect(body.orders).toMatchObject([{ id }])
    expect(await register(large, order.sample_id ?? '')).toAnswer(200)
    // The quadratic directory took a minute; this takes about one second.
    expect(performance.now() - startedAt).toBeLessThan(15_000)
    await large.close()
  })

  it('are at most a thousand in one transaction of an imported state', async () => {
    const { id } = await orderForPatient(petri)
    const before = await exported()
    const withLines = (count: number) => {
      const state = structuredClone(before)
      const { order_transaction: transaction } = state.tables.orders[id]
      const [line] = transaction.orders
      transaction.orders = Array.from({ length: count }, (_, at) => ({ ...line, id: idOf(at) }))
      return petri.put('/_petri/state', state)
    }
    expect(await withLines(1001)).toRefuse(422, [
      { loc: ['body', 'tables', 'orders', id, 'order_transaction', 'orders'] },
    ])
    expect(await withLines(1000)).toAnswer(200)
  })
})
