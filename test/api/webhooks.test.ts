import { Webhook } from 'svix'
import { Webhook as Webhook2 } from 'svix-2'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/kernel/instant.ts'
import { type Effect, jobs } from '../../src/scheduler/job.ts'
import { addEndpoint, changeEndpoint, listEndpoints } from '../../src/webhooks/endpoints.ts'
import { clearWebhookFaults, setWebhookFaults } from '../../src/webhooks/faults.ts'
import { messages } from '../../src/webhooks/table.ts'
import type { World } from '../../src/world/world.ts'
import { field } from '../support/field.ts'
import { keepingFolder } from '../support/keeping-folder.ts'
import { START, type TestPetri } from '../support/petri.ts'
import { HOOK, startHeardPetri } from '../support/receiver.ts'
import { eventually, withoutWaiting } from '../support/timing.ts'

const USER = '4a29dbc7-6db3-4c83-bfac-70a20a4be1b2'
const ORDER = '11111111-2222-4333-8444-555555555555'

/** A frozen world with one endpoint, whose receiver responds what `respond` returns. */
async function startWithReceiver(...input: Parameters<typeof startHeardPetri>) {
  const { petri, receiver } = await startHeardPetri(...input)
  return { ...receiver, petri, world: petri.world() }
}

function emit(world: World, type = 'labtest.order.updated', data: object = { id: ORDER }) {
  world.emit(type, { userId: USER, clientUserId: 'ada', orderId: ORDER }, data)
}

/** A promise that is kept when somebody says so. */
function holdBack() {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  return { held, release }
}

const statusesOf = (world: World) => [...world.db.all(messages)].map(field('status'))
const until = (world: World, ms: number) => world.agenda.advanceTo(START + ms)

describe('a webhook', () => {
  it('is signed and sent at once, clock frozen or not, and the official library accepts it in both major versions', async () => {
    const wall = Date.now()
    const { petri, world, received } = await startWithReceiver(() => 200, { wall: () => wall })
    emit(world)
    expect(received).toHaveLength(0)
    await world.agenda.settled()
    expect(received).toHaveLength(1)
    const [{ url, headers, body } = expect.fail()] = received
    expect(url).toBe(HOOK)
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Svix-Webhooks\/1\./),
      'svix-id': expect.stringMatching(/^msg_[A-Za-z0-9]{27}$/),
      'svix-timestamp': String(Math.floor(wall / 1000)),
    })
    const verified = new Webhook(world.identity.webhookSecret).verify(body, headers)
    // Version 2 returns nothing, and throws for another body.
    const second = new Webhook2(world.identity.webhookSecret)
    expect(() => second.verify(body, headers)).not.toThrow()
    expect(() => second.verify(`${body} `, headers)).toThrow('No matching signature')
    expect(verified).toEqual({
      event_type: 'labtest.order.updated',
      data: { id: ORDER },
      team_id: world.identity.teamId,
      user_id: USER,
      client_user_id: 'ada',
    })
    const log = await petri.read('/_petri/webhooks/messages')
    expect(log.data).toMatchObject([
      {
        id: headers['svix-id'],
        event_type: 'labtest.order.updated',
        user_id: USER,
        order_id: ORDER,
        created_at: '2026-01-05T09:00:00.000Z',
        status: 'delivered',
        payload: verified,
        attempts: [{ at: '2026-01-05T09:00:00.000Z', status: 200, duration_ms: 0, request: { headers } }],
        marks: [],
      },
    ])
  })

  it('waits in line behind the one that is being sent, and is not resent meanwhile', async () => {
    const { held, release } = holdBack()
    const { petri, world, received } = await startWithReceiver(async (_, nth) => {
      if (nth === 1) await held
      return 200
    })
    for (const id of ['a', 'b']) emit(world, undefined, { id })
    await eventually(() => expect(received).toHaveLength(1))
    for (const id of ['c', 'd']) emit(world, undefined, { id })
    const [, , third] = [...world.db.all(messages)]
    const { body } = await withoutWaiting(() =>
      petri.post('/_petri/webhooks/resend', { message_id: third?.id }),
    )
    expect(body).toEqual({ resent: 0, reason: `The message ${third?.id} is being sent.` })
    emit(world, undefined, { id: 'e' })
    release()
    await world.agenda.settled()
    const sent = () => received.map(({ body }) => JSON.parse(body).data.id)
    expect(sent()).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(statusesOf(world)).toEqual(Array.from({ length: 5 }, () => 'delivered'))
    await until(world, DAY_MS)
    expect(sent()).toHaveLength(5)
  })

  it('is not sent before its event is stored, though its turn has come', async () => {
    const told: string[] = []
    const folder = keepingFolder((changes) => {
      for (const { table, id } of changes) if (table === 'events') told.push(`stored ${id}`)
    })
    const { held, release } = holdBack()
    const { world } = await startWithReceiver(
      async ({ headers }, nth) => {
        told.push(`sent ${headers['svix-id']}`)
        if (nth === 1) await held
        return 200
      },
      { folder },
    )
    emit(world)
    await eventually(() => expect(told).toHaveLength(2))
    emit(world)
    release()
    await world.agenda.settled()
    const [first, second] = world.db.ids(messages)
    expect(told).toEqual([`stored ${first}`, `sent ${first}`, `stored ${second}`, `sent ${second}`])
  })

  it('does not overtake an earlier message that is not queued yet', async () => {
    const { held, release } = holdBack()
    const { world, received } = await startWithReceiver(async (_, nth) => {
      if (nth === 1) await held
      return 200
    })
    emit(world, undefined, { id: 'a' })
    await eventually(() => expect(received).toHaveLength(1))
    setWebhookFaults(world, undefined, { duplicate: 0 })
    emit(world, undefined, { id: 'b' })
    clearWebhookFaults(world, undefined)
    emit(world, undefined, { id: 'c' })
    release()
    await world.agenda.settled()
    expect(received.map(({ body }) => JSON.parse(body).data.id)).toEqual(['a', 'b', 'c'])
  })

  it('is retried to the second, then given up, and the other endpoints are told', async () => {
    const { petri, world, received } = await startWithReceiver(({ url }) => (url === HOOK ? 500 : 204))
    const other = addEndpoint(world, { url: 'http://other.test/' })
    addEndpoint(world, { url: 'http://picky.test/', event_types: ['labtest.order.created'] })
    emit(world)
    await world.agenda.settled()
    const { effects } = await world.agenda.advanceUntilIdle(START + 9 * DAY_MS)
    const failing = received.filter(({ url }) => url === HOOK)
    const expected = [0, 5, 305, 2105, 9305, 27_305, 63_305, 99_305]
    expect(failing.map(({ at }) => (at - START) / SECOND_MS)).toEqual(expected)
    expect(new Set(failing.map(({ headers }) => headers['svix-id'])).size).toBe(1)
    expect(statusesOf(world)).toEqual(['failed', 'delivered', 'delivered'])
    const told = received.filter(({ url }) => url === 'http://other.test/').at(-1)
    expect(JSON.parse(told?.body ?? '')).toEqual({
      type: 'message.attempt.exhausted',
      data: {
        appId: expect.stringMatching(/^app_/),
        appUid: world.identity.teamId,
        endpointId: listEndpoints(world)[0]?.id,
        msgId: failing[0]?.headers['svix-id'],
        msgEventId: null,
        lastAttempt: {
          id: expect.stringMatching(/^atmpt_/),
          responseStatusCode: 500,
          timestamp: '2026-01-06T12:35:05.000Z',
        },
      },
    })
    expect(received.filter(({ url }) => url === 'http://picky.test/')).toEqual([])
    expect(effects.filter(({ kind }) => kind === 'delivery').at(-1)).toMatchObject({
      endpoint_id: other.id,
      event_type: 'message.attempt.exhausted',
      status: 204,
    })
    expect((await petri.read('/_petri/webhooks/messages?status=failed')).data).toMatchObject([
      { attempts: Array(8).fill({ status: 500, error: 'The receiver answered 500' }) },
    ])
  })

  it('is delivered by a later attempt, and redirects and time-outs are failures', async () => {
    const { petri, world } = await startWithReceiver((_, nth) => {
      if (nth === 1) return { status: 302, headers: { location: 'http://elsewhere.test/' } }
      if (nth === 2) throw new DOMException('The operation timed out', 'TimeoutError')
      return 200
    })
    emit(world)
    const { effects } = await until(world, HOUR_MS)
    expect(effects.filter(({ kind }) => kind === 'delivery')).toMatchObject([
      { at: START, status: 302 },
      { at: START + 5000, status: 'error', detail: 'No reply within 15 s', order_id: ORDER, user_id: USER },
      { at: START + 305_000, status: 200 },
    ])
    const body = await petri.read('/_petri/webhooks/messages')
    expect(body.data).toMatchObject([
      {
        status: 'delivered',
        attempts: [
          { status: 302, error: 'The receiver answered 302; redirects are not followed' },
          { status: null, error: 'No reply within 15 s' },
          { status: 200 },
        ],
      },
    ])
    expect(world.agenda.pending).toBe(0)
  })

  it('has the data of its event, regardless of later changes', async () => {
    const { world, received } = await startWithReceiver((_, nth) => (nth < 3 ? 503 : 200))
    const data = { id: ORDER, 'äß\n"payload":': 1, status: 'received' }
    emit(world, 'labtest.order.created', data)
    data.status = 'completed'
    await until(world, DAY_MS)
    expect(new Set(received.map(field('body'))).size).toBe(1)
    expect(JSON.parse(received[2]?.body ?? '').data.status).toBe('received')
  })

  it('goes to all endpoints side by side in a frozen world, where the next event waits for it', async () => {
    const { held, release } = holdBack()
    const { world, received } = await startWithReceiver(async ({ url }) => {
      if (url === HOOK) await held
      return 200
    })
    addEndpoint(world, { url: 'http://quick.test/' })
    for (const n of [1, 2]) emit(world, 'labtest.order.updated', { n })
    const sent = () => received.map(({ url, body }) => `${JSON.parse(body).data.n} ${url}`)
    await eventually(() => expect(sent()).toEqual([`1 ${HOOK}`, '1 http://quick.test/']))
    release()
    const { effects } = await until(world, 0)
    expect(sent().slice(2)).toEqual([`2 ${HOOK}`, '2 http://quick.test/'])
    expect(effects.map(field('kind'))).toEqual(Array(4).fill('delivery'))
  })

  it('costs an advance its time-out once when a receiver never answers, whatever the messages are about', {
    tags: 'slow',
  }, async () => {
    const waits: number[] = []
    const { world } = await startWithReceiver(({ timeoutMs }) => {
      waits.push(timeoutMs)
      throw new DOMException('', 'TimeoutError')
    })
    for (let n = 0; n < 40; n++) emit(world, 'labtest.order.updated', { n })
    await until(world, 10 * DAY_MS)
    expect(waits[0]).toBe(15 * SECOND_MS)
    expect(waits.length).toBe(40 * 8)
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(20 * SECOND_MS)
    await until(world, 11 * DAY_MS)
    emit(world)
    await until(world, 12 * DAY_MS)
    expect(waits[320]).toBe(15 * SECOND_MS)
  })

  it("keeps to its endpoint's rate limit, by the world's clock", async () => {
    const { world, received } = await startWithReceiver()
    for (const { id } of listEndpoints(world)) await changeEndpoint(world, id, { rate_limit: 2 })
    for (const n of [1, 2, 3, 4, 5]) emit(world, 'labtest.order.updated', { n })
    await world.agenda.settled()
    expect(received).toHaveLength(1)
    await until(world, 10 * SECOND_MS)
    expect(received.map(({ at }) => at - START)).toEqual([0, 500, 1000, 1500, 2000])
    expect(received.map(({ body }) => JSON.parse(body).data.n)).toEqual([1, 2, 3, 4, 5])
  })

  it('arrives in order at each endpoint, and a slow one holds up no other in a live world', async () => {
    const { held, release } = holdBack()
    const { world, received } = await startWithReceiver(
      async ({ url }) => {
        if (url === HOOK) await held
        return 200
      },
      { world: { frozen: false } },
    )
    addEndpoint(world, { url: 'http://quick.test/' })
    for (const n of [1, 2, 3]) emit(world, 'labtest.order.updated', { n })
    const at = (url: string) =>
      received.filter((delivery) => delivery.url === url).map(({ body }) => JSON.parse(body).data.n)
    await eventually(() => expect(at('http://quick.test/')).toEqual([1, 2, 3]))
    expect(at(HOOK)).toEqual([1])
    release()
    await world.agenda.settled()
    expect(at(HOOK)).toEqual([1, 2, 3])
    expect(statusesOf(world)).toEqual(Array(6).fill('delivered'))
    expect(received.map(({ headers }) => headers['svix-id']).length).toBe(6)
    expect(new Set(received.map(({ headers }) => headers['svix-id'])).size).toBe(3)
  })

  it('may call Petri back, also while the clock is being advanced', async () => {
    const answers: number[] = []
    let petri: TestPetri | undefined
    const { world, ...rest } = await startWithReceiver(async (_, nth) => {
      answers.push((await (petri as TestPetri).post('/v2/user', { client_user_id: `u${nth}` })).status)
      return nth === 1 ? 500 : 200
    })
    petri = rest.petri
    emit(world)
    await until(world, HOUR_MS)
    expect(answers).toEqual([200, 200])
    expect(statusesOf(world)).toEqual(['delivered'])
  })

  it('goes only to endpoints that want it, with their own headers', async () => {
    const { petri, world, received } = await startWithReceiver()
    await petri.post('/_petri/webhooks/endpoints', {
      url: 'http://picky.test/',
      event_types: ['labtest.order.created'],
      headers: { 'X-Team': 'blue' },
    })
    emit(world, 'labtest.order.created')
    emit(world, 'labtest.order.updated')
    await world.agenda.settled()
    expect(received.filter(({ url }) => url === HOOK)).toHaveLength(2)
    const there = received.filter(({ url }) => url === 'http://picky.test/')
    expect(there).toMatchObject([{ headers: { 'x-team': 'blue' } }])
  })

  it('waits as long as a busy receiver asks, within bounds', async () => {
    const { world, received } = await startWithReceiver((_, nth) =>
      nth === 1 ? { status: 429, headers: { 'retry-after': '8' } } : 200,
    )
    emit(world)
    await until(world, HOUR_MS)
    expect(received.map(({ at }) => at - START)).toEqual([0, 8000])
  })

  it('about an exhausted message is itself given up without a further event', async () => {
    const { world } = await startWithReceiver(({ url, body }) =>
      url === HOOK || body.includes('exhausted') ? 500 : 200,
    )
    addEndpoint(world, { url: 'http://other.test/' })
    emit(world)
    await world.agenda.advanceUntilIdle(START + 60 * DAY_MS)
    expect([...world.db.all(messages)].map(field('event_type'))).toEqual([
      'labtest.order.updated',
      'labtest.order.updated',
      'message.attempt.exhausted',
    ])
    expect(statusesOf(world)).toEqual(['failed', 'delivered', 'failed'])
  })

  it('about an exhausted message goes to no endpoint that fails itself, nor to one with types of its own', async () => {
    const { world } = await startWithReceiver(({ url }) => (url === 'http://other.test/' ? 200 : 500))
    const [other] = ['other', 'down'].map((name) => addEndpoint(world, { url: `http://${name}.test/` }))
    addEndpoint(world, { url: 'http://other.test/', event_types: ['message.attempt.exhausted'] })
    emit(world)
    await world.agenda.advanceUntilIdle(START + 60 * DAY_MS)
    const told = [...world.db.all(messages)].filter(({ event_type }) => event_type.endsWith('exhausted'))
    expect(told.map(field('endpoint_id'))).toEqual([other?.id, other?.id])
  })

  it('is retried by the clock of a live world, which an advance moves, and its attempts are timed', async () => {
    const { world, received } = await startWithReceiver((_, nth) => (nth < 3 ? 500 : 200), {
      wall: Date.now,
      world: { frozen: false, now: null },
    })
    emit(world)
    await eventually(() => expect([...world.db.all(messages)][0]?.attempts).toHaveLength(1))
    const firstAt = [...world.db.all(messages)][0]?.attempts[0]?.at ?? 0
    await eventually(() => expect(world.agenda.nextDue()).toBeGreaterThanOrEqual(firstAt + 4000))
    expect(world.agenda.nextDue()).toBeLessThan(firstAt + 7000)
    await world.agenda.advanceTo(world.clock.now() + HOUR_MS)
    expect(statusesOf(world)).toEqual(['delivered'])
    expect(received).toHaveLength(3)
    const [message] = world.db.all(messages)
    expect(message?.attempts.map(field('status'))).toEqual([500, 500, 200])
    expect(message?.attempts[0]?.request.headers).toHaveProperty('svix-signature')
  })

  it('leaves the same rows in equal frozen worlds, whatever the wall clock says', async () => {
    const rowsAt = async (wall: number) => {
      const { world } = await startWithReceiver(
        (_, nth) => ({ status: nth === 1 ? 500 : 200, headers: { date: new Date(wall).toUTCString() } }),
        { wall: () => wall },
      )
      emit(world)
      await until(world, HOUR_MS)
      return [...world.db.all(messages), ...listEndpoints(world)]
    }
    expect(await rowsAt(START + 1e9)).toEqual(await rowsAt(START))
  })
})

describe('an endpoint', () => {
  it('is disabled when every delivery failed for five days, and its retries stop', async () => {
    const { petri, world, received } = await startWithReceiver(() => 500)
    const effects: Effect[] = []
    for (let day = 0; day < 7; day++) {
      emit(world)
      effects.push(...(await until(world, (day + 1) * DAY_MS)).effects)
    }
    const body = await petri.read('/_petri/webhooks/endpoints')
    const [{ id, updated_at, ...endpoint }] = body.data
    expect(endpoint).toMatchObject({
      disabled: true,
      disabled_reason: 'Every delivery failed for five days, lastly: The receiver answered 500',
      failing_since: '2026-01-05T09:00:00.000Z',
    })
    const told = effects.filter(({ kind }) => kind === 'endpoint_disabled')
    expect(told).toMatchObject([{ endpoint_id: id, detail: 'Every delivery failed for five days' }])
    expect(updated_at > '2026-01-10').toBe(true)
    expect([...world.db.all(messages)].flatMap(({ marks }) => marks)).toContain('endpoint_disabled')
    expect(statusesOf(world).every((status) => status === 'failed')).toBe(true)
    expect(world.agenda.pending).toBe(0)
    // The days begin with the failure 17 h 35 m 05 s after the first, and end with the next failure after five of them.
    const last = received.at(-1)?.at ?? 0
    expect(last - START).toBeGreaterThanOrEqual(63_305 * SECOND_MS + 5 * DAY_MS)
    const count = received.length
    emit(world)
    await world.agenda.settled()
    expect(received).toHaveLength(count)
  })

  /** An endpoint that is held back, which three messages are sent to. */
  async function heldBack() {
    const { held, release } = holdBack()
    const { petri, world, received } = await startWithReceiver(() => held.then(() => 200))
    for (const n of [1, 2, 3]) emit(world, 'labtest.order.updated', { n })
    const [endpoint = expect.fail()] = listEndpoints(world)
    const remove = () => petri.delete(`/_petri/webhooks/endpoints/${endpoint.id}`)
    return { remove, release, world, received }
  }

  it('that is removed in a frozen world still gets what was announced before', async () => {
    const { remove, release, world, received } = await heldBack()
    const removed = remove()
    await eventually(() => expect(received).toHaveLength(1))
    expect(listEndpoints(world)).toHaveLength(1)
    release()
    expect(await removed).toAnswer(204)
    emit(world)
    await until(world, DAY_MS)
    expect(received.map(({ body }) => JSON.parse(body).data.n)).toEqual([1, 2, 3])
    expect(statusesOf(world)).toEqual(Array(3).fill('delivered'))
  })

  it('that is removed does not wait for ever for a receiver that hangs, and gets nothing more', async () => {
    const { remove, release, world, received } = await heldBack()
    expect(await withoutWaiting(remove)).toAnswer(204)
    release()
    await world.agenda.settled()
    await until(world, DAY_MS)
    expect(received.map(({ body }) => JSON.parse(body).data.n)).toEqual([1])
    expect(statusesOf(world)).toEqual(['delivered', 'failed', 'failed'])
  })

  it('is described and changed field by field', async () => {
    const { petri, world } = await startWithReceiver()
    const { body, status } = await petri.post('/_petri/webhooks/endpoints', {
      url: 'https://a.test/hook',
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      description: 'mine',
    })
    expect(status).toBe(201)
    const { earlier_events, ...made } = body
    expect(earlier_events).toBe(0)
    expect(made).toEqual({
      id: expect.stringMatching(/^ep_/),
      url: 'https://a.test/hook',
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      description: 'mine',
      event_types: null,
      headers: {},
      disabled: false,
      disabled_reason: null,
      failing_since: null,
      created_at: '2026-01-05T09:00:00.000Z',
      updated_at: '2026-01-05T09:00:00.000Z',
    })
    const path = `/_petri/webhooks/endpoints/${made.id}`
    const { body: changed } = await petri.patch(path, {
      event_types: ['labtest.order.updated'],
      description: null,
    })
    expect(changed).toEqual({ ...made, event_types: ['labtest.order.updated'], description: null })
    expect((await petri.patch(path, { event_types: null })).body.event_types).toBeNull()
    expect(listEndpoints(world)[0]?.secret).toBe(world.identity.webhookSecret)
    expect(await petri.patch('/_petri/webhooks/endpoints/ep_no', {})).toAnswer(404)
  })

  it.each([
    [{ url: 'ftp://a.test' }, 'url'],
    [{ url: HOOK, secret: 'short' }, 'secret'],
    [{ url: HOOK, event_types: [] }, 'event_types'],
    [{ url: HOOK, headers: { 'Content-Type': 'text/plain' } }, 'headers'],
    [{ url: HOOK, headers: { 'svix-id': 'x' } }, 'headers'],
    [{ url: HOOK, headers: { 'x-a': 'b\r\nc' } }, 'headers'],
  ])('is refused as %j', async (body, field) => {
    const { petri } = await startWithReceiver()
    const answer = await petri.post('/_petri/webhooks/endpoints', body)
    expect(answer).toRefuse(422, [{ loc: ['body', field] }])
  })
})

describe('the log of messages', () => {
  it('is filtered, newest last', async () => {
    const { petri, world } = await startWithReceiver()
    emit(world, 'labtest.order.created')
    world.emit('provider.connection.created', { userId: 'someone', clientUserId: null }, {})
    emit(world)
    await world.agenda.settled()
    const types = async (query: string) => {
      const body = await petri.read(`/_petri/webhooks/messages?${query}`)
      return body.data.map(field('event_type'))
    }
    expect(await types(`order_id=${ORDER}`)).toEqual(['labtest.order.created', 'labtest.order.updated'])
    expect(await types('user_id=someone')).toEqual(['provider.connection.created'])
    expect(await types('event_type=labtest.order.updated&status=delivered')).toEqual([
      'labtest.order.updated',
    ])
    expect(await types('status=failed')).toEqual([])
    expect(await petri.get('/_petri/webhooks/messages/msg_no')).toAnswer(404)
  })
})

describe('after a restart', () => {
  it('a delivery that was under way is attempted again, and retries go on', async () => {
    const folder = keepingFolder()
    const first = await startWithReceiver(() => new Promise(() => {}), { folder })
    emit(first.world)
    await eventually(() => expect(first.received).toHaveLength(1))
    await first.petri.close()
    const second = await startWithReceiver((_, nth) => (nth === 1 ? 500 : 200), { folder })
    await second.world.agenda.settled()
    expect(second.received).toHaveLength(1)
    expect(second.received[0]?.body).toBe(first.received[0]?.body)
    await until(second.world, HOUR_MS)
    expect(second.received.map(({ at }) => at - START)).toEqual([0, 5000])
    expect(statusesOf(second.world)).toEqual(['delivered'])
  })

  it('what waited in line is sent once, in its order, and so after a snapshot is restored', async () => {
    const folder = keepingFolder()
    const [delivered, waiting] = [['first', 'second'], Array.from({ length: 20 }, (_, at) => `later ${at}`)]
    const live = { folder, world: { frozen: false, pace: 1 } }
    const first = await startWithReceiver((_, nth) => (nth > 2 ? new Promise(() => {}) : 200), live)
    for (const id of delivered) emit(first.world, undefined, { id })
    await first.world.agenda.settled()
    emit(first.world, undefined, { id: waiting[0] })
    await eventually(() => expect(first.received).toHaveLength(3))
    for (const id of waiting.slice(1)) emit(first.world, undefined, { id })
    await eventually(() => expect(first.world.agenda.pending).toBe(0))
    expect(await first.petri.put('/_petri/snapshots/waiting')).toAnswer(200)
    await first.petri.close()

    const second = await startWithReceiver(() => 200, live)
    const idsSent = () => second.received.map(({ body }) => JSON.parse(body).data.id)
    await second.world.agenda.settled()
    expect(idsSent()).toEqual(waiting)
    expect(statusesOf(second.world)).toEqual(Array.from({ length: 22 }, () => 'delivered'))
    expect(second.world.db.count(jobs)).toBe(0)
    second.received.length = 0
    expect(await second.petri.post('/_petri/snapshots/waiting/restore')).toAnswer(200)
    await second.petri.world().agenda.settled()
    expect(idsSent()).toEqual(waiting)
  })

  it('nothing more is sent of a world that was reset', async () => {
    const { held, release } = holdBack()
    const { petri, world, received } = await startWithReceiver(async () => {
      await held
      return 500
    })
    emit(world)
    emit(world)
    await eventually(() => expect(received).toHaveLength(1))
    await petri.petri.worlds.reset(world)
    release()
    await petri.world().agenda.settled()
    await until(petri.world(), DAY_MS)
    expect(received).toHaveLength(1)
    expect(statusesOf(petri.world())).toEqual([])
  })
})
