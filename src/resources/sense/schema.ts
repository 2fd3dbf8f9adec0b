import * as z from 'zod'
import { field, integer, maybe, oneOf, text, uuid } from '../../api/fields.ts'
import { pageOf } from '../../api/pagination.ts'
import { instant, nullableText, schema, unnamed } from '../../api/schema.ts'
import { sourceSlugs } from '../providers/schema.ts'
import { AlignExpr, GroupByItem, SelectItem, Timeframe } from './expressions.ts'

/** The maximum number of queries in a call, and of expressions in a query. */
const MAX_QUERIES = 50
const MAX_EXPRESSIONS = 100

/** Letters, digits and single hyphens, none at either end. Source: docs/contract/management.md, CreateContinuousQueryBody. */
export const QUERY_SLUG = /^(?!.*--)(?!.*-$)(?!-.*$)[a-z0-9-]{1,128}$/

/** A query of one table. Source: docs/contract/health-data.md#introspection-and-sense. */
export const Query = schema('Query', () => ({
  select: z.array(SelectItem()).min(1).max(MAX_EXPRESSIONS),
  group_by: z.array(GroupByItem()).max(MAX_EXPRESSIONS).default([]),
  where: maybe(text()),
  align: maybe(AlignExpr()),
}))

export const QueryConfig = schema('QueryConfig', () => ({
  provider_priority_overrides: maybe(z.array(oneOf(sourceSlugs))),
}))

export const QueryBatch = schema('QueryBatch', () => ({
  timeframe: Timeframe(),
  queries: z.array(Query()).max(MAX_QUERIES),
  config: QueryConfig().optional(),
}))

export const PARQUET = 'application/vnd.apache.parquet'
export const PARQUET_ARCHIVE = 'application/vnd.vital.tar+gzip+parquet'

const media = ['*/*', 'application/json'] as const

// Accepts any media type; only Parquet differs from JSON.
const accepted = (parquet: string) =>
  unnamed(() => ({
    accept: field({ type: 'string', enum: [...media, parquet] }, (input) =>
      String(input).toLowerCase().includes(parquet) ? parquet : '*/*',
    ).default('*/*'),
  }))

export const QueryHeaders = accepted(PARQUET_ARCHIVE)
export const TableHeaders = accepted(PARQUET)

/** Columns by name, all of one length. */
const Table = unnamed(() => z.record(z.string(), z.array(z.unknown())))

export const AggregationResult = schema('AggregationResult', () => ({ table: Table() }))
export const AggregationResponse = schema('AggregationResponse', () => ({
  results: z.array(AggregationResult()),
}))

export const ContinuousPath = unnamed(() => ({ user_id: uuid(), query_id_or_slug: text() }))

export const HistoryQuery = unnamed(() => ({
  next_cursor: maybe(text()),
  limit: integer({ ge: 1, le: 500 }).default(50),
}))

const TaskEntry = schema('ContinuousQueryTaskHistoryEntry', () => ({
  query_id: z.uuid(),
  user_id: z.guid(),
  status: z.enum(['scheduled', 'started', 'completed', 'error', 'skipped']),
  scheduled_at: instant(),
  started_at: instant().nullable(),
  ended_at: instant().nullable(),
  error_details: nullableText(),
}))

export const TaskHistory = schema('ContinuousQueryTaskHistoryResponse', () => pageOf(TaskEntry()))

/** The rows of a result table that are new or changed. Source: docs/contract/webhooks.md#events. */
export const ResultTableChanges = schema('ContinuousQueryResultTableChanges', () =>
  z.array(z.object({ query_id: z.uuid(), query_slug: z.string(), data: Table() })),
)
