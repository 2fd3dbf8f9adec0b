import * as z from 'zod'
import { boolean, integer, maybe, text, uuid } from '../../api/fields.ts'
import { named, nullableText, schema, unnamed } from '../../api/schema.ts'

const Loinc = schema('Loinc', () => ({
  ...named(),
  code: z.string(),
  unit: nullableText(),
}))

export const ExpectedResult = schema('ExpectedResult', () => ({
  ...named(),
  lab_id: z.int().nullable(),
  provider_id: nullableText(),
  required: z.boolean(),
  loinc: Loinc().nullable(),
}))

const AoeQuestion = schema('AoeQuestion', () => ({
  id: z.int().meta({ format: 'int64' }),
  required: z.boolean(),
  code: z.string(),
  value: z.string(),
  type: z.enum(['choice', 'text', 'numeric', 'multi_choice']),
  sequence: z.int(),
  answers: z.array(z.object({ id: z.int(), code: z.string(), value: z.string() })),
  constraint: nullableText(),
  default: nullableText(),
}))

/** Questions that a laboratory asks with an order. */
const Aoe = schema('Aoe', () => ({ questions: z.array(AoeQuestion()) }))

/** A marker of a lab test. */
export const Marker = schema('Marker', () => ({
  ...named(),
  description: nullableText(),
  lab_id: z.int().nullable(),
  provider_id: nullableText(),
  type: z.enum(['biomarker', 'panel']).nullable(),
  unit: nullableText(),
  price: nullableText(),
  aoe: Aoe().nullable(),
  a_la_carte_enabled: z.boolean(),
  common_tat_days: z.int().nullable(),
  worst_case_tat_days: z.int().nullable(),
  is_orderable: z.boolean().nullable(),
}))

/** A marker with its expected results. */
export const MarkerComplete = schema('MarkerComplete', () =>
  Marker().extend({ expected_results: z.array(ExpectedResult()) }),
)

export const PricingModifier = schema('PricingModifier', () => ({
  delta_amount_minor: z.union([z.int(), z.object({ minimum: z.int(), maximum: z.int() })]),
  conditions: z.object({
    us_state: z.object({ any_of: z.array(z.string()) }).nullable(),
    reflex: z.object({}).nullable(),
  }),
  /** The names of the conditions that are set. */
  keys: z.array(z.string()),
}))

/** A price in US cents, or the reason why there is none. */
export const Pricing = schema('Pricing', () =>
  z.union([
    z.object({ base_amount_minor: z.int(), modifiers: z.array(PricingModifier()).nullable() }),
    z.object({ unspecified: z.enum(['refer_to_contract', 'price_unavailable']) }),
  ]),
)

/** Prices by marker id. */
const MarkerPricing = schema('MarkerPricing', () => ({
  currency: z.literal('USD'),
  data: z.record(z.string(), Pricing()),
}))

export const MarkerPage = schema('MarkerPage', () => ({
  markers: z.array(MarkerComplete()),
  total: z.int().min(0).nullable(),
  page: z.int().min(0).nullable(),
  size: z.int().min(0).nullable(),
  pages: z.int().min(0).nullable(),
  pricing: MarkerPricing().nullish(),
}))

export const pageFields = () => ({
  page: integer({ ge: 1 }).default(1),
  size: integer({ ge: 1, le: 100 }).default(50),
})

export const MarkerQuery = unnamed(() => ({
  lab_id: maybe(z.array(integer())),
  lab_slug: maybe(text()),
  lab_account_id: maybe(uuid()),
  name: text().default(''),
  a_la_carte_enabled: maybe(boolean()),
  include_pricing: boolean().default(false),
  ...pageFields(),
}))

/** A marker by its laboratory and the laboratory's order code. */
export const MarkerPath = unnamed(() => ({ lab_id: integer(), provider_id: text() }))
export const MarkerAccount = unnamed(() => ({ lab_account_id: maybe(uuid()) }))
