import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../kernel/clock.ts'
import { SECOND_MS } from '../kernel/instant.ts'
import { parseJson } from '../kernel/json.ts'
import { Problem } from '../kernel/problem.ts'
import { BASE62, type Random } from '../kernel/random.ts'
import { hyphenated } from '../kernel/uuid.ts'
import type { Identity } from '../world/settings.ts'

/** Headers that may carry a management key, in lower case. Source: docs/contract/errors.md#keys. */
export const managementKeyHeaders = ['x-management-key', 'x-petri-management-key', 'x-vital-org-key'] as const

/** Source: docs/contract/errors.md#keys. */
export const managerRoles = ['org_admin', 'team_admin'] as const

/** The holder of a management key. */
export interface Manager {
  readonly role: (typeof managerRoles)[number]
  /** The teams it may manage; null for all of them. */
  readonly teamIds: readonly string[] | null
  /** Whether it is the key from the documentation, which is accepted from this machine only. */
  readonly isWellKnown: boolean
  /** Whether every organisation id means the organisation, because every key opens it. */
  readonly takesAnyOrganisation: boolean
}

export const managesTeam = ({ teamIds }: Manager, teamId: string): boolean =>
  teamIds?.includes(teamId) ?? true

/** Headers that may carry a link token, in lower case. Source: docs/contract/errors.md#keys. */
export const linkTokenHeaders = ['x-vital-link-token', 'x-petri-link-token', 'x-service-link-token'] as const

/** Query parameters by which a browser carries a link token from page to page. */
export const linkTokenParameters = ['token', 'state'] as const

/** A link token contains its team, because it is sent without an API key. */
export const newLinkToken = (teamId: string, random: Random, ordinal: number): string =>
  `lt_${teamId.replaceAll('-', '')}${random.letters(`link_token/${ordinal}`, BASE62, 32)}`

/** The team of a link token; undefined for any other text. */
export function teamOfLinkToken(token: string): string | undefined {
  const [, hex] = /^lt_([0-9a-f]{32})[A-Za-z0-9]{32}$/.exec(token) ?? []
  return hex === undefined ? undefined : hyphenated(hex)
}

/** The kind and the region at the beginning of an API key. */
export function partsOfKey({ apiKey }: Pick<Identity, 'apiKey'>) {
  const [, kind = 'sk', region = 'us'] = /^(sk|pk)_(us|eu)_/.exec(apiKey) ?? []
  return { kind, region }
}

/** The body of a rejected link call. Source: docs/contract/errors.md#errors. */
export const linkError = (
  error_type:
    | 'MISSING_LINK_TOKEN'
    | 'INVALID_REQUEST'
    | 'INVALID_PROVIDER'
    | 'INVALID_USER_ID'
    | 'INVALID_CREDENTIALS',
  error_message: string,
) => ({ error_type, error_message })

/** How long a team's access token is valid, by the clock of its world. Source: docs/contract/errors.md#keys. */
export const ACCESS_TOKEN_SECONDS = 600

/** How long a user's access token is valid, by the wall clock, which a phone compares it with. */
export const USER_TOKEN_SECONDS = 3600

/** For how long a user's token is still accepted, because a phone renews it only once it has expired. */
const USER_TOKEN_LEEWAY_SECONDS = 60

interface AccessClaims {
  readonly team_id: string
  readonly env?: string
  /** The user it is limited to, for the token of a mobile app. */
  readonly user_id?: string
  /** Seconds since 1970. */
  readonly iat: number
  readonly exp: number
}

/** A JSON Web Token that replaces the team's API key; not stored, because it is signed with that key. */
export function newAccessToken(identity: Identity, env: string, now: number): string {
  const iat = Math.floor(now / SECOND_MS)
  return signed(identity, 'HS256', { team_id: identity.teamId, env, iat, exp: iat + ACCESS_TOKEN_SECONDS })
}

/** The token with which a mobile app reads and writes the data of its user; `wallNow` is the wall clock. */
export function newUserToken(identity: Identity, user_id: string, wallNow: number): string {
  const iat = Math.floor(wallNow / SECOND_MS)
  const exp = iat + USER_TOKEN_SECONDS + USER_TOKEN_LEEWAY_SECONDS
  return signed(identity, 'HS256', { team_id: identity.teamId, user_id, iat, exp })
}

/** The team of an access token; undefined for any other text. */
export function teamOfAccessToken(token: string): string | undefined {
  const team = read<AccessClaims>(token)?.claims.team_id
  return typeof team === 'string' ? team : undefined
}

/** Whether a token is a valid one of this team, and not limited to a user. */
export const isAccessToken = (token: string, identity: Identity, clock: Pick<Clock, 'now'>): boolean => {
  const claims = verified<AccessClaims>(token, identity)
  return claims !== undefined && claims.user_id === undefined && clock.now() < claims.exp * SECOND_MS
}

/** The user of a valid token of this team that is limited to a user. */
export function userOfToken(
  token: string,
  identity: Identity,
  clock: Pick<Clock, 'wall'>,
): string | undefined {
  const claims = verified<AccessClaims>(token, identity)
  return claims && clock.wall() < claims.exp * SECOND_MS ? claims.user_id : undefined
}

/** The claims of a mobile app's sign-in token; apps read them without checking the signature. Source: docs/contract/phones.md#signing-in. */
export interface SignInClaims {
  readonly iss: string
  readonly sub: string
  readonly aud: string
  readonly uid: string
  readonly tenant_id: string
  /** Unique to the token. */
  readonly jti: string
  readonly claims: { readonly vital_team_id: string }
  /** Seconds since 1970. */
  readonly iat: number
  readonly exp: number
}

/** A sign-in token. Apps demand `RS256` in its header, but only Petri checks the signature, which is an HMAC. */
export const newSignInToken = (identity: Identity, claims: SignInClaims): string =>
  signed(identity, 'RS256', claims)

/** The claims of a sign-in token of this team that has not expired. */
export function readSignInToken(token: string, identity: Identity, now: number): SignInClaims | undefined {
  const claims = verified<SignInClaims>(token, identity)
  return claims?.uid !== undefined && now < claims.exp * SECOND_MS ? claims : undefined
}

/** A refresh token contains its team, because it is sent without other credentials. */
export const newRefreshToken = (teamId: string, random: Random, ordinal: number): string =>
  `rt_${teamId.replaceAll('-', '')}${random.letters(`refresh_token/${ordinal}`, BASE62, 32)}`

/** The team of a sign-in token or a refresh token; undefined for any other text. */
export function teamOfGrant(token: string): string | undefined {
  const [, hex] = /^rt_([0-9a-f]{32})[A-Za-z0-9]{32}$/.exec(token) ?? []
  const team = hex === undefined ? read<SignInClaims>(token)?.claims.claims?.vital_team_id : hyphenated(hex)
  return typeof team === 'string' ? team : undefined
}

/** The response to a token that cannot be exchanged; it signs the app out. Source: docs/contract/phones.md#signing-in. */
export const invalidGrant = (): Problem => new Problem('unauthorized', { error_type: 'invalid_token' })

const FORM = /^([\w-]{1,200}\.([\w-]{1,2000}))\.([\w-]{43})$/

function read<Claims>(token: string) {
  const [, head, body, signature] = FORM.exec(token) ?? []
  if (head === undefined || body === undefined || signature === undefined) return undefined
  const claims = parseJson(Buffer.from(body, 'base64url').toString()) as Partial<Claims> | null | undefined
  return typeof claims === 'object' && claims !== null ? { head, signature, claims } : undefined
}

/** The claims of a token with the signature of this team. */
function verified<Claims>(token: string, identity: Identity): Claims | undefined {
  const found = read<Claims>(token)
  if (!found) return undefined
  const given = Buffer.from(found.signature)
  const wanted = Buffer.from(signatureOf(identity, found.head))
  return given.length === wanted.length && timingSafeEqual(given, wanted)
    ? (found.claims as Claims)
    : undefined
}

function signed(identity: Identity, alg: 'HS256' | 'RS256', claims: object): string {
  const head = `${encode({ alg, typ: 'JWT' })}.${encode(claims)}`
  return `${head}.${signatureOf(identity, head)}`
}

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

const signatureOf = ({ apiKey, teamId }: Identity, head: string) =>
  createHmac('sha256', `petri/access-token/${teamId}/${apiKey}`).update(head).digest('base64url')
