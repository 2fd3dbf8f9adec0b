import * as z from 'zod'
import caseRows from '../../../seeds/documents/unmatched-cases.json' with { type: 'json' }
import { bundledTable } from '../../kernel/seed-table.ts'
import { lowStatuses } from '../orders/lifecycle.ts'

export const candidateReasons = [
  'sample_id_match',
  'lab_account_mismatch',
  'matched_completed_order',
  'matched_cancelled_order',
  'invalid_collection_state',
  'demographic_mismatch',
  'demographic_match',
  'possible_wrong_lab',
  'same_lab',
  'same_user',
  'marker_overlap_exact',
  'marker_overlap_partial',
  'marker_overlap_none',
] as const
export type CandidateReason = (typeof candidateReasons)[number]

/** The cases of test runs. Source: docs/contract/unmatched-results.md. */
export const cases = bundledTable('documents/unmatched-cases.json', caseRows, () =>
  z.strictObject({
    /** The roles of orders in the case, and the status each must have; the sample of the result is that of `provenance`. */
    roles: z.record(z.string(), z.enum(lowStatuses)),
    labConstraints: z.array(z.string()),
    /** Why the order is a candidate, in addition to reasons derived from laboratory and markers. */
    reasons: z.array(z.enum(candidateReasons)),
    /** How likely the order is the right one, from 0 to 1. */
    score: z.number(),
    reason: z.string(),
    /** Whether both orders are of one patient. */
    isOneUser: z.literal(true).optional(),
    /** Whether only existing orders can have the role. */
    isProvidedOnly: z.literal(true).optional(),
  }),
)

export type TestCase = keyof typeof caseRows
export const testCases = [...cases.keys()]
export const decisionCodes = ['match_sample_id', ...testCases] as const
