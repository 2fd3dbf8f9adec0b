import { feature } from '../../api/features.ts'
import type { Parsed } from '../../api/schema.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { providerName } from '../providers/service.ts'
import { getUser, setConnectedSources } from '../users/service.ts'
import { availabilityOf, connect } from './connect.ts'
import type { ConnectedProviders } from './schema.ts'
import { expireDemo, stopCollecting } from './sync.ts'
import { connectionId, connections, endedPeriods, isConnected } from './table.ts'

export {
  connect,
  failConnection,
  hasConnections,
  pauseConnection,
  pullHistory,
} from './connect.ts'
export { type DeviceChange, listDevices, putDevice } from './devices.ts'
export { collectedResources } from './events.ts'
export { historyStart, MAX_HISTORY_DAYS } from './history.ts'
export { fetchNow } from './sync.ts'

/** Makes a demo connection; if there is one already, nothing changes. */
export function connectDemo(world: World, userId: string, provider: string, scenario?: string): void {
  connect(world, userId, provider, { demo: true, scenario })
  if (feature(world, 'sandbox_limits')) expireDemo(world, userId)
}

export function listConnected(world: World, userId: string): Parsed<typeof ConnectedProviders> {
  getUser(world, userId)
  const providers = world.db
    .by(connections, 'user', userId)
    .filter((connection) => isConnected(world, connection))
    .map((connection) => ({
      ...providerName(world, connection.provider),
      created_on: connection.created_on,
      status: connection.error ? 'error' : connection.paused ? 'paused' : 'connected',
      external_user_id: connection.external_user_id,
      error_details: connection.error,
      resource_availability: availabilityOf(connection),
    }))
  return { providers }
}

/** Disconnects; collected data stays readable. Source: contract/wearables.md §2.2. */
export function disconnect(world: World, userId: string, provider: string): void {
  const user = getUser(world, userId)
  const connection = world.db.find(connections, connectionId(userId, provider))
  if (!connection || !isConnected(world, connection)) {
    throw new Problem('not_found', `The user is not connected to ${provider}`)
  }
  const periods = endedPeriods(world, connection)
  stopCollecting(world, connection)
  world.db.put(connections, { ...connection, periods, error: null, paused: false })
  setConnectedSources(
    world,
    userId,
    user.connected_sources.filter(({ source }) => source.slug !== provider),
  )
}
