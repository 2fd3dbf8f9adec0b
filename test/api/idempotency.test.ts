import { beforeEach, describe, expect, it } from 'vitest'
import { book, orderReady, pscSlots } from '../support/appointments.ts'
import {
  address,
  advance,
  createUser,
  kitTestId,
  patient,
  setFeatures,
  shipping,
  standardTest,
} from '../support/orders.ts'
import { type Answer, forEachTest, startTestWorld } from '../support/petri.ts'
import { simulate } from '../support/simulation.ts'

// Every route that takes an idempotency key. Source: docs/contract/placing.md#idempotency.

interface Route {
  readonly name: string
  readonly path: string
  readonly body: object
  /** The same input, but for something that does not matter. */
  readonly other: object
  /** A request that is refused with 400 or 404, and is remembered. */
  readonly refused: object
  /** How long an answer is repeated, and what the call is answered after that. */
  readonly kept: readonly [just: string, more: string, status: number]
}

const petri = forEachTest(() => startTestWorld({ world: { scenario: 'manual' } }))
let routes: readonly Route[]
beforeEach(async () => {
  const user_id = await createUser(petri)
  const lab_test_id = await standardTest(petri, 'walk_in_test')
  const order = { user_id, lab_test_id, patient_details: patient, patient_address: address }
  const placing = {
    body: order,
    other: { ...order, passthrough: 'x' },
    refused: { ...order, lab_test_id: user_id },
    kept: ['23h', '2h', 200],
  } as const
  const { lab_test_id: _, ...rest } = order
  const kit = { user_id, lab_test_id: await kitTestId(petri), shipping_details: shipping }
  const imported = {
    ...rest,
    billing_type: 'client_bill',
    order_set: { lab_test_ids: [lab_test_id] },
    collection_method: 'walk_in_test',
    sample_id: 'S1',
  }
  const { id } = await orderReady(petri, 'walk_in_test', { user_id })
  const booking_key = (await pscSlots(petri)).at(-1)?.booking_key
  routes = [
    { name: 'order', path: '/v3/order', ...placing },
    { name: 'order/create', path: '/v3/order/create', ...placing },
    {
      name: 'order/testkit',
      path: '/v3/order/testkit',
      body: kit,
      other: { ...kit, passthrough: 'x' },
      refused: { ...kit, lab_test_id },
      kept: ['23h', '2h', 200],
    },
    {
      name: 'order/import',
      path: '/v3/order/import',
      body: imported,
      other: { ...imported, sample_id: 'S2' },
      refused: { ...imported, order_set: { lab_test_ids: [user_id] } },
      // The sample is known by then.
      kept: ['23h', '2h', 422],
    },
    {
      name: 'psc book',
      path: `/v3/order/${id}/psc/appointment/book`,
      body: { booking_key },
      other: { booking_key, appointment_notes: 'x' },
      refused: { booking_key: 'x' },
      // The order has its appointment by then.
      kept: ['335h', '2h', 400],
    },
  ]
})

const names = ['order', 'order/create', 'order/testkit', 'order/import', 'psc book'] as const
const routeOf = (name: string) => routes.find((route) => route.name === name) as Route
const send = (path: string, body: unknown, key: string, headers = {}): Promise<Answer> =>
  petri.post(path, body, { 'x-idempotency-key': key, ...headers })
const count = async () => {
  const { db } = petri.world()
  return [(await petri.read('/v3/orders')).total, (await db.copy()).get('appointments')?.size ?? 0]
}

describe.each(names)('an idempotency key of %s', (name) => {
  it('repeats the first answer until it expires, also after its object has changed', {
    tags: 'slow',
  }, async () => {
    const { path, body, kept } = routeOf(name)
    const first = await send(path, body, 'one')
    expect(first.status, JSON.stringify(first.body)).toBe(200)
    const made = await count()
    const id = first.body.order?.id ?? first.body.order_id
    await simulate(petri, id)
    await advance(petri, kept[0])
    expect(await send(path, body, 'one')).toAnswer(200, first.body)
    expect(await count()).toEqual(made)
    await advance(petri, kept[1])
    const late = await send(path, body, 'one')
    expect(late).toAnswer(kept[2])
    expect(late.body).not.toEqual(first.body)
  })

  it('takes the same JSON with its fields in another order for the same request', async () => {
    const { path, body } = routeOf(name)
    const first = await send(path, body, 'one')
    const reversed = Object.fromEntries(Object.entries(body).reverse())
    expect(await send(path, reversed, 'one')).toAnswer(200, first.body)
  })

  it('with another body is a conflict, or returns the first response if the feature says so', async () => {
    const { path, body, other } = routeOf(name)
    const first = await send(path, body, 'one')
    const made = await count()
    expect(await send(path, other, 'one')).toRefuse(409, expect.any(String))
    await setFeatures(petri, { idempotency_mismatch: 'replay' })
    expect(await send(path, other, 'one')).toAnswer(200, first.body)
    expect(await count()).toEqual(made)
  })

  it('remembers refusals unless told not to, and never a body that is not valid', {
    tags: 'slow',
  }, async () => {
    const { path, body, refused } = routeOf(name)
    const first = await send(path, refused, 'bad')
    expect(first).toAnswer(400)
    expect(await send(path, refused, 'bad')).toAnswer(400, first.body)
    expect(await send(path, body, 'bad')).toAnswer(409)
    const forgetful = { 'x-idempotency-error': 'no-cache' }
    expect(await send(path, refused, 'forgotten', forgetful)).toAnswer(400)
    expect(await send(path, {}, 'invalid')).toAnswer(422)
    expect(await send(path, body, 'invalid')).toAnswer(200)
    expect(await send(path, body, 'invalid')).toAnswer(200)
  })

  it('lets only one of several simultaneous calls run', async () => {
    const { path, body } = routeOf(name)
    const before = await count()
    const answers = await Promise.all([1, 2, 3].map(() => send(path, body, 'at once')))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([])
    expect(statuses).toContain(200)
    const after = await count()
    expect(after[0] + after[1] - before[0] - before[1]).toBe(1)
  })

  it('is separate in each world', { tags: 'slow' }, async () => {
    const { path, body } = routeOf(name)
    await send(path, body, 'one')
    const { body: other } = await petri.post('/_petri/worlds', { frozen: true, seed: '2' })
    const { status } = await send(path, body, 'one', { 'x-service-api-key': other.api_key })
    expect(status).toBe(404)
  })
})

it('keys are separate for each order and each route', { tags: 'slow' }, async () => {
  const [order, created] = ['order', 'order/create'].map(routeOf)
  const one = await send('/v3/order', order?.body, 'same')
  const two = await send('/v3/order/create', created?.body, 'same')
  expect(one.body.order.id).not.toBe(two.body.order.id)
  const other = await orderReady(petri, 'walk_in_test', {})
  const [first, second] = (await pscSlots(petri)).slice(-2)
  const booking = await book(
    petri,
    'psc',
    other.id,
    { booking_key: first?.booking_key },
    { 'x-idempotency-key': 'same' },
  )
  const { path } = routeOf('psc book')
  const another = await send(path, { booking_key: second?.booking_key }, 'same')
  expect([booking.status, another.status]).toEqual([200, 200])
})

describe('an idempotency key of a test of unmatched results', { tags: 'slow' }, () => {
  const path = '/v3/unmatched_result_test'
  const body = { case: 'no_match', order_source: 'managed' }

  it('is required, and 1 to 255 characters long', async () => {
    expect(await petri.post(path, body)).toAnswer(422)
    for (const key of ['', 'x'.repeat(256)]) expect(await send(path, body, key)).toAnswer(422)
    expect(await send(path, body, 'x'.repeat(255))).toAnswer(202)
  })

  it('returns the same run without expiry, and is a conflict with another body', async () => {
    const first = await send(path, body, 'one')
    await advance(petri, '60d')
    expect((await send(path, body, 'one')).body.run_id).toBe(first.body.run_id)
    expect(await send(path, { ...body, interpretation: 'abnormal' }, 'one')).toAnswer(409)
  })
})
