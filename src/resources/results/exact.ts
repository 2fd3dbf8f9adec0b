import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { putOrder } from '../orders/directory.ts'
import { isOver } from '../orders/lifecycle.ts'
import { getOrder, moveByHand, type Step } from '../orders/service.ts'
import {
  currentStatusOf,
  type OrderRow,
  orderMetadata,
  orders,
  type ResultPlan,
  updateOrderMetadata,
} from '../orders/table.ts'
import { familyOf, formulas } from './derived.ts'
import { assertKnownResults, expectedOf, isCalled } from './expected.ts'
import { type EnteredResults, planOf, whyImpossible } from './given.ts'
import { driverOf, models } from './models.ts'
import { withDerived } from './plan.ts'
import { currentValues, findReport } from './service.ts'
import { resultPdfs } from './table.ts'
import type { Value } from './values.ts'

/** Statuses with which a laboratory sends results. */
export const reportStatuses: readonly string[] = [
  'partial_results',
  'completed',
  'redraw_available',
  'corrected',
]

interface Entered extends EnteredResults {
  /** Of a PDF, in Base64. */
  readonly pdf?: string | undefined
  readonly missing?: ResultPlan['missing'] | undefined
}

/** Throws for values that the results of an order cannot have. */
export function assertPossible(world: World, order: OrderRow, { values = {}, missing }: Entered): void {
  const entries = Object.entries(values)
  assertKnownResults(world, order, Object.keys(values))
  const all = expectedOf(world.parts.catalogue, order)
  const names = new Map<string, string>()
  for (const [name, value] of entries) {
    const analyte = all.find((each) => isCalled(each, name))?.result.analyte
    if (!analyte) continue
    const twin = names.get(analyte.slug)
    if (twin !== undefined) throw refusal(`"${twin}" and "${name}" are the same result; give one of them.`)
    names.set(analyte.slug, name)
    const why = whyImpossible(analyte, name, value)
    if (why !== undefined) throw refusal(`${why}.`)
    const isMissing = Array.isArray(missing) && all.some((each) => isSame(each, analyte.slug, missing))
    if (isMissing) throw refusal(`"${name}" has a value and is missing; give one of the two.`)
  }
}

const isSame = (each: Parameters<typeof isCalled>[0], slug: string, names: readonly string[]) =>
  each.result.analyte.slug === slug && names.some((name) => isCalled(each, name))

const refusal = (detail: string) => new Problem('bad_request', detail)

/** Makes a step of an order that may have exact results and a PDF; `move` moves the order. */
export function moveWithResults(
  world: World,
  order: OrderRow,
  step: Step,
  pdf: string | undefined,
  move: (step: Step) => OrderRow,
): OrderRow {
  const { to, results = {} } = step
  const isExact = results.values !== undefined || results.comment !== undefined || pdf !== undefined
  const isChange = to === 'corrected' && isExact && findReport(world, order) !== undefined
  const moved = move(isChange ? { ...step, results: correctionOf(world, order, results) } : step)
  if (pdf !== undefined) world.db.put(resultPdfs, { order_id: order.id, pdf })
  return moved
}

/** The plan of a correction that changes these results, and those computed from them, but no others. */
function correctionOf(world: World, order: OrderRow, change: ResultPlan): ResultPlan {
  const metadata = world.db.find(orderMetadata, order.id)
  const before = [...(metadata?.earlier_results ?? []), metadata?.results ?? {}]
  const all = expectedOf(world.parts.catalogue, order)
  const slugOf = (name: string) => all.find((each) => isCalled(each, name))?.result.analyte.slug ?? name
  const changed = Object.keys(change.values ?? {}).map(slugOf)
  const open = new Set(changed.flatMap(recomputedFor))
  const { values, missing } = currentValues(world, order)
  const kept = (records: readonly (Readonly<Record<string, Value>> | undefined)[]) =>
    records.flatMap((record) => Object.entries(record ?? {})).filter(([name]) => !open.has(slugOf(name)))
  const last = before.at(-1)
  const comment = change.comment ?? last?.comment
  return {
    ...(last?.types && { types: last.types }),
    ...(last?.interpretation === 'unknown' && { interpretation: last.interpretation }),
    ...change,
    missing: change.missing ?? missing.filter((name) => !changed.includes(slugOf(name))),
    unchanged: Object.fromEntries(kept([Object.fromEntries(values)])),
    values: { ...Object.fromEntries(kept(before.map((plan) => plan.values))), ...change.values },
    notes: { ...Object.assign({}, ...before.map((plan) => plan.notes)), ...change.notes },
    ...(comment !== undefined && { comment }),
  }
}

/** What cannot stay as it was when the value of an analyte changes. */
function recomputedFor(slug: string): string[] {
  const dependent = [...withDerived([slug])]
  if (!formulas[slug]) return dependent
  return [...dependent, driverOf(slug), ...familyOf(slug).filter((each) => formulas[each] || models[each])]
}

/** Exact results decide the interpretation of their order, and a correction replaces the PDF. */
export function settleReport(world: World, orderId: string, low: string): void {
  if (!reportStatuses.includes(low)) return
  if (low === 'corrected') world.db.delete(resultPdfs, orderId)
  const metadata = world.db.find(orderMetadata, orderId)
  const plans = [...(metadata?.earlier_results ?? []), metadata?.results ?? {}]
  if (!plans.some(({ values, unchanged }) => values ?? unchanged)) return
  const order = world.db.get(orders, orderId)
  const report = findReport(world, order)
  if (!report) return
  const words = report.results.map((line) => line.interpretation)
  const worst = (['critical', 'abnormal'] as const).find((word) => words.includes(word)) ?? 'normal'
  putOrder(world, {
    ...order,
    interpretation: metadata?.results?.interpretation === 'unknown' ? 'unknown' : worst,
    has_missing_results: report.missing_results !== null,
  })
}

/** Whether exact results were applied at once, or are kept until the laboratory reports. */
export interface Applied {
  readonly order: OrderRow
  readonly applied: boolean
}

/** Sets the exact results of an order: at once, by a correction, or with the next report. */
export function putResults(world: World, orderId: string, entered: Entered): Applied {
  const order = getOrder(world, orderId)
  if (entered.values === undefined && entered.comment === undefined && entered.pdf === undefined)
    throw refusal('Give values, a comment or a pdf.')
  assertPossible(world, order, entered)
  const low = currentStatusOf(order)
  const results = planOf(entered)
  if (low === 'completed' || low === 'corrected') {
    const step: Step = { to: 'corrected', results }
    const move = (each: Step) => moveByHand(world, orderId, each, false)
    return { order: moveWithResults(world, order, step, entered.pdf, move), applied: true }
  }
  if (isOver(low))
    throw new Problem('conflict', `The order is ${order.last_event.status}; no results will come.`)
  updateOrderMetadata(world, orderId, { given_results: results })
  if (entered.pdf === undefined) world.db.delete(resultPdfs, orderId)
  else world.db.put(resultPdfs, { order_id: orderId, pdf: entered.pdf })
  return { order, applied: false }
}
