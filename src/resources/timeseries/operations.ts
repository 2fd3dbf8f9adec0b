import { operation } from '../../contract/operation.ts'
import { SeriesPath, SeriesQuery, seriesSchemas } from './schema.ts'
import { readSeries } from './service.ts'

export const timeseriesOperations = seriesSchemas.map(({ series, page }) =>
  operation({
    id: `vitals_${series.slug}_grouped`,
    route: `GET /v2/timeseries/{user_id}/${series.slug}/grouped`,
    tag: 'timeseries',
    summary: `Read ${series.slug} by provider and device`,
    params: SeriesPath,
    query: SeriesQuery,
    returns: page,
    run: (world, { params, query }) => readSeries(world, series, params.user_id, query),
  }),
)
