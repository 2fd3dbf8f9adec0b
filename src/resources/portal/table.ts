import * as z from 'zod'
import { nullableText } from '../../api/schema.ts'
import { instantMs, ofUser, table } from '../../storage/table.ts'

/** A token for a user's own page. */
export const portalPasses = table(
  'portal_passes',
  () =>
    z.object({
      token: z.string(),
      user_id: z.string(),
      /** The order it was made for. */
      order_id: nullableText(),
      expires_at: instantMs(),
    }),
  ({ token }) => token,
  ofUser,
)
