import type { Random } from '../../kernel/random.ts'
import type { OrderRow, ResultPlan } from '../orders/table.ts'
import { familyOf, formulas } from './derived.ts'
import { type Expected, isCalled } from './expected.ts'
import { type Patient, rangeFor, type Side } from './ranges.ts'
import type { failureTypes } from './schema.ts'
import type { Goal } from './values.ts'

type OrderEvent = OrderRow['last_event']

/** How far a report has come. */
export interface Edition {
  readonly status: 'partial' | 'final' | 'corrected'
  /** When each report came out, earliest first; wire instants. */
  readonly partials: readonly string[]
  readonly reportedAt: string
  readonly corrections: number
  /** The laboratory gave up on some results and asks for another sample. */
  readonly needsRedraw: boolean
}

const REPORTS = ['partial_results', 'completed', 'corrected', 'redraw_available']
const lowOf = ({ status }: OrderEvent) => status.slice(status.lastIndexOf('.') + 1)

/** The edition of an order's report as it stands; undefined before the first. */
export function editionOf({ events }: OrderRow): Edition | undefined {
  const reports = events.filter((event) => REPORTS.includes(lowOf(event)))
  const last = reports.at(-1)
  if (!last) return undefined
  const lows = reports.map(lowOf)
  const low = lowOf(last)
  return {
    status: low === 'partial_results' ? 'partial' : low === 'corrected' ? 'corrected' : 'final',
    partials: reports.filter((event) => lowOf(event) === 'partial_results').map((event) => event.created_at),
    reportedAt: last.created_at,
    corrections: lows.filter((each) => each === 'corrected').length,
    needsRedraw: lows.includes('redraw_available'),
  }
}

/** What a report says, and does not: each line in the order it becomes known. */
export interface Allotment {
  readonly reported: readonly { readonly expected: Expected; readonly at: string }[]
  readonly missing: readonly Expected[]
  readonly goal: Goal | undefined
}

interface Circumstances {
  readonly random: Random
  readonly orderId: string
  readonly key: string
  readonly patient: Patient
  readonly edition: Edition
  readonly plan: ResultPlan
}

/** Decides which results are there, which are out of range, and which will never come. */
export function allot(all: readonly Expected[], about: Circumstances): Allotment {
  const { random, key, edition, plan } = about
  const missing = missingOf(all, about)
  const there = all.filter((each) => !missing.includes(each))
  const turnOf = ({ markers, result }: Expected) =>
    random.noise(`${key}/marker/${markers[0].id}`) +
    (formulas[result.analyte.slug] ? 1e-3 : 0) +
    random.noise(`${key}/turn/${result.id}`) * 1e-4
  const inTurn = there.toSorted((a, b) => turnOf(a) - turnOf(b))
  const upTo = (partial: number) => countAfter(partial, inTurn.length)
  const known = edition.status === 'partial' ? inTurn.slice(0, upTo(edition.partials.length)) : inTurn
  const knownAt = (each: Expected) => {
    const turn = inTurn.indexOf(each)
    const partial = edition.partials.findIndex((_, at) => turn < upTo(at + 1))
    return (edition.status === 'corrected' ? undefined : edition.partials[partial]) ?? edition.reportedAt
  }
  const first = edition.partials.length > 0 ? inTurn.slice(0, upTo(1)) : inTurn
  const level =
    plan.interpretation === 'abnormal' || plan.interpretation === 'critical' ? plan.interpretation : undefined
  return {
    reported: there
      .filter((each) => known.includes(each))
      .map((expected) => ({ expected, at: knownAt(expected) })),
    missing,
    goal: level && (chooseGoal(first, level, about) ?? chooseGoal(inTurn, level, about)),
  }
}

/** How many of `all` results are known after so many partial reports: half, two thirds, … and never all. */
const countAfter = (partials: number, all: number): number =>
  all < 2 ? all : Math.min(all - 1, Math.max(1, Math.ceil((all * partials) / (partials + 1))))

/** Those named; or, when none are, some: at least one, and never all where there are several. */
function missingOf(all: readonly Expected[], { random, orderId, edition, plan }: Circumstances): Expected[] {
  const wanted = plan.missing ?? edition.needsRedraw
  if (wanted === false || (Array.isArray(wanted) && wanted.length === 0)) return []
  const most = Math.max(1, all.length - 1)
  const named =
    typeof wanted === 'boolean' ? [] : all.filter((each) => wanted.some((name) => isCalled(each, name)))
  if (named.length > 0) return named.slice(0, most)
  // The marker that a redraw would be for, so that partial results foretell it.
  const markers = [...new Set(all.flatMap((each) => each.markers))]
  const marker = random.pick(`missing/${orderId}`, markers)
  const first = all.filter((each) => marker && each.markers.includes(marker))
  const lost = new Set((markers.length > 1 ? first : first.slice(0, 1)).map(slugOf))
  for (const [slug, { from }] of Object.entries(formulas)) {
    if (from.some((each) => lost.has(each))) lost.add(slug)
  }
  return all.filter((each) => lost.has(slugOf(each))).slice(0, most)
}

const slugOf = ({ result }: Expected) => result.analyte.slug

type Level = Goal['level']

function chooseGoal(
  from: readonly Expected[],
  level: Level,
  { random, key, patient }: Circumstances,
): Goal | undefined {
  const choices = from.flatMap(({ result: { analyte } }) => {
    if (isNeutral(analyte.slug)) return []
    if (analyte.kind === 'qualitative')
      return [{ slug: analyte.slug, side: 'above' as const, rank: level === 'critical' ? 5 : 0 }]
    const { critical } = analyte
    const range = rangeFor(analyte, patient)
    const isAlarm = level === 'critical' && critical !== undefined
    const bounds = {
      above: range?.high != null && (!isAlarm || critical.high !== null),
      below: (range?.low ?? 0) > 0 && (!isAlarm || critical.low !== null),
    }
    const sides = (['above', 'below'] as const).filter((side) => bounds[side])
    if (sides.length === 0) return []
    const isLonely = familyOf(analyte.slug).length === 1
    const rank = (level === 'critical' && !critical ? 4 : 0) + (isLonely ? 0 : formulas[analyte.slug] ? 2 : 1)
    return [{ slug: analyte.slug, side: pickSide(random, `${key}/side/${analyte.slug}`, sides), rank }]
  })
  const best = Math.min(...choices.map(({ rank }) => rank))
  const chosen = random.pick(
    `${key}/goal`,
    choices.filter(({ rank }) => rank === best),
  )
  return chosen && { slug: chosen.slug, side: chosen.side, level }
}

/** Too much is commoner than too little. */
const pickSide = (random: Random, key: string, sides: readonly Side[]): Side =>
  sides.length === 1 ? (sides[0] as Side) : random.noise(key) < 0.7 ? 'above' : 'below'

/** Results of which no answer is better than another. */
export const isNeutral = (slug: string): boolean => slug === 'abo-grouping'

const failures: readonly [Failure, string][] = [
  ['quantity_not_sufficient_failure', 'Quantity not sufficient'],
  ['internal_lab_failure', 'Laboratory accident'],
  ['insufficient_volume', 'Sample volume too small'],
  ['collection_process_failure', 'Sample clotted'],
]
type Failure = (typeof failureTypes)[number]

/** Why a result does not come; what is calculated lacks what it is calculated from. */
export function failureOf(
  random: Random,
  key: string,
  { result }: Expected,
): { type: Failure; note: string } {
  if (formulas[result.analyte.slug])
    return { type: 'missing_result_calc_failure', note: 'Cannot be calculated' }
  const [type, note] = random.pick(`${key}/failure`, failures) ?? ['unknown_failure', '']
  return { type, note }
}
