import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import { baselineOf, bodyOfDay } from '../../src/people/daily.ts'
import { daysLater } from '../../src/people/dates.ts'
import { dayOf } from '../../src/people/day.ts'
import { round } from '../../src/people/noise.ts'
import { makePerson } from '../../src/people/person.ts'
import type { Trait } from '../../src/people/traits.ts'
import { someone } from '../support/lives.ts'

// What varies from day to day in one body. docs/evidence/realism.md compares many people with published figures.

const woman = someone(2)
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

describe('the body of a day', () => {
  const shown: Trait[] = [
    ...(['restingHeart', 'hrv', 'temperature', 'breathsPerMinute', 'usualSteps', 'sleepHours'] as const),
    ...(['sleepEfficiency', 'midSleepMinute', 'systolic', 'diastolic', 'bodyMassIndex'] as const),
  ]

  // biome-ignore format: a table is read by its columns.
  it.each<[string, date: string, ...values: number[]]>([
    ['before ovulation', '2026-01-20', 59.19, 34.61, 0.1, 10.81, 6445.62, 8.68, 90.11, 121, 121.38, 68.14, 24.45],
    ['a day after it', '2026-01-26', 61.34, 49.02, 0.28, 10.84, 9409.12, 8.82, 89.07, 107.63, 117.17, 71.9, 24.44],
    ['five days after it', '2026-01-30', 63.1, 26.03, 0.27, 11.14, 7355.59, 7.52, 87.51, 79.06, 109.84, 68.08, 24.27],
    ['two days before the next cycle', '2026-02-04', 63.67, 24.28, 0.32, 10.9, 9567.05, 9.07, 86.85, 160.6, 124.6, 69.47, 24.28],
    ['a Friday in summer', '2026-07-03', 56.11, 35.55, 0.07, 10.84, 7142.08, 6.16, 89.5, 129.23, 112.29, 57.72, 23.69],
    ['a Saturday in summer', '2026-07-04', 58.49, 37.27, 0.11, 10.81, 9073.76, 7.05, 90.39, 147.35, 121.21, 68.64, 23.73],
  ])('is always the same: %s', (_, date, ...values) => {
    const body = bodyOfDay(woman, date)
    expect(shown.map((trait) => round(body[trait], 2))).toEqual(values)
  })

  it('is compared with the four weeks before it', () => {
    const before = Array.from({ length: 28 }, (_, nth) => bodyOfDay(woman, daysLater('2025-09-01', nth)))
    const baseline = baselineOf(woman, '2025-09-29')
    expect(baseline.restingHeart).toBeCloseTo(meanOf(before.map(({ restingHeart }) => restingHeart)), 9)
    expect(Math.log(baseline.hrv)).toBeCloseTo(meanOf(before.map(({ hrv }) => Math.log(hrv))), 9)
  })
})

describe('a day that was made up', () => {
  const dayIn = (world: number) => {
    const person = makePerson(createRandom(`world-${world}`), 'user', {})
    return { person, day: dayOf(person, 'UTC', '2026-01-05') }
  }
  const isKept = ({ person, day }: ReturnType<typeof dayIn>) => dayOf(person, 'UTC', '2026-01-05') === day

  it('is kept among the latest of all worlds, so that many worlds take no more memory than one', {
    tags: 'slow',
  }, () => {
    const days = Array.from({ length: 250 }, (_, world) => dayIn(world))
    const kept = days.toReversed().map(isKept)
    expect(kept.slice(0, 60)).not.toContain(false)
    expect(kept.slice(-60)).not.toContain(true)
  })

  it('is another one in a world with the same seed', () => {
    const first = dayIn(0)
    const second = dayIn(0)
    expect(second.day).not.toBe(first.day)
    expect(second.day.nights[0].start).toBe(first.day.nights[0].start)
  })

  it('is the same whichever is asked first', () => {
    const early = '2026-02-01'
    const late = '2026-02-02'
    const hearts = (dates: readonly string[]) => {
      const person = someone(2)
      return dates.map((date) => dayOf(person, 'America/New_York', date).minutes.heart())
    }
    expect(hearts([late, early]).reverse()).toEqual(hearts([early, late]))
  })
})
