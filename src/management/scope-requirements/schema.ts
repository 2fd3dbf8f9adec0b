import * as z from 'zod'
import { maybe, oneOf } from '../../api/fields.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { oauthSlugs } from '../../resources/link/slugs.ts'
import { type ScopedProvider, scopeTable } from '../../resources/providers/scopes.ts'

export const RequirementQuery = unnamed(() => z.object({ provider: maybe(oneOf(oauthSlugs)) }))

export const RequirementList = schema('ScopeRequirementList', () =>
  z.object({
    requirements: z.array(
      z.object({
        user_must_grant: z.array(z.string()),
        user_may_grant: z.array(z.string()),
        team_id: z.uuid(),
        provider: z.enum(oauthSlugs),
      }),
    ),
  }),
)

function requirement(provider: ScopedProvider) {
  const scopes = Object.keys(scopeTable[provider]) as [string, ...string[]]
  const list = () => z.array(oneOf(scopes)).transform((chosen) => [...new Set(chosen)])
  return z.object({ user_must_grant: list(), user_may_grant: list() })
}

/** By provider; null restores the provider's default. */
export const RequirementsInput = schema('ScopeRequirementsInput', () =>
  z.object({
    fitbit: maybe(requirement('fitbit')),
    google_fit: maybe(requirement('google_fit')),
    google_health: maybe(requirement('google_health')),
    oura: maybe(requirement('oura')),
    strava: maybe(requirement('strava')),
    withings: maybe(requirement('withings')),
    wahoo: maybe(requirement('wahoo')),
    whoop_v2: maybe(requirement('whoop_v2')),
    my_fitness_pal_v2: maybe(requirement('my_fitness_pal_v2')),
  }),
)
