import type { World } from '../../world/world.ts'

/** What control calls change and the stream tells beside calls, moves, events and deliveries. */
type ControlKind = 'clock' | 'settings' | 'world' | 'fault' | 'snapshot'

/** Tells those who watch a world; it is no effect of an advance. */
export const tell = (world: World, kind: ControlKind, what: Readonly<Record<string, unknown>>): void =>
  world.agenda.bus.publish({ at: world.clock.now(), kind, ...what })
