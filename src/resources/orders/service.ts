import { toWire } from '../../kernel/instant.ts'
import { compact } from '../../kernel/list.ts'
import { badRequest, orNotFound, Problem } from '../../kernel/problem.ts'
import { Slices } from '../../kernel/slices.ts'
import type { World } from '../../world/world.ts'
import type { LabTestRow } from '../lab-tests/table.ts'
import { putOrder } from './directory.ts'
import { draftFollowOn, type FollowOn } from './draft.ts'
import { announce } from './events.ts'
import { canMove, dotted, type LowStatus, legalMoves, topStatusOf } from './lifecycle.ts'
import { canBeRedrawn, chooseFinalStep, draftRedraw, hasRedraw, NOT_REDRAWN } from './redraws.ts'
import {
  type CommunicationRow,
  communications,
  currentStatusOf,
  methodOf,
  type OrderRow,
  orders,
  statusHistoryOf,
  workflowOf,
} from './table.ts'
import { assertHasNeeds, placeDraft, type Step, transition } from './transition.ts'

export type { Step } from './transition.ts'

/** The order, or the 404 of the route. */
export function getOrder(world: World, orderId: string, missing = "This order doesn't exist"): OrderRow {
  return orNotFound(world.db.find(orders, orderId), missing)
}

interface MoveOptions {
  /** Whether to allow a step that the lifecycle does not have. */
  readonly force?: boolean
  /** Whether to use exactly this status: a completed order with missing results is not redrawn. */
  readonly exact?: boolean
}

const canBecome = (order: OrderRow, to: LowStatus): boolean =>
  canMove(workflowOf(order), statusHistoryOf(order), to)

/** Moves an order one step. Throws if the lifecycle does not have the step, unless forced. */
export function moveOrder(
  world: World,
  order: OrderRow,
  requested: Step,
  { force = false, exact = force }: MoveOptions = {},
): OrderRow {
  const step = chooseFinalStep(world, order, requested, { exact })
  if (!force && !canBecome(order, step.to)) throw illegalMove(world, order, step.to)
  const moved = transition(world, order, step)
  if (step.to !== 'redraw_available' || hasRedraw(moved)) return moved
  startRedraw(world, moved)
  return world.db.get(orders, order.id)
}

/** Creates the redraw order for the missing markers, and begins its scenario. */
function startRedraw(world: World, initial: OrderRow): void {
  const redraw = draftRedraw(world, initial)
  if (!redraw) return
  const order = placeFollowOn(world, redraw)
  const input = { requested: undefined, method: methodOf(order), zip: undefined, userId: order.user_id }
  world.services.scenarios.begin(world, order.id, world.services.scenarios.choose(world, input))
}

/** Stores a follow-on order, and creates its requisition. */
const placeFollowOn = (world: World, { draft, metadata }: FollowOn): OrderRow =>
  placeDraft(world, draft, metadata, 'requisition_created')

/** Recreates an order that cannot take the results that arrived; it follows no scenario. Source: docs/contract/unmatched-results.md. */
export const recreateOrder = (world: World, order: OrderRow, labTest: LabTestRow): OrderRow =>
  placeFollowOn(world, draftFollowOn(world, labTest, { order, origin: 'recreation' }))

/** The statuses an order can be given manually without `force`. */
export const movesByHand = (world: World, order: OrderRow): LowStatus[] =>
  legalMoves(workflowOf(order), statusHistoryOf(order)).filter(
    (low) => low !== 'redraw_available' || canBeRedrawn(world, order),
  )

function illegalMove(world: World, order: OrderRow, to: LowStatus, because?: string): Problem {
  const method = methodOf(order)
  const legal = movesByHand(world, order).map((low) => dotted(method, low))
  const sentences = compact([
    `The order is ${order.last_event.status} and cannot become ${to}.`,
    because,
    'With `force: true` it is set anyway; `reach` advances the order to it, in a scenario that passes through it.',
    world.services.scenarios.passingThrough(world, to, method),
  ])
  return new Problem('conflict', sentences.join(' '), { also: { legal } })
}

/** Source: docs/contract/orders.md#cancelling. */
const NOT_CANCELLABLE =
  'This order is not in a Cancellable Status. Refer to the documentation to check the order lifecycle (https://docs.tryvital.io/lab/workflow/lab-test-lifecycle).'

/** Cancels an order; repeated calls change nothing. Source: docs/contract/orders.md#cancelling. */
export function cancelOrder(world: World, orderId: string): { order: OrderRow; message: string } {
  const order = getOrder(world, orderId, "Order doesn't exist")
  const low = currentStatusOf(order)
  if (low === 'cancelled') return { order, message: 'order already cancelled' }
  if (!canBecome(order, 'cancelled')) {
    throw badRequest(NOT_CANCELLABLE)
  }
  world.services.scenarios.leave(world, orderId, 'the order was cancelled')
  return { order: moveOrder(world, order, { to: 'cancelled' }), message: 'order cancelled' }
}

/** Marks the specimen of an on-site order as collected. Source: docs/contract/orders.md#lists. */
export function completeDraw(world: World, orderId: string): OrderRow {
  const order = getOrder(world, orderId)
  const method = methodOf(order)
  if (method !== 'on_site_collection') {
    throw badRequest(`This order is collected by ${method}, not on site`)
  }
  if (!canBecome(order, 'draw_completed')) {
    throw badRequest(`Transition from ${currentStatusOf(order)} to draw_completed is not allowed`)
  }
  return moveOrder(world, order, { to: 'draw_completed' })
}

/** Moves an order manually, after it has left its scenario. */
export function moveByHand(world: World, orderId: string, step: Step, force: boolean): OrderRow {
  const order = getOrder(world, orderId)
  if (!topStatusOf(methodOf(order), step.to)) {
    throw badRequest(`${step.to} is not a status of ${methodOf(order)}.`)
  }
  if (!force && !canBecome(order, step.to)) throw illegalMove(world, order, step.to)
  if (!force && step.to === 'redraw_available' && !canBeRedrawn(world, order)) {
    throw illegalMove(world, order, step.to, NOT_REDRAWN)
  }
  assertHasNeeds(world, order, step)
  world.services.scenarios.leave(world, orderId, 'the order was moved manually')
  return moveOrder(world, order, step, { force, exact: true })
}

const MAX_RESENT_MS = 60 * 24 * 3_600_000

interface ResendInput {
  readonly orderIds: readonly string[] | null | undefined
  readonly startAt: number | null | undefined
  readonly endAt: number | null | undefined
}

/** Sends each order's latest event again. Returns the ids of these orders. Source: docs/contract/orders.md#lists. */
export async function resendEvents(
  world: World,
  { orderIds, startAt, endAt }: ResendInput,
): Promise<string[]> {
  const end = endAt ?? world.clock.now()
  if (!orderIds && startAt == null)
    throw new Problem('invalid', 'At least one of order_ids and start_at is required.')
  if (startAt != null && (end < startAt || end - startAt > MAX_RESENT_MS)) {
    throw new Problem('invalid', 'start_at must lie before end_at, by 60 days at most.')
  }
  const within = (order: OrderRow) => {
    const at = Date.parse(order.last_event.created_at)
    return startAt == null || (at >= startAt && at <= end)
  }
  const slices = new Slices()
  const resent: string[] = []
  for (const id of orderIds ? new Set(orderIds) : world.db.ids(orders)) {
    if (slices.isOver) await slices.next()
    const order = world.db.find(orders, id)
    if (!order || !within(order)) continue
    announce(world, order)
    resent.push(id)
  }
  return resent
}

/** Whether the patient gets text messages about an order; true by default. Source: docs/contract/orders.md#lists. */
export function communicationOf(world: World, orderId: string): CommunicationRow {
  getOrder(world, orderId)
  return world.db.find(communications, orderId) ?? { order_id: orderId, sms_enabled: true }
}

export function setCommunication(world: World, orderId: string, smsEnabled: boolean): CommunicationRow {
  getOrder(world, orderId)
  return world.db.put(communications, { order_id: orderId, sms_enabled: smsEnabled })
}

/** Stores the active appointment of an order without announcing it; the move of the order announces it. */
export function setAppointment(world: World, orderId: string, appointmentId: string | null): OrderRow {
  const order = getOrder(world, orderId)
  const { details } = order
  if (!('data' in details) || !details.data || !('appointment_id' in details.data)) {
    throw new Error(`an order of ${details.type} has no appointments`)
  }
  const updated_at = toWire(world.clock.now())
  const data = { ...details.data, appointment_id: appointmentId, updated_at }
  return putOrder(world, { ...order, updated_at, details: { ...details, data } as OrderRow['details'] })
}
