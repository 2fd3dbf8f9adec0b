import * as z from 'zod'
import { instant, nullableText, schema } from '../../api/schema.ts'

const Estimate = schema('ResultEstimate', () => ({
  original_estimate: instant().nullable(),
  current_estimate: instant().nullable(),
}))

const namedMarker = () => ({ id: z.int(), name: z.string(), provider_id: nullableText() })

const TrackedMarker = schema('TrackedMarker', () => ({
  ...namedMarker(),
  slug: z.string(),
  status: z.enum(['pending', 'incomplete', 'resulted']),
  expected_at: Estimate(),
  results: z.array(
    z.object({
      id: z.int().nullable(),
      name: z.string(),
      slug: z.string(),
      provider_id: nullableText(),
    }),
  ),
}))

/** From what the time of collection is inferred. */
export const inferences = [
  'lab_arrival',
  'lab_accessioning',
  'scheduled_appointment',
  'dispatch_date',
] as const
export const updateSources = ['lab', 'junction', 'patient'] as const

const TrackingUpdate = schema('OrderTrackingUpdate', () => ({
  created_at: instant(),
  reason: nullableText(),
  revised_estimate: instant().nullable(),
  impacted_markers: z.array(z.object({ ...namedMarker(), estimates: Estimate() })),
  source: z.enum(updateSources),
}))

/** When the results of an order are expected, and how that has changed. Source: docs/contract/order-tracking.md. */
export const OrderTracking = schema('OrderTracking', () => ({
  order_id: z.guid(),
  expected_at: z.object({ final_results: Estimate() }),
  collected_at: z
    .object({
      collected_at: instant(),
      is_inferred: z.boolean(),
      inferred_from: z.enum(inferences).nullable(),
    })
    .nullable(),
  markers: z.array(TrackedMarker()),
  updates: z.array(TrackingUpdate()),
}))
