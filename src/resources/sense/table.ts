import * as z from 'zod'
import { instant, type Parsed, unnamed } from '../../api/schema.ts'
import { count, type RowOf, table } from '../../storage/table.ts'
import { Query, QueryConfig, TaskHistory } from './schema.ts'

/** A continuous query, which runs whenever new data arrive. */
export const ContinuousQuery = unnamed(() => ({
  id: z.uuid(),
  slug: z.string(),
  title: z.string(),
  created_at: instant(),
  /** The resource it reads, as named in events. */
  resource: z.string(),
  query: Query(),
  query_config: QueryConfig(),
}))
export type ContinuousQuery = Parsed<typeof ContinuousQuery>

export const continuousQueries = table('continuous_queries', ContinuousQuery, ({ id }) => id, {
  indexes: {
    slug: ({ slug }) => slug,
    resource: ({ resource }) => resource,
  },
})

export const resultId = (queryId: string, userId: string): string => `${queryId}/${userId}`

/** The last result of a continuous query for a user. */
export const resultTables = table(
  'result_tables',
  () => {
    const values = () =>
      z.array(z.union([z.number(), z.string(), z.boolean(), z.null(), z.array(z.string())]))
    return z.object({
      query_id: z.string(),
      user_id: z.string(),
      lines: z.array(z.object({ keys: values(), cells: values() })),
    })
  },
  ({ query_id, user_id }) => resultId(query_id, user_id),
  { owner: 'user', indexes: { query: ({ query_id }) => query_id, user: ({ user_id }) => user_id } },
)

/** An evaluation, finished or pending. */
export const tasks = table(
  'query_tasks',
  () => TaskHistory().shape.data.element.extend({ ordinal: count() }),
  ({ ordinal }) => String(ordinal),
  {
    owner: 'user',
    indexes: {
      subject: ({ query_id, user_id }) => resultId(query_id, user_id),
      query: ({ query_id }) => query_id,
      user: ({ user_id }) => user_id,
    },
  },
)
export type Task = RowOf<typeof tasks>
