import * as z from 'zod'
import { Address } from '../../api/address.ts'
import { integer, maybe, text } from '../../api/fields.ts'
import { pageOf } from '../../api/pagination.ts'
import { anyObject, instant, named, nullableText, schema, unnamed } from '../../api/schema.ts'
import { CollectionMethod } from '../labs/schema.ts'
import { lowStatuses } from '../orders/lifecycle.ts'
import { bound } from '../orders/requests.ts'
import { interpretations, OrderTransaction } from '../orders/schema.ts'

export const resultTypes = ['numeric', 'range', 'comment', 'coded_value'] as const

export const failureTypes = [
  'quantity_not_sufficient_failure',
  'collection_process_failure',
  'drop_off_failure',
  'internal_lab_failure',
  'order_entry_failure',
  'non_failure',
  'unknown_failure',
  'patient_condition_failure',
  'missing_result_calc_failure',
  'missing_demo_aoe_calc_failure',
  'insufficient_volume',
] as const

const ResultType = schema('ResultType', () => z.enum(resultTypes))
const FailureType = schema('FailureType', () => z.enum(failureTypes))

const ParentBiomarkerData = schema('ParentBiomarkerData', () => ({
  marker_id: z.int(),
  name: z.string(),
  slug: z.string(),
  provider_id: nullableText(),
}))

const codes = () => ({
  loinc: nullableText(),
  loinc_slug: nullableText(),
  provider_id: nullableText(),
  source_markers: z.array(ParentBiomarkerData()).nullable(),
})

export const BiomarkerResult = schema('BiomarkerResult', () => ({
  name: z.string(),
  slug: z.string(),
  value: z.number().nullable(),
  result: z.string(),
  type: ResultType(),
  unit: nullableText(),
  timestamp: instant().nullable(),
  notes: nullableText(),
  reference_range: nullableText(),
  min_range_value: z.number().nullable(),
  max_range_value: z.number().nullable(),
  is_above_max_range: z.boolean().nullable(),
  is_below_min_range: z.boolean().nullable(),
  interpretation: z.string(),
  source_interpretation: z.string(),
  ...codes(),
  performing_laboratory: nullableText(),
  source_sample_id: nullableText(),
}))

export const MissingBiomarkerResult = schema('MissingBiomarkerResult', () => ({
  name: z.string(),
  slug: z.string(),
  inferred_failure_type: FailureType(),
  note: nullableText(),
  ...codes(),
}))

/** The metadata of a report, with both spellings of the laboratory's registration. */
export const LabResultsMetadata = schema('LabResultsMetadata', () => ({
  age: z.string(),
  dob: z.string(),
  'clia_#': nullableText(),
  clia_number: nullableText(),
  patient: z.string(),
  provider: nullableText(),
  laboratory: nullableText(),
  date_reported: z.string(),
  date_collected: nullableText(),
  specimen_number: z.string(),
  date_received: nullableText(),
  status: z.string(),
  interpretation: nullableText(),
  patient_id: nullableText(),
  account_id: nullableText(),
}))

const UTCTimestampWithTimezoneOffset = schema('UTCTimestampWithTimezoneOffset', () => ({
  timestamp: instant(),
  timezone_offset: z.int(),
}))

const stamp = () => z.union([UTCTimestampWithTimezoneOffset(), z.string()]).nullable()

const PerformingLaboratory = schema('PerformingLaboratory', () => ({
  name: z.string(),
  phone_number: nullableText(),
  medical_director: nullableText(),
  address: Address().nullable(),
}))

const ClinicalInformation = schema('ClinicalInformation', () => ({
  fasting: z.boolean(),
  notes: nullableText(),
  information: nullableText(),
  total_volume: nullableText(),
}))

const SampleData = schema('SampleData', () => ({
  sample_id: nullableText(),
  control_number: nullableText(),
  date_collected: stamp(),
  date_received: stamp(),
  date_reported: stamp(),
  performing_laboratories: z.record(z.string(), PerformingLaboratory()).nullable(),
  clinical_information: ClinicalInformation().nullable(),
}))

export const LabResultsRaw = schema('LabResultsRaw', () => ({
  metadata: LabResultsMetadata(),
  /** Laboratories without structured results send an object; Petri has none. */
  results: z.union([z.array(BiomarkerResult()), anyObject()]),
  missing_results: z.array(MissingBiomarkerResult()).nullable(),
  /** By sample id. */
  sample_information: z.record(z.string(), SampleData()).nullable(),
  order_transaction: OrderTransaction().nullable(),
}))

/** A result in the list: a summary without values. Source: docs/contract/results.md. */
const ResultSummary = schema('ResultSummary', () => ({
  id: z.guid(),
  user_id: z.guid(),
  interpretation: z.enum(interpretations),
  has_missing_results: z.boolean(),
  date_collected: instant().nullable(),
  created_at: instant(),
  order: z.object({
    id: z.guid(),
    last_status: z.enum(lowStatuses),
    last_status_timestamp: instant(),
  }),
  patient_details: z.object({
    first_name: nullableText(),
    last_name: nullableText(),
    email: nullableText(),
  }),
  lab: z.object(named()).nullable(),
  lab_test: z.object({ id: z.guid(), name: z.string(), method: CollectionMethod() }),
}))
export const ResultList = schema('ResultList', () => pageOf(ResultSummary()))
export const ResultListQuery = unnamed(() => ({
  search_input: maybe(text()),
  created_at_start: maybe(bound('start')),
  created_at_end: maybe(bound('end')),
  results_limit: integer({ ge: 1, le: 100 }).default(10),
  next_cursor: maybe(text()),
}))
