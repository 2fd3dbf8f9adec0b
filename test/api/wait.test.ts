import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { advance, cancelOrder, createUser, moveOrder, orderForPatient, orderKit } from '../support/orders.ts'
import { KEY, NOBODY, START, startTestPetri, type TestPetri } from '../support/petri.ts'
import { fakeReceiver } from '../support/receiver.ts'
import { eventually, useFakeTimers, useRealTimers } from '../support/timing.ts'

let petri: TestPetri
let answers: number[]
const start = async (world: Record<string, unknown> = {}) => {
  answers = []
  const receiver = fakeReceiver(
    () => answers.shift() ?? 200,
    () => petri.world(),
  )
  petri = await startTestPetri({
    transport: receiver.transport,
    world: { webhookUrl: 'http://receiver.test/hook', ...world },
    ...(world.frozen === false && { wall: Date.now }),
  })
}
beforeEach(() => start())
afterEach(() => petri.close())

const wait = (input: object) => petri.post('/_petri/wait', input)
/** The reply of a wait that ends without its condition, with `ID` for each id. */
async function missed(input: object) {
  const { status, body } = await wait(input)
  return JSON.parse(JSON.stringify({ status, ...body }).replace(/[0-9a-f-]{36}/g, 'ID'))
}

describe('waiting for an order', () => {
  it('answers at once when it has had the status', async () => {
    const order = await orderForPatient(petri)
    await advance(petri, '30d')
    const answer = await wait({ order_id: order.id, status: 'transit_lab', timeout: '10m' })
    expect(answer).toAnswer(200)
    expect(answer.body.order.last_event.status).toBe('completed.testkit.completed')
    expect(await missed({ order_id: order.id, status: 'transit_lab', times: 2 })).toMatchObject({
      status: 408,
      detail: 'The clock of this world is frozen at 2026-02-04T09:00:00.000Z, and no job is pending.',
    })
  })

  it('fails at once in a frozen world, with the next due job', async () => {
    const order = await orderForPatient(petri)
    expect(await missed({ order_id: order.id, status: 'completed' })).toEqual({
      status: 408,
      detail:
        'The clock of this world is frozen at 2026-01-05T09:00:00.000Z, and the next job is due at 2026-01-05T13:00:00.000Z. Advance the clock: POST /_petri/clock/advance {"to": "2026-01-05T13:00:00.000Z"}.',
      nearest: 'The order is received.testkit.ordered since 2026-01-05T09:00:00+00:00.',
      next_due: '2026-01-05T13:00:00.000Z',
      timeline: [{ at: '2026-01-05T09:00:00+00:00', what: 'received.testkit.ordered' }],
    })
  })

  it('does not block other calls in a live world, and returns when the condition is met', {
    tags: 'slow',
  }, async () => {
    await petri.close()
    await start({ frozen: false, now: START, pace: 1_000_000 })
    const order = await orderForPatient(petri)
    // Without a timeout only a frozen world ends it at once.
    const answer = await wait({ order_id: order.id, status: 'completed' })
    expect([answer.status, answer.body.order.status]).toEqual([200, 'completed'])
  })

  it('gives up on an order that is final', { tags: 'slow' }, async () => {
    const order = await orderForPatient(petri)
    await cancelOrder(petri, order.id)
    expect((await missed({ order_id: order.id, status: 'completed' })).detail).toBe(
      'The order is cancelled.testkit.cancelled, which is final; the condition can never be met.',
    )
  })

  it('shows its last twenty statuses', async () => {
    const { id } = await orderForPatient(petri, { scenario: 'manual' })
    for (let nth = 0; nth < 20; nth++)
      await petri.post(`/_petri/orders/${id}/move`, { status: 'transit_lab', force: true })
    const { timeline } = await missed({ order_id: id, status: 'lost', timeout: '1ms' })
    expect(timeline).toEqual(
      Array(20).fill({ at: expect.any(String), what: expect.stringMatching(/transit_lab$/) }),
    )
  })

  it('explains a time-out in a live world', { tags: 'slow' }, async () => {
    await petri.close()
    petri = await startTestPetri({ world: { frozen: false, pace: 1 } })
    const { id } = await orderForPatient(petri, { scenario: 'manual' })
    const input = { order_id: id, status: 'completed', times: 2, timeout: '1ms' }
    expect((await missed(input)).detail).toBe(
      'Waited 1 ms for order ID to be completed.testkit.completed 2 times. It is 2026-01-05T09:00:00.000Z in this world; no job is pending.',
    )
  })
})

describe('waiting for a message', () => {
  it('answers with the messages once they are delivered', async () => {
    const order = await orderForPatient(petri)
    const answer = await wait({ message: { order_id: order.id, event_type: 'labtest.order.created' } })
    expect(answer.body.messages).toMatchObject([{ order_id: order.id, status: 'delivered' }])
    const other = await orderForPatient(petri, { zip: '85005' })
    const created = { message: { event_type: 'labtest.order.created' } }
    await wait({ ...created, times: 2 })
    expect((await wait(created)).body.messages).toMatchObject([{ order_id: other.id }])
    const { detail } = await missed({ message: { order_id: order.id, status: 'failed' } })
    expect(detail).toMatch(/^The clock of this world is frozen/)
  })

  it('names the last twenty of others if nothing but the status is asked for', async () => {
    for (let nth = 0; nth < 11; nth++) await orderKit(petri, { user: await createUser(petri, `user-${nth}`) })
    await petri.world().agenda.settled()
    expect(await missed({ message: { status: 'failed' }, timeout: '10ms' })).toMatchObject({
      nearest: 'labtest.order.updated of order ID is delivered (1 attempt).',
      timeline: { length: 20 },
    })
    const none = { message: { event_type: 'daily.data.sleep.created' }, timeout: '1ms' }
    expect(await missed(none)).toMatchObject({ nearest: null, timeline: [] })
  })

  it('names the next retry, and in their order the messages that have some of the fields', async () => {
    answers = [500]
    const { id } = await orderForPatient(petri)
    const created = { event_type: 'labtest.order.created' }
    const nearest = 'labtest.order.created of order ID is pending (1 attempt; The receiver answered 500).'
    const next_due = '2026-01-05T09:00:05.000Z'
    const detail = expect.stringMatching(/^The clock of this world is frozen/)
    for (const message of [{ order_id: id }, created])
      expect(await missed({ message })).toMatchObject({ status: 408, detail, nearest, next_due })
    await advance(petri, '1s')
    await orderForPatient(petri, { zip: '85005' })
    await petri.world().agenda.settled()
    for (const status of ['failed', 'delivered']) {
      const message = { ...created, order_id: id, status }
      expect(await missed({ message, times: 2, timeout: '1ms' })).toMatchObject({
        detail: expect.stringContaining(
          `Waited 1 ms for a message of event_type labtest.order.created of order_id ID to be ${status} 2 times. The clock`,
        ),
        nearest,
        timeline: [
          { at: '2026-01-05T09:00:00.000Z', what: nearest.slice(0, -1) },
          {
            at: '2026-01-05T09:00:01.000Z',
            what: 'labtest.order.created of order ID is delivered (1 attempt)',
          },
        ],
      })
    }
    // What fits is no near miss.
    const delivered = { message: { ...created, status: 'delivered' }, times: 2, timeout: '1ms' }
    expect(await missed(delivered)).toMatchObject({ nearest, timeline: { length: 1 } })
  })

  it.each([
    [null, {}, ' is delivered (1 attempt).'],
    ['00000000-0000-4000-8000-000000000001', { delay: '1h' }, ' of user ID is pending (not tried yet).'],
  ])(
    'names the subject of an event that is of no order, and its state: %s',
    async (userId, faults, state) => {
      await petri.put('/_petri/webhooks/faults', faults)
      petri.world().emit('a.b', { userId, clientUserId: null }, {})
      await petri.world().agenda.settled()
      const { nearest } = await missed({ message: { status: 'failed' }, timeout: '1ms' })
      expect(nearest).toBe(`a.b${state}`)
    },
  )

  it('ends at once in a world without an endpoint', async () => {
    const other = await startTestPetri({ world: { frozen: false } })
    await orderForPatient(other)
    const answer = await other.post('/_petri/wait', { message: {}, timeout: '1m' })
    expect([answer.status, answer.body.detail]).toEqual([
      408,
      'The world has no endpoint; the condition can never be met.',
    ])
    await other.close()
  })

  it('waits in a frozen world for what a call may still bring about', async () => {
    await orderKit(petri, { user: await createUser(petri) })
    await petri.world().agenda.settled()
    const waiting = wait({ message: { event_type: 'labtest.order.created' }, times: 2 })
    await orderKit(petri, { user: await createUser(petri, 'other') })
    expect((await waiting).body.messages).toHaveLength(2)
  })
})

describe('a wait', () => {
  it('lasts until its timeout in a frozen world, because other calls may move the order meanwhile', async () => {
    const order = await orderForPatient(petri)
    const waiting = wait({ order_id: order.id, status: 'transit_lab', timeout: '1m' })
    await advance(petri, '30d')
    expect(await waiting).toAnswer(200)
    expect((await missed({ order_id: order.id, status: 'lost', timeout: '20ms' })).detail).toBe(
      'Waited 20 ms for order ID to be failed.testkit.lost. The clock of this world is frozen at 2026-02-04T09:00:00.000Z, and no job is pending.',
    )
  })

  it('lasts ten seconds by default', async () => {
    useFakeTimers('setTimeout', 'clearTimeout')
    const waiting = wait({ request: { operation: 'POST /v2/user' } })
    const { bus } = petri.world().agenda
    while (bus.subscribers === 0) await new Promise((resolve) => setImmediate(resolve))
    vi.advanceTimersByTime(9999)
    expect(bus.subscribers).toBe(1)
    vi.advanceTimersByTime(1)
    useRealTimers()
    expect((await waiting).body.detail).toMatch(/^Waited 10000 ms for a call of POST \/v2\/user\./)
  })

  it('ends when its client has gone', async () => {
    const order = await orderForPatient(petri)
    const left = new AbortController()
    const ask = (timeout: string) =>
      petri.petri.app.request('/_petri/wait', {
        method: 'POST',
        headers: { 'x-service-api-key': KEY, 'content-type': 'application/json' },
        body: JSON.stringify({ order_id: order.id, status: 'lost', timeout }),
        signal: left.signal,
      })
    const waiting = ask('10m')
    const { bus } = petri.world().agenda
    await eventually(() => expect(bus.subscribers).toBe(1))
    left.abort()
    await eventually(() => expect(bus.subscribers).toBe(0))
    expect(await waiting).toAnswer(409)
    expect(await ask('50ms')).toAnswer(409)
  })

  it('is not checked when another order changes, and at most 1000 can wait', async () => {
    const [one, other] = [await orderForPatient(petri), await orderForPatient(petri, { zip: '85005' })]
    const { bus } = petri.world().agenda
    let told = 0
    const stop = bus.subscribe({ onEffect: () => told++, onEnd: () => undefined }, one.id)
    await moveOrder(petri, other.id, 'cancelled')
    expect(told).toBe(0)
    await moveOrder(petri, one.id, 'cancelled')
    expect(told).toBeGreaterThan(0)
    const subscribe = vi.spyOn(bus, 'subscribe')
    const event_type = 'labtest.order.created'
    for (const [about, topic] of [
      [{ order_id: one.id, user_id: NOBODY, event_type }, one.id],
      [{ user_id: NOBODY, event_type }, NOBODY],
      [{ event_type }, event_type],
    ] as const) {
      await missed({ message: { ...about, status: 'failed' }, timeout: '1ms' })
      expect(subscribe.mock.lastCall?.[1]).toBe(topic)
    }
    subscribe.mockRestore()
    for (let nth = 1; nth < 1000; nth++)
      bus.subscribe({ onEffect: () => told++, onEnd: () => undefined }, 'x')
    const input = { order_id: one.id, status: 'cancelled' }
    expect(await missed(input)).toEqual({ status: 429, detail: '1000 calls already wait in this world.' })
    stop()
    expect(await wait(input)).toAnswer(200)
  })
})

describe('waiting for a call', () => {
  it('resolves once it was made the given number of times with the given status', async () => {
    const waiting = wait({ request: { operation: 'GET /v2/user/{user_id}', status: 404 }, times: 2 })
    const id = await createUser(petri)
    await petri.get(`/v2/user/${id}`)
    for (let call = 0; call < 2; call++) await petri.get(`/v2/user/${NOBODY}`)
    expect((await waiting).body.requests).toMatchObject([{ status: 404 }, { status: 404 }])
    const last = await wait({ request: { operation: 'GET /v2/user/{user_id}' } })
    expect(last.body.requests).toMatchObject([{ status: 404 }])
  })

  it('names the nearest miss when time is up', async () => {
    const inTime = (operation: string) =>
      missed({ request: { operation, status: '4XX' }, times: 2, timeout: '0.6ms' })
    expect(await inTime('POST /v2/user')).toEqual({
      status: 408,
      detail:
        'Waited 1 ms for a call of POST /v2/user that is answered 4xx 2 times. The clock of this world is frozen at 2026-01-05T09:00:00.000Z, and no job is pending.',
      ...{ nearest: null, next_due: null, timeline: [] },
    })
    await createUser(petri)
    const nearest = 'POST /v2/user answered 200.'
    const timeline = [{ at: '2026-01-05T09:00:00.000Z', what: 'POST /v2/user answered 200' }]
    const request = { operation: 'POST /v2/user' }
    const twice = await missed({ request, times: 2, timeout: '1ms' })
    expect(twice.detail).toMatch(/^Waited 1 ms for a call of POST \/v2\/user 2 times\. The clock/)
    expect(await missed({ request: { ...request, status: 404 }, timeout: '1ms' })).toMatchObject({ nearest })
    for (const route of ['POST /v2/user', 'GET /v2/user'])
      expect(await inTime(route)).toMatchObject({ nearest, timeline })
    await petri.post('/v2/user', {})
    for (let nth = 1; nth <= 20; nth++) await petri.get('/v2/user')
    const last = { ...timeline[0], what: 'GET /v2/user answered 200' }
    expect(await inTime('POST /v2/user')).toMatchObject({
      nearest: 'POST /v2/user answered 422.',
      timeline: Array(20).fill(last),
    })
    expect(await inTime('GET /v2/providers')).toMatchObject({ nearest: `${last.what}.` })
  })
})

it('says in its description what each field takes', { tags: 'slow' }, async () => {
  const { components } = await petri.read('/openapi.json')
  const { status, request, timeout } = components.schemas.PetriWait.properties
  expect(status.description).toBe('The low-level or dotted status to wait for.')
  expect(request.properties).toMatchObject({
    operation: { description: 'An id or a route.' },
    status: { description: 'Such as 200 or "4xx"; any status by default.' },
  })
  expect(timeout).toEqual({
    type: 'string',
    examples: ['10s', '1m'],
    description:
      'In wall-clock time; 10s by default. In a frozen world a call without one fails at once when only time can help.',
  })
})

it('ends when the world is reset', async () => {
  const waiting = wait({ request: { operation: 'GET /v2/user' } })
  await petri.post('/_petri/reset')
  expect(await waiting).toAnswer(409, { detail: 'This world was reset, restored or deleted meanwhile.' })
})

it.each([
  ['nothing', {}, 400, 'exactly one'],
  [
    'two things',
    { message: {}, request: { operation: 'GET /v2/user' } },
    400,
    '"Give exactly one of \\"order_id\\" with \\"status\\", \\"message\\" and \\"request\\"."',
  ],
  ['an order without a status', { order_id: NOBODY }, 400, 'exactly one'],
  ['an order beside a message', { order_id: NOBODY, status: 'lost', message: {} }, 400, 'exactly one'],
  ['a call beside a status', { request: { operation: 'GET /v2/user' }, status: 'lost' }, 400, 'exactly one'],
  ['a message beside a status', { message: {}, status: 'lost' }, 400, 'exactly one'],
  ['no message', { message: {}, times: 0 }, 422, 'equal to 1'],
  ['1001 messages', { message: {}, times: 1001 }, 422, 'equal to 1000'],
  ['an event nobody knows', { message: { event_type: 'labtest.order.creatd' } }, 400, 'Did you mean'],
  [
    'a status of no reply',
    { request: { operation: 'GET /v2/user', status: 1200 } },
    400,
    '\\"1200\\" is not a status; give a number such as 404, or a class such as \\"4xx\\".',
  ],
  ['another such', { request: { operation: 'GET /v2/user', status: '6xx' } }, 400, '"6xx\\" is not a status'],
  ['an odd message', { message: { state: 'failed' } }, 422, 'state'],
  ['an odd call', { request: { operation: 'GET /v2/user', code: 404 } }, 422, 'code'],
  ['a number', { message: {}, timeout: 10 }, 422, 'up to 10m, such as \\"10s\\"'],
  ['a while', { message: {}, timeout: 'a while' }, 422, 'up to 10m'],
  ['a field nobody knows', { request: { operation: 'GET /v2/user' }, timout: '1s' }, 422, 'Did you mean'],
  ['a call nobody can make', { request: { operation: 'GET /v2/users' } }, 400, 'Did you mean'],
  ['longer than ten minutes', { message: {}, timeout: '600001ms' }, 422, 'up to 10m'],
  ['an unknown order', { order_id: NOBODY, status: 'lost' }, 404, 'exist'],
])('refuses to wait for %s', async (_, input, status, words) => {
  const answer = await wait(input)
  expect(answer).toAnswer(status)
  expect(JSON.stringify(answer.body)).toContain(words)
})

it.each([
  ['complete', '"complete" is not a status of testkit. Did you mean "completed"?'],
  ['appointment_pending', '"appointment_pending" is not a status of testkit.'],
])('refuses a status the order cannot have, with the nearest: %s', async (status, detail) => {
  const { id } = await orderForPatient(petri)
  expect(await missed({ order_id: id, status })).toEqual({ status: 400, detail })
})
