import * as z from 'zod'
import { nullableText } from '../../api/schema.ts'
import { type RowOf, table } from '../../storage/table.ts'
import { TestRun, UnmatchedResult, UnmatchedResultUpdate } from './schema.ts'

/** A result without an order, and its lab test. */
export const unmatchedResults = table(
  'unmatched_results',
  () => UnmatchedResult().extend({ lab_test_id: z.string() }),
  ({ id }) => id,
  {
    owner: 'user',
    owns: 'unmatched_result',
    without(row, userId) {
      if (row.resolved_user_id === userId) return undefined
      const others = row.candidate_groups.filter(({ user_id }) => user_id !== userId)
      return others.length > 0 ? { ...row, candidate_groups: others } : undefined
    },
  },
)
export type UnmatchedResultRow = RowOf<typeof unmatchedResults>

/** What the team did to a result, in order. */
export const unmatchedResultUpdates = table(
  'unmatched_result_updates',
  () => UnmatchedResultUpdate().extend({ id: z.uuid(), raw_result_id: z.uuid() }),
  ({ id }) => id,
  { owner: 'unmatched_result', indexes: { unmatched_result: ({ raw_result_id }) => raw_result_id } },
)

/** A test run with its request and its selections. */
export const testRuns = table(
  'unmatched_result_test_runs',
  () =>
    TestRun().extend({
      idempotency_key: z.string(),
      /** Fingerprint of the request. */
      request: z.string(),
      /** Orders given in the request, by role. */
      given: z.record(z.string(), z.string()).nullable(),
      interpretation: UnmatchedResult().shape.interpretation,
      /** The lab test of the result. */
      lab_test_id: nullableText(),
      /** The lab test of the order, when it is at another laboratory. */
      wrong_lab_test_id: nullableText(),
    }),
  ({ run_id }) => run_id,
  {
    owner: 'user',
    indexes: { key: ({ idempotency_key }) => idempotency_key },
    without: () => undefined,
  },
)
export type TestRunRow = RowOf<typeof testRuns>
