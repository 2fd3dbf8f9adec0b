import { operation } from '../../api/operation.ts'
import {
  defineContinuousQuery,
  dropContinuousQuery,
  listContinuousQueries,
} from '../../resources/sense/service.ts'
import {
  ContinuousQueryList,
  ContinuousQueryPath,
  ContinuousQueryView,
  NewContinuousQuery,
} from './schema.ts'

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
    params: ContinuousQueryPath,
    run: (world, { params }) => dropContinuousQuery(world, params.query_id_or_slug),
  }),
]
