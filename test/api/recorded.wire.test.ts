import { beforeEach, describe, expect, it } from 'vitest'
import { advance, createUser, orderBy, standardTest } from '../support/orders.ts'
import { startTestPetri, type TestPetri } from '../support/petri.ts'

// Lists, pages and headers as the live sandbox sends them.

let petri: TestPetri
beforeEach(async () => {
  petri = await startTestPetri()
})

describe('the list of orders', () => {
  const listed = async (query = '') =>
    (await petri.get(`/v3/orders?${query}`)).body.orders.map(({ id }: { id: string }) => id)

  it('has the last changed first, and of those changed at once the newest', async () => {
    const [first, second, third] = [
      (await orderBy(petri, 'walk_in_test')).id,
      (await orderBy(petri, 'walk_in_test')).id,
      (await orderBy(petri, 'at_home_phlebotomy')).id,
    ]
    expect(await listed()).toEqual([third, second, first])
    await advance(petri, '1m')
    await petri.post(`/_petri/orders/${first}/move`, { status: 'requisition_created' })
    expect(await listed()).toEqual([first, third, second])
    expect(await listed('order_direction=asc')).toEqual([second, third, first])
    await petri.post(`/_petri/orders/${second}/move`, { status: 'requisition_created' })
    expect(await listed()).toEqual([second, first, third])
    expect(await listed('size=2&page=2')).toEqual([third])
    expect(await listed('order_type=walk_in_test')).toEqual([second, first])
    expect(await listed(`order_ids=${first}&order_ids=${third}`)).toEqual([first, third])
  })

  it('has the newest first where that is asked for', async () => {
    const [first, second] = [await orderBy(petri, 'walk_in_test'), await orderBy(petri, 'walk_in_test')]
    await advance(petri, '1m')
    await petri.post(`/_petri/orders/${first.id}/move`, { status: 'requisition_created' })
    expect(await listed('order_key=created_at')).toEqual([second.id, first.id])
    expect(await listed('order_key=created_at&order_direction=asc')).toEqual([first.id, second.id])
    const both = `order_ids=${first.id}&order_ids=${second.id}`
    expect(await listed(`order_key=created_at&${both}`)).toEqual([second.id, first.id])
    expect(await listed(both)).toEqual([first.id, second.id])
  })

  it('of one user is in the same order', async () => {
    const user_id = await createUser(petri)
    const [first, second] = [
      await orderBy(petri, 'walk_in_test', { user_id }),
      await orderBy(petri, 'walk_in_test', { user_id }),
    ]
    await orderBy(petri, 'walk_in_test', { user_id: await createUser(petri, 'other') })
    await advance(petri, '1m')
    await petri.post(`/_petri/orders/${first.id}/move`, { status: 'requisition_created' })
    expect(await listed(`user_id=${user_id}`)).toEqual([first.id, second.id])
  })
})

describe('the pages of the markers of a lab test', () => {
  it.each([
    ['page=0', 'page', 'greater_than_equal', { ge: 1 }],
    ['page=-1', 'page', 'greater_than_equal', { ge: 1 }],
    ['size=0', 'size', 'greater_than_equal', { ge: 1 }],
    ['size=101', 'size', 'less_than_equal', { le: 100 }],
  ])('%s is refused', async (query, name, type, ctx) => {
    const id = await standardTest(petri, 'walk_in_test')
    expect(await petri.get(`/v3/lab_tests/${id}/markers?${query}`)).toMatchObject({
      status: 422,
      body: { detail: [{ type, loc: ['query', name], ctx }] },
    })
  })

  it.each(['page=1&size=1', 'page=1&size=100'])('%s is served', async (query) => {
    const id = await standardTest(petri, 'walk_in_test')
    expect((await petri.get(`/v3/lab_tests/${id}/markers?${query}`)).status).toBe(200)
  })
})
