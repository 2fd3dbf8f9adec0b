import { asFile, operation } from '../../api/operation.ts'
import { jsonOf } from '../../api/responses.ts'
import type { Parsed } from '../../api/schema.ts'
import { runInSlices } from '../../kernel/slices.ts'
import { archiveOf, parquetOf, writeTable, writeTables } from './formats.ts'
import {
  AggregationResponse,
  AggregationResult,
  ContinuousPath,
  HistoryQuery,
  PARQUET,
  PARQUET_ARCHIVE,
  QueryBatch,
  QueryHeaders,
  TableHeaders,
  TaskHistory,
} from './schema.ts'
import { evaluated, readResultTable, readTaskHistory, runQueries } from './service.ts'

const continuous = '/aggregate/v1/user/{user_id}/continuous_query/{query_id_or_slug}'

export const senseOperations = [
  operation({
    id: 'aggregate_query_one',
    route: 'POST /aggregate/v1/user/{user_id}/query',
    summary: "Answer questions about a user's data with tables",
    assumes: [
      'A query aggregates or lists columns of `sleep`, `activity`, `workout` or `body`, or values of a timeseries. It groups by at most one `date_trunc` and any columns, filters by comparisons joined by `AND`, and aligns by `carry_forward`. Other expressions are [refused with 422](#sense-queries).',
      'Groups come in the order of time, then of their other keys; rows without a value of a key are a group, the last. A query without rows has no groups.',
      '`carry_forward` reads no data before the timeframe. It fills the groups of each series between its first and last row. With `max_age` it also fills groups that begin within that period after the last row, up to now and to the end of the timeframe. A count is carried like any value.',
      '`max_age` must reach the next group from 1 February: it is compared with groups as if months had 28 days.',
    ],
    headers: QueryHeaders,
    body: QueryBatch,
    returns: AggregationResponse,
    async run(world, { params, headers, body }, { clientSignal }) {
      const tables = await runInSlices(runQueries(world, params.user_id, body), clientSignal())
      if (headers.accept !== PARQUET_ARCHIVE)
        return jsonOf<Parsed<typeof AggregationResponse>>(writeTables(tables))
      return asFile(await archiveOf(tables, world.clock.now()), PARQUET_ARCHIVE)
    },
  }),
  operation({
    id: 'aggregate_get_result_table_for_continuous_query',
    route: `GET ${continuous}/result_table`,
    summary: 'Get the results of a continuous query for a user',
    params: ContinuousPath,
    headers: TableHeaders,
    returns: AggregationResult,
    async run(world, { params, headers }, { clientSignal }) {
      await evaluated(world, params.user_id, params.query_id_or_slug)
      const reading = readResultTable(world, params.user_id, params.query_id_or_slug)
      const table = await runInSlices(reading, clientSignal())
      return headers.accept === PARQUET
        ? asFile(await parquetOf(table), PARQUET)
        : jsonOf<Parsed<typeof AggregationResult>>(writeTable(table))
    },
  }),
  operation({
    id: 'aggregate_get_task_history_for_continuous_query',
    route: `GET ${continuous}/task_history`,
    summary: 'List the evaluations of a continuous query for a user',
    params: ContinuousPath,
    query: HistoryQuery,
    returns: TaskHistory,
    async run(world, { params, query }) {
      await evaluated(world, params.user_id, params.query_id_or_slug)
      return readTaskHistory(world, params.user_id, params.query_id_or_slug, query)
    },
  }),
]
