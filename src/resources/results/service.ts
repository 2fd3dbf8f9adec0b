import type { Parsed } from '../../api/schema.ts'
import { HOUR_MS, toWire } from '../../kernel/instant.ts'
import { Latest, perOwner } from '../../kernel/kept.ts'
import { compact } from '../../kernel/list.ts'
import { localDate, localTime } from '../../kernel/local-day.ts'
import { Problem } from '../../kernel/problem.ts'
import { type ConditionState, conditionsOn, type Person } from '../../people/person.ts'
import type { World } from '../../world/world.ts'
import type { Catalogue } from '../catalogue/service.ts'
import { ordersOfTransaction } from '../order-transactions/service.ts'
import { worstFirst } from '../orders/schema.ts'
import { getOrder } from '../orders/service.ts'
import { labOf, type OrderRow, orderMetadata, orders, type ResultPlan } from '../orders/table.ts'
import { isSameCondition, personOf } from '../personas/service.ts'
import { formulas } from './derived.ts'
import { type Expected, expectedOf, isCalled, reflexOf } from './expected.ts'
import { type MissingSpecimen, remarkOn } from './failures.ts'
import { type GivenResults, givenIn } from './given.ts'
import type { Draw, DrawnSample } from './levels.ts'
import { linesOf, missingLine, type ReportSource, type ResultLine } from './lines.ts'
import { type Edition, editionOf, lateResults, type PlannedIssue, planIssues } from './plan.ts'
import type { Patient } from './ranges.ts'
import { metadataOf, patientOf, sampleInformationOf } from './report-header.ts'
import type { LabResultsRaw, resultTypes } from './schema.ts'
import { type SampleTimes, timesOf, turnaroundOf } from './times.ts'
import { familyValues, type Goal, type Value, withConditions } from './values.ts'

/** Results in wire format; the lines are always a list. */
export type Report = Parsed<typeof LabResultsRaw> & { readonly results: readonly ResultLine[] }
export {
  assertKnownResults,
  expectedOf,
  type ResultNames,
  resultsByName,
  unknownResults,
} from './expected.ts'
export { planOf, whyImpossible } from './given.ts'
export type { DrawnSample } from './levels.ts'
export { type ResultLine, replacedBy } from './lines.ts'
export { lipidsOf } from './lipids.ts'
export { editionOf } from './plan.ts'
export { BETWEEN, COMPARATOR, type Range, rangeFor } from './ranges.ts'
export { laboratoryOf } from './report-header.ts'
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
  const { lines, missing, times, draw } = fill(world, order, edition)
  return {
    metadata: metadataOf(world, order, edition, times),
    results: [...lines.values()].flat(),
    missing_results: missing.length > 0 ? missing : null,
    sample_information: sampleInformationOf(
      world,
      order,
      { isFasting: draw.isFasting, information: remarkOn(missing) },
      times,
    ),
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

/** Where nothing was asked for, or no judgement, results are those of a person of the population. */
export const isNaturalPlan = ({ interpretation }: ResultPlan) =>
  interpretation === undefined || interpretation === 'unknown'

/** The patient of an order's first report as a person, and the day of the collection; all orders of a transaction share them. */
export function subjectOf(
  world: World,
  order: OrderRow,
  times = timesOf(world, order),
): { person: Person; date: string } {
  const lines = order.order_transaction?.orders ?? []
  const isDrawn = (id: string) => world.db.find(orderMetadata, id)?.collected_at !== undefined
  const id = lines.find((line) => isDrawn(line.id))?.id ?? order.id
  const { zone, collectedAt } = id === order.id ? times : timesOf(world, world.db.find(orders, id) ?? order)
  const findings = world.db.find(orderMetadata, id)?.known_findings ?? 0
  return {
    person: personOf(world, order.user_id, { patient: order.patient_details, findings }),
    date: localDate(zone, collectedAt),
  }
}

/** Shares of people who have not eaten before a draw in the morning and later, if nobody asked for it; assumed. */
const FASTING = { until: 10, before: 0.8, later: 0.2 } as const

/** The hour where the sample was drawn, and whether the patient had fasted: as the order says, or by chance. */
function drawnAt(world: World, order: OrderRow, { zone, collectedAt }: SampleTimes): Draw {
  const [hour, minute] = localTime(zone, collectedAt)
  const chance = world.random.noise(`fasting/${sampleKey(world, order)}`)
  const share = hour < FASTING.until ? FASTING.before : FASTING.later
  const said = world.db.find(orderMetadata, order.id)?.draw?.is_fasting
  return { hour: hour + minute / 60, isFasting: said ?? (order.lab_test.fasting || chance < share) }
}

/** How long after the other results of an order those of slow tests come, in milliseconds; undefined if it has none. */
export function waitForLateResults(world: World, order: OrderRow): number | undefined {
  const all = expectedOf(world.services.catalogue, order).filter(({ result }) => result.required)
  const late = lateOf(world, all)
  return late && late.afterHours * HOUR_MS
}

const lateOf = (world: World, all: readonly Expected[]) =>
  lateResults(all, (analyte) => turnaroundOf(world, analyte))

/** The results of an order that were made abnormal or critical. */
export function goalsOf(world: World, order: OrderRow): readonly Goal[] {
  const edition = editionOf(order)
  return edition ? fill(world, order, edition).goals : []
}

/** The lines of a report, with what they were generated from. */
interface Filled extends Lines, Subject {
  readonly source: string
}

/** The lines of the latest reports, by order: one status is followed by several readers of the same report. */
const keptLines = perOwner((_: World) => new Latest<string, Filled>(MAX_KEPT))
const MAX_KEPT = 4

function fill(world: World, order: OrderRow, edition: Edition): Filled {
  const kept = keptLines(world)
  const times = timesOf(world, order)
  const { zone, collectedAt, receivedAt } = times
  const { person, date } = subjectOf(world, order, times)
  const { lab_test, patient_details, patient_address, sample_id, order_transaction } = order
  const draw = drawnAt(world, order, times)
  const source = JSON.stringify([
    { edition, date, draw, zone, collectedAt, receivedAt, events: order.events },
    { lab_test, patient_details, patient_address, sample_id, order_transaction },
    world.db.find(orderMetadata, order.id),
  ])
  const before = kept.get(order.id)
  if (before?.source === source && before.person === person) return before
  const patient = patientOf(order, { reportedAt: edition.partials[0] ?? edition.reportedAt })
  const subject = { edition, person, date, patient, draw, times }
  const filled = { ...generate(world, order, subject), ...subject, source }
  kept.set(order.id, filled)
  return filled
}

/** What the lines of a report are generated for. */
interface Subject {
  readonly edition: Edition
  readonly person: Person
  readonly date: string
  readonly patient: Patient
  readonly draw: Draw
  readonly times: SampleTimes
}

interface Lines {
  readonly lines: ReadonlyMap<Expected, readonly ResultLine[]>
  readonly values: ReadonlyMap<string, Value>
  readonly missing: readonly ReturnType<typeof missingLine>[]
  readonly goals: readonly Goal[]
}

function generate(world: World, order: OrderRow, subject: Subject): Lines {
  const { random, db, services } = world
  const { catalogue } = services
  const orderKey = world.drawKey('order', order.id)
  const key = `result/${orderKey}`
  const expected = expectedOf(catalogue, order)
  const { results: plan = {}, earlier_results: earlier = [] } = db.find(orderMetadata, order.id) ?? {}
  const first = earlier[0] ?? plan
  const given = givenIn([...earlier, plan], expected, catalogue)
  const givenSlugs = new Set([...given.values.keys(), ...given.printed.keys()])
  const { missing: lacking } = plan
  const isNamed = (each: Expected) =>
    givenSlugs.has(each.result.analyte.slug) ||
    (Array.isArray(lacking) && lacking.some((name) => isCalled(each, name)))
  // What is not required is reported, or missing, where somebody says so.
  const all = expected.filter((each) => each.result.required || isNamed(each))
  const issues = planIssues(all, {
    ...subject,
    random,
    orderKey,
    key,
    plan,
    earlier,
    given: givenSlugs,
    turnaroundOf: (analyte) => turnaroundOf(world, analyte),
    late: (isNaturalPlan(first) && lateOf(world, all)?.results) || new Set(),
  })
  const { patient } = subject
  const origins = [...catalogue.cancerSignalOrigins().values()]
  const specimen: MissingSpecimen = { random, key, specimen: order.lab_test.sample_type }
  const source = {
    random,
    key,
    drawKey: world.drawKey('user', order.user_id),
    patient,
    sampleId: order.sample_id,
    origins,
    repeats: catalogue.labProfiles().get(labOf(order) ?? '')?.repeats,
  }
  const atOf: ReportParts['atOf'] = ({ result: { analyte }, markers }, at) =>
    toWire(subject.times.resultAt(analyte, markers[0].id, at))
  const report: ReportParts = { catalogue, all, given, source, atOf }
  const { lines, values, reported, goals } = issues.reduce<Issued>(
    (before, planned) => afterIssue(report, before, planned),
    beforeIssues(world, order, subject, first),
  )
  return {
    lines: new Map([...all, ...lines.keys()].map((expected) => [expected, lines.get(expected) ?? []])),
    values: new Map([...values, ...reported]),
    missing: (issues.at(-1)?.missing ?? []).map((each) => missingLine(each, specimen)),
    goals,
  }
}

/** What all issues of a report share. */
interface ReportParts {
  readonly catalogue: Catalogue
  readonly all: readonly Expected[]
  readonly given: GivenResults
  readonly source: ReportSource
  /** When the laboratory had a result of a report; both in wire format. */
  readonly atOf: (expected: Expected, reportAt: string) => string
}

/** What one issue leaves to the next. */
interface Issued {
  readonly sample: DrawnSample
  /** The conditions that the sample shows. */
  readonly conditions: readonly ConditionState[]
  readonly goals: readonly Goal[]
  readonly lines: ReadonlyMap<Expected, readonly ResultLine[]>
  /** The reported values, and those derived from them and from the goals. */
  readonly reported: ReadonlyMap<string, Value>
  readonly values: ReadonlyMap<string, Value>
}

function beforeIssues(world: World, order: OrderRow, subject: Subject, first: ResultPlan): Issued {
  const { edition, person, date, patient, draw } = subject
  const key = valuesKey(world, order, edition)
  const analytes = world.services.catalogue.analytesOf(labOf(order))
  const isNatural = isNaturalPlan(first)
  const drawn = { person, date, patient, key, analytes, draw, isNatural, effects: new Map() }
  const nothing = { goals: [], lines: new Map(), reported: new Map(), values: new Map() }
  if (first.interpretation === 'normal') return { ...nothing, sample: drawn, conditions: [] }
  const conditions = conditionsOn(person, date)
  return { ...nothing, sample: withConditions(drawn, conditions), conditions }
}

/** Why an analyte without a given value cannot be calculated: one of its inputs is not a number. */
function notMeasured(slug: string, { printed, values }: GivenResults): string | undefined {
  if (values.has(slug)) return undefined
  const input = formulas[slug]?.from.find((each) => printed.has(each))
  return input === undefined ? undefined : `Not calculated: no number of ${input}`
}

/** Adds the lines of one issue, including reflex tests. */
function afterIssue(report: ReportParts, before: Issued, { issue, newResults, goal }: PlannedIssue): Issued {
  const { catalogue, all, given, source } = report
  const { plan, at } = issue
  const { reported } = before
  const { sample, conditions, goals } = goal ? withGoal(before, goal) : before
  const values = new Map(goal ? [] : before.values)
  const lines = new Map(before.lines)
  const write = (expected: Expected): boolean => {
    const { slug } = expected.result.analyte
    if (!values.has(slug))
      for (const each of familyValues(sample, slug, goals, reported, given.values)) values.set(...each)
    const written = linesOf(expected, {
      ...source,
      goal: goals.find((each) => each.slug === slug) ?? goals.at(-1),
      isUnknown: plan.interpretation === 'unknown',
      at: report.atOf(expected, at),
      type: given.entered.has(slug) ? 'numeric' : typeAt(plan.types, all.indexOf(expected)),
      isMeasured: !given.values.has(slug) && plan.types === undefined,
      of: (other) => values.get(other) ?? reported.get(other),
      value: notMeasured(slug, given) ?? values.get(slug),
      printed: given.printed.get(slug),
      note: given.notes.get(slug) ?? plan.comment,
      former: plan.former,
    })
    lines.set(expected, written)
    return written.some(isFlagged)
  }
  const flagged = newResults.filter(write)
  const known = new Set([...all, ...lines.keys()].map(({ result }) => result.id))
  for (const expected of reflexOf(catalogue, flagged)) if (!known.has(expected.result.id)) write(expected)
  const slugs = new Set(newResults.map(({ result }) => result.analyte.slug))
  const newValues = [...values].filter(([slug]) => slugs.has(slug))
  return { sample, conditions, goals, lines, values, reported: new Map([...reported, ...newValues]) }
}

/** The sample once a result is to be out of range. An earlier goal of the same result was not reported. */
function withGoal(
  { sample, conditions, goals }: Issued,
  goal: Goal,
): Pick<Issued, 'sample' | 'conditions' | 'goals'> {
  const { slug, cause } = goal
  const shown = cause ? [...conditions.filter((each) => !isSameCondition(each, cause)), cause] : conditions
  return {
    sample: withConditions(sample, shown),
    conditions: shown,
    goals: [...goals.filter((each) => each.slug !== slug), goal],
  }
}

const isFlagged = ({ interpretation }: ResultLine) =>
  interpretation === 'abnormal' || interpretation === 'critical'

/** Orders of one transaction share values, because they have one patient. A correction generates new ones. */
const valuesKey = (world: World, order: OrderRow, { corrections }: Edition) =>
  `value/${sampleKey(world, order)}${corrections > 0 ? `/corrected/${corrections}` : ''}`

/** The key by which the sample of a transaction is drawn. */
function sampleKey(world: World, { id, order_transaction: transaction }: OrderRow): string {
  const first = transaction?.orders[0]
  if (!first) return world.drawKey('order', id)
  return world.random.uuid(`transaction/${world.drawKey('order', first.id)}`)
}

/** Results are numbers unless other types are requested, which are then used in turn. */
function typeAt(types: readonly string[] | undefined, at: number): (typeof resultTypes)[number] {
  const told = (['numeric', 'comment', 'range', 'coded_value'] as const).filter((type) =>
    types?.includes(type),
  )
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
  const byKey = <Line extends Keyed>(lines: readonly Line[]) =>
    new Map(lines.map((line) => [keyOf(line), line]))
  const results = byKey(reports.flatMap((report) => report.results))
  const missing = byKey(reports.flatMap((report) => report.missing_results ?? []))
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

const worstOf = (reports: readonly Report[]): string =>
  worstFirst.find((word) => reports.some(({ metadata }) => metadata.interpretation === word)) ?? 'normal'

type Keyed = Pick<ResultLine, 'provider_id' | 'loinc' | 'slug'>

const keyOf = ({ provider_id, loinc, slug }: Keyed) => provider_id ?? loinc ?? slug
