import { table } from '../storage/table.ts'

/** An event that webhooks deliver. */
export interface WorldEvent {
  /** The `svix-id` of every message made of it. */
  readonly id: string
  readonly event_type: string
  /** Milliseconds since 1970, the world's clock. */
  readonly at: number
  readonly user_id: string | null
  readonly order_id?: string
  /** The body that is signed and sent: `{event_type, data, team_id, user_id, client_user_id}`. */
  readonly payload: object
}

export const events = table<WorldEvent>('events', (event) => event.id)

/** The user and order of an event. */
export interface EventSubject {
  readonly userId: string | null
  readonly clientUserId: string | null
  readonly orderId?: string
}

/** An event that is not stored yet: its type and data. */
export interface NewEvent {
  readonly type: string
  readonly data: object
}

/** An event without its body. */
export type EventHead = Omit<WorldEvent, 'payload'>
