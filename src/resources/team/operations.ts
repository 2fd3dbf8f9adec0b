import { operation } from '../../api/operation.ts'
import { measure } from './metrics.ts'
import {
  FoundUsers,
  Metrics,
  Physicians,
  Priorities,
  PriorityChanges,
  PriorityQuery,
  SvixUrl,
  Team,
  UserSearch,
} from './schema.ts'
import * as service from './service.ts'
import { listPriorities, setPriorities } from './service.ts'

export const teamOperations = [
  operation({
    id: 'team_get',
    route: 'GET /v2/team/{team_id}',
    deprecated: true,
    summary: 'Get the team',
    returns: Team,
    run(world, { params }) {
      service.assertOwnTeam(world, params.team_id)
      return service.presentTeam(world)
    },
  }),
  operation({
    id: 'team_get_physicians',
    route: 'GET /v2/team/{team_id}/physicians',
    summary: 'List the physicians who have ordered for the team',
    returns: Physicians,
    run(world, { params }) {
      service.assertOwnTeam(world, params.team_id)
      return service.listPhysicians(world)
    },
  }),
  operation({
    id: 'team_get_user_by_id',
    route: 'GET /v2/team/users/search',
    deprecated: true,
    summary: 'Find users by a part of their id or of your own reference',
    query: UserSearch,
    returns: FoundUsers,
    run: (world, { query }) => (query.query_id ? service.searchUsers(world, query.query_id) : []),
  }),
  operation({
    id: 'team_get_svix_url',
    route: 'GET /v2/team/svix/url',
    deprecated: true,
    summary: "Get the URL of the team's message log",
    returns: SvixUrl,
    run: service.portalOf,
  }),
  operation({
    id: 'team_get_source_priorities',
    route: 'GET /v2/team/source/priorities',
    summary: 'List the priorities of providers with the same data',
    query: PriorityQuery,
    returns: Priorities,
    run: (world, { query }) => listPriorities(world, query.data_type),
  }),
  operation({
    id: 'team_update_source_priorities',
    route: 'PATCH /v2/team/source/priorities',
    summary: 'Set the priorities of providers',
    body: PriorityChanges,
    bodyOptional: true,
    returns: Priorities,
    run: (world, { body }) => setPriorities(world, body ?? []),
  }),
  operation({
    id: 'user_get_team_metrics',
    route: 'GET /v2/user/metrics',
    summary: 'Count users, connections and orders',
    returns: Metrics,
    run: measure,
  }),
]
