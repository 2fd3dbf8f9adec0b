import * as z from 'zod'
import { instant } from '../../api/schema.ts'
import { count, instantMs, ofUser, type RowOf, table } from '../../storage/table.ts'

export const sentId = (userId: string, provider: string, resource: string): string =>
  `${userId}/${provider}/${resource}`

/** The announced data of one resource of a connection. Instants in wire format unless stated. */
export const sent = table(
  'sent_data',
  () =>
    z.object({
      user_id: z.string(),
      provider: z.string(),
      resource: z.string(),
      /** When it was last announced, in milliseconds since 1970. */
      last_at: instantMs(),
      oldest_data: instant().nullable(),
      newest_data: instant().nullable(),
      /** Samples and summaries sent as created. */
      sent_count: count(),
    }),
  ({ user_id, provider, resource }) => sentId(user_id, provider, resource),
  ofUser,
)
export type SentRow = RowOf<typeof sent>
