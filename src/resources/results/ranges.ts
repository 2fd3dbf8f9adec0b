import type { AnalyteSeed } from '../catalogue/schema.ts'

/** Whom a sample was taken from, as far as results depend on it. */
export interface Patient {
  readonly sex: 'male' | 'female' | 'unknown'
  /** Whole years; that of an adult when nobody was named. */
  readonly age: number
}

type SeedRange = NonNullable<AnalyteSeed['range']>

/** What is usual. A bound is itself usual unless it is open. */
export interface Range {
  readonly low: number | null
  readonly high: number | null
  /** How a report prints it. */
  readonly text: string
  readonly isOpen: boolean
}

interface AgeBand {
  readonly sex?: 'male' | 'female'
  /** Youngest and oldest age in years, both included. */
  readonly from: number
  readonly to: number
  readonly low: number
  readonly high: number
}

/** Usual in an age where it is not what the catalogue says of adults; common US laboratory figures, rounded. */
const ageBands: Readonly<Record<string, readonly AgeBand[]>> = {
  'alkaline-phosphatase': [
    { from: 0, to: 12, low: 140, high: 400 },
    { from: 13, to: 17, low: 60, high: 350 },
  ],
  amh: [
    { sex: 'female', from: 18, to: 35, low: 1, high: 10 },
    { sex: 'female', from: 36, to: 45, low: 0.2, high: 6 },
    { sex: 'female', from: 46, to: 130, low: 0, high: 0.5 },
  ],
  'dhea-sulfate': [
    { sex: 'male', from: 45, to: 64, low: 60, high: 360 },
    { sex: 'male', from: 65, to: 130, low: 25, high: 280 },
    { sex: 'female', from: 45, to: 64, low: 30, high: 240 },
    { sex: 'female', from: 65, to: 130, low: 15, high: 180 },
  ],
  'igf-1': [
    { from: 12, to: 17, low: 180, high: 540 },
    { from: 51, to: 70, low: 60, high: 220 },
    { from: 71, to: 130, low: 45, high: 190 },
  ],
  'sed-rate': [
    { sex: 'male', from: 0, to: 49, low: 0, high: 15 },
    { sex: 'female', from: 0, to: 49, low: 0, high: 32 },
  ],
}

/** What is usual in a patient; undefined where nothing is. Of unknown sex: what is usual in either. */
export function rangeFor(analyte: AnalyteSeed, { sex, age }: Patient): Range | undefined {
  const band = ageBands[analyte.slug]?.find(
    (each) => age >= each.from && age <= each.to && (each.sex ?? sex) === sex,
  )
  if (band) return closed(analyte, band.low, band.high)
  const own = sex === 'unknown' ? eitherSex(analyte) : analyte[sex]
  const seed = own ?? analyte.range
  return seed && { ...seed, isOpen: isOpen(seed) }
}

function eitherSex(analyte: AnalyteSeed): SeedRange | undefined {
  const { male, female } = analyte
  if (!male || !female) return male ?? female
  const bounds = [male.low, female.low, male.high, female.high]
  if (bounds.includes(null)) return male
  const [low, high] = [Math.min(male.low ?? 0, female.low ?? 0), Math.max(male.high ?? 0, female.high ?? 0)]
  return closed(analyte, low, high)
}

function closed({ decimals = 0 }: AnalyteSeed, low: number, high: number): Range {
  return { low, high, text: `${low.toFixed(decimals)}-${high.toFixed(decimals)}`, isOpen: false }
}

/** `<5.7` and `>39` leave their bound out; `<=5.7` does not. */
const isOpen = ({ text }: SeedRange) => /^[<>](?!\s*(=|OR))/i.test(text)

export type Side = 'above' | 'below'

/** On which side of what is usual a value lies; undefined for inside. */
export function sideOf(value: number, range: Range | undefined): Side | undefined {
  if (!range) return undefined
  const { low, high, isOpen: leavesOut } = range
  if (high !== null && (value > high || (leavesOut && value === high))) return 'above'
  if (low !== null && (value < low || (leavesOut && value === low))) return 'below'
  return undefined
}

/** Whether a value is an alarm. */
export function isCritical(value: number, { critical }: AnalyteSeed): boolean {
  const { low = null, high = null } = critical ?? {}
  return (high !== null && value > high) || (low !== null && value < low)
}
