import { linkError } from '../../api/credentials.ts'
import type { Parsed } from '../../api/schema.ts'
import { Problem } from '../../kernel/problem.ts'
import { DIGITS } from '../../kernel/random.ts'
import type { World } from '../../world/world.ts'
import { join } from './connect.ts'
import { isLinkErrorType, type LinkErrorType, linkErrorTexts } from './error-types.ts'
import { readGrant } from './oauth-apps.ts'
import type { EmailSignIn, LinkResult, PasswordSignIn } from './schema.ts'
import { MAGIC_CODE, signIn } from './sign-in.ts'
import type { EmailSlug, OAuthSlug, PasswordSlug } from './slugs.ts'
import { type LinkTokenRow, linkTokens } from './table.ts'
import { assertProvider, redirectOf, troubleOf } from './tokens.ts'

/** Signs in with a password or an e-mail address. Source: contract/wearables.md §3.2. */
export function linkByPassword(
  world: World,
  row: LinkTokenRow,
  provider: PasswordSlug,
  { username, password }: Parsed<typeof PasswordSignIn>,
): Parsed<typeof LinkResult> {
  assertProvider(row, provider)
  const outcome = signIn(username, password)
  if (outcome.state === 'error') return failed(row, provider, outcome.error)
  if (outcome.state === 'success') return finish(world, row, provider, username)
  const { method, hint } = outcome
  world.db.put(linkTokens, { ...row, pending: { provider, account: username, method, hint } })
  return { ...blank(provider), state: 'pending_provider_mfa', provider_mfa: { method, hint } }
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
    throw new Problem(
      'bad_request',
      linkError('INVALID_REQUEST', `No sign-in to ${provider} waits for a code.`),
    )
  }
  return code === MAGIC_CODE
    ? finish(world, row, provider, row.pending.account)
    : failed(row, provider, 'incorrect_mfa_code')
}

export function linkByEmail(
  world: World,
  row: LinkTokenRow,
  provider: EmailSlug,
  { email }: Parsed<typeof EmailSignIn>,
): Parsed<typeof LinkResult> {
  assertProvider(row, provider)
  const outcome = signIn(email)
  return outcome.state === 'error'
    ? failed(row, provider, outcome.error)
    : finish(world, row, provider, email)
}

/** The query with which a consent page redirects the browser. */
export interface Consent {
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
  provider: OAuthSlug,
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
  world.random.letters(`account/${provider}/${userId}`, DIGITS, 10)

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
