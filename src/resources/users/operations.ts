import * as z from 'zod'
import { operation, withStatus } from '../../api/operation.ts'
import { unnamed } from '../../api/schema.ts'
import { Problem } from '../../kernel/problem.ts'
import { Device } from '../connections/schema.ts'
import { listDevices } from '../connections/service.ts'
import { createSignInToken } from '../mobile/service.ts'
import { createUserAs } from '../personas/service.ts'
import { measure } from './metrics.ts'
import { createPortalUrl, portalPage } from './portal.ts'
import { refreshUser } from './refresh.ts'
import {
  ClientUserPath,
  FoundUserList,
  GoUserPath,
  Metrics,
  NewUser,
  NotRefreshed,
  PortalAccess,
  PortalInput,
  PortalQuery,
  Refreshed,
  RefreshQuery,
  SignInToken,
  Success,
  User,
  UserList,
  UserNotCreated,
  UserPage,
  UserPatch,
  UserQuery,
  UserSearch,
} from './schema.ts'
import * as service from './service.ts'
import { getUser } from './service.ts'
import { users } from './table.ts'

const Devices = unnamed(() => z.array(Device()))

export const deviceOperations = [
  operation({
    id: 'user_get_devices',
    route: 'GET /v2/user/{user_id}/device',
    summary: "List the devices a user's data come from",
    returns: Devices,
    run(world, { params }) {
      getUser(world, params.user_id)
      return listDevices(world, params.user_id)
    },
  }),
  operation({
    id: 'user_get_device',
    route: 'GET /v2/user/{user_id}/device/{device_id}',
    summary: "Get a device a user's data come from",
    returns: Device,
    run(world, { params }) {
      getUser(world, params.user_id)
      const device = listDevices(world, params.user_id).find(({ id }) => id === params.device_id)
      if (!device) throw new Problem('not_found', 'Device not found')
      return device
    },
  }),
]

export const userOperations = [
  operation({
    id: 'user_create',
    route: 'POST /v2/user',
    summary: 'Create a user',
    body: NewUser,
    returns: User,
    alsoReturns: { 400: UserNotCreated },
    run: (world, { body }, { persona }) =>
      persona === undefined ? service.createUser(world, body) : createUserAs(world, persona, body),
  }),
  operation({
    id: 'user_create_by_its_old_path',
    route: 'POST /v2/user/key',
    tag: 'user',
    summary: 'Create a user (the path of clients before 2022)',
    body: NewUser,
    returns: User,
    alsoReturns: { 400: UserNotCreated },
    run: (world, { body }) => service.createUser(world, body),
  }),
  operation({
    id: 'user_get_by_client_user_id_at_its_old_path',
    route: 'GET /v2/user/key/{client_user_id}',
    tag: 'user',
    summary: 'Find a user by your own reference (the path of clients before 2022)',
    params: ClientUserPath,
    returns: User,
    run: (world, { params }) => service.getByClientUserId(world, params.client_user_id),
  }),
  operation({
    id: 'user_get_all',
    route: 'GET /v2/user',
    summary: 'List users, newest first',
    query: UserPage,
    returns: UserList,
    run: (world, { query }) => service.listUsers(world, query.offset, query.limit),
  }),
  operation({
    id: 'user_search',
    route: 'GET /v2/user/search',
    tag: 'user',
    summary: 'Search users by id, name, e-mail or phone number; outside the published contract',
    assumes: [
      'The order is that of creation unless asked otherwise; those without the value of `order_key` come last if ' +
        'ascending. `offset`, `total` and `limit` are as in the list of users.',
    ],
    query: UserSearch,
    returns: FoundUserList,
    run: (world, { query }) => service.searchUsers(world, query),
  }),
  operation({
    id: 'user_get_team_metrics',
    route: 'GET /v2/user/metrics',
    summary: 'Count users, connections and orders',
    returns: Metrics,
    run: measure,
  }),
  operation({
    id: 'user_refresh',
    route: 'POST /v2/user/refresh/{user_id}',
    takesUserToken: true,
    summary: "Refresh a user's data, at most eight times an hour",
    query: RefreshQuery,
    returns: Refreshed,
    alsoReturns: { 202: Refreshed, 400: NotRefreshed },
    run(world, { params }) {
      const refreshed = refreshUser(world, params.user_id)
      return refreshed.in_progress_sources.length > 0 ? withStatus(202, refreshed) : refreshed
    },
  }),
  operation({
    id: 'user_get_by_client_user_id',
    route: 'GET /v2/user/resolve/{client_user_id}',
    summary: 'Find a user by your own reference',
    params: ClientUserPath,
    returns: User,
    run: (world, { params }) => service.getByClientUserId(world, params.client_user_id),
  }),
  operation({
    id: 'user_undo_delete',
    route: 'POST /v2/user/undo_delete',
    summary: 'Bring back a user deleted less than seven days ago',
    query: UserQuery,
    body: UserQuery,
    bodyOptional: true,
    returns: Success,
    run(world, { query, body }) {
      const userId = query.user_id ?? body?.user_id
      const clientUserId = query.client_user_id ?? body?.client_user_id
      service.undoDelete(world, { userId, clientUserId })
      return { success: true }
    },
  }),
  operation({
    id: 'user_get',
    route: 'GET /v2/user/{user_id}',
    takesUserToken: true,
    summary: 'Get a user',
    params: GoUserPath,
    returns: User,
    run(world, { params }) {
      service.getUser(world, params.user_id, service.noSuchUser)
      return world.db.text(users, params.user_id)
    },
  }),
  operation({
    id: 'user_patch',
    route: 'PATCH /v2/user/{user_id}',
    summary: 'Change some fields of a user; null clears one',
    body: UserPatch,
    run: (world, { params, body }) => void service.patchUser(world, params.user_id, body),
  }),
  operation({
    id: 'user_delete',
    route: 'DELETE /v2/user/{user_id}',
    summary: 'Delete a user; can be undone for seven days',
    returns: Success,
    run(world, { params }) {
      service.deleteUser(world, params.user_id)
      return { success: true }
    },
  }),
  operation({
    id: 'user_get_user_sign_in_token',
    route: 'POST /v2/user/{user_id}/sign_in_token',
    summary: 'Create a sign-in token for a mobile app',
    returns: SignInToken,
    run: (world, { params }) => createSignInToken(world, params.user_id),
  }),
  operation({
    id: 'user_create_portal_url',
    route: 'POST /v2/user/{user_id}/create_portal_url',
    summary: "Create a URL of the user's own page",
    body: PortalInput,
    returns: PortalAccess,
    run: (world, { params, body }) => createPortalUrl(world, params.user_id, body),
  }),
  operation({
    id: 'petri_portal_page',
    route: 'GET /portal',
    tag: 'user',
    access: 'link_token',
    produces: 'text/html',
    summary: "A user's own page",
    query: PortalQuery,
    run: (world, { query }) => portalPage(world, query.token),
  }),
]
