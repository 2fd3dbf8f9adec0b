import * as z from 'zod'
import factorRows from '../../seeds/people/factors.json' with { type: 'json' }
import traitRows from '../../seeds/people/traits.json' with { type: 'json' }
import { clamp } from '../kernel/compare.ts'
import { entriesOf, keysOf } from '../kernel/fields.ts'
import { perOwner } from '../kernel/kept.ts'
import { normalQuantile } from '../kernel/normal.ts'
import type { Random } from '../kernel/random.ts'
import { bundledTable, type SeedRow } from '../kernel/seed-table.ts'
import { points, valueAt } from './points.ts'

export type Sex = 'female' | 'male'

/** Standardised hidden factors of a person: mean 0, standard deviation 1 among people. Each depends on those above it with the correlations of its row. */
export type Factor = keyof typeof factorRows
export type Factors = Readonly<Record<Factor, number>>

/** Weights of factors; what they do not explain is the person's own. */
export type Loadings = SeedRow<typeof loadings>

const factors = bundledTable('people/factors.json', factorRows, () => z.record(z.string(), z.number()))
const names = keysOf(factorRows)
export const loadings = () => z.partialRecord(z.enum(names), z.number())

/** Covariances of the factors, from which the weight of the unexplained part follows. */
const correlations = new Map<string, number>()
const correlationOf = (one: Factor, other: Factor): number =>
  one === other ? 1 : (correlations.get(`${one}/${other}`) ?? 0)
for (const name of names) {
  const loadings = entriesOf<Loadings>(factors.get(name))
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
    known[name] = loaded(known as Factors, factors.get(name), standardNormal(random, `${key}/factor/${name}`))
  return known as Factors
}

/** Who a trait is asked of. */
export interface Bearer {
  readonly sex: Sex
  /** Years, with fraction. */
  readonly age: number
}

/** The distribution of a trait among people of a sex and age. */
const traitRow = () =>
  z.strictObject({
    note: z.string().optional(),
    /** At 40 years. */
    mean: z.union([z.number(), z.strictObject({ female: z.number(), male: z.number() })]).optional(),
    perYear: z.number().optional(),
    /** The mean by age, instead. */
    byAge: z.strictObject({ female: points(), male: points() }).optional(),
    /** Between people; of the natural logarithm where `isLog`. */
    sd: z.number(),
    isLog: z.literal(true).optional(),
    low: z.number(),
    high: z.number(),
    loads: loadings().optional(),
  })
type TraitRow = SeedRow<typeof traitRow>

/** Those of unknown sex have the mean of both. */
export const bySex =
  (female: number, male: number) =>
  ({ sex }: { readonly sex: Sex | 'unknown' }) => {
    if (sex === 'female') return female
    return sex === 'male' ? male : (female + male) / 2
  }

/**
 * Traits that wearables and laboratories read. Published means and deviations of adults, rounded: height, body mass index
 * and blood pressure NHANES 2015-18; resting heart rate Quer and others 2020; variability, steps and sleep LifeSnaps 2021
 * and FitBit Fitness Tracker Data 2016. Growth: medians of the CDC growth charts of 2000. What has no source next to it is assumed, and so are all loads.
 */
const traits = bundledTable('people/traits.json', traitRows, traitRow)

export type Trait = keyof typeof traitRows
export const traitNames = [...traits.keys()]

function meanOf(trait: Trait, bearer: Bearer): number {
  const { mean = 0, perYear = 0, byAge } = traits.get(trait)
  if (byAge) return valueAt(byAge[bearer.sex], bearer.age)
  const middle = typeof mean === 'number' ? mean : bySex(mean.female, mean.male)(bearer)
  return middle + perYear * (bearer.age - 40)
}

/** The value of a trait, from the person's standardised deviation. */
export function traitValue(trait: Trait, bearer: Bearer, deviation: number): number {
  const { sd, low, high, isLog } = traits.get(trait)
  const middle = meanOf(trait, bearer)
  const value = isLog ? middle * Math.exp(sd * deviation) : middle + sd * deviation
  return clamp(value, low, high)
}

/** The standardised deviation of a value of a trait; undefined where people do not differ in it. */
export function traitDeviation(trait: Trait, bearer: Bearer, value: number): number | undefined {
  const { sd, isLog } = traits.get(trait)
  if (sd === 0) return undefined
  const middle = meanOf(trait, bearer)
  return (isLog ? Math.log(value / middle) : value - middle) / sd
}

/** The name of a trait in files and answers: `resting_heart`. */
export const wireTrait = (trait: Trait): string =>
  trait.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The lowest and the highest value of a trait. */
export const traitBounds = (trait: Trait): Pick<TraitRow, 'low' | 'high'> => traits.get(trait)

export const loadsOf = (trait: Trait): Loadings => traits.get(trait).loads ?? {}
