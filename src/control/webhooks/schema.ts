import * as z from 'zod'
import { boolean, integer, maybe, oneOf, text } from '../../api/fields.ts'
import { pageOf } from '../../api/pagination.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { customHeaders, receiverUrl } from '../../webhooks/fields.ts'
import { SECRET_PATTERN } from '../../webhooks/signature.ts'
import { messageStatuses } from '../../webhooks/table.ts'
import { instant } from '../fields.ts'

const moment = () => z.iso.datetime({ offset: true })

const eventTypes = () => maybe(z.array(text()).min(1))
const secret = () => maybe(text().regex(SECRET_PATTERN))

export const NewWebhookEndpoint = schema('NewWebhookEndpoint', () =>
  z.strictObject({
    url: receiverUrl(),
    secret: secret(),
    description: maybe(text()),
    event_types: eventTypes(),
    headers: maybe(customHeaders()),
    disabled: maybe(boolean()),
  }),
)

export const WebhookEndpointPatch = schema('WebhookEndpointPatch', () =>
  NewWebhookEndpoint().extend({ url: maybe(receiverUrl()) }),
)

export const WebhookEndpoint = schema('WebhookEndpoint', () =>
  z.object({
    id: z.string(),
    url: z.string(),
    secret: z.string(),
    description: z.string().nullable(),
    event_types: z.array(z.string()).nullable(),
    headers: z.record(z.string(), z.string()),
    disabled: z.boolean(),
    /** The first failure since the last success. */
    failing_since: moment().nullable(),
    created_at: moment(),
    updated_at: moment(),
  }),
)

/** An endpoint with its replaced secrets, each of which also signs until it expires. */
export const RotatedWebhookEndpoint = schema('RotatedWebhookEndpoint', () =>
  WebhookEndpoint().extend({
    previous_secrets: z.array(z.object({ secret: z.string(), valid_until: moment() })),
  }),
)

export const RotateSecret = schema('RotateWebhookSecret', () => z.strictObject({ secret: secret() }))

export const WebhookEndpointList = schema('WebhookEndpointList', () => pageOf(WebhookEndpoint()))

const WebhookAttempt = schema('WebhookAttempt', () =>
  z.object({
    at: moment(),
    status: z.int().nullable(),
    duration_ms: z.int(),
    error: z.string().optional(),
    manual: z.boolean().optional(),
    /** The delivery faults that were applied, by the names of the rules. */
    marks: z.array(z.string()).optional(),
    request: z.object({ headers: z.record(z.string(), z.string()) }),
    response: z.object({ headers: z.record(z.string(), z.string()), body: z.string() }).optional(),
  }),
)

export const WebhookMessage = schema('WebhookMessage', () =>
  z.object({
    id: z.string(),
    svix_id: z.string(),
    event_type: z.string(),
    user_id: z.string().nullable(),
    order_id: z.string().optional(),
    endpoint_id: z.string(),
    created_at: moment(),
    status: z.enum(messageStatuses),
    payload: z.looseObject({}).nullable(),
    attempts: z.array(WebhookAttempt()),
    attempt_count: z.int(),
    /** HTTP status and error of the latest attempt. */
    last_status: z.int().nullable(),
    last_error: z.string().nullable(),
    /** The call that caused it; null if a job did, or if the call is not recorded any more. */
    request_id: z.string().nullable(),
    marks: z.array(z.string()),
    /** When the next attempt is due. */
    next_attempt_at: moment().nullable(),
  }),
)

export const WebhookMessageList = schema('WebhookMessageList', () => pageOf(WebhookMessage()))

export const WebhookMessageQuery = unnamed(() =>
  z.object({
    event_type: maybe(text()),
    order_id: maybe(text()),
    user_id: maybe(text()),
    endpoint_id: maybe(text()),
    status: maybe(oneOf(messageStatuses)),
    q: maybe(text()).describe('Part of an id, the event type or the payload.'),
    fields: maybe(oneOf(['summary'])).describe('summary: without payload and attempts.'),
    order: oneOf(['asc', 'desc']).default('asc'),
    limit: integer({ ge: 1, le: 500 }).default(100),
    cursor: maybe(text()),
  }),
)

/** Whether Petri can connect to the receiver of an endpoint. */
export const Reachability = schema('WebhookReachability', () =>
  z.object({ reachable: z.boolean(), detail: z.string().nullable(), in_container: z.boolean() }),
)

/** An event with the body that is sent for it. */
export const WebhookEvent = schema('WebhookEvent', () =>
  z.object({
    id: z.string(),
    event_type: z.string(),
    at: moment(),
    user_id: z.string().nullable(),
    order_id: z.string().optional(),
    payload: z.looseObject({}),
  }),
)

export const EventPath = unnamed(() => z.object({ event_id: text() }))

export const Recover = schema('WebhookRecover', () =>
  z.strictObject({ since: instant(), endpoint_id: maybe(text()) }),
)
export const Recovered = schema('WebhookRecovered', () => z.object({ resent: z.int() }))

export const EndpointPath = unnamed(() => z.object({ endpoint_id: text() }))
export const MessagePath = unnamed(() => z.object({ message_id: text() }))
