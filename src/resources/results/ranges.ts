import type { AnalyteSeed } from '../catalogue/schema.ts'

/** The patient data that results depend on. */
export interface Patient {
  readonly sex: 'male' | 'female' | 'unknown'
  /** Age in whole years; that of an adult without a patient. */
  readonly age: number
}

type SeedRange = NonNullable<AnalyteSeed['range']>

/** A reference range. Bounds are included unless open. */
export interface Range {
  readonly low: number | null
  readonly high: number | null
  /** The range as printed in a report. */
  readonly text: string
  readonly isOpen: boolean
}

/** The reference range of a patient; undefined if there is none. With unknown sex the range of both. */
export function rangeFor(analyte: AnalyteSeed, patient: Patient): Range | undefined {
  const { sex } = patient
  const band = ageBandOf(analyte, patient)
  if (band) return closed(analyte, band.low, band.high)
  const own = sex === 'unknown' ? eitherSex(analyte) : analyte[sex]
  const seed = own ?? analyte.range
  return seed && { ...seed, isOpen: isOpen(seed) }
}

/** The range of an age, if it is not that of adults in the catalogue. */
export const ageBandOf = ({ ages }: AnalyteSeed, { sex, age }: Patient) =>
  ages?.find(({ from, to = age, sex: only = sex }) => age >= from && age <= to && only === sex)

function eitherSex(analyte: AnalyteSeed): SeedRange | undefined {
  const { male, female } = analyte
  if (!male || !female) return male ?? female
  const bounds = [male.low, female.low, male.high, female.high]
  if (bounds.includes(null)) return male
  const low = Math.min(male.low ?? 0, female.low ?? 0)
  const high = Math.max(male.high ?? 0, female.high ?? 0)
  return closed(analyte, low, high)
}

function closed({ decimals = 0 }: AnalyteSeed, low: number, high: number): Range {
  return { low, high, text: `${low.toFixed(decimals)}-${high.toFixed(decimals)}`, isOpen: false }
}

/** `<5.7` and `>39` leave their bound out; `<=5.7` does not. */
const isOpen = ({ text }: SeedRange) => /^[<>](?!\s*(=|OR))/i.test(text)

export type Side = 'above' | 'below'

/** Whether a value is above or below the range; undefined if inside. */
export function sideOf(value: number, range: Range | undefined): Side | undefined {
  if (!range) return undefined
  const { low, high, isOpen: leavesOut } = range
  if (high !== null && (value > high || (leavesOut && value === high))) return 'above'
  if (low !== null && (value < low || (leavesOut && value === low))) return 'below'
  return undefined
}

interface Limits {
  readonly low: number | null
  readonly high: number | null
}

export const NO_LIMITS: Limits = { low: null, high: null }

/** The limits beyond which a laboratory phones, if an analyte has any; as in lists of US hospitals (Iowa, Houston Methodist). */
export const criticalOf = ({ critical }: AnalyteSeed): Limits => critical ?? NO_LIMITS

/** The critical limits, or the extremes of an analyte without them. */
export const extremesOf = (analyte: AnalyteSeed): Limits => analyte.critical ?? analyte.extremes ?? NO_LIMITS

/** Whether a value is critical. */
export const isCritical = (value: number, analyte: AnalyteSeed): boolean =>
  isBeyond(value, criticalOf(analyte))

export const isBeyond = (value: number, { low, high }: Limits): boolean =>
  (high !== null && value > high) || (low !== null && value < low)
