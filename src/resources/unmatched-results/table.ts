import * as z from 'zod'
import { type Parsed, unnamed } from '../../api/schema.ts'
import { table } from '../../storage/table.ts'
import { TestRun, UnmatchedResult } from './schema.ts'

/** A result without an order, and its lab test. */
export const UnmatchedResultRow = unnamed(() => UnmatchedResult().extend({ lab_test_id: z.string() }))
export type UnmatchedResultRow = Parsed<typeof UnmatchedResultRow>

export const unmatchedResults = table<UnmatchedResultRow>('unmatched_results', ({ id }) => id)

/** A test run with its request and its selections. */
export const TestRunRow = unnamed(() =>
  TestRun().extend({
    idempotency_key: z.string(),
    /** Fingerprint of the request. */
    request: z.string(),
    /** Orders given in the request, by role. */
    given: z.record(z.string(), z.string()).nullable(),
    interpretation: UnmatchedResult().shape.interpretation,
    /** The lab test of the result. */
    lab_test_id: z.string().nullable(),
    /** The lab test of the order, when it is at another laboratory. */
    wrong_lab_test_id: z.string().nullable(),
  }),
)
export type TestRunRow = Parsed<typeof TestRunRow>

export const testRuns = table<TestRunRow, 'key'>('unmatched_result_test_runs', ({ run_id }) => run_id, {
  indexes: { key: ({ idempotency_key }) => idempotency_key },
})
