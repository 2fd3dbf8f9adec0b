import * as z from 'zod'
import { instantMs, table } from '../../storage/table.ts'

/** A token for a user's own page. */
export const portalPasses = table(
  'portal_passes',
  () =>
    z.object({
      token: z.string(),
      user_id: z.string(),
      /** The order it was made for. */
      order_id: z.string().nullable(),
      expires_at: instantMs(),
    }),
  ({ token }) => token,
  { owner: 'user', indexes: { user: ({ user_id }) => user_id } },
)
