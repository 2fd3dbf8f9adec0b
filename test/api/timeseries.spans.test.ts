import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/kernel/instant.ts'
import { type Connection, connections } from '../../src/resources/connections/table.ts'
import {
  collectedUntil,
  collectedWithin,
  hiddenSpans,
  readableSpans,
  samplesWithin,
} from '../../src/resources/timeseries/service.ts'
import { ingestionBounds } from '../../src/resources/users/table.ts'
import { following } from '../support/feeds.ts'
import { connection, connectionOf } from '../support/made-day.ts'
import { forEachTest, startTestWorld, type TestPetri } from '../support/petri.ts'
import { advance } from '../support/wearables.ts'

const petri = forEachTest(startTestWorld)

/** Hours since the world began, at nine on the fifth of January. */
const NINE = Date.parse('2026-01-05T09:00:00Z')
const hours = (count: number) => NINE + count * HOUR_MS
const inHours = (spans: readonly { from: number; until: number }[]) =>
  spans.map(({ from, until }) => [(from - NINE) / HOUR_MS, (until - NINE) / HOUR_MS])

const LIBRE = { provider: 'freestyle_libre' }

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
    expect(spans(await following([...idle, ...steps], LIBRE), 0, 20)).toEqual(expected)
  })

  it('ends now, and with its connection', async () => {
    const own = await following([{ after: '45h', gap: '1h', arrives: '5h' }], LIBRE)
    // The last sync was an hour ago.
    const known = [
      [40, 45],
      [46, 47],
    ]
    expect(spans(own, 40, 60)).toEqual(known)
    expect(spans(own, 48, 60)).toEqual([])
    expect(spans(own, 45, 46)).toEqual([])
    await own.petri.delete(`/v2/user/${own.own.user_id}/freestyle_libre`)
    await advance(own.petri, DAY_MS)
    const ended = connectionOf(own.petri, own.own.user_id, 'freestyle_libre')
    // What had not arrived by then never does.
    expect(spans({ petri: own.petri, own: ended }, 40, 60)).toEqual(known)
  })

  it('is without that in which a worn device is not worn', async () => {
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
    const shifted = (by: number) => (one: { from: number; until: number }) => [one.from - by, one.until - by]
    expect(hiddenSpans(world, { ...own, time_zone: 'Asia/Tokyo' }, 'watch', within).map(shifted(0))).toEqual(
      off.map(shifted(9 * HOUR_MS)),
    )
    const [before, last] = off.slice(-2)
    const lastOf = (known_since: number) =>
      hiddenSpans(world, { ...own, known_since }, 'watch', within).at(-1)
    const connected = (last?.from ?? 0) + 3 * DAY_MS
    expect([connected, connected - DAY_MS].map(lastOf)).toEqual([last, before])
    const since = { from: last?.from ?? 0, until: NINE }
    expect(hiddenSpans(world, { ...own, known_since: connected }, 'watch', since)).toEqual([])
    // Each of these times is known wherever one begins to ask.
    for (const { from, until } of off)
      expect(hiddenSpans(world, own, 'watch', { from: until - 1, until })).toContainEqual({ from, until })
    const readable = readableSpans(world, own, { span: within, near: within, type: 'watch' })
    const hiddenIn = (instant: number) => off.some(({ from, until }) => from <= instant && instant < until)
    const readableIn = (instant: number) =>
      readable.some(({ from, until }) => from <= instant && instant < until)
    for (let instant = within.from; instant < within.until; instant += HOUR_MS)
      expect([instant, readableIn(instant)]).toEqual([instant, !hiddenIn(instant)])
  })
})

it.each([
  ['freestyle_libre', 'note', true],
  ['freestyle_libre', 'carbohydrates', true],
  ['google_health', 'carbohydrates', false],
])('what %s has of %s is by the full hour, once in each: %s', async (provider, slug, isByHour) => {
  const own = await connection(petri, provider)
  const within = { from: NINE - 25 * DAY_MS, until: NINE, asOf: undefined }
  const samples = [...samplesWithin(petri.world(), slug, own, within)]
  const hours = new Set(samples.map(({ start }) => start - (start % HOUR_MS)))
  expect(samples.map(({ start }) => start).join() === [...hours].join()).toBe(isByHour)
  expect(samples.every(({ start, end }) => end >= start)).toBe(true)
  expect(hours.size).toBeGreaterThan(10)
})

describe('a device that is not worn', { tags: 'slow' }, () => {
  it.each([
    ['fitbit', 'heartrate', false],
    ['fitbit', 'hypnogram', false],
    ['apple_health_kit', 'calories_active', false],
    ['apple_health_kit', 'calories_basal', true],
  ])('of %s has %s of all other times, and of that one: %s', async (provider, slug, isAlways) => {
    const own = await connection(petri, provider)
    const within = { from: NINE - 25 * DAY_MS, until: NINE, asOf: undefined }
    const off = hiddenSpans(petri.world(), own, 'watch', within)
    // Who has just connected has worn it for years.
    const all = samplesWithin(petri.world(), slug, { ...own, known_since: 0 }, within)
    const isOff = ({ start, end }: { start: number; end: number }) =>
      off.some(({ from, until }) => start < until && (end > from || start >= from))
    const expected = all.filter((sample) => isAlways || !isOff(sample))
    expect(samplesWithin(petri.world(), slug, own, within)).toEqual(expected)
    expect(expected.length).toBeGreaterThan(100)
    expect(expected.length === all.length).toBe(isAlways)
    const has = (field: 'from' | 'until', of: 'start' | 'end') =>
      all.some((sample) => off.some((one) => one[field] === sample[of]))
    if (slug === 'heartrate') expect([has('from', 'start'), has('until', 'start')]).toEqual([true, true])
    if (slug === 'hypnogram') expect(has('from', 'end')).toBe(true)
  })
})

describe('the time in which data are collected', () => {
  const period = (from: number, until: number | null) => ({
    from: hours(from),
    until: until === null ? null : hours(until),
  })

  it.each([
    ['one', [period(-20, -10)], [[-20, -10]]],
    ['one that goes on', [period(-20, null)], [[-20, 0]]],
    ['two that meet', [period(-20, -15), period(-15, -10)], [[-20, -10]]],
    [
      'two with time between them',
      [period(-20, -16), period(-15, -10)],
      [
        [-20, -16],
        [-15, -10],
      ],
    ],
    ['two that overlap', [period(-15, -10), period(-20, -12)], [[-20, -10]]],
    ['one of no length', [period(-20, -20)], []],
    ['one before and one after', [period(-40, -30), period(-1, null)], [[-1, 0]]],
    ['one that reaches out of the window', [period(-40, -10)], [[-30, -10]]],
  ])('is that of its periods: %s', async (_, periods, expected) => {
    const own = await connection(petri, 'oura')
    const world = petri.world()
    world.db.put(connections, { ...own, periods })
    const found = connectionOf(petri, own.user_id, 'oura')
    expect(inHours(collectedWithin(world, found, { from: hours(-30), until: hours(10) }))).toEqual(expected)
    const latest = expected.at(-1)?.[1]
    expect(collectedUntil(world, found)).toBe(latest === undefined ? undefined : hours(latest))
  })

  it.each([
    ['before the change', 0.25, 0.5, -20],
    ['as they changed', 1, 1, -9],
    ['after the change', 1.25, 1, -9],
  ])('is that of a history by the bounds in force when it arrived: %s', async (_, at, since, from) => {
    const own = await connection(petri, 'dexcom_v3')
    const { user_id } = own
    const world = petri.world()
    const bounds = (start: string | null, end: string | null = null) => [
      { since: 0, start: null, end },
      { since: hours(since), start, end },
    ]
    const spansUnder = (...given: Parameters<typeof bounds>) => {
      world.db.put(ingestionBounds, { user_id, bounds: bounds(...given) })
      return inHours(
        collectedWithin(world, connectionOf(petri, user_id, own.provider), {
          from: hours(-20),
          until: hours(10),
        }),
      )
    }
    const history = { ...period(-40, null), since: NINE, arrivals: [{ at: hours(at) }] }
    world.db.put(connections, { ...own, periods: [history], synced_until: hours(10) })
    expect(spansUnder('2026-01-05')).toEqual([[from, 10]])
    expect(spansUnder(null)).toEqual([[-20, 10]])
    world.db.put(connections, { ...own, periods: [period(-20, null)] })
    expect(spansUnder(null, '2026-01-03')).toEqual([])
    expect(collectedUntil(world, connectionOf(petri, user_id, own.provider))).toBeUndefined()
  })
})
