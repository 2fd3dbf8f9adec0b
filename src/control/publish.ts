import type { JsonObject } from '../kernel/json.ts'
import type { World } from '../world/world.ts'

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
export const publish = (world: World, kind: ControlKind, what: JsonObject): void =>
  world.agenda.bus.publish({ at: world.clock.now(), kind, ...what })
