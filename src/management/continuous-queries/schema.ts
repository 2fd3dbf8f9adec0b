import * as z from 'zod'
import { boolean, integer, maybe, oneOf, text, uuid } from '../../api/fields.ts'
import { pageOf } from '../../api/pagination.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { Query, QueryConfig } from '../../resources/sense/schema.ts'
import { environment, orgId } from '../parts.ts'

const SLUG = /^(?!.*--)(?!.*-$)(?!-.*$)[a-z0-9-]{1,128}$/
const TITLE = /^[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff0-9()&_\-.\s]{0,50}$/

export const QueryPath = unnamed(() =>
  z.object({ environment: environment(), org_id: orgId(), query_id: uuid(), team_id: uuid() }),
)

/** The owner of the data. A team of Petri has no platform above it, so both values mean the team. */
export const QueryType = unnamed(() => z.object({ query_type: oneOf(['team', 'platform']).default('team') }))

const SchedulingInput = schema('ContinuousQuerySchedulingInput', () =>
  z.object({ minimum_gap_duration_second: maybe(integer({ ge: 1800 })) }),
)

const ExportInput = schema('ContinuousQueryExportInput', () =>
  z.object({
    data_events: z.object({ enabled: boolean().default(true) }).optional(),
    fhir_observations: boolean().default(false),
  }),
)

export const QueryInput = schema('ManagedContinuousQueryInput', () =>
  z.object({
    slug: text().regex(SLUG),
    title: text().regex(TITLE),
    query: Query(),
    query_config: QueryConfig().optional(),
    scheduling_preferences: SchedulingInput().optional(),
    export_preferences: ExportInput().optional(),
  }),
)

export const QueryPatch = schema('ManagedContinuousQueryPatch', () =>
  z.object({ title: maybe(text().regex(TITLE)), scheduling_preferences: maybe(SchedulingInput()) }),
)

const ResultTableSchema = unnamed(() => z.looseObject({ columns: z.array(z.string()) }))

export const ManagedQuery = schema('ManagedContinuousQuery', () =>
  z.object({
    id: z.uuid(),
    status: z.enum(['active', 'archived']),
    slug: z.string(),
    title: z.string(),
    team_id: z.uuid().nullable(),
    query: Query(),
    query_config: QueryConfig(),
    scheduling_preferences: z.object({ minimum_gap_duration_second: z.int().nullable() }),
    result_table_schema: ResultTableSchema(),
    resource_dependencies: z.array(z.string()),
    export_preferences: z.object({
      data_events: z.object({ enabled: z.boolean() }),
      fhir_observations: z.boolean(),
    }),
    fhir_observation_mappers: z.array(z.string()),
  }),
)

export const ManagedQueryList = schema('ManagedContinuousQueryList', () => pageOf(ManagedQuery()))

export const QueryValidated = schema('ManagedContinuousQueryValidated', () =>
  z.object({
    result_table_schema: ResultTableSchema(),
    resource_dependencies: z.array(z.string()),
    fhir_observation_previews: z.record(z.string(), z.unknown()).nullable(),
  }),
)
