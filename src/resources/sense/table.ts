import type { Parsed } from '../../api/schema.ts'
import { table } from '../../storage/table.ts'
import type { ResultRow } from './engine.ts'
import type { Query, QueryConfig, TaskHistory } from './schema.ts'

/** A continuous query, which runs whenever new data arrive. */
export interface ContinuousQuery {
  readonly id: string
  readonly slug: string
  readonly title: string
  readonly created_at: string
  /** The resource it reads, as named in events. */
  readonly resource: string
  readonly query: Parsed<typeof Query>
  readonly query_config: Parsed<typeof QueryConfig>
}

export const continuousQueries = table<ContinuousQuery, 'slug' | 'resource'>(
  'continuous_queries',
  ({ id }) => id,
  { indexes: { slug: ({ slug }) => slug, resource: ({ resource }) => resource } },
)

/** The last result of a continuous query for a user. */
export interface ResultTable {
  readonly query_id: string
  readonly user_id: string
  readonly lines: readonly ResultRow[]
}

export const resultId = (queryId: string, userId: string): string => `${queryId}/${userId}`

export const resultTables = table<ResultTable, 'query'>(
  'result_tables',
  ({ query_id, user_id }) => resultId(query_id, user_id),
  { indexes: { query: ({ query_id }) => query_id } },
)

/** An evaluation, finished or pending. */
export type Task = Parsed<typeof TaskHistory>['data'][number] & { readonly ordinal: number }

export const tasks = table<Task, 'subject' | 'query'>('query_tasks', ({ ordinal }) => String(ordinal), {
  indexes: {
    subject: ({ query_id, user_id }) => resultId(query_id, user_id),
    query: ({ query_id }) => query_id,
  },
})
