import type { Parsed } from '../../api/schema.ts'
import { table } from '../../storage/table.ts'
import type { TestRun } from './runs/schema.ts'
import type { UnmatchedResult } from './schema.ts'

/** A result without an order, and its lab test. */
export interface UnmatchedResultRow extends Parsed<typeof UnmatchedResult> {
  readonly lab_test_id: string
}

export const unmatchedResults = table<UnmatchedResultRow>('unmatched_results', ({ id }) => id)

/** A test run with its request and its selections. */
export interface TestRunRow extends Parsed<typeof TestRun> {
  readonly idempotency_key: string
  /** Fingerprint of the request. */
  readonly request: string
  /** Orders given in the request, by role. */
  readonly given: Readonly<Record<string, string>> | null
  readonly interpretation: Parsed<typeof UnmatchedResult>['interpretation']
  /** The lab test of the result. */
  readonly lab_test_id: string | null
  /** The lab test of the order, when it is at another laboratory. */
  readonly wrong_lab_test_id: string | null
}

export const testRuns = table<TestRunRow, 'key'>('unmatched_result_tests', ({ run_id }) => run_id, {
  indexes: { key: ({ idempotency_key }) => idempotency_key },
})
