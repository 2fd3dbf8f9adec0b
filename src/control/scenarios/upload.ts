import { Problem } from '../../kernel/problem.ts'
import { allResultNames } from '../../resources/results/service.ts'
import type { ScenarioEngine } from '../../scenarios/engine.ts'
import type { Scenario } from '../../scenarios/file.ts'
import type { ScenarioIssue } from '../../scenarios/read.ts'
import { userScenarios } from '../../scenarios/table.ts'
import type { World } from '../../world/world.ts'

/** Validates a scenario and stores it in a world. */
export async function uploadScenario(
  world: World,
  engine: ScenarioEngine,
  name: string,
  source: string,
): Promise<Scenario> {
  if (world.parts.feedScenarios.names(world).includes(name))
    throw new Problem(
      'conflict',
      `"${name}" is the name of a feed scenario; give this scenario another name.`,
    )
  const { assertScenarioName, ScenarioError } = await import('../../scenarios/read.ts')
  try {
    const scenario = engine.read(source, name)
    assertScenarioName(scenario, name, name)
    const strange = await strangeResults(world, scenario)
    if (strange.length > 0) throw new ScenarioError(strange)
    await engine.upload(world, scenario)
    return scenario
  } catch (error) {
    if (error instanceof ScenarioError) throw new Problem('invalid', error.issues.map(toEntry))
    throw error
  }
}

/** Names of missing results that are not in the catalogue. */
export async function strangeResults(world: World, scenario: Scenario): Promise<ScenarioIssue[]> {
  const { unknownResults } = await import('../../scenarios/validate-files.ts')
  return unknownResults(scenario, scenario.name, () => allResultNames(world.parts.catalogue))
}

/** An issue as an entry of a 422. */
export const toEntry = ({ file, line, step, path = [], value, message, legal }: ScenarioIssue) => ({
  type: 'scenario_invalid',
  loc: ['body', ...path],
  msg: message,
  input: value ?? null,
  ctx: { file, line, ...(step !== undefined && { step }), ...(legal && { legal }) },
})

export function removeScenario(world: World, engine: ScenarioEngine, name: string): Promise<void> {
  engine.assertUploaded(world, name)
  return engine.remove(world, name, () => {
    if (!engine.names().includes(name)) assertNotInUse(world, name)
  })
}

function assertNotInUse(world: World, name: string): void {
  if (world.settings().scenario === name) {
    throw new Problem('conflict', `Orders of this world follow "${name}" by default; choose another first.`)
  }
  for (const { user_id, scenario } of world.db.all(userScenarios)) {
    if (scenario === name) {
      throw new Problem('conflict', `Orders of user ${user_id} follow "${name}"; choose another first.`)
    }
  }
}
