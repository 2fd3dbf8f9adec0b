import { Webhook } from 'svix'
import { describe, expect, it, vi } from 'vitest'
import { HOUR_MS } from '../../src/kernel/instant.ts'
import { fileFolder } from '../../src/storage/folder.ts'
import { addEndpoint, listEndpoints } from '../../src/webhooks/endpoints.ts'
import type { World } from '../../src/world/world.ts'
import { makeFolder } from '../support/new-folder.ts'
import { orderForPatient } from '../support/orders.ts'
import { ok, START, type TestPetri } from '../support/petri.ts'
import { HOOK, type Received, startHeardPetri } from '../support/receiver.ts'
import { eventually } from '../support/timing.ts'

const OTHER = 'http://other.test/'

async function start(...input: Parameters<typeof startHeardPetri>) {
  const { petri, receiver } = await startHeardPetri(...input)
  return { ...receiver, petri }
}

const rule = (petri: TestPetri, body: object) => petri.put('/_petri/webhooks/faults', body)

async function emit(world: World, ...numbers: number[]) {
  for (const n of numbers) world.emit('a.b', { userId: null, clientUserId: null }, { n })
  await world.agenda.settled()
}

const numbersOf = (received: readonly Received[]) => received.map(({ body }) => JSON.parse(body).data.n)
const secondsOf = (received: readonly Received[]) => received.map(({ at }) => (at - START) / 1000)
const log = async (petri: TestPetri) => (await petri.read('/_petri/webhooks/messages')).data
const marksOf = async (petri: TestPetri) => (await log(petri)).map(({ marks }: { marks: string[] }) => marks)
const advance = (petri: TestPetri, input: object) => petri.post('/_petri/clock/advance', input)

/** How the official library judges a delivery, by a clock that stands at the start. */
function verdictOn({ body, headers }: Received, secret: string): string {
  const now = vi.spyOn(Date, 'now').mockReturnValue(START)
  try {
    new Webhook(secret).verify(body, { ...headers })
    return 'accepted'
  } catch (error) {
    return (error as Error).message
  } finally {
    now.mockRestore()
  }
}

describe('deliveries', () => {
  it('are without faults by default, and again after the rules are removed', async () => {
    const { petri, received } = await start()
    const off = {
      duplicate: 0,
      reorder: 0,
      delay: null,
      drop_first: 0,
      bad_signature: false,
      stale_timestamp: false,
      burst: 0,
      respell: false,
      endpoint_id: null,
      endpoints: [],
    }
    expect(await petri.read('/_petri/webhooks/faults')).toEqual(off)
    const input = { duplicate: 2, reorder: true, delay: '1d12h', stale_timestamp: true }
    expect((await rule(petri, input)).body).toEqual({ ...off, ...input, reorder: 2 })
    expect(await petri.read('/_petri/webhooks/faults')).toMatchObject({ duplicate: 2 })
    expect((await rule(petri, { burst: 3 })).body).toEqual({ ...off, burst: 3 })
    expect(await petri.delete('/_petri/webhooks/faults')).toAnswer(204)
    await emit(petri.world(), 1)
    expect(received).toHaveLength(1)
    expect(await marksOf(petri)).toEqual([[]])
    await rule(petri, { burst: 3 })
    await petri.post('/_petri/reset')
    expect(await petri.read('/_petri/webhooks/faults')).toEqual(off)
  })

  it.each([
    [{ duplicate: -1 }, 'duplicate'],
    [{ drop_first: 9 }, 'drop_first'],
    [{ reorder: 'yes' }, 'reorder'],
    [{ delay: 'soon' }, 'delay'],
    [{ brust: 1 }, 'brust'],
  ])('refuse the rules %j', async (body, field) => {
    const { petri } = await start()
    expect(await rule(petri, body)).toRefuse(422, [{ loc: ['body', field] }])
  })

  it('are of an endpoint or of the world, and an endpoint takes over what was not said of it', async () => {
    const { petri, received } = await start()
    const other = addEndpoint(petri.world(), { url: OTHER })
    await rule(petri, { duplicate: 1 })
    const { body } = await rule(petri, { endpoint_id: other.id, duplicate: 0, stale_timestamp: true })
    expect(body).toMatchObject({ endpoint_id: other.id, duplicate: 0, stale_timestamp: true })
    await emit(petri.world(), 1)
    expect(received.map(({ url }) => url).sort()).toEqual([OTHER, HOOK, HOOK])
    const all = await petri.read('/_petri/webhooks/faults')
    expect(all).toMatchObject({ duplicate: 1, endpoints: [{ endpoint_id: other.id, stale_timestamp: true }] })
    await petri.delete(`/_petri/webhooks/faults?endpoint_id=${other.id}`)
    await emit(petri.world(), 2)
    expect(received).toHaveLength(7)
    expect(await rule(petri, { endpoint_id: 'ep_no', duplicate: 1 })).toAnswer(404)
    expect(await petri.get('/_petri/webhooks/faults?endpoint_id=ep_no')).toAnswer(404)
  })
})

describe('a webhook fault', () => {
  it('duplicate: comes again under the same id, once it was received', async () => {
    const { petri, received } = await start((_, nth) => (nth === 1 || nth === 3 ? 500 : 200))
    await rule(petri, { duplicate: 2 })
    await emit(petri.world(), 1)
    const { body } = await advance(petri, { until: 'idle' })
    expect(secondsOf(received)).toEqual([0, 5, 5, 5])
    expect(new Set(received.map(({ headers }) => headers['svix-id'])).size).toBe(1)
    expect(await log(petri)).toMatchObject([
      {
        status: 'delivered',
        marks: ['duplicate'],
        attempts: [
          { status: 500 },
          { status: 200 },
          { status: 500, marks: ['duplicate'] },
          { marks: ['duplicate'] },
        ],
      },
    ])
    expect(body.effects.map(({ marks }: { marks: string[] }) => marks)).toEqual([
      undefined,
      undefined,
      ['duplicate'],
      ['duplicate'],
    ])
  })

  it('reorder: pairs, or windows, come last to first', async () => {
    const { petri, received } = await start()
    await rule(petri, { reorder: true })
    await emit(petri.world(), 1, 2, 3)
    expect(numbersOf(received)).toEqual([2, 1])
    expect(await marksOf(petri)).toEqual([['reorder'], ['reorder'], []])
    expect((await log(petri))[2]).toMatchObject({
      status: 'pending',
      next_attempt_at: '2026-01-12T09:00:00.000Z',
    })
    await rule(petri, { reorder: 3 })
    await emit(petri.world(), 4, 5, 6)
    expect(numbersOf(received)).toEqual([2, 1, 3, 6, 5, 4])
  })

  it('reorder: one whose partner never comes is sent after seven days', async () => {
    const { petri, received } = await start()
    await rule(petri, { reorder: 2 })
    await emit(petri.world(), 1)
    const { body } = await advance(petri, { until: 'idle' })
    expect(secondsOf(received)).toEqual([7 * 86_400])
    const [{ id, endpoint_id, event_type }] = await log(petri)
    expect(body.effects).toMatchObject([
      { kind: 'delivery_held', message_id: id, endpoint_id, event_type, detail: '1 of 2 buffered messages' },
      { kind: 'delivery', status: 200 },
    ])
    expect(await marksOf(petri)).toEqual([[]])
  })

  it('delay: waits before its first attempt, and is retried by schedule from there', async () => {
    const { petri, received } = await start((_, nth) => (nth === 1 ? 500 : 200))
    await rule(petri, { delay: '90m' })
    await emit(petri.world(), 1)
    const { body } = await advance(petri, { until: 'idle' })
    expect(secondsOf(received)).toEqual([5400, 5405])
    expect(await marksOf(petri)).toEqual([['delay']])
    expect(body.effects).toMatchObject([{ marks: ['delay'] }, { marks: ['delay'] }])
  })

  it('drop_first: is lost on the way and tried again by schedule', async () => {
    const { petri, received } = await start()
    await rule(petri, { drop_first: 2 })
    await emit(petri.world(), 1)
    expect(received).toHaveLength(0)
    const { body } = await advance(petri, { until: 'idle' })
    expect(secondsOf(received)).toEqual([305])
    expect(await log(petri)).toMatchObject([
      {
        status: 'delivered',
        marks: ['drop_first'],
        attempts: [
          { status: null, marks: ['drop_first'], error: expect.stringContaining('Lost on the way') },
          { status: null, marks: ['drop_first'] },
          { status: 200 },
        ],
      },
    ])
    const lost = { status: 'error', marks: ['drop_first'] }
    expect(body.effects).toMatchObject([lost, lost, { status: 200 }])
    expect(body.effects[2]).not.toHaveProperty('marks')
  })

  it('drop_first: counts the attempts by schedule, and none that was asked for', async () => {
    const { petri, received } = await start((_, nth) => (nth === 1 ? 500 : 200))
    await rule(petri, { burst: 2, drop_first: 1 })
    await emit(petri.world(), 1)
    const [{ id }] = await log(petri)
    await petri.post('/_petri/webhooks/resend', { message_id: id })
    await emit(petri.world(), 2)
    await advance(petri, { until: 'idle' })
    expect((await log(petri))[0].attempts).toMatchObject([
      { status: 500 },
      { status: null, marks: ['drop_first'] },
      { status: 200 },
    ])
    expect(secondsOf(received)).toEqual([0, 5, 5])
  })

  it('bad_signature, stale_timestamp: are refused by the official library, until taken back', async () => {
    const { petri, received } = await start((_, nth) => (nth < 3 ? 401 : 200))
    const { webhookSecret } = petri.world().identity
    await rule(petri, { bad_signature: true })
    await emit(petri.world(), 1)
    await rule(petri, { stale_timestamp: true })
    await advance(petri, { by: '5s' })
    await petri.delete('/_petri/webhooks/faults')
    await advance(petri, { by: '5m' })
    expect(received.map((delivery) => verdictOn(delivery, webhookSecret))).toEqual([
      'No matching signature found',
      'Message timestamp too old',
      'accepted',
    ])
    expect(await log(petri)).toMatchObject([
      {
        marks: ['bad_signature', 'stale_timestamp'],
        attempts: [{ marks: ['bad_signature'] }, { marks: ['stale_timestamp'] }, { status: 200 }],
      },
    ])
  })

  it('burst: waits until so many are there; reorder turns windows of it round', async () => {
    const { petri, received } = await start()
    await rule(petri, { burst: 3, reorder: 2, delay: '1m' })
    await emit(petri.world(), 1, 2)
    await advance(petri, { by: '1h' })
    expect(received).toHaveLength(0)
    await emit(petri.world(), 3)
    await advance(petri, { by: '1h' })
    expect(numbersOf(received)).toEqual([2, 1, 3])
    expect(secondsOf(received)).toEqual([3660, 3660, 3660])
    expect(await marksOf(petri)).toEqual([
      ['burst', 'reorder', 'delay'],
      ['burst', 'reorder', 'delay'],
      ['burst', 'delay'],
    ])
  })

  it('what waits is sent when the rules change, and forgotten when its endpoint is removed', async () => {
    const { petri, received } = await start()
    await rule(petri, { burst: 5 })
    await emit(petri.world(), 1, 2)
    await petri.delete('/_petri/webhooks/faults')
    await petri.world().agenda.settled()
    expect(numbersOf(received)).toEqual([1, 2])
    await rule(petri, { burst: 5 })
    await emit(petri.world(), 3)
    const [endpoint] = listEndpoints(petri.world())
    await petri.delete(`/_petri/webhooks/endpoints/${endpoint?.id}`)
    expect((await petri.read('/_petri/clock')).pending).toBe(0)
    expect((await log(petri)).at(-1)).toMatchObject({ status: 'failed', marks: ['endpoint_removed'] })
  })

  it('can be sent by hand while it waits, and then waits no more', async () => {
    const { petri, received } = await start()
    await rule(petri, { reorder: 2 })
    await emit(petri.world(), 1)
    const [{ id }] = await log(petri)
    await petri.post('/_petri/webhooks/resend', { message_id: id })
    await petri.world().agenda.settled()
    await emit(petri.world(), 2)
    await advance(petri, { until: 'idle' })
    expect(numbersOf(received)).toEqual([1, 2])
  })
})

describe('a rotated secret', () => {
  it('also signs for a day, and the log shows it', async () => {
    const { petri, received } = await start()
    const [{ id, secret: old } = expect.fail()] = listEndpoints(petri.world())
    const path = `/_petri/webhooks/endpoints/${id}/rotate-secret`
    const body = await ok(petri.post(path))
    expect(body.secret).not.toBe(old)
    expect(body.previous_secrets).toEqual([{ secret: old, valid_until: '2026-01-06T09:00:00.000Z' }])
    await emit(petri.world(), 1)
    await advance(petri, { by: '24h' })
    await emit(petri.world(), 2)
    const [first = expect.fail(), second = expect.fail()] = received
    for (const secret of [old, body.secret]) expect(verdictOn(first, secret)).toBe('accepted')
    expect(verdictOn(second, old)).not.toBe('accepted')
    expect(verdictOn(second, body.secret)).toBe('accepted')
    expect(await marksOf(petri)).toEqual([['rotated_secret'], []])
    const chosen = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    expect((await petri.post(path, { secret: chosen })).body.secret).toBe(chosen)
    expect(await petri.post(path, { secret: 'short' })).toAnswer(422)
    expect(await petri.post('/_petri/webhooks/endpoints/ep_no/rotate-secret')).toAnswer(404)
  })
})

describe('a scenario with webhook faults', { tags: 'slow' }, () => {
  const STORY = `name: rough
summary: Every event comes twice, in pairs turned round.
method: testkit
steps:
  - { after: 1h, status: requisition_created, only: registered_kit }
  - { after: 1d, status: transit_customer }
  - { after: 1d, status: lost }
webhook_faults: { duplicate: 1, reorder: true }
`
  const place = async (petri: TestPetri) => {
    await petri.put('/_petri/scenarios/rough', STORY, { 'content-type': 'application/yaml' })
    await orderForPatient(petri)
    const order = await orderForPatient(petri, { scenario: 'rough' })
    await advance(petri, { until: 'idle' })
    return order
  }
  const ofOrder = (received: readonly Received[], id: string) =>
    received
      .map(({ body }) => JSON.parse(body))
      .filter(({ data }) => data.id === id)
      .map(({ data }) => data.last_event?.status ?? data.status)

  it("has them for its order's events, the first included, and for no other's", async () => {
    const { petri, received } = await start()
    const { id } = await place(petri)
    const pair = (...lows: string[]) => lows.map((low) => expect.stringContaining(low))
    expect(ofOrder(received, id)).toEqual([
      ...pair('requisition_created', 'ordered', 'requisition_created', 'ordered'),
      ...pair('lost', 'transit_customer', 'lost', 'transit_customer'),
    ])
    const others = (await log(petri)).filter(({ order_id }: { order_id: string }) => order_id !== id)
    expect(others.length).toBeGreaterThan(2)
    for (const { marks } of others) expect(marks).toEqual([])
  })

  it('is the same in worlds of one seed, and continues after a restart', async () => {
    const tell = async () => {
      const { petri, received } = await start()
      await place(petri)
      return { log: await log(petri), received }
    }
    expect(await tell()).toEqual(await tell())
    const root = makeFolder('petri-hostile-')
    const open = async () => ({ folder: await fileFolder(root, { warn: () => undefined }) })
    const first = await start(() => 200, await open())
    await rule(first.petri, { reorder: 2, duplicate: 1 })
    await emit(first.petri.world(), 1)
    await first.petri.close()
    const second = await start(() => 200, await open())
    await emit(second.petri.world(), 2)
    expect(numbersOf(second.received)).toEqual([2, 1, 2, 1])
    await second.petri.close()
  })
})

it('a live world keeps its pace with delays and waits', { tags: 'slow' }, async () => {
  const { petri, received } = await start(() => 200, {
    wall: Date.now,
    world: { frozen: false, now: null, pace: 864_000 },
  })
  await rule(petri, { reorder: 2, delay: '1h' })
  const begun = Date.now()
  await emit(petri.world(), 1)
  await eventually(() => expect(received).toHaveLength(1))
  expect(Date.now() - begun).toBeGreaterThanOrEqual((7 * 24 * HOUR_MS) / 864_000)
})
