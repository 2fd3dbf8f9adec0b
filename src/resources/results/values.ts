import type { Random } from '../../kernel/random.ts'
import type { AnalyteSeed } from '../catalogue/schema.ts'
import { familyOf, formulas, type Known } from './derived.ts'
import { isCritical, type Patient, type Range, rangeFor, type Side, sideOf } from './ranges.ts'

/** What values are a function of. */
export interface Sample {
  readonly random: Random
  /** The transaction, and which edition of its results. */
  readonly key: string
  readonly patient: Patient
  readonly analytes: ReadonlyMap<string, AnalyteSeed>
}

/** The analyte that is to lie outside what is usual. */
export interface Goal {
  readonly slug: string
  readonly level: 'abnormal' | 'critical'
  readonly side: Side
}

/** A number as precise as the laboratory reports it, or why there is none. */
export type Value = number | string

/** How often values that hang together are drawn until all of them are as they should be. */
const ATTEMPTS = 300

/** Values of an analyte and of all that hang together with it by formulas; those that are told already stay. */
export function familyValues(
  sample: Sample,
  slug: string,
  goal?: Goal,
  told: ReadonlyMap<string, Value> = new Map(),
): ReadonlyMap<string, Value> {
  const members = familyOf(slug).flatMap((each) => sample.analytes.get(each) ?? [])
  const tries = members.length === 1 ? 1 : ATTEMPTS
  let best: ReadonlyMap<string, Value> = new Map()
  let fewest = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < tries && fewest > 0; attempt++) {
    const values = draw(sample, members, attempt, { goal, told })
    const wrong = wrongness(sample, members, values, goal)
    if (wrong < fewest) [best, fewest] = [values, wrong]
  }
  return best
}

function draw(
  sample: Sample,
  members: readonly AnalyteSeed[],
  attempt: number,
  { goal, told }: { readonly goal: Goal | undefined; readonly told: ReadonlyMap<string, Value> },
): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>()
  const numberOf = (slug: string) => Number(values.get(slug))
  // A calculated value leaves what is usual only when those it is worked out from have room, and ever more of it.
  const room = goal && formulas[goal.slug] && attempt % 2 === 1 ? 1 + attempt / 10 : 0
  for (const analyte of members) {
    const noise = sample.random.noise(`${sample.key}/${analyte.slug}/${attempt}`)
    const formula = formulas[analyte.slug]
    const known: Known = { of: numberOf, patient: sample.patient, noise }
    const value =
      told.get(analyte.slug) ??
      formula?.unless?.(known) ??
      formula?.compute(known) ??
      measured(analyte, sample.patient, noise, goal?.slug === analyte.slug ? goal : undefined, room)
    values.set(analyte.slug, typeof value === 'string' ? value : rounded(analyte, value))
  }
  return values
}

const rounded = ({ decimals = 0 }: AnalyteSeed, value: number): number => Number(value.toFixed(decimals))

function measured(
  analyte: AnalyteSeed,
  patient: Patient,
  noise: number,
  goal: Goal | undefined,
  room: number,
): number {
  const range = rangeFor(analyte, patient)
  if (goal && range) return outside(analyte, range, goal, noise)
  const [low, high] = usual(analyte, range)
  const span = high - low
  const [from, to] = [Math.max(low - span * room, low / (1 + room)), high + span * room]
  return from > 0 && to / from > 6 ? from * (to / from) ** noise : from + (to - from) * noise
}

/** Where healthy values lie: well inside what is usual. */
function usual({ typical, male, female }: AnalyteSeed, range: Range | undefined): [number, number] {
  if (typical) return [typical.low, typical.high]
  const { low, high } = range ?? male ?? female ?? { low: 0, high: 1 }
  const [bottom, top] = [low ?? 0, high ?? (low ?? 1) * 2]
  const span = top - bottom
  return bottom > 0 && top / bottom > 6
    ? [bottom * (top / bottom) ** 0.2, bottom * (top / bottom) ** 0.8]
    : [bottom + span * (bottom === 0 ? 0.15 : 0.12), bottom + span * 0.85]
}

/** A value beyond a bound; short of an alarm unless it is to be one. */
function outside(
  { critical, decimals = 0 }: AnalyteSeed,
  range: Range,
  { level, side }: Goal,
  noise: number,
) {
  const isAbove = side === 'above'
  const bound = (isAbove ? range.high : range.low) ?? 0
  const alarm = (isAbove ? critical?.high : critical?.low) ?? null
  const width = (range.high ?? (range.low ?? 1) * 2) - (range.low ?? 0)
  const room = alarm === null ? (isAbove ? width : Math.min(width, bound * 0.6)) : Math.abs(alarm - bound)
  const start = level === 'critical' && alarm !== null ? alarm : bound
  const share =
    level === 'critical' ? (alarm === null ? 0.9 + 0.6 * noise : 0.05 + 0.25 * noise) : 0.1 + 0.5 * noise
  const step = Math.max(room * share, 10 ** -decimals)
  return Math.max(isAbove ? start + step : start - step, 0)
}

/** How far a set of values is from what was asked for; 0 is exactly that. */
function wrongness(
  { patient }: Sample,
  members: readonly AnalyteSeed[],
  values: ReadonlyMap<string, Value>,
  goal: Goal | undefined,
): number {
  let wrong = 0
  for (const analyte of members) {
    const value = values.get(analyte.slug)
    if (typeof value !== 'number') continue
    if (!Number.isFinite(value) || value < 0) return 10_000
    const side = sideOf(value, rangeFor(analyte, patient))
    if (goal?.slug === analyte.slug) {
      const isMet =
        side === goal.side &&
        (goal.level === 'critical' ? !analyte.critical || isCritical(value, analyte) : true)
      if (!isMet) wrong += 1000
    } else if (side) wrong += 1
    if (goal?.level !== 'critical' && isCritical(value, analyte)) wrong += 100
  }
  return wrong
}
