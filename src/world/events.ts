import * as z from 'zod'
import { instantMs, type RowOf, table } from '../storage/table.ts'

/** An event that webhooks deliver. */
export const events = table(
  'events',
  () =>
    z.object({
      /** The `svix-id` of every message made of it. */
      id: z.string(),
      event_type: z.string(),
      /** By the world's clock. */
      at: instantMs(),
      user_id: z.string().nullable(),
      order_id: z.string().exactOptional(),
      /** Written while a call was processed; otherwise a job wrote it. */
      by_call: z.literal(true).exactOptional(),
      /** The body that is signed and sent: `{event_type, data, team_id, user_id, client_user_id}`. */
      payload: z.looseObject({}) as z.ZodType<object>,
    }),
  ({ id }) => id,
  {
    owner: 'user',
    owns: 'event',
    indexes: {
      user: ({ user_id }) => user_id,
      order: ({ order_id }) => order_id,
      type: ({ event_type }) => event_type,
    },
  },
)
export type WorldEvent = RowOf<typeof events>

/** The user and order of an event. */
export interface EventSubject {
  readonly userId: string | null
  readonly clientUserId: string | null
  readonly orderId?: string
  /** Whether the body names no user, not even null. */
  readonly isOfTeam?: boolean
}

/** An event that is not stored yet: its type and data. */
export interface NewEvent {
  readonly type: string
  readonly data: object
}

/** An event without its body. */
export type EventHead = Omit<WorldEvent, 'payload'>
