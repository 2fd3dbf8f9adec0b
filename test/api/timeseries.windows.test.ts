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
import { following, groupsOf, startUnbroken } from '../support/feeds.ts'
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

  it('names the device where its provider does for the resource', async () => {
    const { user_id } = await connection(petri, 'polar')
    for (const source_type of ['unknown', 'watch'])
      await put(petri, user_id, { resource: 'device', provider: 'polar', source_type, summary: {} })
    const samples = [{ timestamp: `${DATE}T12:00:00Z`, value: 61 }]
    await put(petri, user_id, { resource: 'heartrate', provider: 'polar', samples })
    const sourceOf = async (slug: string) => {
      const path = `/v2/timeseries/${user_id}/${slug}/grouped?start_date=2026-01-04&end_date=2026-01-04`
      return (await petri.read(path)).groups.polar[0].source
    }
    expect(await sourceOf('heartrate')).toMatchObject({ type: 'unknown', device_id: null })
    const id = petri.world().ids.uuid(`device/${user_id}/polar/unknown`)
    expect(await sourceOf('hypnogram')).toMatchObject({ type: 'unknown', device_id: id })
  })

  it.each([
    [
      'apple_health_kit',
      [
        ['steps', 'phone', 'app'],
        ['water', 'app', 'app'],
        ['heartrate', 'watch', 'phone'],
      ],
    ],
    ['freestyle_libre', [['note', 'automatic', 'manual_scan']]],
  ] as const)('of %s comes again from another source', { tags: 'slow' }, async (provider, rows) => {
    const app = { after: '0s', device: { app_id: 'com.example.other' }, source_type: 'app' }
    const twice = rows.map(([slug, type, other]) => ({
      after: '0s',
      second_source: '2d',
      of: [slug],
      by: 0.5,
      source_type: other === 'app' ? 'app' : type,
    }))
    const { petri, userId } = await following([app, ...twice], { provider })
    for (const [slug, type, other] of rows) {
      const found = await groupsOf(petri, userId, slug, '2026-01-05T09:00:00Z', provider)
      expect(found.map(({ source }) => [source.type, source.app_id])).toEqual([
        [type, null],
        [other, other === 'app' ? 'com.example.other' : null],
      ])
      const [own, again] = found.map(({ data }) => data.map(({ value }) => value))
      expect(again).toEqual(own?.map((value) => (slug === 'note' ? value : Math.round(value / 2))))
      expect(own?.length).toBeGreaterThan(1)
    }
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

  it('has each instant once who skips a day, which has no length', { tags: 'slow' }, async () => {
    const { petri, own } = await following([{ after: '12h', time_zone: 'Pacific/Kiritimati' }], {
      provider: 'apple_health_kit',
      body: { fallback_time_zone: 'Pacific/Honolulu' },
    })
    for (const slug of ['stand_hour', 'water', 'heartrate']) {
      const within = { from: hours(-24), until: hours(72) }
      const starts = samplesWithin(petri.world(), slug, own, within).map(({ start }) => start)
      expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b))
      expect(starts.length).toBeGreaterThan(10)
    }
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
  it('has a group of its own, named as the summary names it', { tags: 'slow' }, async () => {
    const userId = await wearer(petri, ['apple_health_kit'])
    const read = (path: string) => petri.read(`/v2/${path}?start_date=2025-12-01`)
    const { groups } = await read(`timeseries/${userId}/workout_distance/grouped`)
    const { workouts } = await read(`summary/workouts/${userId}`)
    const moving = workouts.filter(({ distance }: { distance: number | null }) => distance !== null)
    expect(groups.apple_health_kit.length).toBe(moving.length)
    for (const [at, { source, data }] of groups.apple_health_kit.entries()) {
      expect(source).toMatchObject({ workout_id: moving[at].id, sport: moving[at].sport.slug })
      const metres = data.reduce((sum: number, { value }: { value: number }) => sum + value, 0)
      expect(Math.abs(metres - moving[at].distance)).toBeLessThan(1)
    }
  })

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
