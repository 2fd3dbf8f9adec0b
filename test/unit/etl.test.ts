import { beforeEach, describe, expect, it } from 'vitest'
import { HOUR_MS, SECOND_MS } from '../../src/kernel/instant.ts'
import { clearTarget, setTarget } from '../../src/resources/etl/service.ts'
import { type EtlPipeline, etlOutbox, etlPipelines, etlTargets } from '../../src/resources/etl/table.ts'
import type { Effect } from '../../src/scheduler/job.ts'
import { events } from '../../src/world/events.ts'
import type { World } from '../../src/world/world.ts'
import { START, startTestWorld } from '../support/petri.ts'

const URL = 'http://pipeline.test/events'
const JOB = 'etl.deliver'

interface Post {
  readonly to: string
  readonly at: number
  readonly lines: readonly string[]
  readonly run: object | undefined
}

let world: World
let posts: Post[]
/** What each attempt throws, one after the other; undefined for one that is received. */
let failures: unknown[]
let effects: Effect[]
/** Called while an attempt is under way. */
let meanwhile: () => void

beforeEach(async () => {
  world = (await startTestWorld()).world()
  posts = []
  failures = []
  effects = []
  meanwhile = () => undefined
  const receive = async (to: string, text: string, run?: object) => {
    expect(text.endsWith('\n')).toBe(true)
    posts.push({ to, at: world.clock.now() - START, lines: text.slice(0, -1).split('\n'), run })
    meanwhile()
    const failure = failures.shift()
    if (failure !== undefined) throw failure
  }
  Object.assign(world.services, { sendEtl: receive })
  world.agenda.bus.subscribe({
    onEffect: (effect) => void (effect.kind.startsWith('etl_') && effects.push(effect)),
    onEnd: () => undefined,
  })
})

const keep = (more: Partial<EtlPipeline> = {}) =>
  world.db.put(etlPipelines, {
    id: 'pipeline',
    push_historical_data: false,
    provider_raw_data: false,
    preferences: { preferred: 'rabbitmq', enabled: ['svix', 'rabbitmq'] },
    destinations: {},
    event_type_prefixes: null,
    ...more,
  })
const toUrl = () => setTarget(world, URL)
const emit = (n: number, type = 'daily.data.steps.created', userId: string | null = null) =>
  world.emit(type, { userId, clientUserId: null }, { n })
const settle = () => world.agenda.settled()
const waiting = () => [...world.db.ids(etlOutbox)]
const target = () => world.db.find(etlTargets, 'target')
const numbersOf = ({ lines }: Post) => lines.map((line) => JSON.parse(line).body.data.n)

describe('an event', () => {
  it('is sent at once, with the attributes of a message', async () => {
    keep()
    toUrl()
    expect(world.agenda.find(JOB, 'target')).toBeUndefined()
    const id = emit(1, 'daily.data.steps.created', 'ada')
    const job = world.agenda.find(JOB, 'target')
    expect(job?.due).toBe(START)
    await settle()
    const [post] = posts
    expect(posts).toEqual([{ to: URL, at: 0, lines: [expect.any(String)], run: expect.any(Object) }])
    expect(JSON.parse(post?.lines[0] ?? '')).toEqual({
      attributes: {
        'event-type': 'daily.data.steps.created',
        'user-id': 'ada',
        'team-id': world.identity.teamId,
        'idempotency-key': id,
      },
      body: world.db.get(events, id).payload,
    })
    expect([waiting(), target()?.delivered, target()?.last_error]).toEqual([[], 1, null])
    expect(effects).toEqual([{ at: START, kind: 'etl_delivered', events: 1 }])
  })

  it.each<[string, Partial<EtlPipeline> | undefined]>([
    ['there is no pipeline', undefined],
    ['webhooks are the only destination', { preferences: { preferred: 'svix', enabled: ['svix'] } }],
    ['no destination is enabled', { preferences: { preferred: 'rabbitmq', enabled: [] } }],
    ['no type is wanted', { event_type_prefixes: [] }],
    ['its type is not wanted', { event_type_prefixes: ['historical.', 'data.steps'] }],
  ])('is not sent where %s', async (_, pipeline) => {
    if (pipeline) keep(pipeline)
    toUrl()
    emit(1)
    await settle()
    expect([waiting(), posts]).toEqual([[], []])
  })

  it.each<[string, Partial<EtlPipeline>]>([
    ['another destination is enabled', { preferences: { preferred: 'svix', enabled: ['cloud_pubsub'] } }],
    ['one of the prefixes fits', { event_type_prefixes: ['historical.', 'daily.data.steps'] }],
  ])('is sent where %s', async (_, pipeline) => {
    keep(pipeline)
    toUrl()
    emit(1)
    await settle()
    expect(posts).toHaveLength(1)
  })

  it('is not kept for a target that is not there yet', async () => {
    keep()
    emit(1)
    expect(waiting()).toEqual([])
    toUrl()
    await settle()
    expect(posts).toEqual([])
  })
})

describe('the queue', () => {
  it('is sent 500 events at a time, in order', async () => {
    keep()
    toUrl()
    for (let n = 0; n < 1001; n++) emit(n)
    await settle()
    expect(posts.map(({ lines, at }) => [lines.length, at])).toEqual([
      [500, 0],
      [500, 0],
      [1, 0],
    ])
    expect(posts.flatMap(numbersOf)).toEqual(Array.from({ length: 1001 }, (_, n) => n))
    expect(target()?.delivered).toBe(1001)
  })

  it('drops the oldest of ten thousand events for a new one', () => {
    keep()
    toUrl()
    for (let n = 0; n < 9999; n++) world.db.put(etlOutbox, { event_id: `old ${n}` })
    const first = emit(1)
    expect([world.db.count(etlOutbox), waiting()[0]]).toEqual([10_000, 'old 0'])
    const second = emit(2)
    expect([world.db.count(etlOutbox), waiting()[0], ...waiting().slice(-2)]).toEqual([
      10_000,
      'old 1',
      first,
      second,
    ])
    clearTarget(world)
  })

  it('leaves out events that are no longer kept', async () => {
    keep()
    toUrl()
    const [first] = [emit(1), emit(2)]
    world.db.delete(events, first)
    await settle()
    expect(posts.map(numbersOf)).toEqual([[2]])
    emit(3)
    for (const id of waiting()) world.db.delete(events, id)
    await settle()
    expect([posts.length, waiting()]).toEqual([1, []])
    expect(target()).toMatchObject({ delivered: 1, failures: 0, last_error: null })
  })

  it('is sent on once a running delivery is done', async () => {
    keep()
    toUrl()
    meanwhile = () => {
      meanwhile = () => undefined
      emit(2)
    }
    emit(1)
    await settle()
    expect(posts.map(numbersOf)).toEqual([[1], [2]])
  })
})

describe('a delivery that fails', () => {
  const SECONDS = [0, 5, 65, 365, 2165, 5765, 9365, 12_965]

  it('is repeated after a longer and longer time, up to an hour, with what came meanwhile', async () => {
    keep()
    toUrl()
    failures = SECONDS.slice(1).map((_, at) => new Error(`attempt ${at}`))
    const ids = [emit(0)]
    await settle()
    expect(target()).toMatchObject({ failures: 1, last_error: 'attempt 0', delivered: 0 })
    expect(effects).toEqual([{ at: START, kind: 'etl_failed', events: 1, detail: 'attempt 0' }])
    ids.push(emit(1))
    expect(waiting()).toEqual(ids)
    await world.agenda.advanceTo(START + 5 * HOUR_MS)
    expect(posts.map(({ at }) => at / SECOND_MS)).toEqual(SECONDS)
    expect(posts.map(numbersOf)).toEqual([[0], ...posts.slice(1).map(() => [0, 1])])
    expect(posts.slice(1).every(({ run }) => run !== undefined)).toBe(true)
    expect(target()).toMatchObject({ failures: 0, last_error: null, delivered: 2 })
  })

  it('begins anew with the shortest time after a success', async () => {
    keep()
    toUrl()
    failures = [new Error('one'), new Error('two'), undefined, 'three']
    emit(0)
    await world.agenda.advanceTo(START + HOUR_MS)
    emit(1)
    await world.agenda.advanceTo(START + 2 * HOUR_MS)
    expect(posts.map(({ at }) => at)).toEqual([0, 5000, 65_000, HOUR_MS, HOUR_MS + 5000])
    expect(effects.map(({ kind, detail }) => [kind, detail])).toEqual([
      ['etl_failed', 'one'],
      ['etl_failed', 'two'],
      ['etl_delivered', undefined],
      ['etl_failed', 'three'],
      ['etl_delivered', undefined],
    ])
  })
})

describe('a target', () => {
  it('that is set again forgets what went wrong, and receives what waits', async () => {
    keep()
    toUrl()
    failures = [new Error('no')]
    emit(0)
    await settle()
    expect(setTarget(world, `${URL}/2`)).toEqual({
      id: 'target',
      url: `${URL}/2`,
      failures: 0,
      last_error: null,
      delivered: 0,
    })
    await settle()
    expect(posts.map(({ to, at }) => [to, at])).toEqual([
      [URL, 0],
      [`${URL}/2`, 0],
    ])
  })

  it('that is removed takes the queue with it', async () => {
    keep()
    toUrl()
    failures = [new Error('no')]
    emit(0)
    await settle()
    expect(world.agenda.find(JOB, 'target')?.due).toBe(START + 5000)
    clearTarget(world)
    expect([waiting(), target(), world.agenda.find(JOB, 'target')]).toEqual([[], undefined, undefined])
    await world.agenda.advanceTo(START + HOUR_MS)
    expect(posts).toHaveLength(1)
  })

  it('that is removed during a delivery stays removed', async () => {
    keep()
    toUrl()
    meanwhile = () => clearTarget(world)
    emit(0)
    await settle()
    expect([posts.length, target(), waiting(), effects]).toEqual([1, undefined, [], []])
  })
})

it('the delivery is a job that says what it does', () => {
  keep()
  toUrl()
  emit(0)
  expect(world.agenda.kinds.get(JOB)?.does).toBe('queued events are sent to the ETL target')
})
