import { operation } from '../../api/operation.ts'
import { type ManagementParts, teamsIn } from '../parts.ts'
import { PlacePath } from '../place.ts'
import * as schemas from './schema.ts'
import { deleteApiKeys, listApiKeys, makeApiKey } from './service.ts'

export const teamApiKeyOperations = (parts: ManagementParts) => [
  operation({
    id: 'list_team_api_keys',
    route: 'GET /v1/org/{org_id}/team_api_keys/{env}/{region}',
    summary: 'List the API keys of the teams',
    params: PlacePath,
    query: schemas.TeamApiKeyQuery,
    returns: schemas.TeamApiKeyList,
    run: (_, { params, query }, context) => listApiKeys(teamsIn(parts, context, params), query),
  }),
  operation({
    id: 'create_team_api_key',
    route: 'POST /v1/org/{org_id}/team_api_keys/{env}/{region}',
    summary: 'Create another API key of a team; it works immediately',
    params: PlacePath,
    body: schemas.TeamApiKeyInput,
    returns: schemas.TeamApiKey,
    run: (_, { params, body }, context) => makeApiKey(parts, teamsIn(parts, context, params), params, body),
  }),
  operation({
    id: 'delete_team_api_keys',
    route: 'DELETE /v1/org/{org_id}/team_api_keys/{env}/{region}',
    summary: 'Delete API keys; the first key of a team cannot be deleted',
    params: PlacePath,
    query: schemas.TeamApiKeyChoice,
    returns: schemas.TeamApiKeysDeleted,
    run: (_, { params, query }, context) =>
      deleteApiKeys(parts, teamsIn(parts, context, params), query.api_key_id),
  }),
]
