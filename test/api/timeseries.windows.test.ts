import { describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/instant.ts'
import { connections } from '../../src/resources/connections/table.ts'
import {
  connectionSamples,
  dateOf,
  dayOfConnection,
  getSeries,
  samplesWithin,
  sumOfSeries,
} from '../../src/resources/timeseries/service.ts'
import { following, startUnbroken } from '../support/feeds.ts'
import { at, connection, DATE, MIDNIGHT } from '../support/made-day.ts'
import { forEachTest, startTestWorld } from '../support/petri.ts'
import { put, wearer } from '../support/wearables.ts'

const petri = forEachTest(startTestWorld)

/** The second of the minute at which the ring of the tests' first user measures. */
const RING = 3000
const hours = (count: number) => Date.parse('2026-01-05T09:00:00Z') + count * HOUR_MS

describe('a series', () => {
  it('is that of providers which have it, stages of those that have sleep', async () => {
    const userId = await wearer(petri, ['oura', 'freestyle_libre'])
    const providers = async (slug: string) => {
      const query = 'start_date=2026-01-04&end_date=2026-01-04'
      const body = await petri.read(`/v2/timeseries/${userId}/${slug}/grouped?${query}`)
      return Object.keys(body.groups)
    }
    expect(await providers('glucose')).toEqual(['freestyle_libre'])
    expect(await providers('hypnogram')).toEqual(['oura'])
    expect(await providers('heartrate')).toEqual(['oura'])
    expect(await providers('electrocardiogram_voltage')).toEqual([])
  })
})

describe('the samples of a window', () => {
  it('begin in it, and its end is not included', async () => {
    const own = await connection(petri, 'oura')
    const times = (from: number, until: number, asOf?: number) =>
      samplesWithin(petri.world(), 'heartrate', own, { from, until, asOf }).map(
        ({ start }) => (start - RING - MIDNIGHT) / MINUTE_MS,
      )
    const ten = at(10) + RING
    const quarter = 15 * MINUTE_MS
    expect(times(ten, ten + quarter)).toEqual([600, 605, 610])
    expect(times(ten + 1, ten + quarter + 1)).toEqual([605, 610, 615])
    expect(times(ten, ten + quarter, ten + 5 * MINUTE_MS)).toEqual([600, 605])
    expect(times(at(23, 55), at(24, 5))).toEqual([1435, 1440])
  })

  it('come to their sum', async () => {
    const own = await connection(petri, 'apple_health_kit')
    const window = { from: at(10), until: at(13) }
    const values = samplesWithin(petri.world(), 'calories_basal', own, window).map(({ value }) =>
      Number(value),
    )
    expect(values).toHaveLength(3)
    expect(sumOfSeries(petri.world(), 'calories_basal', own, window)).toBeCloseTo(
      values.reduce((sum, value) => sum + value, 0),
      6,
    )
    expect(sumOfSeries(petri.world(), 'calories_basal', own, { from: at(10), until: at(10) })).toBe(0)
  })

  it('of an amount have grown as far as it is known', async () => {
    const own = await connection(petri, 'apple_health_kit')
    const hour = (asOf: number) =>
      samplesWithin(petri.world(), 'calories_basal', own, { from: at(10), until: at(11), asOf })
    const [whole] = hour(at(11))
    const [half] = hour(at(10, 30))
    expect(Number(half?.value) / Number(whole?.value)).toBeCloseTo(0.5, 1)
    expect([half?.start, half?.end]).toEqual([at(10), at(11)])
    expect(hour(at(10))).toEqual([])
  })

  it('of sleep are those that the permission for sleep covers', async () => {
    const own = await connection(petri, 'oura')
    const [period] = own.periods
    const from = period?.from ?? 0
    const limited = { ...own, periods: [{ from, from_by_resource: { sleep: at(3) }, until: null }] }
    petri.world().db.put(connections, limited)
    const first = (slug: string) =>
      [...connectionSamples(petri.world(), getSeries(slug), limited, { from: at(0), until: at(12) })][0]
        ?.start
    expect(first('hypnogram')).toBeGreaterThanOrEqual(at(3))
    expect(first('heartrate')).toBe(at(0) + RING)
  })
})

describe('a traveller', () => {
  const berlin = { fallback_time_zone: 'Europe/Berlin' }
  const steps = [{ after: '12h', time_zone: 'Asia/Tokyo' }]

  it('has the days and the clocks of where they are', { tags: 'slow' }, async () => {
    const { petri, own } = await following(steps, { body: berlin, start: startUnbroken })
    const world = petri.world()
    expect(dateOf(world, own, hours(2))).toBe('2026-01-05')
    expect(dateOf(world, own, hours(20))).toBe('2026-01-06')
    const next = dayOfConnection(world, own, '2026-01-07')
    expect(next.start).toBe(Date.parse('2026-01-06T15:00:00Z'))
    const offsets = (from: number) =>
      samplesWithin(world, 'heartrate', own, { from: hours(from), until: hours(from + 1) }).map(
        ({ offsetSeconds }) => offsetSeconds,
      )
    expect(new Set(offsets(0))).toEqual(new Set([3600]))
    expect(new Set(offsets(30))).toEqual(new Set([32_400]))
    // Each instant is there once, though a day is shorter.
    const starts = samplesWithin(world, 'heartrate', own, { from: hours(0), until: hours(47) }).map(
      ({ start }) => start,
    )
    expect(starts).toHaveLength(47 * 60)
    expect(new Set(starts).size).toBe(starts.length)
    expect([...starts].sort((a, b) => a - b)).toEqual(starts)
  })

  it('with a Libre has local times of home', async () => {
    const { petri, own } = await following(steps, { provider: 'freestyle_libre', body: berlin })
    const samples = samplesWithin(petri.world(), 'glucose', own, { from: hours(20), until: hours(30) })
    expect(samples.length).toBeGreaterThan(20)
    expect(new Set(samples.map(({ offsetSeconds }) => offsetSeconds))).toEqual(new Set([null]))
    expect(dayOfConnection(petri.world(), own, '2026-01-07').start).toBe(Date.parse('2026-01-07T00:00:00Z'))
  })
})

describe('a workout', () => {
  it('whose samples were put in has a group without its id', async () => {
    const userId = await wearer(petri, ['apple_health_kit'])
    const samples = [{ start: `${DATE}T12:00:00Z`, end: `${DATE}T12:10:00Z`, value: 5 }]
    await put(petri, userId, { resource: 'workout_distance', provider: 'oura', samples })
    const body = await petri.read(`/v2/timeseries/${userId}/workout_distance/grouped?start_date=2025-12-20`)
    expect(body.groups.oura).toMatchObject([
      { source: { workout_id: null, sport: null }, data: [{ value: 5 }] },
    ])
    const generated = body.groups.apple_health_kit as { source: { workout_id: string } }[]
    expect(generated.length).toBeGreaterThan(1)
    expect(new Set(generated.map(({ source }) => source.workout_id)).size).toBe(generated.length)
  })
})
