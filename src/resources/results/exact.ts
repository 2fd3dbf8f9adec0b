import { badRequest, Problem } from '../../kernel/problem.ts'
import { conditionTable } from '../../people/conditions.ts'
import { daysLater } from '../../people/dates.ts'
import { conditionsOn } from '../../people/person.ts'
import type { World } from '../../world/world.ts'
import { putOrder } from '../orders/directory.ts'
import { hasReport, isOver } from '../orders/lifecycle.ts'
import { getOrder, moveByHand, type Step } from '../orders/service.ts'
import {
  currentStatusOf,
  type OrderRow,
  orderMetadata,
  orders,
  type ResultPlan,
  updateOrderMetadata,
} from '../orders/table.ts'
import { addFinding, findingsOf, isSameCondition } from '../personas/service.ts'
import { correctionOf } from './corrections.ts'
import { assertKnownResults, expectedOf, isCalled, slugIn } from './expected.ts'
import { type EnteredResults, planOf, whyImpossible } from './given.ts'
import { canBe, type Level } from './goals.ts'
import { editionOf } from './plan.ts'
import { patientOf } from './report-header.ts'
import { findReport, goalsOf, isNaturalPlan, subjectOf } from './service.ts'
import { resultPdfs } from './table.ts'

interface Entered extends EnteredResults {
  /** Of a PDF, in Base64. */
  readonly pdf?: string | undefined
  readonly missing?: ResultPlan['missing'] | undefined
}

/** Throws for values that the results of an order cannot have. */
export function assertPossible(world: World, order: OrderRow, { values = {}, missing }: Entered): void {
  const entries = Object.entries(values)
  assertKnownResults(world, order, Object.keys(values))
  const all = expectedOf(world.services.catalogue, order)
  const lost = Array.isArray(missing) ? missing.map(slugIn(all)) : []
  const names = new Map<string, string>()
  for (const [name, value] of entries) {
    const analyte = all.find((each) => isCalled(each, name))?.result.analyte
    if (!analyte) continue
    const twin = names.get(analyte.slug)
    if (twin !== undefined) throw badRequest(`"${twin}" and "${name}" are the same result; give one of them.`)
    names.set(analyte.slug, name)
    const why = whyImpossible(analyte, name, value)
    if (why !== undefined) throw badRequest(`${why}.`)
    if (lost.includes(analyte.slug))
      throw badRequest(`"${name}" has a value and is missing; give one of the two.`)
  }
}

/** Makes a step of an order that may have exact results and a PDF; `move` moves the order. */
export function moveWithResults(
  world: World,
  order: OrderRow,
  step: Step,
  pdf: string | undefined,
  move: (step: Step) => OrderRow,
): OrderRow {
  const { to, results = {} } = step
  const isChange = to === 'corrected' && editionOf(order) !== undefined
  const moved = move(
    isChange ? { ...step, results: correctionOf(world, order, results, pdf !== undefined) } : step,
  )
  if (pdf !== undefined) world.db.put(resultPdfs, { order_id: order.id, pdf })
  return moved
}

/**
 * Keeps what the results show of the user. The word of a report that is not just normal is that of its worst line, and a
 * correction replaces the PDF.
 */
export function settleReport(world: World, orderId: string): void {
  const order = world.db.get(orders, orderId)
  const low = currentStatusOf(order)
  if (!hasReport(low)) return
  if (low === 'corrected') world.db.delete(resultPdfs, orderId)
  const before = world.db.find(orderMetadata, orderId)
  if (before?.known_findings === undefined)
    updateOrderMetadata(world, orderId, { known_findings: findingsOf(world, order.user_id).length })
  const plans = [...(before?.earlier_results ?? []), before?.results ?? {}]
  const isOutOfRange = plans.some(({ interpretation }) => isLevel(interpretation))
  if (isOutOfRange) keepFindings(world, order)
  if (!isOutOfRange && !plans.some((plan) => plan.values ?? plan.unchanged ?? isNaturalPlan(plan))) return
  const report = findReport(world, order)
  if (!report) return
  const words = report.results.map((line) => line.interpretation)
  const worst = (['critical', 'abnormal'] as const).find((word) => words.includes(word)) ?? 'normal'
  putOrder(world, {
    ...order,
    interpretation: before?.results?.interpretation === 'unknown' ? 'unknown' : worst,
    has_missing_results: report.missing_results !== null,
  })
}

const isLevel = (word: ResultPlan['interpretation']): word is Level =>
  word === 'abnormal' || word === 'critical'

/** Why a report is not what a step asked for, with the results of its order that can be so; undefined if it is. */
export function whyMilder(world: World, orderId: string, { results = {} }: Step): string | undefined {
  const { interpretation: asked } = results
  const order = world.db.get(orders, orderId)
  const edition = editionOf(order)
  if (!isLevel(asked) || !edition) return undefined
  if (order.interpretation === asked || order.interpretation === 'critical') return undefined
  const patient = patientOf(order, edition)
  const able = expectedOf(world.services.catalogue, order).filter(({ result }) =>
    canBe(result, asked, patient),
  )
  const names = able.map(({ result }) => result.slug).join(', ')
  return `not ${asked}: ${names ? `of this order, ${names} can be` : 'no result of this order can be'}`
}

/** Conditions that results show for the first time stay with the user. */
function keepFindings(world: World, order: OrderRow): void {
  const edition = editionOf(order)
  if (!edition) return
  const { person, date } = subjectOf(world, order)
  const known = conditionsOn(person, date)
  for (const { cause } of goalsOf(world, order)) {
    if (!cause || known.some((each) => isSameCondition(each, cause))) continue
    const { name, degree, sign } = cause
    const [shortest, longest] = conditionTable.get(name).days ?? []
    const days = world.random.integer(
      `finding/${world.drawKey('order', order.id)}/${name}`,
      shortest ?? 0,
      longest ?? 0,
    )
    const until = shortest === undefined ? null : daysLater(date, days)
    addFinding(world, order.user_id, { name, since: date, until, degree, ...(sign && { sign }) })
  }
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
    throw badRequest('Give values, a comment or a pdf.')
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
