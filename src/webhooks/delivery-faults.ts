import type { DeliveryRules } from '../api/delivery.ts'
import type { World } from '../world/world.ts'
import { releaseAll } from './buffer.ts'
import { getEndpoint } from './endpoints.ts'
import { deliveryRules, WORLD } from './rules.ts'

/** Says how deliveries misbehave, in place of what was said before; what waited is sent, in its order. */
export function setDeliveryRules(world: World, endpointId: string | undefined, rules: DeliveryRules): void {
  if (endpointId !== undefined) getEndpoint(world, endpointId)
  forget(world, endpointId)
  const given = Object.entries(rules).filter(([, value]) => value !== undefined)
  if (given.length === 0) return
  world.db.put(deliveryRules, { scope: endpointId ?? WORLD, rules: Object.fromEntries(given) })
}

/** Lets deliveries to an endpoint, or all, be as they should. */
export function clearDeliveryRules(world: World, endpointId: string | undefined): void {
  if (endpointId !== undefined) getEndpoint(world, endpointId)
  const scopes = endpointId === undefined ? world.db.ids(deliveryRules) : [endpointId]
  for (const scope of scopes) forget(world, scope === WORLD ? undefined : scope)
}

function forget(world: World, endpointId: string | undefined): void {
  world.db.delete(deliveryRules, endpointId ?? WORLD)
  releaseAll(world, endpointId)
}
