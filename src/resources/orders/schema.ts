import * as z from 'zod'
import { streetFields } from '../../api/address.ts'
import { Guarantor } from '../../api/person.ts'
import { instant, nullableText, schema } from '../../api/schema.ts'
import { billingTypes, genders } from '../catalogue/schema.ts'
import { background } from '../demographics/schema.ts'
import { OrderedLabTest } from '../lab-tests/schema.ts'
import { dottedStatuses, lowStatuses, otherSpellings, statusDetails, topStatuses } from './lifecycle.ts'

export { billingTypes, genders }

export const resultStatuses = ['final', 'partial'] as const
export const interpretations = ['normal', 'abnormal', 'critical', 'unknown'] as const
export type Interpretation = (typeof interpretations)[number]
/** From bad to good. */
export const worstFirst: readonly Interpretation[] = ['critical', 'abnormal', 'unknown', 'normal']
export const origins = ['initial', 'redraw', 'recreation'] as const
const MedicalProxy = schema('MedicalProxy', () =>
  Guarantor().extend({
    household_income: z.int().nullish(),
    household_size: z.int().nullish(),
    email: z.string().nullish(),
  }),
)

const PatientDetails = schema('PatientDetails', () => ({
  first_name: nullableText(),
  last_name: nullableText(),
  /** The date at midnight, as a date-time. */
  dob: instant(),
  gender: z.string(),
  phone_number: nullableText(),
  email: nullableText(),
  medical_proxy: MedicalProxy().nullable(),
  ...background(),
}))

/** A recipient with an address. */
const receiverFields = () => ({
  receiver_name: z.string(),
  ...streetFields(),
  zip: z.string(),
  country: z.string(),
})

const PatientAddress = schema('PatientAddress', () => ({
  ...receiverFields(),
  access_notes: z.string().max(1000).nullable(),
  phone_number: nullableText(),
}))

const ShippingDetails = schema('ShippingDetails', () => ({
  ...receiverFields(),
  phone_number: z.string(),
}))

const Shipment = schema('Shipment', () => ({
  id: z.guid(),
  outbound_tracking_number: nullableText(),
  outbound_tracking_url: nullableText(),
  inbound_tracking_number: nullableText(),
  inbound_tracking_url: nullableText(),
  outbound_courier: nullableText(),
  inbound_courier: nullableText(),
  notes: nullableText(),
  created_at: instant(),
  updated_at: instant(),
}))

const id = () => ({ id: z.uuid() })
const times = () => ({ created_at: instant(), updated_at: instant() })
const appointmentId = () => ({ appointment_id: z.uuid().nullable() })

const KitDetails = schema('KitDetails', () => ({
  type: z.literal('testkit'),
  data: z.object({ ...id(), shipment: Shipment().nullable(), ...times() }).nullable(),
}))
const WalkInDetails = schema('WalkInDetails', () => ({
  type: z.literal('walk_in_test'),
  data: z.object({ ...id(), ...times(), ...appointmentId() }).nullable(),
}))
const AtHomeDetails = schema('AtHomeDetails', () => ({
  type: z.literal('at_home_phlebotomy'),
  data: z.object({ ...id(), ...appointmentId(), ...times() }).nullable(),
}))
const OnSiteDetails = schema('OnSiteDetails', () => ({
  type: z.literal('on_site_collection'),
  data: z.object({ ...id(), ...times() }).nullable(),
}))

export const OrderEvent = schema('OrderEvent', () => ({
  id: z.int(),
  created_at: instant(),
  status: z.enum([...dottedStatuses, ...Object.keys(otherSpellings)]),
  status_detail: z.enum(statusDetails).nullable(),
}))

export const OrderInTransaction = schema('OrderInTransaction', () => ({
  id: z.guid(),
  low_level_status: z.enum(lowStatuses).nullable(),
  low_level_status_created_at: instant().nullable(),
  origin: z.enum(origins).nullable(),
  parent_id: z.guid().nullable(),
  created_at: instant(),
  updated_at: instant(),
}))

export const OrderTransaction = schema('OrderTransaction', () => ({
  id: z.guid(),
  status: z.enum(['active', 'completed', 'cancelled']),
  orders: z.array(OrderInTransaction()),
}))

export const Physician = schema('Physician', () => ({
  first_name: z.string(),
  last_name: z.string(),
  npi: z.string(),
}))

/**
 * An order, in the order of the published document. Only kits have the fields that the specification adds to it: a
 * description of the lab test, the times of the shipment, and a second spelling of `health_insurance_id`.
 */
export const Order = schema('Order', () => ({
  user_id: z.guid(),
  id: z.guid(),
  team_id: z.uuid(),
  patient_details: PatientDetails().nullable(),
  patient_address: PatientAddress().nullable(),
  lab_test: OrderedLabTest(),
  details: z.union([KitDetails(), WalkInDetails(), AtHomeDetails(), OnSiteDetails()]),
  sample_id: nullableText(),
  notes: nullableText(),
  clinical_notes: nullableText(),
  created_at: instant(),
  updated_at: instant(),
  events: z.array(OrderEvent()),
  status: z.enum(topStatuses).nullable(),
  last_event: OrderEvent(),
  physician: Physician().nullable(),
  health_insurance_id: z.uuid().nullable(),
  health_insurace_id: z.uuid().nullable().optional(),
  requisition_form_url: nullableText(),
  priority: z.boolean(),
  shipping_details: ShippingDetails().nullable(),
  activate_by: z.iso.date().nullable(),
  passthrough: nullableText(),
  billing_type: z.enum(billingTypes),
  icd_codes: z.array(z.string()).nullable(),
  has_abn: z.boolean(),
  interpretation: z.enum(interpretations).nullable(),
  has_missing_results: z.boolean().nullable(),
  expected_result_by_date: z.iso.date().nullable(),
  worst_case_result_by_date: z.iso.date().nullable(),
  origin: z.enum(origins).nullable(),
  order_transaction: OrderTransaction().nullable(),
  /** Only with the feature `order_lab_account`. */
  lab_account_id: z.guid().nullable().exactOptional(),
}))

export const OrderAnswer = schema('OrderAnswer', () => ({
  order: Order(),
  status: z.string(),
  message: z.string(),
}))

export const OrderPage = schema('OrderPage', () => ({
  orders: z.array(Order()),
  total: z.int().nullable(),
  page: z.int().nullable(),
  size: z.int().nullable(),
}))

/** The body of `labtest.result.critical`. */
export const CriticalResult = schema('CriticalResult', () => ({
  order_id: z.guid(),
  sample_id: z.string(),
  status: z.enum(resultStatuses),
  interpretation: z.enum(interpretations),
  team_id: z.uuid(),
  user_id: z.guid(),
  created_at: instant(),
  updated_at: instant(),
}))
