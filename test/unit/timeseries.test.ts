import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/instant.ts'
import { localDate, localDay, nextDate } from '../../src/kernel/local-day.ts'
import { createRandom } from '../../src/kernel/random.ts'
import { daysLater } from '../../src/people/dates.ts'
import { dayOf } from '../../src/people/day.ts'
import { secondsInStages } from '../../src/people/night.ts'
import { ageOn, makePerson } from '../../src/people/person.ts'
import { getSeries, type Series, seriesTable } from '../../src/resources/timeseries/catalogue.ts'
import { fromCursor, takePage, toCursor } from '../../src/resources/timeseries/read.ts'
import {
  readSessionId,
  type Sample,
  sampleWriter,
  sessionId,
  type Wearer,
} from '../../src/resources/timeseries/sample.ts'
import { traitsOf } from '../support/petri.ts'
import { rounds } from '../support/rounds.ts'

const random = createRandom('1')
const steps = getSeries('steps')
const wearer = (timeZone: string, provider = 'fitbit', userId = 'ada'): Wearer => ({
  userId,
  provider,
  timeZone,
  traits: traitsOf(provider),
})
const zones = ['UTC', 'Europe/Berlin', 'America/Santiago', 'Asia/Kathmandu', 'Australia/Lord_Howe'] as const
const zone = fc.constantFrom(...zones)
const FROM = Date.parse('1995-01-01T00:00:00Z')
const UNTIL = Date.parse('2045-01-01T00:00:00Z')
const instant = fc
  .integer({ min: FROM / MINUTE_MS, max: UNTIL / MINUTE_MS })
  .map((minutes) => minutes * MINUTE_MS)

describe('a local day', () => {
  it('begins where the one before ends, whatever the clocks do', () => {
    fc.assert(
      fc.property(zone, instant, (timeZone, at) => {
        const date = localDate(timeZone, at)
        const day = localDay(timeZone, date)
        expect(at).toBeGreaterThanOrEqual(day.start)
        expect(at).toBeLessThan(day.end)
        expect(localDate(timeZone, day.start - 1)).not.toBe(date)
        expect(localDay(timeZone, nextDate(date)).start).toBe(day.end)
      }),
    )
  })

  it.each([
    ['Europe/Berlin', '2026-03-29', 23],
    ['Europe/Berlin', '2026-10-25', 25],
    ['America/Havana', '2024-11-03', 25],
    ['America/Santiago', '2024-09-08', 23],
    ['America/Santiago', '2024-04-06', 25],
    ['Pacific/Apia', '2011-12-30', 0],
    ['UTC', '2026-03-29', 24],
  ])('in %s on %s has %i hours', (timeZone, date, hours) => {
    const { start, end } = localDay(timeZone, date)
    expect((end - start) / HOUR_MS).toBe(hours)
  })
})

const ALWAYS = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY }
const drawn = (of: Series, at: Wearer, date: string, seed = random): Sample[] =>
  of.generate(dayOf(makePerson(seed, at.userId, {}), at.timeZone, date), at, ALWAYS)
const sum = (samples: readonly Sample[]) => samples.reduce((total, { value }) => total + Number(value), 0)

describe('a sample', () => {
  it('is the same whenever it is drawn, belongs to its day, and comes in order', { tags: 'slow' }, () => {
    fc.assert(
      fc.property(fc.constantFrom(...seriesTable), zone, instant, (series, timeZone, at) => {
        const date = localDate(timeZone, at)
        const samples = drawn(series, wearer(timeZone), date)
        // Another source of the same seed, so that nothing is remembered from above.
        expect(drawn(series, wearer(timeZone), date, createRandom('1'))).toEqual(samples)
        const day = localDay(timeZone, date)
        const [from, until] = [at - 2 * HOUR_MS, at + 2 * HOUR_MS]
        const within = (all: readonly Sample[]) => all.filter(({ start }) => start >= from && start <= until)
        if (!series.grows) {
          const made = dayOf(makePerson(random, 'ada', {}), timeZone, date)
          expect(within(series.generate(made, wearer(timeZone), { from, until }))).toEqual(within(samples))
        }
        const astray = samples.filter(
          ({ start, end }, at) =>
            start < day.start || start >= day.end || end < start || start < (samples[at - 1]?.start ?? start),
        )
        expect(astray).toEqual([])
      }),
      { numRuns: rounds(100) },
    )
  })

  it('of a bucket grows until the bucket is over, and never shrinks', { tags: 'slow' }, () => {
    const minutes = fc.integer({ min: 0, max: 1440 })
    fc.assert(
      fc.property(zone, instant, minutes, minutes, (timeZone, at, a, b) => {
        const day = dayOf(makePerson(random, 'ada', {}), timeZone, localDate(timeZone, at))
        const early = day.start + Math.min(a, b) * MINUTE_MS
        const late = day.start + Math.max(a, b) * MINUTE_MS
        const byStart = new Map(
          steps
            .generate(day, wearer(timeZone), { ...ALWAYS, until: late })
            .map(({ start, value }) => [start, Number(value)]),
        )
        for (const { start, end, value } of steps.generate(day, wearer(timeZone), {
          ...ALWAYS,
          until: early,
        })) {
          if (end <= early) expect(byStart.get(start)).toBe(value)
          else expect(byStart.get(start)).toBeGreaterThanOrEqual(Number(value))
        }
      }),
    )
  })

  it('counts whole steps, hundreds to tens of thousands a day, and none in sleep', { tags: 'slow' }, () => {
    fc.assert(
      fc.property(zone, instant, fc.string(), (timeZone, at, userId) => {
        const samples = drawn(steps, wearer(timeZone, 'garmin', userId), localDate(timeZone, at))
        expect(sum(samples)).toBeGreaterThanOrEqual(100)
        expect(sum(samples)).toBeLessThanOrEqual(45_000)
        expect(samples.every(({ value }) => Number.isInteger(value) && Number(value) > 0)).toBe(true)
        const { nights } = dayOf(makePerson(random, userId, {}), timeZone, localDate(timeZone, at))
        for (const night of nights)
          expect(samples.filter(({ start, end }) => start > night.start && end < night.end)).toEqual([])
      }),
    )
  })

  it('lies in the range its series has in adults', { tags: 'slow' }, () => {
    const ranges: Record<string, readonly [number, number]> = {
      heartrate: [24, 215],
      hrv: [4, 220],
      respiratory_rate: [8, 28],
      blood_oxygen: [84, 100],
      glucose: [2.2, 35],
      stress_level: [0, 80],
      body_weight: [36, 240],
      body_fat: [4, 75],
      body_temperature: [34.5, 41],
      water: [150, 500],
      caffeine: [0.05, 0.2],
      vo2_max: [10, 82],
      body_mass_index: [15, 75],
      lean_body_mass: [25, 140],
      forced_vital_capacity: [1.5, 7.2],
      uv_exposure: [0, 8],
      sleep_breathing_disturbance: [0, 26],
    }
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(ranges)), instant, fc.string(), (slug, at, userId) => {
        // Some of these people were children thirty years ago.
        fc.pre(ageOn(makePerson(random, userId, {}), localDate('UTC', at)) >= 19)
        const [low, high] = ranges[slug] ?? [0, 0]
        for (const { value } of drawn(
          getSeries(slug),
          wearer('UTC', 'fitbit', userId),
          localDate('UTC', at),
        )) {
          expect(value, slug).toBeGreaterThanOrEqual(low)
          expect(value, slug).toBeLessThanOrEqual(high)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('belongs to its seed, user and provider', () => {
    const day = (seed: string, of: Wearer) => drawn(steps, of, '2026-01-04', createRandom(seed))
    const mine = day('1', wearer('UTC'))
    expect(day('1', wearer('UTC'))).toEqual(mine)
    expect(day('2', wearer('UTC'))).not.toEqual(mine)
    expect(day('1', wearer('UTC', 'garmin'))).not.toEqual(mine)
    expect(day('1', wearer('UTC', 'fitbit', 'bob'))).not.toEqual(mine)
  })

  it('is written as JSON that reads as it was', () => {
    const write = sampleWriter(getSeries('note'))
    const [first] = drawn(getSeries('note'), wearer('Europe/Berlin', 'freestyle_libre'), '2026-01-04')
    if (!first) throw new Error('no note')
    const startsAt = new Date(first.start).toISOString().replace('.000Z', '+00:00')
    expect(JSON.parse(write(first))).toEqual({
      id: null,
      timezone_offset: 3600,
      type: null,
      unit: 'text',
      timestamp: startsAt,
      start: startsAt,
      end: expect.any(String),
      value: first.value,
      tags: ['food'],
    })
  })
})

describe('a day', () => {
  const life = fc.tuple(zone, instant, fc.string()).map(([timeZone, at, userId]) => ({
    timeZone,
    userId,
    day: dayOf(makePerson(random, userId, {}), timeZone, localDate(timeZone, at)),
  }))

  it('is slept through at night, in stages that fill it, where its zone has its night', {
    tags: 'slow',
  }, () => {
    fc.assert(
      fc.property(life, ({ day }) => {
        const [night] = day.nights
        const hours = (night.end - night.start) / HOUR_MS
        expect(hours).toBeGreaterThan(3.5)
        expect(hours).toBeLessThan(14)
        const wake = new Date(night.end + day.offsetAt(night.end) * 1000).getUTCHours()
        expect(wake).toBeGreaterThanOrEqual(3)
        expect(wake).toBeLessThanOrEqual(13)
        expect(night.stages[0]?.start).toBe(night.start)
        expect(night.stages.at(-1)?.end).toBe(night.end)
        for (const [index, { start }] of night.stages.entries())
          if (index > 0) expect(start).toBe(night.stages[index - 1]?.end)
        const { deep, light, rem, awake } = secondsInStages(night)
        expect(deep + light + rem + awake).toBe((night.end - night.start) / 1000)
        for (const share of [deep, light, rem]) expect(share / (deep + light + rem)).toBeGreaterThan(0.07)
      }),
    )
  })

  it('has steps, metres, calories and heart rate rise in one and the same run', { tags: 'slow' }, () => {
    fc.assert(
      fc.property(life, ({ day, timeZone, userId }) => {
        const run = day.workouts.find(({ sport }) => sport.slug === 'running')
        fc.pre(run !== undefined)
        const rate = (slug: string, from: number, until: number) => {
          const samples = drawn(getSeries(slug), wearer(timeZone, 'fitbit', userId), day.date)
          return samples
            .filter(({ start, end }) => start < until && Math.max(end, start + 1) > from)
            .reduce((most, { value }) => Math.max(most, Number(value)), 0)
        }
        for (const slug of ['steps', 'distance', 'calories_active', 'heartrate']) {
          const during = rate(slug, run.start, run.end)
          const night = rate(slug, day.start + HOUR_MS, day.start + 4 * HOUR_MS)
          expect(during, slug).toBeGreaterThan(night)
        }
        expect(rate('heartrate', run.start, run.end)).toBeGreaterThan(100)
      }),
      { numRuns: rounds(30) },
    )
  })

  it('has cholesterol in mmol/L, a total that is more than its parts', { tags: 'slow' }, () => {
    const found = Array.from({ length: 200 }, (_, nth) =>
      drawn(getSeries('cholesterol'), wearer('UTC', 'manual', `eater-${nth}`), daysLater('2026-01-01', nth)),
    ).filter((samples) => samples.length > 0)
    expect(found.length).toBeGreaterThan(0)
    for (const samples of found) {
      const of = (type: string) => Number(samples.find((each) => each.type === `cholesterol/${type}`)?.value)
      expect(of('total')).toBeGreaterThan(of('ldl') + of('hdl') - 0.1)
      for (const [type, low, high] of [
        ['total', 1.5, 12],
        ['ldl', 0.3, 9],
        ['hdl', 0.3, 4],
        ['triglycerides', 0.2, 15],
      ] as const) {
        expect(of(type), type).toBeGreaterThan(low)
        expect(of(type), type).toBeLessThan(high)
      }
    }
  })

  it('has gaps where a glucose sensor loses its signal, and where a new one warms up every ten days', {
    tags: 'slow',
  }, () => {
    const dates = Array.from({ length: 60 }, (_, nth) => daysLater('2026-01-01', nth))
    const starts = dates.flatMap((date) =>
      drawn(getSeries('glucose'), wearer('UTC', 'dexcom_v3'), date).map(({ start }) => start),
    )
    const gaps = starts.slice(1).map((start, before) => (start - Number(starts[before])) / MINUTE_MS)
    const lost = 1 - starts.length / (dates.length * 288)
    expect(lost).toBeGreaterThan(0.01)
    expect(lost).toBeLessThan(0.06)
    expect(gaps.filter((minutes) => minutes >= 120).length).toBeGreaterThanOrEqual(5)
    expect(Math.max(...gaps)).toBeLessThan(240)
  })

  it('has glucose rise after dinner in almost everybody', () => {
    const rises = Array.from({ length: 60 }, (_, nth) => {
      const day = dayOf(makePerson(random, `diner-${nth}`, {}), 'UTC', '2026-02-03')
      const samples = drawn(getSeries('glucose'), wearer('UTC', 'dexcom_v3', day.drawKey), day.date)
      const at = (instant: number) => Number(samples.findLast(({ start }) => start <= instant)?.value)
      const dinner = day.meals().at(-1)
      if (!dinner) throw new Error('nobody goes without dinner')
      return at(dinner.at + 50 * MINUTE_MS) - at(dinner.at)
    })
    expect(rises.filter((rise) => rise > 0.3).length).toBeGreaterThan(50)
  })
})

describe('the id of a workout or a sleep', () => {
  it('identifies user and session in its own world only', () => {
    const key = fc.record({
      kind: fc.constantFrom('workout' as const, 'sleep' as const),
      ordinal: fc.integer({ min: 1, max: 100_000 }),
      date: instant.map((at) => localDate('UTC', at)),
      index: fc.integer({ min: 0, max: 3 }),
    })
    fc.assert(
      fc.property(key, (session) => {
        const id = sessionId(random, session)
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        expect(readSessionId(random, session.kind, id)).toEqual(session)
        expect(readSessionId(createRandom('2'), session.kind, id)).toBeUndefined()
      }),
    )
    fc.assert(fc.property(fc.uuid(), (id) => readSessionId(random, 'sleep', id) === undefined))
  })
})

describe('pages', () => {
  it('put together are the whole, and no page holds more than it may', async () => {
    const feed = fc
      .array(fc.integer({ min: 0, max: 60 * 24 }), { maxLength: 60 })
      .map((minutes) => [...new Set(minutes)].sort((a, b) => a - b).map((at) => ({ start: at * MINUTE_MS })))
    await fc.assert(
      fc.asyncProperty(
        fc.array(feed, { maxLength: 3 }),
        fc.integer({ min: 1, max: 50 }),
        async (feeds, most) => {
          const seen = feeds.map(() => [] as { start: number }[])
          let from: number | null = 0
          while (from !== null) {
            const since: number = from
            const page = await takePage(
              feeds.map((items) => items.filter(({ start }) => start >= since).values()),
              most,
            )
            const size = page.parts.reduce((sum, part) => sum + part.length, 0)
            // More only of the last instant.
            const last = Math.max(...page.parts.flat().map(({ start }) => start))
            expect(page.parts.flat().filter(({ start }) => start < last).length).toBeLessThan(most)
            expect(size).toBeLessThanOrEqual(most + feeds.length)
            for (const [at, part] of page.parts.entries()) seen[at]?.push(...part)
            from = page.nextFrom
          }
          expect(seen).toEqual(feeds)
        },
      ),
    )
  })

  it('are continued by cursors of their own series alone', () => {
    const cursor = toCursor('steps', 1_767_000_000_000)
    expect(fromCursor('steps', cursor)).toBe(1_767_000_000_000)
    expect(fromCursor('distance', cursor)).toBeUndefined()
    fc.assert(fc.property(fc.string(), (text) => fromCursor('steps', text) === undefined))
  })
})
