import type { DeliveryFaults } from '../../api/delivery.ts'
import type { Parsed } from '../../api/schema.ts'
import { writeDuration } from '../../kernel/duration.ts'
import { faultsOfScope, WORLD } from '../../webhooks/delivery-faults.ts'
import { getEndpoint } from '../../webhooks/endpoints.ts'
import { deliveryFaults } from '../../webhooks/table.ts'
import type { World } from '../../world/world.ts'
import type { WebhookDelivery, WebhookDeliveryInput } from './delivery-schema.ts'

export const toRules = (input: Parsed<typeof WebhookDeliveryInput>): DeliveryFaults => ({
  duplicate: input.duplicate ?? undefined,
  reorder: input.reorder ?? undefined,
  delay_ms: input.delay ?? undefined,
  drop_first: input.drop_first ?? undefined,
  bad_signature: input.bad_signature ?? undefined,
  stale_timestamp: input.stale_timestamp ?? undefined,
  burst: input.burst ?? undefined,
})

/** The rules of one endpoint, or of the world with all endpoints that have their own. */
export function describeDelivery(world: World, endpointId?: string): Parsed<typeof WebhookDelivery> {
  if (endpointId !== undefined) getEndpoint(world, endpointId)
  const others = endpointId === undefined ? world.db.ids(deliveryFaults).filter((id) => id !== WORLD) : []
  return { ...present(world, endpointId), endpoints: others.map((id) => present(world, id)) }
}

function present(world: World, endpointId?: string) {
  const rules = faultsOfScope(world, endpointId)
  return {
    duplicate: rules.duplicate ?? 0,
    reorder: rules.reorder ?? 0,
    delay: rules.delay_ms ? writeDuration(rules.delay_ms) : null,
    drop_first: rules.drop_first ?? 0,
    bad_signature: rules.bad_signature ?? false,
    stale_timestamp: rules.stale_timestamp ?? false,
    burst: rules.burst ?? 0,
    endpoint_id: endpointId ?? null,
  }
}
