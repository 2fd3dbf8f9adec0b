import type { EventType } from '../../contract/resource.ts'
import { summaryResources } from '../summaries/service.ts'
import { seriesResources } from '../timeseries/service.ts'
import { ConnectionCreated, HistoricalPull } from './schema.ts'

/** Everything a connection brings data of, by the names events use. */
export const collectedResources: readonly string[] = [...seriesResources, ...summaryResources]

export const connectionEvents: readonly EventType[] = [
  { name: 'provider.connection.created', data: ConnectionCreated },
  ...collectedResources.map((resource) => ({
    name: `historical.data.${resource}.created`,
    data: HistoricalPull,
  })),
]
