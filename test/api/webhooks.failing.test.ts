import { describe, expect, it } from 'vitest'
import { KEY } from '../support/petri.ts'
import { HOOK, type Respond, startHeardPetri } from '../support/receiver.ts'
import { eventually } from '../support/timing.ts'

const USER = '4a29dbc7-6db3-4c83-bfac-70a20a4be1b2'

async function startFailing(respond: Respond = () => 500, frozen = true) {
  let answer = respond
  const { petri, receiver } = await startHeardPetri((...call) => answer(...call), { world: { frozen } })
  const world = petri.world()
  const emit = async (word: string) => {
    world.emit('labtest.order.updated', { userId: USER, clientUserId: 'ada' }, { word })
    await world.agenda.settled()
  }
  const list = async (query = '') => (await petri.read(`/_petri/webhooks/messages${query}`)).data
  const resend = async (body: object = {}) => {
    const reply = await petri.post('/_petri/webhooks/resend', body)
    await world.agenda.settled()
    return reply
  }
  const advance = (by: string) => petri.post('/_petri/clock/advance', { by })
  const respondWith = (next: Respond) => {
    answer = next
  }
  const { received } = receiver
  return { petri, world, received, emit, list, resend, advance, respondWith }
}

const addOther = async ({ petri }: Pick<Awaited<ReturnType<typeof startFailing>>, 'petri'>) =>
  (await petri.post('/_petri/webhooks/endpoints', { url: 'http://other.test/' })).body

describe('a message that waits for its next attempt', () => {
  it('says when, in lists and by itself, and why the last attempt failed', async () => {
    const { petri, emit, list, advance } = await startFailing()
    await emit('a')
    const [message] = await list()
    expect(message).toMatchObject({
      status: 'pending',
      next_attempt_at: '2026-01-05T09:00:05.000Z',
      last_status: 500,
      last_error: 'The receiver answered 500',
    })
    expect((await list('?fields=summary'))[0].next_attempt_at).toBe(message.next_attempt_at)
    await advance('5s')
    const body = await petri.read(`/_petri/webhooks/messages/${message.id}`)
    expect(body.next_attempt_at).toBe('2026-01-05T09:05:05.000Z')
  })

  it('counts as failing, as one does that was given up', async () => {
    const { emit, list, advance, respondWith } = await startFailing()
    await emit('given up')
    await advance('2d')
    await emit('waits')
    respondWith(() => 200)
    await emit('delivered')
    const words = (await list('?status=failing')).map(
      ({ payload }: { payload: { data: object } }) => payload.data,
    )
    expect(words).toEqual([{ word: 'given up' }, { word: 'waits' }])
  })
})

describe('a resend', () => {
  it('makes the pending attempt now, and the attempts after it keep their schedule', async () => {
    const { emit, list, resend, advance, received } = await startFailing()
    await emit('a')
    expect((await resend()).body).toEqual({ resent: 1 })
    expect(received).toHaveLength(2)
    const [message] = await list()
    expect(message.attempts.map(({ at, manual }: { at: string; manual?: boolean }) => [at, manual])).toEqual([
      ['2026-01-05T09:00:00.000Z', undefined],
      ['2026-01-05T09:00:00.000Z', undefined],
    ])
    expect(message.next_attempt_at).toBe('2026-01-05T09:05:00.000Z')
    await advance('2d')
    expect(received).toHaveLength(8)
    expect((await list())[0].status).toBe('failed')
  })

  it('is made now in a live world too, whose next attempt after it keeps the schedule of the service', async () => {
    const { emit, list, resend, respondWith } = await startFailing(() => 500, false)
    await emit('a')
    await resend()
    await eventually(async () =>
      expect((await list())[0]).toMatchObject({
        attempt_count: 2,
        next_attempt_at: '2026-01-05T09:05:00.000Z',
      }),
    )
    respondWith(() => 200)
    await resend()
    await eventually(async () => expect((await list())[0].status).toBe('delivered'))
  })

  it('is of one message, of one endpoint, or of all', async () => {
    const started = await startFailing()
    const { petri, emit, list, resend, received } = started
    const other = await addOther(started)
    await emit('a')
    await emit('b')
    received.length = 0
    const [first] = await list()
    expect((await resend({ message_id: first.id })).body).toEqual({ resent: 1 })
    expect(received.map(({ url }) => url)).toEqual([HOOK])
    received.length = 0
    expect((await resend({ endpoint_id: other.id })).body).toEqual({ resent: 2 })
    expect(received.map(({ url }) => url)).toEqual(['http://other.test/', 'http://other.test/'])
    received.length = 0
    expect((await resend()).body).toEqual({ resent: 4 })
    expect(received).toHaveLength(4)
    expect((await petri.post('/_petri/webhooks/resend')).body).toEqual({ resent: 4 })
  })

  it('is of a delivered message only by its id, which is given alone', async () => {
    const { emit, list, resend, received } = await startFailing(() => 200)
    await emit('a')
    const [{ id }] = await list()
    expect((await resend()).body).toMatchObject({ resent: 0 })
    expect(received).toHaveLength(1)
    expect((await resend({ message_id: id })).body).toEqual({ resent: 1 })
    expect(received).toHaveLength(2)
    expect(received[1]?.headers['svix-id']).toBe(received[0]?.headers['svix-id'])
    expect(await resend({ message_id: id, since: '2026-01-01T00:00:00Z' })).toRefuse(
      400,
      'A message_id selects one message; give nothing else with it.',
    )
    expect(received).toHaveLength(2)
  })

  it('is of those about an order, given up or waiting, that were created since an instant', async () => {
    const { petri, resend, advance, received } = await startFailing()
    const place = async () => {
      const { id } = (await petri.post('/_petri/orders')).body
      await petri.world().agenda.settled()
      return id
    }
    const [first, second] = [await place(), await place()]
    await advance('3d')
    received.length = 0
    const about = (id: string) => received.filter(({ body }) => JSON.parse(body).data.id === id).length
    const { resent } = (await resend({ order_id: first })).body
    expect(resent).toBeGreaterThan(1)
    expect([received.length, about(first), about(second)]).toEqual([resent, resent, 0])
    expect((await resend({ order_id: first, since: '2026-02-01T00:00:00Z' })).body.resent).toBe(0)
  })

  it('is not of what the webhook faults hold back, except by its id', async () => {
    const { petri, emit, list, resend, received } = await startFailing(() => 200)
    await petri.put('/_petri/webhooks/faults', { burst: 3 })
    await emit('a')
    expect((await resend()).body.resent).toBe(0)
    expect(received).toEqual([])
    const [{ id }] = await list()
    expect((await resend({ message_id: id })).body).toEqual({ resent: 1 })
    expect((await list())[0].status).toBe('delivered')
  })
})

describe('a resend that sends nothing', () => {
  it('says why', async () => {
    const { petri, emit, advance, resend } = await startFailing()
    expect((await resend()).body).toEqual({
      resent: 0,
      reason: 'No message was given up or waits for its next attempt.',
    })
    await emit('a')
    expect((await resend({ since: '2026-01-05T09:00:01Z' })).body.reason).toBe(
      'No message was given up or waits for its next attempt. Before then: 1 message.',
    )
    await advance('2d')
    const [{ id }] = (await petri.read('/_petri/webhooks/endpoints')).data
    await petri.patch(`/_petri/webhooks/endpoints/${id}`, { disabled: true })
    expect((await resend()).body.reason).toBe(
      `No message was sent: the endpoint ${id} of 1 failed message is disabled; enable it first.`,
    )
    await petri.delete(`/_petri/webhooks/endpoints/${id}`)
    expect((await resend()).body.reason).toBe(
      `No message was sent: the endpoint ${id} of 1 failed message was removed.`,
    )
  })
})

describe('a disabled endpoint', () => {
  it('says why', async () => {
    const { petri } = await startFailing()
    const endpoint = async () => (await petri.read('/_petri/webhooks/endpoints')).data[0]
    expect((await endpoint()).disabled_reason).toBeNull()
    const { id } = await endpoint()
    await petri.patch(`/_petri/webhooks/endpoints/${id}`, { disabled: true })
    expect((await endpoint()).disabled_reason).toBe('Disabled by a call or on the page')
  })
})

describe('calls with a wrong key', () => {
  const call = (petri: Awaited<ReturnType<typeof startFailing>>['petri'], path: string, key?: string) =>
    petri.petri.app.request(path, { headers: key === undefined ? {} : { 'x-service-api-key': key } })

  it('are listed in every world, without the key and without ids', async () => {
    const { petri } = await startFailing()
    await call(petri, `/v2/user/${USER}?secret=sk_us_hidden`, 'sk_us_wrong')
    await call(petri, '/v2/user')
    await call(petri, '/v2/user', KEY)
    await call(petri, '/_petri/clock', 'sk_us_wrong')
    const body = await petri.read('/_petri/requests/refused')
    expect(body).toEqual({
      data: [
        {
          at: '2026-01-05T09:00:00.000Z',
          method: 'GET',
          path: '/v2/user/{user_id}',
          operation: 'user_get',
          status: 401,
          detail: 'invalid token',
        },
        {
          at: '2026-01-05T09:00:00.000Z',
          method: 'GET',
          path: '/v2/user',
          operation: expect.any(String),
          status: 401,
          detail: 'Missing x-vital-api-key',
        },
      ],
      next_cursor: null,
    })
    expect(JSON.stringify(body)).not.toMatch(/sk_us|4a29dbc7/)
    expect((await petri.read('/_petri/requests')).data).toHaveLength(1)
  })

  it('are the last hundred', async () => {
    const { petri } = await startFailing()
    for (let nth = 0; nth < 105; nth++) await call(petri, nth < 5 ? '/v2/user' : '/v2/providers', 'wrong')
    const { data } = await petri.read('/_petri/requests/refused')
    expect(data).toHaveLength(100)
    expect(data[0].path).toBe('/v2/providers')
  })

  it('reach the open streams', { tags: 'slow' }, async () => {
    const { petri, world } = await startFailing()
    const kinds: string[] = []
    world.agenda.bus.subscribe({ onEffect: ({ kind }) => kinds.push(kind), onEnd: () => undefined })
    for (let nth = 0; nth < 3; nth++) await call(petri, '/v2/user', 'sk_us_wrong')
    await eventually(() => expect(kinds).toEqual(['refused']))
  })
})

it('lists the events that were sent to no endpoint', async () => {
  const { petri, emit, list } = await startFailing(() => 204)
  await emit('sent')
  const [{ endpoint_id }] = await list()
  await petri.patch(`/_petri/webhooks/endpoints/${endpoint_id}`, { disabled: true })
  await emit('unsent')
  expect(await list()).toHaveLength(1)
  const [event, ...more] = await list('?status=no_endpoint&event_type=labtest.order.updated')
  expect(more).toEqual([])
  expect(event).toMatchObject({
    status: 'no_endpoint',
    endpoint_id: '',
    payload: { data: { word: 'unsent' } },
  })
  expect(await list('?status=no_endpoint&q=sent')).toHaveLength(1)
  expect(await list('?status=no_endpoint&order_id=none')).toEqual([])
  expect(await petri.get(`/_petri/webhooks/messages/${event.id}`)).toRefuse(
    404,
    expect.stringContaining('was sent to no endpoint'),
  )
})
