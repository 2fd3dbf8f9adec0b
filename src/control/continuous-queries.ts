import * as z from 'zod'
import { maybe, text } from '../api/fields.ts'
import { operation } from '../api/operation.ts'
import { schema, unnamed } from '../api/schema.ts'
import { QUERY_SLUG, Query, QueryConfig } from '../resources/sense/schema.ts'
import {
  defineContinuousQuery,
  dropContinuousQuery,
  listContinuousQueries,
} from '../resources/sense/service.ts'
import { ContinuousQuery } from '../resources/sense/table.ts'

/** A query that runs each time new data arrive. */
const NewContinuousQuery = schema('NewContinuousQuery', () =>
  z.strictObject({
    slug: z.string().regex(QUERY_SLUG),
    title: maybe(text()),
    query: Query(),
    query_config: QueryConfig().optional(),
  }),
)

const ContinuousQueryView = schema('ContinuousQueryView', () =>
  ContinuousQuery().extend({
    query: z.record(z.string(), z.unknown()),
    query_config: z.record(z.string(), z.unknown()),
  }),
)

const ContinuousQueryList = unnamed(() =>
  z.object({ data: z.array(ContinuousQueryView()), next_cursor: z.null() }),
)

export const continuousQueryOperations = [
  operation({
    id: 'petri_continuous_queries_get',
    route: 'GET /_petri/continuous_queries',
    summary: 'List the continuous queries',
    returns: ContinuousQueryList,
    run: (world) => ({ data: listContinuousQueries(world), next_cursor: null }),
  }),
  operation({
    id: 'petri_continuous_queries_post',
    route: 'POST /_petri/continuous_queries',
    summary: 'Create a continuous query, which runs for a user whenever new data arrive',
    body: NewContinuousQuery,
    returns: ContinuousQueryView,
    status: 201,
    run: (world, { body }) =>
      defineContinuousQuery(world, {
        slug: body.slug,
        title: body.title ?? body.slug,
        query: body.query,
        query_config: body.query_config ?? {},
      }),
  }),
  operation({
    id: 'petri_continuous_queries_delete',
    route: 'DELETE /_petri/continuous_queries/{query_id_or_slug}',
    summary: 'Delete a continuous query and its results',
    params: unnamed(() => z.object({ query_id_or_slug: text() })),
    run: (world, { params }) => dropContinuousQuery(world, params.query_id_or_slug),
  }),
]
