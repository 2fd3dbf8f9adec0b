import type { Parsed } from '../../contract/schema.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { ordersOfTransaction } from '../order-transactions/service.ts'
import { getOrder } from '../orders/service.ts'
import { type OrderRow, orderFacts } from '../orders/table.ts'
import { familyOf } from './derived.ts'
import { type Expected, expectedOf, reflexOf } from './expected.ts'
import { metadataOf, patientOf, sampleInformationOf } from './head.ts'
import { linesOf, missingLine, type ResultLine } from './lines.ts'
import { allot, type Edition, editionOf } from './plan.ts'
import type { LabResultsRaw, resultTypes } from './schema.ts'
import { familyValues, type Sample, type Value } from './values.ts'

/** Results as the wire shows them; the lines are always a list. */
export type Report = Parsed<typeof LabResultsRaw> & { readonly results: readonly ResultLine[] }
export type { ResultLine } from './lines.ts'
export { editionOf } from './plan.ts'

/** An order's results as they stand, or the 404 of the routes. Source: contract/lab-testing.md §11. */
export function getReport(world: World, orderId: string): { order: OrderRow; report: Report } {
  const order = getOrder(world, orderId, 'Order not found')
  const report = findReport(world, order)
  if (!report) throw notThere(`order - ${orderId}`)
  return { order, report }
}

/** The head of an order's results; the lines are not worked out for it. */
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
  const { results, missing } = fill(world, order, edition)
  return {
    metadata: metadataOf(world, order, edition),
    results,
    missing_results: missing.length > 0 ? missing : null,
    sample_information: sampleInformationOf(world, order, edition),
    order_transaction: order.order_transaction,
  }
}

function fill(world: World, order: OrderRow, edition: Edition) {
  const { random } = world
  const { catalogue } = world.parts
  const plan = world.db.find(orderFacts, order.id)?.results ?? {}
  const patient = patientOf(order, edition)
  const key = `result/${order.id}`
  const all = expectedOf(catalogue, order)
  const { reported, missing, goal } = allot(all, {
    random,
    orderId: order.id,
    key,
    patient,
    edition,
    plan,
  })
  const sample: Sample = { random, key: valuesKey(order, edition), patient, analytes: catalogue.analytes() }
  const values = new Map<string, Value>()
  const write = (expected: Expected, at: string): ResultLine[] => {
    const { slug } = expected.result.analyte
    if (!values.has(slug)) {
      const inFamily = goal && familyOf(goal.slug).includes(slug)
      for (const [each, value] of familyValues(sample, slug, inFamily ? goal : undefined))
        values.set(each, value)
    }
    return linesOf(expected, {
      random,
      key,
      patient,
      goal,
      isUnknown: plan.interpretation === 'unknown',
      at,
      sampleId: order.sample_id,
      type: typeAt(plan.types, all.indexOf(expected)),
      value: values.get(slug),
      origins: catalogue.cancerSignalOrigins(),
    })
  }
  const flagged: Expected[] = []
  const results = reported.flatMap(({ expected, at }) => {
    const lines = write(expected, at)
    if (lines.some(({ interpretation }) => interpretation === 'abnormal' || interpretation === 'critical'))
      flagged.push(expected)
    return lines
  })
  const added = reflexOf(catalogue, flagged).filter(({ result }) =>
    all.every((each) => each.result.id !== result.id),
  )
  return {
    results: [...results, ...added.flatMap((expected) => write(expected, edition.reportedAt))],
    missing: missing.map((expected) => missingLine(expected, random, key)),
  }
}

/** Orders of one transaction are about one patient's blood: their values hang together. A correction draws anew. */
const valuesKey = ({ id, order_transaction }: OrderRow, { corrections }: Edition) =>
  `value/${order_transaction?.id ?? id}${corrections > 0 ? `/corrected/${corrections}` : ''}`

/** Numbers are told as numbers, unless the sandbox was asked for other types: those in turn. */
function typeAt(types: readonly string[] | undefined, at: number): (typeof resultTypes)[number] {
  const told = (['numeric', 'comment', 'range'] as const).filter((type) => types?.includes(type))
  return told[at % told.length] ?? 'numeric'
}

/** The results of all orders of a transaction as one; where two have the same, the later one's. Source: contract/lab-testing.md §9. */
export function getTransactionReport(
  world: World,
  transactionId: string,
): { orders: readonly [OrderRow, ...OrderRow[]]; report: Report } {
  const all = ordersOfTransaction(world, transactionId)
  const [latest, ...earlier] = all.toReversed() as [OrderRow, ...OrderRow[]]
  const reports = all.flatMap((order) => findReport(world, order) ?? [])
  const last = reports.at(-1)
  if (!last) throw notThere(`order transaction - ${transactionId}`)
  const results = new Map(reports.flatMap((report) => report.results.map((line) => [keyOf(line), line])))
  const missing = new Map(
    reports.flatMap((report) => (report.missing_results ?? []).map((line) => [keyOf(line), line])),
  )
  const stillMissing = [...missing].flatMap(([key, line]) => (results.has(key) ? [] : [line]))
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
