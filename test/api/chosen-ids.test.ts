import { describe, expect, it } from 'vitest'
import { createUser, deleteUser, readOrder, readUser, shipping } from '../support/orders.ts'
import { forEachTest, startTestWorld } from '../support/petri.ts'
import { simulate } from '../support/simulation.ts'

const USER = '00000000-0000-0000-0000-000000000001'
const ORDER = '11111111-1111-1111-1111-111111111111'
const TEST = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa'

const petri = forEachTest()

const labTest = () => ({
  id: TEST,
  name: 'Mine',
  description: 'A lab test of mine.',
  method: 'walk_in_test',
  marker_ids: [petri.world().services.catalogue.findMarker('quest', '7600')?.id],
})

describe('a fixture that names ids', () => {
  it('makes a user, a lab test and an order with them', async () => {
    expect(await petri.post('/_petri/users', { user_id: USER, client_user_id: 'grace' })).toAnswer(201, {
      user_id: USER,
      client_user_id: 'grace',
      ingestion_start: null,
    })
    expect(await petri.post('/_petri/lab_tests', labTest())).toAnswer(201, {
      id: TEST,
      name: 'Mine',
      status: 'active',
    })
    const placed = await petri.post('/_petri/orders', { id: ORDER, user_id: USER, lab_test_id: TEST })
    expect(placed).toAnswer(201, {
      id: ORDER,
      user_id: USER,
      lab_test: { id: TEST },
      order_transaction: { orders: [{ id: ORDER }] },
    })
    expect((await readUser(petri, USER)).client_user_id).toBe('grace')
    const { scenario, warning, ...order } = placed.body
    expect([await readOrder(petri, ORDER), scenario, warning]).toEqual([order, 'walk-in-happy-path', null])
    await simulate(petri, ORDER)
    expect(await petri.get(`/v3/order/${ORDER}/result`)).toAnswer(200)
  })

  it('makes a kit that is registered later', async () => {
    const placed = await petri.post('/_petri/orders', { id: ORDER, registrable: true })
    expect(placed.body).toMatchObject({ id: ORDER, status: 'received', patient_details: null })
  })

  it('finds the same ids after an export and import, and none after a reset', async () => {
    await petri.post('/_petri/users', { user_id: USER })
    await petri.post('/_petri/orders', { id: ORDER, user_id: USER })
    const body = await petri.read('/_petri/state')
    await petri.post('/_petri/reset')
    expect(await petri.get(`/v3/order/${ORDER}`)).toAnswer(404)
    expect(await petri.post('/_petri/orders', { id: ORDER })).toAnswer(201)
    expect(await petri.put('/_petri/state', body)).toAnswer(200)
    expect((await readOrder(petri, ORDER)).user_id).toBe(USER)
  })

  it('may leave everything out', async () => {
    expect(await petri.post('/_petri/users')).toAnswer(201, { client_user_id: 'user-1' })
    expect(await petri.post('/_petri/users', {})).toAnswer(201, { client_user_id: 'user-2' })
  })

  it('does not change the ids that are generated, but for those that it has taken', async () => {
    const other = await startTestWorld()
    const generated = [await createUser(other, 'a'), await createUser(other, 'b')] as const
    await petri.post('/_petri/users', { user_id: USER, client_user_id: 'x' })
    expect(await createUser(petri, 'a')).toBe(generated[0])
    await petri.post('/_petri/users', { user_id: generated[1], client_user_id: 'y' })
    const next = await createUser(petri, 'b')
    expect(generated).not.toContain(next)
    expect((await readUser(petri, generated[1])).client_user_id).toBe('y')
  })
})

describe('a chosen id', () => {
  it('is refused with 409 if it is taken, also by a deleted user', async () => {
    await petri.post('/_petri/users', { user_id: USER, client_user_id: 'grace' })
    await petri.post('/_petri/lab_tests', labTest())
    await petri.post('/_petri/orders', { id: ORDER, user_id: USER })
    const before = await petri.get('/_petri/state')
    for (const [path, body, detail] of [
      ['users', { user_id: USER, client_user_id: 'another' }, `There is already a user ${USER}.`],
      ['lab_tests', labTest(), `There is already a lab test ${TEST}.`],
      ['orders', { id: ORDER }, `There is already an order ${ORDER}.`],
    ] as const) {
      expect(await petri.post(`/_petri/${path}`, body)).toRefuse(409, detail)
    }
    expect((await petri.read('/_petri/state')).tables).toEqual(before.body.tables)
    await deleteUser(petri, USER)
    expect(await petri.post('/_petri/users', { user_id: USER })).toAnswer(409)
  })

  it('is refused with 422 if it is no UUID, as are unknown fields', async () => {
    for (const [path, body] of [
      ['users', { user_id: 'grace' }],
      ['lab_tests', { ...labTest(), id: 'mine' }],
      ['orders', { id: 7 }],
      ['users', { userid: USER }],
    ] as const) {
      expect(await petri.post(`/_petri/${path}`, body), path).toAnswer(422)
    }
    expect((await petri.read('/v2/user')).total).toBe(0)
  })

  it('is refused with the errors of the service otherwise', async () => {
    await createUser(petri, 'grace')
    expect(await petri.post('/_petri/users', { user_id: USER, client_user_id: 'grace' })).toAnswer(400)
    const shipped = { id: ORDER, user_id: USER, registrable: true }
    expect(await petri.post('/_petri/orders', shipped)).toAnswer(404)
    expect(await petri.post('/_petri/lab_tests', { ...labTest(), marker_ids: [0] })).toAnswer(400)
    expect((await petri.post('/v3/order/testkit', { id: ORDER, shipping_details: shipping })).status).toBe(
      422,
    )
  })
})
