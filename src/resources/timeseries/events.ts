import type { EventType } from '../../contract/resource.ts'
import { seriesSchemas } from './schema.ts'

export const timeseriesEvents: readonly EventType[] = seriesSchemas.map(({ series, batch }) => ({
  name: `daily.data.${series.resource}.created`,
  data: batch,
}))
