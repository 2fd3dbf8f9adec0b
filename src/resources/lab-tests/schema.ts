import * as z from 'zod'
import { boolean, integer, maybe, nullable, oneOf, orNull, text, uuid } from '../../api/fields.ts'
import { nullableText, schema, unnamed } from '../../api/schema.ts'
import { collectionMethods, labSlugs, labTestStatuses } from '../catalogue/schema.ts'
import { CollectionMethod, Lab, SampleType } from '../labs/schema.ts'
import { Marker, MarkerAccount, Pricing, pageFields } from '../markers/schema.ts'

export const LabTest = schema('LabTest', () => ({
  id: z.guid(),
  slug: z.string(),
  name: z.string(),
  sample_type: SampleType(),
  method: CollectionMethod(),
  /** US dollars. */
  price: z.number(),
  is_active: z.boolean(),
  status: z.enum(labTestStatuses),
  fasting: z.boolean(),
  lab: Lab().nullable(),
  markers: z.array(Marker()).nullable(),
  is_delegated: z.boolean(),
  auto_generated: z.boolean(),
  source_sandbox_lab_test_id: z.guid().nullable(),
  has_collection_instructions: z.boolean().nullable(),
  common_tat_days: z.int().nullable(),
  worst_case_tat_days: z.int().nullable(),
}))

/** The lab test of an order; a test kit has a description. */
export const OrderedLabTest = schema('OrderedLabTest', () =>
  LabTest().omit({ source_sandbox_lab_test_id: true }).extend({ description: nullableText().optional() }),
)

export const LabTestList = schema('LabTestList', () => z.array(LabTest()))

const LabTestPricing = schema('LabTestPricing', () => ({
  currency: z.literal('USD'),
  data: z.record(
    z.string(),
    z.object({ pricing: Pricing(), marker_breakdown: z.record(z.string(), Pricing()).nullable() }),
  ),
}))

export const LabTestPage = schema('LabTestPage', () => ({
  data: z.array(LabTest()),
  next_cursor: nullableText(),
  pricing: LabTestPricing().nullish(),
}))

const filters = () => ({
  generation_method: oneOf(['auto', 'manual', 'all']).default('manual'),
  lab_slug: maybe(text()),
  collection_method: maybe(oneOf(collectionMethods)),
  status: maybe(oneOf(labTestStatuses)),
  marker_ids: maybe(z.array(integer())),
  provider_ids: maybe(z.array(text())),
  name: maybe(text()),
  order_key: maybe(oneOf(['price', 'created_at', 'updated_at'])),
  order_direction: oneOf(['asc', 'desc']).default('asc'),
})

export const LabTestFilter = unnamed(() => z.object(filters()))

export const LabTestPageQuery = unnamed(() => ({
  ...filters(),
  lab_account_id: maybe(uuid()),
  include_pricing: boolean().default(false),
  lab_test_limit: integer({ ge: 1 }).default(50),
  next_cursor: maybe(text()),
}))

export const LabTestMarkerQuery = unnamed(() => MarkerAccount().extend(pageFields()))

export const NewLabTest = schema('NewLabTest', () => ({
  marker_ids: orNull(z.array(integer())),
  provider_ids: orNull(z.array(text())),
  name: text(),
  method: oneOf(collectionMethods),
  description: text(),
  fasting: nullable(boolean()).default(false),
  lab_account_id: orNull(uuid()),
  lab_slug: orNull(oneOf(labSlugs)),
  source_sandbox_lab_test_id: orNull(uuid()),
}))

/** A lab test and the one it was made from. */
export const Promotion = schema('LabTestPromotion', () => ({
  source_sandbox_lab_test_id: z.guid(),
  production_lab_test_id: z.guid(),
  status: z.enum(labTestStatuses),
}))

export const PromotionList = schema('LabTestPromotionList', () => z.array(Promotion()))

export const PromotionQuery = unnamed(() => ({ source_sandbox_lab_test_ids: maybe(z.array(uuid())) }))

export const PromotionSource = schema('LabTestPromotionSource', () => ({
  name: z.string(),
  description: z.string(),
  method: CollectionMethod(),
  fasting: z.boolean(),
  lab_slug: z.string(),
  provider_ids: z.array(z.string()),
  source_sandbox_lab_test_id: z.guid(),
}))

export const CollectionInstructions = schema('LabTestCollectionInstructions', () => ({
  total_tubes: z.int(),
  lab: Lab(),
}))

export const LabTestPatch = schema('LabTestPatch', () => ({ name: maybe(text()), active: maybe(boolean()) }))

const AddOn = schema('OrderSetAddOn', () => ({
  marker_ids: orNull(z.array(integer())),
  provider_ids: orNull(z.array(text())),
}))

export const fastingParameters = ['fasting_required', 'fasting_not_required'] as const

/** What an order set says about its collection. */
export const OrderParameters = schema('OrderSetParameters', () => ({
  fasting: orNull(oneOf(fastingParameters)),
}))

/** An order set: lab tests and single markers. */
export const OrderSet = schema('OrderSet', () => ({
  lab_test_ids: orNull(z.array(uuid())),
  add_on: orNull(AddOn()),
  lab_account_id: orNull(uuid()),
  parameters: orNull(OrderParameters()),
}))

export const OrderSetQuery = unnamed(() => z.object(pageFields()))
