import * as z from 'zod'
import { AddressInput } from '../../api/address.ts'
import {
  boolean,
  country,
  date,
  dateTime,
  email,
  field,
  integer,
  maybe,
  nullable,
  oneOf,
  orNull,
  personName,
  phone,
  readDateTime,
  text,
  trimmed,
  usState,
  uuid,
} from '../../api/fields.ts'
import { valueError } from '../../api/issue.ts'
import { GuarantorInput } from '../../api/person.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { withoutUndefined } from '../../kernel/fields.ts'
import { headerNames } from '../../kernel/headers.ts'
import { DAY_MS, SECOND_MS } from '../../kernel/instant.ts'
import { type JsonObject, valueAt } from '../../kernel/json.ts'
import { collectionMethods } from '../catalogue/schema.ts'
import { backgroundInput } from '../demographics/schema.ts'
import { DEFAULT_BILLING } from '../lab-accounts/service.ts'
import { OrderParameters } from '../lab-tests/schema.ts'
import { pageFields } from '../markers/schema.ts'
import { birthDate } from './birth-date.ts'
import { lowStatuses } from './lifecycle.ts'
import { billingTypes, genders, interpretations } from './schema.ts'
import { MAX_SAMPLE_ID_LENGTH } from './table.ts'

const ZIP = /^\d{5}(-\d{4})?$/
const zip = () => z.string().trim().regex(ZIP)
export const notes = () => z.string().max(1000)

const MedicalProxyInput = schema('MedicalProxyInput', () =>
  GuarantorInput().extend({ phone_number: phone() }),
)

export const PatientDetailsInput = schema('PatientDetailsInput', () => ({
  first_name: personName(),
  last_name: personName(),
  dob: birthDate(),
  gender: oneOf(genders, { ifNull: valueError('gender cannot be None.') }),
  phone_number: phone(),
  email: email(),
  medical_proxy: orNull(MedicalProxyInput()),
  ...backgroundInput(),
  household_income: orNull(integer()),
  household_size: orNull(integer()),
}))

/** An address, validated. */
const placeFields = () => ({
  first_line: trimmed(),
  second_line: orNull(trimmed()),
  city: trimmed(),
  state: usState(),
  zip: zip(),
  country: country(),
})

export const PatientAddressInput = schema('PatientAddressInput', () => ({
  receiver_name: trimmed().default(''),
  ...placeFields(),
  access_notes: orNull(notes()),
  phone_number: orNull(phone()),
}))

/** The address of an imported order, not validated. Source: docs/contract/placing.md#imports. */
const ImportedAddressInput = schema('ImportedAddressInput', () => ({
  receiver_name: text(),
  first_line: text(),
  second_line: orNull(text()),
  city: text(),
  state: text(),
  zip: text(),
  country: text(),
  access_notes: orNull(notes()),
  phone_number: orNull(text()),
}))

const ShippingInput = schema('ShippingInput', () => ({
  receiver_name: trimmed(),
  ...placeFields(),
  phone_number: phone(),
}))

const consentTypes = [
  'terms-of-use',
  'telehealth-informed-consent',
  'mobile-terms-and-conditions',
  'notice-of-privacy-practices',
  'privacy-policy',
  'hipaa-authorization',
] as const

/** Consents are camel case on the wire; snake case is also accepted. */
const ConsentInput = schema('ConsentInput', () =>
  z.preprocess(
    (input) => {
      if (typeof input !== 'object' || input === null) return input
      const { consent_type: type, time_of_consent: time, ...rest } = input as JsonObject
      return { ...withoutUndefined({ consentType: type, timeOfConsent: time }), ...rest }
    },
    z.object({
      consentType: oneOf(consentTypes),
      version: text().default('1.0'),
      timeOfConsent: maybe(dateTime()),
    }),
  ),
)

const physicianFields = () => ({
  first_name: trimmed(),
  last_name: trimmed(),
  email: orNull(text()),
  npi: trimmed(),
  licensed_states: z.array(text()).default([]),
})

const ImageInput = schema('ImageInput', () => ({
  content: text(),
  content_type: oneOf(['image/jpeg', 'image/png']),
}))

const PhysicianInput = schema('PhysicianInput', () => ({
  ...physicianFields(),
  signature_image: maybe(ImageInput()),
}))
const KitPhysicianInput = schema('KitPhysicianInput', () => z.object(physicianFields()))

const ResponsiblePerson = schema('ResponsiblePerson', () => ({
  first_name: text(),
  last_name: text(),
  address: AddressInput(),
  phone_number: text(),
  phone_type: text().default('Mobile'),
}))

/** Insurance in an order; ignored, as in the service since users have insurance records. */
const OrderInsuranceInput = schema('OrderInsuranceInput', () => ({
  front_image: maybe(ImageInput()),
  back_image: maybe(ImageInput()),
  patient_signature_image: maybe(ImageInput()),
  subjective: maybe(text()),
  assessment_plan: maybe(text()),
  payor_code: maybe(text()),
  insurance_id: maybe(text()),
  responsible_relationship: maybe(oneOf(['Self', 'Spouse', 'Other'])),
  responsible_details: maybe(ResponsiblePerson()),
  diagnosis_codes: maybe(z.array(text())),
}))

const AddOnInput = schema('AddOnInput', () => ({
  marker_ids: maybe(z.array(integer())),
  provider_ids: maybe(z.array(text())),
}))

const OrderSetInput = schema('OrderSetInput', () => ({
  lab_test_ids: maybe(z.array(uuid())),
  add_on: maybe(AddOnInput()),
  lab_account_id: maybe(uuid()),
  parameters: maybe(OrderParameters()),
}))

const AoeAnswerInput = schema('AoeAnswerInput', () => ({
  marker_id: integer(),
  question_id: integer(),
  answer: text(),
}))

const updateReasons = ['INCORRECT_LAB'] as const

export const NewOrder = schema('NewOrder', () => ({
  user_id: uuid(),
  lab_test_id: maybe(uuid()),
  order_set: maybe(OrderSetInput()),
  collection_method: maybe(oneOf(collectionMethods)),
  physician: maybe(PhysicianInput()),
  health_insurance: maybe(OrderInsuranceInput()),
  priority: boolean().default(false),
  billing_type: oneOf(billingTypes).optional().meta({ default: DEFAULT_BILLING }),
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
}))

/** Fields of a patient that the live service expects to be text, and fails on otherwise. */
const namesOfText = ['first_name', 'last_name', 'gender', 'phone_number']

/** Source: docs/contract/placing.md#orders-for-a-patient. */
export function failsLiveOn(body: unknown): boolean {
  const details = (name: string) => valueAt(body, ['patient_details', name])
  const country = valueAt(body, ['patient_address', 'country'])
  return (
    namesOfText.some((name) => ['number', 'boolean'].includes(typeof details(name))) ||
    typeof details('dob') === 'boolean' ||
    (typeof country === 'string' && /\d/.test(country))
  )
}

/** Query parameters of the call that creates an order. */
export const NewOrderQuery = unnamed(() => ({ update_reason: maybe(oneOf(updateReasons)) }))

const sampleId = () => trimmed().max(MAX_SAMPLE_ID_LENGTH)

export const ImportedOrder = schema('ImportedOrder', () => ({
  user_id: uuid(),
  billing_type: oneOf(billingTypes),
  order_set: OrderSetInput(),
  collection_method: oneOf(collectionMethods),
  physician: maybe(PhysicianInput()),
  patient_details: PatientDetailsInput(),
  patient_address: ImportedAddressInput(),
  sample_id: sampleId().min(1),
  lab_account_id: maybe(uuid()),
}))

/** The field is required; null means immediately. */
export const OrderUpdate = schema('OrderUpdate', () => ({ activate_by: nullable(date()) }))

export const CommunicationChange = schema('CommunicationChange', () => ({ sms_enabled: boolean() }))

export const CommunicationSettings = schema('CommunicationSettings', () => ({
  order_id: z.guid(),
  sms_enabled: z.boolean(),
}))

export const NewKitOrder = schema('NewKitOrder', () => ({
  user_id: uuid(),
  lab_test_id: uuid(),
  shipping_details: ShippingInput(),
  passthrough: orNull(text()),
  lab_account_id: maybe(uuid()),
}))

export const KitRegistration = schema('KitRegistration', () => ({
  user_id: maybe(uuid()),
  sample_id: sampleId(),
  patient_details: PatientDetailsInput(),
  patient_address: PatientAddressInput(),
  physician: maybe(KitPhysicianInput()),
  health_insurance: maybe(OrderInsuranceInput()),
  consents: z.array(ConsentInput()).default([]),
}))

export const ResendRequest = schema('ResendRequest', () => ({
  order_ids: maybe(z.array(uuid())),
  start_at: maybe(dateTime()),
  end_at: maybe(dateTime()),
}))

export const ResendAnswer = schema('ResendAnswer', () => ({ order_ids: z.array(z.guid()) }))

/** A bound on a date-time; a date alone takes the first or last second of its day. */
export const bound = (timeOfDay: 'start' | 'end') =>
  field({ type: 'string', format: 'date-time' }, (input) => {
    const day = typeof input === 'string' && input.trim().length === 10
    const instant = readDateTime(input)
    return day && timeOfDay === 'end' && typeof instant === 'number' ? instant + DAY_MS - SECOND_MS : instant
  })

export const OrderQuery = unnamed(() => ({
  ...pageFields(),
  user_id: maybe(uuid()),
  order_ids: maybe(z.array(uuid())),
  order_transaction_id: maybe(uuid()),
  start_date: maybe(bound('start')),
  end_date: maybe(bound('end')),
  updated_start_date: maybe(bound('start')),
  updated_end_date: maybe(bound('start')),
  status: maybe(z.array(oneOf(lowStatuses, { also: { testkit_registered: 'registered' } }))),
  order_type: maybe(z.array(oneOf(collectionMethods))),
  order_activation_types: maybe(z.array(oneOf(['current', 'scheduled']))),
  interpretation: maybe(oneOf(interpretations)),
  is_critical: maybe(boolean()),
  patient_name: maybe(text()),
  shipping_recipient_name: maybe(text()),
  search_input: maybe(text()),
  order_key: maybe(oneOf(['created_at', 'patient_name', 'last_status'])),
  order_direction: maybe(oneOf(['asc', 'desc'])),
}))

export const IdempotencyHeaders = unnamed(() => ({
  [headerNames.idempotencyKey]: maybe(text()),
  [headerNames.idempotencyError]: maybe(oneOf(['no-cache'])),
}))
