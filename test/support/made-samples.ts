import { createRandom, type Random } from '../../src/kernel/random.ts'
import { type Day, dayOf } from '../../src/people/day.ts'
import type { Meal } from '../../src/people/food.ts'
import { makePerson } from '../../src/people/person.ts'
import { getSeries, type Sample } from '../../src/resources/timeseries/service.ts'
import { at, DATE, evenly } from './made-day.ts'
import { traitsOf } from './petri.ts'

/** A source of chance that always draws the same. */
export const drawing = (chance: number): Random =>
  Object.assign(Object.create(createRandom('1')), { noise: () => chance }) as Random

/** Sums that rise by as much in each minute. */
export const rising = (each: number) => () =>
  Float64Array.from({ length: 1501 }, (_, minute) => minute * each)

interface Setting {
  readonly date?: string
  readonly timeZone?: string
  readonly provider?: string
}

/**
 * A day of which parts are made up: chance always draws the middle, devices count right, the person of two metres weighs
 * 100 kg, and sleeps until seven.
 */
export function madeDay(
  change: (day: Day) => Partial<Day> = () => ({}),
  { date = DATE, timeZone = 'UTC', provider = 'fitbit' }: Setting = {},
): Day {
  const real = dayOf(makePerson(createRandom('1'), 'ada', {}), timeZone, date, provider)
  const risen = real.instantAt(7 * 60)
  const day: Day = {
    ...real,
    noise: evenly(0.5),
    deviceBeats: 0,
    random: drawing(0.5),
    person: { ...real.person, random: drawing(0.5) },
    body: { ...real.body, heightCm: 200, bodyMassIndex: 25, vitalCapacityL: 4, fibrillationBurden: 0 },
    nights: [{ ...real.nights[0], end: risen }, real.nights[1]],
    naps: [],
    workouts: [],
    meals: () => [],
  }
  return { ...day, ...change(day) }
}

interface Window {
  readonly provider?: string
  readonly from?: number
  readonly until?: number
}

/** The samples of a series on a day. */
export const drawn = (
  slug: string,
  day: Day,
  { provider = 'fitbit', from = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY }: Window = {},
): Sample[] =>
  getSeries(slug).generate(
    day,
    { userId: day.drawKey, provider, timeZone: day.timeZone, traits: traitsOf(provider) },
    { from, until },
  )

/** The same in short: the time of day in UTC at which each begins, and its value. */
export const briefly = (samples: readonly Sample[]): [time: string, value: Sample['value']][] =>
  samples.map(({ start, value }) => [new Date(start).toISOString().slice(11, 19), value])

/** Minutes that each sample lasts. */
export const lasting = (samples: readonly Sample[]): number[] =>
  samples.map(({ start, end }) => (end - start) / 60_000)

export const lunch: Meal = {
  index: 0,
  date: DATE,
  name: 'Lunch',
  at: at(12, 20),
  foods: [
    { name: 'Rice', carbs: 40, protein: 5, fat: 1, fibre: 2, sugar: 1 },
    { name: 'Apple', carbs: 24, protein: 0, fat: 0, fibre: 4, sugar: 19 },
  ],
}
