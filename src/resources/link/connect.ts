import { feature } from '../../api/features.ts'
import type { Parsed } from '../../api/schema.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { connect, hasConnections, pauseConnection, pullHistory } from '../connecting/service.ts'
import { accountKey, connections, findConnected, isConnected, isLive } from '../connections/table.ts'
import { traitsOf } from '../providers/service.ts'
import { getUser } from '../users/service.ts'
import { users } from '../users/table.ts'
import type { LinkErrorType, Recipe } from './schema.ts'
import { type LinkTokenRow, linkTokens, providerCredentials, recipes } from './table.ts'

/** Connects the user of a token and consumes the token; returns the error type if it fails. */
export function join(
  world: World,
  row: LinkTokenRow,
  provider: string,
  account: string,
  deniedScopes: readonly string[] = [],
): LinkErrorType | undefined {
  if (isTaken(world, row.user_id, provider, account)) return 'duplicate_connection'
  if (traitsOf(world, { provider }).own_app && !world.db.has(providerCredentials, provider))
    return 'provider_api_error'
  if (hasConnections(world, row.user_id, { demo: true })) return 'provider_api_error'
  connect(world, row.user_id, provider, { externalUserId: account, deniedScopes, scenario: row.scenario })
  world.db.put(linkTokens, { ...row, consumed: true, pending: null })
  return undefined
}

interface ManualConnection {
  readonly account: string | null
  readonly scenario?: string | undefined
  readonly isSdk: boolean
}

/** Connects a provider of the customer's own app; mobile SDKs repeat the call, and upload the data themselves. */
export function connectManually(
  world: World,
  userId: string,
  provider: string,
  { account, scenario, isSdk }: ManualConnection,
): void {
  getUser(world, userId)
  const known = findConnected(world, userId, provider)
  if (known && !isSdk) throw new Problem('conflict', `The user is already connected to ${provider}`)
  if (known && isLive(world, known)) return
  connect(world, userId, provider, { externalUserId: account, uploads: isSdk, scenario })
}

/** Imports a connection; false if the user does not exist or the connection fails. */
export function importConnection(world: World, provider: string, recipe: Parsed<typeof Recipe>): boolean {
  const { user_id, provider_id } = recipe
  if (!world.db.has(users, user_id) || hasConnections(world, user_id, { demo: true })) return false
  if (isTaken(world, user_id, provider, provider_id)) return false
  connect(world, user_id, provider, { externalUserId: provider_id })
  world.db.put(recipes, { ...recipe, provider })
  return true
}

/** Fetches a user's history again; false without a connection. */
export function pullHistoryAt(world: World, userId: string, provider: string): boolean {
  const connection = findConnected(world, userId, provider)
  if (!connection || !isLive(world, connection)) return false
  pullHistory(world, userId, provider)
  return true
}

export function pauseAt(world: World, userId: string, provider: string): void {
  const connection = findConnected(world, userId, provider)
  if (connection && isLive(world, connection)) pauseConnection(world, userId, provider)
}

/** Whether the account belongs to another user and the team rejects duplicates. */
const isTaken = (world: World, userId: string, provider: string, account: string): boolean =>
  feature(world, 'reject_duplicate_connection') &&
  world.db
    .by(connections, 'account', accountKey(provider, account))
    .some((other) => other.user_id !== userId && isConnected(world, other))
