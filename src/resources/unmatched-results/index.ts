import { operation } from '../../api/operation.ts'
import type { Resource } from '../../api/resource.ts'
import { headerNames } from '../../kernel/headers.ts'
import type { JsonText } from '../../kernel/json.ts'
import { Order } from '../orders/schema.ts'
import { type OrderRow, orders } from '../orders/table.ts'
import { getRun, listCases, presentRun, runJobs, startRun } from './runs.ts'
import {
  Acceptance,
  NewTestRun,
  NewUnmatchedResultUpdate,
  Resolution,
  TestCaseList,
  TestRun,
  TestRunHeaders,
  TestRunStarted,
  UnmatchedResult,
  UnmatchedResultPage,
  UnmatchedResultQuery,
  UnmatchedResultUpdatePage,
  UnmatchedResultUpdateQuery,
} from './schema.ts'
import {
  acceptResult,
  getResult,
  listResults,
  listUpdates,
  presentResult,
  resolveResult,
  reviewEvents,
  updateResult,
} from './service.ts'
import { testRuns, unmatchedResults, unmatchedResultUpdates } from './table.ts'

const unmatchedResultOperations = [
  operation({
    id: 'lab_tests_list_unmatched_results',
    route: 'GET /v3/unmatched_result',
    summary: 'List unmatched results',
    query: UnmatchedResultQuery,
    returns: UnmatchedResultPage,
    run: (world, { query }) => listResults(world, query),
  }),
  operation({
    id: 'lab_tests_get_unmatched_result',
    route: 'GET /v3/unmatched_result/{raw_result_id}',
    summary: 'Get an unmatched result',
    returns: UnmatchedResult,
    run: (world, { params }) => presentResult(getResult(world, params.raw_result_id)),
  }),
  operation({
    id: 'lab_tests_accept_unmatched_result',
    route: 'POST /v3/unmatched_result/{raw_result_id}/accept',
    summary: 'Assign an unmatched result to an order',
    body: Acceptance,
    returns: Order,
    needs: 'scenarios',
    run(world, { params, body }) {
      const { id } = acceptResult(world, params.raw_result_id, body)
      return world.db.text(orders, id) as JsonText<OrderRow>
    },
  }),
  operation({
    id: 'lab_tests_resolve_unmatched_result',
    route: 'POST /v3/unmatched_result/{raw_result_id}/resolve',
    summary: 'Reject a result, or leave it to the staff',
    body: Resolution,
    returns: UnmatchedResult,
    run: (world, { params, body }) => presentResult(resolveResult(world, params.raw_result_id, body)),
  }),
  operation({
    id: 'lab_tests_list_unmatched_result_updates',
    route: 'GET /v3/unmatched_result/{raw_result_id}/update',
    summary: 'List what was done to an unmatched result, newest first',
    assumes: ['Updates are listed newest first, 50 of them by default and 500 at most.'],
    query: UnmatchedResultUpdateQuery,
    returns: UnmatchedResultUpdatePage,
    run: (world, { params, query }) => listUpdates(world, params.raw_result_id, query),
  }),
  operation({
    id: 'lab_tests_create_unmatched_result_update',
    route: 'POST /v3/unmatched_result/{raw_result_id}/update',
    summary: 'Start or stop working on an unmatched result, or note something about it',
    assumes: [
      'An update without note and status is refused with 422, and one of a result that is not with the customer with 404.',
      'Moves by the service leave no update, because no actor type fits them.',
      'Only a note sends no event.',
    ],
    body: NewUnmatchedResultUpdate,
    returns: UnmatchedResult,
    run: (world, { params, body }) => presentResult(updateResult(world, params.raw_result_id, body)),
  }),
  operation({
    id: 'lab_tests_create_unmatched_result_test',
    route: 'POST /v3/unmatched_result_test',
    summary: 'Start a test run that creates an unmatched result',
    headers: TestRunHeaders,
    body: NewTestRun,
    returns: TestRunStarted,
    status: 202,
    run(world, { headers, body }) {
      const { run_id, status } = startRun(world, headers[headerNames.idempotencyKey], body)
      return { run_id, status }
    },
  }),
  operation({
    id: 'lab_tests_list_unmatched_result_test_cases',
    route: 'GET /v3/unmatched_result_test/case',
    summary: 'List the cases of test runs',
    returns: TestCaseList,
    run: (world) => listCases(world),
  }),
  operation({
    id: 'lab_tests_get_unmatched_result_test',
    route: 'GET /v3/unmatched_result_test/{run_id}',
    summary: 'Get a test run',
    returns: TestRun,
    run: (world, { params }) => presentRun(getRun(world, params.run_id)),
  }),
]

export const unmatchedResultResource: Resource = {
  name: 'unmatched-results',
  operations: unmatchedResultOperations,
  tables: [unmatchedResults, unmatchedResultUpdates, testRuns],
  events: reviewEvents,
  jobs: runJobs,
}
