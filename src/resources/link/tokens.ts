import { linkError, linkTokenHeaders, newLinkToken, partsOfKey } from '../../api/credentials.ts'
import type { Parsed } from '../../api/schema.ts'
import { DAY_MS, HOUR_MS, toWire } from '../../kernel/instant.ts'
import { badRequest, Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { getUser } from '../users/service.ts'
import { users } from '../users/table.ts'
import {
  type CodeQuery,
  type LinkCode,
  type LinkErrorType,
  type LinkToken,
  type LinkTokenHeaders,
  linkErrorTexts,
  type NewLinkToken,
} from './schema.ts'
import { type LinkTokenRow, linkCodes, linkTokens } from './table.ts'

/** Source: docs/contract/errors.md#keys. */
const LIFETIME_MS = HOUR_MS
/** How long an expired token is kept, to distinguish it from an unknown one. */
const REMEMBERED_MS = DAY_MS

export function createLinkToken(
  world: World,
  input: Parsed<typeof NewLinkToken>,
  scenario?: string,
): Parsed<typeof LinkToken> {
  getUser(world, input.user_id)
  if (scenario !== undefined) world.services.feedScenarios.choose(world, input.user_id, scenario)
  forgetOld(world)
  const { token } = world.db.put(linkTokens, {
    ...input,
    token: newLinkToken(world.identity.teamId, world.ids, world.next('link_token')),
    expires_at: world.clock.now() + LIFETIME_MS,
    consumed: false,
    started: null,
    pending: null,
    scenario,
  })
  return { link_token: token, link_web_url: `${world.baseUrl}/link?token=${token}&env=sandbox&region=us` }
}

function forgetOld(world: World): void {
  const before = world.clock.now() - REMEMBERED_MS
  for (const token of world.db.ids(linkTokens)) {
    if (world.db.get(linkTokens, token).expires_at > before) return
    world.db.delete(linkTokens, token)
  }
}

/** A code to be typed into the service's own app. Source: docs/contract/connections.md#signing-in. */
export function createLinkCode(
  world: World,
  { user_id, expires_at }: Parsed<typeof CodeQuery>,
): Parsed<typeof LinkCode> {
  getUser(world, user_id)
  // The exchange names no team, so worlds of the same seed must not issue the same codes.
  const key = `link_code/${world.identity.teamId}/${world.next('link_code')}`
  const digits = world.ids.letters(key, '0123456789abcdef', 8)
  const { kind, region } = partsOfKey(world.identity)
  const code = `${kind}${region}${digits}`
  const expiresAt = expires_at ?? world.clock.now() + LIFETIME_MS
  world.db.put(linkCodes, { code, user_id, expires_at: expiresAt })
  return { code, exchange_url: `tryvital://tryvital?code=${code}`, expires_at: toWire(expiresAt) }
}

export const tokenIn = (headers: Parsed<typeof LinkTokenHeaders>): string | undefined =>
  linkTokenHeaders.map((name) => headers[name]).find(Boolean) ?? undefined

/** The token, if it can be used. Throws the error of the link routes otherwise. Source: docs/contract/errors.md#errors. */
export function openToken(world: World, token: string | undefined): LinkTokenRow {
  const row = getToken(world, token)
  const trouble = troubleOf(world, row)
  if (trouble) throw new Problem('unauthorized', linkError('INVALID_REQUEST', linkErrorTexts[trouble]))
  if (!world.db.has(users, row.user_id)) {
    throw badRequest(linkError('INVALID_USER_ID', 'The user of this link token is gone.'))
  }
  return row
}

/** The token with the requested feed scenario, if there is one. */
export function withScenario(world: World, row: LinkTokenRow, scenario: string | undefined): LinkTokenRow {
  if (scenario === undefined) return row
  world.services.feedScenarios.choose(world, row.user_id, scenario)
  return { ...row, scenario }
}

/** The token in the headers of a call, if it can be used, with the requested feed scenario. */
export const openTokenFor = (
  world: World,
  headers: Parsed<typeof LinkTokenHeaders>,
  scenario?: string,
): LinkTokenRow => withScenario(world, openToken(world, tokenIn(headers)), scenario)

/** The token in any state. */
export function getToken(world: World, token: string | undefined): LinkTokenRow {
  if (!token) throw badRequest(linkError('MISSING_LINK_TOKEN', 'A link token is required.'))
  const row = world.db.find(linkTokens, token)
  if (!row) {
    throw new Problem('unauthorized', linkError('INVALID_REQUEST', linkErrorTexts.invalid_token))
  }
  return row
}

/** Why a token can no longer be used. */
export function troubleOf(
  world: World,
  { consumed, expires_at }: LinkTokenRow,
): Extract<LinkErrorType, 'token_consumed' | 'token_expired'> | undefined {
  if (consumed) return 'token_consumed'
  return expires_at <= world.clock.now() ? 'token_expired' : undefined
}

/** Whether a token may be used for a provider. */
export const allows = ({ provider, filter_on_providers }: LinkTokenRow, slug: string): boolean =>
  (provider === null || provider === slug) &&
  (filter_on_providers === null || filter_on_providers.some((allowed) => allowed === slug))

export function assertProvider(row: LinkTokenRow, slug: string): void {
  if (allows(row, slug)) return
  throw badRequest(linkError('INVALID_PROVIDER', `This link token is not for ${slug}.`))
}

/** The redirect URL at the end of the flow; undefined if the token has none. */
export function redirectOf(row: LinkTokenRow, error?: LinkErrorType): string | undefined {
  if (row.redirect_url === null) return undefined
  const result = error
    ? { state: 'error', error_type: error, error: linkErrorTexts[error] }
    : { state: 'success' }
  const [, address = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(row.redirect_url) ?? []
  // The app's own query stays as it is, byte by byte.
  const joint = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&'
  return `${address}${joint}${new URLSearchParams(result)}${fragment}`
}
