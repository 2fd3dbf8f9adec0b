import { operation } from '../../api/operation.ts'
import type { Parsed } from '../../api/schema.ts'
import { isOAuthSlug } from '../../resources/link/slugs.ts'
import { scopeRequirements } from '../../resources/link/table.ts'
import type { World } from '../../world/world.ts'
import { Nothing } from '../organisation/schema.ts'
import { TeamPath } from '../teams/schema.ts'
import { RequirementList, RequirementQuery, RequirementsInput } from './schema.ts'

export const scopeRequirementOperations = [
  operation({
    id: 'get_team_scope_requirements',
    route: 'GET /v1/org/{org_id}/team/{team_id}/scope_requirements',
    summary: 'List the permissions users of a team must, and may, grant at a provider',
    params: TeamPath,
    query: RequirementQuery,
    returns: RequirementList,
    run: (world, { query }) => ({ requirements: listRequirements(world, query.provider) }),
  }),
  operation({
    id: 'upsert_team_scope_requirements',
    route: 'POST /v1/org/{org_id}/team/{team_id}/scope_requirements',
    summary: 'Set the permissions users of a team must, and may, grant; null asks for all again',
    params: TeamPath,
    body: RequirementsInput,
    returns: Nothing,
    run: (world, { body }) => setRequirements(world, body),
  }),
]

const listRequirements = (world: World, wanted: string | null | undefined) =>
  [...world.db.all(scopeRequirements)].flatMap(({ provider, user_must_grant, user_may_grant }) =>
    isOAuthSlug(provider) && (wanted ?? provider) === provider
      ? {
          user_must_grant: [...user_must_grant],
          user_may_grant: [...user_may_grant],
          team_id: world.identity.teamId,
          provider,
        }
      : [],
  )

/** Omitted providers stay unchanged. */
function setRequirements({ db }: World, input: Parsed<typeof RequirementsInput>): null {
  for (const [provider, scopes] of Object.entries(input)) {
    if (scopes) db.put(scopeRequirements, { provider, ...scopes })
    else if (scopes === null) db.delete(scopeRequirements, provider)
  }
  return null
}
