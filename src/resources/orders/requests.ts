import * as z from 'zod'
import {
  boolean,
  date,
  dateTime,
  field,
  integer,
  maybe,
  nullable,
  oneOf,
  orNull,
  readDateTime,
  text,
  trimmed,
  uuid,
} from '../../api/fields.ts'
import { wrongChoice } from '../../api/issue.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { DAY_MS, SECOND_MS } from '../../kernel/instant.ts'
import { dottedStatuses, lowStatuses, methods, otherSpellings, readStatus } from './lifecycle.ts'
import {
  ConsentInput,
  ImportedAddressInput,
  KitPhysicianInput,
  notes,
  OrderInsuranceInput,
  PatientAddressInput,
  PatientDetailsInput,
  PhysicianInput,
  ShippingInput,
} from './patient.ts'
import { billingTypes, interpretations } from './schema.ts'

const AddOnInput = schema('AddOnInput', () =>
  z.object({ marker_ids: maybe(z.array(integer())), provider_ids: maybe(z.array(text())) }),
)

const OrderSetInput = schema('OrderSetInput', () =>
  z.object({
    lab_test_ids: maybe(z.array(uuid())),
    add_on: maybe(AddOnInput()),
    lab_account_id: maybe(uuid()),
  }),
)

const AoeAnswerInput = schema('AoeAnswerInput', () =>
  z.object({ marker_id: integer(), question_id: integer(), answer: text() }),
)

const updateReasons = ['INCORRECT_LAB'] as const

export const NewOrder = schema('NewOrder', () =>
  z.object({
    user_id: uuid(),
    lab_test_id: maybe(uuid()),
    order_set: maybe(OrderSetInput()),
    collection_method: maybe(oneOf(methods)),
    physician: maybe(PhysicianInput()),
    health_insurance: maybe(OrderInsuranceInput()),
    priority: boolean().default(false),
    billing_type: oneOf(billingTypes).default('client_bill'),
    icd_codes: orNull(z.array(text())),
    consents: z.array(ConsentInput()).default([]),
    activate_by: orNull(date()),
    aoe_answers: maybe(z.array(AoeAnswerInput())),
    passthrough: orNull(text()),
    clinical_notes: orNull(notes()),
    clinical_comments: maybe(notes()),
    lab_account_id: maybe(uuid()),
    creator_member_id: maybe(uuid()),
    update_reason: maybe(oneOf(updateReasons)),
    patient_details: PatientDetailsInput(),
    patient_address: PatientAddressInput(),
  }),
)

/** Query parameters of the call that creates an order. */
export const NewOrderQuery = unnamed(() => z.object({ update_reason: maybe(oneOf(updateReasons)) }))

export const ImportedOrder = schema('ImportedOrder', () =>
  z.object({
    user_id: uuid(),
    billing_type: oneOf(billingTypes),
    order_set: OrderSetInput(),
    collection_method: oneOf(methods),
    physician: maybe(PhysicianInput()),
    patient_details: PatientDetailsInput(),
    patient_address: ImportedAddressInput(),
    sample_id: trimmed().min(1),
    lab_account_id: maybe(uuid()),
  }),
)

/** The field is required; null means immediately. */
export const OrderUpdate = schema('OrderUpdate', () => z.object({ activate_by: nullable(date()) }))

export const CommunicationChange = schema('CommunicationChange', () => z.object({ sms_enabled: boolean() }))

export const CommunicationSettings = schema('CommunicationSettings', () =>
  z.object({ order_id: z.uuid(), sms_enabled: z.boolean() }),
)

export const NewKitOrder = schema('NewKitOrder', () =>
  z.object({
    user_id: uuid(),
    lab_test_id: uuid(),
    shipping_details: ShippingInput(),
    passthrough: orNull(text()),
    lab_account_id: maybe(uuid()),
  }),
)

export const KitRegistration = schema('KitRegistration', () =>
  z.object({
    user_id: maybe(uuid()),
    sample_id: trimmed(),
    patient_details: PatientDetailsInput(),
    patient_address: PatientAddressInput(),
    physician: maybe(KitPhysicianInput()),
    health_insurance: maybe(OrderInsuranceInput()),
    consents: z.array(ConsentInput()).default([]),
  }),
)

/** A dotted status in any accepted spelling, parsed to the low status and method. */
const orderStatus = () => {
  const values = [...dottedStatuses, ...Object.keys(otherSpellings)]
  return field({ type: 'string', enum: values }, (input) => {
    const read = typeof input === 'string' && input.includes('.') ? readStatus(input) : undefined
    return read ?? wrongChoice(values)
  })
}

export const SimulationQuery = unnamed(() =>
  z.object({ final_status: maybe(orderStatus()), delay: maybe(integer({ ge: 0 })) }),
)

const resultTypes = ['numeric', 'range', 'comment', 'coded_value'] as const

export const SimulationFlags = schema('SimulationFlags', () =>
  z.object({
    interpretation: oneOf(interpretations).default('normal'),
    result_types: maybe(z.array(oneOf(resultTypes))),
    has_missing_results: maybe(boolean()),
  }),
)

/** Optional and nullable. */
export const SimulationBody = unnamed(() => SimulationFlags().nullable())

export const SimulationAnswer = unnamed(() => z.string())

export const ResendRequest = schema('ResendRequest', () =>
  z.object({ order_ids: maybe(z.array(uuid())), start_at: maybe(dateTime()), end_at: maybe(dateTime()) }),
)

export const ResendAnswer = schema('ResendAnswer', () => z.object({ order_ids: z.array(z.uuid()) }))

/** A bound on a date-time; a date alone takes the first or last second of its day. */
const bound = (timeOfDay: 'start' | 'end') =>
  field({ type: 'string', format: 'date-time' }, (input) => {
    const day = typeof input === 'string' && input.trim().length === 10
    const instant = readDateTime(input)
    return day && timeOfDay === 'end' && typeof instant === 'number' ? instant + DAY_MS - SECOND_MS : instant
  })

export const OrderQuery = unnamed(() =>
  z.object({
    page: integer({ ge: 1 }).default(1),
    size: integer({ ge: 1, le: 100 }).default(50),
    user_id: maybe(uuid()),
    order_ids: maybe(z.array(uuid())),
    order_transaction_id: maybe(uuid()),
    start_date: maybe(bound('start')),
    end_date: maybe(bound('end')),
    updated_start_date: maybe(bound('start')),
    updated_end_date: maybe(bound('start')),
    status: maybe(z.array(oneOf(lowStatuses, { also: { testkit_registered: 'registered' } }))),
    order_type: maybe(z.array(oneOf(methods))),
    order_activation_types: maybe(z.array(oneOf(['current', 'scheduled']))),
    interpretation: maybe(oneOf(interpretations)),
    is_critical: maybe(boolean()),
    patient_name: maybe(text()),
    shipping_recipient_name: maybe(text()),
    search_input: maybe(text()),
    order_key: maybe(oneOf(['created_at', 'patient_name', 'last_status'])),
    order_direction: maybe(oneOf(['asc', 'desc'])),
  }),
)

export const OrderPath = unnamed(() => z.object({ order_id: uuid() }))
export const IdempotencyHeaders = unnamed(() =>
  z.object({ 'x-idempotency-key': maybe(text()), 'x-idempotency-error': maybe(oneOf(['no-cache'])) }),
)
