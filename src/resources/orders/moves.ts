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
import { draftFollowOn, type FollowOn } from './draft.ts'
import { announce, announceCritical } from './events.ts'
import { putOrder } from './filled-directory.ts'
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
  /** Whether to allow a step that the lifecycle does not have. */
  readonly force?: boolean
  /** Whether to use exactly this status: a completed order with missing results is not redrawn. */
  readonly exact?: boolean
}

/** Moves an order one step. Throws if the lifecycle does not have the step, unless forced. */
export function moveOrder(
  world: World,
  order: OrderRow,
  requested: Step,
  { force = false, exact = force }: MoveOptions = {},
): OrderRow {
  const step = chooseFinalStep(world, order, requested, { exact })
  if (!force && !canMove(workflowOf(order), statusHistoryOf(order), step.to))
    throw illegalMove(world, order, step.to)
  const moved = commitTransition(world, applyStep(world, order, step))
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
  world.parts.scenarios.begin(world, order.id, world.parts.scenarios.choose(world, input))
}

/** Stores a follow-on order, and creates its requisition. */
function placeFollowOn(world: World, { draft, metadata }: FollowOn): OrderRow {
  updateOrderMetadata(world, draft.id, metadata)
  const ordered = commitTransition(world, applyStep(world, draft, { to: 'ordered' }))
  return commitTransition(world, applyStep(world, ordered, { to: 'requisition_created' }))
}

/** Recreates an order that cannot take the results that arrived; it follows no scenario. Source: contract/lab-testing.md §18. */
export const recreateOrder = (world: World, order: OrderRow, labTest: LabTestRow): OrderRow =>
  placeFollowOn(world, draftFollowOn(world, labTest, { order, origin: 'recreation' }))

/** Statuses with results, final or partial. */
const reports: Partial<Record<LowStatus, 'final' | 'partial'>> = {
  partial_results: 'partial',
  completed: 'final',
  redraw_available: 'final',
  corrected: 'final',
}

/** Stores an order that has reached a status, announces it, and runs the order hooks. Returns the order after the hooks. */
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
  const isNews = !wasCritical || (reported === 'final' && low !== 'corrected')
  if (reported && isNews && order.interpretation === 'critical') announceCritical(world, order, reported)
  world.parts.orderHooks.afterCommit(world, order.id, low)
  return world.db.text(orders, order.id).text === text ? order : world.db.get(orders, order.id)
}

/** All orders of a transaction show it. */
function updateSiblings(world: World, order: OrderRow): void {
  const { order_transaction } = order
  for (const { id } of order_transaction?.orders ?? []) {
    const sibling = id === order.id ? undefined : world.db.find(orders, id)
    if (sibling) putOrder(world, { ...sibling, order_transaction })
  }
}

/** The statuses an order can be given by hand without `force`. */
export const movesByHand = (world: World, order: OrderRow): LowStatus[] =>
  legalMoves(workflowOf(order), statusHistoryOf(order)).filter(
    (low) => low !== 'redraw_available' || canBeRedrawn(world, order),
  )

export function illegalMove(world: World, order: OrderRow, to: LowStatus, because = ''): Problem {
  const legal = movesByHand(world, order).map((low) => dotted(methodOf(order), low))
  const detail = `The order is ${order.last_event.status} and cannot become ${to}. ${because}`.trim()
  return new Problem('conflict', detail, { also: { legal } })
}
