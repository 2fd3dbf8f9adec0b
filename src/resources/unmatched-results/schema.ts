import * as z from 'zod'
import { date, integer, maybe, oneOf, orNull, text, uuid } from '../../api/fields.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { interpretations, OrderInTransaction } from '../orders/schema.ts'
import { candidateReasons, decisionCodes } from './cases.ts'

const instant = () => z.iso.datetime({ offset: true })

export const statuses = ['matched', 'pending_customer_review', 'pending_ops_review', 'resolved'] as const
const actions = ['accept', 'reject', 'unsure'] as const
export const resultStatuses = ['final', 'partial'] as const

const Candidate = schema('MatchCandidate', () =>
  z.object({
    candidate_type: z.enum(['provenance_order', 'order_option']),
    order_id: z.uuid().nullable(),
    order_transaction_id: z.uuid().nullable(),
    last_status: OrderInTransaction().shape.last_status,
    confidence_level: z.enum(['high', 'medium', 'low']),
    /** From 0 to 1. */
    confidence_score: z.number().nullable(),
    reasons: z.array(z.enum(candidateReasons)),
    marker_overlap: z.record(z.string(), z.unknown()).nullable(),
    status_context: z.record(z.string(), z.unknown()).nullable(),
  }),
)

/** A result that matches no order, and the possible actions. Source: contract/lab-testing.md §18. */
export const UnmatchedResult = schema('UnmatchedResult', () =>
  z.object({
    id: z.uuid(),
    status: z.enum(statuses),
    decision_code: z.enum(decisionCodes),
    sub_reason_codes: z.array(z.enum(['lab_account_mismatch'])),
    reason: z.string(),
    patient: z
      .object({
        first_name: z.string().nullable(),
        last_name: z.string().nullable(),
        dob: instant().nullable(),
        gender: z.string().nullable(),
      })
      .nullable(),
    lab: z.object({ id: z.int(), name: z.string(), slug: z.string() }),
    markers: z.array(z.object({ provider_id: z.string().nullable(), name: z.string().nullable() })),
    interpretation: z.enum(interpretations).nullable(),
    result_status: z.enum(resultStatuses).nullable(),
    note: z.string().nullable(),
    resolution_action: z.enum(actions).nullable(),
    resolved_user_id: z.uuid().nullable(),
    resolved_order_id: z.uuid().nullable(),
    allowed_actions: z.array(z.enum(actions)),
    candidate_groups: z.array(z.object({ user_id: z.uuid().nullable(), candidates: z.array(Candidate()) })),
    created_at: instant(),
    updated_at: instant(),
    reviewed_at: instant().nullable(),
  }),
)

export const UnmatchedResultPage = schema('UnmatchedResultPage', () =>
  z.object({
    data: z.array(UnmatchedResult()),
    next_cursor: z.string().nullable(),
    total: z.int(),
  }),
)

export const UnmatchedResultQuery = unnamed(() =>
  z.object({
    limit: integer({ ge: 1, le: 500 }).default(50),
    next_cursor: maybe(text()),
    status: maybe(oneOf(['pending_customer_review', 'pending_ops_review', 'resolved'])),
    decision_code: maybe(oneOf(decisionCodes)),
    lab_slug: maybe(text()),
    created_at_start: maybe(date()),
    created_at_end: maybe(date()),
    search_input: maybe(text()),
  }),
)

export const UnmatchedResultPath = unnamed(() => z.object({ raw_result_id: uuid() }))

export const Acceptance = schema('UnmatchedResultAcceptance', () =>
  z.object({ order_id: orNull(uuid()), user_id: orNull(uuid()), note: orNull(text()) }),
)

export const Resolution = schema('UnmatchedResultResolution', () =>
  z.object({ action: oneOf(['reject', 'unsure']), note: orNull(text()) }),
)

/** The body of `labtest.match_review.*`. Source: contract/webhooks.md §4.11. */
export const MatchReview = schema('MatchReview', () =>
  UnmatchedResult().pick({
    id: true,
    status: true,
    decision_code: true,
    sub_reason_codes: true,
    resolution_action: true,
    resolved_user_id: true,
    resolved_order_id: true,
  }),
)
