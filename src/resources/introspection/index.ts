import { operation } from '../../api/operation.ts'
import type { Resource } from '../../api/resource.ts'
import { PullsQuery, ResourcesQuery, UserPullsPage, UserResourcesPage } from './schema.ts'
import { inspectPulls, inspectResources } from './service.ts'
import { sent } from './table.ts'

const introspectionOperations = [
  operation({
    id: 'introspect_get_user_resources',
    route: 'GET /v2/introspect/resources',
    summary: 'Show what was last fetched of each resource, and what was sent',
    query: ResourcesQuery,
    returns: UserResourcesPage,
    run: (world, { query }) => inspectResources(world, query),
  }),
  operation({
    id: 'introspect_get_user_historical_pulls',
    route: 'GET /v2/introspect/historical_pull',
    summary: 'Show the progress of the history pull',
    query: PullsQuery,
    returns: UserPullsPage,
    run: (world, { query }) => inspectPulls(world, query),
  }),
]

export const introspectionResource: Resource = {
  name: 'introspection',
  operations: introspectionOperations,
  tables: [sent],
}
