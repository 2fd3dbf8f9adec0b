import type { World } from '../world/world.ts'

/** What determines an order's scenario. */
export interface ScenarioSelection {
  /** The name in the request that creates the order. */
  readonly requested: string | undefined
  readonly method: string
  readonly zip: string | undefined
  readonly userId: string
}

/** The interface between orders and their scenarios, implemented in `scenarios/`. */
export interface OrderScenarios {
  /** Resolves once the scenarios are loaded. */
  ready(): Promise<void> | undefined
  /** All scenarios of a world; without a world, those of every new world. */
  names(world?: World): readonly string[]
  /** The name of an order's scenario. Throws when the requested one is unknown or of another method. */
  choose(world: World, selection: ScenarioSelection): string
  begin(world: World, orderId: string, scenario: string): void
  /** Continues a scenario that was waiting for this. */
  happened(world: World, orderId: string, what: 'registration' | 'appointment'): void
  /** Ends an order's scenario; its remaining steps are dropped. */
  leave(world: World, orderId: string, because: string): void
}
