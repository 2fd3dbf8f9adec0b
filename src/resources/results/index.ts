import { operation } from '../../api/operation.ts'
import { pageAfter } from '../../api/pagination.ts'
import type { Resource } from '../../api/resource.ts'
import type { Parsed } from '../../api/schema.ts'
import type { World } from '../../world/world.ts'
import { orderEntries } from '../orders/directory.ts'
import { orders } from '../orders/table.ts'
import { settleReport } from './exact.ts'
import {
  LabResultsMetadata,
  LabResultsRaw,
  ResultList,
  ResultListQuery,
  ResultPath,
  TransactionPath,
} from './schema.ts'
import { findReport, getMetadata, getReport, getTransactionReport } from './service.ts'
import { resultPdfs } from './table.ts'

const resultOperations = [
  operation({
    id: 'result_list',
    route: 'GET /v3/result',
    tag: 'order',
    summary: 'List the results of all orders, newest order first; outside the published contract',
    query: ResultListQuery,
    returns: ResultList,
    run: (world, { query }) => listReports(world, query),
  }),
  operation({
    id: 'lab_tests_get_result_raw',
    route: 'GET /v3/order/{order_id}/result',
    summary: "Get an order's results",
    params: ResultPath,
    returns: LabResultsRaw,
    run: (world, { params }) => getReport(world, params.order_id).report,
  }),
  operation({
    id: 'lab_tests_get_result_metadata',
    route: 'GET /v3/order/{order_id}/result/metadata',
    summary: "Get the head of an order's results",
    params: ResultPath,
    returns: LabResultsMetadata,
    run: (world, { params }) => getMetadata(world, params.order_id),
  }),
  operation({
    id: 'order_transaction_get_transaction_result',
    route: 'GET /v3/order_transaction/{transaction_id}/result',
    summary: 'Get the results of all orders of a transaction as one',
    params: TransactionPath,
    returns: LabResultsRaw,
    run: (world, { params }) => getTransactionReport(world, params.transaction_id).report,
  }),
]

/** A page of the reports of all orders. */
function listReports(
  world: World,
  { results_limit, next_cursor }: Parsed<typeof ResultListQuery>,
): Parsed<typeof ResultList> {
  const ids = orderEntries(world)
    .filter(({ interpretation }) => interpretation !== null)
    .map(({ id }) => id)
    .reverse()
  const { items, nextCursor } = pageAfter(ids, (id) => id, next_cursor, results_limit)
  const data = items.flatMap((order_id) => {
    const report = findReport(world, world.db.get(orders, order_id))
    return report ? [{ order_id, ...report }] : []
  })
  return { data, next_cursor: nextCursor }
}

export const resultResource: Resource = {
  name: 'results',
  operations: resultOperations,
  tables: [resultPdfs],
  orderHooks: { beforeAnnounce: settleReport },
}
