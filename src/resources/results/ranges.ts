import type { AnalyteSeed } from '../catalogue/schema.ts'
import type { Interpretation } from '../orders/schema.ts'

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

export type Side = 'above' | 'below'

/** `<5.7` and `>39` leave their bound out; `<=5.7` does not. */
const isOpen = ({ text }: SeedRange) => /^[<>](?!\s*(=|OR))/i.test(text)

interface Limits {
  readonly low: number | null
  readonly high: number | null
}

/** What is known of a value: from where to where it lies, and whether the ends are left out. */
export interface Span extends Readonly<Record<'low' | 'high', number>> {
  readonly isAbove?: boolean
  readonly isBelow?: boolean
}

/** A bound in place of a number, such as `>2000`, and a range, such as `150-200`. */
export const COMPARATOR = /^(<=?|>=?)(\d+(?:\.\d+)?)$/
export const BETWEEN = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/

/** What a bound or a range says of a value, which is not negative; undefined if the text is neither. */
export function spanOf(text: string): Span | undefined {
  const [, comparator, bound] = COMPARATOR.exec(text) ?? []
  const value = Number(bound)
  if (comparator?.startsWith('<')) return { low: 0, high: value, isBelow: comparator === '<' }
  if (comparator !== undefined)
    return { low: value, high: Number.POSITIVE_INFINITY, isAbove: comparator === '>' }
  const [, low, high] = BETWEEN.exec(text) ?? []
  return Number(low) < Number(high) ? { low: Number(low), high: Number(high) } : undefined
}

/** Whether a value is certainly above or below the range; undefined if it is or may be inside. */
export function sideOf(
  value: number | Span,
  range: (Limits & Pick<Partial<Range>, 'isOpen'>) | undefined,
): Side | undefined {
  if (!range) return undefined
  const { low, high, isAbove, isBelow }: Span =
    typeof value === 'number' ? { low: value, high: value } : value
  const leavesOut = range.isOpen === true
  if (range.high !== null && (low > range.high || (low === range.high && (leavesOut || isAbove))))
    return 'above'
  if (range.low !== null && (high < range.low || (high === range.low && (leavesOut || isBelow))))
    return 'below'
  return undefined
}

/** Whether a value is certainly inside of the range. */
function isInside({ low, high, isAbove, isBelow }: Span, range: Range): boolean {
  const isBelowTop =
    range.high === null || high < range.high || (high === range.high && (!range.isOpen || isBelow))
  const isAboveEnd =
    range.low === null || low > range.low || (low === range.low && (!range.isOpen || isAbove))
  return Boolean(isBelowTop && isAboveEnd)
}

interface Judgement {
  readonly side: Side | undefined
  readonly interpretation: Interpretation
}

/** Judges what is known of a value by the range and by the limits at which laboratories phone. */
export function judge(value: number | Span, analyte: AnalyteSeed, range: Range | undefined): Judgement {
  const side = sideOf(value, range)
  if (side) return { side, interpretation: isCritical(value, analyte) ? 'critical' : 'abnormal' }
  const isNormal = typeof value === 'number' || (range !== undefined && isInside(value, range))
  return { side, interpretation: isNormal ? 'normal' : 'unknown' }
}

const NO_LIMITS: Limits = { low: null, high: null }

/** The limits beyond which a laboratory phones, if an analyte has any. */
export const criticalOf = ({ critical }: AnalyteSeed): Limits => critical ?? NO_LIMITS

/** Whether a value is certainly critical. */
export const isCritical = (value: number | Span, analyte: AnalyteSeed): boolean =>
  sideOf(value, criticalOf(analyte)) !== undefined
