import { clamp } from '../../kernel/compare.ts'
import { largest } from '../../kernel/list.ts'
import type { Random } from '../../kernel/random.ts'
import type { AnalyteSeed } from '../catalogue/schema.ts'
import type { Marker } from '../catalogue/service.ts'
import { hasReport, type ReportKind, reportKinds } from '../orders/lifecycle.ts'
import { lowStatusOf, type OrderRow, type ResultPlan } from '../orders/table.ts'
import { formulas } from './derived.ts'
import { type Expected, isCalled } from './expected.ts'
import { chooseFirst, type GoalContext, type Level } from './goals.ts'
import type { Goal } from './values.ts'

/** The progress of a report. */
export interface Edition {
  readonly status: ReportKind
  /** The instants of the partial reports in wire format, earliest first. */
  readonly partials: readonly string[]
  readonly reportedAt: string
  readonly corrections: number
  /** Whether the laboratory asks for another sample. */
  readonly needsRedraw: boolean
}

/** The current edition of an order's report; undefined before the first. */
export function editionOf({ events }: OrderRow): Edition | undefined {
  const reports = events
    .map((event) => ({ at: event.created_at, low: lowStatusOf(event) }))
    .filter(({ low }) => hasReport(low))
  const last = reports.at(-1)
  if (!last) return undefined
  return {
    status: reportKinds[last.low] ?? 'final',
    partials: reports.filter(({ low }) => low === 'partial_results').map(({ at }) => at),
    reportedAt: last.at,
    corrections: reports.filter(({ low }) => low === 'corrected').length,
    needsRedraw: reports.some(({ low }) => low === 'redraw_available'),
  }
}

/** One issue of a report. */
export interface Issue {
  /** Wire instant. */
  readonly at: string
  readonly isPartial: boolean
  readonly plan: ResultPlan
}

/** What an issue adds to the previous ones. */
export interface PlannedIssue {
  readonly issue: Issue
  /** Results that are reported for the first time. */
  readonly newResults: readonly Expected[]
  readonly missing: readonly Expected[]
  /** The results to be out of range, if this issue is worse than the previous ones. */
  readonly goal: Goal | undefined
}

interface ReportContext extends GoalContext {
  readonly random: Random
  readonly orderKey: string
  readonly key: string
  readonly edition: Edition
  readonly plan: ResultPlan
  /** Plans of the previous reports, earliest first. */
  readonly earlier: readonly ResultPlan[]
  /** The analytes whose values are given. */
  readonly given: ReadonlySet<string>
  readonly turnaroundOf: TurnaroundOf
  /** Results that a first partial report leaves to the next, if the others are all that it has. */
  readonly late: ReadonlySet<Expected>
}

/** Hours from the receipt of the sample to the result of an analyte. */
type TurnaroundOf = (analyte: AnalyteSeed) => number

/** The hours until all results of a marker are there. */
const hoursOf = ({ results }: Marker, turnaroundOf: TurnaroundOf): number =>
  largest(results.map(({ analyte }) => turnaroundOf(analyte)))

/** How much later than the others slow tests are. */
const LATE_HOURS = 48

/** The results of slow tests with what is calculated from them, and the hours by which the last comes after the others. */
export function lateResults(all: readonly Expected[], turnaroundOf: TurnaroundOf) {
  const hours = new Map(all.map((each) => [each, hoursOf(each.markers[0], turnaroundOf)]))
  const inTurn = [...hours.values()].sort((a, b) => a - b)
  const last = inTurn.find((each, at) => (inTurn[at + 1] ?? each) - each >= LATE_HOURS)
  if (last === undefined) return undefined
  const slow = all.filter((each) => (hours.get(each) ?? 0) > last)
  const slugs = withDerived(slow.map(slugOf))
  return {
    results: new Set(all.filter((each) => slugs.has(slugOf(each)))),
    afterHours: largest(inTurn) - last,
  }
}

/** The issues of a report since the last correction. */
function issuesOf({ edition, plan, earlier }: ReportContext): Issue[] {
  const { status, partials, reportedAt } = edition
  if (status === 'corrected') return [{ at: reportedAt, isPartial: false, plan }]
  const ats = status === 'partial' ? partials : [...partials, reportedAt]
  return ats.map((at, nth) => ({
    at,
    isPartial: nth < partials.length,
    plan: nth === ats.length - 1 ? plan : (earlier[nth] ?? {}),
  }))
}

/** Decides for each issue which results are reported, out of range or missing. Reported results do not change. */
export function planIssues(all: readonly Expected[], about: ReportContext): PlannedIssue[] {
  const picked = new Set<Expected>()
  const inTurn = all.toSorted(byTurn(all, about))
  let worst = 0
  return issuesOf(about).map((issue, nth) => {
    const open = inTurn.filter((each) => !picked.has(each))
    const isGiven = (each: Expected) => about.given.has(slugOf(each))
    const missing = missingOf(
      all,
      open.filter((each) => !isGiven(each)),
      issue.plan,
      about,
    )
    const there = inTurn.filter((each) => !missing.includes(each))
    const known = issue.isPartial ? knownAfter(nth + 1, there, picked, issue.plan, about.late) : there
    const newResults = known.filter((each) => !picked.has(each))
    const level = levels.indexOf(issue.plan.interpretation as Level)
    const free = there.filter((each) => !isGiven(each))
    const fixed = [...[...picked].map(slugOf), ...about.given]
    const goal =
      level + 1 > worst
        ? chooseFirst(choicesOf(free, newResults, picked, new Set(fixed)), levels[level] as Level, about)
        : undefined
    worst = Math.max(worst, level + 1)
    for (const each of newResults) picked.add(each)
    return { issue, newResults, missing, goal }
  })
}

/** The results that may still be out of range; new results that do not depend on reported ones come first. */
function choicesOf(
  there: readonly Expected[],
  newResults: readonly Expected[],
  picked: ReadonlySet<Expected>,
  slugs: ReadonlySet<string>,
): (readonly Expected[])[] {
  const open = there.filter((each) => !picked.has(each) && isUndecided(each, slugs))
  const free = open.filter((each) => !formulas[slugOf(each)]?.from.some((slug) => slugs.has(slug)))
  return [free.filter((each) => newResults.includes(each)), free, open]
}

/** Whether a value is independent of the reported ones: neither computed from them alone nor an input of them. */
const isUndecided = (expected: Expected, picked: ReadonlySet<string>): boolean =>
  !isComputed(slugOf(expected), picked) &&
  ![...picked].some((slug) => formulas[slug]?.from.includes(slugOf(expected)))

const isComputed = (slug: string, picked: ReadonlySet<string>): boolean =>
  formulas[slug]?.from.every((each) => picked.has(each) || isComputed(each, picked)) === true

const levels: readonly Level[] = ['abnormal', 'critical']

/**
 * The order in which results are reported: those of the marker that is analysed first, inputs before calculated values, and
 * results of a redraw last.
 */
function byTurn(all: readonly Expected[], { random, orderKey, key, turnaroundOf }: ReportContext) {
  const missingMarker = defaultMissingMarker(all, random, orderKey)
  const measured = all.filter(
    (each) => missingMarker && each.markers.includes(missingMarker) && !formulas[slugOf(each)],
  )
  const held = withDerived(measured.slice(-1).map(slugOf))
  const turns = new Map(
    all.map((each) => [
      each,
      (missingMarker && each.markers.includes(missingMarker) ? 1 : 0) +
        (held.has(slugOf(each)) ? 1 : 0) +
        1 -
        1 / (1 + hoursOf(each.markers[0], turnaroundOf)) +
        random.noise(`${key}/marker/${each.markers[0].id}`) * 1e-4 +
        (formulas[slugOf(each)] ? 1e-5 : 0) +
        random.noise(`${key}/turn/${each.result.id}`) * 1e-6,
    ]),
  )
  return (a: Expected, b: Expected) => (turns.get(a) ?? 0) - (turns.get(b) ?? 0)
}

/** These analytes and those computed from them. Formulas come after their inputs. */
export function withDerived(slugs: readonly string[]): ReadonlySet<string> {
  const found = new Set(slugs)
  for (const [slug, { from }] of Object.entries(formulas)) {
    if (from.some((each) => found.has(each))) found.add(slug)
  }
  return found
}

const markersOf = (all: readonly Expected[]): Marker[] => [...new Set(all.flatMap((each) => each.markers))]

/** The marker whose results are missing if none are named. */
const defaultMissingMarker = (
  all: readonly Expected[],
  random: Random,
  orderKey: string,
): Marker | undefined => random.pick(`missing/${orderKey}`, markersOf(all))

/** The results after a number of partial reports, of all that come: the reported ones, then those with exact values; all that are not late in the first. */
function knownAfter(
  partials: number,
  all: readonly Expected[],
  picked: ReadonlySet<Expected>,
  { values = {} }: ResultPlan,
  late: ReadonlySet<Expected>,
): Expected[] {
  const isByTurnaround = partials === 1 && late.size > 0
  const names = Object.keys(values)
  const isFirst = (each: Expected) =>
    isByTurnaround ? !late.has(each) : names.some((name) => isCalled(each, name))
  const rankOf = (each: Expected) => (picked.has(each) ? 0 : 2 - Number(isFirst(each)))
  const first = all.filter((each) => rankOf(each) < 2).length
  const most = Math.max(1, all.length - 1)
  const least = isByTurnaround ? 1 : countAfter(partials, all.length)
  const count = clamp(first, least, most)
  return all.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, count)
}

/** The number of results after a number of partial reports: half, two thirds, …, but never all. */
const countAfter = (partials: number, all: number): number =>
  all < 2 ? all : clamp(Math.ceil((all * partials) / (partials + 1)), 1, all - 1)

/** Of the open results: the named ones, or some of them; at least one, and never all of several. */
function missingOf(
  all: readonly Expected[],
  open: readonly Expected[],
  plan: ResultPlan,
  { random, orderKey, edition }: ReportContext,
): Expected[] {
  const wanted = plan.missing ?? edition.needsRedraw
  if (wanted === false || (Array.isArray(wanted) && wanted.length === 0)) return []
  const most = Math.max(1, all.length - 1)
  const named =
    typeof wanted === 'boolean' ? [] : open.filter((each) => wanted.some((name) => isCalled(each, name)))
  if (named.length > 0) return named.slice(0, most)
  const marker = defaultMissingMarker(all, random, orderKey)
  if (open.length === 0) return []
  const first = open.filter((each) => marker && each.markers.includes(marker))
  const chosen = markersOf(all).length > 1 && first.length > 0 ? first : lastOf(first, open)
  const lost = withDerived(chosen.map(slugOf))
  return open.filter((each) => lost.has(slugOf(each))).slice(0, most)
}

/** One of the first list, otherwise of the second. */
const lastOf = (first: readonly Expected[], open: readonly Expected[]): readonly Expected[] =>
  first.length > 0 ? first.slice(0, 1) : open.slice(-1)

const slugOf = ({ result }: Expected) => result.analyte.slug
