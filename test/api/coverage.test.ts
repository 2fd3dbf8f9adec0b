import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UNKNOWN_FIELD, UNKNOWN_VALUE } from '../../src/api/forward-compatibility.ts'
import { advance, createUser, orderForPatient, readOrder, readUser, setFeatures } from '../support/orders.ts'
import { KEY, type TestPetri } from '../support/petri.ts'
import { type FakeReceiver, startHeardPetri } from '../support/receiver.ts'

let petri: TestPetri
let receiver: FakeReceiver
beforeEach(async () => {
  const started = await startHeardPetri()
  petri = started.petri
  receiver = started.receiver
})
afterEach(() => petri.close())

const coverage = () => petri.read('/_petri/coverage')

describe('coverage', () => {
  it('lists what clients have used, and what never', async () => {
    const before = await coverage()
    expect(before.operations.met).toEqual([])
    expect(before.event_types.never).toHaveLength(198)
    await orderForPatient(petri)
    await advance(petri, '3h')
    await petri.post('/v2/user', {})
    await createUser(petri)
    await petri.get('/v3/ordres')
    const { operations, order_statuses, event_types, errors, unknown_paths } = await coverage()
    expect(operations.met.find(({ id }: { id: string }) => id === 'user_create')).toEqual({
      id: 'user_create',
      route: 'POST /v2/user',
      statuses: { 200: 2, 422: 1 },
    })
    expect(operations.met.length + operations.never.length).toBe(before.operations.never.length)
    expect(order_statuses.met['received.testkit.ordered']).toBe(1)
    expect(order_statuses.never).toContain('completed.testkit.completed')
    expect(event_types.met['labtest.order.created']).toBe(1)
    expect(event_types.delivered['labtest.order.created']).toBe(1)
    expect(errors.met).toEqual({ 404: 1, 422: 1, missing: 1 })
    expect(errors.never).toContain('uuid_parsing')
    expect(unknown_paths).toEqual({ 404: 1 })
  })
})

describe('unknown futures', () => {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  const raw = async (path: string): Promise<any> =>
    (await petri.petri.app.request(path, { headers: { 'x-service-api-key': KEY } })).json()
  const setFuture = (unknown_futures: boolean) => setFeatures(petri, { unknown_futures })
  const placesOf = (value: unknown, at = ''): string[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => placesOf(inner, `${at}.${key}`))
      : value === UNKNOWN_VALUE
        ? [at]
        : []

  it('are off unless asked for', async () => {
    const order = await orderForPatient(petri)
    expect(JSON.stringify(await raw(`/v3/order/${order.id}`))).not.toContain('petri_future')
  })

  it('add a field to every object, and an unknown enum value to each answer', async () => {
    const order = await orderForPatient(petri)
    await setFuture(true)
    const answers = []
    for (let nth = 0; nth < 6; nth++) answers.push(await raw(`/v3/order/${order.id}`))
    for (const answer of answers) {
      expect(answer).toHaveProperty(UNKNOWN_FIELD)
      expect(answer.lab_test).toHaveProperty(UNKNOWN_FIELD)
      expect(answer.events[0]).toHaveProperty(UNKNOWN_FIELD)
      expect(placesOf(answer)).toHaveLength(1)
    }
    expect(new Set(answers.flatMap((answer) => placesOf(answer))).size).toBe(6)
    const grouped = await raw(`/v2/user/providers/${order.user_id}`)
    expect(Object.keys(grouped)).toContain('providers')
    await setFuture(false)
    expect(await raw(`/v3/order/${order.id}`)).toEqual(await readOrder(petri, order.id))
  })

  it('are added to events too, whose type and signature do not change', async () => {
    await setFuture(true)
    await petri.petri.app.request('/v2/user', {
      method: 'POST',
      headers: { 'x-service-api-key': KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ client_user_id: 'ada' }),
    })
    const [user] = (await raw('/v2/user')).users
    await setFuture(false)
    const { id } = await orderForPatient(petri, { user: user.user_id })
    await setFuture(true)
    await advance(petri, '2d')
    const later = receiver.received.map(({ body }) => JSON.parse(body)).filter(({ data }) => data.id === id)
    expect(later.at(-1)).toMatchObject({ event_type: 'labtest.order.updated' })
    expect(later.at(-1).data).toHaveProperty(UNKNOWN_FIELD)
    expect(placesOf(later.at(-1))).toHaveLength(1)
  })

  it('do not change stored data', async () => {
    const userId = await createUser(petri)
    const before = await readUser(petri, userId)
    await setFuture(true)
    await raw(`/v2/user/${userId}`)
    await setFuture(false)
    expect(await readUser(petri, userId)).toEqual(before)
  })
})
