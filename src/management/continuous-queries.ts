import * as z from 'zod'
import { boolean, integer, maybe, oneOf, text } from '../api/fields.ts'
import { pageOf } from '../api/pagination.ts'
import { anyObject, type Parsed, schema, texts, unnamed } from '../api/schema.ts'
import { badRequest, orNotFound } from '../kernel/problem.ts'
import { QUERY_SLUG, Query, QueryConfig } from '../resources/sense/schema.ts'
import {
  checkContinuousQuery,
  columnsOf,
  defineContinuousQuery,
  dropContinuousQuery,
  listContinuousQueries,
} from '../resources/sense/service.ts'
import { type ContinuousQuery, continuousQueries } from '../resources/sense/table.ts'
import { table } from '../storage/table.ts'
import type { World } from '../world/world.ts'
import { Nothing } from './fields.ts'
import { managed } from './operation.ts'

/** How often a continuous query may run, as set by the team. */
export const queryScheduling = table(
  'continuous_query_scheduling',
  () => z.object({ query_id: z.string(), minimum_gap_duration_second: z.number().nullable() }),
  ({ query_id }) => query_id,
)

const TITLE = /^[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff0-9()&_\-.\s]{0,50}$/

/** The owner of the data. A team of Petri has no platform above it, so both values mean the team. */
const QueryType = unnamed(() => ({ query_type: oneOf(['team', 'platform']).default('team') }))

const SchedulingInput = schema('ContinuousQuerySchedulingInput', () => ({
  minimum_gap_duration_second: maybe(integer({ ge: 1800 })),
}))

const ExportInput = schema('ContinuousQueryExportInput', () => ({
  data_events: z.object({ enabled: boolean().default(true) }).optional(),
  fhir_observations: boolean().default(false),
}))

const QueryInput = schema('ManagedContinuousQueryInput', () => ({
  slug: text().regex(QUERY_SLUG),
  title: text().regex(TITLE),
  query: Query(),
  query_config: QueryConfig().optional(),
  scheduling_preferences: SchedulingInput().optional(),
  export_preferences: ExportInput().optional(),
}))

const QueryPatch = schema('ManagedContinuousQueryPatch', () => ({
  title: maybe(text().regex(TITLE)),
  scheduling_preferences: maybe(SchedulingInput()),
}))

const ResultTableSchema = unnamed(() => z.looseObject({ columns: texts() }))

const ManagedQuery = schema('ManagedContinuousQuery', () => ({
  id: z.uuid(),
  status: z.enum(['active', 'archived']),
  slug: z.string(),
  title: z.string(),
  team_id: z.uuid().nullable(),
  query: Query(),
  query_config: QueryConfig(),
  scheduling_preferences: z.object({ minimum_gap_duration_second: z.int().nullable() }),
  result_table_schema: ResultTableSchema(),
  resource_dependencies: texts(),
  export_preferences: z.object({
    data_events: z.object({ enabled: z.boolean() }),
    fhir_observations: z.boolean(),
  }),
  fhir_observation_mappers: texts(),
}))

const ManagedQueryList = schema('ManagedContinuousQueryList', () => pageOf(ManagedQuery()))

const QueryValidated = schema('ManagedContinuousQueryValidated', () => ({
  result_table_schema: ResultTableSchema(),
  resource_dependencies: texts(),
  fhir_observation_previews: anyObject().nullable(),
}))

export const continuousQueryOperations = [
  managed({
    id: 'get_continuous_queries',
    route: 'GET /v1/org/{org_id}/team/{team_id}/{environment}/continuous_query',
    summary: 'List the continuous queries of the teams',
    returns: ManagedQueryList,
    run: (world) => ({
      data: listContinuousQueries(world).map((query) => present(world, query)),
      next_cursor: null,
    }),
  }),
  managed({
    id: 'create_continuous_query',
    route: 'POST /v1/org/{org_id}/team/{team_id}/{environment}/continuous_query',
    summary: 'Create a continuous query, which runs for a user whenever new data arrive',
    query: QueryType,
    body: QueryInput,
    returns: ManagedQuery,
    run(world, { body }) {
      const { slug, title, query, query_config = {}, scheduling_preferences, export_preferences } = body
      if (export_preferences?.data_events?.enabled === false || export_preferences?.fhir_observations) {
        throw badRequest('Petri exports the results of continuous queries as events only.')
      }
      const created = defineContinuousQuery(world, { slug, title, query, query_config })
      setGap(world, created.id, scheduling_preferences?.minimum_gap_duration_second)
      return present(world, created)
    },
  }),
  managed({
    id: 'validate_continuous_query',
    route: 'POST /v1/org/{org_id}/team/{team_id}/{environment}/validate_continuous_query',
    summary: 'Validate a query and show the columns of its result',
    query: QueryType,
    body: QueryInput,
    returns: QueryValidated,
    run(_, { body }) {
      const { columns, resource } = checkContinuousQuery(body.query)
      return {
        result_table_schema: { columns },
        resource_dependencies: [resource],
        fhir_observation_previews: null,
      }
    },
  }),
  managed({
    id: 'update_continuous_query',
    route: 'PATCH /v1/org/{org_id}/team/{team_id}/{environment}/continuous_query/{query_id}',
    summary: 'Change the title of a query, or how often it may run',
    body: QueryPatch,
    returns: ManagedQuery,
    run(world, { params: { query_id }, body: { title, scheduling_preferences } }) {
      const query = getQuery(world, query_id)
      if (scheduling_preferences) setGap(world, query_id, scheduling_preferences.minimum_gap_duration_second)
      return present(world, world.db.put(continuousQueries, { ...query, title: title ?? query.title }))
    },
  }),
  managed({
    id: 'archive_continuous_query',
    route: 'DELETE /v1/org/{org_id}/team/{team_id}/{environment}/continuous_query/{query_id}',
    summary: 'Delete a query and its results',
    returns: Nothing,
    run(world, { params: { query_id } }) {
      getQuery(world, query_id)
      dropContinuousQuery(world, query_id)
      world.db.delete(queryScheduling, query_id)
      return null
    },
  }),
]

const getQuery = (world: World, id: string): ContinuousQuery =>
  orNotFound(world.db.find(continuousQueries, id), 'Continuous query not found')

const setGap = (world: World, query_id: string, seconds: number | null | undefined) =>
  world.db.put(queryScheduling, { query_id, minimum_gap_duration_second: seconds ?? null })

const present = (world: World, query: ContinuousQuery): Parsed<typeof ManagedQuery> => ({
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
  result_table_schema: { columns: columnsOf(query.query) },
  resource_dependencies: [query.resource],
  export_preferences: { data_events: { enabled: true }, fhir_observations: false },
  fhir_observation_mappers: [],
})
