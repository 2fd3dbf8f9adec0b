import type { DeliveryFaults } from '../api/delivery.ts'
import type { World } from '../world/world.ts'
import { releaseAll } from './buffer.ts'
import { deliveryFaults, WORLD } from './delivery-faults.ts'
import { getEndpoint } from './endpoints.ts'

/** Replaces the delivery faults of an endpoint or the world; what they buffered is sent, in order. */
export function setDeliveryFaults(
  world: World,
  endpointId: string | undefined,
  faults: DeliveryFaults,
): void {
  if (endpointId !== undefined) getEndpoint(world, endpointId)
  remove(world, endpointId)
  const given = Object.entries(faults).filter(([, value]) => value !== undefined)
  if (given.length === 0) return
  world.db.put(deliveryFaults, { scope: endpointId ?? WORLD, rules: Object.fromEntries(given) })
}

/** Clears the delivery faults of an endpoint, or all of them. */
export function clearDeliveryFaults(world: World, endpointId: string | undefined): void {
  if (endpointId !== undefined) getEndpoint(world, endpointId)
  const scopes = endpointId === undefined ? world.db.ids(deliveryFaults) : [endpointId]
  for (const scope of scopes) remove(world, scope === WORLD ? undefined : scope)
}

function remove(world: World, endpointId: string | undefined): void {
  world.db.delete(deliveryFaults, endpointId ?? WORLD)
  releaseAll(world, endpointId)
}
