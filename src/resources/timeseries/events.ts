import type { EventType } from '../../api/resource.ts'
import { resourceOf } from './catalogue.ts'
import { seriesSchemas } from './schema.ts'

export const timeseriesEvents: readonly EventType[] = seriesSchemas
  .filter(({ series }) => resourceOf(series) !== null)
  .flatMap(({ series, batch }) =>
    ['created', 'updated'].map((what) => ({
      name: `daily.data.${resourceOf(series)}.${what}`,
      data: batch,
    })),
  )
