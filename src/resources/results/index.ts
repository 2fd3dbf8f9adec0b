import { operation } from '../../api/operation.ts'
import type { Resource } from '../../api/resource.ts'
import { listResults } from './listing.ts'
import { LabResultsMetadata, LabResultsRaw, ResultList, ResultListQuery } from './schema.ts'
import { getMetadata, getReport, getTransactionReport } from './service.ts'
import { resultPdfs } from './table.ts'

const resultOperations = [
  operation({
    id: 'result_list',
    route: 'GET /v3/result',
    tag: 'order',
    summary: 'List the results of all orders in short, newest order first; outside the published contract',
    assumes: [
      'A result is created with its first report. A page has 10 results, and 100 at most. The order is that of the orders, newest first.',
    ],
    query: ResultListQuery,
    returns: ResultList,
    run: (world, { query }) => listResults(world, query),
  }),
  operation({
    id: 'lab_tests_get_result_raw',
    route: 'GET /v3/order/{order_id}/result',
    summary: "Get an order's results",
    assumes: [
      'A result that a marker does not require is reported only where its value is given, and missing only where it is named.',
      'In the scenarios `…natural-result` of other methods than `testkit`, tests whose turnaround is two days longer than that of the others come in a final report after a partial one. Most turnarounds are assumed (`seeds/turnarounds.json`).',
    ],
    returns: LabResultsRaw,
    run: (world, { params }) => getReport(world, params.order_id).report,
  }),
  operation({
    id: 'lab_tests_get_result_metadata',
    route: 'GET /v3/order/{order_id}/result/metadata',
    summary: "Get the head of an order's results",
    returns: LabResultsMetadata,
    run: (world, { params }) => getMetadata(world, params.order_id),
  }),
  operation({
    id: 'order_transaction_get_transaction_result',
    route: 'GET /v3/order_transaction/{transaction_id}/result',
    summary: 'Get the results of all orders of a transaction as one',
    returns: LabResultsRaw,
    run: (world, { params }) => getTransactionReport(world, params.transaction_id).report,
  }),
]

export const resultResource: Resource = {
  name: 'results',
  operations: resultOperations,
  tables: [resultPdfs],
}
