import type { Parsed } from '../../contract/schema.ts'
import { DAY_MS, toWire } from '../../kernel/instant.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { getProvider, providerName } from '../providers/service.ts'
import { eventSubject, getUser, setConnectedSources } from '../users/service.ts'
import type { ConnectedProviders, ConnectionCreated } from './schema.ts'
import { beginBackfill, stopCollecting } from './sync.ts'
import { type Connection, collectedSpans, connectionId, connections, isLive } from './table.ts'

/** Days of history a made-up connection hands over. Source: contract/wearables.md §2.3. */
const DEMO_BACKFILL_DAYS = 30

/** Connects a user to a provider whose data are made up; again, and nothing changes. */
export function connectDemo(world: World, userId: string, provider: string): void {
  const user = getUser(world, userId)
  const known = world.db.find(connections, connectionId(userId, provider))
  if (known && isLive(world, known)) return
  const now = world.clock.now()
  const created_on = toWire(now)
  const name = providerName(world, provider)
  setConnectedSources(world, userId, [
    ...user.connected_sources,
    { provider: name, source: name, created_on },
  ])
  const connection = world.db.put(connections, {
    user_id: userId,
    provider,
    created_on,
    external_user_id: null,
    time_zone: known?.time_zone ?? user.fallback_time_zone?.id ?? 'UTC',
    periods: [...endedPeriods(known), { from: now - DEMO_BACKFILL_DAYS * DAY_MS, until: null }],
    synced_until: null,
    summary_day: null,
  })
  world.emit('provider.connection.created', eventSubject(world, userId), connectionCreated(world, connection))
  beginBackfill(world, connection)
}

/** A period that was cut off by its user's deletion ends where its data were last announced. */
const endedPeriods = (known: Connection | undefined) =>
  (known?.periods ?? []).flatMap(({ from, until }) => {
    const end = until ?? known?.synced_until ?? null
    return end === null ? [] : [{ from, until: end }]
  })

const connectionCreated = (world: World, connection: Connection): Parsed<typeof ConnectionCreated> => ({
  user_id: connection.user_id,
  provider: providerName(world, connection.provider),
  source: providerName(world, connection.provider),
  external_user_id: connection.external_user_id,
  resource_availability: availabilityOf(connection.provider),
})

const availabilityOf = (provider: string) =>
  Object.fromEntries(
    getProvider(provider).resources.map((resource) => [
      resource,
      { status: 'available' as const, scope_requirements: null },
    ]),
  )

export function listConnected(world: World, userId: string): Parsed<typeof ConnectedProviders> {
  getUser(world, userId)
  const providers = world.db
    .by(connections, 'user', userId)
    .filter((connection) => isLive(world, connection))
    .map(({ provider, created_on, external_user_id }) => ({
      ...providerName(world, provider),
      created_on,
      status: 'connected',
      external_user_id,
      error_details: null,
      resource_availability: availabilityOf(provider),
    }))
  return { providers }
}

/** Cuts a connection; what it collected stays readable. Source: contract/wearables.md §2.2. */
export function disconnect(world: World, userId: string, provider: string): void {
  const user = getUser(world, userId)
  const connection = world.db.find(connections, connectionId(userId, provider))
  if (!connection || !isLive(world, connection)) {
    throw new Problem('not_found', `The user is not connected to ${provider}`)
  }
  const periods = collectedSpans(world, connection)
  stopCollecting(world, connection)
  world.db.put(connections, { ...connection, periods })
  setConnectedSources(
    world,
    userId,
    user.connected_sources.filter(({ source }) => source.slug !== provider),
  )
}
