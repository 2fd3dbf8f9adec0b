import { type DeliveryRules, orderDelivery } from '../api/delivery.ts'
import { table } from '../storage/table.ts'
import type { World } from '../world/world.ts'
import type { Message } from './table.ts'

/** What was said of all deliveries of a world, or of one endpoint's. */
interface ScopedRules {
  /** An endpoint's id, or `WORLD`. */
  readonly scope: string
  readonly rules: DeliveryRules
}

export const deliveryRules = table<ScopedRules>('webhook_delivery', ({ scope }) => scope)

export const WORLD = 'world'

/** Whether any delivery of this world may misbehave. */
export const hasRules = ({ db }: World): boolean => db.count(deliveryRules) > 0 || db.count(orderDelivery) > 0

/** How the deliveries to an endpoint misbehave; without one, those of the world. */
export function rulesOfScope(world: World, endpointId?: string): DeliveryRules {
  const rulesOf = (scope: string) => world.db.find(deliveryRules, scope)?.rules
  return { ...rulesOf(WORLD), ...(endpointId !== undefined && rulesOf(endpointId)) }
}

/** What the scenario of an order says of its deliveries. */
export const rulesOfOrder = (world: World, orderId: string | undefined): DeliveryRules | undefined =>
  orderId === undefined ? undefined : world.db.find(orderDelivery, orderId)?.rules

/** How the delivery of a message misbehaves: as its order's scenario says, else as its endpoint, else as the world. */
export function rulesOfMessage(
  world: World,
  { endpoint_id, order_id }: Pick<Message, 'endpoint_id' | 'order_id'>,
): DeliveryRules {
  if (!hasRules(world)) return {}
  return { ...rulesOfScope(world, endpoint_id), ...rulesOfOrder(world, order_id) }
}
