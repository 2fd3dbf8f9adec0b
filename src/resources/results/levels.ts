import { normalWithin } from '../../kernel/normal.ts'
import type { Random } from '../../kernel/random.ts'
import type { AnalyteSeed } from '../catalogue/schema.ts'
import { type Biology, biology, latents, OTHER_WITHIN } from './biology.ts'
import { ageBandOf, type Patient, rangeFor } from './ranges.ts'

/** The keys of generated values. */
export interface Sample {
  readonly random: Random
  /** The key of the person; a person's levels are stable. */
  readonly person: string
  /** The key of the transaction and the edition of its results. */
  readonly key: string
  readonly patient: Patient
  readonly analytes: ReadonlyMap<string, AnalyteSeed>
  /** Whether values without a goal may be out of range. */
  readonly mayBeAbnormal?: boolean
}

/** A person's level of an analyte, and the deviation of this sample from it. */
export function usualLevel(
  sample: Sample,
  slug: string,
  analyte: AnalyteSeed | undefined,
  pull: number,
): number {
  const { random, person, key } = sample
  const { within, mean, sd, low, high, log } = distributionOf(sample, slug, analyte)
  const [scale, back] = log ? [Math.log, Math.exp] : [identity, identity]
  const pulled = (chance: number) => 0.5 + (chance - 0.5) * (1 - pull)
  const inner = (bound: number, sign: 1 | -1) => scale(bound) + sign * 1.3 * within * (log ? 1 : bound)
  const chance = pulled(random.noise(`${person}/level/${slug}`))
  const level = normalWithin(chance, scale(mean), sd, inner(low, 1), inner(high, -1))
  const deviation = within * (log ? 1 : Math.abs(level))
  const drawn = normalWithin(
    pulled(random.noise(`${key}/${slug}`)),
    level,
    deviation,
    scale(low),
    scale(high),
  )
  return back(drawn)
}

const identity = (value: number) => value

interface Distribution {
  readonly within: number
  readonly mean: number
  readonly sd: number
  readonly low: number
  readonly high: number
  readonly log: boolean
}

const ADULT = 18

/** The distribution of levels among people like the patient, and its bounds. */
function distributionOf(sample: Sample, slug: string, analyte: AnalyteSeed | undefined): Distribution {
  const own: Biology = latents[slug] ?? biology[slug] ?? { within: OTHER_WITHIN }
  const [low, high] = latents[slug]
    ? [latents[slug].low, latents[slug].high]
    : boundsOf(analyte, sample.patient)
  const log = own.log ?? (own.mean === undefined && low > 0 && high / low > 6)
  const adultMean = typeof own.mean === 'function' ? own.mean(sample.patient) : own.mean
  const isMeant =
    adultMean !== undefined &&
    (sample.patient.age >= ADULT || !ageBandOf(slug, sample.patient)) &&
    (!analyte || (adultMean > low * 0.8 && adultMean < high * 1.3))
  const middle = log ? Math.sqrt(low * high) : (low + high) / 2
  const mean = isMeant ? adultMean : middle
  const sd = isMeant && own.sd !== undefined ? own.sd : (log ? Math.log(high / low) : high - low) / 4
  if (!sample.mayBeAbnormal) return { within: own.within, mean, sd, low, high, log }
  return log
    ? { within: own.within, mean, sd, low: mean * Math.exp(-3 * sd), high: mean * Math.exp(3.5 * sd), log }
    : { within: own.within, mean, sd, low: Math.max(mean / 10, mean - 3 * sd), high: mean + 3.5 * sd, log }
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
