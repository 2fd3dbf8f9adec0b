import { clamp } from '../../kernel/compare.ts'
import { compact } from '../../kernel/list.ts'
import {
  type ConditionName,
  conditionTable,
  episodeTable,
  type LabEffect,
  type Sign,
  treatmentTable,
} from '../../people/conditions.ts'
import { lifeOn } from '../../people/life.ts'
import { type ConditionState, episodesBetween, treatmentsOn } from '../../people/person.ts'
import type { AnalyteSeed } from '../catalogue/schema.ts'
import { isLatent } from './biology.ts'
import { familyOf, formulas, notApplicable } from './derived.ts'
import { type DrawnSample, drawOf, multiplesAt, usualLevel } from './levels.ts'
import { driverOf, inverse, models } from './models.ts'
import { multiplesOf } from './phases.ts'
import { criticalOf, isCritical, type Range, rangeFor, type Side, sideOf } from './ranges.ts'
import { hasAntibody } from './serology.ts'

/** The analyte that is to be out of range. */
export interface Goal {
  readonly slug: string
  readonly level: 'abnormal' | 'critical'
  readonly side: Side
  /** The condition that causes it. */
  readonly cause?: ConditionState
}

/** A number rounded as the laboratory reports it, or why there is none. */
export type Value = number | string
type Values = ReadonlyMap<string, Value>

export const signsOf = ({ name, sign }: { name: ConditionName; sign?: Sign | undefined }): readonly Sign[] =>
  sign ? [sign] : conditionTable.get(name).signs

/** A sample with what conditions do to it, and what treatments do; in a natural one also what episodes do. */
export function withConditions(sample: DrawnSample, conditions: readonly ConditionState[]): DrawnSample {
  const { person, date, isNatural } = sample
  const effects = new Map<string, number>()
  for (const condition of conditions) {
    for (const [leaf, times] of effectsOf(sample, condition)) combine(effects, leaf, times)
  }
  const change = (labs: readonly LabEffect[] = [], share: number) => {
    for (const { slug, times } of labs)
      effects.set(slug, (effects.get(slug) ?? 1) * (1 + (times - 1) * share))
  }
  for (const { name, degree, control } of conditions)
    change(conditionTable.get(name).labs, degree * (1 - control))
  for (const { name, share } of treatmentsOn(person, date)) change(treatmentTable.get(name).labs, share)
  if (isNatural) {
    for (const { name, degree } of episodesBetween(person, date, date))
      change(episodeTable.get(name).labs, degree)
    change(multiplesOf(lifeOn(person, date)), 1)
    if (sample.draw) change(multiplesAt(sample.draw), 1)
  }
  return { ...sample, effects }
}

/** Of two causes of the same change, the greater one counts. */
function combine(effects: Map<string, number>, leaf: string, times: number): void {
  const before = effects.get(leaf) ?? 1
  let combined = before * times
  if (before > 1 && times > 1) combined = Math.max(before, times)
  if (before <= 1 && times <= 1) combined = Math.min(before, times)
  effects.set(leaf, combined)
}

/** The multiples of what is drawn that move the person's usual level to the signs of a condition. */
function effectsOf(sample: DrawnSample, condition: ConditionState): Map<string, number> {
  const { analytes, patient } = sample
  const effects = new Map<string, number>()
  for (const sign of signsOf(condition)) {
    const { slug, side, mild, severe } = sign
    const analyte = analytes.get(slug)
    const range = analyte && rangeFor(analyte, patient)
    const bound = side === 'above' ? range?.high : range?.low
    const leaf = driverOf(slug)
    if (!analyte || !bound || effects.has(leaf)) continue
    const target = shortOfExtremes(
      analyte,
      bound,
      belowCritical(analyte, bound * (mild + (severe - mild) * condition.degree)),
    )
    const ratio = target / usualValue(sample, slug)
    const toSign = side === 'above' ? Math.max(1, ratio) : Math.min(1, ratio)
    const uncontrolled = 1 - condition.control
    effects.set(leaf, toSign ** (inverse.has(slug) ? -uncontrolled : uncontrolled))
  }
  return effects
}

/** The value at the person's usual levels; not 0, as rare cells are when rounded. */
function usualValue(sample: DrawnSample, slug: string): number {
  const members = membersOf(sample, slug)
  const levels = new Map(leavesOf(members).map((each) => [each, usualLevel(sample, each)]))
  const values = evaluate({ sample, members, levels, reported: new Map(), given: new Map() }, new Map())
  const { decimals = 0 } = sample.analytes.get(slug) ?? {}
  return Math.max(Number(values.get(slug)), 10 ** -decimals / 2)
}

const membersOf = ({ analytes }: DrawnSample, slug: string): string[] =>
  familyOf(slug).filter((each) => isLatent(each) || analytes.has(each))

const leavesOf = (members: readonly string[]): string[] =>
  members.filter((each) => !formulas[each] && !models[each])

/** The shares by which levels are moved towards the mean until calculated values are as required. */
const PULLS = [0, 0.15, 0.3, 0.5, 0.75, 1]

/** The values of an analyte and of all that depend on each other with it; reported and given values stay. */
export function familyValues(
  sample: DrawnSample,
  slug: string,
  goals: readonly Goal[] = [],
  reported: Values = new Map(),
  given: Values = new Map(),
): Values {
  const members = membersOf(sample, slug)
  const wanted = goals.filter(
    (goal) => members.includes(goal.slug) && !reported.has(goal.slug) && !given.has(goal.slug),
  )
  const targets = members.flatMap((each) => givenTarget(each, given.get(each)))
  const isBeyondRange = ({ slug, value }: Target) => {
    const analyte = sample.analytes.get(slug)
    return analyte && sideOf(value, rangeFor(analyte, sample.patient)) !== undefined
  }
  const isChanged =
    targets.some(isBeyondRange) || wanted.length > 0 || members.some((each) => sample.effects.has(each))
  let best: Values = new Map()
  let fewest = Number.POSITIVE_INFINITY
  const leaves = leavesOf(members)
  const draws = leaves.map((each) => [each, drawOf(sample, each)] as const)
  for (const pull of sample.isNatural ? [0] : PULLS) {
    const levels = new Map(draws.map(([each, drawAt]) => [each, drawAt(pull)]))
    const drawing: Drawing = { sample, members, levels, reported, given }
    const drawn = draw(drawing, targets)
    const missed = wanted.filter((goal) => !isMet(sample, drawn, goal))
    const values =
      missed.length > 0
        ? draw(drawing, [...targets, ...compact(missed.map((goal) => targetOf(sample, goal)))])
        : drawn
    const wrong = countWrong(sample, values, wanted)
    if (wrong < fewest) [best, fewest] = [values, wrong]
    // If an analyte is out of range, dependent ones may be, too.
    if (fewest === 0 || (isChanged && fewest < CRITICAL)) break
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

function isMet({ analytes, patient }: DrawnSample, values: Values, { slug, side, level }: Goal): boolean {
  const analyte = analytes.get(slug)
  const value = values.get(slug)
  if (!analyte || typeof value !== 'number' || sideOf(value, rangeFor(analyte, patient)) !== side)
    return false
  return isCritical(value, analyte) === (level === 'critical')
}

/** A value out of range; its distance follows from the person. */
export function targetOf(
  { analytes, patient, person }: Pick<DrawnSample, 'analytes' | 'patient' | 'person'>,
  goal: Goal,
): Target | undefined {
  const analyte = analytes.get(goal.slug)
  const range = analyte && rangeFor(analyte, patient)
  if (!analyte || !range) return undefined
  const noise = person.random.noise(`person/${person.drawKey}/beyond/${goal.slug}`)
  return {
    slug: goal.slug,
    value: Number(outside(analyte, range, goal, noise).toFixed(analyte.decimals ?? 0)),
  }
}

function belowCritical(analyte: AnalyteSeed, value: number): number {
  const { low, high } = criticalOf(analyte)
  return Math.max(Math.min(value, (high ?? Number.POSITIVE_INFINITY) * 0.95), (low ?? 0) * 1.05)
}

/** The share of the way from the bound of a range to the extremes that occur, which conditions go at most. */
const MOST_OF_THE_WAY = 0.8

function shortOfExtremes({ possible }: AnalyteSeed, bound: number, value: number): number {
  if (!possible) return value
  const furthest = (extreme: number) => bound + MOST_OF_THE_WAY * (extreme - bound)
  return clamp(value, furthest(possible.low), furthest(possible.high))
}

/** A value beyond a bound; beyond the critical limit, or the extremes that occur, only if that is requested. */
function outside(analyte: AnalyteSeed, range: Range, { level, side }: Goal, noise: number): number {
  const isAbove = side === 'above'
  const bound = (isAbove ? range.high : range.low) ?? 0
  const { low, high } = criticalOf(analyte)
  const limit = (isAbove ? high : low) ?? (isAbove ? bound * 8 : bound / 8)
  const width = Math.min(Math.abs(limit - bound), bound * 0.6, (range.high ?? bound * 2) - (range.low ?? 0))
  const step = 10 ** -(analyte.decimals ?? 0)
  const value =
    level === 'abnormal'
      ? bound + (isAbove ? 1 : -1) * Math.max(step, width * (0.1 + 0.5 * noise))
      : limit +
        (isAbove
          ? Math.max(step, (limit - bound) * (0.03 + 0.3 * noise))
          : -Math.max(step, limit * (0.03 + 0.3 * noise)))
  return asPossible(analyte, Math.max(value, 0))
}

interface Drawing {
  readonly sample: DrawnSample
  /** Latents first, then what is measured, then what is calculated. */
  readonly members: readonly string[]
  /** Of those that are drawn. */
  readonly levels: ReadonlyMap<string, number>
  readonly reported: Values
  readonly given: Values
}

/** The values of a sample, adjusted to the targets. */
function draw(drawing: Drawing, targets: readonly Target[]): Values {
  const fixed = new Map<string, number>()
  for (const target of targets) {
    const driver = driverOf(target.slug)
    const isFixed = (slug: string) => fixed.has(slug) || (drawing.given.has(slug) && slug !== target.slug)
    if (fixed.has(driver) && !drawing.given.has(target.slug)) continue
    const leaves = [...drawing.levels.keys()].filter((slug) => !isFixed(slug))
    const inTurn = leaves.toSorted((a, b) => Number(b === driver) - Number(a === driver))
    for (const leaf of inTurn) {
      const found = leaf === target.slug ? target.value : solve(drawing, fixed, leaf, target)
      if (found === undefined) continue
      const nearest = asPossible(drawing.sample.analytes.get(leaf), Math.max(0, found))
      fixed.set(leaf, nearest)
      if (leaf === target.slug || nearest === found) break
    }
  }
  const values = new Map(evaluate(drawing, fixed))
  for (const slug of values.keys()) if (isLatent(slug)) values.delete(slug)
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
  const isRising = atLow < atHigh
  for (let nth = 0; nth < HALVINGS; nth++) {
    const middle = Math.sqrt(low * high)
    const isBelow = at(middle) < value
    if (isBelow === isRising) low = middle
    else high = middle
  }
  return isRising ? high : low
}

/** The values at these levels of the leaves; only those up to `open`, which is computed even if it is given. */
function evaluate(drawing: Drawing, fixed: ReadonlyMap<string, number>, open?: string): Values {
  const values = new Map<string, Value>()
  for (const slug of drawing.members) {
    const exact = slug === open ? undefined : drawing.given.get(slug)
    values.set(slug, exact ?? asReported(drawing.sample, slug, memberValue(drawing, slug, fixed, values)))
    if (slug === open) break
  }
  return values
}

/** The value of a member, from those of the members before it. */
function memberValue(
  { sample, levels, reported }: Drawing,
  slug: string,
  fixed: ReadonlyMap<string, number>,
  values: Values,
): Value {
  const { person, key, patient, analytes } = sample
  const known = {
    of: (other: string) => Number(values.get(other)),
    patient,
    analyte: analytes.get(slug),
    get noise() {
      return person.random.noise(`${key}/${slug}`)
    },
  }
  const formula = formulas[slug]
  const stated =
    reported.get(slug) ??
    notApplicable(slug, patient) ??
    formula?.unless?.(known) ??
    antibodyInWords(sample, slug)
  if (stated !== undefined) return stated
  if (formula) return formula.compute(known)
  return fixed.get(slug) ?? models[slug]?.compute(known) ?? levels.get(slug) ?? Number.NaN
}

/** The word for an antibody that is reported in words. */
function antibodyInWords(sample: DrawnSample, slug: string): string | undefined {
  const analyte = sample.analytes.get(slug)
  if (analyte?.kind !== 'qualitative' || !hasAntibody(sample, analyte)) return undefined
  return analyte.abnormal ?? 'Positive'
}

/** A value rounded as the laboratory reports it; a measured one lies within the values that occur. */
function asReported({ analytes }: DrawnSample, slug: string, value: Value): Value {
  const analyte = analytes.get(slug)
  if (!analyte || typeof value !== 'number') return value
  return rounded(analyte, formulas[slug] ? value : asPossible(analyte, value))
}

/** The nearest value that occurs. */
function asPossible(analyte: AnalyteSeed | undefined, value: number): number {
  const { low, high } = analyte?.possible ?? { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }
  return clamp(value, low, high)
}

const rounded = ({ decimals = 0, step }: AnalyteSeed, value: number): number =>
  Number((step === undefined ? value : Math.round(value / step) * step).toFixed(decimals))

const CRITICAL = 100

/** How far a set of values is from what is wanted; 0 if nothing is out of range but the goals. */
function countWrong(sample: DrawnSample, values: Values, goals: readonly Goal[]): number {
  let wrong = 0
  for (const [slug, value] of values) {
    const analyte = sample.analytes.get(slug)
    if (typeof value !== 'number' || !analyte) continue
    if (!Number.isFinite(value) || value < 0) return 100 * CRITICAL
    const goal = goals.find((each) => each.slug === slug)
    if (goal) wrong += isMet(sample, values, goal) ? 0 : 10 * CRITICAL
    else {
      if (sideOf(value, rangeFor(analyte, sample.patient))) wrong += 1
      if (isCritical(value, analyte)) wrong += CRITICAL
    }
  }
  return wrong
}
