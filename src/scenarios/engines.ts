import type { World } from '../world/world.ts'
import { createScenarioEngine } from './engine.ts'
import { createFeedScenarioEngine } from './feeds/engine.ts'
import type { ScenarioChange } from './own-scenarios.ts'
import { openScenarios, type RepositoryOptions } from './repository.ts'
import { watchScenarios } from './watch.ts'

export interface ScenarioEnginesOptions extends RepositoryOptions {
  /** Told of changes in the folders. They are watched if it is given. */
  readonly onChange?: ((change: ScenarioChange) => void) | undefined
}

/** The engines of both kinds of scenarios, over the bundled files and those of the user's folders. */
export function createScenarioEngines(bundled: string, options: ScenarioEnginesOptions) {
  const { folders = [], onChange: tell } = options
  const repositories = openScenarios(bundled, options)
  const scenarios = createScenarioEngine(repositories.orders)
  return {
    scenarios,
    feedScenarios: createFeedScenarioEngine(repositories.feeds),
    /** Returns a function that ends it. */
    watch: (worlds: () => Iterable<World>, reportBug: (error: unknown) => void): (() => void) =>
      tell && folders.length > 0
        ? watchScenarios({ repositories, engine: scenarios, worlds, tell, reportBug })
        : () => undefined,
  }
}
