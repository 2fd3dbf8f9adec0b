import { table } from '../storage/table.ts'
import type { Failing } from './retry-schedule.ts'

/** A secret that was replaced and still signs for a while. */
export interface OldSecret {
  readonly secret: string
  /** Milliseconds since 1970, the world's clock. */
  readonly valid_until: number
}

/** Where messages are sent. Instants in milliseconds since 1970, the world's clock. */
export interface Endpoint {
  readonly id: string
  readonly url: string
  readonly secret: string
  /** Newest first. */
  readonly previous_secrets: readonly OldSecret[]
  readonly description: string | null
  /** The event types it subscribes to; null is all. */
  readonly event_types: readonly string[] | null
  /** Sent with each delivery, names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Messages a second; kept for the management API. */
  readonly rate_limit: number | null
  readonly disabled: boolean
  /** Null while the last attempt was a success. */
  readonly failing: Failing | null
  readonly created_at: number
  readonly updated_at: number
}

export const endpoints = table<Endpoint>('webhook_endpoints', ({ id }) => id)

/** One attempt to deliver a message. */
export interface Attempt {
  /** Milliseconds since 1970, the world's clock. */
  readonly at: number
  /** HTTP status of the reply; null when there was none. */
  readonly status: number | null
  /** Wall milliseconds in a live world; 0 in a frozen one, where equal calls leave equal rows. */
  readonly duration_ms: number
  /** What went wrong, in words. */
  readonly error?: string
  /** A resend, which is not retried. */
  readonly manual?: boolean
  /** The delivery faults that were applied. */
  readonly marks?: readonly string[]
  readonly request: { readonly headers: Readonly<Record<string, string>> }
  readonly response?: { readonly headers: Readonly<Record<string, string>>; readonly body: string }
}

export type MessageStatus = 'pending' | 'delivered' | 'failed'

/** An event on its way to one endpoint. Its body stays in the event's row. */
export interface Message {
  /** The event's id, followed by `~2`, `~3`, … for its second, third, … endpoint. */
  readonly id: string
  /** Also the `svix-id` of every delivery. */
  readonly event_id: string
  readonly event_type: string
  readonly user_id: string | null
  readonly order_id?: string
  readonly endpoint_id: string
  /** Milliseconds since 1970, the world's clock. */
  readonly created_at: number
  readonly status: MessageStatus
  readonly attempts: readonly Attempt[]
  /** The delivery faults applied to it, and why it failed if not by its attempts. */
  readonly marks: readonly string[]
}

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
