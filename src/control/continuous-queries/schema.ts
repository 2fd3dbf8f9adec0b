import * as z from 'zod'
import { maybe, text } from '../../api/fields.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { Query, QueryConfig } from '../../resources/sense/schema.ts'
import { ContinuousQuery } from '../../resources/sense/table.ts'

/** Letters, digits and single hyphens, none at either end. Source: contract/management.json, CreateContinuousQueryBody. */
const SLUG = /^(?!.*--)(?!.*-$)(?!-.*$)[a-z0-9-]{1,128}$/

/** A query that runs each time new data arrive. */
export const NewContinuousQuery = schema('NewContinuousQuery', () =>
  z.strictObject({
    slug: z.string().regex(SLUG),
    title: maybe(text()),
    query: Query(),
    query_config: QueryConfig().optional(),
  }),
)

export const ContinuousQueryView = schema('ContinuousQueryView', () =>
  ContinuousQuery().extend({
    query: z.record(z.string(), z.unknown()),
    query_config: z.record(z.string(), z.unknown()),
  }),
)

export const ContinuousQueryList = unnamed(() =>
  z.object({ data: z.array(ContinuousQueryView()), next_cursor: z.null() }),
)

export const ContinuousQueryPath = unnamed(() => z.object({ query_id_or_slug: text() }))
