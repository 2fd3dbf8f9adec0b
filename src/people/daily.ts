import * as z from 'zod'
import variationRows from '../../seeds/people/variations.json' with { type: 'json' }
import { clamp } from '../kernel/compare.ts'
import { kept } from '../kernel/kept.ts'
import { normalQuantile } from '../kernel/normal.ts'
import { bundledTable } from '../kernel/seed-table.ts'
import { type Cycle, cycleOn } from './cycles.ts'
import { dayNumber, daysBetween, daysLater, isWeekend, MAX_KEPT, seasonOf } from './dates.ts'
import { courseAt, noiseOf } from './noise.ts'
import { type Body, bodyOn, type Person } from './person.ts'
import { type Trait, traitNames } from './traits.ts'

/** How a trait differs from day to day in one person: an autoregression of order 1. */
const variation = () =>
  z.strictObject({
    /** In the trait's unit; of the natural logarithm where `isLog`. */
    sd: z.number(),
    isLog: z.literal(true).optional(),
    /** Of one day with the next. */
    correlation: z.number(),
    low: z.number(),
    high: z.number(),
    /** A trait above it that a share of the deviation follows, from -1 to 1. */
    follows: z.tuple([z.enum(traitNames), z.number().min(-1).max(1)]).optional(),
  })

/**
 * Heart rate, variability, steps and sleep: as in two public series of Fitbit wearers, LifeSnaps (71 people, 2021) and
 * FitBit Fitness Tracker Data (33 people, 2016). The others are assumed, and so is how far
 * variability follows the heart rate, and the diastolic pressure the systolic one.
 */
const variations = bundledTable('people/variations.json', variationRows, variation)

type Varying = keyof typeof variationRows

/** Weights of the latest days of an autoregression, scaled to a variance of 1; those before them are negligible. */
const kernels = new Map<number, readonly number[]>(
  [...variations.values()].map(({ correlation }) => {
    const days = Math.ceil(Math.log(0.08) / Math.log(correlation))
    const weights = Array.from({ length: days }, (_, ago) => correlation ** ago)
    const scale = Math.sqrt(weights.reduce((sum, weight) => sum + weight * weight, 0))
    return [correlation, weights.map((weight) => weight / scale)]
  }),
)

const noiseOfPerson = kept(100, ({ random, drawKey }: Person, purpose: string) =>
  noiseOf(random, `person/${drawKey}/daily/${purpose}`),
)

/** The standardised deviation of a day: a weighted sum of keyed draws, so that every window shows the same. */
function deviationOf(person: Person, trait: Varying, day: number): number {
  const noise = noiseOfPerson(person, trait)
  let sum = 0
  let ago = 0
  for (const weight of kernels.get(variations.get(trait).correlation) ?? [])
    sum += weight * normalQuantile(noise(day - ago++))
  return sum
}

/** Minutes by which sleep is later at weekends; assumed. */
const LATER_AT_WEEKENDS = 54

/** The body of one day: traits with what varies from day to day, and in weeks, cycles and seasons. */
export const bodyOfDay = kept(MAX_KEPT, (person: Person, date: string): Body => {
  const day = dayNumber(date)
  const body = bodyOn(person, date)
  const deviations = new Map<Trait, number>()
  for (const [trait, row] of variations) {
    const own = deviationOf(person, trait, day)
    const [followed, share] = row.follows ?? [trait, 0]
    const deviation = share * (deviations.get(followed) ?? 0) + Math.sqrt(1 - share * share) * own
    deviations.set(trait, deviation)
    const differs = row.sd * deviation
    body[trait] = row.isLog ? body[trait] * Math.exp(differs) : body[trait] + differs
  }
  // Ring users: 2 beats more in December, 1.6 more at weekends. Blood pressure at home: 6.7/2.9 mmHg more in winter
  // (HOMED-BP). The other figures are assumed.
  const season = seasonOf(date)
  body.restingHeart += 1.35 * season
  body.systolic += 3.3 * season
  body.diastolic += 1.4 * season
  body.usualSteps *= 1 - 0.07 * season
  body.sleepHours += isWeekend(day) ? 0.45 : -0.18
  if (isWeekend(day)) {
    body.restingHeart += 1.6
    body.midSleepMinute += LATER_AT_WEEKENDS
    body.usualSteps *= 0.95
  }
  const leanest = Math.min(LEAN_MASS_INDEX, body.bodyMassIndex)
  body.bodyMassIndex = Math.max(leanest, body.bodyMassIndex * Math.exp(weightCourse(person, day)))
  // The luteal phase: 1.8 to 3.8 beats more in sleep (Shilaih 2017), less variability (Schmalenberger 2019).
  const luteal = lutealShare(cycleOn(person, date), date)
  body.restingHeart += 3.2 * luteal
  body.hrv *= 1 - 0.08 * luteal
  body.temperature += 0.33 * luteal
  body.breathsPerMinute += 0.3 * luteal
  for (const [trait, { low, high }] of variations) body[trait] = clamp(body[trait], low, high)
  return body
})

/** Days in which the body changes after ovulation, and before the next period. */
const RAMP_DAYS = 3

/** How far the body is in the luteal phase, from 0 to 1. */
function lutealShare(cycle: Cycle | undefined, date: string): number {
  if (!cycle?.ovulation || date <= cycle.ovulation) return 0
  const passed = daysBetween(cycle.ovulation, date)
  const left = cycle.days - daysBetween(cycle.begins, date)
  return Math.min(1, passed / RAMP_DAYS, left / RAMP_DAYS)
}

/** Kilograms per square metre, below which nobody loses weight. */
const LEAN_MASS_INDEX = 14.5

/** Weight changes by some percent in a year, and is highest on Monday (Orsama 2014); by how much is assumed. */
function weightCourse(person: Person, day: number): number {
  const noise = noiseOfPerson(person, 'weight')
  const weekly = Math.cos(((day + 3) / 7) * 2 * Math.PI)
  return 0.06 * courseAt(noise, day / 150) + 0.003 * weekly
}

/** What a day is compared with: the means of the person's days before it. */
export type Baseline = Pick<Body, 'hrv' | 'restingHeart' | 'temperature' | 'sleepHours'>

const BASELINE_DAYS = 28

/** Over the days before a date; the geometric mean of variability. */
export const baselineOf = kept(4, (person: Person, date: string): Baseline => {
  const before = Array.from({ length: BASELINE_DAYS }, (_, at) => bodyOfDay(person, daysLater(date, -1 - at)))
  const meanOf = (read: (body: Body) => number) =>
    before.reduce((sum, body) => sum + read(body), 0) / BASELINE_DAYS
  return {
    hrv: Math.exp(meanOf(({ hrv }) => Math.log(hrv))),
    restingHeart: meanOf(({ restingHeart }) => restingHeart),
    temperature: meanOf(({ temperature }) => temperature),
    sleepHours: meanOf(({ sleepHours }) => sleepHours),
  }
})
