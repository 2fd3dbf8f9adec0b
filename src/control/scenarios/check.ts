import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Parsed } from '../../api/schema.ts'
import { packageFolder } from '../../kernel/package-folder.ts'
import type { ScenarioEngine } from '../../scenarios/engine.ts'
import type { ScenarioIssue } from '../../scenarios/read.ts'
import type { World } from '../../world/world.ts'
import type { ScenarioCheck } from './schema.ts'
import { trailsOf } from './service.ts'
import { strangeResults } from './upload.ts'

/** What a scenario would do, or why it is refused. Nothing is stored. */
export async function checkScenario(
  world: World,
  engine: ScenarioEngine,
  source: string,
): Promise<Parsed<typeof ScenarioCheck>> {
  const { ScenarioError } = await import('../../scenarios/read.ts')
  try {
    const scenario = engine.read(source, 'scenario')
    const strange = await strangeResults(world, scenario)
    if (strange.length > 0) throw new ScenarioError(strange)
    const { name, summary, method } = scenario
    return { valid: true, name, summary, method, trails: trailsOf(scenario), refusals: [] }
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error
    const refusals = error.issues.map(toRefusal)
    return { valid: false, name: null, summary: null, method: null, trails: {}, refusals }
  }
}

export const toRefusal = ({ line, step, message, legal }: ScenarioIssue) => ({
  line: line ?? 1,
  step: step ?? null,
  message,
  legal: legal ? [...legal] : null,
})

export const readScenarioSchema = async (): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(join(packageFolder('scenarios'), 'scenario.schema.json'), 'utf8'))
