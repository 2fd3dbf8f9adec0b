import type { Parsed } from '../../api/schema.ts'
import { Problem } from '../../kernel/problem.ts'
import {
  checkContinuousQuery,
  defineContinuousQuery,
  dropContinuousQuery,
  listContinuousQueries,
  renameContinuousQuery,
} from '../../resources/sense/service.ts'
import { type ContinuousQuery, continuousQueries } from '../../resources/sense/table.ts'
import type { World } from '../../world/world.ts'
import type { ManagedQuery, QueryInput, QueryPatch } from './schema.ts'
import { queryScheduling } from './table.ts'

type Presented = Parsed<typeof ManagedQuery>
type Input = Parsed<typeof QueryInput>

export const listQueries = (world: World): Presented[] =>
  listContinuousQueries(world).map((query) => present(world, query))

/** Creates a query that runs for every user of the team. */
export function makeQuery(world: World, input: Input): Presented {
  assertSupportedExports(input)
  const { slug, title, query, query_config = {}, scheduling_preferences } = input
  const made = defineContinuousQuery(world, { slug, title, query, query_config })
  setGap(world, made.id, scheduling_preferences?.minimum_gap_duration_second ?? null)
  return present(world, made)
}

/** Describes the answer of a query without running it. */
export function validateQuery({ query }: Input) {
  const { columns, resource } = checkContinuousQuery(query)
  return {
    result_table_schema: { columns },
    resource_dependencies: [resource],
    fhir_observation_previews: null,
  }
}

export function changeQuery(
  world: World,
  id: string,
  { title, scheduling_preferences }: Parsed<typeof QueryPatch>,
): Presented {
  const query = getQuery(world, id)
  if (scheduling_preferences) setGap(world, id, scheduling_preferences.minimum_gap_duration_second ?? null)
  const named = title === null || title === undefined ? query : renameContinuousQuery(world, id, title)
  return present(world, named)
}

/** Deletes a query and its results. */
export function archiveQuery(world: World, id: string): null {
  getQuery(world, id)
  dropContinuousQuery(world, id)
  world.db.delete(queryScheduling, id)
  return null
}

function getQuery(world: World, id: string): ContinuousQuery {
  const query = world.db.find(continuousQueries, id)
  if (!query) throw new Problem('not_found', 'Continuous query not found')
  return query
}

const setGap = (world: World, query_id: string, minimum_gap_duration_second: number | null) =>
  world.db.put(queryScheduling, { query_id, minimum_gap_duration_second })

function assertSupportedExports({ export_preferences }: Input): void {
  if (export_preferences?.data_events?.enabled === false || export_preferences?.fhir_observations) {
    throw new Problem('bad_request', 'Petri exports the results of continuous queries as events only.')
  }
}

const present = (world: World, query: ContinuousQuery): Presented => ({
  id: query.id,
  status: 'active',
  slug: query.slug,
  title: query.title,
  team_id: world.identity.teamId,
  query: query.query,
  query_config: query.query_config,
  scheduling_preferences: {
    minimum_gap_duration_second:
      world.db.find(queryScheduling, query.id)?.minimum_gap_duration_second ?? null,
  },
  result_table_schema: { columns: checkContinuousQuery(query.query).columns },
  resource_dependencies: [query.resource],
  export_preferences: { data_events: { enabled: true }, fhir_observations: false },
  fhir_observation_mappers: [],
})
