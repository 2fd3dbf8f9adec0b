import type { Parsed } from '../../api/schema.ts'
import { HOUR_MS, SECOND_MS } from '../../kernel/instant.ts'
import { append } from '../../kernel/list.ts'
import { badRequest, Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import type { Refreshed } from '../connections/schema.ts'
import { type Connection, connections, isConnected, refreshes } from '../connections/table.ts'
import { getProvider, traitsOf } from '../providers/service.ts'
import { getUser } from '../users/service.ts'
import { fetchNow } from './service.ts'

/** Source: docs/contract/errors.md#limits-pages-formats. */
const MAX_PER_HOUR = 8

/** Refreshes all connections of a user; those with a running history pull are in progress. */
export function refreshUser(world: World, userId: string): Parsed<typeof Refreshed> {
  getUser(world, userId)
  countCall(world, userId)
  const connected = world.db
    .by(connections, 'user', userId)
    .filter((connection) => isConnected(world, connection) && !connection.paused)
  const refreshable = connected.filter((connection) => canBeRefreshed(world, connection))
  if (refreshable.length === 0) throw nothingToRefresh(userId, connected.length > 0)
  const refreshed: string[] = []
  const inProgress: string[] = []
  const failed: string[] = []
  for (const connection of refreshable) {
    const sources = sourcesOf(connection)
    if (isDown(world, connection)) append(failed, sources)
    else if (fetchNow(world, connection)) append(refreshed, sources)
    else append(inProgress, sources)
  }
  return {
    success: true,
    user_id: userId,
    refreshed_sources: refreshed,
    in_progress_sources: inProgress,
    failed_sources: failed,
  }
}

const isDown = (world: World, connection: Connection): boolean =>
  connection.error !== null ||
  (world.services.feedScenarios.effectsOf(world, connection)?.isDown(world.clock.now()) ?? false)

/** Phones push their data; demo connections can be refreshed. */
const canBeRefreshed = (world: World, { provider, demo }: Connection) =>
  traitsOf(world, { provider }).refresh && (demo || getProvider(provider).auth_type !== 'sdk')

const sourcesOf = ({ provider }: Connection) =>
  getProvider(provider).resources.map((resource) => `${provider}/${resource}`)

/** An error with a body of its own. Source: docs/contract/errors.md#errors. */
function nothingToRefresh(userId: string, isConnected: boolean): Problem {
  const error = isConnected
    ? 'user has no connected sources that can be refreshed'
    : 'user has no connected sources'
  return badRequest(error, {
    bare: { success: false, user_id: userId, error, failed_sources: [] },
  })
}

/** Throws at the ninth call within an hour. */
function countCall(world: World, userId: string): void {
  const now = world.clock.now()
  const at = (world.db.find(refreshes, userId)?.at ?? []).filter((instant) => instant > now - HOUR_MS)
  if (at.length >= MAX_PER_HOUR) {
    const waitMs = (at[0] ?? now) + HOUR_MS - now
    throw new Problem('too_many', 'Too many requests', {
      headers: { 'retry-after': String(Math.ceil(waitMs / SECOND_MS)) },
    })
  }
  world.db.put(refreshes, { user_id: userId, at: [...at, now] })
}
