import { feature } from '../../api/features.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import type { LabTestRow } from '../lab-tests/table.ts'
import {
  applyStep,
  currentStatusOf,
  methodOf,
  type Step,
  statusHistoryOf,
  updateOrderMetadata,
  workflowOf,
} from './apply-step.ts'
import { putOrder } from './directory.ts'
import { draftFollowOn, type FollowOn } from './draft.ts'
import { announce, announceCritical } from './events.ts'
import { canMove, dotted, type LowStatus, legalMoves } from './lifecycle.ts'
import { canBeRedrawn, chooseFinalStep, draftRedraw, hasRedraw } from './redraws.ts'
import { type OrderRow, orders } from './table.ts'

/** The order, or the 404 of the route. */
export function getOrder(world: World, orderId: string, missing = "This order doesn't exist"): OrderRow {
  const order = world.db.find(orders, orderId)
  if (!order) throw new Problem('not_found', missing)
  return order
}

export interface MoveOptions {
  /** Whether the lifecycle has the step or not. */
  readonly force?: boolean
  /** This status and no other: a completed order with missing results is not redrawn. */
  readonly exact?: boolean
}

/** Takes an order one step on; refuses a step its lifecycle does not have unless forced. */
export function moveOrder(
  world: World,
  order: OrderRow,
  requested: Step,
  { force = false, exact = force }: MoveOptions = {},
): OrderRow {
  const step = chooseFinalStep(world, order, requested, exact)
  if (!force && !canMove(workflowOf(order), statusHistoryOf(order), step.to))
    throw illegalMove(world, order, step.to)
  const moved = commitTransition(world, applyStep(world, order, step))
  if (step.to !== 'redraw_available' || hasRedraw(moved)) return moved
  startRedraw(world, moved)
  return world.db.get(orders, order.id)
}

/** Makes the order that takes the missing markers again, and lets its scenario begin. */
function startRedraw(world: World, initial: OrderRow): void {
  const redraw = draftRedraw(world, initial)
  if (!redraw) return
  const order = placeFollowOn(world, redraw)
  const input = { asked: undefined, method: methodOf(order), zip: undefined, userId: order.user_id }
  world.parts.scenarios.begin(world, order.id, world.parts.scenarios.choose(world, input))
}

/** Stores an order the service made for one before it, and its requisition at once. */
function placeFollowOn(world: World, { draft, metadata }: FollowOn): OrderRow {
  updateOrderMetadata(world, draft.id, metadata)
  const ordered = commitTransition(world, applyStep(world, draft, { to: 'ordered' }))
  return commitTransition(world, applyStep(world, ordered, { to: 'requisition_created' }))
}

/** Makes an order anew after one that cannot have the results that came for it; it follows no scenario. Source: contract/lab-testing.md §18. */
export const recreateOrder = (world: World, order: OrderRow, labTest: LabTestRow): OrderRow =>
  placeFollowOn(world, draftFollowOn(world, labTest, { order, origin: 'recreation' }))

/** Statuses that come with results, and how final these are. */
const reports: Partial<Record<LowStatus, 'final' | 'partial'>> = {
  partial_results: 'partial',
  completed: 'final',
  redraw_available: 'final',
}

/** Stores an order that has just reached a status, tells of it, and lets others act on it. Answers it as it stands then. */
export function commitTransition(world: World, order: OrderRow): OrderRow {
  const wasCritical = world.db.find(orders, order.id)?.interpretation === 'critical'
  putOrder(world, order)
  updateSiblings(world, order)
  world.agenda.record('order', {
    order_id: order.id,
    user_id: order.user_id,
    status: order.last_event.status,
    ...(order.last_event.status_detail && { detail: order.last_event.status_detail }),
  })
  const low = currentStatusOf(order)
  const { text } = world.db.text(orders, order.id)
  world.parts.orderHooks.beforeAnnounce(world, order.id, low)
  if (low !== 'partial_results' || feature(world, 'partial_results_webhooks')) announce(world, order)
  const reported = reports[low]
  const isNews = reported === 'final' || !wasCritical
  if (reported && isNews && order.interpretation === 'critical') announceCritical(world, order, reported)
  world.parts.orderHooks.afterCommit(world, order.id, low)
  return world.db.text(orders, order.id).text === text ? order : world.db.get(orders, order.id)
}

/** Orders of one transaction all show it. */
function updateSiblings(world: World, order: OrderRow): void {
  const transaction = order.order_transaction
  if (!transaction || transaction.orders.length < 2) return
  for (const line of transaction.orders) {
    const sibling = line.id === order.id ? undefined : world.db.find(orders, line.id)
    if (sibling) putOrder(world, { ...sibling, order_transaction: transaction })
  }
}

/** The statuses an order can be given by hand without force. */
export const movesByHand = (world: World, order: OrderRow): LowStatus[] =>
  legalMoves(workflowOf(order), statusHistoryOf(order)).filter(
    (low) => low !== 'redraw_available' || canBeRedrawn(world, order),
  )

export function illegalMove(world: World, order: OrderRow, to: LowStatus, because = ''): Problem {
  const legal = movesByHand(world, order).map((low) => dotted(methodOf(order), low))
  const detail = `The order is ${order.last_event.status} and cannot become ${to}. ${because}`.trim()
  return new Problem('conflict', detail, { also: { legal } })
}
