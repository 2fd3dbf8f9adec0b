import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { announce, announceCritical } from './events.ts'
import { canMove, dotted, type LowStatus, legalMoves } from './lifecycle.ts'
import { lowOf, methodOf, progress, roadOf, type Step, trailOf } from './progress.ts'
import { type OrderRow, orders } from './table.ts'

/** The order, or the 404 of the route. */
export function getOrder(world: World, orderId: string, missing = "This order doesn't exist"): OrderRow {
  const order = world.db.find(orders, orderId)
  if (!order) throw new Problem('not_found', missing)
  return order
}

/** Takes an order one step on; refuses a step its lifecycle does not have unless forced. */
export function moveOrder(world: World, order: OrderRow, step: Step, { force = false } = {}): OrderRow {
  if (!force && !canMove(roadOf(order), trailOf(order), step.to)) throw illegalMove(order, step.to)
  return enter(world, progress(world, order, step))
}

/** Stores an order that has just reached a status, and tells of it. */
export function enter(world: World, order: OrderRow): OrderRow {
  world.db.put(orders, order)
  updateSiblings(world, order)
  world.agenda.record('order', {
    order_id: order.id,
    user_id: order.user_id,
    status: order.last_event.status,
    ...(order.last_event.status_detail && { detail: order.last_event.status_detail }),
  })
  const low = lowOf(order)
  if (low !== 'partial_results' || world.settings().features.partial_results_webhooks === true)
    announce(world, order)
  if (order.interpretation === 'critical' && (low === 'completed' || low === 'partial_results')) {
    announceCritical(world, order, low === 'completed' ? 'final' : 'partial')
  }
  for (const follow of world.parts.orderFollowers) follow(world, order.id, low)
  return world.db.get(orders, order.id)
}

/** Orders of one transaction all show it. */
function updateSiblings(world: World, order: OrderRow): void {
  const transaction = order.order_transaction
  if (!transaction || transaction.orders.length < 2) return
  for (const line of transaction.orders) {
    const sibling = line.id === order.id ? undefined : world.db.find(orders, line.id)
    if (sibling) world.db.put(orders, { ...sibling, order_transaction: transaction })
  }
}

export function illegalMove(order: OrderRow, to: LowStatus): Problem {
  const legal = legalMoves(roadOf(order), trailOf(order)).map((low) => dotted(methodOf(order), low))
  const detail = `The order is ${order.last_event.status} and cannot become ${to}.`
  return new Problem('conflict', detail, { also: { legal } })
}
