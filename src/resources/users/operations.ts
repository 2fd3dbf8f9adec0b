import { operation } from '../../api/operation.ts'
import {
  ClientUserPath,
  GoUserPath,
  NewUser,
  Success,
  User,
  UserList,
  UserNotCreated,
  UserPage,
  UserPatch,
  UserQuery,
} from './schema.ts'
import * as service from './service.ts'
import { users } from './table.ts'

export const userOperations = [
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
]
