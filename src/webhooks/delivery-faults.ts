import * as z from 'zod'
import { DeliveryFaults, orderDelivery } from '../api/delivery.ts'
import { type Row, unnamed } from '../api/schema.ts'
import { table } from '../storage/table.ts'
import type { World } from '../world/world.ts'
import type { Message } from './table.ts'

/** The delivery faults of a world, or of one endpoint. */
export const ScopedFaults = unnamed(() =>
  z.object({
    /** An endpoint's id, or `WORLD`. */
    scope: z.string(),
    rules: DeliveryFaults(),
  }),
)

export const deliveryFaults = table<Row<typeof ScopedFaults>>('webhook_delivery_faults', ({ scope }) => scope)

export const WORLD = 'world'

/** Whether any delivery of this world may have faults. */
export const hasDeliveryFaults = ({ db }: World): boolean =>
  db.count(deliveryFaults) > 0 || db.count(orderDelivery) > 0

/** The faults of an endpoint's deliveries; without an endpoint, the world's. */
export function faultsOfScope(world: World, endpointId?: string): DeliveryFaults {
  const rulesOf = (scope: string) => world.db.find(deliveryFaults, scope)?.rules
  return { ...rulesOf(WORLD), ...(endpointId !== undefined && rulesOf(endpointId)) }
}

/** The delivery faults that an order's scenario sets. */
export const faultsOfOrder = (world: World, orderId: string | undefined): DeliveryFaults | undefined =>
  orderId === undefined ? undefined : world.db.find(orderDelivery, orderId)?.rules

/** The faults of a message: its order's come before its endpoint's, those before the world's. */
export function faultsOfMessage(
  world: World,
  { endpoint_id, order_id }: Pick<Message, 'endpoint_id' | 'order_id'>,
): DeliveryFaults {
  if (!hasDeliveryFaults(world)) return {}
  return { ...faultsOfScope(world, endpoint_id), ...faultsOfOrder(world, order_id) }
}
