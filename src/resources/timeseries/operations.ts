import { operation } from '../../api/operation.ts'
import { listSeries, readSeries } from './read.ts'
import { SeriesQuery, seriesSchemas, WindowQuery } from './schema.ts'

const grouped = seriesSchemas.map(({ series, page }) =>
  operation({
    id: `vitals_${series.slug}_grouped`,
    route: `GET /v2/timeseries/{user_id}/${series.slug}/grouped` as const,
    takesUserToken: true,
    summary: `Read ${series.slug} by provider and device`,
    query: SeriesQuery,
    returns: page,
    assumes: series.assumes ?? [],
    ...(series.slug === 'hypnogram' && { deprecated: true, endsOn: '2026-09-14' }),
    run: (world, { params, query }) => readSeries(world, series, params.user_id, query),
  }),
)

/** Kinds of cholesterol that have a route of their own. */
const cholesterols = ['hdl', 'ldl', 'total', 'triglycerides'] as const

const older = seriesSchemas
  .filter(({ series }) => series.older)
  .flatMap((line) => [
    { ...line, path: line.series.slug, type: undefined },
    ...(line.series.slug === 'cholesterol'
      ? cholesterols.map((kind) => ({ ...line, path: `cholesterol/${kind}`, type: kind }))
      : []),
  ])
  .map(({ series, list, path, type }) =>
    operation({
      id: `vitals_${path.replace('/', '_')}`,
      route: `GET /v2/timeseries/{user_id}/${path}` as const,
      takesUserToken: true,
      summary: `Read ${path} of all providers in one row`,
      query: WindowQuery,
      returns: list,
      deprecated: true,
      endsOn: '2026-09-14',
      run: (world, { params, query }) => listSeries(world, series, params.user_id, query, type),
    }),
  )

export const timeseriesOperations = [...grouped, ...older]
