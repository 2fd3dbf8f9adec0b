import { feature } from '../../api/features.ts'
import { Problem } from '../../kernel/problem.ts'
import { Slices } from '../../kernel/slices.ts'
import type { World } from '../../world/world.ts'
import { currentStatusOf, methodOf, type Step, statusHistoryOf, workflowOf } from './apply-step.ts'
import { announce } from './events.ts'
import { canMove, topStatusOf } from './lifecycle.ts'
import { getOrder, illegalMove, moveOrder } from './moves.ts'
import { canBeRedrawn } from './redraws.ts'
import { type OrderRow, orders } from './table.ts'

export { currentStatusOf, isOver, methodOf, type Step, statusHistoryOf, workflowOf } from './apply-step.ts'
export { setAppointment } from './appointment.ts'
export { communicationOf, setCommunication } from './communication.ts'
export type { OrderDirectory, OrderTest } from './directory.ts'
export { filledDirectory, ordersBy, ordersIndexed } from './filled-directory.ts'
export { importOrder } from './import.ts'
export { canMove, type LowStatus } from './lifecycle.ts'
export { listOrders } from './listing.ts'
export { getOrder, moveOrder, movesByHand, recreateOrder } from './moves.ts'
export { placeKit, placeOrder } from './place.ts'
export { settledStatus } from './redraws.ts'
export { registerKit } from './register.ts'
export { reschedule } from './schedule.ts'
export { simulateOrder } from './simulate.ts'

/** Cancels an order; repeated calls change nothing. Source: contract/lab-testing.md §7. */
export function cancelOrder(world: World, orderId: string): { order: OrderRow; message: string } {
  const order = getOrder(world, orderId, "Order doesn't exist")
  const low = currentStatusOf(order)
  if (low === 'cancelled') return { order, message: 'order already cancelled' }
  if (!canMove(workflowOf(order), statusHistoryOf(order), 'cancelled')) {
    const message = `Transition from ${low} to cancelled is not allowed`
    const also = { error: 'Bad Request', message, status_code: 400 }
    throw new Problem('bad_request', message, feature(world, 'contract_form') === 'spec' ? { also } : {})
  }
  world.parts.scenarios.leave(world, orderId, 'the order was cancelled')
  return { order: moveOrder(world, order, { to: 'cancelled' }), message: 'order cancelled' }
}

const NOT_REDRAWN =
  'A redraw needs the world feature redraws, and an initial walk-in order at labcorp, quest or bioreference.'

/** Marks the specimen of an on-site order as collected. Source: contract/lab-testing.md §8. */
export function completeDraw(world: World, orderId: string): OrderRow {
  const order = getOrder(world, orderId)
  const method = methodOf(order)
  if (method !== 'on_site_collection') {
    throw new Problem('bad_request', `This order is collected by ${method}, not on site`)
  }
  if (!canMove(workflowOf(order), statusHistoryOf(order), 'draw_completed')) {
    throw new Problem(
      'bad_request',
      `Transition from ${currentStatusOf(order)} to draw_completed is not allowed`,
    )
  }
  return moveOrder(world, order, { to: 'draw_completed' })
}

/** Moves an order by hand, after it has left its scenario. */
export function moveByHand(world: World, orderId: string, step: Step, force: boolean): OrderRow {
  const order = getOrder(world, orderId)
  if (!topStatusOf(methodOf(order), step.to)) {
    throw new Problem('bad_request', `${step.to} is no status of ${methodOf(order)}.`)
  }
  if (!force && !canMove(workflowOf(order), statusHistoryOf(order), step.to))
    throw illegalMove(world, order, step.to)
  if (!force && step.to === 'redraw_available' && !canBeRedrawn(world, order)) {
    throw illegalMove(world, order, step.to, NOT_REDRAWN)
  }
  world.parts.scenarios.leave(world, orderId, 'the order was moved by hand')
  return moveOrder(world, order, step, { force, exact: true })
}

const MAX_RESENT_MS = 60 * 24 * 3_600_000

export interface ResendInput {
  readonly orderIds: readonly string[] | null | undefined
  readonly startAt: number | null | undefined
  readonly endAt: number | null | undefined
}

/** Sends each order's latest event again. Returns the ids of these orders. Source: contract/lab-testing.md §8. */
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
