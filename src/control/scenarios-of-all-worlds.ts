import * as z from 'zod'
import { operation } from '../api/operation.ts'
import { schema } from '../api/schema.ts'
import { Problem } from '../kernel/problem.ts'
import type { ScenarioEngine } from '../scenarios/engine.ts'
import { table } from '../storage/table.ts'
import type { Organisation } from '../world/organisation.ts'
import type { Worlds } from '../world/worlds.ts'
import { assertOtherName, readUpload, ScenarioPath, takesScenarioFile } from './scenario-files.ts'
import { uploadIssues } from './scenarios.ts'

/** A scenario of orders that all worlds have. */
const sharedScenarios = table(
  'shared_scenarios',
  () => z.object({ name: z.string(), source: z.string() }),
  ({ name }) => name,
)

const SharedScenario = schema('PetriSharedScenario', () =>
  z.object({
    name: z.string(),
    summary: z.string(),
    worlds: z.int().describe('How many worlds have it now; those made later have it too.'),
  }),
)

/** Gives all worlds the scenarios that an earlier run was sent for them. */
export async function loadSharedScenarios(organisation: Organisation, engine: ScenarioEngine): Promise<void> {
  const rows = organisation.isReadable ? [...organisation.db.all(sharedScenarios)] : []
  if (rows.length === 0) return
  await engine.ready()
  for (const { name, source } of rows) engine.share(engine.read(source, name))
}

export const sharedScenarioOperation = (worlds: Worlds, engine: ScenarioEngine) =>
  operation({
    id: 'petri_shared_scenarios_put',
    route: 'PUT /_petri/shared_scenarios/{name}',
    summary:
      'Add a scenario to all worlds, also to those made later; one uploaded to a world comes before it there',
    access: 'control',
    params: ScenarioPath,
    ...takesScenarioFile,
    returns: SharedScenario,
    async run(_, { params: { name }, body: source }) {
      const [first] = worlds.all()
      if (!first) throw new Problem('conflict', 'There is no world yet.')
      await engine.ready()
      assertOtherName(name, first.parts.feedScenarios.names(), 'a feed scenario', 'scenario')
      const scenario = await readUpload(
        name,
        () => engine.read(source, name),
        (read) => uploadIssues(first, read),
      )
      const leave: (() => void)[] = []
      if (engine.names().includes(name))
        for (const world of worlds.all()) leave.push(await engine.leaveChanged(world, new Set([name])))
      await worlds.organisation.change((db) => db.put(sharedScenarios, { name, source }))
      for (const leaveRest of leave) leaveRest()
      engine.share(scenario)
      return { name, summary: scenario.summary, worlds: worlds.all().length }
    },
  })
