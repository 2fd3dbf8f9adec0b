import type { AnalyteSeed } from '../catalogue/schema.ts'
import { latents } from './biology.ts'
import { familyOf, formulas, notApplicable } from './derived.ts'
import { type Sample, usualLevel } from './levels.ts'
import { driverOf, type Known, models } from './models.ts'
import { patterns } from './patterns.ts'
import { criticalOf, isCritical, type Range, rangeFor, type Side, sideOf } from './ranges.ts'

/** The analyte that is to be out of range, and the medical condition that causes it. */
export interface Goal {
  readonly slug: string
  readonly level: 'abnormal' | 'critical'
  readonly side: Side
  readonly pattern?: string | undefined
}

/** A number rounded as the laboratory reports it, or why there is none. */
export type Value = number | string
type Values = ReadonlyMap<string, Value>

/** The shares by which levels are moved towards the mean until calculated values are as required. */
const PULLS = [0, 0.2, 0.4, 0.6, 0.8, 1]

/** The values of an analyte and of all that depend on each other with it; reported and given values stay. */
export function familyValues(
  sample: Sample,
  slug: string,
  goals: readonly Goal[] = [],
  reported: Values = new Map(),
  given: Values = new Map(),
): Values {
  const members = familyOf(slug).filter((each) => latents[each] || sample.analytes.has(each))
  const targets = [
    ...members.flatMap((each) => givenTarget(each, given.get(each))),
    ...goals
      .flatMap((goal) => targetsOf(sample, members, goal))
      .filter((each) => !reported.has(each.slug) && !given.has(each.slug)),
  ]
  let best: Values = new Map()
  let fewest = Number.POSITIVE_INFINITY
  for (const pull of PULLS) {
    const values = draw({ sample, members, reported, given, pull }, targets)
    const wrong = distanceToTargets(sample, values, goals)
    if (wrong < fewest) [best, fewest] = [values, wrong]
    // If an analyte is out of range, dependent ones may be, too.
    if (fewest === 0 || sample.mayBeAbnormal || (targets.length > 0 && fewest < 100)) break
  }
  return given.size > 0 ? withoutImpossible(best, given) : best
}

/** Replaces calculated values that the given ones make negative or infinite. */
const withoutImpossible = (values: Values, given: Values): Values =>
  new Map(
    [...values].map(([slug, value]) => {
      const isPossible = typeof value === 'string' || (Number.isFinite(value) && value >= 0)
      return [slug, isPossible || given.has(slug) || !formulas[slug] ? value : CONTRADICTION] as const
    }),
  )

const CONTRADICTION = 'Not calculated: the measured values contradict each other'

interface Target {
  readonly slug: string
  readonly value: number
}

const givenTarget = (slug: string, value: Value | undefined): Target[] =>
  typeof value === 'number' ? [{ slug, value }] : []

/** The target values that a goal and its condition set for dependent analytes. */
function targetsOf(sample: Sample, members: readonly string[], goal: Goal): Target[] {
  const signs = patterns[goal.pattern ?? ''] ?? []
  const targets: Target[] = []
  const lead = members.includes(goal.slug) ? leadValue(sample, goal) : undefined
  if (lead !== undefined) targets.push({ slug: goal.slug, value: lead })
  for (const { slug, side, mild, severe } of signs) {
    const analyte = sample.analytes.get(slug)
    const range = analyte && rangeFor(analyte, sample.patient)
    const bound = side === 'above' ? range?.high : range?.low
    if (!bound || !analyte || slug === goal.slug || !members.includes(slug)) continue
    const value = bound * (mild + (severe - mild) * severityOf(sample, goal))
    targets.push({ slug, value: belowCritical(analyte, value) })
  }
  return targets
}

/** The severity of a person's condition, from 0 to 1; it varies a little between samples. */
function severityOf({ random, person, key }: Sample, { level, pattern }: Goal): number {
  if (level === 'critical') return 1
  return (
    0.85 * random.noise(`${person}/severity/${pattern}`) + 0.15 * random.noise(`${key}/severity/${pattern}`)
  )
}

function leadValue(sample: Sample, goal: Goal): number | undefined {
  const analyte = sample.analytes.get(goal.slug)
  const range = analyte && rangeFor(analyte, sample.patient)
  if (!analyte || !range) return undefined
  const sign = patterns[goal.pattern ?? '']?.find(
    ({ slug, side }) => slug === goal.slug && side === goal.side,
  )
  const bound = (goal.side === 'above' ? range.high : range.low) ?? 0
  if (sign && goal.level === 'abnormal') {
    const factor = sign.mild + (sign.severe - sign.mild) * severityOf(sample, goal)
    return belowCritical(analyte, beyond(bound, bound * factor, analyte, goal.side))
  }
  return outside(analyte, range, goal, sample.random.noise(`${sample.person}/beyond/${goal.slug}`))
}

/** At least a step beyond a bound. */
function beyond(bound: number, value: number, { decimals = 0 }: AnalyteSeed, side: Side): number {
  const step = 1.5 * 10 ** -decimals
  return side === 'above' ? Math.max(value, bound + step) : Math.max(0, Math.min(value, bound - step))
}

function belowCritical(analyte: AnalyteSeed, value: number): number {
  const { low, high } = criticalOf(analyte)
  return Math.max(Math.min(value, (high ?? Number.POSITIVE_INFINITY) * 0.95), (low ?? 0) * 1.05)
}

/** A value beyond a bound; critical only if that is requested. */
function outside(analyte: AnalyteSeed, range: Range, { level, side }: Goal, noise: number): number {
  const isAbove = side === 'above'
  const bound = (isAbove ? range.high : range.low) ?? 0
  const critical = isAbove ? criticalOf(analyte).high : criticalOf(analyte).low
  const width = (range.high ?? (range.low ?? 1) * 2) - (range.low ?? 0)
  if (level === 'critical' && critical === null)
    return isAbove ? bound * (6 + 4 * noise) : bound / (6 + 4 * noise)
  const toCritical = Math.abs((critical ?? Number.POSITIVE_INFINITY) - bound)
  const [start, way] =
    level === 'critical' && critical !== null
      ? [critical, toCritical * (0.05 + 0.25 * noise)]
      : [bound, Math.min(width, toCritical, isAbove ? width : bound * 0.6) * (0.1 + 0.5 * noise)]
  const step = Math.max(way, 10 ** -(analyte.decimals ?? 0))
  return Math.max(isAbove ? start + step : start - step, 0)
}

interface Drawing {
  readonly sample: Sample
  /** Latents first, then what is measured, then what is calculated. */
  readonly members: readonly string[]
  readonly reported: Values
  readonly given: Values
  readonly pull: number
}

/** Draws a person's levels, adjusted to the targets. */
function draw(drawing: Drawing, targets: readonly Target[]): Values {
  const fixed = new Map<string, number>()
  for (const target of targets) {
    const driver = driverOf(target.slug)
    const isFixed = (slug: string) => fixed.has(slug) || (drawing.given.has(slug) && slug !== target.slug)
    if (fixed.has(driver) && !drawing.given.has(target.slug)) continue
    const leaves = drawing.members.filter((slug) => !formulas[slug] && !models[slug] && !isFixed(slug))
    const inTurn = leaves.toSorted((a, b) => Number(b === driver) - Number(a === driver))
    for (const leaf of inTurn) {
      const found = leaf === target.slug ? target.value : solve(drawing, fixed, leaf, target)
      if (found === undefined) continue
      fixed.set(leaf, found)
      break
    }
  }
  const values = new Map(evaluate(drawing, fixed))
  for (const slug of Object.keys(latents)) values.delete(slug)
  return values
}

/** The maximum factor by which a leaf is changed to reach a target. */
const MAX_FACTOR = 1000
const HALVINGS = 32

/** The level of a leaf that yields the target value; undefined if no level does. */
function solve(
  drawing: Drawing,
  fixed: ReadonlyMap<string, number>,
  leaf: string,
  { slug, value }: Target,
): number | undefined {
  const at = (level: number) => Number(evaluate(drawing, new Map([...fixed, [leaf, level]]), slug).get(slug))
  const start = Number(evaluate(drawing, fixed).get(leaf)) || 1
  let low = start / MAX_FACTOR
  let high = start * MAX_FACTOR
  // A formula may be undefined at large inputs.
  while (Number.isNaN(at(high)) && high > start) high = Math.max(start, high / 1.5)
  const atLow = at(low)
  const atHigh = at(high)
  if (Number.isNaN(atLow + atHigh) || atLow === atHigh) return undefined
  if (value < Math.min(atLow, atHigh) || value > Math.max(atLow, atHigh)) return undefined
  for (let nth = 0; nth < HALVINGS; nth++) {
    const middle = Math.sqrt(low * high)
    if (at(middle) < value === atLow < atHigh) low = middle
    else high = middle
  }
  return atLow < atHigh ? high : low
}

/** The values at these levels of the leaves; that of `open` is computed even if it is given. */
function evaluate(
  { sample, members, reported, given, pull }: Drawing,
  fixed: ReadonlyMap<string, number>,
  open?: string,
): Values {
  const values = new Map<string, Value>()
  const { random, key, patient, analytes } = sample
  for (const slug of members) {
    const known: Known = {
      of: (other) => Number(values.get(other)),
      patient,
      noise: random.noise(`${key}/${slug}`),
    }
    const analyte = analytes.get(slug)
    const formula = formulas[slug]
    const exact = slug === open ? undefined : given.get(slug)
    if (exact !== undefined) {
      values.set(slug, exact)
      continue
    }
    const value =
      reported.get(slug) ??
      notApplicable(slug, patient) ??
      formula?.unless?.(known) ??
      formula?.compute(known) ??
      fixed.get(slug) ??
      models[slug]?.compute(known) ??
      usualLevel(sample, slug, analyte, pull)
    values.set(slug, analyte && typeof value === 'number' ? rounded(analyte, value) : value)
  }
  return values
}

const rounded = ({ decimals = 0 }: AnalyteSeed, value: number): number => Number(value.toFixed(decimals))

/** The distance of a set of values from the targets; 0 if all are met. */
function distanceToTargets(sample: Sample, values: Values, goals: readonly Goal[]): number {
  let wrong = 0
  for (const [slug, value] of values) {
    const analyte = sample.analytes.get(slug)
    if (typeof value !== 'number' || !analyte) continue
    if (!Number.isFinite(value) || value < 0) return 10_000
    const side = sideOf(value, rangeFor(analyte, sample.patient))
    const goal = goals.find((each) => each.slug === slug)
    if (goal) {
      const isAlarm = isCritical(value, analyte)
      const isMet = side === goal.side && (goal.level === 'critical' || !isAlarm)
      if (!isMet) wrong += 1000
    } else {
      if (side) wrong += 1
      if (isCritical(value, analyte)) wrong += 100
    }
  }
  return wrong
}
