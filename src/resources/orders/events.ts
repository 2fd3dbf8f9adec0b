import type { EventType } from '../../api/resource.ts'
import { toWire } from '../../kernel/instant.ts'
import type { World } from '../../world/world.ts'
import { eventSubject } from '../users/service.ts'
import { CriticalResult, Order, type resultStatuses } from './schema.ts'
import { type OrderRow, orders } from './table.ts'

export const orderEvents: readonly EventType[] = [
  { name: 'labtest.order.created', data: Order },
  { name: 'labtest.order.updated', data: Order },
  { name: 'labtest.result.critical', data: CriticalResult },
]

/** Announces an order: its first event as created, later ones as updated. */
export function announce(world: World, order: OrderRow): void {
  const type = order.events.length === 1 ? 'labtest.order.created' : 'labtest.order.updated'
  world.emit(type, eventSubject(world, order.user_id, order.id), world.db.text(orders, order.id))
}

/** A laboratory calls the physician about a critical result. */
export function announceCritical(
  world: World,
  order: OrderRow,
  status: (typeof resultStatuses)[number],
): void {
  const subject = eventSubject(world, order.user_id, order.id)
  world.emit('labtest.result.critical', subject, criticalResult(world, order, status))
}

export function criticalResult(world: World, order: OrderRow, status: (typeof resultStatuses)[number]) {
  const now = toWire(world.clock.now())
  return {
    order_id: order.id,
    sample_id: order.sample_id ?? '',
    status,
    interpretation: 'critical',
    team_id: order.team_id,
    user_id: order.user_id,
    created_at: now,
    updated_at: now,
  }
}
