import * as z from 'zod'
import { unnamed } from '../../api/schema.ts'
import { collectionMethods, sampleTypes } from '../../resources/catalogue/schema.ts'
import { Demographics } from '../../resources/demographics/schema.ts'
import { Insurance } from '../../resources/insurance/schema.ts'
import { LabAccount } from '../../resources/lab-accounts/schema.ts'
import { labTestStatuses } from '../../resources/lab-tests/schema.ts'
import { Payor } from '../../resources/payors/schema.ts'
import { failureReasons, ParsedReport, ParsingJob } from '../../resources/report-parser/schema.ts'
import { TestRun } from '../../resources/unmatched-results/runs/schema.ts'
import { UnmatchedResult } from '../../resources/unmatched-results/schema.ts'
import { instant } from './rows-of-world.ts'

/** Schemas of the stored rows about lab testing. */

export const LabTestRow = unnamed(() =>
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

export const LabAccountRow = unnamed(() => LabAccount().extend({ automatic: z.boolean() }))

const resultPlan = () =>
  z.looseObject({
    interpretation: z.enum(['normal', 'abnormal', 'critical']).optional(),
    missing: z.union([z.boolean(), z.array(z.string())]).optional(),
    types: z.array(z.string()).optional(),
  })

export const OrderMetadataRow = unnamed(() =>
  z.looseObject({
    order_id: z.string(),
    lab_account_id: z.string().optional(),
    collected_at: instant().optional(),
    results: resultPlan().optional(),
    earlier_results: z.array(resultPlan()).optional(),
    aoe_answers: z.array(z.looseObject({})).optional(),
    consents: z.array(z.looseObject({})).optional(),
  }),
)

export const CommunicationRow = unnamed(() =>
  z.looseObject({ order_id: z.string(), sms_enabled: z.boolean() }),
)

export const BookingRow = unnamed(() =>
  z.looseObject({
    appointment_id: z.string(),
    slot: z.string().nullable(),
    taken_at: instant(),
    waits: z.enum(['provider', 'requisition', 'time']).nullable(),
  }),
)

export const TakenSlotRow = unnamed(() => z.looseObject({ slot: z.string(), taken_at: instant() }))

export const SpentKeyRow = unnamed(() => z.looseObject({ key: z.string() }))

export const BookingFateRow = unnamed(() =>
  z.looseObject({ order_id: z.string(), fate: z.enum(['slot_gone', 'provider_silent']) }),
)

export const DemographicsRow = unnamed(() => Demographics().extend({ user_id: z.string() }))

export const InsuranceRow = unnamed(() => Insurance().extend({ id: z.string(), user_id: z.string() }))

export const PayorRow = unnamed(() =>
  Payor().extend({ provider: z.string().nullable(), provider_payor_id: z.string().nullable() }),
)

export const ParsingJobRow = unnamed(() =>
  ParsingJob().extend({
    user_id: z.string(),
    outcome: z
      .union([z.object({ data: ParsedReport() }), z.object({ failure_reason: z.enum(failureReasons) })])
      .nullable(),
  }),
)

export const UnmatchedResultRow = unnamed(() => UnmatchedResult().extend({ lab_test_id: z.string() }))

export const TestRunRow = unnamed(() =>
  TestRun().extend({
    idempotency_key: z.string(),
    request: z.string(),
    given: z.record(z.string(), z.string()).nullable(),
    interpretation: UnmatchedResult().shape.interpretation,
    lab_test_id: z.string().nullable(),
    wrong_lab_test_id: z.string().nullable(),
  }),
)
