import type { Parsed } from '../../api/schema.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { World } from '../../world/world.ts'
import { knownBy } from '../catalogue/schema.ts'
import { pullPreferences } from '../connections/table.ts'
import { providerSlugs } from '../providers/schema.ts'
import { describeProvider, listProviders, providerName, scopesOf, sourceIdOf } from '../providers/service.ts'
import { isOAuthSlug, type LinkProvider, type LinkSource } from './schema.ts'
import { type LinkTokenRow, providerCredentials, scopeRequirements } from './table.ts'
import { allows, assertProvider } from './tokens.ts'

/** The providers a token allows. */
export const listLinkProviders = (world: World, row?: LinkTokenRow): Parsed<typeof LinkProvider>[] =>
  listProviders(world)
    .filter(({ slug, auth_type }) => isLinkable(slug, auth_type) && (!row || allows(row, slug)))
    .map(({ slug }) => {
      const { id, name, description, logo, auth_type } = sourceOf(world, slug)
      return {
        id,
        name,
        slug,
        description,
        logo,
        oauth_url: null,
        auth_type,
        form_components: formOf(auth_type),
      }
    })

/** The route of OAuth refuses some providers that are listed with it. One that only a recording has is listed, as there. */
const isLinkable = (slug: string, authType: string | null) =>
  authType === 'oauth'
    ? isOAuthSlug(slug) || !providerSlugs.some((known) => known === slug)
    : ['password', 'email'].includes(authType ?? '')

function formOf(authType: string | null): JsonObject {
  if (authType === 'password') {
    return {
      username: { type: 'text', label: 'Username' },
      password: { type: 'password', label: 'Password' },
    }
  }
  return authType === 'email' ? { email: { type: 'email', label: 'E-mail' } } : {}
}

/** A provider with the URL of its consent page, which Petri serves. */
export function oauthSource(world: World, row: LinkTokenRow, slug: string): Parsed<typeof LinkSource> {
  assertProvider(row, slug)
  return { ...sourceOf(world, slug), oauth_url: `${world.baseUrl}${consentPath(world, row, slug)}` }
}

/** The path of the consent page in Petri, with client id and scopes. */
export function consentPath(world: World, { token }: LinkTokenRow, slug: string): string {
  const { clientId, redirectUrl } = appOf(world, slug)
  const { must, may } = scopesAsked(world, slug)
  const query = new URLSearchParams({ state: token, client_id: clientId })
  if (redirectUrl !== null) query.set('redirect_uri', redirectUrl)
  const scopes = [...must, ...may]
  if (scopes.length > 0) query.set('scope', scopes.join(' '))
  return `/link/consent/${slug}?${query}`
}

/** A provider as the link routes show it. */
export function sourceOf(world: World, slug: string): Parsed<typeof LinkSource> {
  const { description, auth_type, source_type } = describeProvider(world, slug)
  return {
    id: sourceIdOf(world, slug),
    ...providerName(world, slug),
    description,
    group: null,
    oauth_url: null,
    auth_type,
    source_type: source_type ?? null,
    is_active: true,
    backfill_num_days: world.db.find(pullPreferences, slug)?.days ?? publishedDays(world, slug),
  }
}

/** The days of history of a provider, if they are published. */
function publishedDays(world: World, slug: string): number | null {
  const days = world.services.catalogue.providerTraits().get(slug)?.history_days
  return days && knownBy(days) === 'published' ? days.is : null
}

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
