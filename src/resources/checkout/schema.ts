import * as z from 'zod'
import { boolean, integer, maybe, oneOf, orNull, text, usState, uuid } from '../../api/fields.ts'
import { instant, nullableText, schema, unnamed } from '../../api/schema.ts'
import { headerNames } from '../../kernel/headers.ts'
import { billingTypes, collectionMethods } from '../catalogue/schema.ts'
import { fastingParameters, OrderSet } from '../lab-tests/schema.ts'
import { CollectionMethod } from '../labs/schema.ts'
import { Pricing, PricingModifier } from '../markers/schema.ts'
import { PatientAddressInput, PatientDetailsInput } from '../orders/requests.ts'

/** Source of the shapes: docs/contract/checkout.md. */

export const NewQuote = schema('NewCheckoutQuote', () => ({
  order_set: OrderSet(),
  modality: oneOf(collectionMethods),
  priority: boolean(),
  us_state: usState(),
}))

export const Refinement = schema('CheckoutQuoteRefinement', () => ({ priority: maybe(boolean()) }))

const AddOn = schema('QuotedAddOn', () => ({
  marker_ids: z.array(z.int()).nullable(),
  provider_ids: z.array(z.string()).nullable(),
}))

/** An order set as it was sent, with null for what was not. */
const QuotedOrderSet = schema('QuotedOrderSet', () => ({
  lab_test_ids: z.array(z.guid()).nullable(),
  add_on: AddOn().nullable(),
  lab_account_id: z.uuid().nullable(),
  parameters: z.object({ fasting: z.enum(fastingParameters).nullable() }).nullable(),
}))

/** Laboratories with places where a patient can have blood drawn. */
export const collectionNetworks = ['quest', 'sonora_quest', 'labcorp', 'bioreference'] as const

export const Quote = schema('CheckoutQuote', () => ({
  id: z.uuid(),
  parent_id: z.uuid().nullable(),
  created_at: instant(),
  expires_at: instant(),
  modality: CollectionMethod(),
  priority: z.boolean(),
  us_state: z.string(),
  order_set: QuotedOrderSet(),
  walk_in_collection_networks: z.array(z.enum(collectionNetworks)),
  line_items: z.array(
    z.object({
      code: z.enum(['lab_test_fee', 'draw_fee']),
      amount_minor: z.int(),
      currency: z.literal('USD'),
    }),
  ),
}))

export const paymentMethods = ['checkout_session', 'payment_intent'] as const

export const NewSession = schema('NewCheckoutSession', () => ({
  quote_id: uuid(),
  user_id: uuid(),
  payment: z.object({
    channel: oneOf(['stripe']),
    method: oneOf(paymentMethods),
    success_url: orNull(text()),
    cancel_url: orNull(text()),
  }),
  patient_details: PatientDetailsInput(),
  patient_address: PatientAddressInput(),
  appointment: orNull(
    z.object({
      booking_key: text(),
      appointment_notes: text().max(1000),
      async_confirmation_timeout_millisecond: integer({ ge: 60_000, le: 172_800_000 }).optional(),
    }),
  ),
}))

export const SessionHeaders = unnamed(() => ({ [headerNames.idempotencyKey]: maybe(text()) }))

export const Session = schema('CheckoutSession', () => ({
  checkout_session_id: z.uuid(),
  status: z.enum(['unpaid', 'paid', 'expired', 'cancelled']),
  pay_before: instant(),
  payment_resource_id: nullableText(),
  order_id: z.guid().nullable(),
  order_transaction_id: z.uuid().nullable(),
  appointment_hold_status: z.enum(['pending', 'held', 'failed']).nullable(),
  appointment_id: z.uuid().nullable(),
  payment_resource_url: nullableText(),
  payment_resource_client_secret: nullableText(),
}))

export const paymentOutcomes = ['paid', 'declined', 'cancelled'] as const
export type PaymentOutcome = (typeof paymentOutcomes)[number]

/** The token of the hosted page, and the button that was pressed. */
export const PaymentPageQuery = unnamed(() => ({ token: text(), outcome: maybe(oneOf(paymentOutcomes)) }))

export const PricingRequest = schema('OrderSetPricingRequest', () => ({
  order_sets: z.array(OrderSet()),
  modality: oneOf(collectionMethods),
  us_state: usState(),
  billing: oneOf(billingTypes).default('client_bill'),
}))

const chargeIds = [
  'placed_order_charge',
  'requisition_charge',
  'draw_charge',
  'mobile_phlebotomy_charge',
  'delivered_kit_charge',
  'completed_kit_charge',
  'critical_care_charge',
  'lab_charge',
  'lab_priority_charge',
] as const

const ComponentModifier = schema('ComponentPricingModifier', () =>
  PricingModifier().extend({
    conditions: PricingModifier().shape.conditions.extend({ critical_care: z.object({}).nullable() }),
  }),
)

/** As `Pricing`, with one more condition of modifiers. */
const ComponentPricing = schema('ComponentPricing', () => {
  const [priced, unspecified] = Pricing().options
  return z.union([priced.extend({ modifiers: z.array(ComponentModifier()).nullable() }), unspecified])
})

const LabCharge = schema('LabCharge', () => ({
  id: z.literal('lab_charge'),
  pricing: ComponentPricing(),
  /** By marker id. */
  marker_breakdown: z.record(z.string(), Pricing().nullable()).nullable(),
}))

const Component = schema('PricingComponent', () => ({ id: z.enum(chargeIds), pricing: ComponentPricing() }))

export const OrderSetPricing = schema('OrderSetPricing', () => ({
  aggregate_pricing: ComponentPricing(),
  components: z.array(z.union([LabCharge(), Component()])),
}))

export const OrderSetPricings = schema('OrderSetPricings', () => ({
  currency: z.literal('USD'),
  data: z.array(OrderSetPricing()),
}))
