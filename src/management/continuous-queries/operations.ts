import { operation } from '../../api/operation.ts'
import { Nothing } from '../organisation/schema.ts'
import { EnvironmentPath } from '../webhooks/schema.ts'
import * as schemas from './schema.ts'
import * as service from './service.ts'

export const continuousQueryOperations = [
  operation({
    id: 'get_continuous_queries',
    route: 'GET /v1/org/{org_id}/team/{team_id}/{environment}/continuous_query',
    summary: 'List the continuous queries of the teams',
    params: EnvironmentPath,
    returns: schemas.ManagedQueryList,
    run: (world) => ({ data: service.listQueries(world), next_cursor: null }),
  }),
  operation({
    id: 'create_continuous_query',
    route: 'POST /v1/org/{org_id}/team/{team_id}/{environment}/continuous_query',
    summary: 'Create a continuous query, which runs for a user whenever new data arrive',
    params: EnvironmentPath,
    query: schemas.QueryType,
    body: schemas.QueryInput,
    returns: schemas.ManagedQuery,
    run: (world, { body }) => service.makeQuery(world, body),
  }),
  operation({
    id: 'validate_continuous_query',
    route: 'POST /v1/org/{org_id}/team/{team_id}/{environment}/validate_continuous_query',
    summary: 'Validate a query and show the columns of its answer',
    params: EnvironmentPath,
    query: schemas.QueryType,
    body: schemas.QueryInput,
    returns: schemas.QueryValidated,
    run: (_, { body }) => service.validateQuery(body),
  }),
  operation({
    id: 'update_continuous_query',
    route: 'PATCH /v1/org/{org_id}/team/{team_id}/{environment}/continuous_query/{query_id}',
    summary: 'Change the title of a query, or how often it may run',
    params: schemas.QueryPath,
    body: schemas.QueryPatch,
    returns: schemas.ManagedQuery,
    run: (world, { params, body }) => service.changeQuery(world, params.query_id, body),
  }),
  operation({
    id: 'archive_continuous_query',
    route: 'DELETE /v1/org/{org_id}/team/{team_id}/{environment}/continuous_query/{query_id}',
    summary: 'Delete a query and its results',
    params: schemas.QueryPath,
    returns: Nothing,
    run: (world, { params }) => service.archiveQuery(world, params.query_id),
  }),
]
