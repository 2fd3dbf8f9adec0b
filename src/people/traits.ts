import * as z from 'zod'
import { entriesOf, keysOf } from '../kernel/fields.ts'
import { perOwner } from '../kernel/kept.ts'
import { normalQuantile } from '../kernel/normal.ts'
import type { Random } from '../kernel/random.ts'
import type { SeedRow } from '../kernel/seed-table.ts'
import { curves, valueAt } from './points.ts'

export type Sex = 'female' | 'male'

/** Standardised hidden factors of a person: mean 0, standard deviation 1 among people. */
export type Factor = keyof typeof factors
export type Factors = Readonly<Record<Factor, number>>

/** Weights of factors; what they do not explain is the person's own. */
export type Loadings = SeedRow<typeof loadings>

/** Each factor depends on those above it with these correlations. */
export const factors = {
  activity: {},
  adiposity: { activity: -0.3 },
  fitness: { activity: 0.5, adiposity: -0.35 },
  insulinResistance: { adiposity: 0.5, fitness: -0.2 },
  inflammation: { adiposity: 0.4, insulinResistance: 0.15 },
  liverFat: { adiposity: 0.4, insulinResistance: 0.3 },
  lipoproteins: { adiposity: 0.1 },
  /** Lipoproteins rich in triglycerides. */
  remnants: { insulinResistance: 0.4, liverFat: 0.35 },
  iron: {},
  cobalamin: {},
  bindingGlobulin: {},
  thyroid: {},
  kidney: { insulinResistance: -0.1 },
  sunlight: { activity: 0.15, adiposity: -0.2 },
  stress: { fitness: -0.15 },
  eveningness: {},
} as const

const names = keysOf(factors)
export const loadings = () => z.partialRecord(z.enum(names), z.number())

/** Covariances of the factors, from which the weight of the unexplained part follows. */
const correlations = new Map<string, number>()
const correlationOf = (one: Factor, other: Factor): number =>
  one === other ? 1 : (correlations.get(`${one}/${other}`) ?? 0)
for (const name of names) {
  const loadings = entriesOf<Loadings>(factors[name])
  for (const other of names.slice(0, names.indexOf(name))) {
    const correlation = loadings.reduce((sum, [from, load]) => sum + load * correlationOf(from, other), 0)
    correlations.set(`${name}/${other}`, correlation)
    correlations.set(`${other}/${name}`, correlation)
  }
}

/** The standard deviation that loadings leave unexplained. */
const unexplained = perOwner((loadings: Loadings): number => {
  const parts = entriesOf(loadings)
  let explained = 0
  for (const [one, weight] of parts)
    for (const [other, otherWeight] of parts) explained += weight * otherWeight * correlationOf(one, other)
  return Math.sqrt(Math.max(0, 1 - explained))
})

/** A standardised value: a weighted sum of factors and of the person's own deviation `own`. */
export function loaded(known: Factors, loadings: Loadings, own: number): number {
  let sum = unexplained(loadings) * own
  for (const [factor, weight] of entriesOf(loadings)) sum += weight * known[factor]
  return sum
}

/**
 * The factors of a person with a known standardised value: a draw from their distribution given it. Each drawn factor is
 * moved by as much as it depends on the value.
 */
export function factorsGiven(drawn: Factors, loadings: Loadings, own: number, known: number): Factors {
  const surprise = known - loaded(drawn, loadings, own)
  const parts = entriesOf(loadings)
  const moved = names.map((name) => {
    const shared = parts.reduce((sum, [factor, load]) => sum + load * correlationOf(name, factor), 0)
    return [name, drawn[name] + shared * surprise]
  })
  return Object.fromEntries(moved) as Factors
}

/** A draw of the standard normal distribution, by key. */
export const standardNormal = (random: Random, key: string): number => normalQuantile(random.noise(key))

export function factorsOf(random: Random, key: string): Factors {
  const known: Record<string, number> = {}
  for (const name of names)
    known[name] = loaded(known as Factors, factors[name], standardNormal(random, `${key}/factor/${name}`))
  return known as Factors
}

/** Who a trait is asked of. */
export interface Bearer {
  readonly sex: Sex
  /** Years, with fraction. */
  readonly age: number
}

/** The distribution of a trait among people of a sex and age. */
interface TraitRow {
  readonly mean: (bearer: Bearer) => number
  /** Between people; of the natural logarithm where `isLog`. */
  readonly sd: number
  readonly isLog?: true
  readonly low: number
  readonly high: number
  readonly loads?: Loadings
}

const both = (mean: number) => () => mean
/** Those of unknown sex have the mean of both. */
export const bySex =
  (female: number, male: number) =>
  ({ sex }: { readonly sex: Sex | 'unknown' }) => {
    if (sex === 'female') return female
    return sex === 'male' ? male : (female + male) / 2
  }

/**
 * Growth: the share of an adult's height, and of an adult's body mass index, by age. Medians of the CDC growth charts of
 * 2000, rounded; those of the index are relative to adults of 20.
 */
const heightByAge = { female: curves.get('heightOfGirls'), male: curves.get('heightOfBoys') }
const massByAge = curves.get('massByAge')

/**
 * Traits that wearables and laboratories read. Published means and deviations of adults, rounded: height, body mass index
 * and blood pressure NHANES 2015-18; resting heart rate Quer and others 2020; variability, steps and sleep LifeSnaps 2021
 * and FitBit Fitness Tracker Data 2016. What has no source next to it is assumed, and so are all loads.
 */
export const traits = {
  /** Centimetres. */
  heightCm: {
    mean: (bearer) => bySex(161.3, 175.4)(bearer) * valueAt(heightByAge[bearer.sex], bearer.age),
    sd: 7.2,
    low: 80,
    high: 208,
  },
  /** Kilograms per square metre. */
  bodyMassIndex: {
    mean: ({ age }) => 28.7 * (age < 30 ? 0.94 : 1) * (age > 75 ? 0.95 : 1) * valueAt(massByAge, age),
    sd: 0.22,
    isLog: true,
    low: 13.5,
    high: 58,
    loads: { adiposity: 0.97 },
  },
  /** Beats per minute, awake and at rest. */
  restingHeart: {
    // Faster in children (143,346 children, Fleming 2011); by how much is assumed.
    mean: (bearer) => bySex(63.8, 61.2)(bearer) + Math.max(0, 1.3 * (19 - bearer.age)),
    sd: 6.7,
    low: 38,
    high: 105,
    loads: { fitness: -0.55, stress: 0.2 },
  },
  /** Milliseconds of RMSSD during sleep. It declines with age (104,431 ring users, 2020); by how much is assumed. */
  hrv: {
    mean: ({ age }) => 42 * Math.exp(-0.017 * (age - 40)),
    sd: 0.38,
    isLog: true,
    low: 8,
    high: 180,
    loads: { fitness: 0.4, stress: -0.3 },
  },
  breathsPerMinute: {
    mean: both(14.6),
    sd: 1.5,
    low: 10.5,
    high: 21,
    loads: { adiposity: 0.2, fitness: -0.2 },
  },
  /** Steps of a day without training. */
  usualSteps: {
    mean: ({ age }) => 5700 * Math.exp(-0.011 * Math.max(0, age - 55)),
    sd: 0.45,
    isLog: true,
    low: 900,
    high: 21_000,
    loads: { activity: 0.8 },
  },
  /** Workouts a week. */
  workoutsPerWeek: { mean: both(2.4), sd: 1.9, low: 0, high: 7.5, loads: { activity: 0.7, fitness: 0.2 } },
  /** Hours asleep in a usual night. */
  sleepHours: { mean: bySex(7.1, 6.9), sd: 0.75, low: 4.6, high: 9.8, loads: { stress: -0.25 } },
  /** Share of the time in bed asleep, percent. */
  sleepEfficiency: {
    mean: ({ age }) => 89 - 0.08 * (age - 40),
    sd: 2.6,
    low: 68,
    high: 97,
    loads: { stress: -0.35, adiposity: -0.15 },
  },
  /**
   * Naps of ten minutes and more. 34 % of adults nap on a typical day (Pew 2009), and 41 to 74 % at
   * least once a week (National Sleep Foundation polls, 2005-14).
   */
  napsPerWeek: {
    mean: both(1.1),
    sd: 1.6,
    low: 0,
    high: 7,
    loads: { stress: 0.2 },
  },
  /** The local time of the middle of sleep on working days, minutes after midnight. */
  midSleepMinute: {
    mean: ({ age }) => 205 - 0.7 * (age - 40),
    sd: 48,
    low: 60,
    high: 840,
    loads: { eveningness: 0.9 },
  },
  /** Millilitres of oxygen per kilogram and minute. */
  vo2Max: {
    mean: ({ sex, age }) => (sex === 'female' ? 36 : 44) - 0.33 * (age - 30),
    sd: 6.5,
    low: 14,
    high: 78,
    loads: { fitness: 0.9 },
  },
  /** Millimetres of mercury. */
  systolic: {
    mean: ({ sex, age }) => 116 + 0.25 * (age - 40) + (sex === 'male' && age < 65 ? 4 : 0),
    sd: 13,
    low: 88,
    high: 205,
    loads: { adiposity: 0.3, stress: 0.2, kidney: -0.1 },
  },
  diastolic: {
    mean: ({ age }) => 74 - 0.006 * (age - 52) ** 2,
    sd: 8,
    low: 48,
    high: 120,
    loads: { adiposity: 0.3, stress: 0.25 },
  },
  /** Millimoles per litre, in tissue. */
  fastingGlucose: {
    mean: ({ age }) => 4.9 + 0.006 * (age - 40),
    sd: 0.31,
    low: 3.9,
    high: 6.6,
    loads: { insulinResistance: 0.7 },
  },
  /** Factor of the rises after meals. */
  glucoseSwing: {
    mean: both(1),
    sd: 0.23,
    isLog: true,
    low: 0.4,
    high: 4,
    loads: { insulinResistance: 0.4 },
  },
  /** Times a week that glucose is below 3.9 mmol/L, by day and by night; in nobody, as drawn. */
  lowsPerWeek: { mean: both(0), sd: 0, low: 0, high: 14 },
  nightLowsPerWeek: { mean: both(0), sd: 0, low: 0, high: 7 },
  /** Litres. */
  vitalCapacityL: {
    mean: ({ sex, age }) => (sex === 'female' ? 3.7 : 5) - 0.024 * (age - 40),
    sd: 0.5,
    low: 1.6,
    high: 7,
    loads: { fitness: 0.3 },
  },
  /** Degrees Celsius by which the body differs from the usual course of a day. */
  temperature: { mean: both(0), sd: 0.12, low: -0.5, high: 0.5 },
  /** Percent at rest. */
  oxygen: {
    mean: ({ age }) => 97.2 - 0.012 * (age - 40),
    sd: 0.6,
    low: 92,
    high: 99,
    loads: { adiposity: -0.25 },
  },
  /** Share of the time in atrial fibrillation, percent. */
  fibrillationBurden: { mean: both(0), sd: 0, low: 0, high: 100 },
  /** Days from one period to the next, and their deviation. Source: Bull and others 2019. */
  cycleDays: { mean: ({ age }) => 29.3 - 0.09 * (age - 30), sd: 2.4, low: 21, high: 40 },
  cycleDeviationDays: { mean: both(2.4), sd: 0.35, isLog: true, low: 0.8, high: 12, loads: { stress: 0.2 } },
} as const satisfies Record<string, TraitRow>

export type Trait = keyof typeof traits
export const traitNames = keysOf(traits)

/** The value of a trait, from the person's standardised deviation. */
export function traitValue(trait: Trait, bearer: Bearer, deviation: number): number {
  const { mean, sd, low, high, isLog }: TraitRow = traits[trait]
  const middle = mean(bearer)
  const value = isLog ? middle * Math.exp(sd * deviation) : middle + sd * deviation
  return Math.min(high, Math.max(low, value))
}

/** The standardised deviation of a value of a trait; undefined where people do not differ in it. */
export function traitDeviation(trait: Trait, bearer: Bearer, value: number): number | undefined {
  const { mean, sd, isLog }: TraitRow = traits[trait]
  if (sd === 0) return undefined
  const middle = mean(bearer)
  return (isLog ? Math.log(value / middle) : value - middle) / sd
}

/** The name of a trait in files and answers: `resting_heart`. */
export const wireTrait = (trait: Trait): string =>
  trait.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The lowest and the highest value of a trait. */
export const traitBounds = (trait: Trait): Pick<TraitRow, 'low' | 'high'> => traits[trait]

export const loadsOf = (trait: Trait): Loadings => (traits[trait] as TraitRow).loads ?? {}
