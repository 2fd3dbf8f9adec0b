import { feature } from '../../api/features.ts'
import type { JobKinds } from '../../api/resource.ts'
import type { Parsed } from '../../api/schema.ts'
import { DAY_MS, toWire } from '../../kernel/instant.ts'
import { badRequest, orNotFound } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { stateOfZip, zoneOfZip } from '../catalogue/homes.ts'
import type { ConnectedProviders, ConnectionCreated, ConnectionFailed } from '../connections/schema.ts'
import {
  type Connection,
  type ConnectionTrouble,
  connectionId,
  connections,
  endedPeriods,
  findConnected,
  isConnected,
  isDenied,
  isLive,
} from '../connections/table.ts'
import { demographics } from '../demographics/table.ts'
import { orders } from '../orders/table.ts'
import { getProvider, providerName, scopeFor, traitsOf } from '../providers/service.ts'
import { deleteUser, eventSubject, getUser, setConnectedSources } from '../users/service.ts'
import { beginBackfill, newPeriod, stopCollecting, withLastPeriod } from './sync.ts'

export { collectedResources } from './events.ts'
export {
  announceWithheld,
  type DeviceChange,
  fetchNow,
  listDevices,
  MAX_HISTORY_DAYS,
  pullOf,
  putDevice,
  storeSamples,
  syncedAtOf,
} from './sync.ts'

const EXPIRE = 'connections.expire_demo'

/** How long a sandbox keeps the users of demo connections. Source: docs/contract/connections.md#connections. */
const DEMO_MS = 7 * DAY_MS

/** Makes a demo connection; if there is one already, nothing changes. */
export function connectDemo(world: World, userId: string, provider: string, scenario?: string): void {
  const subject = connectionId(userId, provider)
  const isThere = isConnectedTo(world, subject)
  connect(world, userId, provider, { demo: true, scenario, isOnce: true })
  if (!feature(world, 'sandbox_limits') || isThere) return
  world.agenda.cancel(EXPIRE, subject)
  world.agenda.schedule({ due: world.clock.now() + DEMO_MS, kind: EXPIRE, subject })
}

function isConnectedTo(world: World, id: string): boolean {
  const connection = world.db.find(connections, id)
  return connection !== undefined && isConnected(world, connection)
}

export const demoJobs: JobKinds = {
  [EXPIRE]: {
    about: 'user',
    does: 'the user of the demo connection is erased',
    run(world, { subject }) {
      const connection = world.db.find(connections, subject)
      if (connection?.demo && isConnected(world, connection)) deleteUser(world, connection.user_id, 0)
    },
  },
}

export function listConnected(world: World, userId: string): Parsed<typeof ConnectedProviders> {
  getUser(world, userId)
  const providers = world.db
    .by(connections, 'user', userId)
    .filter((connection) => isConnected(world, connection))
    .map((connection) => ({
      ...providerName(world, connection.provider),
      created_on: connection.created_on,
      status: statusOf(connection),
      external_user_id: connection.external_user_id,
      error_details: connection.error,
      resource_availability: availabilityOf(connection),
    }))
  return { providers }
}

function statusOf({ error, paused }: Connection) {
  if (error) return 'error'
  return paused ? 'paused' : 'connected'
}

/** Disconnects; collected data stays readable. Source: docs/contract/connections.md#connections. */
export function disconnect(world: World, userId: string, provider: string): void {
  const user = getUser(world, userId)
  const connection = getConnected(world, userId, provider)
  const periods = endedPeriods(world, connection)
  stopCollecting(world, connection)
  world.db.put(connections, { ...connection, periods, error: null, paused: false })
  setConnectedSources(
    world,
    userId,
    user.connected_sources.filter(({ source }) => source.slug !== provider),
  )
}

interface NewConnection {
  /** The user's id, name or e-mail address at the provider. */
  readonly externalUserId?: string | null
  /** Permissions the user did not give. */
  readonly deniedScopes?: readonly string[]
  /** Whether it is a demo connection, with generated data. */
  readonly demo?: boolean
  /** Whether a phone uploads its data. */
  readonly uploads?: boolean
  /** Whether a consent to a working connection changes nothing. */
  readonly isOnce?: boolean
  /** The requested scenario; null to continue with the one that it follows. */
  readonly scenario?: string | null | undefined
}

/** Connects a user to a provider, or takes another consent to an existing connection. */
export function connect(
  world: World,
  userId: string,
  provider: string,
  {
    externalUserId = null,
    deniedScopes = [],
    demo = false,
    uploads = false,
    isOnce = false,
    scenario: requested,
  }: NewConnection = {},
): Connection {
  const user = getUser(world, userId)
  assertNotMixed(world, userId, demo)
  const { feedScenarios } = world.services
  const scenario = requested === null ? null : feedScenarios.choose(world, userId, requested)
  const known = world.db.find(connections, connectionId(userId, provider))
  if (known && isConnected(world, known)) {
    const resumed = resume(world, known, { externalUserId, deniedScopes, isOnce })
    if (requested !== undefined && scenario !== null) feedScenarios.begin(world, resumed, scenario, false)
    return resumed
  }
  const now = world.clock.now()
  const created_on = toWire(now)
  const name = providerName(world, provider)
  setConnectedSources(world, userId, [
    ...user.connected_sources,
    { provider: name, source: name, created_on },
  ])
  const time_zone = known?.time_zone ?? user.fallback_time_zone?.id ?? zoneOfAddress(world, userId) ?? 'UTC'
  const connection = world.db.put(connections, {
    user_id: userId,
    provider,
    ordinal: known?.ordinal ?? world.next('connection'),
    created_on,
    known_since: known?.known_since ?? now,
    external_user_id: externalUserId,
    denied_scopes: deniedScopes.length > 0 ? deniedScopes : undefined,
    demo,
    uploads: uploads || undefined,
    error: null,
    paused: false,
    backfill: { scheduled_at: now, ended_at: null },
    time_zone,
    periods: [...periodsBefore(known), newPeriod(world, { user_id: userId, provider, demo, time_zone })],
    synced_until: uploads ? now : null,
  })
  if (scenario !== null) feedScenarios.begin(world, connection, scenario, !known)
  announce(world, connection)
  if (!uploads) beginBackfill(world, connection)
  return connection
}

/** The time zone of a user's address in the United States: of the demographics, or else of the latest order. */
function zoneOfAddress(world: World, userId: string): string | undefined {
  const latest = world.db.by(orders, 'user', userId).at(-1)
  const zip = (world.db.find(demographics, userId)?.address ?? latest?.patient_address)?.zip
  return zip && stateOfZip(zip) ? zoneOfZip(zip) : undefined
}

/** A user cannot have both demo and other connections. Source: docs/contract/connections.md#connections. */
function assertNotMixed(world: World, userId: string, demo: boolean): void {
  if (!hasConnections(world, userId, { demo: !demo })) return
  throw badRequest(
    demo
      ? 'A user with a real connection cannot have a demo connection.'
      : 'A user with a demo connection cannot have a real connection.',
  )
}

export const hasConnections = (world: World, userId: string, { demo }: { readonly demo: boolean }): boolean =>
  world.db
    .by(connections, 'user', userId)
    .some((connection) => connection.demo === demo && isConnected(world, connection))

/** The earlier periods. A period that ended with the deletion of the user ends at the last announced data. */
const periodsBefore = (known: Connection | undefined) =>
  (known?.periods ?? []).flatMap((period) => {
    const until = period.until ?? known?.synced_until ?? null
    return until === null ? [] : [{ ...period, until }]
  })

/** Resumes a connection. Its history is pulled once more, unless the provider continues; then the next sync fetches missed data. */
function resume(
  world: World,
  known: Connection,
  {
    externalUserId,
    deniedScopes,
    isOnce,
  }: Required<Pick<NewConnection, 'externalUserId' | 'deniedScopes' | 'isOnce'>>,
): Connection {
  const given = {
    external_user_id: externalUserId ?? known.external_user_id,
    denied_scopes: deniedScopes.length > 0 ? deniedScopes : undefined,
  }
  const pullsAgain = !known.uploads && traitsOf(world, known).consent_again === 'pulls'
  const wasLive = isLive(world, known)
  if (wasLive && (isOnce || !pullsAgain)) return world.db.put(connections, { ...known, ...given })
  const whole = pullsAgain
    ? withNewPull(world, known)
    : { ...known, periods: withLastPeriod(known, (period) => ({ ...period, until: null })) }
  const resumed = world.db.put(connections, { ...whole, ...given, error: null, paused: false })
  announce(world, resumed)
  if (!resumed.uploads && resumed.backfill.ended_at === null) beginBackfill(world, resumed)
  return resumed
}

/** Ends the generation of a connection's data, because a phone uploads its own from now on. */
export function receiveUploads(world: World, connection: Connection, timeZone: string): Connection {
  if (connection.uploads && connection.time_zone === timeZone) return connection
  if (!connection.uploads) stopCollecting(world, connection)
  const synced_until = connection.synced_until ?? world.clock.now()
  return world.db.put(connections, { ...connection, uploads: true, time_zone: timeZone, synced_until })
}

function announce(world: World, connection: Connection): void {
  const { user_id, provider, external_user_id } = connection
  const data: Parsed<typeof ConnectionCreated> = {
    user_id,
    provider: providerName(world, provider),
    source: providerName(world, provider),
    external_user_id,
    resource_availability: availabilityOf(connection),
  }
  world.emit('provider.connection.created', eventSubject(world, user_id), data)
}

/** The available resources with the permission each needs. */
export function availabilityOf(connection: Connection) {
  const { provider, demo } = connection
  const { resources, auth_type } = getProvider(provider)
  const availability = (resource: string) => {
    const needed = { required: [scopeFor(provider, resource)], optional: [] }
    const none = { required: [], optional: [] }
    const denied = isDenied(connection, resource)
    const grants = denied
      ? { user_granted: none, user_denied: needed }
      : { user_granted: needed, user_denied: none }
    return {
      status: denied ? ('unavailable' as const) : ('available' as const),
      scope_requirements: !demo && auth_type === 'oauth' ? grants : null,
    }
  }
  return Object.fromEntries(resources.map((resource) => [resource, availability(resource)]))
}

/** Puts a connection into an error and announces it once; it collects nothing until it is connected again. Source: docs/contract/webhooks.md#events. */
export function failConnection(
  world: World,
  userId: string,
  provider: string,
  { errorType, message }: { readonly errorType: ConnectionTrouble['error_type']; readonly message: string },
): void {
  const connection = getConnected(world, userId, provider)
  if (connection.error) return
  rest(world, connection, {
    error: { error_type: errorType, error_message: message, errored_at: toWire(world.clock.now()) },
  })
  const data: Parsed<typeof ConnectionFailed> = {
    user_id: userId,
    provider,
    error_type: errorType,
    error_details: message,
    message,
  }
  world.emit('provider.connection.error', eventSubject(world, userId), data)
}

/** Pauses a connection until it is connected again. */
export function pauseConnection(world: World, userId: string, provider: string): void {
  rest(world, getConnected(world, userId, provider), { paused: true })
}

function rest(world: World, connection: Connection, why: Partial<Connection>): void {
  const periods = endedPeriods(world, connection)
  if (connection.backfill.ended_at === null) stopCollecting(world, connection)
  world.db.put(connections, { ...connection, ...why, periods })
}

/** Fetches the history of a connection again, for the team's current number of days. */
export function pullHistory(world: World, userId: string, provider: string): void {
  beginBackfill(world, world.db.put(connections, withNewPull(world, getConnected(world, userId, provider))))
}

/** A connection whose history is pulled once more; what it has collected stays. */
const withNewPull = (world: World, connection: Connection): Connection => ({
  ...connection,
  backfill: { scheduled_at: world.clock.now(), ended_at: null },
  periods: [...endedPeriods(world, connection), newPeriod(world, connection)],
})

/** The connection in any state, or the 404. */
export function getConnected(world: World, userId: string, provider: string): Connection {
  return orNotFound(findConnected(world, userId, provider), `The user is not connected to ${provider}`)
}
