import * as z from 'zod'
import { operation } from '../api/operation.ts'
import { schema } from '../api/schema.ts'
import { Problem } from '../kernel/problem.ts'
import type { ScenarioEngine } from '../scenarios/engine.ts'
import type { SharedScenarios } from '../scenarios/engines.ts'
import { kindNames, type ParsedScenario, scenarioKinds } from '../scenarios/kinds.ts'
import { table } from '../storage/table.ts'
import type { Organisation } from '../world/organisation.ts'
import type { Worlds } from '../world/worlds.ts'
import { assertOtherName, readUpload, ScenarioPath, takesScenarioFile } from './scenario-files.ts'
import { uploadIssues } from './scenarios.ts'

/** A scenario that all worlds have: of orders, of feeds, or of a person. */
const sharedScenarioFiles = table(
  'shared_scenarios',
  () => z.object({ name: z.string(), source: z.string() }),
  ({ name }) => name,
)

const SharedScenario = schema('PetriSharedScenario', () =>
  z.object({
    name: z.string(),
    kind: z.enum(kindNames),
    summary: z.string(),
    worlds: z.int().describe('How many worlds have it now; those made later have it too.'),
  }),
)

interface Engines {
  readonly scenarios: ScenarioEngine
  readonly sharedScenarios: SharedScenarios
}

/** Gives all worlds the scenarios that an earlier run was sent for them. */
export async function loadSharedScenarios(
  organisation: Organisation,
  shared: SharedScenarios,
): Promise<void> {
  const rows = organisation.isReadable ? [...organisation.db.all(sharedScenarioFiles)] : []
  if (rows.length === 0) return
  await shared.ready()
  for (const { name, source } of rows) shared.share(shared.read(source, name))
}

export const sharedScenarioOperation = (worlds: Worlds, { scenarios, sharedScenarios: shared }: Engines) =>
  operation({
    id: 'petri_shared_scenarios_put',
    route: 'PUT /_petri/shared_scenarios/{name}',
    summary:
      'Add a scenario, a feed scenario or a persona to all worlds, also to those made later; one uploaded to a world comes before it there',
    access: 'control',
    params: ScenarioPath,
    ...takesScenarioFile,
    returns: SharedScenario,
    async run(_, { params: { name }, body: source }) {
      const [first] = worlds.all()
      if (!first) throw new Problem('conflict', 'There is no world yet.')
      await shared.ready()
      const parsed = await readUpload(
        name,
        () => named(shared.read(source, name)),
        async ({ kind, scenario }) => (kind === 'order' ? uploadIssues(first, scenario) : []),
      )
      const { kind, summary } = parsed
      const { noun } = scenarioKinds[kind]
      for (const other of kindNames)
        if (other !== kind) assertOtherName(name, shared.names(other), `a ${scenarioKinds[other].noun}`, noun)
      const leave: (() => void)[] = []
      if (kind === 'order' && shared.names(kind).includes(name))
        for (const world of worlds.all()) leave.push(await scenarios.leaveChanged(world, new Set([name])))
      await worlds.organisation.change((db) => db.put(sharedScenarioFiles, { name, source }))
      for (const leaveRest of leave) leaveRest()
      shared.share(parsed)
      return { name, kind, summary, worlds: worlds.all().length }
    },
  })

function named(parsed: ParsedScenario) {
  const { name, source, summary } = parsed.scenario
  return { ...parsed, name, source, summary }
}
