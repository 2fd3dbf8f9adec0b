import * as z from 'zod'
import { type LazySchema, unnamed } from '../../api/schema.ts'
import { Problem } from '../../kernel/problem.ts'
import { Appointment } from '../../resources/appointments/schema.ts'
import { appointments } from '../../resources/appointments/table.ts'
import { collectionMethods, sampleTypes } from '../../resources/catalogue/schema.ts'
import { LabAccount } from '../../resources/lab-accounts/schema.ts'
import { labAccounts } from '../../resources/lab-accounts/table.ts'
import { labTestStatuses } from '../../resources/lab-tests/schema.ts'
import { labTests } from '../../resources/lab-tests/table.ts'
import { Order } from '../../resources/orders/schema.ts'
import { orderMetadata, orders } from '../../resources/orders/table.ts'
import { User } from '../../resources/users/schema.ts'
import { users } from '../../resources/users/table.ts'
import { orderScenarios, uploadedScenarios, userScenarios } from '../../scenarios/table.ts'
import { jobs } from '../../scheduler/job.ts'
import { pacingRow } from '../../scheduler/pacing.ts'
import type { Table } from '../../storage/table.ts'
import { endpoints, messages } from '../../webhooks/table.ts'
import { events } from '../../world/events.ts'
import { sequences } from '../../world/sequences.ts'

const instant = () => z.number().min(-8.64e15).max(8.64e15)

const Job = unnamed(() =>
  z.looseObject({
    due: instant(),
    turn: z.number(),
    rank: z.number().optional(),
    kind: z.string(),
    subject: z.string(),
    paced: z.boolean().optional(),
    recurring: z.boolean().optional(),
  }),
)

const Event = unnamed(() =>
  z.looseObject({
    id: z.string(),
    event_type: z.string(),
    at: instant(),
    user_id: z.string().nullable(),
    order_id: z.string().optional(),
    payload: z.looseObject({}),
  }),
)

const Message = unnamed(() =>
  z.looseObject({
    id: z.string(),
    event_id: z.string(),
    event_type: z.string(),
    user_id: z.string().nullable(),
    order_id: z.string().optional(),
    endpoint_id: z.string(),
    created_at: instant(),
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.array(
      z.looseObject({
        at: instant(),
        status: z.number().nullable(),
        duration_ms: z.number(),
        request: z.looseObject({ headers: z.record(z.string(), z.string()) }),
        response: z.looseObject({ headers: z.record(z.string(), z.string()), body: z.string() }).optional(),
      }),
    ),
    marks: z.array(z.string()),
  }),
)

const Endpoint = unnamed(() =>
  z.looseObject({
    id: z.string(),
    url: z.url(),
    secret: z.string(),
    previous_secrets: z.array(z.looseObject({ secret: z.string(), valid_until: instant() })),
    description: z.string().nullable(),
    event_types: z.array(z.string()).nullable(),
    headers: z.record(z.string(), z.string()),
    rate_limit: z.number().nullable(),
    disabled: z.boolean(),
    failing: z.looseObject({}).nullable(),
    created_at: instant(),
    updated_at: instant(),
  }),
)

const OrderScenario = unnamed(() =>
  z.looseObject({
    order_id: z.string(),
    story: z.string(),
    next: z.int().min(0),
    waits: z.enum(['registration', 'appointment']).optional(),
    left: z.looseObject({ because: z.string(), dropped: z.array(z.string()) }).optional(),
  }),
)

const UploadedScenario = unnamed(() =>
  z.looseObject({ name: z.string(), source: z.string(), zip: z.string().nullable() }),
)

const UserScenario = unnamed(() => z.looseObject({ user_id: z.string(), story: z.string() }))

const LabTestRowSchema = unnamed(() =>
  z.looseObject({
    id: z.uuid(),
    slug: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    method: z.enum(collectionMethods),
    sample_type: z.enum(sampleTypes),
    lab: z.string(),
    marker_ids: z.array(z.int()),
    price: z.number(),
    status: z.enum(labTestStatuses),
    fasting: z.boolean(),
    auto_generated: z.boolean(),
    has_collection_instructions: z.boolean().nullable(),
    created_at: z.iso.datetime({ offset: true }),
    updated_at: z.iso.datetime({ offset: true }),
  }),
)

const LabAccountRowSchema = unnamed(() => LabAccount().extend({ automatic: z.boolean() }))

const ResultPlan = unnamed(() =>
  z.looseObject({
    interpretation: z.enum(['normal', 'abnormal', 'critical']).optional(),
    missing: z.union([z.boolean(), z.array(z.string())]).optional(),
    types: z.array(z.string()).optional(),
  }),
)

const OrderMetadata = unnamed(() =>
  z.looseObject({
    order_id: z.string(),
    lab_account_id: z.string().optional(),
    collected_at: instant().optional(),
    results: ResultPlan().optional(),
    earlier_results: z.array(ResultPlan()).optional(),
    aoe_answers: z.array(z.looseObject({})).optional(),
    consents: z.array(z.looseObject({})).optional(),
  }),
)

const Sequence = unnamed(() => z.looseObject({ name: z.string(), last: z.int().min(0) }))

const Pacing = unnamed(() =>
  z.looseObject({ at: instant(), simulated: instant(), rate: z.number().positive().max(1e9) }),
)

interface Checked {
  readonly name: string
  readonly idOf: (row: never) => string
  readonly schema: LazySchema
}

const checked = <Row extends object>({ name, idOf }: Table<Row, string>, schema: LazySchema): Checked => ({
  name,
  idOf,
  schema,
})

const checks: ReadonlyMap<string, Checked> = new Map(
  [
    checked(jobs, Job),
    checked(events, Event),
    checked(messages, Message),
    checked(endpoints, Endpoint),
    checked(orderScenarios, OrderScenario),
    checked(uploadedScenarios, UploadedScenario),
    checked(userScenarios, UserScenario),
    checked(labTests, LabTestRowSchema),
    checked(labAccounts, LabAccountRowSchema),
    checked(orderMetadata, OrderMetadata),
    checked(sequences, Sequence),
    checked(pacingRow, Pacing),
    checked(users, User),
    checked(orders, Order),
    checked(appointments, Appointment),
  ].map((check) => [check.name, check]),
)

/** Refuses a row that its table could not have. */
export function assertRow(table: string, id: string, row: object): void {
  const check = checks.get(table)
  if (!check) return
  const { error } = check.schema().safeParse(row)
  const [issue] = error?.issues ?? []
  if (issue) throw invalidRow(table, id, issue.path.map(String), issue.message)
  if (check.idOf(row as never) !== id) throw invalidRow(table, id, [], 'The row has another id')
}

const invalidRow = (table: string, id: string, path: readonly string[], message: string): Problem =>
  new Problem('invalid', [
    { type: 'value_error', loc: ['body', 'tables', table, id, ...path], msg: message, input: null },
  ])
