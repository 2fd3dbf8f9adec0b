import * as z from 'zod'
import { count, instantMs, table } from '../storage/table.ts'
import { type Parsed, texts, unnamed } from './schema.ts'

/** Faults of deliveries. An order's scenario inherits missing values from the endpoint, and the endpoint from the world. */
export const WebhookFaults = unnamed(() => ({
  /** The number of times a delivered message is delivered again, with the same id. */
  duplicate: count().exactOptional(),
  /** The size of a window of messages, which is sent in reverse order. */
  reorder: count().exactOptional(),
  /** Milliseconds of simulated time a message waits before its first attempt. */
  delay_ms: instantMs().min(0).exactOptional(),
  /** The number of attempts of each message that are dropped, from the first. */
  drop_first: count().exactOptional(),
  /** Whether the signature is of another body. */
  bad_signature: z.boolean().exactOptional(),
  /** Whether the signed timestamp is too old for verifiers. */
  stale_timestamp: z.boolean().exactOptional(),
  /** The number of messages that are buffered, and then sent one right after the other. */
  burst: count().exactOptional(),
  /** Whether the same JSON is sent with other spacing, escapes and key order. */
  respell: z.boolean().exactOptional(),
}))
export type WebhookFaults = Parsed<typeof WebhookFaults>

/** Webhook faults of some events of an order: those with the given type, status and number. */
const WebhookFaultRule = unnamed(() =>
  WebhookFaults().extend({
    event_types: texts().exactOptional(),
    /** A status of the order without its method, or one of an appointment. */
    status: z.string().exactOptional(),
    /** Counts the matching events of the order from 1. */
    occurrence: count().exactOptional(),
  }),
)
export type WebhookFaultRule = Parsed<typeof WebhookFaultRule>

/** Webhook faults of an order's scenario; later ones override earlier ones. */
export const orderWebhookFaults = table(
  'order_delivery',
  () => z.object({ order_id: z.string(), rules: z.union([WebhookFaultRule(), z.array(WebhookFaultRule())]) }),
  ({ order_id }) => order_id,
  { owner: 'order' },
)

/** The maximum number of extra deliveries of a message, and the maximum size of a window. */
export const MAX_REPEATED = 100
/** The number of attempts of a message. Source: docs/contract/webhooks.md#delivery. */
export const MAX_DROPPED = 8
