import { toWire } from '../../kernel/instant.ts'
import type { World } from '../../world/world.ts'
import { putOrder } from './filled-directory.ts'
import { getOrder } from './moves.ts'
import type { OrderRow } from './table.ts'

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
