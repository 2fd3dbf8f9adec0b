import * as z from 'zod'
import { date, integer, maybe, oneOf, orNull, text, uuid } from '../../api/fields.ts'
import { pageOf } from '../../api/pagination.ts'
import { anyObject, instant, named, nullableText, schema, unnamed } from '../../api/schema.ts'
import { headerNames } from '../../kernel/headers.ts'
import { interpretations, OrderInTransaction, resultStatuses } from '../orders/schema.ts'
import { candidateReasons, decisionCodes, testCases } from './cases.ts'

/** With the customer: waiting, and being worked on. Clients before 2.0 do not know the second. */
export const reviewStatuses = ['pending_customer_review', 'pending_customer_review:in_progress'] as const
const statuses = ['matched', ...reviewStatuses, 'pending_ops_review', 'resolved'] as const
/** What an update moves between: the status of the result, with the decision where there is one. */
const updateStatuses = [
  'matched',
  ...reviewStatuses,
  'pending_ops_review',
  'resolved:accepted',
  'resolved:rejected',
] as const
export type UpdateStatus = (typeof updateStatuses)[number]
const actorTypes = ['customer', 'api'] as const
const actions = ['accept', 'reject', 'unsure'] as const

const Candidate = schema('MatchCandidate', () => ({
  candidate_type: z.enum(['provenance_order', 'order_option']),
  order_id: z.guid().nullable(),
  order_transaction_id: z.uuid().nullable(),
  last_status: OrderInTransaction().shape.low_level_status,
  confidence_level: z.enum(['high', 'medium', 'low']),
  /** From 0 to 1. */
  confidence_score: z.number().nullable(),
  reasons: z.array(z.enum(candidateReasons)),
  marker_overlap: anyObject().nullable(),
  status_context: anyObject().nullable(),
}))

/** A result that matches no order, and the possible actions. Source: docs/contract/unmatched-results.md. */
export const UnmatchedResult = schema('UnmatchedResult', () => ({
  id: z.uuid(),
  status: z.enum(statuses),
  decision_code: z.enum(decisionCodes),
  sub_reason_codes: z.array(z.enum(['lab_account_mismatch'])),
  reason: z.string(),
  patient: z
    .object({
      first_name: nullableText(),
      last_name: nullableText(),
      dob: instant().nullable(),
      gender: nullableText(),
    })
    .nullable(),
  lab: z.object(named()),
  markers: z.array(z.object({ provider_id: nullableText(), name: nullableText() })),
  interpretation: z.enum(interpretations).nullable(),
  result_status: z.enum(resultStatuses).nullable(),
  note: nullableText(),
  resolution_action: z.enum(actions).nullable(),
  resolved_user_id: z.uuid().nullable(),
  resolved_order_id: z.uuid().nullable(),
  allowed_actions: z.array(z.enum(actions)),
  candidate_groups: z.array(z.object({ user_id: z.guid().nullable(), candidates: z.array(Candidate()) })),
  created_at: instant(),
  updated_at: instant(),
  reviewed_at: instant().nullable(),
  latest_activity_actor_id: nullableText(),
  latest_activity_actor_type: z.enum(actorTypes).nullable(),
  latest_activity_at: instant().nullable(),
}))

export const UnmatchedResultPage = schema('UnmatchedResultPage', () => ({
  data: z.array(UnmatchedResult()),
  next_cursor: nullableText(),
  total: z.int(),
}))

const pageFields = () => ({
  limit: integer({ ge: 1, le: 500 }).default(50),
  next_cursor: maybe(text()),
})

export const UnmatchedResultQuery = unnamed(() => ({
  ...pageFields(),
  status: maybe(oneOf([...reviewStatuses, 'pending_ops_review', 'resolved'])),
  decision_code: maybe(oneOf(decisionCodes)),
  lab_slug: maybe(text()),
  created_at_start: maybe(date()),
  created_at_end: maybe(date()),
  search_input: maybe(text()),
}))

export const Acceptance = schema('UnmatchedResultAcceptance', () => ({
  order_id: orNull(uuid()),
  user_id: orNull(uuid()),
  note: orNull(text()),
}))

export const Resolution = schema('ResolveUnmatchedResultBody', () => ({
  action: oneOf(['reject', 'unsure']),
  note: orNull(text()),
}))

/** A note, a move, or both. */
export const NewUnmatchedResultUpdate = schema('NewUnmatchedResultUpdate', () => ({
  note: orNull(text()),
  status: orNull(oneOf(reviewStatuses)),
}))

/** What was done to a result, or noted about it. */
export const UnmatchedResultUpdate = schema('UnmatchedResultUpdate', () => ({
  from_status: z.enum(updateStatuses).nullable(),
  to_status: z.enum(updateStatuses),
  note: nullableText(),
  actor_id: nullableText(),
  actor_type: z.enum(actorTypes),
  created_at: instant(),
}))

export const UnmatchedResultUpdatePage = schema('UnmatchedResultUpdatePage', () =>
  pageOf(UnmatchedResultUpdate()),
)

export const UnmatchedResultUpdateQuery = unnamed(() => z.object(pageFields()))

/** The body of `labtest.match_review.*`. Source: docs/contract/webhooks.md#events. */
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

const sources = ['managed', 'provided'] as const
const runStatuses = ['queued', 'running', 'succeeded', 'failed'] as const

/** The stages of a run, in this order; each can fail. */
export const workStages = [
  'queued',
  'validating',
  'selecting_configuration',
  'creating_orders',
  'transitioning_orders',
  'writing_result',
  'matching_result',
  'verifying_review',
  'succeeded',
] as const

export const TestCaseList = schema('UnmatchedResultTestCaseList', () => ({
  data: z.array(
    z.object({
      case: z.enum(testCases),
      order_roles: z.array(z.string()),
      required_statuses: z.record(z.string(), OrderInTransaction().shape.low_level_status.unwrap()),
      lab_constraints: z.array(z.string()),
    }),
  ),
}))

export const NewTestRun = schema('NewUnmatchedResultTest', () =>
  z.strictObject({
    case: oneOf(testCases),
    order_source: oneOf(sources),
    orders: maybe(z.record(z.string(), uuid())),
    result_status: oneOf(resultStatuses).default('final'),
    interpretation: oneOf(interpretations).default('normal'),
    lab_test_id: orNull(uuid()),
    wrong_lab_test_id: orNull(uuid()),
  }),
)

/** Source: docs/contract/placing.md#idempotency. */
export const TestRunHeaders = unnamed(() => ({ [headerNames.idempotencyKey]: text().min(1).max(255) }))

export const TestRunStarted = schema('UnmatchedResultTestStarted', () => ({
  run_id: z.uuid(),
  status: z.enum(runStatuses),
}))

const Artifact = schema('UnmatchedResultTestOrder', () => ({
  order_id: z.guid(),
  user_id: z.uuid(),
  order_transaction_id: z.uuid(),
}))

export const TestRun = schema('UnmatchedResultTest', () => ({
  run_id: z.uuid(),
  status: z.enum(runStatuses),
  stage: z.enum([...workStages, 'failed']),
  case: z.enum(testCases),
  order_source: z.enum(sources),
  result_status: z.enum(resultStatuses),
  /** By role. */
  orders: z.record(z.string(), Artifact()),
  raw_result_id: z.uuid().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  created_at: instant(),
  updated_at: instant(),
  started_at: instant().nullable(),
  completed_at: instant().nullable(),
}))
