import { linkError } from '../../api/credentials.ts'
import type { Parsed } from '../../api/schema.ts'
import { byName } from '../../kernel/fields.ts'
import { toWire } from '../../kernel/instant.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { badRequest, Problem } from '../../kernel/problem.ts'
import { DIGITS } from '../../kernel/random.ts'
import type { World } from '../../world/world.ts'
import { traitsOf } from '../providers/service.ts'
import { users } from '../users/table.ts'
import { join } from './connect.ts'
import {
  type EmailSlug,
  emailSlugs,
  isLinkErrorType,
  isOAuthSlug,
  type LinkErrorType,
  type LinkResult,
  type LinkSource,
  type LinkStart,
  linkErrorTexts,
  type OldPasswordSignIn,
  type PasswordSlug,
  passwordSlugs,
} from './schema.ts'
import { oauthSource, readGrant, sourceOf } from './sources.ts'
import { type LinkTokenRow, linkCodes, linkTokens } from './table.ts'
import { assertProvider, openToken, redirectOf, troubleOf } from './tokens.ts'

/** Signs in with a password or, without one, with an e-mail address, which never asks for a code. Source: docs/contract/connections.md#signing-in. */
export function linkByAccount(
  world: World,
  row: LinkTokenRow,
  provider: PasswordSlug | EmailSlug,
  account: string,
  password?: string,
): Parsed<typeof LinkResult> {
  assertProvider(row, provider)
  const outcome = signIn(account, password)
  if (outcome.state === 'error') return failed(row, provider, outcome.error)
  if (outcome.state === 'success' || password === undefined) return finish(world, row, provider, account)
  const { method, hint } = outcome
  world.db.put(linkTokens, { ...row, pending: { provider, account, method, hint } })
  return { ...blank(provider), state: 'pending_provider_mfa', provider_mfa: { method, hint } }
}

/** Signs in with an e-mail address, in one of the regions of the provider. */
export function linkByEmail(
  world: World,
  row: LinkTokenRow,
  provider: EmailSlug,
  { email, region }: { readonly email: string; readonly region?: string | null | undefined },
): Parsed<typeof LinkResult> {
  assertProvider(row, provider)
  const { regions } = traitsOf(world, { provider })
  const isServed = regions.length === 0 || regions.includes(region ?? 'us')
  return isServed ? linkByAccount(world, row, provider, email) : failed(row, provider, 'unsupported_region')
}

/** Completes a sign-in that waits for a code; a wrong code can be corrected. */
export function completeMfa(
  world: World,
  row: LinkTokenRow,
  provider: PasswordSlug,
  code: string,
): Parsed<typeof LinkResult> {
  assertProvider(row, provider)
  if (row.pending?.provider !== provider) {
    throw badRequest(linkError('INVALID_REQUEST', `No sign-in to ${provider} waits for a code.`))
  }
  return code === MAGIC_CODE
    ? finish(world, row, provider, row.pending.account)
    : failed(row, provider, 'incorrect_mfa_code')
}

/** The query with which a consent page redirects the browser. */
interface Consent {
  /** The account at the provider. */
  readonly code?: string | null | undefined
  /** `access_denied`, or an error type. */
  readonly error?: string | null | undefined
  /** The granted scopes, separated by spaces or repeated; all requested ones by default. */
  readonly scope?: readonly string[] | null | undefined
}

/** Completes a sign-in at a consent page; returns the error type if it failed. */
export function linkByConsent(
  world: World,
  row: LinkTokenRow,
  provider: string,
  { code, error, scope }: Consent,
): LinkErrorType | undefined {
  const trouble = troubleOf(world, row)
  if (trouble) return trouble
  assertProvider(row, provider)
  if (error === 'access_denied') return 'user_cancelled'
  if (error) return isLinkErrorType(error) ? error : 'provider_api_error'
  if (!code) return 'provider_api_error'
  const { isEnough, denied } = readGrant(world, provider, scope?.join(' ').split(/\s+/))
  return isEnough ? join(world, row, provider, code, denied) : 'required_scopes_not_granted'
}

/** The default account of a user at a provider. */
export const madeUpAccount = (world: World, userId: string, provider: string): string =>
  world.ids.letters(`account/${provider}/${userId}`, DIGITS, 10)

function finish(
  world: World,
  row: LinkTokenRow,
  provider: PasswordSlug | EmailSlug,
  account: string,
): Parsed<typeof LinkResult> {
  const error = join(world, row, provider, account)
  if (error) return failed(row, provider, error)
  return {
    ...blank(provider),
    state: 'success',
    redirect_url: redirectOf(row) ?? null,
    connected: true,
    provider_id: account,
  }
}

const failed = (
  row: LinkTokenRow,
  provider: PasswordSlug | EmailSlug,
  error: LinkErrorType,
): Parsed<typeof LinkResult> => ({
  ...blank(provider),
  state: 'error',
  error_type: error,
  error: linkErrorTexts[error],
  redirect_url: row.on_error === 'redirect' ? (redirectOf(row, error) ?? null) : null,
})

const blank = (provider: PasswordSlug | EmailSlug) => ({
  redirect_url: null,
  error_type: null,
  error: null,
  provider_mfa: null,
  provider,
  connected: false,
  provider_id: null,
})

/** The result of a sign-in at a provider. */
export type SignIn =
  | { readonly state: 'success' }
  | { readonly state: 'error'; readonly error: LinkErrorType }
  | { readonly state: 'mfa'; readonly method: 'sms' | 'email'; readonly hint: string }

/** Magic passwords. All others are accepted. */
export const magicPasswords = byName<LinkErrorType>({
  wrong: 'provider_credential_error',
  expired: 'provider_password_expired',
})

/** Magic accounts, by the part before the `@`. Every error type is one, too: `provider_api_error@example.com`. All others can sign in. */
export const magicAccounts = byName<SignIn>({
  mfa: { state: 'mfa', method: 'sms', hint: '***-***-0123' },
  'mfa-email': { state: 'mfa', method: 'email', hint: 'a***@example.com' },
  wrong: { state: 'error', error: 'provider_credential_error' },
})

/** The code that completes a two-step sign-in. All others are wrong. */
export const MAGIC_CODE = '123456'

function signIn(account: string, password?: string): SignIn {
  const name = account.toLowerCase().replace(/@.*$/, '')
  const byPassword = password === undefined ? undefined : ownValue(magicPasswords, password)
  if (byPassword) return { state: 'error', error: byPassword }
  if (isLinkErrorType(name)) return { state: 'error', error: name }
  return ownValue(magicAccounts, name) ?? { state: 'success' }
}

const ownValue = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

// The link flow of older clients: check the token, announce the provider, sign in. Source: docs/contract/connections.md#signing-in.

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
export function stateOfToken(world: World, row: LinkTokenRow): JsonObject {
  return {
    state: troubleOf(world, row) ?? progressOf(row),
    user_id: row.user_id,
    team_id: world.identity.teamId,
    provider: row.started ?? row.provider,
    redirect_url: row.redirect_url,
    expires_at: toWire(row.expires_at),
  }
}

function progressOf({ pending, started }: LinkTokenRow) {
  if (pending) return 'pending_provider_mfa'
  return started ? 'started' : 'created'
}

/** Signs in with a password or, without one, with an e-mail address, once the provider was announced. */
export function olderSignIn(
  world: World,
  row: LinkTokenRow,
  { provider, auth_type }: Pick<Parsed<typeof OldPasswordSignIn>, 'provider' | 'auth_type'>,
  account: string,
  password?: string,
): Parsed<typeof LinkSource> {
  assertAnnounced(row, provider)
  const isPassword = password !== undefined
  if (isPassword && auth_type === 'oauth' && isOAuthSlug(provider)) return oauthSource(world, row, provider)
  const slugs: readonly (PasswordSlug | EmailSlug)[] = isPassword ? passwordSlugs : emailSlugs
  const slug = slugs.find((one) => one === provider)
  if (!slug) {
    const message = `${provider} does not sign in by ${auth_type}.`
    throw badRequest(linkError('INVALID_PROVIDER', message))
  }
  assertSuccess(linkByAccount(world, row, slug, account, password))
  return sourceOf(world, provider)
}

function assertAnnounced({ started }: LinkTokenRow, provider: string): void {
  if (started === provider) return
  throw badRequest({
    error_type: 'token_not_validated',
    error_message: linkErrorTexts.token_not_validated,
  })
}

/** These routes cannot return an error type or ask for a code. */
function assertSuccess({ state, error }: Parsed<typeof LinkResult>): void {
  if (state === 'success') return
  const message = error ?? 'The provider asks for a code, which this route cannot take.'
  throw badRequest(linkError('INVALID_CREDENTIALS', message))
}

/** The settings the widget starts with. */
export const widgetConfig = (world: World): JsonObject => ({
  team_id: world.identity.teamId,
  team_name: world.identity.name,
  logo_url: null,
  environment: 'sandbox',
  region: 'us',
})

export const hasLinkCode = (world: World, code: string): boolean => world.db.has(linkCodes, code)

/** The user of a code, which can be used once. */
export function takeLinkCode(world: World, code: string): string {
  const row = world.db.find(linkCodes, code)
  if (!row || row.expires_at <= world.clock.now() || !world.db.has(users, row.user_id))
    throw new Problem('not_found', 'Code not found')
  world.db.delete(linkCodes, code)
  return row.user_id
}
