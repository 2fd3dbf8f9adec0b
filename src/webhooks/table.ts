import * as z from 'zod'
import { nullableText, type Parsed, unnamed } from '../api/schema.ts'
import { WebhookFaults } from '../api/webhook-faults.ts'
import { instantMs, table } from '../storage/table.ts'
import { Failing } from './retry-schedule.ts'

const headers = () => z.record(z.string(), z.string())

/** A receiver of messages. */
export const Endpoint = unnamed(() => ({
  id: z.string(),
  url: z.url(),
  secret: z.string(),
  /** Replaced secrets, which still sign until an instant of the world's clock; newest first. */
  previous_secrets: z.array(z.object({ secret: z.string(), valid_until: instantMs() })),
  description: nullableText(),
  /** The event types it subscribes to; null for all. */
  event_types: z.array(z.string()).nullable(),
  /** Added to each delivery; names in lower case. */
  headers: headers(),
  /** Messages per second; set by the management API. */
  rate_limit: z.number().nullable(),
  disabled: z.boolean(),
  /** Whether it is that of the setting `PETRI_WEBHOOK_URL`. */
  from_setting: z.boolean().exactOptional(),
  /** Null if the last attempt was a success. */
  failing: Failing().nullable(),
  created_at: instantMs(),
  updated_at: instantMs(),
}))
export type Endpoint = Parsed<typeof Endpoint>

export const endpoints = table('webhook_endpoints', Endpoint, ({ id }) => id)

/** One attempt to deliver a message. */
export const Attempt = unnamed(() => ({
  /** By the world's clock. */
  at: instantMs(),
  /** The HTTP status of the reply; null if there was none. */
  status: z.int().nullable(),
  /** Wall-clock milliseconds in a live world; 0 in a frozen one, where equal calls leave equal rows. */
  duration_ms: z.int(),
  /** The error, in words. */
  error: z.string().optional(),
  /** What can be done about it. */
  advice: z.string().optional(),
  /** Whether it is a resend, which is not retried. */
  manual: z.boolean().optional(),
  /** The webhook faults that were applied. */
  marks: z.array(z.string()).optional(),
  request: z.object({ headers: headers() }),
  response: z.object({ headers: headers(), body: z.string() }).optional(),
}))
export type Attempt = Parsed<typeof Attempt>

export const messageStatuses = ['pending', 'delivered', 'failed'] as const

/** The number of scheduled attempts; resends do not count. */
export const scheduledAttempts = ({ attempts }: Message): number =>
  attempts.filter(({ manual }) => !manual).length

/** An event for one endpoint. The body is in the event's row. */
export const Message = unnamed(() => ({
  /** The event's id, followed by `~2`, `~3`, … for its second, third, … endpoint. */
  id: z.string(),
  /** Also the `svix-id` of every delivery. */
  event_id: z.string(),
  event_type: z.string(),
  user_id: nullableText(),
  order_id: z.string().optional(),
  endpoint_id: z.string(),
  /** By the world's clock. */
  created_at: instantMs(),
  status: z.enum(messageStatuses),
  attempts: z.array(Attempt()),
  /** The webhook faults that were applied, and why it failed if not because of its attempts. */
  marks: z.array(z.string()),
}))
export type Message = Parsed<typeof Message>

/** Whether a message was given up, or was refused and waits for its next attempt. */
export const isFailing = ({ status, attempts }: Message): boolean =>
  status === 'failed' || (status === 'pending' && attempts.length > 0)

export const messages = table('webhook_messages', Message, ({ id }) => id, {
  owner: 'user',
  owns: 'message',
  indexes: {
    failing: (message) => (isFailing(message) ? 'yes' : null),
    user: ({ user_id }) => user_id,
    order: ({ order_id }) => order_id,
    endpoint: ({ endpoint_id }) => endpoint_id,
    type: ({ event_type }) => event_type,
  },
})

/** The id of an event's message to its first, second, … endpoint. */
export const messageId = (eventId: string, ordinal: number): string =>
  ordinal === 1 ? eventId : `${eventId}~${ordinal}`

/** The event of a message, by its id. */
export const eventIdOf = (id: string): string => id.replace(/~\d+$/, '')

/** The webhook faults of a world, or of one endpoint. */
export const webhookFaults = table(
  'webhook_delivery_faults',
  () =>
    z.object({
      /** An endpoint's id, or `WORLD`. */
      scope: z.string(),
      rules: WebhookFaults(),
    }),
  ({ scope }) => scope,
)

/** A message that is buffered until its window is full. */
export const bufferedMessages = table(
  'webhook_buffered_messages',
  () =>
    z.object({
      message_id: z.string(),
      endpoint_id: z.string(),
      /** The messages of a window: all to an endpoint, or those of one order to it. */
      group: z.string(),
    }),
  ({ message_id }) => message_id,
  { owner: 'message', indexes: { group: ({ group }) => group } },
)
