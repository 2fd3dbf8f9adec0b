import { beforeAll, describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../src/kernel/instant.ts'
import { createRandom } from '../../src/kernel/random.ts'
import { type Day, dayOf } from '../../src/people/day.ts'
import { secondsInStages } from '../../src/people/night.ts'
import { makePerson, type Person } from '../../src/people/person.ts'
import { meanOverTime } from '../../src/resources/summaries/making.ts'
import { beatsOf, streamOf } from '../../src/resources/summaries/workouts.ts'
import { getSeries } from '../../src/resources/timeseries/catalogue.ts'
import { traitsOf } from '../support/petri.ts'

const PEOPLE = 200
const NIGHTS = 12
const random = createRandom('a data scientist looks')
const people = new Map<string, Person>()
const personOf = (userId: string): Person => {
  const person = people.get(userId) ?? makePerson(random, userId, {})
  people.set(userId, person)
  return person
}
const users = Array.from({ length: PEOPLE }, (_, nth) => `user-${nth}`)
const dates = Array.from({ length: NIGHTS }, (_, nth) => `2026-01-${String(nth + 3).padStart(2, '0')}`)

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const deviationOf = (values: readonly number[]) => {
  const mean = meanOf(values)
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1))
}
const ALWAYS = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY }
const day = (userId: string, date: string) => dayOf(personOf(userId), 'UTC', date)
const drawn = (slug: string, of: Day, provider = 'fitbit') =>
  getSeries(slug).generate(
    of,
    { userId: of.drawKey, provider, timeZone: 'UTC', traits: traitsOf(provider) },
    ALWAYS,
  )

/** What is measured between midnight and getting up. */
const asleep = (slug: string, of: Day) =>
  meanOf(
    drawn(slug, of, 'oura').flatMap(({ start, value }) => (start < of.nights[0].end ? [Number(value)] : [])),
  )

/** The lowest five minutes of the beats. */
function lowest(of: Day): number {
  const heart = of.minutes.heart()
  const night = Math.floor((of.nights[0].end - of.start) / MINUTE_MS)
  const fives = Array.from({ length: Math.floor(night / 5) }, (_, five) =>
    meanOf([...heart.slice(five * 5, five * 5 + 5)]),
  )
  return Math.min(...fives)
}

describe('nights of one person differ', () => {
  const measures = {
    heartRateVariability: (of: Day) => asleep('hrv', of),
    lowestHeartRate: lowest,
    deepSleep: (of: Day) => secondsInStages(of.nights[0]).deep,
    breathing: (of: Day) => asleep('respiratory_rate', of),
  }
  type Measure = keyof typeof measures
  const names = Object.keys(measures) as Measure[]
  /** Of each person, what each night measures. A day is made once for all measures. */
  let people: Record<Measure, number>[][]
  beforeAll(() => {
    const measured = (of: Day) => Object.fromEntries(names.map((name) => [name, measures[name](of)]))
    people = users.map((userId) =>
      dates.map((date) => measured(day(userId, date)) as Record<Measure, number>),
    )
    // Thousands of nights are made.
  }, 60_000)

  it.each<[string, Measure, boolean, number, number]>([
    ['heart rate variability by 15 to 25 percent', 'heartRateVariability', true, 0.15, 0.25],
    ['lowest heart rate by 2 to 4', 'lowestHeartRate', false, 2, 4],
    ['deep sleep by about a quarter', 'deepSleep', true, 0.2, 0.3],
    ['breathing by about 3 percent', 'breathing', true, 0.025, 0.036],
  ])('in %s', (_, measure, isShare, least, most) => {
    const spreads = people.map((nights) => {
      const values = nights.map((night) => night[measure])
      return deviationOf(values) / (isShare ? meanOf(values) : 1)
    })
    expect(meanOf(spreads)).toBeGreaterThanOrEqual(least)
    expect(meanOf(spreads)).toBeLessThanOrEqual(most)
  })
})

describe('a heart by day', () => {
  it('follows activity and stress', { tags: 'slow' }, () => {
    const [idle, walking]: [number[], number[]] = [[], []]
    const together: number[] = []
    for (const userId of users) {
      const of = day(userId, '2026-01-07')
      const [heart, steps] = [of.minutes.heart(), of.minutes.sums('steps')]
      const stepsIn = (minute: number) => (steps[minute + 1] ?? 0) - (steps[minute] ?? 0)
      const isCalm = (minute: number) => !of.minutes.stage[minute] && !of.minutes.workout[minute]
      const isStill = (minute: number) =>
        isCalm(minute) &&
        [0, 1, 2, 3, 4, 5, 6, 7, 8].every((back) => stepsIn(minute - back) === 0 && isCalm(minute - back))
      for (let minute = 480; minute < 1300; minute++) {
        if (isStill(minute)) idle.push(heart[minute] ?? 0)
        else if (isCalm(minute) && stepsIn(minute) > 60) walking.push(heart[minute] ?? 0)
      }
      const stress = drawn('stress_level', of, 'garmin').filter(({ start }) =>
        isCalm(Math.floor((start - of.start) / MINUTE_MS)),
      )
      const pairs = stress.map(
        ({ start, value }) =>
          [Number(value), heart[Math.floor((start - of.start) / MINUTE_MS)] ?? 0] as const,
      )
      together.push(correlation(pairs))
    }
    expect(meanOf(walking) - meanOf(idle)).toBeGreaterThan(4)
    expect(meanOf(together)).toBeGreaterThan(0.4)
  })
})

function correlation(pairs: readonly (readonly [number, number])[]): number {
  const [xs, ys] = [pairs.map(([x]) => x), pairs.map(([, y]) => y)]
  const [meanX, meanY] = [meanOf(xs), meanOf(ys)]
  return meanOf(pairs.map(([x, y]) => (x - meanX) * (y - meanY))) / (deviationOf(xs) * deviationOf(ys))
}

it('a mean over a day is weighted by time, not by samples', { tags: 'slow' }, () => {
  const sample = (start: number, value: number) => ({
    start,
    end: start,
    offsetSeconds: 0,
    value,
    type: null,
  })
  const dense = Array.from({ length: 60 }, (_, nth) => sample(nth * 5000, 150))
  const sparse = Array.from({ length: 12 }, (_, nth) => sample(300_000 + nth * 300_000, 60))
  expect(Math.round(meanOverTime([...dense, ...sparse]))).toBe(67)
  for (const userId of users) {
    const of = day(userId, '2026-01-08')
    const [apple, oura] = ['apple_health_kit', 'oura'].map((provider) =>
      meanOverTime(drawn('heartrate', of, provider)),
    )
    expect(Math.abs((apple ?? 0) - (oura ?? 0))).toBeLessThan(2.5)
  }
})

it('a workout’s stream is what its heart rates are told from', { tags: 'slow' }, () => {
  let workouts = 0
  for (const userId of users) {
    for (const date of dates.slice(0, 3)) {
      const of = day(userId, date)
      for (const workout of of.workouts) {
        expect(streamOf(of, workout).heartrate).toEqual(beatsOf(of, workout))
        workouts++
      }
    }
  }
  expect(workouts).toBeGreaterThan(150)
})

describe('cholesterol', () => {
  it('adds up, and stays about the same in one person', { tags: 'slow' }, () => {
    const days = Array.from({ length: 182 }, (_, nth) =>
      new Date(Date.UTC(2026, 0, 1 + nth)).toISOString().slice(0, 10),
    )
    const panels = users.slice(0, 20).map((userId) =>
      days.flatMap((date) => {
        const values = drawn('cholesterol', day(userId, date)).map(
          ({ type, value }) => [type, Number(value)] as const,
        )
        return values.length > 0 ? [new Map(values)] : []
      }),
    )
    for (const own of panels) {
      expect(own).toHaveLength(2)
      const [first, second] = own.map((one) => one.get('cholesterol/total') ?? 0) as [number, number]
      expect(Math.abs(first - second) / first).toBeLessThan(0.4)
      for (const one of own) {
        const [total = 0, hdl = 0, ldl = 0] = ['total', 'hdl', 'ldl'].map((type) =>
          one.get(`cholesterol/${type}`),
        )
        expect(total).toBeGreaterThan(hdl + ldl)
      }
    }
  })
})
