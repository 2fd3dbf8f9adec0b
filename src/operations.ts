import type { AnyOperation } from './api/operation.ts'
import { type ControlDependencies, controlOperations } from './control/index.ts'
import { defaults } from './defaults.ts'
import { managementCompanions, managementOperations } from './management/index.ts'
import { mcpOperations } from './mcp/operations.ts'
import { resources } from './resources/index.ts'
import { worldTables } from './tables.ts'
import type { NewWorld } from './world/new-world.ts'

/** The dependencies of the operations. */
export interface Declared
  extends Omit<ControlDependencies, 'newWorldDefaults' | 'petriDefaults' | 'mirrored' | 'tables'> {
  /** The options of the first world. */
  readonly firstWorld: NewWorld
  readonly firstTeam: string | undefined
  readonly firstKey: string | undefined
  /** Calls this Petri within this process. */
  fetch(request: Request): Response | Promise<Response>
}

/** All operations that Petri serves. */
export function declareOperations(declared: Declared): readonly AnyOperation[] {
  const { firstWorld, firstTeam, firstKey, worlds, wall, fetch } = declared
  const { pace, scenario, frozen, now, like = null, adoptUsers = false, history = 'full' } = firstWorld
  const managementDependencies = {
    worlds,
    now: () => worlds.byTeam(firstTeam ?? '')?.clock.now() ?? wall(),
    firstKey,
    newWorldDefaults: { pace, scenario, frozen, now, webhookUrl: null, like, adoptUsers, history },
  }
  const management = managementOperations(managementDependencies)
  const mirrored = [
    ...resources.flatMap((resource) => resource.operations),
    ...management.filter(({ route }) => route.includes('/{team_id}')),
  ]
  return [
    ...resources.flatMap((resource) => resource.operations),
    ...management,
    ...managementCompanions(managementDependencies),
    ...controlOperations({
      ...declared,
      newWorldDefaults: { pace, scenario, like, adoptUsers, history },
      petriDefaults: { pace: defaults.pace, scenario: defaults.scenario },
      mirrored,
      tables: worldTables,
    }),
    ...mcpOperations(fetch),
  ]
}
