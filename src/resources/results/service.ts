import QuickLRU from 'quick-lru'
import type { Parsed } from '../../api/schema.ts'
import { toWire } from '../../kernel/instant.ts'
import { perOwner } from '../../kernel/kept.ts'
import { compact } from '../../kernel/list.ts'
import { localDate, localTime } from '../../kernel/local-day.ts'
import { Problem } from '../../kernel/problem.ts'
import { type ConditionState, conditionsOn, type Person } from '../../people/person.ts'
import type { World } from '../../world/world.ts'
import type { Catalogue } from '../catalogue/service.ts'
import { ordersOfTransaction } from '../order-transactions/service.ts'
import { getOrder } from '../orders/service.ts'
import { type OrderRow, orderMetadata, orders, type ResultPlan } from '../orders/table.ts'
import { isSameCondition, personOf } from '../personas/service.ts'
import { type Expected, expectedOf, reflexOf } from './expected.ts'
import { failureOf, type MissingSpecimen, remarkOn, remarkOnResult } from './failures.ts'
import { type GivenResults, givenIn } from './given.ts'
import type { Draw, DrawnSample } from './levels.ts'
import { type LineSource, linesOf, missingLine, type ResultLine } from './lines.ts'
import { type Edition, editionOf, type PlannedIssue, planIssues } from './plan.ts'
import { metadataOf, patientOf, sampleInformationOf } from './report-header.ts'
import type { LabResultsRaw, resultTypes } from './schema.ts'
import { timesOf, turnaroundOf } from './times.ts'
import { familyValues, type Goal, type Value, withConditions } from './values.ts'

/** Results in wire format; the lines are always a list. */
export type Report = Parsed<typeof LabResultsRaw> & { readonly results: readonly ResultLine[] }
export { assertKnownResults, type ResultNames, resultsByName } from './expected.ts'
export { planOf, whyImpossible } from './given.ts'
export type { DrawnSample } from './levels.ts'
export type { ResultLine } from './lines.ts'
export { lipidsOf } from './lipids.ts'
export { editionOf } from './plan.ts'
export { type Range, rangeFor } from './ranges.ts'
export { yearsBetween } from './report-header.ts'
export { timesOf } from './times.ts'
export { familyValues, type Goal, signsOf, type Value, withConditions } from './values.ts'

/** An order's current results, or the 404 of the routes. Source: docs/contract/results.md. */
export function getReport(world: World, orderId: string): { order: OrderRow; report: Report } {
  const order = getOrder(world, orderId, 'Order not found')
  const report = findReport(world, order)
  if (!report) throw notThere(`order - ${orderId}`)
  return { order, report }
}

/** The metadata of an order's results, without computing the lines. */
export function getMetadata(world: World, orderId: string): Report['metadata'] {
  const order = getOrder(world, orderId, 'Order not found')
  const edition = editionOf(order)
  if (!edition) throw notThere(`order - ${orderId}`)
  return metadataOf(world, order, edition)
}

const notThere = (what: string) =>
  new Problem(
    'not_found',
    `Results are not available for ${what}. Did you receive a webhook for this ${what.replace(/ - .*/, '')}?`,
  )

/** An order's results; undefined before the first of them. A function of the order, the seed and the plan: nothing is stored. */
export function findReport(world: World, order: OrderRow): Report | undefined {
  const edition = editionOf(order)
  if (!edition) return undefined
  const { lines, missing } = fill(world, order, edition)
  return {
    metadata: metadataOf(world, order, edition),
    results: [...lines.values()].flat(),
    missing_results: missing.length > 0 ? missing : null,
    sample_information: sampleInformationOf(world, order, {
      isFasting: drawnAt(world, order).isFasting,
      information: remarkOn(missing),
    }),
    order_transaction: order.order_transaction,
  }
}

/** The values of an order's current results by analyte, and the names of those that are missing. */
export function currentValues(
  world: World,
  order: OrderRow,
): { values: Map<string, Value>; missing: string[] } {
  const edition = editionOf(order)
  if (!edition) return { values: new Map(), missing: [] }
  const { lines, missing, values } = fill(world, order, edition)
  const found = [...lines].flatMap(([{ result }, [line]]): (readonly [string, Value])[] => {
    if (!line) return []
    const { slug, kind } = result.analyte
    if (kind !== 'numeric') return [[slug, line.result]]
    const value = values.get(slug)
    return typeof value === 'number' ? [[slug, value]] : []
  })
  return { values: new Map(found), missing: missing.map(({ slug }) => slug) }
}

/** The state while the lines of an order are generated. */
interface Writing {
  sample: DrawnSample
  /** The conditions that the sample shows. */
  conditions: readonly ConditionState[]
  readonly all: readonly Expected[]
  readonly lines: Map<Expected, readonly ResultLine[]>
  goals: readonly Goal[]
  /** The reported values, and those derived from them and from the goals. */
  readonly reported: Map<string, Value>
  readonly values: Map<string, Value>
  readonly given: GivenResults
  readonly source: Pick<LineSource, 'random' | 'key' | 'patient' | 'sampleId' | 'origins' | 'isByLimits'>
  readonly specimen: MissingSpecimen
  /** When the laboratory had a result, of a report in wire format. */
  readonly atOf: (expected: Expected, reportAt: string) => string
}

/** Where nothing was asked for, or no judgement, results are those of a person of the population. */
export const isNaturalPlan = ({ interpretation }: ResultPlan) =>
  interpretation === undefined || interpretation === 'unknown'

/** The patient of an order's first report as a person, and the day of the collection; all orders of a transaction share them. */
export function subjectOf(world: World, order: OrderRow): { person: Person; date: string } {
  const lines = order.order_transaction?.orders ?? []
  const isDrawn = (id: string) => world.db.find(orderMetadata, id)?.collected_at !== undefined
  const id = lines.find((line) => isDrawn(line.id))?.id ?? order.id
  const { zone, collectedAt } = timesOf(world, world.db.find(orders, id) ?? order)
  const findings = world.db.find(orderMetadata, id)?.known_findings ?? 0
  return {
    person: personOf(world, order.user_id, { patient: order.patient_details, findings }),
    date: localDate(zone, collectedAt),
  }
}

/** Shares of people who have not eaten before a draw in the morning and later, if nobody asked for it; assumed. */
const FASTING = { until: 10, before: 0.8, later: 0.2 } as const

/** The hour where the sample was drawn, and whether the patient had fasted: as the order says, or by chance. */
function drawnAt(world: World, order: OrderRow): Draw {
  const { zone, collectedAt } = timesOf(world, order)
  const [hour, minute] = localTime(zone, collectedAt)
  const chance = world.random.noise(`fasting/${order.order_transaction?.id ?? order.id}`)
  const share = hour < FASTING.until ? FASTING.before : FASTING.later
  const said = world.db.find(orderMetadata, order.id)?.draw?.is_fasting
  return { hour: hour + minute / 60, isFasting: said ?? (order.lab_test.fasting || chance < share) }
}

/** The results of an order that were made abnormal or critical. */
export function goalsOf(world: World, order: OrderRow): readonly Goal[] {
  const edition = editionOf(order)
  return edition ? fill(world, order, edition).goals : []
}

/** The lines of a report, with what they were generated from. */
interface Filled extends Lines {
  readonly person: Person
  readonly source: string
}

/** The lines of the latest reports, by order: one status is followed by several readers of the same report. */
const keptLines = perOwner<World, QuickLRU<string, Filled>>(() => new QuickLRU({ maxSize: MAX_KEPT }))
const MAX_KEPT = 4

function fill(world: World, order: OrderRow, edition: Edition): Lines {
  const kept = keptLines(world)
  const { person, date } = subjectOf(world, order)
  const { lab_test, patient_details, patient_address, sample_id, order_transaction } = order
  const draw = drawnAt(world, order)
  const { zone, collectedAt, receivedAt } = timesOf(world, order)
  const source = JSON.stringify([
    { edition, date, draw, zone, collectedAt, receivedAt, events: order.events },
    { lab_test, patient_details, patient_address, sample_id, order_transaction },
    world.db.find(orderMetadata, order.id),
  ])
  const before = kept.get(order.id)
  if (before?.source === source && before.person === person) return before
  const lines = { ...generate(world, order, { edition, person, date, draw }), person, source }
  kept.set(order.id, lines)
  return lines
}

/** What the lines of a report are generated for. */
interface Subject {
  readonly edition: Edition
  readonly person: Person
  readonly date: string
  readonly draw: Draw
}

interface Lines {
  readonly lines: ReadonlyMap<Expected, readonly ResultLine[]>
  readonly values: ReadonlyMap<string, Value>
  readonly missing: readonly ReturnType<typeof missingLine>[]
  readonly goals: readonly Goal[]
}

function generate(world: World, order: OrderRow, { edition, person, date, draw }: Subject): Lines {
  const { random } = world
  const catalogue = world.services.catalogue
  const metadata = world.db.find(orderMetadata, order.id)
  const patient = patientOf(order, { reportedAt: edition.partials[0] ?? edition.reportedAt })
  const key = `result/${order.id}`
  const all = expectedOf(catalogue, order)
  const plans = { plan: metadata?.results ?? {}, earlier: metadata?.earlier_results ?? [] }
  const given = givenIn([...plans.earlier, plans.plan], all, catalogue)
  const about = { random, orderId: order.id, key, person, date, patient, edition }
  const issues = planIssues(all, {
    ...about,
    ...plans,
    given: new Set(given.values.keys()),
    turnaroundOf: (analyte) => turnaroundOf(world, analyte),
  })
  const times = timesOf(world, order)
  const specimen: MissingSpecimen = { random, key, specimen: order.lab_test.sample_type }
  const first = plans.earlier[0] ?? plans.plan
  const isNatural = isNaturalPlan(first)
  const isNormal = first.interpretation === 'normal'
  const conditions = isNormal ? [] : conditionsOn(person, date)
  const drawn: DrawnSample = {
    person,
    date,
    patient,
    key: valuesKey(order, edition),
    analytes: catalogue.analytes(),
    draw,
    isNatural,
    effects: new Map(),
  }
  const isByLimits = given.values.size > 0 || isNatural
  const unchanged = new Set(Object.keys(plans.plan.unchanged ?? {}))
  const writing: Writing = {
    sample: isNormal ? drawn : withConditions(drawn, conditions),
    conditions,
    all,
    lines: new Map(),
    goals: [],
    reported: new Map(),
    values: new Map(),
    given,
    source: {
      random,
      key,
      patient,
      sampleId: order.sample_id,
      origins: catalogue.cancerSignalOrigins(),
      isByLimits,
    },
    specimen,
    atOf: ({ result, markers }, at) =>
      toWire(
        times.resultAt(result.analyte, markers[0].id, {
          at,
          isRepeated: unchanged.has(result.analyte.slug),
        }),
      ),
  }
  for (const planned of issues) writeIssue(catalogue, writing, planned)
  const { lines } = writing
  return {
    lines: new Map([...all, ...lines.keys()].map((expected) => [expected, lines.get(expected) ?? []])),
    values: new Map([...writing.values, ...writing.reported]),
    missing: (issues.at(-1)?.missing ?? []).map((each) => missingLine(each, specimen)),
    goals: writing.goals,
  }
}

/** Generates the lines of one issue, including reflex tests. */
function writeIssue(catalogue: Catalogue, writing: Writing, planned: PlannedIssue): void {
  const { newResults, goal } = planned
  const { all, lines, conditions, reported, values } = writing
  if (goal) {
    // An earlier one of the same result was not reported.
    writing.goals = [...writing.goals.filter(({ slug }) => slug !== goal.slug), goal]
    values.clear()
    const { cause } = goal
    if (cause) writing.conditions = [...conditions.filter((each) => !isSameCondition(each, cause)), cause]
    writing.sample = withConditions(writing.sample, writing.conditions)
  }
  const flagged = newResults.filter((expected) => writeLines(writing, expected, planned).some(isFlagged))
  const added = reflexOf(catalogue, flagged).filter(
    ({ result }) => ![...all, ...lines.keys()].some((each) => each.result.id === result.id),
  )
  for (const expected of added) writeLines(writing, expected, planned)
  for (const { result } of newResults) keep(reported, values, result.analyte.slug)
}

function writeLines(
  writing: Writing,
  expected: Expected,
  { issue: { plan, at }, missing }: PlannedIssue,
): readonly ResultLine[] {
  const { sample, source, goals, reported, values, lines, all, given, specimen } = writing
  const failures = missing.map(({ result }) => failureOf(result.analyte, specimen))
  const { slug } = expected.result.analyte
  if (!values.has(slug))
    for (const each of familyValues(sample, slug, goals, reported, given.values)) values.set(...each)
  const written = linesOf(expected, {
    ...source,
    goal: goals.find((goal) => goal.slug === slug) ?? goals.at(-1),
    isUnknown: plan.interpretation === 'unknown',
    at: writing.atOf(expected, at),
    type: given.entered.has(slug) ? 'numeric' : typeAt(plan.types, all.indexOf(expected)),
    isMeasured: !given.values.has(slug) && plan.types === undefined,
    of: (other) => values.get(other) ?? reported.get(other),
    value: values.get(slug),
    note: given.notes.get(slug) ?? plan.comment ?? remarkOnResult(slug, failures),
  })
  lines.set(expected, written)
  return written
}

function keep(reported: Map<string, Value>, values: ReadonlyMap<string, Value>, slug: string): void {
  const value = values.get(slug)
  if (value !== undefined) reported.set(slug, value)
}

const isFlagged = ({ interpretation }: ResultLine) =>
  interpretation === 'abnormal' || interpretation === 'critical'

/** Orders of one transaction share values, because they have one patient. A correction generates new ones. */
const valuesKey = ({ id, order_transaction }: OrderRow, { corrections }: Edition) =>
  `value/${order_transaction?.id ?? id}${corrections > 0 ? `/corrected/${corrections}` : ''}`

/** Results are numbers unless other types are requested, which are then used in turn. */
function typeAt(types: readonly string[] | undefined, at: number): (typeof resultTypes)[number] {
  const told = (['numeric', 'comment', 'range'] as const).filter((type) => types?.includes(type))
  return told[at % told.length] ?? 'numeric'
}

/** The combined results of a transaction; for duplicates the later one. Source: docs/contract/order-transactions.md. */
export function getTransactionReport(
  world: World,
  transactionId: string,
): { orders: readonly [OrderRow, ...OrderRow[]]; report: Report } {
  const all = ordersOfTransaction(world, transactionId)
  const [latest, ...earlier] = all.toReversed() as [OrderRow, ...OrderRow[]]
  const reports = compact(all.map((order) => findReport(world, order)))
  const last = reports.at(-1)
  if (!last) throw notThere(`order transaction - ${transactionId}`)
  const results = new Map(reports.flatMap((report) => report.results.map((line) => [keyOf(line), line])))
  const missing = new Map(
    reports.flatMap((report) => (report.missing_results ?? []).map((line) => [keyOf(line), line])),
  )
  const stillMissing = [...missing].filter(([key]) => !results.has(key)).map(([, line]) => line)
  return {
    orders: [latest, ...earlier],
    report: {
      metadata: { ...last.metadata, interpretation: worstOf(reports) },
      results: [...results.values()],
      missing_results: stillMissing.length > 0 ? stillMissing : null,
      sample_information: Object.assign({}, ...reports.map((report) => report.sample_information)),
      order_transaction: latest.order_transaction,
    },
  }
}

/** From bad to good. */
const interpretations = ['critical', 'abnormal', 'unknown'] as const

const worstOf = (reports: readonly Report[]): string =>
  interpretations.find((word) => reports.some(({ metadata }) => metadata.interpretation === word)) ?? 'normal'

const keyOf = ({ provider_id, loinc, slug }: Pick<ResultLine, 'provider_id' | 'loinc' | 'slug'>) =>
  provider_id ?? loinc ?? slug
