import { beforeEach, describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/instant.ts'
import { connect, putDevice } from '../../src/resources/connecting/service.ts'
import {
  type CollectedPeriod,
  connectionId,
  connections,
  deviceIdOf,
} from '../../src/resources/connections/table.ts'
import { events } from '../../src/world/events.ts'
import type { World } from '../../src/world/world.ts'
import { field } from '../support/field.ts'
import { changeUser } from '../support/orders.ts'
import { START, startTestWorld, type TestPetri } from '../support/petri.ts'
import { advance, type Told, told, toldOf, wearer } from '../support/wearables.ts'

let petri: TestPetri
let world: World
let userId: string
const begin = async (body: object = {}) => {
  petri = await startTestWorld({ world: { history: '3d' } })
  world = petri.world()
  userId = await wearer(petri, [], body)
}
beforeEach(() => begin())

const minutes = (count: number) => advance(petri, count * MINUTE_MS)
const types = () => told(petri).map(field('event_type'))
const row = (provider: string) => world.db.get(connections, connectionId(userId, provider))
// biome-ignore lint/suspicious/noExplicitAny: tests look into data of every shape.
const summaries = async (resource: string): Promise<any[]> =>
  (await petri.read(`/v2/summary/${resource}/${userId}?start_date=2025-12-20`))[resource]
const samples = async (series: string, provider: string) => {
  const body = await petri.read(`/v2/timeseries/${userId}/${series}/grouped?start_date=2025-12-20`)
  return (body.groups[provider] ?? []).flatMap(
    ({ data }: { data: { timestamp: string; timezone_offset: number | null }[] }) => data,
  )
}
const pull = async (provider: string, resource: string) =>
  (await petri.read('/v2/introspect/historical_pull')).data[0].provider[provider].pulled[resource]

describe('the history of Garmin', { tags: 'slow' }, () => {
  it('is announced at once, cannot be read then, and comes as daily events, the newest first', async () => {
    connect(world, userId, 'garmin')
    await minutes(0)
    expect(types()).toContain('historical.data.sleep.created')
    expect(await pull('garmin', 'sleep')).toMatchObject({ status: 'success' })
    expect([await summaries('sleep'), types().filter((type) => type.startsWith('daily.'))]).toEqual([[], []])
    await advance(petri, 7 * HOUR_MS)
    const nights = await summaries('sleep')
    const sent = toldOf(petri, 'daily.data.sleep.created').map(field('data'))
    expect(nights.length).toBeGreaterThan(2)
    expect(sent.map(field('id')).sort()).toEqual(nights.map(field('id')).sort())
    const dates = sent.map(({ calendar_date }) => calendar_date)
    expect(dates[0] > (dates.at(-1) ?? '')).toBe(true)
    expect(types().filter((type) => type === 'historical.data.sleep.created')).toHaveLength(1)
    expect(nights[0]).toMatchObject({ average_hrv: null, state: 'confirmed' })
  })

  it('is stored as it can be read by whoever keeps what daily events say, sample by sample', async () => {
    connect(world, userId, 'garmin')
    await advance(petri, 7 * HOUR_MS)
    const kept = toldOf(petri, 'daily.data.steps.created').flatMap(({ data }) =>
      data.data.map(field('timestamp')),
    )
    const readable = (await samples('steps', 'garmin')).map(field('timestamp'))
    expect(readable.length).toBeGreaterThan(50)
    expect(kept.toSorted()).toEqual(readable)
    // Each part has the rows from its beginning to that of the part before it.
    const [{ from, since = 0, arrivals = [] }] = row('garmin').periods as [CollectedPeriod]
    const sent = world.db
      .by(events, 'type', 'daily.data.steps.created')
      .flatMap(({ at, payload }) =>
        (payload as Told).data.data.map(({ timestamp }: { timestamp: string }) => [
          at,
          Date.parse(timestamp),
        ]),
      )
    const parts = arrivals.slice(1).map(({ at, from: begin = from }, nth) => {
      const end = arrivals[nth]?.from ?? since
      const rows = sent.filter(([when, start]) => when === at && start < since)
      return [begin < end, rows.length > 0, rows.filter(([, start]) => start < begin || start >= end)]
    })
    expect(parts).toEqual(Array(3).fill([true, true, []]))
  })
})

describe('the history of others', () => {
  it('is scheduled, in progress and a success, resource by resource, and can be read from then on', async () => {
    connect(world, userId, 'oura')
    expect(await pull('oura', 'profile')).toMatchObject({ status: 'in_progress' })
    expect(await pull('oura', 'sleep')).toMatchObject({ status: 'scheduled', timeline: { started_at: null } })
    await minutes(9)
    expect(await pull('oura', 'sleep')).toMatchObject({ status: 'in_progress', days_with_data: 0 })
    expect(await summaries('sleep')).toEqual([])
    await minutes(1)
    expect(await pull('oura', 'sleep')).toMatchObject({ status: 'success' })
    const [night] = await summaries('sleep')
    expect(night).toMatchObject({ created_at: '2026-01-05T09:10:00+00:00', hr_resting: null, state: null })
    const [sent] = toldOf(petri, 'historical.data.sleep.created')
    expect(await samples('heartrate', 'oura')).toEqual([])
    await minutes(20)
    const about = { event_type: 'historical.data.sleep.created', user_id: userId, provider: 'oura' }
    await petri.post('/_petri/trigger', about)
    expect(toldOf(petri, 'historical.data.sleep.created')).toEqual([sent, sent])
    expect((await samples('heartrate', 'oura')).length).toBeGreaterThan(100)
  })

  it('comes as daily events alone from the older Dexcom', async () => {
    connect(world, userId, 'dexcom')
    await minutes(30)
    expect([...new Set(types())].sort()).toEqual([
      'daily.data.glucose.created',
      'provider.connection.created',
      'provider.device.created',
    ])
  })
})

describe('new data', () => {
  it('can be read with their event, not before', async () => {
    connect(world, userId, 'freestyle_libre')
    await minutes(31)
    const count = async () => (await samples('glucose', 'freestyle_libre')).length
    const before = await count()
    await minutes(13)
    expect(await count()).toBe(before)
    await minutes(1)
    expect(await count()).toBeGreaterThan(before)
  })

  it('of Dexcom are an hour late', async () => {
    connect(world, userId, 'dexcom_v3')
    await advance(petri, 3 * HOUR_MS)
    const latest = Date.parse((await samples('glucose', 'dexcom_v3')).at(-1)?.timestamp ?? '')
    expect(latest).toBeLessThanOrEqual(world.clock.now() - HOUR_MS)
    expect(latest).toBeGreaterThan(world.clock.now() - 1.3 * HOUR_MS)
  })

  it('that are late are dropped by the bounds in force when they come', async () => {
    await begin({ fallback_time_zone: 'America/New_York' })
    connect(world, userId, 'dexcom_v3')
    await minutes(1)
    const bounds = { ingestion_start: '2025-01-01', ingestion_end: '2025-12-30' }
    await changeUser(petri, userId, bounds)
    await minutes(120)
    expect(await samples('glucose', 'dexcom_v3')).toEqual([])
  })
})

describe('the bounds of ingestion', () => {
  // It is 5 January, 9:00. Without bounds, three days of history are pulled.
  const [first, last] = ['2026-01-03T00:00:00+00:00', '2026-01-05T00:00:00+00:00']
  const late = { ingestion_start: '2026-01-03' }
  const early = { ingestion_end: '2026-01-04' }
  const cases = [
    { name: 'a start', bounds: late, moved: {}, from: first, until: undefined },
    { name: 'an end', bounds: early, moved: {}, from: undefined, until: last },
    { name: 'both', bounds: { ...late, ...early }, moved: {}, from: first, until: last },
    {
      name: 'both, moved afterwards',
      bounds: { ...late, ...early },
      moved: { ingestion_start: '2026-01-01', ingestion_end: '2026-01-05' },
      from: first,
      until: last,
    },
  ]
  const providers = [
    ['freestyle_libre', 'glucose'],
    ['dexcom_v3', 'glucose'],
    ['eight_sleep', 'heartrate'],
    ['oura', 'heartrate'],
  ] as const

  it('are in force from the instant at which they are set', async () => {
    await changeUser(petri, userId, late)
    connect(world, userId, 'oura')
    await minutes(20)
    expect((await pull('oura', 'heartrate')).range_start).toBe(first)
  })

  it.each(cases.flatMap((each) => providers.map(([provider, series]) => ({ ...each, provider, series }))))(
    'cut rows, pull, events and statistics: $name, $provider',
    { tags: 'slow' },
    async ({ bounds, moved, from, until, provider, series }) => {
      await begin(bounds)
      connect(world, userId, provider)
      await minutes(200)
      if (Object.keys(moved).length > 0) await changeUser(petri, userId, moved)
      const rows = (await samples(series, provider)).map(field('timestamp'))
      const body = await petri.read('/v2/introspect/resources')
      const statistics = body.data[0].provider[provider][series]
      const [announced] = toldOf(petri, `historical.data.${series}.created`)
      expect(rows.length).toBeGreaterThan(20)
      expect(rows.filter((row: string) => row < (from ?? '2026-01-02') || row >= (until ?? '2027'))).toEqual(
        [],
      )
      expect(statistics).toMatchObject({ oldest_data: rows[0], newest_data: rows.at(-1) })
      const { range_start, range_end } = await pull(provider, series)
      const begins = new Date(START - 3 * 24 * HOUR_MS).toISOString().replace('.000Z', '+00:00')
      expect(range_start).toBe(from ?? begins)
      if (until) expect(range_end).toBe(until)
      expect(announced?.data).toMatchObject({ start_date: range_start, ...(until && { end_date: until }) })
    },
  )
})

describe('the time', () => {
  it('of Freestyle Libre is that of the wall, written as if it were UTC', async () => {
    await begin({ fallback_time_zone: 'America/New_York' })
    connect(world, userId, 'freestyle_libre')
    await advance(petri, 2 * HOUR_MS)
    const readings = await samples('glucose', 'freestyle_libre')
    const wall = world.clock.now() - 5 * HOUR_MS
    const latest = Date.parse(readings.at(-1)?.timestamp ?? '')
    expect(latest).toBeLessThanOrEqual(wall)
    expect(latest).toBeGreaterThan(wall - HOUR_MS)
    expect(new Set(readings.map(field('timezone_offset')))).toEqual(new Set([null]))
    const sent = toldOf(petri, 'daily.data.glucose.created').flatMap(({ data }) => data.data)
    expect(Date.parse(sent.at(-1).timestamp)).toBe(latest)
  })

  it.each([
    ['google_fit', 'activity', 0],
    ['google_fit', 'sleep', null],
    ['wahoo', 'workouts', null],
    ['oura', 'activity', null],
    ['fitbit', 'sleep', 0],
  ])('of %s has in %s the offset %s without a fallback zone', async (provider, resource, offset) => {
    connect(world, userId, provider)
    await advance(petri, 3 * HOUR_MS)
    const rows = await summaries(resource)
    expect(new Set(rows.map(field('timezone_offset')))).toEqual(new Set(rows.length > 0 ? [offset] : []))
  })
})

describe('a device', () => {
  it('is named where there is one, and no longer where there are two', async () => {
    connect(world, userId, 'oura')
    await minutes(30)
    const [{ source }] = (await summaries('sleep')) as [{ source: { device_id: string } }]
    const device = await petri.get(`/v2/user/${userId}/device/${source.device_id}`)
    expect([device.status, device.body.provider]).toEqual([200, 'oura'])
    putDevice(world, userId, 'oura', 'app', {})
    expect((await summaries('sleep'))[0].source.device_id).toBeNull()
  })

  it('does not name the watch in the rows of a scale or a cuff', () => {
    connect(world, userId, 'garmin')
    putDevice(world, userId, 'garmin', 'watch', {})
    const named = ['watch', 'app', 'scale', 'cuff'].map(
      (type) => deviceIdOf(world, { user_id: userId, provider: 'garmin' }, 'weight', type) !== null,
    )
    expect(named).toEqual([true, true, false, false])
  })

  it('of WHOOP is named nowhere', async () => {
    connect(world, userId, 'whoop_v2')
    await minutes(30)
    expect((await summaries('sleep'))[0]).toMatchObject({
      source: { type: 'unknown', device_id: null },
      hr_lowest: null,
      hr_average: null,
      latency: null,
      skin_temperature: null,
    })
  })
})

describe('the breaths of Fitbit', () => {
  it('are one sample in the middle of each stage of a night', async () => {
    connect(world, userId, 'fitbit')
    await minutes(30)
    const breaths = await samples('respiratory_rate', 'fitbit')
    const stages = await samples('hypnogram', 'fitbit')
    expect(breaths).toHaveLength(stages.length)
  })
})

describe('the end of ingestion', () => {
  it('pauses a connection a week later, which then has no source, until it is made again', {
    tags: 'slow',
  }, async () => {
    await begin({ ingestion_start: '2026-01-01', ingestion_end: '2026-01-06' })
    connect(world, userId, 'freestyle_libre')
    connect(world, userId, 'polar')
    const statuses = async () =>
      (await petri.read(`/v2/user/providers/${userId}`)).providers.map(field('status'))
    await world.agenda.advanceTo(Date.parse('2026-01-12T23:59:00Z'))
    expect(await statuses()).toEqual(['connected', 'connected'])
    await world.agenda.advanceTo(Date.parse('2026-01-13T00:00:00Z'))
    expect(await statuses()).toEqual(['paused', 'paused'])
    expect(await petri.post(`/v2/user/refresh/${userId}`)).toAnswer(400)
    await changeUser(petri, userId, { ingestion_end: '2026-02-01' })
    await advance(petri, 3 * HOUR_MS)
    expect(await statuses()).toEqual(['paused', 'paused'])
    expect(types()).not.toContain('provider.connection.error')
    connect(world, userId, 'polar')
    await advance(petri, HOUR_MS)
    expect(await statuses()).toEqual(['paused', 'connected'])
  })
})

it('a pull that begins keeps to its own instants', () => {
  expect(connect(world, userId, 'oura').backfill).toEqual({ scheduled_at: START, ended_at: null })
  expect(row('oura').synced_until).toBeNull()
})
