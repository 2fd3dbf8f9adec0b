import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { advance, createUser, orderForPatient, orderKit } from '../support/orders.ts'
import { KEY, START, startTestPetri, type TestPetri } from '../support/petri.ts'
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

describe('waiting for an order', () => {
  it('answers at once when it has had the status', async () => {
    const order = await orderForPatient(petri)
    await advance(petri, '30d')
    const answer = await wait({ order_id: order.id, status: 'transit_lab' })
    expect(answer.status).toBe(200)
    expect(answer.body.order.last_event.status).toBe('completed.testkit.completed')
    expect((await wait({ order_id: order.id, status: 'transit_lab', times: 2 })).status).toBe(408)
  })

  it('fails at once in a frozen world, with the next due job', async () => {
    const order = await orderForPatient(petri)
    const answer = await wait({ order_id: order.id, status: 'completed' })
    expect(answer.status).toBe(408)
    const { next_due } = (await petri.get('/_petri/clock')).body
    expect(answer.body).toMatchObject({
      detail: expect.stringContaining('The clock of this world is frozen'),
      nearest: expect.stringContaining('The order is received.testkit.ordered since'),
      next_due,
      timeline: [{ what: 'received.testkit.ordered' }],
    })
    expect(next_due).not.toBeNull()
    expect(answer.body.detail).toContain(next_due)
  })

  it('does not block other calls in a live world, and returns when the condition is met', {
    tags: 'slow',
  }, async () => {
    await petri.close()
    await start({ frozen: false, now: START, pace: 1_000_000 })
    const order = await orderForPatient(petri)
    const answer = await wait({ order_id: order.id, status: 'completed', timeout: '4m' })
    expect([answer.status, answer.body.order.status]).toEqual([200, 'completed'])
  })

  it('gives up on an order that is final', { tags: 'slow' }, async () => {
    const order = await orderForPatient(petri)
    await petri.post(`/v3/order/${order.id}/cancel`)
    const answer = await wait({ order_id: order.id, status: 'completed' })
    expect([answer.status, answer.body.detail]).toEqual([408, expect.stringContaining('final')])
  })

  it('explains a time-out in a live world', { tags: 'slow' }, async () => {
    await petri.close()
    await start({ frozen: false, now: START, pace: 1 })
    const order = await orderForPatient(petri)
    const answer = await wait({ order_id: order.id, status: 'completed', timeout: '20ms' })
    expect(answer.status).toBe(408)
    expect(answer.body.detail).toMatch(/^Waited 20 ms for order .* to be completed.testkit.completed/)
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
  })

  it('names the last twenty of others if nothing but the status is asked for', async () => {
    for (let nth = 0; nth < 11; nth++) await orderKit(petri, { user: await createUser(petri, `user-${nth}`) })
    const { body } = await wait({ message: { status: 'failed' }, timeout: '10ms' })
    expect(body.timeline).toHaveLength(20)
    expect(body.nearest).toMatch(/^labtest\.order\.updated of order .* is delivered/)
  })

  it('names the next retry', async () => {
    answers = [500]
    const order = await orderForPatient(petri)
    const answer = await wait({ message: { order_id: order.id } })
    expect(answer.status).toBe(408)
    expect(answer.body.nearest).toContain('is pending (1 attempts; The receiver answered 500)')
    expect(answer.body.next_due).toBe('2026-01-05T09:00:05.000Z')
  })

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
    const waiting = wait({ message: { event_type: 'labtest.order.created' }, times: 2 })
    await orderKit(petri, { user: await createUser(petri) })
    await orderKit(petri, { user: await createUser(petri, 'other') })
    expect((await waiting).body.messages).toHaveLength(2)
  })
})

describe('a wait', () => {
  it('lasts until its timeout in a frozen world, because other calls may move the order meanwhile', async () => {
    const order = await orderForPatient(petri)
    const waiting = wait({ order_id: order.id, status: 'transit_lab', timeout: '1m' })
    await advance(petri, '30d')
    expect((await waiting).status).toBe(200)
    const late = await wait({ order_id: order.id, status: 'lost', timeout: '20ms' })
    expect(late.status).toBe(408)
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
    const waiting = petri.petri.app.request('/_petri/wait', {
      method: 'POST',
      headers: { 'x-service-api-key': KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ order_id: order.id, status: 'lost', timeout: '10m' }),
      signal: left.signal,
    })
    const { bus } = petri.world().agenda
    await eventually(() => expect(bus.subscribers).toBe(1))
    left.abort()
    await eventually(() => expect(bus.subscribers).toBe(0))
    await waiting
  })

  it('is not checked when another order changes, and at most 1000 can wait', async () => {
    const [one, other] = [await orderForPatient(petri), await orderForPatient(petri, { zip: '85005' })]
    const { bus } = petri.world().agenda
    let told = 0
    const stop = bus.subscribe({ onEffect: () => told++, onEnd: () => undefined }, one.id)
    await petri.post(`/_petri/orders/${other.id}/move`, { status: 'cancelled' })
    expect(told).toBe(0)
    await petri.post(`/_petri/orders/${one.id}/move`, { status: 'cancelled' })
    expect(told).toBeGreaterThan(0)
    for (let nth = 1; nth < 1000; nth++)
      bus.subscribe({ onEffect: () => told++, onEnd: () => undefined }, 'x')
    expect((await wait({ order_id: one.id, status: 'cancelled' })).status).toBe(429)
    stop()
    expect((await wait({ order_id: one.id, status: 'cancelled' })).status).toBe(200)
  })
})

describe('waiting for a call', () => {
  it('resolves once it was made the given number of times with the given status', async () => {
    const waiting = wait({ request: { operation: 'GET /v2/user/{user_id}', status: 404 }, times: 2 })
    const id = await createUser(petri)
    await petri.get(`/v2/user/${id}`)
    for (let call = 0; call < 2; call++) await petri.get('/v2/user/00000000-0000-4000-8000-000000000000')
    expect((await waiting).body.requests).toMatchObject([{ status: 404 }, { status: 404 }])
  })

  it('names the nearest miss when time is up', async () => {
    await createUser(petri)
    const answer = await wait({ request: { operation: 'POST /v2/user', status: '4xx' }, timeout: '10ms' })
    expect([answer.status, answer.body.nearest]).toEqual([408, 'POST /v2/user answered 200.'])
  })
})

it('ends when the world is reset', async () => {
  const waiting = wait({ request: { operation: 'GET /v2/user' } })
  await petri.post('/_petri/reset')
  expect((await waiting).status).toBe(409)
})

it.each([
  ['nothing', {}, 400, 'exactly one'],
  ['two things', { message: {}, request: { operation: 'GET /v2/user' } }, 400, 'exactly one'],
  ['a field nobody knows', { request: { operation: 'GET /v2/user' }, timout: '1s' }, 422, 'Did you mean'],
  ['a call nobody can make', { request: { operation: 'GET /v2/users' } }, 400, 'Did you mean'],
  ['longer than ten minutes', { message: {}, timeout: '600001ms' }, 422, 'up to 10m'],
  ['an unknown order', { order_id: '00000000-0000-4000-8000-000000000000', status: 'lost' }, 404, 'exist'],
])('refuses to wait for %s', async (_, input, status, words) => {
  const answer = await wait(input)
  expect(answer.status).toBe(status)
  expect(JSON.stringify(answer.body)).toContain(words)
})

it('refuses a status the order cannot have, with the nearest', async () => {
  const order = await orderForPatient(petri)
  const answer = await wait({ order_id: order.id, status: 'complete' })
  expect([answer.status, answer.body.detail]).toEqual([400, expect.stringContaining('"completed"')])
})
