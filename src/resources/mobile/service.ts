import {
  invalidGrant,
  newRefreshToken,
  newSignInToken,
  newUserToken,
  partsOfKey,
  readSignInToken,
  USER_TOKEN_SECONDS,
} from '../../api/credentials.ts'
import { feature } from '../../api/features.ts'
import type { Parsed } from '../../api/schema.ts'
import { HOUR_MS, SECOND_MS } from '../../kernel/instant.ts'
import { Problem } from '../../kernel/problem.ts'
import { BASE62 } from '../../kernel/random.ts'
import type { World } from '../../world/world.ts'
import { takeLinkCode } from '../link/service.ts'
import { profileOf } from '../team/service.ts'
import { getUser } from '../users/service.ts'
import { users } from '../users/table.ts'
import { seriesUploads } from './samples.ts'
import type { ExchangedCode, SignInToken, TokenPair, TokenRequest } from './schema.ts'
import { summaryUploads } from './summaries.ts'
import { syncOf } from './sync.ts'
import { mobileSessions, type PhoneSync } from './table.ts'

/** The service only says that a sign-in token is short-lived. */
const SIGN_IN_MS = HOUR_MS

/** The port on which the iOS SDK looks for a local service. Source: docs/contract/phones.md#signing-in. */
const LOCAL_PORT = '8000'

/** Creates a sign-in token in the form that mobile SDKs parse. Source: docs/contract/phones.md#signing-in. */
export function createSignInToken(world: World, userId: string): Parsed<typeof SignInToken> {
  getUser(world, userId)
  const { identity, ids, clock } = world
  const environment = environmentOf(world)
  const issuer = `id-signer-${environment}@vital-id-${environment}.iam.gserviceaccount.com`
  const iat = Math.floor(clock.now() / SECOND_MS)
  const jti = ids.uuid(`sign_in_token/${world.next('sign_in_token')}`)
  const user_token = newSignInToken(identity, {
    iss: issuer,
    sub: issuer,
    aud: 'petri',
    jti,
    iat,
    exp: iat + SIGN_IN_MS / SECOND_MS,
    uid: userId,
    tenant_id: `t-${ids.letters('mobile_tenant', BASE62, 20)}`,
    claims: { vital_team_id: identity.teamId },
  })
  const envelope = { public_key: ids.letters('public_key', BASE62, 32), user_token }
  return { user_id: userId, sign_in_token: Buffer.from(JSON.stringify(envelope)).toString('base64') }
}

/** The environment and region in the issuer, as Google's service accounts of the service are named. */
function environmentOf(world: World): string {
  const chosen = feature(world, 'mobile_environment')
  if (chosen !== 'by_port_and_key') return chosen
  if (new URL(world.baseUrl).port === LOCAL_PORT) return 'local-eu'
  const { kind, region } = partsOfKey(world.identity)
  return `${kind === 'pk' ? 'prd' : 'stg'}-${region}`
}

/** Exchanges a sign-in token, or renews an access token. Source: docs/contract/phones.md#signing-in. */
export const exchangeToken = (
  world: World,
  { grant_type, subject_token, refresh_token }: Parsed<typeof TokenRequest>,
): Parsed<typeof TokenPair> =>
  grant_type === 'refresh_token' ? refresh(world, refresh_token ?? '') : exchange(world, subject_token ?? '')

function exchange(world: World, token: string): Parsed<typeof TokenPair> {
  const claims = readSignInToken(token, world.identity, world.clock.now())
  if (!claims || !world.db.has(users, claims.uid)) throw invalidGrant()
  const { refresh_token } = world.db.put(mobileSessions, {
    refresh_token: newRefreshToken(world.identity.teamId, world.ids, world.next('refresh_token')),
    user_id: claims.uid,
    revoked: false,
    created_at: world.clock.now(),
  })
  return pairOf(world, claims.uid, refresh_token)
}

/** The refresh token stays the same, so that a response that is lost signs nobody out. */
function refresh(world: World, token: string): Parsed<typeof TokenPair> {
  const session = world.db.find(mobileSessions, token)
  if (!session || !world.db.has(users, session.user_id)) throw invalidGrant()
  if (session.revoked) throw new Problem('unauthorized', { error_type: 'reauthentication_required' })
  return pairOf(world, session.user_id, token)
}

const pairOf = (world: World, userId: string, refresh_token: string): Parsed<typeof TokenPair> => ({
  access_token: newUserToken(world.identity, userId, world.clock.wall()),
  refresh_token,
  token_type: 'Bearer',
  expires_in: USER_TOKEN_SECONDS,
})

/** Exchanges a code that was typed into the service's own app for a sign-in token. Source: docs/contract/phones.md#signing-in. */
export function exchangeCode(world: World, code: string): Parsed<typeof ExchangedCode> {
  const token = createSignInToken(world, takeLinkCode(world, code))
  return { ...token, team: { name: world.identity.name, logo_url: profileOf(world).logo_url } }
}

/** Makes the apps of a user sign in again; returns how many were signed in. */
export function revokeSessions(world: World, userId: string): number {
  getUser(world, userId)
  const open = world.db.by(mobileSessions, 'user', userId).filter(({ revoked }) => !revoked)
  for (const session of open) world.db.put(mobileSessions, { ...session, revoked: true })
  return open.length
}

/** The SDKs' names of resources, with the names of their events. */
const uploadedResources = new Map([
  ...[...summaryUploads, ...seriesUploads].map(({ path, resources }) => [path, resources] as const),
])

/** The upload of a resource's history, if an SDK has announced it. */
export function findStage(
  world: World,
  userId: string,
  provider: string,
  resource: string,
): PhoneSync['stages'][string] | undefined {
  const { stages } = syncOf(world, userId, provider)
  return Object.entries(stages).find(([name]) => uploadedResources.get(name)?.includes(resource))?.[1]
}
