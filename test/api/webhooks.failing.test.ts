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
  const list = async (query = '') => (await petri.get(`/_petri/webhooks/messages${query}`)).body.data
  const retry = async (body: object = {}) => {
    const reply = await petri.post('/_petri/webhooks/retry', body)
    await world.agenda.settled()
    return reply
  }
  const advance = (by: string) => petri.post('/_petri/clock/advance', { by })
  const respondWith = (next: Respond) => {
    answer = next
  }
  const { received } = receiver
  return { petri, world, received, emit, list, retry, advance, respondWith }
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
    const { body } = await petri.get(`/_petri/webhooks/messages/${message.id}`)
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

describe('a retry', () => {
  it('makes the pending attempt now, and the attempts after it keep their schedule', async () => {
    const { emit, list, retry, advance, received } = await startFailing()
    await emit('a')
    expect((await retry()).body).toEqual({ retried: 1 })
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
    const { emit, list, retry, respondWith } = await startFailing(() => 500, false)
    await emit('a')
    await retry()
    await eventually(async () =>
      expect((await list())[0]).toMatchObject({
        attempt_count: 2,
        next_attempt_at: '2026-01-05T09:05:00.000Z',
      }),
    )
    respondWith(() => 200)
    await retry()
    await eventually(async () => expect((await list())[0].status).toBe('delivered'))
  })

  it('is of one message, of one endpoint, or of all', async () => {
    const started = await startFailing()
    const { petri, emit, list, retry, received } = started
    const other = await addOther(started)
    await emit('a')
    await emit('b')
    received.length = 0
    const [first] = await list()
    expect((await retry({ message_id: first.id })).body).toEqual({ retried: 1 })
    expect(received.map(({ url }) => url)).toEqual([HOOK])
    received.length = 0
    expect((await retry({ endpoint_id: other.id })).body).toEqual({ retried: 2 })
    expect(received.map(({ url }) => url)).toEqual(['http://other.test/', 'http://other.test/'])
    received.length = 0
    expect((await retry()).body).toEqual({ retried: 4 })
    expect(received).toHaveLength(4)
    expect((await petri.post('/_petri/webhooks/retry')).body).toEqual({ retried: 4 })
  })

  it('says why it retries nothing', async () => {
    const { emit, list, retry, respondWith } = await startFailing()
    expect((await retry()).body).toEqual({ retried: 0, reason: 'No message waits for another attempt.' })
    respondWith(() => 200)
    await emit('a')
    const [{ id }] = await list()
    expect(await retry({ message_id: id })).toMatchObject({
      status: 409,
      body: {
        detail: `The message ${id} is delivered; only a pending message is retried. Resend it instead.`,
      },
    })
    expect((await retry({ message_id: 'msg_no' })).status).toBe(404)
    expect((await retry({ endpoint_id: 'ep_no' })).status).toBe(404)
    expect((await retry({ mesage_id: id })).status).toBe(422)
  })

  it('does not send what the webhook faults hold back', async () => {
    const { petri, emit, list, retry, received } = await startFailing()
    await petri.call('PUT', '/_petri/webhooks/faults', { burst: 3 })
    await emit('a')
    expect((await retry()).body).toEqual({ retried: 0, reason: 'No message waits for another attempt.' })
    const [{ id }] = await list()
    expect((await retry({ message_id: id })).body.detail).toBe(
      `The message ${id} is held back by the webhook faults; remove them to send it.`,
    )
    expect(received).toEqual([])
  })
})

describe('a recovery that sends nothing', () => {
  const since = '2026-01-01T00:00:00Z'
  it('says why', async () => {
    const started = await startFailing()
    const { petri, emit, advance } = started
    const reasonOf = async (body: object = { since }) =>
      (await petri.post('/_petri/webhooks/recover', body)).body
    expect(await reasonOf()).toEqual({ resent: 0, reason: 'No message has failed since then.' })
    await emit('a')
    expect((await reasonOf()).reason).toBe(
      'No message has failed since then. Waiting for the next attempt: 1 message; a retry sends now.',
    )
    await advance('2d')
    const [{ id }] = (await petri.get('/_petri/webhooks/endpoints')).body.data
    await petri.call('PATCH', `/_petri/webhooks/endpoints/${id}`, { disabled: true })
    expect((await reasonOf()).reason).toBe(
      `No message was sent: the endpoint ${id} of 1 failed message is disabled; enable it first.`,
    )
    await petri.call('DELETE', `/_petri/webhooks/endpoints/${id}`)
    expect((await reasonOf()).reason).toBe(
      `No message was sent: the endpoint ${id} of 1 failed message was removed.`,
    )
    expect((await reasonOf({ since: '2026-01-06T00:00:00Z' })).reason).toBe(
      'No message has failed since then; 1 message failed before.',
    )
  })
})

describe('a disabled endpoint', () => {
  it('says why', async () => {
    const { petri, world, emit, advance } = await startFailing()
    const endpoint = async () => (await petri.get('/_petri/webhooks/endpoints')).body.data[0]
    expect((await endpoint()).disabled_reason).toBeNull()
    const { id } = await endpoint()
    await petri.call('PATCH', `/_petri/webhooks/endpoints/${id}`, { disabled: true })
    expect((await endpoint()).disabled_reason).toBe('Disabled by a call or on the page')
    await petri.call('PATCH', `/_petri/webhooks/endpoints/${id}`, { disabled: false })
    for (let day = 0; day < 8; day++) {
      await emit(`day ${day}`)
      await advance('1d')
    }
    await world.agenda.settled()
    expect(await endpoint()).toMatchObject({
      disabled: true,
      disabled_reason: expect.stringMatching(
        /^Every delivery failed for five days, lastly: The receiver answered 500$/,
      ),
    })
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
    const { body } = await petri.get('/_petri/requests/refused')
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
    expect((await petri.get('/_petri/requests')).body.data).toHaveLength(1)
  })

  it('are the last hundred', async () => {
    const { petri } = await startFailing()
    for (let nth = 0; nth < 105; nth++) await call(petri, nth < 5 ? '/v2/user' : '/v2/providers', 'wrong')
    const { data } = (await petri.get('/_petri/requests/refused')).body
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
  await petri.call('PATCH', `/_petri/webhooks/endpoints/${endpoint_id}`, { disabled: true })
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
  const shown = await petri.get(`/_petri/webhooks/messages/${event.id}`)
  expect([shown.status, shown.body.detail]).toEqual([404, expect.stringContaining('was sent to no endpoint')])
})
