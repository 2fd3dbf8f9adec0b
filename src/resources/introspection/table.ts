import { table } from '../../storage/table.ts'

/** The announced data of one resource of a connection. Instants in wire format unless stated. */
export interface SentRow {
  readonly user_id: string
  readonly provider: string
  readonly resource: string
  /** When it was last announced, in milliseconds since 1970. */
  readonly last_at: number
  /** When its backfill was last announced, milliseconds since 1970. */
  readonly backfilled_at: number | null
  readonly oldest_data: string | null
  readonly newest_data: string | null
  /** Samples and summaries sent, a changed one each time. */
  readonly sent_count: number
}

export const sentId = (userId: string, provider: string, resource: string): string =>
  `${userId}/${provider}/${resource}`

export const sent = table<SentRow>('sent_data', ({ user_id, provider, resource }) =>
  sentId(user_id, provider, resource),
)
