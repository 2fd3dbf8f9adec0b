import { createHmac, timingSafeEqual } from 'node:crypto'
import { SECOND_MS } from '../kernel/instant.ts'
import { parseJson } from '../kernel/json.ts'
import { BASE62, type Random } from '../kernel/random.ts'
import type { Identity } from '../world/settings.ts'

/** Headers that may carry a management key, in lower case. Source: contract/errors-and-auth.md §2; README.md 2. */
export const managementKeyHeaders = ['x-management-key', 'x-petri-management-key', 'x-vital-org-key'] as const

/** Source: contract/errors-and-auth.md §2.2. */
export const managerRoles = ['org_admin', 'team_admin'] as const

/** The holder of a management key. */
export interface Manager {
  readonly role: (typeof managerRoles)[number]
  /** The teams it may manage; null for all of them. */
  readonly teamIds: readonly string[] | null
  /** Whether it is the key from the documentation, which is accepted from this machine only. */
  readonly isWellKnown: boolean
}

export const managesTeam = ({ teamIds }: Manager, teamId: string): boolean =>
  teamIds?.includes(teamId) ?? true

/** Headers that may carry a link token, in lower case. Source: contract/errors-and-auth.md §2.1. */
export const linkTokenHeaders = ['x-vital-link-token', 'x-petri-link-token', 'x-service-link-token'] as const

/** Query parameters by which a browser carries a link token from page to page. */
export const linkTokenParameters = ['token', 'state'] as const

/** A link token contains its team, because it is sent without an API key. */
export const newLinkToken = (teamId: string, random: Random, ordinal: number): string =>
  `lt_${teamId.replaceAll('-', '')}${random.letters(`link_token/${ordinal}`, BASE62, 32)}`

/** The team of a link token; undefined for any other text. */
export function teamOfLinkToken(token: string): string | undefined {
  const [, hex] = /^lt_([0-9a-f]{32})[A-Za-z0-9]{32}$/.exec(token) ?? []
  return hex?.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The body of a rejected link call. Source: contract/errors-and-auth.md §5.4. */
export const linkError = (
  error_type:
    | 'MISSING_LINK_TOKEN'
    | 'INVALID_REQUEST'
    | 'INVALID_PROVIDER'
    | 'INVALID_USER_ID'
    | 'INVALID_CREDENTIALS',
  error_message: string,
) => ({ error_type, error_message })

/** How long an access token is valid, by the clock of its world. Source: contract/errors-and-auth.md §2. */
export const ACCESS_TOKEN_SECONDS = 600

interface Claims {
  readonly team_id: string
  readonly env: string
  /** Seconds since 1970. */
  readonly iat: number
  readonly exp: number
}

/** A JSON Web Token that replaces the team's API key; not stored, because it is signed with that key. */
export function newAccessToken(identity: Identity, env: string, now: number): string {
  const iat = Math.floor(now / SECOND_MS)
  const claims: Claims = { team_id: identity.teamId, env, iat, exp: iat + ACCESS_TOKEN_SECONDS }
  const head = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${head}.${signatureOf(identity, head)}`
}

/** The team of an access token; undefined for any other text. */
export const teamOfAccessToken = (token: string): string | undefined => read(token)?.claims.team_id

/** Whether a token is valid for this team at this instant. */
export function isAccessToken(token: string, identity: Identity, now: number): boolean {
  const found = read(token)
  if (!found) return false
  const { head, signature, claims } = found
  const given = Buffer.from(signature)
  const wanted = Buffer.from(signatureOf(identity, head))
  return given.length === wanted.length && timingSafeEqual(given, wanted) && now < claims.exp * SECOND_MS
}

const FORM = /^([\w-]{1,100}\.([\w-]{1,1000}))\.([\w-]{43})$/

function read(token: string) {
  const [, head, body, signature] = FORM.exec(token) ?? []
  if (head === undefined || body === undefined || signature === undefined) return undefined
  const claims = parseJson(Buffer.from(body, 'base64url').toString()) as Claims | null | undefined
  return typeof claims?.team_id === 'string' ? { head, signature, claims } : undefined
}

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

const signatureOf = ({ apiKey, teamId }: Identity, head: string) =>
  createHmac('sha256', `petri/access-token/${teamId}/${apiKey}`).update(head).digest('base64url')
