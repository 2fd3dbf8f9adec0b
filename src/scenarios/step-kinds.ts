import { feature } from '../api/features.ts'
import { writeDuration } from '../kernel/duration.ts'
import type { JsonObject } from '../kernel/json.ts'
import { compact } from '../kernel/list.ts'
import { conflict, Problem } from '../kernel/problem.ts'
import { appointmentStatusOf, bookingMoves } from '../resources/appointments/service.ts'
import {
  canMove,
  detailsOf,
  hasReport,
  type LowStatus,
  type Method,
  pathTo,
  topStatusOf,
  type Workflow,
} from '../resources/orders/lifecycle.ts'
import { settledStatus } from '../resources/orders/redraws.ts'
import { moveOrder } from '../resources/orders/service.ts'
import {
  currentStatusOf,
  methodOf,
  type OrderRow,
  orders,
  statusHistoryOf,
  workflowOf,
} from '../resources/orders/table.ts'
import type { Step } from '../resources/orders/transition.ts'
import { moveWithResults, whyMilder } from '../resources/results/exact.ts'
import type { World } from '../world/world.ts'
import { appointmentVerbs, bookedLows, type VisitState, visitAfter } from './appointment-steps.ts'
import type { MoveStep, ScenarioStep, TimedStep } from './steps.ts'

// What each kind of step means. A new kind gets its form in steps.ts, and a case in each function of this file.

/** The statuses a step brings an order to; undefined if orders of the method have no such step. */
export function statusesOf(step: ScenarioStep, method: Method): readonly LowStatus[] | undefined {
  if (step.kind === 'move') return topStatusOf(method, step.step.to) && [step.step.to]
  if (step.kind === 'appointment') return (appointmentVerbs[step.word].lows as typeof bookedLows)[method]
  if (step.what === 'appointment') return bookedLows[method]
  return method === 'testkit' ? ['registered'] : undefined
}

/** Says that orders of a method have no such step. */
export function notOfMethod(step: ScenarioStep, method: Method): string {
  if (step.kind === 'move') return `${step.step.to} is not a status of ${method}`
  if (step.kind === 'appointment') return `appointment: orders of ${method} have no appointments`
  return `await: ${step.what} does not happen to ${method}`
}

/** What is wrong with a step, after these, whatever the method. */
export function problemsOf(step: ScenarioStep, before: readonly ScenarioStep[]): string[] {
  if (step.kind !== 'move') return []
  const { to, detail, results, patient } = step.step
  const details: readonly string[] = detailsOf.get(to) ?? []
  const others = details.length > 0 ? `; ${details.join(', ')} do` : ''
  const isExact = step.pdf !== undefined || results?.values !== undefined || results?.comment !== undefined
  return compact([
    detail && !details.includes(detail) && `status_detail ${detail} does not go with ${to}${others}`,
    step.isInParts && to !== 'completed' && `in_parts goes with completed, not with ${to}`,
    isExact && !hasReport(to) && `an order that becomes ${to} gets no results with it`,
    patient && to !== 'registered' && `patient goes with registered, not with ${to}`,
    patient &&
      to === 'registered' &&
      before.some(isRegistration) &&
      'the kit is registered already, by another step; it has one patient',
  ])
}

const isRegistration = (step: ScenarioStep): boolean =>
  statusesOf(step, 'testkit')?.includes('registered') === true

/** The state in which a step leaves the appointment. */
export function visitStateAfter(step: ScenarioStep, before: VisitState): VisitState {
  if (step.kind === 'move') return visitAfter[step.step.to] ?? before
  if (step.kind === 'appointment') return appointmentVerbs[step.word].to
  return step.what === 'appointment' ? 'booked' : before
}

/** The fields of a step other than its status and its time, as they are shown. */
export function fieldsOf(step: ScenarioStep): JsonObject {
  if (step.kind === 'await') return { await: step.what }
  const { beforeVisitMs } = step
  const when = {
    at: beforeVisitMs === 0 ? 'the appointment' : undefined,
    before: beforeVisitMs ? `the appointment by ${writeDuration(beforeVisitMs)}` : undefined,
  }
  if (step.kind === 'appointment') return { appointment: step.word, ...when }
  const { detail, patient, shipment, results } = step.step
  const pdf = step.pdf?.path
  return {
    ...when,
    status_detail: detail,
    patient,
    shipment,
    results,
    pdf,
    force: step.isForced || undefined,
    in_parts: step.isInParts || undefined,
  }
}

/** Runs a step. Returns what could not be done, and why. */
export function runStep(
  world: World,
  orderId: string,
  step: TimedStep,
  isRepeat: boolean,
): string | undefined {
  if (step.kind === 'appointment') {
    if (appointmentVerbs[step.word].run(world, orderId) !== undefined) return undefined
    const status = appointmentStatusOf(world, world.db.get(orders, orderId))
    return `${step.word} (${status ? `the appointment is ${status}` : 'the order has no appointment'})`
  }
  try {
    move(world, orderId, step, isRepeat)
    const why = whyMilder(world, orderId, step.step) ?? whyReplaced(world, orderId, step.step)
    return why && `${step.step.to} (${why})`
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return `${step.step.to} (${error.message})`
  }
}

/** Why an order is completed by a step that asks for a redraw. */
function whyReplaced(world: World, orderId: string, { to }: Step): string | undefined {
  if (to !== 'redraw_available' || currentStatusOf(world.db.get(orders, orderId)) === to) return undefined
  const reason = feature(world, 'redraws') ? 'it cannot be drawn again' : 'the feature redraws is off'
  return `completed instead: ${reason}`
}

function move(world: World, orderId: string, moveStep: MoveStep, isRepeat: boolean): void {
  const { step, pdf, isForced } = moveStep
  let order = world.db.get(orders, orderId)
  const history = statusHistoryOf(order)
  const path = pathOf(moveStep, isRepeat, workflowOf(order), history)
  if (!path) throw conflict(`the order is ${history.at(-1)}`)
  for (const to of path) {
    const before = order
    const moveTo = (each: Step) => moveOrder(world, before, each, { force: isForced })
    order = to === step.to ? moveWithResults(world, before, step, pdf?.content, moveTo) : moveTo({ to })
  }
}

/**
 * The moves to the status of a step: one, several if the customer acted outside the scenario, or none if the order already
 * has it. Undefined if it cannot be reached.
 */
function pathOf(
  { step: { to }, isForced }: MoveStep,
  isRepeat: boolean,
  workflow: Workflow,
  history: readonly LowStatus[],
): LowStatus[] | undefined {
  if (isForced || isRepeat) return [to]
  if (to === 'requisition_created' && history.includes(to)) return []
  if (to.startsWith('appointment_') && history.at(-1) === to) return []
  return canMove(workflow, history, to) ? [to] : pathTo(workflow, history, to, isBridge)
}

/** Statuses the engine inserts when the customer's actions differ from the scenario. */
export const isBridge = (status: LowStatus): boolean => bridges.includes(status)

const bridges: readonly LowStatus[] = [
  'requisition_created',
  'transit_customer',
  'out_for_delivery',
  'appointment_pending',
  'appointment_scheduled',
]

/** The statuses a step brings an order to that has this history by then. */
export function upcomingOf(
  world: World,
  order: OrderRow,
  step: ScenarioStep,
  isRepeat: boolean,
  history: readonly LowStatus[],
): readonly LowStatus[] {
  const workflow = workflowOf(order)
  if (step.kind === 'move') {
    const path = pathOf(step, isRepeat, workflow, history)
    if (!path || path.length === 0) return []
    const before = path.slice(0, -1)
    return [...before, settledStatus(world, order, step.step, [...history, ...before])]
  }
  if (step.kind === 'await' && step.what === 'appointment')
    return bookingMoves(world, order).filter(
      (low) => low !== 'appointment_pending' || canMove(workflow, history, low),
    )
  return statusesOf(step, methodOf(order)) ?? []
}
