import type { World } from '../../world/world.ts'

/** What the stream carries besides requests, moves, events and deliveries: changes by control calls, and calls without a valid key. */
type ControlKind = 'clock' | 'settings' | 'world' | 'fault' | 'snapshot' | 'refused'

/** Publishes a change to the streams of a world; it is no effect of an advance. */
export const publish = (world: World, kind: ControlKind, what: Readonly<Record<string, unknown>>): void =>
  world.agenda.bus.publish({ at: world.clock.now(), kind, ...what })
