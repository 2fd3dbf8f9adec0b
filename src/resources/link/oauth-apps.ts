import type { World } from '../../world/world.ts'
import { scopesOf } from '../providers/service.ts'
import { providerCredentials, scopeRequirements } from './table.ts'

/** The app a provider knows a team by: its own, or the one teams without their own share. */
export function appOf(world: World, provider: string) {
  const own = world.db.find(providerCredentials, provider)
  return {
    clientId: own?.client_id ?? `petri-${provider}`,
    /** Where the provider sends the browser back to, where it is not Petri. */
    redirectUrl: own?.redirect_url_override ?? null,
  }
}

/** What a team asks the users of a provider to permit; the first of these they must. */
export function scopesAsked(world: World, provider: string) {
  const own = world.db.find(scopeRequirements, provider)
  if (!own) return { must: [], may: scopesOf(provider) }
  const { user_must_grant: must, user_may_grant } = own
  return { must, may: user_may_grant.filter((scope) => !must.includes(scope)) }
}

/** What came of asking: whether all that must be was permitted, and what of all a provider knows was not. */
export function readGrant(world: World, provider: string, granted: readonly string[] | undefined) {
  const { must, may } = scopesAsked(world, provider)
  const given = granted ?? [...must, ...may]
  return {
    isEnough: must.every((scope) => given.includes(scope)),
    denied: scopesOf(provider).filter((scope) => !given.includes(scope)),
  }
}
