import type { World } from '../../world/world.ts'
import { scopesOf } from '../providers/service.ts'
import { providerCredentials, scopeRequirements } from './table.ts'

/** The OAuth app of a team at a provider: its own or the shared one. */
export function appOf(world: World, provider: string) {
  const own = world.db.find(providerCredentials, provider)
  return {
    clientId: own?.client_id ?? `petri-${provider}`,
    /** The team's own redirect URL, if set. */
    redirectUrl: own?.redirect_url_override ?? null,
  }
}

/** The scopes a team requests from a provider's users: required and optional. */
export function scopesAsked(world: World, provider: string) {
  const own = world.db.find(scopeRequirements, provider)
  if (!own) return { must: [], may: scopesOf(provider) }
  const { user_must_grant: must, user_may_grant } = own
  return { must, may: user_may_grant.filter((scope) => !must.includes(scope)) }
}

/** The result of the consent: whether all required scopes were granted, and which scopes were not. */
export function readGrant(world: World, provider: string, granted: readonly string[] | undefined) {
  const { must, may } = scopesAsked(world, provider)
  const given = granted ?? [...must, ...may]
  return {
    isEnough: must.every((scope) => given.includes(scope)),
    denied: scopesOf(provider).filter((scope) => !given.includes(scope)),
  }
}
