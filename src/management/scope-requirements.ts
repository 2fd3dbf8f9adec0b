import * as z from 'zod'
import { maybe, oneOf } from '../api/fields.ts'
import { schema, texts, unnamed } from '../api/schema.ts'
import { keysOf } from '../kernel/fields.ts'
import { isOAuthSlug, oauthSlugs } from '../resources/link/schema.ts'
import { scopeRequirements } from '../resources/link/table.ts'
import { type ScopedProvider, scopeTable } from '../resources/providers/scopes.ts'
import { Nothing } from './fields.ts'
import { managed } from './operation.ts'

const RequirementQuery = unnamed(() => ({ provider: maybe(oneOf(oauthSlugs)) }))

const RequirementList = schema('ScopeRequirementList', () => ({
  requirements: z.array(
    z.object({
      user_must_grant: texts(),
      user_may_grant: texts(),
      team_id: z.uuid(),
      provider: z.enum(oauthSlugs),
    }),
  ),
}))

function requirement(provider: ScopedProvider) {
  const scopes = keysOf(scopeTable.get(provider))
  const list = () => z.array(oneOf(scopes)).transform((chosen) => [...new Set(chosen)])
  return maybe(z.object({ user_must_grant: list(), user_may_grant: list() }))
}

/** By provider; null restores the provider's default. */
const RequirementsInput = schema('ScopeRequirementsInput', () => ({
  fitbit: requirement('fitbit'),
  google_fit: requirement('google_fit'),
  google_health: requirement('google_health'),
  oura: requirement('oura'),
  strava: requirement('strava'),
  withings: requirement('withings'),
  wahoo: requirement('wahoo'),
  whoop_v2: requirement('whoop_v2'),
  my_fitness_pal_v2: requirement('my_fitness_pal_v2'),
}))

export const scopeRequirementOperations = [
  managed({
    id: 'get_team_scope_requirements',
    route: 'GET /v1/org/{org_id}/team/{team_id}/scope_requirements',
    summary: 'List the permissions users of a team must, and may, grant at a provider',
    query: RequirementQuery,
    returns: RequirementList,
    run: ({ db, identity }, { query }) => ({
      requirements: [...db.all(scopeRequirements)].flatMap(({ provider, user_must_grant, user_may_grant }) =>
        isOAuthSlug(provider) && (query.provider ?? provider) === provider
          ? {
              user_must_grant: [...user_must_grant],
              user_may_grant: [...user_may_grant],
              team_id: identity.teamId,
              provider,
            }
          : [],
      ),
    }),
  }),
  managed({
    id: 'upsert_team_scope_requirements',
    route: 'POST /v1/org/{org_id}/team/{team_id}/scope_requirements',
    summary: 'Set the permissions users of a team must, and may, grant; null asks for all again',
    body: RequirementsInput,
    returns: Nothing,
    /** Omitted providers stay unchanged. */
    run({ db }, { body }) {
      for (const [provider, scopes] of Object.entries(body)) {
        if (scopes) db.put(scopeRequirements, { provider, ...scopes })
        else if (scopes === null) db.delete(scopeRequirements, provider)
      }
      return null
    },
  }),
]
