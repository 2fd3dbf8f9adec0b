import type { World } from '../../world/world.ts'
import { getOrder } from './moves.ts'
import { type CommunicationRow, communications } from './table.ts'

/** Whether the patient gets text messages about an order; true by default. Source: contract/lab-testing.md §8. */
export function communicationOf(world: World, orderId: string): CommunicationRow {
  getOrder(world, orderId)
  return world.db.find(communications, orderId) ?? { order_id: orderId, sms_enabled: true }
}

export function setCommunication(world: World, orderId: string, smsEnabled: boolean): CommunicationRow {
  getOrder(world, orderId)
  return world.db.put(communications, { order_id: orderId, sms_enabled: smsEnabled })
}
