import { createHmac, timingSafeEqual } from 'node:crypto'
import { SECOND_MS } from '../kernel/instant.ts'
import { parseJson } from '../kernel/json.ts'
import type { Identity } from '../world/identity.ts'

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
  const [given, wanted] = [Buffer.from(signature), Buffer.from(signatureOf(identity, head))]
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
