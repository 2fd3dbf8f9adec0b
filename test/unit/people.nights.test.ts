import { describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/instant.ts'
import { type Day, dayOf } from '../../src/people/day.ts'
import { clockOf } from '../../src/people/day-clock.ts'
import { deepShareAt, napsOf, nightOf, type Sleep, STAGES, secondsInStages } from '../../src/people/night.ts'
import type { Trait } from '../../src/people/traits.ts'
import { nothing, someone } from '../support/lives.ts'

// The stages of nights and naps, and how long they are. Of the seed `one life`.

const DATE = '2026-01-06'
const sleeper = (nth: number, traits?: Partial<Record<Trait, number>>) =>
  someone(nth, { course: traits && { ...nothing, traits } })
const clock = clockOf('UTC', DATE, 'UTC')
const letters = Object.entries(STAGES).map(([name, stage]) => [stage, name.slice(0, 1)] as const)
const letterOf = new Map<number, string>(letters)

/** The minutes of each stage in their order: awake, light, deep, REM. */
const told = ({ stages }: Sleep) =>
  stages.map(({ start, end, stage }) => `${letterOf.get(stage)}${(end - start) / MINUTE_MS}`).join(' ')

function expectWhole({ start, end, stages }: Sleep) {
  expect([stages[0]?.start, stages.at(-1)?.end]).toEqual([start, end])
  for (const [nth, span] of stages.slice(1).entries()) expect(span.start).toBe(stages[nth]?.end)
}

describe('the stages of a sleep', () => {
  it.each<[string, (day: Day) => Sleep | undefined, nth: number, date: string, expected: string]>([
    [
      'a night',
      ({ nights }) => nights[0],
      3,
      '2026-01-09',
      'a4 l21 d26 l7 a1 l6 a1 l7 a1 l6 a1 l7 a1 r6 l28 d19 l8 a1 l8 a2 l8 a1 l8 a2 l8 a1 r16 l18 d12 l6 a1 l5 a2 l5 a1 l6 a1 l6 a1 r25 l30 d5 l8 a2 l9 a1 l9 a1 l9 a1 l9 a2 r34 l30 d4 l9 a1 l9 a1 l9 a2 l9 a1 l9 a1 r44',
    ],
    [
      'a bad night',
      ({ nights }) => nights[0],
      6,
      '2026-01-10',
      'a8 l34 d17 l17 a1 l17 a1 l17 a2 r7 l28 d13 l14 a1 l14 a2 l14 a1 r18 l13 d8 l7 a1 l7 a1 l7 a2 r27',
    ],
    ['a nap', ({ naps }) => naps[0], 0, '2026-01-06', 'a2 l9 l7 l7 a1'],
    ['a longer nap', ({ naps }) => naps[0], 11, '2026-01-10', 'a2 l14 d8 l5 a2 l5 a1 l5 a2 l5 a1 r5'],
  ])('come in cycles, and %s is always the same', (_, of, nth, date, expected) => {
    const sleep = of(dayOf(sleeper(nth), 'UTC', date)) ?? expect.fail()
    expectWhole(sleep)
    expect(told(sleep)).toBe(expected)
  })

  it('add up to the seconds in each', () => {
    const night = nightOf(sleeper(3), clock)
    const { deep, light, rem, awake } = secondsInStages(night)
    expect(deep + light + rem + awake).toBe((night.end - night.start) / 1000)
  })
})

describe('a night', () => {
  it.each([
    [1, 99, 3.6],
    [30, 40, 13.9],
  ])(
    'of somebody who sleeps %s hours, of %s %%, is %s hours in bed',
    (sleepHours, sleepEfficiency, hours) => {
      const { start, end } = nightOf(sleeper(2, { sleepHours, sleepEfficiency }), clock)
      expect(Math.abs(end - start - hours * HOUR_MS)).toBeLessThanOrEqual(MINUTE_MS)
    },
  )

  it('is as long as the sleep and its efficiency, around the middle of sleep', () => {
    for (const nth of [2, 3, 6]) {
      const { start, end, body } = nightOf(sleeper(nth), clock)
      expect((end - start) / MINUTE_MS).toBeCloseTo((6000 * body.sleepHours) / body.sleepEfficiency, -1)
      expect((start + end) / 2 - clock.start).toBeCloseTo(body.midSleepMinute * MINUTE_MS, -6)
    }
  })
})

describe('deep sleep', () => {
  it.each([
    [8, 0.22],
    [15, 0.22],
    [40, 0.17],
    [59, 0.132],
    [60, 0.13],
    [90, 0.13],
  ])('falls with age until 60: at %s it is %s of sleep', (age, share) => {
    expect(deepShareAt(age)).toBeCloseTo(share, 9)
  })
})

describe('a nap', () => {
  const APART = 30 * MINUTE_MS
  const night = nightOf(sleeper(3), clock)
  const next = nightOf(sleeper(3), clockOf('UTC', '2026-01-07', 'UTC'))
  /** The naps of somebody who naps every day, unless it is said. */
  const napped = (napsPerWeek = 1000, bed = next.start, workouts: { start: number; end: number }[] = []) =>
    napsOf(
      { ...night, body: { ...night.body, napsPerWeek } },
      { ...next, start: bed, end: bed + 1 },
      workouts,
    )
  const [nap = expect.fail()] = napped()

  it('begins seven hours after getting up, and belongs to the day of the night', () => {
    const { kind, date, person, start, end } = nap
    expect({ kind, date, start }).toEqual({ kind: 'nap', date: DATE, start: night.end + 7 * HOUR_MS })
    expect(person).toBe(night.person)
    expectWhole(nap)
    expect([(end - start) / MINUTE_MS >= 10, (end - start) / MINUTE_MS <= 90]).toEqual([true, true])
    expect(napped(0)).toEqual([])
  })

  it.each<[string, number, number, number]>([
    ['a workout just before', nap.start - HOUR_MS, nap.start - APART, 0],
    ['a workout long before', nap.start - HOUR_MS, nap.start - APART - 1, 1],
    ['a workout just after', nap.end + APART, nap.end + HOUR_MS, 0],
    ['a workout long after', nap.end + APART + 1, nap.end + HOUR_MS, 1],
  ])('is taken or not with %s', (_, start, end, count) => {
    expect(napped(1000, next.start, [{ start, end }])).toHaveLength(count)
  })

  it('has no deep and no REM sleep below forty minutes', () => {
    const all = Array.from({ length: 60 }, (_, nth) => {
      const dated = { ...night, date: `2026-02-${nth}`, body: { ...night.body, napsPerWeek: 1000 } }
      return napsOf(dated, next, [])
    }).flat()
    const kinds = new Set(
      all.map((one) => {
        const { deep, rem } = secondsInStages(one)
        return `${one.end - one.start < 40 * MINUTE_MS} ${deep > 0} ${rem > 0}`
      }),
    )
    expect([...kinds].sort()).toEqual(['false true true', 'true false false'])
  })
})
