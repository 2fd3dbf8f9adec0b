import { operation } from '../../api/operation.ts'
import type { Resource } from '../../api/resource.ts'
import { GoUserPath } from '../users/schema.ts'
import { Demographics, DemographicsInput, FoundUserList, UserSearch } from './schema.ts'
import { getDemographics, keepDemographics, searchUsers } from './service.ts'
import { demographics } from './table.ts'

const demographicsOperations = [
  operation({
    id: 'user_upsert_user_info',
    route: 'PATCH /v2/user/{user_id}/info',
    summary: "Set a user's demographics; replaces the previous ones",
    body: DemographicsInput,
    returns: Demographics,
    run: (world, { params, body }) => keepDemographics(world, params.user_id, body),
  }),
  operation({
    id: 'user_get_latest_user_info',
    route: 'GET /v2/user/{user_id}/info/latest',
    summary: "Get a user's demographics",
    params: GoUserPath,
    returns: Demographics,
    run: (world, { params }) => getDemographics(world, params.user_id),
  }),
  operation({
    id: 'user_search',
    route: 'GET /v2/user/search',
    tag: 'user',
    summary: 'Search users by id, name, e-mail or phone number; outside the published contract',
    assumes: [
      'Users are in the order of their creation by default; those without the value of `order_key` come last if ' +
        'ascending. `offset`, `total` and `limit` are as in the list of users.',
    ],
    query: UserSearch,
    returns: FoundUserList,
    run: (world, { query }) => searchUsers(world, query),
  }),
]

export const demographicsResource: Resource = {
  name: 'demographics',
  operations: demographicsOperations,
  tables: [demographics],
}
