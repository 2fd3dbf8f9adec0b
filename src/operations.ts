import type { AnyOperation } from './api/operation.ts'
import { controlOperations } from './control/index.ts'
import type { RefusedCalls } from './control/refused-calls.ts'
import { defaults } from './defaults.ts'
import { managementCompanions, managementOperations } from './management/index.ts'
import { mcpOperations } from './mcp/operations.ts'
import { resources } from './resources/index.ts'
import type { ScenariosByKind, SharedScenarios } from './scenarios/engines.ts'
import { worldTables } from './tables.ts'
import type { NewWorld } from './world/new-world.ts'
import type { Worlds } from './world/worlds.ts'

/** The dependencies of the operations. */
export interface Declared {
  /** The options of the first world. */
  readonly firstWorld: NewWorld
  readonly wall: () => number
  readonly firstTeam: string | undefined
  readonly worlds: Worlds
  readonly refusedCalls: Pick<RefusedCalls, 'calls'>
  readonly scenarios: ScenariosByKind['order']
  readonly feedScenarios: ScenariosByKind['feed']
  readonly personas: ScenariosByKind['persona']
  readonly sharedScenarios: SharedScenarios
  readonly firstKey: string | undefined
  readonly stop?: (() => void) | undefined
  /** Calls this Petri within this process. */
  fetch(request: Request): Response | Promise<Response>
}

/** All operations that Petri serves. */
export function declareOperations(declared: Declared): readonly AnyOperation[] {
  const {
    firstWorld,
    wall,
    firstTeam,
    worlds,
    refusedCalls,
    scenarios,
    feedScenarios,
    personas,
    sharedScenarios,
    firstKey,
    stop,
    fetch,
  } = declared
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
      wall,
      worlds,
      newWorldDefaults: { pace, scenario, like, adoptUsers, history },
      petriDefaults: { pace: defaults.pace, scenario: defaults.scenario },
      scenarios,
      feedScenarios,
      personas,
      sharedScenarios,
      mirrored,
      refusedCalls,
      stop,
      tables: worldTables,
    }),
    ...mcpOperations(fetch),
  ]
}
