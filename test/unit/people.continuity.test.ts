import { describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../src/kernel/instant.ts'
import { createRandom } from '../../src/kernel/random.ts'
import { glucose } from '../../src/people/curves.ts'
import { bodyOfDay } from '../../src/people/daily.ts'
import { daysLater } from '../../src/people/dates.ts'
import { type Day, dayOf } from '../../src/people/day.ts'
import { STAGES } from '../../src/people/night.ts'
import { makePerson, weightOf } from '../../src/people/person.ts'

// One body, whose days are parts of one course. Figures with a source are in docs/evidence/realism.md.

const random = createRandom('continuity')
const people = Array.from({ length: 10 }, (_, nth) => makePerson(random, `user-${nth}`, {}))
const dates = Array.from({ length: 14 }, (_, nth) => daysLater('2026-01-05', nth))
const dayOn = (person: (typeof people)[number], date: string) => dayOf(person, 'America/New_York', date)

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const deviationOf = (values: readonly number[]) => {
  const mean = meanOf(values)
  return Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)))
}
function correlationOf(xs: readonly number[], ys: readonly number[]): number {
  const [x, y] = [meanOf(xs), meanOf(ys)]
  return (
    meanOf(xs.map((value, at) => (value - x) * ((ys[at] ?? y) - y))) / (deviationOf(xs) * deviationOf(ys))
  )
}
const medianOf = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Each day with the one after it. */
const neighbours: (readonly [Day, Day])[] = people.flatMap((person) =>
  dates
    .slice(1)
    .map((date, before) => [dayOn(person, dates[before] as string), dayOn(person, date)] as const),
)

describe('midnight', () => {
  it('is no step of the heart rate: the minutes beside it differ as others do', { tags: 'slow' }, () => {
    const atMidnight = neighbours.map(([day, next]) =>
      Math.abs((next.minutes.heart()[0] ?? 0) - (day.minutes.heart().at(-1) ?? 0)),
    )
    const atOne = neighbours.map(([, next]) =>
      Math.abs((next.minutes.heart()[60] ?? 0) - (next.minutes.heart()[59] ?? 0)),
    )
    expect(meanOf(atMidnight)).toBeLessThan(3 * meanOf(atOne))
  })

  it('is no step of the glucose level, in any zone', () => {
    const stepAt = (day: Day, next: Day, instant: number) => {
      const dayAt = instant < next.start ? day : next
      return Math.abs(glucose(dayAt, instant, 0.5) - glucose(day, instant - MINUTE_MS, 0.5))
    }
    const atMidnight = neighbours.map(([day, next]) => stepAt(day, next, next.start))
    const before = neighbours.map(([day, next]) => stepAt(day, next, next.start - 60 * MINUTE_MS))
    expect(meanOf(atMidnight)).toBeLessThan(3 * meanOf(before))
  })

  it('leaves the days before it as they are, whichever is asked first', () => {
    const [person] = people as [(typeof people)[number]]
    const other = makePerson(createRandom('continuity'), person.drawKey, {})
    const [early, late] = ['2026-02-01', '2026-02-02']
    const inOrder = [early, late].map((date) => dayOn(person, date).minutes.heart())
    const reversed = [late, early].map((date) => dayOn(other, date).minutes.heart()).reverse()
    expect(reversed).toEqual(inOrder)
  })
})

describe('a day of training', () => {
  const trained = people.flatMap((person) =>
    dates.flatMap((date) => {
      const day = dayOn(person, date)
      return day.workouts.map((workout) => ({ day, workout }))
    }),
  )
  const beats = ({ day, workout }: (typeof trained)[number]) => {
    const at = (instant: number) => Math.round((instant - day.start) / MINUTE_MS)
    return [...day.minutes.heart().slice(at(workout.start), at(workout.end))]
  }

  it('begins with a warm-up, and is uneven', () => {
    const hard = trained.filter(({ workout }) => workout.sport.effort > 0.55).map(beats)
    expect(hard.length).toBeGreaterThan(5)
    for (const heart of hard) expect(meanOf(heart.slice(0, 4))).toBeLessThan(meanOf(heart.slice(10, 20)))
    expect(meanOf(hard.map((heart) => Math.max(...heart) - meanOf(heart)))).toBeGreaterThan(9)
  })

  it('is harder on the heart of those who are less fit, also when they walk', () => {
    const walks = people.map((person) => {
      const day = dayOn(person, '2026-01-07')
      const reached = Math.max(...day.minutes.heart().filter((_, minute) => !day.minutes.workout[minute]))
      return { fitness: day.body.vo2Max, above: reached - day.body.restingHeart }
    })
    const byFitness = correlationOf(
      walks.map(({ fitness }) => fitness),
      walks.map(({ above }) => above),
    )
    expect(byFitness).toBeLessThan(0.2)
  })
})

describe('a year of a body', () => {
  const year = Array.from({ length: 365 }, (_, nth) => daysLater('2025-01-01', nth))
  const bodies = people.map((person) => year.map((date) => bodyOfDay(person, date)))

  it('has a heart that is less variable when it is fast', () => {
    const correlations = bodies.map((days) =>
      correlationOf(
        days.map(({ restingHeart }) => restingHeart),
        days.map(({ hrv }) => Math.log(hrv)),
      ),
    )
    expect(medianOf(correlations)).toBeGreaterThan(-0.75)
    expect(medianOf(correlations)).toBeLessThan(-0.45)
  })

  it('has two blood pressures that rise and fall together, and rise in winter', () => {
    const together = bodies.map((days) =>
      correlationOf(
        days.map(({ systolic }) => systolic),
        days.map(({ diastolic }) => diastolic),
      ),
    )
    expect(medianOf(together)).toBeGreaterThan(0.5)
    const inMonth = (month: string) =>
      meanOf(
        bodies.flatMap((days) =>
          days.filter((_, at) => year[at]?.slice(5, 7) === month).map(({ systolic }) => systolic),
        ),
      )
    expect(inMonth('01') - inMonth('07')).toBeGreaterThan(3)
    expect(inMonth('01') - inMonth('07')).toBeLessThan(11)
  })

  it('has a weight that changes by some percent, slowly', () => {
    for (const days of bodies) {
      const weights = days.map(weightOf)
      expect(deviationOf(weights) / meanOf(weights)).toBeGreaterThan(0.004)
      expect(deviationOf(weights) / meanOf(weights)).toBeLessThan(0.06)
      const steps = weights
        .slice(1)
        .map((weight, before) => Math.abs(weight / (weights[before] ?? weight) - 1))
      expect(Math.max(...steps)).toBeLessThan(0.012)
    }
  })
})

it('nights are broken by short awakenings, and their cycles differ in length', () => {
  const nights = neighbours.map(([day]) => day.nights[0].stages)
  const awakenings = nights.map((stages) => stages.filter(({ stage }) => stage === STAGES.awake).length)
  expect(medianOf(awakenings)).toBeGreaterThanOrEqual(10)
  expect(medianOf(awakenings)).toBeLessThanOrEqual(30)
  const deep = nights.flatMap((stages) => stages.filter(({ stage }) => stage === STAGES.deep))
  const between = deep.slice(1).map(({ start }, before) => (start - (deep[before]?.start ?? 0)) / MINUTE_MS)
  expect(deviationOf(between.filter((minutes) => minutes > 40 && minutes < 160))).toBeGreaterThan(8)
})
