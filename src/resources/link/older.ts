import { linkError } from '../../api/credentials.ts'
import type { Parsed } from '../../api/schema.ts'
import { toWire } from '../../kernel/instant.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { linkErrorTexts } from './error-types.ts'
import type { LinkResult, LinkSource, LinkStart, OldEmailSignIn, OldPasswordSignIn } from './schema.ts'
import { linkByEmail, linkByPassword } from './service.ts'
import { isEmailSlug, isOAuthSlug, isPasswordSlug } from './slugs.ts'
import { oauthSource, sourceOf } from './sources.ts'
import { type LinkTokenRow, linkTokens } from './table.ts'
import { assertProvider, openToken, troubleOf } from './tokens.ts'

// The link flow of older clients: check the token, announce the provider, sign in. Source: contract/wearables.md §3.3.

/** Whether a token can be used, and if not, why. */
export function checkToken(world: World, token: string): { valid: boolean; error_type: string | null } {
  const row = world.db.find(linkTokens, token)
  const error_type = row ? (troubleOf(world, row) ?? null) : 'invalid_token'
  return { valid: error_type === null, error_type }
}

/** Announces which provider the token will be used for. */
export function startLink(
  world: World,
  { link_token, provider }: Parsed<typeof LinkStart>,
): Parsed<typeof LinkSource> {
  const row = openToken(world, link_token)
  assertProvider(row, provider)
  world.db.put(linkTokens, { ...row, started: provider })
  return isOAuthSlug(provider) ? oauthSource(world, row, provider) : sourceOf(world, provider)
}

/** How far a token has come. */
export function stateOfToken(world: World, row: LinkTokenRow): Record<string, unknown> {
  const trouble = troubleOf(world, row)
  return {
    state: trouble ?? (row.pending ? 'pending_provider_mfa' : row.started ? 'started' : 'created'),
    user_id: row.user_id,
    team_id: world.identity.teamId,
    provider: row.started ?? row.provider,
    redirect_url: row.redirect_url,
    expires_at: toWire(row.expires_at),
  }
}

export function passwordAuth(
  world: World,
  row: LinkTokenRow,
  { username, password, provider, auth_type }: Parsed<typeof OldPasswordSignIn>,
): Parsed<typeof LinkSource> {
  assertAnnounced(row, provider)
  if (auth_type === 'oauth' && isOAuthSlug(provider)) return oauthSource(world, row, provider)
  if (!isPasswordSlug(provider)) throw wrongAuthType(provider, auth_type)
  assertSuccess(linkByPassword(world, row, provider, { username, password, region: null }))
  return sourceOf(world, provider)
}

export function emailAuth(
  world: World,
  row: LinkTokenRow,
  { email, provider, auth_type, region }: Parsed<typeof OldEmailSignIn>,
): Parsed<typeof LinkSource> {
  assertAnnounced(row, provider)
  if (!isEmailSlug(provider)) throw wrongAuthType(provider, auth_type)
  assertSuccess(linkByEmail(world, row, provider, { email, region }))
  return sourceOf(world, provider)
}

function assertAnnounced({ started }: LinkTokenRow, provider: string): void {
  if (started === provider) return
  throw new Problem('bad_request', {
    error_type: 'token_not_validated',
    error_message: linkErrorTexts.token_not_validated,
  })
}

const wrongAuthType = (provider: string, authType: string) =>
  new Problem('bad_request', linkError('INVALID_PROVIDER', `${provider} does not sign in by ${authType}.`))

/** These routes cannot answer an error type or ask for a code. */
function assertSuccess({ state, error }: Parsed<typeof LinkResult>): void {
  if (state === 'success') return
  const message = error ?? 'The provider asks for a code, which this route cannot take.'
  throw new Problem('bad_request', linkError('INVALID_CREDENTIALS', message))
}

/** The settings the widget starts with. */
export const widgetConfig = (world: World): Record<string, unknown> => ({
  team_id: world.identity.teamId,
  team_name: world.identity.name,
  logo_url: null,
  environment: 'sandbox',
  region: 'us',
})
