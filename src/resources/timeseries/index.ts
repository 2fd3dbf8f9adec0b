import type { EventType, Resource } from '../../api/resource.ts'
import { resourceOf } from './catalogue.ts'
import { timeseriesOperations } from './operations.ts'
import { seriesSchemas } from './schema.ts'
import { storedFeeds, storedSamples } from './table.ts'

const timeseriesEvents: readonly EventType[] = seriesSchemas
  .filter(({ series }) => resourceOf(series) !== null)
  .flatMap(({ series, batch }) =>
    ['created', 'updated'].map((what) => ({
      name: `daily.data.${resourceOf(series)}.${what}`,
      data: batch,
    })),
  )

export const timeseriesResource: Resource = {
  name: 'timeseries',
  operations: timeseriesOperations,
  tables: [storedFeeds, storedSamples],
  events: timeseriesEvents,
}
