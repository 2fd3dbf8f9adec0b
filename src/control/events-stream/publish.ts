import type { World } from '../../world/world.ts'

/** Changes by control calls, which the stream carries besides requests, moves, events and deliveries. */
type ControlKind = 'clock' | 'settings' | 'world' | 'fault' | 'snapshot'

/** Publishes a change to the streams of a world; it is no effect of an advance. */
export const publish = (world: World, kind: ControlKind, what: Readonly<Record<string, unknown>>): void =>
  world.agenda.bus.publish({ at: world.clock.now(), kind, ...what })
