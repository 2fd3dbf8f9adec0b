/** @module-tag slow */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/kernel/instant.ts'
import { packageFolder } from '../../src/kernel/package-folder.ts'
import { connect } from '../../src/resources/connecting/service.ts'
import { startTestPetri, type TestPetri } from '../support/petri.ts'
import { seedFolder } from '../support/seeds.ts'
import { advance, type Told, told, wearer } from '../support/wearables.ts'

// Handlers as integrations have published them, the same for all providers.

const ZONE = 'America/New_York'

/** Reads JSON of the service. */
// biome-ignore lint/suspicious/noExplicitAny: a handler reads what it needs.
type Read = (path: string) => Promise<any>

/** A row in the words of a handler, such as the local time of a sample. */
interface Handler {
  receive(event: Told): Promise<void>
  stored(): Iterable<string>
}

const dayBefore = (at: string) => new Date(Date.parse(at) - DAY_MS).toISOString().slice(0, 10)
const rangeOf = ({ start_date, end_date, provider }: Told['data']) =>
  `start_date=${dayBefore(start_date)}&end_date=${end_date.slice(0, 10)}&provider=${provider}`

interface Sample {
  readonly timestamp: string
  readonly timezone_offset: number | null
  readonly value: number
}
async function samplesOf(read: Read, userId: string, series: string, range: string): Promise<Sample[]> {
  const samples: Sample[] = []
  for (let next: string | null = ''; next !== null; ) {
    const body = await read(`/v2/timeseries/${userId}/${series}/grouped?${range}${next}`)
    for (const own of Object.values(body.groups as Record<string, { data: Sample[] }[]>))
      for (const { data } of own) samples.push(...data)
    next = body.next_cursor === null ? null : `&next_cursor=${encodeURIComponent(body.next_cursor)}`
  }
  return samples
}
const written = (at: string) => at.slice(0, 16)
const shifted = (at: string, seconds: number) =>
  written(new Date(Date.parse(at) + seconds * 1000).toISOString())
/** The wall time of an instant, such as 2026-01-05T09:00. */
const wallTime = (at: string, timeZone: string) =>
  new Date(at).toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).replace(' ', 'T')

/** Stores nights by their ids: those of the history when it is announced, and those of daily events. */
const nightsById = (read: Read): Handler => {
  const nights = new Map<string, { calendar_date: string; state: string | null }>()
  return {
    async receive({ event_type, user_id, data }) {
      if (event_type === 'historical.data.sleep.created')
        for (const night of (await read(`/v2/summary/sleep/${user_id}?${rangeOf(data)}`)).sleep)
          nights.set(night.id, night)
      if (event_type.startsWith('daily.data.sleep.')) nights.set(data.id, data)
    },
    stored: () => [...nights].map(([id, { calendar_date, state }]) => `${id} ${calendar_date} ${state}`),
  }
}

/** Stores samples once, by provider and instant, however often their history comes. */
const samplesOnce = (read: Read): Handler => {
  const samples = new Map<string, number>()
  return {
    async receive({ event_type, user_id, data }) {
      const [kind, , series = ''] = event_type.split('.')
      if (series !== 'heartrate') return
      const came = kind === 'historical' ? await samplesOf(read, user_id, series, rangeOf(data)) : data.data
      for (const { timestamp, value } of came) samples.set(timestamp, value)
    },
    stored: () => [...samples].map(([timestamp, value]) => `${timestamp} ${value}`),
  }
}

/** Draws the glucose of a day by wall time: as it is written where the offset is null, else shifted by the offset. */
const glucoseByWallTime = (read: Read): Handler => {
  const times = new Set<string>()
  return {
    async receive({ event_type, user_id, data }) {
      const [kind, , series = ''] = event_type.split('.')
      if (series !== 'glucose') return
      const came = kind === 'historical' ? await samplesOf(read, user_id, series, rangeOf(data)) : data.data
      for (const { timestamp, timezone_offset: offset } of came)
        times.add(offset === null ? written(timestamp) : shifted(timestamp, offset))
    },
    stored: () => times,
  }
}

/** Files workouts under their local start: by the offset, or else where the user lives. */
const workoutsByOffsetOrZone = (read: Read): Handler => {
  const starts = new Map<string, string>()
  return {
    async receive({ event_type, user_id, data }) {
      const [kind, , resource = ''] = event_type.split('.')
      if (resource !== 'workouts') return
      const came =
        kind === 'historical'
          ? (await read(`/v2/summary/workouts/${user_id}?${rangeOf(data)}`)).workouts
          : [data]
      for (const { id, time_start: at, timezone_offset: offset } of came)
        starts.set(id, offset === null ? wallTime(at, ZONE) : shifted(at, offset))
    },
    stored: () => [...starts].map(([id, at]) => `${id} ${at}`),
  }
}

const OFFSETS = ['activity_offset', 'session_offset', 'sample_offset']
/** The traits, but every row says its offset. */
function withOffsets(): Record<string, object>[] {
  const rows: Record<string, object>[] = JSON.parse(
    readFileSync(join(packageFolder('seeds'), 'provider-traits.json'), 'utf8'),
  )
  const known = { is: 'number', known: 'assumed', source: 'test' }
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, cell]) => [name, OFFSETS.includes(name) ? known : cell]),
    ),
  )
}

async function wearing(provider: string, seeds?: readonly string[]) {
  const petri = await startTestPetri({ world: { history: '3d' }, ...(seeds && { seeds }) })
  const userId = await wearer(petri, [], { fallback_time_zone: ZONE })
  connect(petri.world(), userId, provider)
  return { petri, userId, read: (path: string) => petri.read(path) }
}

/** Lets time pass; the handler gets each event before much more happens. */
async function live(petri: TestPetri, ms: number, handler?: Handler): Promise<void> {
  for (let passed = 0; passed < ms; passed += HOUR_MS / 2) {
    const before = told(petri).length
    await advance(petri, HOUR_MS / 2)
    for (const event of told(petri).slice(before)) await handler?.receive(event)
  }
}

const ALL = 'start_date=2025-12-20'

describe('a published handler', { timeout: 60_000 }, () => {
  it.each(['garmin', 'oura', 'eight_sleep'])('of nights stores what can be read of %s', async (provider) => {
    const { petri, userId, read } = await wearing(provider)
    const handler = nightsById(read)
    await live(petri, 1.5 * DAY_MS, handler)
    const { sleep } = await read(`/v2/summary/sleep/${userId}?${ALL}`)
    expect(sleep.length).toBeGreaterThan(3)
    expect([...handler.stored()].sort()).toEqual(
      sleep
        .map(({ id, calendar_date, state }: Record<string, string>) => `${id} ${calendar_date} ${state}`)
        .sort(),
    )
  })

  it.each(['garmin', 'oura', 'withings'])(
    'of samples stores each once after %s is connected again',
    async (provider) => {
      const { petri, userId, read } = await wearing(provider)
      const handler = samplesOnce(read)
      await live(petri, 8 * HOUR_MS, handler)
      await petri.delete(`/v2/user/${userId}/${provider}`)
      await live(petri, 8 * HOUR_MS, handler)
      connect(petri.world(), userId, provider)
      await live(petri, 8 * HOUR_MS, handler)
      const readable = await samplesOf(read, userId, 'heartrate', ALL)
      expect(readable.length).toBeGreaterThan(100)
      expect([...handler.stored()].sort()).toEqual(
        readable.map(({ timestamp, value }) => `${timestamp} ${value}`).sort(),
      )
    },
  )

  it.each([
    ['glucose', 'freestyle_libre', glucoseByWallTime],
    ['glucose', 'abbott_libreview', glucoseByWallTime],
    ['glucose', 'dexcom_v3', glucoseByWallTime],
    ['workouts', 'strava', workoutsByOffsetOrZone],
    ['workouts', 'wahoo', workoutsByOffsetOrZone],
    ['workouts', 'zwift', workoutsByOffsetOrZone],
    ['workouts', 'google_fit', workoutsByOffsetOrZone],
  ] as const)('of %s has the local times of %s', async (resource, provider, handlerOf) => {
    // Some days have no workout in a sport of the provider.
    const days = resource === 'workouts' ? 5 : 1.5
    const { petri, read } = await wearing(provider)
    const handler = handlerOf(read)
    await live(petri, days * DAY_MS, handler)
    const {
      petri: other,
      userId,
      read: readOther,
    } = await wearing(provider, [seedFolder({ 'provider-traits.json': withOffsets() })])
    await live(other, days * DAY_MS)
    const expected =
      resource === 'glucose'
        ? (await samplesOf(readOther, userId, resource, ALL)).map(({ timestamp, timezone_offset }) =>
            shifted(timestamp, timezone_offset ?? 0),
          )
        : (await readOther(`/v2/summary/workouts/${userId}?${ALL}`)).workouts.map(
            ({
              id,
              time_start,
              timezone_offset,
            }: {
              id: string
              time_start: string
              timezone_offset: number
            }) => `${id} ${shifted(time_start, timezone_offset)}`,
          )
    expect(expected.length).toBeGreaterThan(0)
    expect([...handler.stored()].sort()).toEqual(expected.sort())
  })
})
