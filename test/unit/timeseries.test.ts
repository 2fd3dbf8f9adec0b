import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/instant.ts'
import { localDate, localDay, nextDate } from '../../src/kernel/local-day.ts'
import { createRandom } from '../../src/kernel/random.ts'
import { getSeries, seriesTable } from '../../src/resources/timeseries/catalogue.ts'
import { fromCursor, takePage, toCursor } from '../../src/resources/timeseries/page.ts'
import { bucketsOfDay, bucketsWithin, type Wearer } from '../../src/resources/timeseries/sample.ts'

const random = createRandom('1')
const steps = getSeries('steps')
const wearer = (timeZone: string, provider = 'fitbit', userId = 'ada'): Wearer => ({
  userId,
  provider,
  timeZone,
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

describe('a sample', () => {
  it('reads the same in every window it lies in', () => {
    const offset = fc.integer({ min: 0, max: 3 * 24 * 60 }).map((minutes) => minutes * MINUTE_MS)
    fc.assert(
      fc.property(
        fc.constantFrom(...seriesTable),
        zone,
        instant,
        offset,
        offset,
        (series, at, start, a, b) => {
          const whole = [
            ...bucketsWithin(random, series, wearer(at), { from: start, until: start + 3 * DAY_MS }),
          ]
          const [from, until] = [start + Math.min(a, b), start + Math.max(a, b)]
          // Another source of the same seed, so that nothing is remembered from above.
          expect([...bucketsWithin(createRandom('1'), series, wearer(at), { from, until })]).toEqual(
            whole.filter((bucket) => bucket.start >= from && bucket.end <= until),
          )
        },
      ),
    )
  })

  it('counts whole steps, 3,000 to 14,000 a day, and none in the small hours', () => {
    fc.assert(
      fc.property(zone, instant, fc.string(), (timeZone, at, userId) => {
        const date = localDate(timeZone, at)
        const buckets = bucketsOfDay(random, steps, wearer(timeZone, 'garmin', userId), date)
        const total = buckets.reduce((sum, { value }) => sum + value, 0)
        expect(total).toBeGreaterThanOrEqual(3000)
        expect(total).toBeLessThanOrEqual(14_000)
        expect(buckets.every(({ value }) => Number.isInteger(value) && value >= 0)).toBe(true)
        const hours = buckets
          .filter(({ value }) => value > 0)
          .map(({ start, offsetSeconds }) => new Date(start + offsetSeconds * 1000).getUTCHours())
        expect(Math.min(...hours)).toBeGreaterThanOrEqual(6)
      }),
    )
  })

  it('covers a stride of distance for each step', () => {
    const walked = bucketsOfDay(random, steps, wearer('UTC'), '2026-01-04')
    const covered = bucketsOfDay(random, getSeries('distance'), wearer('UTC'), '2026-01-04')
    for (const [at, { value }] of covered.entries()) {
      const count = walked[at]?.value ?? 0
      expect(value).toBeGreaterThanOrEqual(count * 0.7 - 0.1)
      expect(value).toBeLessThanOrEqual(count * 0.78 + 0.1)
    }
  })

  it('belongs to its seed, user and provider', () => {
    const day = (seed: string, of: Wearer) => bucketsOfDay(createRandom(seed), steps, of, '2026-01-04')
    const mine = day('1', wearer('UTC'))
    expect(day('1', wearer('UTC'))).toEqual(mine)
    expect(day('2', wearer('UTC'))).not.toEqual(mine)
    expect(day('1', wearer('UTC', 'garmin'))).not.toEqual(mine)
    expect(day('1', wearer('UTC', 'fitbit', 'bob'))).not.toEqual(mine)
  })
})

describe('pages', () => {
  it('put together are the whole, and no page holds more than it may', () => {
    const feed = fc
      .array(fc.integer({ min: 0, max: 60 * 24 }), { maxLength: 60 })
      .map((minutes) => [...new Set(minutes)].sort((a, b) => a - b).map((at) => ({ start: at * MINUTE_MS })))
    fc.assert(
      fc.property(fc.array(feed, { maxLength: 3 }), fc.integer({ min: 1, max: 50 }), (feeds, most) => {
        const seen = feeds.map(() => [] as { start: number }[])
        let from: number | null = 0
        while (from !== null) {
          const since: number = from
          const page = takePage(
            feeds.map((items) => items.filter(({ start }) => start >= since).values()),
            most,
          )
          const size = page.parts.reduce((sum, part) => sum + part.length, 0)
          const hours = new Set(page.parts.flat().map(({ start }) => Math.floor(start / HOUR_MS)))
          expect(size <= most || hours.size === 1).toBe(true)
          for (const [at, part] of page.parts.entries()) seen[at]?.push(...part)
          from = page.nextFrom
        }
        expect(seen).toEqual(feeds)
      }),
    )
  })

  it('are continued by cursors of their own series alone', () => {
    const cursor = toCursor('steps', 1_767_000_000_000)
    expect(fromCursor('steps', cursor)).toBe(1_767_000_000_000)
    expect(fromCursor('distance', cursor)).toBeUndefined()
    fc.assert(fc.property(fc.string(), (text) => fromCursor('steps', text) === undefined))
  })
})
