import { beforeEach, describe, expect, it, vi } from 'vitest'
import { connect, pullHistory } from '../../src/resources/connecting/service.ts'
import { connectionId, connections, devices } from '../../src/resources/connections/table.ts'
import { dayOfConnection } from '../../src/resources/timeseries/service.ts'
import { NewUser } from '../../src/resources/users/schema.ts'
import { createUser as createRow } from '../../src/resources/users/service.ts'
import { events } from '../../src/world/events.ts'
import type { World } from '../../src/world/world.ts'
import { field } from '../support/field.ts'
import { advance, connectDemo, createUser, deleteUser, readUser, setFeatures } from '../support/orders.ts'
import { START, startTestPetri, startTestWorld, type TestPetri } from '../support/petri.ts'
import { countTurns, makeStepsSlow } from '../support/timing.ts'
import { told, toldOf } from '../support/wearables.ts'

let petri: TestPetri
let world: World
let userId: string
beforeEach(async () => {
  petri = await startTestWorld()
  world = petri.world()
  userId = await createUser(petri)
})

const demo = (provider: string) => connectDemo(petri, userId, provider)
const disconnect = (provider: string) => petri.delete(`/v2/user/${userId}/${provider}`)
const row = (provider = 'oura') => world.db.get(connections, connectionId(userId, provider))
const histories = () => told(petri).filter(({ event_type }) => event_type.startsWith('historical.')).length
const job = (kind: string, provider = 'oura') =>
  world.agenda.find(`connections.${kind}`, connectionId(userId, provider))
const sourcesOf = async () =>
  (await readUser(petri, userId)).connected_sources.map(
    ({ source }: { source: { slug: string } }) => source.slug,
  )

describe('the history of a connection', () => {
  it('comes resource by resource, then new data as often as the provider sends them', {
    tags: 'slow',
  }, async () => {
    connect(world, userId, 'polar')
    expect(job('backfill', 'polar')?.due).toBe(START + 10 * 60_000)
    const nights = async () =>
      (await petri.read(`/v2/summary/sleep/${userId}?start_date=2025-12-01`)).sleep.length
    await advance(petri, '599s')
    expect([histories(), await nights()]).toEqual([0, 0])
    await advance(petri, '1s')
    expect(await nights()).toBeGreaterThan(20)
    expect(toldOf(petri, 'historical.data.sleep.created').map(field('data'))).toEqual([
      {
        user_id: userId,
        start_date: '2025-12-08T09:00:00+00:00',
        end_date: '2026-01-05T09:10:00+00:00',
        is_final: true,
        provider: 'polar',
      },
    ])
    expect(row('polar').backfill).toEqual({ scheduled_at: START, ended_at: null })
    await advance(petri, '20m')
    expect(row('polar')).toMatchObject({
      backfill: { scheduled_at: START, ended_at: START + 30 * 60_000 },
      synced_until: START + 30 * 60_000,
    })
    expect(job('sync', 'polar')?.due).toBe(Date.parse('2026-01-05T10:00:00Z'))
    await advance(petri, '30m')
    expect(row('polar').synced_until).toBe(Date.parse('2026-01-05T10:00:00Z'))
    expect(job('sync', 'polar')?.due).toBe(Date.parse('2026-01-05T12:00:00Z'))
  })

  it.each([
    ['the backfill', '10m', 'backfill'],
    ['a refresh', '1h', 'sync'],
  ])('is collected by the next refresh when %s has failed, which the advance tells', async (_, by, kind) => {
    const bugs: unknown[] = []
    petri = await startTestPetri({ reportBug: (bug) => void bugs.push(bug) })
    world = petri.world()
    userId = await createUser(petri)
    connect(world, userId, 'polar')
    if (kind === 'sync') await advance(petri, '31m')
    const put = world.db.put.bind(world.db)
    const fail = vi.spyOn(world.db, 'put').mockImplementation((table, entry) => {
      if (table.name === connections.name) throw new Error('no memory left')
      return put(table, entry)
    })
    const { body } = await advance(petri, by)
    fail.mockRestore()
    expect(body.summary).toEqual(['1 job failed: Error: no memory left'])
    expect(body.effects).toContainEqual(expect.objectContaining({ kind: 'bug', job: `connections.${kind}` }))
    expect(bugs).toHaveLength(1)
    expect(job(kind, 'polar')?.recurring).toBe(true)
    await petri.post('/_petri/clock/advance', { to: '2026-01-05T12:00:00Z' })
    expect(row('polar').synced_until).toBe(Date.parse('2026-01-05T12:00:00Z'))
  })

  it('is not announced for what the user does not allow', async () => {
    connect(world, userId, 'oura', { deniedScopes: ['daily', 'personal'] })
    await advance(petri, '30m')
    const types = told(petri).map(field('event_type'))
    expect(types.filter((type) => type.startsWith('historical.')).sort()).toEqual([
      'historical.data.heartrate.created',
      'historical.data.workouts.created',
    ])
  })

  it('is pushed row by row before it is announced, where the team wants it', { tags: 'slow' }, async () => {
    await setFeatures(petri, { push_historical_data: true })
    connect(world, userId, 'polar')
    await advance(petri, '30m')
    const types = told(petri).map(field('event_type'))
    const at = types.indexOf('historical.data.sleep.created')
    const nights = types.slice(0, at).filter((type) => type === 'daily.data.sleep.created')
    expect(nights.length).toBeGreaterThan(20)
  })

  it.each([
    ['three days', '3d', 'historical.data.sleep.created', 3],
    ['none', 'none', undefined, 0],
  ] as const)('is %s where the world wants it so, whoever made it', async (_, history, event, days) => {
    const made = await petri.petri.app.request('/_petri/worlds', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ frozen: true, now: new Date(START).toISOString(), history }),
    })
    world = petri.petri.worlds.byKey(((await made.json()) as { api_key: string }).api_key) as World
    const user_id = createRow(world, NewUser().parse({ client_user_id: 'ada' })).user_id
    connect(world, user_id, 'oura')
    await world.agenda.advanceTo(START + 60 * 60_000)
    const row = world.db.get(connections, connectionId(user_id, 'oura'))
    expect((START - (row.periods[0]?.from ?? 0)) / 86_400_000).toBe(days)
    const types = [...world.db.all(events)].map(field('event_type'))
    expect(types.find((type) => type === 'historical.data.sleep.created')).toBe(event)
  })

  it('can be pulled once more, and never becomes shorter', async () => {
    connect(world, userId, 'dexcom_v3')
    await advance(petri, '1h')
    const [before] = row('dexcom_v3').periods
    pullHistory(world, userId, 'dexcom_v3')
    expect(job('sync', 'dexcom_v3')).toBeUndefined()
    expect(row('dexcom_v3')).toMatchObject({
      backfill: { scheduled_at: START + 3_600_000, ended_at: null },
      periods: [{ ...before, until: START }, { until: null }],
    })
    await advance(petri, '30m')
    expect(histories()).toBe(2)
    expect(job('sync', 'dexcom_v3')).toBeDefined()
    const sent = toldOf(petri, 'daily.data.glucose.created').flatMap(({ data }) =>
      data.data.map(field('timestamp')),
    )
    expect([sent.length > 10, new Set(sent).size]).toEqual([true, sent.length])
  })

  it.each([
    ['its history', 30],
    ['new data', 60],
  ])('keeps what is changed while %s is collected, and announces it once', async (_, minutes) => {
    connect(world, userId, 'polar')
    await advance(petri, minutes === 30 ? '10m' : '30m')
    makeStepsSlow()
    let turns = 0
    await countTurns(advance(petri, `${minutes}m`), async () => {
      if (++turns === 1) world.db.put(connections, { ...row('polar'), external_user_id: 'changed meanwhile' })
    })
    vi.restoreAllMocks()
    expect(turns).toBeGreaterThan(1)
    expect(row('polar')).toMatchObject({
      external_user_id: 'changed meanwhile',
      backfill: { ended_at: START + 30 * 60_000 },
      synced_until: START + (minutes === 30 ? 30 : 60) * 60_000,
    })
    expect(histories()).toBe(1)
    const sent = toldOf(petri, 'daily.data.heartrate.created').flatMap(({ data }) =>
      data.data.map(field('timestamp')),
    )
    expect(new Set(sent).size).toBe(sent.length)
  })

  it('that a phone uploads is looked after each hour from then on', async () => {
    const sdk = { 'x-vital-ios-sdk-version': '1.8.8' }
    await petri.post('/v2/link/provider/manual/apple_health_kit', { user_id: userId }, sdk)
    expect(job('sync', 'apple_health_kit')).toBeUndefined()
    const upload = () =>
      petri.post(
        `/v2/timeseries/${userId}/steps`,
        { stage: 'daily', time_zone: 'UTC', provider: 'apple_health_kit', data: [] },
        sdk,
      )
    expect(await upload()).toAnswer(200)
    expect(job('sync', 'apple_health_kit')?.due).toBe(Date.parse('2026-01-05T10:00:00Z'))
    await advance(petri, '5m')
    await upload()
    expect(row('apple_health_kit').synced_until).toBe(START + 300_000)
    await advance(petri, '1h')
    expect(job('sync', 'apple_health_kit')?.due).toBe(Date.parse('2026-01-05T11:00:00Z'))
  })

  it('brings the usual device, once', async () => {
    connect(world, userId, 'polar')
    await advance(petri, '1h')
    expect(toldOf(petri, 'provider.device.created').map(({ data }) => data.source_type)).toEqual(['watch'])
    connect(world, userId, 'strava')
    pullHistory(world, userId, 'polar')
    await advance(petri, '1h')
    expect(toldOf(petri, 'provider.device.created')).toHaveLength(1)
  })
})

describe('a connection of a deleted user', () => {
  it('stays until the user cannot be restored any more', async () => {
    connect(world, userId, 'polar')
    await advance(petri, '1h')
    await deleteUser(petri, userId)
    const count = told(petri).length
    await advance(petri, '6d')
    expect([world.db.count(connections), world.db.count(devices)]).toEqual([1, 1])
    expect(told(petri)).toHaveLength(count)
    await advance(petri, '2d')
    expect([world.db.count(connections), world.db.count(devices), job('sync', 'polar')]).toEqual([
      ...[0, 0, undefined],
    ])
    expect(told(petri)).toHaveLength(0)
  })
})

describe('a demo connection where the limits of the sandbox hold', () => {
  beforeEach(() => setFeatures(petri, { sandbox_limits: true }))

  it('lasts seven days from its beginning, however often it is made', { tags: 'slow' }, async () => {
    await demo('freestyle_libre')
    await advance(petri, '6d')
    await demo('freestyle_libre')
    expect(await sourcesOf()).toEqual(['freestyle_libre'])
    await advance(petri, '23h')
    expect(await sourcesOf()).toEqual(['freestyle_libre'])
    await advance(petri, '1h')
    expect(await petri.get(`/v2/user/${userId}`)).toAnswer(404)
  })

  it('lasts seven days anew after it was ended', { tags: 'slow' }, async () => {
    await demo('freestyle_libre')
    await advance(petri, '6d')
    await disconnect('freestyle_libre')
    await demo('freestyle_libre')
    await advance(petri, '6d')
    expect(await sourcesOf()).toEqual(['freestyle_libre'])
    await advance(petri, '1d')
    expect(await petri.get(`/v2/user/${userId}`)).toAnswer(404)
  })

  it('that became a real one stays, and one that was ended ends no more', { tags: 'slow' }, async () => {
    await demo('freestyle_libre')
    await demo('oura')
    for (const provider of ['freestyle_libre', 'oura']) await disconnect(provider)
    connect(world, userId, 'freestyle_libre')
    await advance(petri, '8d')
    expect(await sourcesOf()).toEqual(['freestyle_libre'])
  })

  it('has no end elsewhere', async () => {
    await setFeatures(petri, { sandbox_limits: false })
    await demo('freestyle_libre')
    await advance(petri, '8d')
    expect(await sourcesOf()).toEqual(['freestyle_libre'])
  })
})

describe('who connects a bike computer', { tags: 'slow' }, () => {
  const sportsOf = (provider: string, first: string, days: number) =>
    Array.from({ length: days }, (_, nth) => {
      const date = new Date(Date.parse(first) + nth * 86_400_000).toISOString().slice(0, 10)
      return dayOfConnection(world, row(provider), date).workouts.map(({ sport }) => sport.slug)
    }).flat()
  const rides = (sports: readonly string[]) => sports.filter((sport) => sport === 'road_biking').length

  it.each(['wahoo', 'hammerhead', 'zwift'])('%s rides, in the history of a month too', (provider) => {
    connect(world, userId, provider)
    expect(rides(sportsOf(provider, '2025-12-06', 30))).toBeGreaterThan(0)
  })

  it('rides for other devices from the day after, and has ridden no more before', () => {
    connect(world, userId, 'garmin')
    const [before, later] = [sportsOf('garmin', '2025-12-06', 31), sportsOf('garmin', '2026-01-06', 30)]
    connect(world, userId, 'hammerhead')
    expect(sportsOf('garmin', '2025-12-06', 31)).toEqual(before)
    expect(rides(sportsOf('garmin', '2026-01-06', 30))).toBeGreaterThan(rides(later))
    expect(sportsOf('garmin', '2026-01-06', 30)).toEqual(sportsOf('hammerhead', '2026-01-06', 30))
  })

  it('has no other sports on the day itself', async () => {
    for (let nth = 0; nth < 30; nth++) {
      userId = await createUser(petri, `rider-${nth}`)
      connect(world, userId, 'garmin')
      const today = sportsOf('garmin', '2026-01-05', 1)
      connect(world, userId, 'hammerhead')
      expect(sportsOf('garmin', '2026-01-05', 1)).toEqual(today)
    }
  })
})
