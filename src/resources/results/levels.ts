import { clamp } from '../../kernel/compare.ts'
import { DAY_MS } from '../../kernel/instant.ts'
import { normalShare, normalWithin } from '../../kernel/normal.ts'
import type { LabEffect } from '../../people/conditions.ts'
import { cycleOn } from '../../people/cycles.ts'
import { ADULT, daysBetween, seasonOf } from '../../people/dates.ts'
import { lifeOn } from '../../people/life.ts'
import { between } from '../../people/noise.ts'
import type { Person } from '../../people/person.ts'
import { loaded, standardNormal } from '../../people/traits.ts'
import type { AnalyteSeed } from '../catalogue/schema.ts'
import { type Biology, biology, type CyclePhase, meanOf } from './biology.ts'
import { ageBandOf, type Patient, rangeFor } from './ranges.ts'
import { titreOf } from './serology.ts'

/** The sample that values are generated for. */
export interface DrawnSample {
  readonly person: Person
  /** The key of the transaction and the edition of its results. */
  readonly key: string
  /** The day of the collection, `YYYY-MM-DD`. */
  readonly date: string
  readonly patient: Patient
  readonly analytes: ReadonlyMap<string, AnalyteSeed>
  /** When in the day it was drawn, and whether after a fast; a fast in the morning where left out. */
  readonly draw?: Draw
  /** Whether levels are those of the population, or lie in the reference range. */
  readonly isNatural: boolean
  /** The multiples by which conditions, treatments and episodes change what is drawn, by slug. */
  readonly effects: ReadonlyMap<string, number>
}

/** The draw of a sample. */
export interface Draw {
  /** Of the day, where it was drawn, with fraction. */
  readonly hour: number
  readonly isFasting: boolean
}

/** The level of an analyte, by the share by which it is moved towards the mean. */
type LevelAt = (pull: number) => number

/** Draws an analyte: the person's level, which drifts, and the deviation of this sample from it. */
export function drawOf(sample: DrawnSample, slug: string): LevelAt {
  const { person, key, date, isNatural } = sample
  const constant = ownLevel(sample, slug)
  if (constant !== undefined) return () => constant * (sample.effects.get(slug) ?? 1)
  const distribution = distributionOf(sample, slug)
  const { within, low, high, log, winter = 0 } = distribution
  const own = deviationOf(person, slug, distribution)
  const passing =
    Math.sqrt(DRIFT) * drift(person, slug, date) +
    Math.sqrt(1 - DRIFT) * standardNormal(person.random, `${key}/${slug}`)
  const season = winter === 0 ? 0 : winter * seasonOf(date)
  const effect = sample.effects.get(slug) ?? 1
  return (pull) => {
    const share = 1 - pull
    const level = levelOf(sample, distribution, own * share)
    const unit = log ? 1 : Math.abs(level)
    const middle = level + season * unit
    const drawn = isNatural
      ? Math.max(middle + within * unit * passing, log ? Number.NEGATIVE_INFINITY : middle / 10)
      : normalWithin(normalShare(passing * share), middle, within * unit, low, high)
    return (log ? Math.exp(drawn) : drawn) * effect
  }
}

/** The person's usual level, without what a condition or a day does to it. */
export function usualLevel(sample: DrawnSample, slug: string): number {
  const constant = ownLevel(sample, slug)
  if (constant !== undefined) return constant
  const distribution = distributionOf(sample, slug)
  const level = levelOf(sample, distribution, deviationOf(sample.person, slug, distribution))
  return distribution.log ? Math.exp(level) : level
}

/** The level of people who deviate so from others. */
const levelOf = ({ isNatural }: DrawnSample, { mean, sd, low, high }: Distribution, deviation: number) =>
  isNatural
    ? clamp(mean + sd * deviation, low, high)
    : normalWithin(normalShare(deviation), mean, sd, low, high)

/** A range that is wider is divided by its logarithm. */
const WIDE = 6

/** The level of an analyte whose distribution nobody has published: an unremarkable one of the person's own, always the same. Undefined for all others. */
function ownLevel(sample: DrawnSample, slug: string): number | undefined {
  const { analytes, patient, person } = sample
  const analyte = analytes.get(slug)
  if (!analyte) return undefined
  const titre = titreOf(sample, analyte)
  if (titre !== undefined) return titre
  if (biology.has(slug)) return undefined
  if (analyte.normal !== undefined) return 0
  const [low, high] = boundsOf(analyte, patient)
  const share = between(person.random.noise(`person/${person.drawKey}/level/${slug}`), 0.1, 0.9)
  // What is only ever too high is low in health.
  if (!rangeFor(analyte, patient)?.low && !analyte.typical?.low) return high * 0.05 * WIDE ** share
  return high / low > WIDE ? low * (high / low) ** share : low + share * (high - low)
}

/** A person's standardised deviation from others, which is stable. */
function deviationOf(
  person: Person,
  slug: string,
  { trait, loads = {} }: Pick<Biology, 'trait' | 'loads'>,
): number {
  if (trait) return person.deviations[trait]
  return loaded(
    person.factors,
    loads,
    standardNormal(person.random, `person/${person.drawKey}/level/${slug}`),
  )
}

/** The share of the variation within a person that changes slowly, and the days in which it does. */
const DRIFT = 0.5
const DRIFT_DAYS = 91

/** A standardised deviation that changes slowly, from one draw to the next. */
function drift({ random, drawKey }: Person, slug: string, date: string): number {
  const at = Date.parse(date) / (DAY_MS * DRIFT_DAYS)
  const nth = Math.floor(at)
  const drawn = (each: number) => standardNormal(random, `person/${drawKey}/drift/${slug}/${each}`)
  const turn = ((at - nth) * Math.PI) / 2
  return drawn(nth) * Math.cos(turn) + drawn(nth + 1) * Math.sin(turn)
}

/** A row of the table with its bounds; logarithms if the distribution is log-normal. */
interface Distribution extends Pick<Biology, 'within' | 'trait' | 'loads' | 'winter'> {
  readonly log: boolean
  readonly mean: number
  readonly sd: number
  readonly low: number
  readonly high: number
}

/** The distribution of levels among people like the patient. */
function distributionOf(
  { analytes, patient, person, date, isNatural }: DrawnSample,
  slug: string,
): Distribution {
  const own: Biology = biology.get(slug) ?? { within: 0 }
  const analyte = analytes.get(slug)
  const bounds = boundsOf(analyte, patient)
  const { low = bounds[0], high = bounds[1] } = own
  const adultMean = meanOf(slug, patient, {
    phase: () => phaseOf(person, date),
    life: () => lifeOn(person, date),
  })
  const isMeant =
    adultMean !== undefined &&
    (patient.age >= ADULT || !(analyte && ageBandOf(analyte, patient))) &&
    (!analyte || isNatural || (adultMean > low * 0.8 && adultMean < high * 1.3))
  const log = own.log ?? (adultMean === undefined && high / low > 6)
  const scale = log ? Math.log : (value: number) => value
  const usualMean = log ? Math.sqrt(low * high) : (low + high) / 2
  const usualSd = (log ? Math.log(high / low) : high - low) / 4
  const mean = isMeant ? adultMean : usualMean
  const sd = isMeant && own.sd !== undefined ? own.sd : usualSd
  const middle = scale(mean)
  if (!isNatural) return { ...own, log, mean: middle, sd, low: scale(low), high: scale(high) }
  const least = log ? middle - 3.5 * sd : Math.max(mean / 10, mean - 3.5 * sd)
  return { ...own, log, mean: middle, sd, low: least, high: middle + 3.5 * sd }
}

/** The peak of hormones is on the day of ovulation and the one before. */
function phaseOf(person: Person, date: string): CyclePhase | undefined {
  const cycle = cycleOn(person, date)
  if (!cycle) return undefined
  if (cycle.ovulation === null) return 'follicular'
  const left = daysBetween(date, cycle.ovulation)
  if (left > 1) return 'follicular'
  return left >= 0 ? 'ovulation' : 'luteal'
}

/** The bounds of the normal range, without open bounds. */
function boundsOf(analyte: AnalyteSeed | undefined, patient: Patient): [low: number, high: number] {
  const { typical, male, female, decimals = 0 } = analyte ?? {}
  const range = analyte && rangeFor(analyte, patient)
  const step = range?.isOpen ? 10 ** -decimals : 0
  const high = range?.high ?? typical?.high ?? male?.high ?? female?.high ?? (range?.low ?? 0.5) * 2
  const low = range?.low ?? typical?.low ?? male?.low ?? female?.low ?? 0
  const top = range?.high == null ? high : high - step
  const bottom = range?.low == null ? low : low + step
  return [bottom > 0 ? bottom : top * 0.12, top]
}

/**
 * After a meal, compared with a fast: triglycerides and glucose in the hours after a usual meal; insulin is assumed to double.
 * Non-fasting triglycerides are up to 26 mg/dL higher (92,285 people, Langsted and Nordestgaard 2019).
 */
const afterMeals = { triglycerides: 1.22, '~glucose': 1.07, insulin: 2, '~c-peptide': 1.1 }

/** At four in the afternoon compared with eight in the morning: cortisol halves; the others are assumed. */
const inTheAfternoon = { cortisol: 0.5, iron: 0.8, tsh: 0.85, 'testosterone-total': 0.85 }
const [MORNING, AFTERNOON] = [8, 16]

/** The multiples by which the hour of a draw, and a meal before it, change a sample. */
export function multiplesAt({ hour, isFasting }: Draw): LabEffect[] {
  const share = clamp((hour - MORNING) / (AFTERNOON - MORNING), 0, 1.2)
  const changed = (times: Readonly<Record<string, number>>, power: number) =>
    Object.entries(times).map(([slug, factor]) => ({ slug, times: factor ** power }))
  return [...changed(inTheAfternoon, share), ...changed(isFasting ? {} : afterMeals, 1)]
}
