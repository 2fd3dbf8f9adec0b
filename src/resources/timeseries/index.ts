import type { Resource } from '../../api/resource.ts'
import { timeseriesEvents } from './events.ts'
import { timeseriesOperations } from './operations.ts'
import { storedFeeds, storedSamples } from './stored.ts'

export const timeseriesResource: Resource = {
  name: 'timeseries',
  operations: timeseriesOperations,
  events: timeseriesEvents,
  tables: [storedFeeds, storedSamples],
}
