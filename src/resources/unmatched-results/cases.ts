import type { LowStatus } from '../orders/lifecycle.ts'

export const testCases = [
  'match_completed',
  'match_cancelled',
  'wrong_collection',
  'wrong_lab',
  'multiple_demo_match',
  'match_sample_id_mismatch_demo',
  'match_demo',
  'no_match',
] as const
export type TestCase = (typeof testCases)[number]

export const decisionCodes = ['match_sample_id', ...testCases] as const

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

interface Case {
  /** The roles of orders in the case, and the status each must have; the sample of the result is that of `provenance`. */
  readonly roles: Readonly<Record<string, LowStatus>>
  readonly labConstraints: readonly string[]
  /** Why the order is a candidate, in addition to reasons derived from laboratory and markers. */
  readonly reasons: readonly CandidateReason[]
  /** How likely the order is the right one, from 0 to 1. */
  readonly score: number
  readonly reason: string
  /** Whether both orders are of one patient. */
  readonly isOneUser?: boolean
  /** Whether only existing orders can have the role. */
  readonly isProvidedOnly?: boolean
}

const CENTRAL = 'central_lab'

/** Source: docs/contract/unmatched-results.md. */
export const cases: Readonly<Record<TestCase, Case>> = {
  match_completed: {
    roles: { provenance: 'completed' },
    labConstraints: [CENTRAL],
    reasons: ['sample_id_match', 'matched_completed_order', 'demographic_match'],
    score: 0.97,
    reason: 'The sample belongs to an order that is already completed.',
  },
  match_cancelled: {
    roles: { provenance: 'cancelled' },
    labConstraints: [CENTRAL],
    reasons: ['sample_id_match', 'matched_cancelled_order', 'demographic_match'],
    score: 0.96,
    reason: 'The sample belongs to an order that was cancelled.',
  },
  wrong_collection: {
    roles: { provenance: 'appointment_pending' },
    labConstraints: [CENTRAL, 'at_home_phlebotomy'],
    reasons: ['sample_id_match', 'invalid_collection_state', 'demographic_match'],
    score: 0.95,
    reason: 'The sample belongs to an order that is not ready for results.',
    isProvidedOnly: true,
  },
  wrong_lab: {
    roles: { candidate: 'requisition_created' },
    labConstraints: [CENTRAL, 'different_labs'],
    reasons: ['demographic_match', 'possible_wrong_lab'],
    score: 0.75,
    reason: 'The patient has an open order, but at another laboratory.',
  },
  multiple_demo_match: {
    roles: { candidate_a: 'requisition_created', candidate_b: 'requisition_created' },
    labConstraints: [CENTRAL, 'same_lab'],
    reasons: ['demographic_match'],
    score: 0.6,
    reason: 'Several patients fit the result.',
  },
  match_sample_id_mismatch_demo: {
    roles: { provenance: 'requisition_created' },
    labConstraints: [CENTRAL],
    reasons: ['sample_id_match', 'demographic_mismatch'],
    score: 0.55,
    reason: 'The sample belongs to an order, but the patient is another.',
  },
  match_demo: {
    roles: { candidate_a: 'requisition_created', candidate_b: 'requisition_created' },
    labConstraints: [CENTRAL, 'same_lab'],
    reasons: ['demographic_match', 'same_user'],
    score: 0.65,
    reason: 'The patient fits, but no single order does.',
    isOneUser: true,
  },
  no_match: {
    roles: {},
    labConstraints: [CENTRAL],
    reasons: [],
    score: 0,
    reason: 'Nothing fits the result.',
  },
}
