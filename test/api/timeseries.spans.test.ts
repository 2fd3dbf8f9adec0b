import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/instant.ts'
import { type Connection, connections } from '../../src/resources/connections/table.ts'
import {
  connectionSamples,
  dateOf,
  dayOfConnection,
  getSeries,
  hiddenSpans,
  readableSpans,
  samplesWithin,
  sumOfSeries,
} from '../../src/resources/timeseries/service.ts'
import { at, connection, connectionOf, DATE, MIDNIGHT } from '../support/made-day.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'
import { advance, put, wearer } from '../support/wearables.ts'

/** Hours since the world began, at nine on the fifth of January. */
const NINE = Date.parse('2026-01-05T09:00:00Z')
const hours = (count: number) => NINE + count * HOUR_MS
const inHours = (spans: readonly { from: number; until: number }[]) =>
  spans.map(({ from, until }) => [(from - NINE) / HOUR_MS, (until - NINE) / HOUR_MS])

/** A connection that follows a feed scenario of these steps, two days on. */
async function following(steps: readonly object[], provider = 'freestyle_libre', body: object = {}) {
  const petri = await startTestWorld()
  const scenario = { name: 'mine', summary: 'Mine.', kind: 'feed', steps }
  expect((await petri.call('PUT', '/_petri/feeds/mine', scenario)).status).toBeLessThan(300)
  const userId = await wearer(petri, [], body)
  await petri.post('/v2/link/connect/demo', { user_id: userId, provider }, { 'x-petri-scenario': 'mine' })
  await advance(petri, 2 * DAY_MS)
  return { petri, own: connectionOf(petri, userId, provider) }
}

const spans = ({ petri, own }: { petri: TestPetri; own: Connection }, from: number, until: number) =>
  inHours(
    readableSpans(petri.world(), own, {
      span: { from: hours(from), until: hours(until) },
      near: { from: hours(from), until: hours(until) },
    }),
  )

describe('the time that can be read', () => {
  it.each([
    ['nothing is missing', [], [[0, 20]]],
    [
      'a gap is left out',
      [{ after: '5h', gap: '2h' }],
      [
        [0, 5],
        [7, 20],
      ],
    ],
    ['a gap is there that begins with it', [{ after: '0s', gap: '2h' }], [[2, 20]]],
    ['a gap is there that ends with it', [{ after: '18h', gap: '2h' }], [[0, 18]]],
    ['a gap is there that goes on', [{ after: '18h', gap: '9h' }], [[0, 18]]],
    ['it is all gap', [{ after: '0s', gap: '1d' }], []],
    ['a gap comes later', [{ after: '20h', gap: '1h' }], [[0, 20]]],
    ['a gap arrived since', [{ after: '5h', gap: '2h', arrives: '13h' }], [[0, 20]]],
    [
      'a gap has not arrived yet',
      [{ after: '5h', gap: '2h', arrives: '14h' }],
      [
        [0, 5],
        [7, 20],
      ],
    ],
    [
      'gaps meet',
      [
        { after: '5h', gap: '2h' },
        { after: '2h', gap: '2h' },
      ],
      [
        [0, 5],
        [9, 20],
      ],
    ],
    [
      'gaps overlap',
      [
        { after: '5h', gap: '6h' },
        { after: '1h', gap: '1h' },
      ],
      [
        [0, 5],
        [11, 20],
      ],
    ],
  ])('is in parts: %s', async (_, steps, expected) => {
    const idle = [{ after: '0s', change: '1h', by: 2 }]
    expect(spans(await following([...idle, ...steps]), 0, 20)).toEqual(expected)
  })

  it('ends now, and with its connection', async () => {
    const own = await following([{ after: '5h', gap: '2h' }])
    expect(spans(own, 40, 60)).toEqual([[40, 48]])
    expect(spans(own, 48, 60)).toEqual([])
    expect(spans(own, 6, 7)).toEqual([])
    await own.petri.call('DELETE', `/v2/user/${own.own.user_id}/freestyle_libre`)
    await advance(own.petri, DAY_MS)
    const ended = connectionOf(own.petri, own.own.user_id, 'freestyle_libre')
    expect(spans({ petri: own.petri, own: ended }, 40, 60)).toEqual([[40, 48]])
  })

  it('is without that in which a worn device is not worn', async () => {
    const petri = await startTestWorld()
    const own = await connection(petri, 'fitbit')
    const world = petri.world()
    const within = { from: NINE - 25 * DAY_MS, until: NINE }
    expect(hiddenSpans(world, own, undefined, within)).toEqual([])
    expect(hiddenSpans(world, own, 'phone', within)).toEqual([])
    expect(hiddenSpans(world, own, 'scale', within)).toEqual([])
    const off = hiddenSpans(world, own, 'watch', within)
    expect(off.length).toBeGreaterThan(0)
    for (const type of ['ring', 'chest_strap'] as const)
      expect(hiddenSpans(world, own, type, within)).toEqual(off)
    // Who connects has worn it for the three days before.
    const latest = own.known_since - 3 * DAY_MS
    expect(hiddenSpans(world, own, 'watch', { from: latest, until: NINE })).toEqual([])
    const readable = readableSpans(world, own, { span: within, near: within, type: 'watch' })
    const hiddenIn = (instant: number) => off.some(({ from, until }) => from <= instant && instant < until)
    const readableIn = (instant: number) =>
      readable.some(({ from, until }) => from <= instant && instant < until)
    for (let instant = within.from; instant < within.until; instant += HOUR_MS)
      expect([instant, readableIn(instant)]).toEqual([instant, !hiddenIn(instant)])
  })
})

describe('the samples of a window', () => {
  it('begin in it, and its end is not included', async () => {
    const petri = await startTestWorld()
    const own = await connection(petri, 'oura')
    const times = (from: number, until: number, asOf?: number) =>
      samplesWithin(petri.world(), 'heartrate', own, { from, until, asOf }).map(
        ({ start }) => (start - MIDNIGHT) / MINUTE_MS,
      )
    expect(times(at(10), at(10, 15))).toEqual([600, 605, 610])
    expect(times(at(10) + 1, at(10, 15) + 1)).toEqual([605, 610, 615])
    expect(times(at(10), at(10, 15), at(10, 5))).toEqual([600, 605])
    expect(times(at(23, 55), at(24, 5))).toEqual([1435, 1440])
  })

  it('come to their sum', async () => {
    const petri = await startTestWorld()
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
    const petri = await startTestWorld()
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
    const petri = await startTestWorld()
    const own = await connection(petri, 'oura')
    const [period] = own.periods
    const from = period?.from ?? 0
    const limited = { ...own, periods: [{ from, from_by_resource: { sleep: at(3) }, until: null }] }
    petri.world().db.put(connections, limited)
    const first = (slug: string) =>
      [...connectionSamples(petri.world(), getSeries(slug), limited, { from: at(0), until: at(12) })][0]
        ?.start
    expect(first('hypnogram')).toBeGreaterThanOrEqual(at(3))
    expect(first('heartrate')).toBe(at(0))
  })
})

describe('a traveller', () => {
  const steps = [{ after: '12h', time_zone: 'Asia/Tokyo' }]

  it('has the days and the clocks of where they are', async () => {
    const { petri, own } = await following(steps, 'fitbit', { fallback_time_zone: 'Europe/Berlin' })
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
    const starts = samplesWithin(world, 'heartrate', own, { from: hours(0), until: hours(48) }).map(
      ({ start }) => start,
    )
    expect(starts).toHaveLength(48 * 60)
    expect(new Set(starts).size).toBe(starts.length)
    expect([...starts].sort((a, b) => a - b)).toEqual(starts)
  })

  it('with a Libre has local times of home', async () => {
    const { petri, own } = await following(steps, 'freestyle_libre', { fallback_time_zone: 'Europe/Berlin' })
    const samples = samplesWithin(petri.world(), 'glucose', own, { from: hours(20), until: hours(30) })
    expect(samples.length).toBeGreaterThan(20)
    expect(new Set(samples.map(({ offsetSeconds }) => offsetSeconds))).toEqual(new Set([null]))
    expect(dayOfConnection(petri.world(), own, '2026-01-07').start).toBe(Date.parse('2026-01-07T00:00:00Z'))
  })
})

describe('a workout', () => {
  it('whose samples were put in has a group without its id', async () => {
    const petri = await startTestWorld()
    const userId = await wearer(petri, ['apple_health_kit'])
    const samples = [{ start: `${DATE}T12:00:00Z`, end: `${DATE}T12:10:00Z`, value: 5 }]
    await put(petri, userId, { resource: 'workout_distance', provider: 'oura', samples })
    const { body } = await petri.get(
      `/v2/timeseries/${userId}/workout_distance/grouped?start_date=2025-12-20`,
    )
    expect(body.groups.oura).toMatchObject([
      { source: { workout_id: null, sport: null }, data: [{ value: 5 }] },
    ])
    const generated = body.groups.apple_health_kit as { source: { workout_id: string } }[]
    expect(generated.length).toBeGreaterThan(1)
    expect(new Set(generated.map(({ source }) => source.workout_id)).size).toBe(generated.length)
  })
})
