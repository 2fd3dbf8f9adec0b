import type { EventType } from '../../api/resource.ts'
import { ConnectionCreated, ConnectionFailed, Device, HistoricalPull } from '../connections/schema.ts'
import { summaryResources } from '../summaries/service.ts'
import { seriesResources } from '../timeseries/service.ts'

/** All resources a connection can have data of, by their names in events: 60. */
export const collectedResources: readonly string[] = [...seriesResources, ...summaryResources]

export const connectionEvents: readonly EventType[] = [
  { name: 'provider.connection.created', data: ConnectionCreated },
  { name: 'provider.connection.error', data: ConnectionFailed },
  { name: 'provider.device.created', data: Device },
  { name: 'provider.device.updated', data: Device },
  ...collectedResources.map((resource) => ({
    name: `historical.data.${resource}.created`,
    data: HistoricalPull,
  })),
]
