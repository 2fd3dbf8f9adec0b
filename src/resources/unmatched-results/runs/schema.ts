import * as z from 'zod'
import { maybe, oneOf, orNull, text, uuid } from '../../../api/fields.ts'
import { schema, unnamed } from '../../../api/schema.ts'
import { interpretations, OrderInTransaction } from '../../orders/schema.ts'
import { testCases } from '../cases.ts'
import { resultStatuses } from '../schema.ts'

const instant = () => z.iso.datetime({ offset: true })
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

export const TestCaseList = schema('UnmatchedResultTestCaseList', () =>
  z.object({
    data: z.array(
      z.object({
        case: z.enum(testCases),
        order_roles: z.array(z.string()),
        required_statuses: z.record(z.string(), OrderInTransaction().shape.last_status.unwrap()),
        lab_constraints: z.array(z.string()),
      }),
    ),
  }),
)

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

/** Source: contract/lab-testing.md §4.6. */
export const TestRunHeaders = unnamed(() => z.object({ 'x-idempotency-key': text().min(1).max(255) }))

export const TestRunStarted = schema('UnmatchedResultTestStarted', () =>
  z.object({ run_id: z.uuid(), status: z.enum(runStatuses) }),
)

const Artifact = schema('UnmatchedResultTestOrder', () =>
  z.object({ order_id: z.uuid(), user_id: z.uuid(), order_transaction_id: z.uuid() }),
)

export const TestRun = schema('UnmatchedResultTest', () =>
  z.object({
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
  }),
)

export const TestRunPath = unnamed(() => z.object({ run_id: uuid() }))
