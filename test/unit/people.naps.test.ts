import { describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/instant.ts'
import { clockOf } from '../../src/people/day-clock.ts'
import type { Meal } from '../../src/people/food.ts'
import { napsOf } from '../../src/people/naps.ts'
import { nightOf, type Sleep } from '../../src/people/night.ts'
import { type Body, usualBodyOn } from '../../src/people/person.ts'
import type { Workout } from '../../src/people/workouts.ts'
import { DATE, person, training } from '../support/made-minutes.ts'

// When people nap, and what keeps them from it.

const clock = clockOf('UTC', DATE, 'UTC')
const [night, next] = [nightOf(person, clock), nightOf(person, clockOf('UTC', '2026-01-07', 'UTC'))]
const usual = usualBodyOn(person, DATE)

interface Doing {
  readonly body?: Partial<Body>
  readonly workouts?: readonly Workout[]
  readonly meals?: readonly number[]
  readonly bed?: number
  readonly until?: number
  readonly up?: number
}

/** The nap of somebody who naps every day, unless it is said. */
function napped({
  body,
  workouts = [],
  meals = [],
  bed = next.start,
  until = clock.end,
  up = night.end,
}: Doing = {}) {
  const slept: Sleep = { ...night, end: up, body: { ...usual, napsPerWeek: 1000, ...body } }
  const eaten = meals.map((at, index): Meal => ({ index, date: DATE, name: 'Snack', at, foods: [] }))
  const doings = { person, nights: [slept, { ...next, start: bed }] as const, workouts, meals: () => eaten }
  return napsOf(doings, { ...clock, end: until })
}

const [nap = expect.fail()] = napped()
const APART = 20 * MINUTE_MS

describe('a nap', () => {
  it('begins some hours after getting up', () => {
    expect(Math.abs(nap.start - night.end - 7 * HOUR_MS)).toBeLessThan(2 * HOUR_MS)
    expect((nap.start - night.end) % MINUTE_MS).toBe(0)
    expect(nap).toMatchObject({ kind: 'nap', date: DATE, person })
  })

  it.each<[string, Doing, number]>([
    ['a meal twenty minutes before', { meals: [nap.start - APART] }, 0],
    ['a meal before that', { meals: [nap.start - APART - 1] }, 1],
    ['a meal twenty minutes after', { meals: [nap.end + APART] }, 0],
    ['a meal after that', { meals: [nap.end + APART + 1] }, 1],
    ['several meals', { meals: [nap.start - HOUR_MS, nap.start, nap.end + HOUR_MS] }, 0],
    [
      'a workout long before',
      { workouts: [{ ...training(20), start: nap.start - HOUR_MS, end: nap.start - APART - 1 }] },
      1,
    ],
    [
      'a workout just before',
      { workouts: [{ ...training(20), start: nap.start - HOUR_MS, end: nap.start - APART }] },
      0,
    ],
    [
      'a workout just after',
      { workouts: [{ ...training(20), start: nap.end + APART, end: nap.end + HOUR_MS }] },
      0,
    ],
    [
      'a workout long after',
      { workouts: [{ ...training(20), start: nap.end + APART + 1, end: nap.end + HOUR_MS }] },
      1,
    ],
    ['the night too soon', { bed: nap.end + 2.5 * HOUR_MS }, 0],
    ['the night soon', { bed: nap.end + 2.5 * HOUR_MS + 1 }, 1],
    ['the end of the day too soon', { until: nap.end + APART }, 0],
    ['the end of the day soon', { until: nap.end + APART + 1 }, 1],
  ])('is taken or not with %s: %#', (_, doing, count) => {
    expect(napped(doing)).toHaveLength(count)
  })

  it('lasts ten minutes at least and two hours at most, and is often shorter than 25', () => {
    const lengths = Array.from({ length: 40 }, (_, nth) => {
      const date = `2026-02-${String(1 + (nth % 28)).padStart(2, '0')}`
      const [own] = napsOf(
        {
          ...{ person, workouts: [], meals: () => [] },
          nights: [
            { ...night, body: { ...usual, napsPerWeek: 1000 } },
            { ...next, start: night.end + 24 * HOUR_MS },
          ],
        },
        { ...clock, date, end: night.end + 24 * HOUR_MS },
      )
      return own ? (own.end - own.start) / MINUTE_MS : 0
    })
    expect([Math.min(...lengths) >= 10, Math.max(...lengths) <= 120]).toEqual([true, true])
    expect(lengths.some((minutes) => minutes > 0 && minutes < 25)).toBe(true)
  })
})
