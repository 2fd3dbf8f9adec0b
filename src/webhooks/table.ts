import * as z from 'zod'
import { DeliveryFaults } from '../api/delivery.ts'
import { instantMs, type Row, unnamed } from '../api/schema.ts'
import { table } from '../storage/table.ts'
import { Failing } from './retry-schedule.ts'

const headers = () => z.record(z.string(), z.string())

/** Where messages are sent. */
export const Endpoint = unnamed(() =>
  z.object({
    id: z.string(),
    url: z.url(),
    secret: z.string(),
    /** Those that were replaced and still sign until an instant of the world's clock; newest first. */
    previous_secrets: z.array(z.object({ secret: z.string(), valid_until: instantMs() })),
    description: z.string().nullable(),
    /** The event types it subscribes to; null is all. */
    event_types: z.array(z.string()).nullable(),
    /** Sent with each delivery, names in lower case. */
    headers: headers(),
    /** Messages a second; kept for the management API. */
    rate_limit: z.number().nullable(),
    disabled: z.boolean(),
    /** Null while the last attempt was a success. */
    failing: Failing().nullable(),
    created_at: instantMs(),
    updated_at: instantMs(),
  }),
)
export type Endpoint = Row<typeof Endpoint>

export const endpoints = table<Endpoint>('webhook_endpoints', ({ id }) => id)

/** One attempt to deliver a message. */
const AttemptRow = unnamed(() =>
  z.object({
    /** By the world's clock. */
    at: instantMs(),
    /** HTTP status of the reply; null when there was none. */
    status: z.number().nullable(),
    /** Wall milliseconds in a live world; 0 in a frozen one, where equal calls leave equal rows. */
    duration_ms: z.number(),
    /** What went wrong, in words. */
    error: z.string().exactOptional(),
    /** A resend, which is not retried. */
    manual: z.boolean().exactOptional(),
    /** The delivery faults that were applied. */
    marks: z.array(z.string()).exactOptional(),
    request: z.object({ headers: headers() }),
    response: z.object({ headers: headers(), body: z.string() }).exactOptional(),
  }),
)
export type Attempt = Row<typeof AttemptRow>

/** An event on its way to one endpoint. Its body stays in the event's row. */
export const Message = unnamed(() =>
  z.object({
    /** The event's id, followed by `~2`, `~3`, … for its second, third, … endpoint. */
    id: z.string(),
    /** Also the `svix-id` of every delivery. */
    event_id: z.string(),
    event_type: z.string(),
    user_id: z.string().nullable(),
    order_id: z.string().exactOptional(),
    endpoint_id: z.string(),
    /** By the world's clock. */
    created_at: instantMs(),
    status: z.enum(messageStatuses),
    attempts: z.array(AttemptRow()),
    /** The delivery faults applied to it, and why it failed if not by its attempts. */
    marks: z.array(z.string()),
  }),
)
export type Message = Row<typeof Message>

export const messageStatuses = ['pending', 'delivered', 'failed'] as const
export type MessageStatus = (typeof messageStatuses)[number]

/** How many scheduled attempts were made; resends do not count. */
export const scheduledAttempts = ({ attempts }: Message): number =>
  attempts.filter(({ manual }) => !manual).length

/** Whether its latest attempt failed, and it is tried again or was given up. */
const isFailing = ({ status, attempts }: Message): boolean =>
  status === 'failed' || (status === 'pending' && attempts.length > 0)

export const messages = table<Message, 'failing'>('webhook_messages', ({ id }) => id, {
  indexes: { failing: (message) => (isFailing(message) ? 'yes' : null) },
})

/** The id of an event's message to its first, second, … endpoint. */
export const messageId = (eventId: string, ordinal: number): string =>
  ordinal === 1 ? eventId : `${eventId}~${ordinal}`

/** The event of a message, by its id. */
export const eventIdOf = (id: string): string => id.replace(/~\d+$/, '')

/** The delivery faults of a world, or of one endpoint. */
export const ScopedFaults = unnamed(() =>
  z.object({
    /** An endpoint's id, or `WORLD`. */
    scope: z.string(),
    rules: DeliveryFaults(),
  }),
)

export const deliveryFaults = table<Row<typeof ScopedFaults>>('webhook_delivery_faults', ({ scope }) => scope)

/** A message that is buffered until others have joined it. */
export const BufferedMessage = unnamed(() =>
  z.object({
    message_id: z.string(),
    endpoint_id: z.string(),
    /** The messages that wait for each other: all to an endpoint, or those of one order to it. */
    group: z.string(),
  }),
)

export const bufferedMessages = table<Row<typeof BufferedMessage>, 'group'>(
  'webhook_held',
  ({ message_id }) => message_id,
  {
    indexes: { group: ({ group }) => group },
  },
)
