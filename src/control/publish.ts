import type { JsonObject } from '../kernel/json.ts'
import { isInMemory, type KnownWorld } from '../world/resting-world.ts'

/** Other items of the stream than requests, moves, events and deliveries: changes by control calls, and calls without a valid key. */
type ControlKind = 'clock' | 'settings' | 'world' | 'fault' | 'snapshot' | 'refused'

/** The kinds of what the stream carries. */
export const eventKinds = [
  ...(['request', 'order', 'event', 'delivery', 'progress', 'bug'] as const),
  ...(['clock', 'settings', 'world', 'fault', 'snapshot'] as const satisfies readonly ControlKind[]),
  ...([
    'appointment',
    'match_review',
    'parsing_job',
    'pending_customer_review',
    'scenario_left',
    'step_dropped',
  ] as const),
  ...(['delivery_held', 'endpoint_disabled', 'etl_delivered', 'etl_failed', 'checkout'] as const),
]

/** Publishes a change to the streams of a world; it is not an effect of an advance. */
export function publish(world: KnownWorld, kind: ControlKind, what: JsonObject): void {
  // Nobody watches a world that is not in memory.
  if (isInMemory(world)) world.agenda.bus.publish({ at: world.clock.now(), kind, ...what })
}
