import * as z from 'zod'
import { boolean, field, integer, maybe, oneOf, text } from '../../api/fields.ts'
import { valueError } from '../../api/issue.ts'
import { pageOf, pageQuery } from '../../api/pagination.ts'
import { nullableText, schema, unnamed } from '../../api/schema.ts'
import { MAX_DROPPED, MAX_REPEATED } from '../../api/webhook-faults.ts'
import { customHeaders, receiverUrl } from '../../webhooks/fields.ts'
import { SECRET_PATTERN } from '../../webhooks/signature.ts'
import { Attempt, Endpoint, Message, messageStatuses } from '../../webhooks/table.ts'
import { duration, instant } from '../fields.ts'

const moment = () => z.iso.datetime({ offset: true })

const eventTypes = () => maybe(z.array(text()).min(1))
const secret = () => maybe(text().regex(SECRET_PATTERN))

const EndpointFields = unnamed(() =>
  z.strictObject({
    url: receiverUrl(),
    secret: secret(),
    description: maybe(text()),
    event_types: eventTypes(),
    headers: maybe(customHeaders()),
    disabled: maybe(boolean()),
  }),
)

export const NewWebhookEndpoint = schema('NewWebhookEndpoint', () =>
  EndpointFields().extend({
    resend: integer({ ge: 1, le: 2000 })
      .optional()
      .describe('How many of the last events before it are sent to it; none by default.'),
  }),
)

export const WebhookEndpointPatch = schema('WebhookEndpointPatch', () =>
  EndpointFields().extend({ url: maybe(receiverUrl()) }),
)

export const WebhookEndpoint = schema('WebhookEndpoint', () =>
  Endpoint().omit({ previous_secrets: true, rate_limit: true, from_setting: true, failing: true }).extend({
    /** Why it is disabled; null while it is enabled. */
    disabled_reason: nullableText(),
    /** The first failure since the last success. */
    failing_since: moment().nullable(),
    created_at: moment(),
    updated_at: moment(),
  }),
)

export const AddedWebhookEndpoint = schema('AddedWebhookEndpoint', () =>
  WebhookEndpoint().extend({
    earlier_events: z
      .int()
      .describe('The kept events before it that it has not been sent; `resend` sends them.'),
  }),
)

/** An endpoint with its replaced secrets; each also signs until it expires. */
export const RotatedWebhookEndpoint = schema('RotatedWebhookEndpoint', () =>
  WebhookEndpoint().extend({
    previous_secrets: z.array(z.object({ secret: z.string(), valid_until: moment() })),
  }),
)

export const RotateSecret = schema('RotateWebhookSecret', () => z.strictObject({ secret: secret() }))

export const WebhookEndpointList = schema('WebhookEndpointList', () => pageOf(WebhookEndpoint()))

const WebhookAttempt = schema('WebhookAttempt', () => Attempt().extend({ at: moment() }))

export const WebhookMessage = schema('WebhookMessage', () =>
  Message()
    .omit({ event_id: true })
    .extend({
      svix_id: z.string(),
      /** Empty if the event was sent to no endpoint. */
      endpoint_id: z.string(),
      status: z.enum([...messageStatuses, 'no_endpoint']),
      /** The status that its body tells, such as that of the order. */
      subject_status: nullableText(),
      created_at: moment(),
      sequence: z
        .int()
        .describe(
          'Its place among the calls and messages of the world; 0 for one from before the last start.',
        ),
      payload: z.looseObject({}).nullable(),
      attempts: z.array(WebhookAttempt()),
      attempt_count: z.int(),
      /** HTTP status and error of the latest attempt, and what can be done about it. */
      last_status: z.int().nullable(),
      last_error: nullableText(),
      last_advice: nullableText(),
      /** The call that caused it; null if a job did, or if the call is not recorded any more. */
      request_id: nullableText(),
      caused_by: z.enum(['call', 'job']),
      /** When the next attempt is due. */
      next_attempt_at: moment().nullable(),
    }),
)

export const WebhookMessageList = schema('WebhookMessageList', () => pageOf(WebhookMessage()))

export const askedStatuses = [...messageStatuses, 'failing', 'no_endpoint'] as const

export const WebhookMessageQuery = unnamed(() => ({
  event_type: maybe(text()),
  order_id: maybe(text()),
  user_id: maybe(text()),
  endpoint_id: maybe(text()),
  status: maybe(oneOf(askedStatuses)).describe(
    'failing: given up, or refused and waiting for the next attempt; no_endpoint: the events that were sent to none.',
  ),
  q: maybe(text()).describe('Words in any order, parts of the id, the event type or the payload.'),
  fields: maybe(oneOf(['summary'])).describe('summary: without payload and attempts.'),
  order: oneOf(['asc', 'desc']).default('asc'),
  ...pageQuery(),
}))

/** Whether Petri can connect to the receiver of an endpoint. */
export const Reachability = schema('WebhookReachability', () => ({
  reachable: z.boolean(),
  detail: nullableText(),
  in_container: z.boolean(),
}))

/** An event with the body that is sent for it. */
export const WebhookEvent = schema('WebhookEvent', () => ({
  id: z.string(),
  event_type: z.string(),
  at: moment(),
  user_id: nullableText(),
  order_id: z.string().optional(),
  payload: z.looseObject({}),
}))

export const EventPath = unnamed(() => ({ event_id: text() }))

export const Resend = schema('WebhookResend', () =>
  z.strictObject({
    message_id: maybe(text()).describe('Only this message, also if it was delivered; given alone.'),
    endpoint_id: maybe(text()).describe('Only messages to this endpoint.'),
    order_id: maybe(text()).describe('Only messages about this order.'),
    since: maybe(instant()).describe('Only messages created since then.'),
  }),
)
export const Resent = schema('WebhookResent', () => ({
  resent: z.int(),
  /** Why nothing was sent; absent if something was. */
  reason: z.string().optional(),
}))

export const EndpointPath = unnamed(() => ({ endpoint_id: text() }))
export const MessagePath = unnamed(() => ({ message_id: text() }))

/** Size of a window; true means two. */
const window = () =>
  field<number, number | boolean>(
    { type: ['integer', 'boolean'], minimum: 0, maximum: MAX_REPEATED },
    (input) => {
      if (typeof input === 'boolean') return input ? 2 : 0
      const isSize = Number.isInteger(input) && (input as number) >= 0 && (input as number) <= MAX_REPEATED
      return isSize
        ? (input as number)
        : valueError(`reorder is true (pairs), false, or a window of 0 to ${MAX_REPEATED} messages`)
    },
  )

const count = (most: number) => integer({ ge: 0, le: most })

/** An endpoint inherits omitted rules from the world; rules the world omits are off. */
export const WebhookFaultsInput = schema('WebhookFaultsInput', () =>
  z.strictObject({
    duplicate: maybe(count(MAX_REPEATED)).describe(
      'Delivers each message this many extra times, with the same svix-id.',
    ),
    reorder: maybe(window()).describe(
      'Holds messages until there are this many, then sends them in reverse order.',
    ),
    delay: maybe(duration()).describe('Delays the first attempt by this much simulated time.'),
    drop_first: maybe(count(MAX_DROPPED)).describe('Loses this many first attempts of each message.'),
    bad_signature: maybe(boolean()).describe(
      'Signs another body, so your receiver must refuse the message. The live service never does this.',
    ),
    stale_timestamp: maybe(boolean()).describe(
      'Signs a timestamp ten minutes old, so your receiver must refuse the message. The live service never does this.',
    ),
    burst: maybe(count(MAX_REPEATED)).describe(
      'Holds messages until there are this many, then sends them all at once.',
    ),
    respell: maybe(boolean()).describe(
      'Sends the same JSON with other spacing, escapes and key order, signed as it is sent. A receiver must verify the bytes it got.',
    ),
    endpoint_id: maybe(text()).describe('The endpoint the rules apply to; all by default.'),
  }),
)

const Rules = unnamed(() => ({
  duplicate: z.int(),
  reorder: z.int(),
  delay: nullableText(),
  drop_first: z.int(),
  bad_signature: z.boolean(),
  stale_timestamp: z.boolean(),
  burst: z.int(),
  respell: z.boolean(),
  endpoint_id: nullableText(),
}))

export const WebhookFaults = schema('WebhookFaults', () =>
  Rules().extend({
    /** Endpoints that have their own rules. */
    endpoints: z.array(Rules()),
  }),
)

export const WebhookFaultsQuery = unnamed(() => ({ endpoint_id: maybe(text()) }))
