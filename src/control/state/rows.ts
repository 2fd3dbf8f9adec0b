import * as z from 'zod'
import { instantMs, unnamed } from '../../api/schema.ts'

/** Schemas of the rows that their table declares by a type alone, or that this layer must not import. */

export const JobRow = unnamed(() =>
  z.looseObject({
    due: instantMs(),
    turn: z.number(),
    rank: z.number().optional(),
    kind: z.string(),
    subject: z.string(),
    paced: z.boolean().optional(),
    recurring: z.boolean().optional(),
  }),
)

export const EventRow = unnamed(() =>
  z.looseObject({
    id: z.string(),
    event_type: z.string(),
    at: instantMs(),
    user_id: z.string().nullable(),
    order_id: z.string().optional(),
    payload: z.looseObject({}),
  }),
)

export const SequenceRow = unnamed(() => z.looseObject({ name: z.string(), last: z.int().min(0) }))

export const PacingRow = unnamed(() =>
  z.looseObject({ at: instantMs(), simulated: instantMs(), rate: z.number().positive().max(1e9) }),
)

export const FirstReplyRow = unnamed(() =>
  z.looseObject({
    id: z.string(),
    request: z.string(),
    status: z.int().min(100).max(599),
    body: z.string().nullable(),
    until: instantMs(),
  }),
)

export const DashboardSessionRow = unnamed(() =>
  z.looseObject({
    id: z.string(),
    member_id: z.string(),
    feature: z.string(),
    modality: z.enum(['feature_embed', 'link_out']),
    expires_at: instantMs(),
  }),
)

export const ConnectionFeedRow = unnamed(() =>
  z.looseObject({
    user_id: z.string(),
    provider: z.string(),
    chapters: z.array(
      z.looseObject({
        scenario: z.string(),
        began: instantMs(),
        ended: instantMs().nullable(),
        whole: z.boolean(),
        steps: z.array(z.looseObject({ verb: z.string(), atMs: z.number() })),
      }),
    ),
  }),
)

export const LinkTokenRow = unnamed(() =>
  z.looseObject({
    token: z.string(),
    user_id: z.string(),
    scenario: z.string().optional(),
    expires_at: instantMs(),
    consumed: z.boolean(),
    started: z.string().nullable(),
    pending: z
      .looseObject({
        provider: z.string(),
        account: z.string(),
        method: z.enum(['sms', 'email']),
        hint: z.string(),
      })
      .nullable(),
  }),
)

export const StoredSampleRow = unnamed(() =>
  z.looseObject({
    id: z.string(),
    day: z.string(),
    sample: z.looseObject({
      start: instantMs(),
      end: instantMs(),
      offsetSeconds: z.number().nullable(),
      value: z.union([z.number(), z.string()]).nullable(),
      type: z.string().nullable(),
      more: z.record(z.string(), z.unknown()).optional(),
    }),
  }),
)

export const QuerySchedulingRow = unnamed(() =>
  z.looseObject({ query_id: z.string(), minimum_gap_duration_second: z.number().nullable() }),
)

export const ResultTableRow = unnamed(() => {
  const values = () => z.array(z.unknown())
  return z.looseObject({
    query_id: z.string(),
    user_id: z.string(),
    lines: z.array(z.looseObject({ keys: values(), cells: values() })),
  })
})

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
    collected_at: instantMs().optional(),
    results: resultPlan().optional(),
    earlier_results: z.array(resultPlan()).optional(),
    aoe_answers: z.array(z.looseObject({})).optional(),
    consents: z.array(z.looseObject({})).optional(),
  }),
)
