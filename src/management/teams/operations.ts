import { ACCESS_TOKEN_SECONDS, newAccessToken } from '../../api/credentials.ts'
import { operation } from '../../api/operation.ts'
import { Nothing, OrganisationPath } from '../organisation/schema.ts'
import { assertEnvironment, type ManagementParts, managerIn } from '../parts.ts'
import * as schemas from './schema.ts'
import { changeTeam, listTeams, makeTeam, presentTeam, resolveTeam } from './service.ts'

export const teamOperations = (parts: ManagementParts) => [
  operation({
    id: 'list_teams_in_org',
    route: 'GET /v1/org/{org_id}/team',
    summary: 'List the teams the key manages',
    params: OrganisationPath,
    query: schemas.TeamQuery,
    returns: schemas.ManagedTeamList,
    run: (_, { query }, context) => listTeams(parts, managerIn(context), query),
  }),
  operation({
    id: 'create_team_in_org',
    route: 'POST /v1/org/{org_id}/team',
    summary: 'Create a team; it is a new world with the options of the first',
    params: OrganisationPath,
    body: schemas.TeamInput,
    returns: schemas.ManagedTeam,
    alsoReturns: { 409: schemas.TeamNameTaken },
    run: (_, { body }) => makeTeam(parts, body),
  }),
  operation({
    id: 'get_team_in_org',
    route: 'GET /v1/org/{org_id}/team/{team_id}',
    summary: 'Get a team, with the settings of the environments asked for',
    params: schemas.TeamPath,
    query: schemas.IncludeQuery,
    returns: schemas.ManagedTeam,
    run: (world, { query }) => presentTeam(world, query.include_environment),
  }),
  operation({
    id: 'update_team_in_org',
    route: 'PATCH /v1/org/{org_id}/team/{team_id}',
    summary: 'Rename a team, or change its settings',
    params: schemas.TeamPath,
    body: schemas.TeamPatch,
    returns: schemas.ManagedTeam,
    alsoReturns: { 409: schemas.TeamNameTaken },
    run: (world, { body }) => changeTeam(parts, world, body),
  }),
  ...otherOperations(parts),
]

const otherOperations = (parts: ManagementParts) => [
  operation({
    id: 'delete_team_in_org',
    route: 'DELETE /v1/org/{org_id}/team/{team_id}',
    summary: 'Delete a team and its world',
    params: schemas.TeamPath,
    returns: Nothing,
    async run(world) {
      await parts.worlds.drop(world)
      return null
    },
  }),
  operation({
    id: 'resolve_team',
    route: 'POST /v1/org/{org_id}/resolve_team',
    summary: 'Find a team by your own id for it',
    params: OrganisationPath,
    body: schemas.ResolveTeam,
    returns: schemas.ManagedTeam,
    run: (_, { body }, context) => resolveTeam(parts, managerIn(context), body.integration_team_id),
  }),
  ...tokenOperations(),
]

/** The operation under its path in the contract and under its deprecated path. */
function tokenOperations() {
  const create = operation({
    id: 'create_team_api_access_token',
    route: 'POST /v1/org/{org_id}/team/{team_id}/create_api_access_token',
    summary: "Create a bearer token that is valid for ten minutes of the world's clock",
    params: schemas.TeamPath,
    body: schemas.AccessTokenInput,
    returns: schemas.AccessToken,
    run(world, { body }) {
      assertEnvironment(world, body.env)
      return {
        access_token: newAccessToken(world.identity, body.env, world.clock.now()),
        expires_in: ACCESS_TOKEN_SECONDS,
      }
    },
  })
  const older = {
    ...create,
    id: 'create_team_access_token',
    route: 'POST /v1/org/{org_id}/team/{team_id}/create_access_token' as const,
    summary: 'The older path of create_team_api_access_token',
    deprecated: true,
  }
  return [create, older]
}
