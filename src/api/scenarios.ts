import type { World } from '../world/world.ts'

/** What a scenario is chosen by. */
export interface ScenarioSelection {
  /** The name asked for with the creating call. */
  readonly requested: string | undefined
  readonly method: string
  readonly zip: string | undefined
  readonly userId: string
}

/** How orders and their scenarios speak to each other; the scenarios themselves live above, in `scenarios/`. */
export interface OrderScenarios {
  /** Resolves once the scenarios are read; what follows then needs no waiting. */
  ready(): Promise<void> | undefined
  /** Every scenario the orders of this world can follow; without a world, those that each world is born with. */
  names(world?: World): readonly string[]
  /** The name of the scenario an order would follow. Throws when the one asked for is unknown or of another method. */
  choose(world: World, selection: ScenarioSelection): string
  begin(world: World, orderId: string, scenario: string): void
  /** Goes on with a scenario that was waiting for this. */
  happened(world: World, orderId: string, what: 'registration' | 'appointment'): void
  /** Takes the order out of its scenario; what was left of it is dropped. */
  leave(world: World, orderId: string, because: string): void
}
