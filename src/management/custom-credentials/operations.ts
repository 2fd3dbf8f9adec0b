import { operation } from '../../api/operation.ts'
import { type ManagementParts, teamsIn } from '../parts.ts'
import { PlacePath } from '../place.ts'
import * as schemas from './schema.ts'
import { deleteCredentials, listCredentials, prepareCredentials, setCredentials } from './service.ts'

export const customCredentialOperations = (parts: ManagementParts) => [
  operation({
    id: 'get_team_custom_credentials',
    route: 'GET /v1/org/{org_id}/team_custom_credentials/{env}/{region}',
    summary: "List the teams' own provider credentials, without secrets",
    params: PlacePath,
    query: schemas.CredentialsQuery,
    returns: schemas.CredentialsPage,
    run: (_, { params, query }, context) => listCredentials(teamsIn(parts, context, params), query),
  }),
  operation({
    id: 'upsert_team_custom_credentials',
    route: 'POST /v1/org/{org_id}/team_custom_credentials/{env}/{region}',
    summary: "Set a team's own credentials for a provider",
    params: PlacePath,
    body: schemas.CredentialsInput,
    returns: schemas.Credentials,
    run: (_, { params, body }, context) => setCredentials(teamsIn(parts, context, params), body),
  }),
  operation({
    id: 'delete_team_custom_credentials',
    route: 'DELETE /v1/org/{org_id}/team_custom_credentials/{env}/{region}',
    summary: "Delete a team's own credentials; it uses the shared app again",
    params: PlacePath,
    query: schemas.CredentialsChoice,
    returns: schemas.CredentialsDeleted,
    run: (_, { params, query }, context) =>
      deleteCredentials(teamsIn(parts, context, params), query.credential_id),
  }),
  operation({
    id: 'prepare_team_custom_credentials',
    route: 'POST /v1/org/{org_id}/prepare_team_custom_credentials/{env}/{region}',
    summary: 'Show what has to be configured at a provider',
    params: PlacePath,
    body: schemas.PreparationInput,
    returns: schemas.Preparation,
    run: (_, { params, body }, context) => prepareCredentials(teamsIn(parts, context, params), body),
  }),
]
