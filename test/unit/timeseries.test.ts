import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/instant.ts'
import { localDate, localDay, nextDate } from '../../src/kernel/local-day.ts'
import { createRandom } from '../../src/kernel/random.ts'
import { dayOf } from '../../src/people/day.ts'
import { makePerson } from '../../src/people/person.ts'
import { getSeries, type Series, seriesTable } from '../../src/resources/timeseries/catalogue.ts'
import { fromCursor, takePage, toCursor } from '../../src/resources/timeseries/read.ts'
import type { Sample, Wearer } from '../../src/resources/timeseries/sample.ts'
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

describe('a sample', () => {
  it('is the same whenever it is drawn, belongs to its day, and comes in order', { tags: 'slow' }, () => {
    fc.assert(
      fc.property(fc.constantFrom(...seriesTable), zone, instant, (series, timeZone, at) => {
        const date = localDate(timeZone, at)
        const samples = drawn(series, wearer(timeZone), date)
        // Another source of the same seed, so that nothing is remembered from above.
        expect(drawn(series, wearer(timeZone), date, createRandom('1'))).toEqual(samples)
        const day = localDay(timeZone, date)
        const from = at - 2 * HOUR_MS
        const until = at + 2 * HOUR_MS
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
