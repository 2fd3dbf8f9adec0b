import { operation } from '../../api/operation.ts'
import { OrganisationPath } from '../organisation/schema.ts'
import type { ManagementParts } from '../parts.ts'
import * as schemas from './schema.ts'
import { changeKey, listKeys, makeKey, removeKey } from './service.ts'

export const keyOperations = (parts: ManagementParts) => [
  operation({
    id: 'list_management_key',
    route: 'GET /v1/org/{org_id}/management_key',
    summary: 'List the management keys',
    params: OrganisationPath,
    query: schemas.ManagementKeyQuery,
    returns: schemas.ManagementKeyList,
    run: (_, { query }) => ({ data: listKeys(parts, query), next_cursor: null }),
  }),
  operation({
    id: 'create_management_key',
    route: 'POST /v1/org/{org_id}/management_key',
    summary: 'Create a management key; it is shown only once',
    params: OrganisationPath,
    body: schemas.ManagementKeyInput,
    returns: schemas.NewManagementKey,
    run: (_, { body }) => makeKey(parts, body),
  }),
  operation({
    id: 'patch_management_key',
    route: 'PATCH /v1/org/{org_id}/management_key/{key_id}',
    summary: 'Rename a management key, or bind it to other teams',
    params: schemas.KeyPath,
    body: schemas.ManagementKeyPatch,
    returns: schemas.ManagementKey,
    run: (_, { params, body }) => changeKey(parts, params.key_id, body),
  }),
  operation({
    id: 'remove_management_key',
    route: 'DELETE /v1/org/{org_id}/management_key/{key_id}',
    summary: 'Delete a management key',
    params: schemas.KeyPath,
    returns: schemas.RemovedManagementKey,
    run: (_, { params }) => removeKey(parts, params.key_id),
  }),
]
