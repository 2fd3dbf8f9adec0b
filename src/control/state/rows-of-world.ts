import * as z from 'zod'
import { unnamed } from '../../api/schema.ts'

/** Schemas of the stored rows about the world, its webhooks and its scenarios. */

const LATEST = 8.64e15

/** Milliseconds since 1970. */
export const instant = () => z.number().min(-LATEST).max(LATEST)

const texts = () => z.array(z.string())
const headers = () => z.record(z.string(), z.string())

export const JobRow = unnamed(() =>
  z.looseObject({
    due: instant(),
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
    at: instant(),
    user_id: z.string().nullable(),
    order_id: z.string().optional(),
    payload: z.looseObject({}),
  }),
)

export const SequenceRow = unnamed(() => z.looseObject({ name: z.string(), last: z.int().min(0) }))

export const PacingRow = unnamed(() =>
  z.looseObject({ at: instant(), simulated: instant(), rate: z.number().positive().max(1e9) }),
)

export const FirstReplyRow = unnamed(() =>
  z.looseObject({
    id: z.string(),
    request: z.string(),
    status: z.int().min(100).max(599),
    body: z.string().nullable(),
    until: instant(),
  }),
)

export const DashboardSessionRow = unnamed(() =>
  z.looseObject({
    id: z.string(),
    member_id: z.string(),
    feature: z.string(),
    modality: z.enum(['feature_embed', 'link_out']),
    expires_at: instant(),
  }),
)

export const MessageRow = unnamed(() =>
  z.looseObject({
    id: z.string(),
    event_id: z.string(),
    event_type: z.string(),
    user_id: z.string().nullable(),
    order_id: z.string().optional(),
    endpoint_id: z.string(),
    created_at: instant(),
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.array(
      z.looseObject({
        at: instant(),
        status: z.number().nullable(),
        duration_ms: z.number(),
        request: z.looseObject({ headers: headers() }),
        response: z.looseObject({ headers: headers(), body: z.string() }).optional(),
      }),
    ),
    marks: texts(),
  }),
)

export const EndpointRow = unnamed(() =>
  z.looseObject({
    id: z.string(),
    url: z.url(),
    secret: z.string(),
    previous_secrets: z.array(z.looseObject({ secret: z.string(), valid_until: instant() })),
    description: z.string().nullable(),
    event_types: texts().nullable(),
    headers: headers(),
    rate_limit: z.number().nullable(),
    disabled: z.boolean(),
    failing: z.looseObject({}).nullable(),
    created_at: instant(),
    updated_at: instant(),
  }),
)

export const BufferedMessageRow = unnamed(() =>
  z.looseObject({ message_id: z.string(), endpoint_id: z.string(), group: z.string() }),
)

const deliveryRules = () => {
  const count = () => z.int().min(0).optional()
  const flag = () => z.boolean().optional()
  return z.looseObject({
    duplicate: count(),
    reorder: count(),
    delay_ms: z.number().min(0).max(LATEST).optional(),
    drop_first: count(),
    bad_signature: flag(),
    stale_timestamp: flag(),
    burst: count(),
  })
}

export const DeliveryRow = unnamed(() => z.looseObject({ scope: z.string(), rules: deliveryRules() }))

export const OrderDeliveryRow = unnamed(() => z.looseObject({ order_id: z.string(), rules: deliveryRules() }))

export const FaultRow = unnamed(() =>
  z.looseObject({
    id: z.string(),
    operation: z.string(),
    operation_id: z.string(),
    order_id: z.string().nullable(),
    times: z.number().nullable(),
    rate: z.number().min(0).max(1),
    after: z.number().min(0),
    respond: z.looseObject({ status: z.int().min(200).max(599), headers: headers().optional() }).nullable(),
    latency: z.looseObject({ min: z.number().min(0), max: z.number().min(0) }).nullable(),
    drop: z.enum(['reset', 'truncate']).nullable(),
    seen: z.int().min(0),
    hits: z.int().min(0),
  }),
)

export const OrderScenarioRow = unnamed(() =>
  z.looseObject({
    order_id: z.string(),
    scenario: z.string(),
    next: z.int().min(0),
    waits: z.enum(['registration', 'appointment']).optional(),
    left: z.looseObject({ because: z.string(), dropped: texts() }).optional(),
  }),
)

export const UploadedScenarioRow = unnamed(() =>
  z.looseObject({ name: z.string(), source: z.string(), zip: z.string().nullable() }),
)

export const UserScenarioRow = unnamed(() => z.looseObject({ user_id: z.string(), scenario: z.string() }))

export const UploadedFeedRow = unnamed(() => z.looseObject({ name: z.string(), source: z.string() }))

export const UsualFeedRow = unnamed(() =>
  z.looseObject({ user_id: z.string().nullable(), scenario: z.string() }),
)
