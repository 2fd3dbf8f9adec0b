import * as z from 'zod'
import { count, instant, type Parsed, unnamed } from '../../api/schema.ts'
import { table } from '../../storage/table.ts'
import type { ResultRow } from './engine.ts'
import { Query, QueryConfig, TaskHistory } from './schema.ts'

/** A continuous query, which runs whenever new data arrive. */
export const ContinuousQuery = unnamed(() =>
  z.object({
    id: z.uuid(),
    slug: z.string(),
    title: z.string(),
    created_at: instant(),
    /** The resource it reads, as named in events. */
    resource: z.string(),
    query: Query(),
    query_config: QueryConfig(),
  }),
)
export type ContinuousQuery = Parsed<typeof ContinuousQuery>

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
export const Task = unnamed(() => TaskHistory().shape.data.element.extend({ ordinal: count() }))
export type Task = Parsed<typeof Task>

export const tasks = table<Task, 'subject' | 'query'>('query_tasks', ({ ordinal }) => String(ordinal), {
  indexes: {
    subject: ({ query_id, user_id }) => resultId(query_id, user_id),
    query: ({ query_id }) => query_id,
  },
})
