import * as z from 'zod'
import { instantMs, type Parsed, type Row, unnamed } from '../../api/schema.ts'
import { table } from '../../storage/table.ts'
import { User } from './schema.ts'

/** Stored as the service shows it. */
export type UserRow = Parsed<typeof User>

/** The ingestion end of a user who has a start only. Source: contract/recorded.md §7. */
export const NO_INGESTION_END = '0001-01-01'

/** Users that are not deleted. */
export const users = table<UserRow, 'clientUserId'>('users', (user) => user.user_id, {
  indexes: { clientUserId: (user) => user.client_user_id },
})

/** A deleted user, who can be restored until an instant in milliseconds since 1970. */
export const DeletedUser = unnamed(() => z.object({ user: User(), until: instantMs() }))
export type DeletedUser = Parsed<typeof DeletedUser>

export const deletedUsers = table<DeletedUser, 'clientUserId'>('deleted_users', ({ user }) => user.user_id, {
  indexes: { clientUserId: ({ user }) => user.client_user_id },
})

/** The refreshes of a user within the last hour, in milliseconds since 1970. May include older ones. */
export const Refreshes = unnamed(() => z.object({ user_id: z.string(), at: z.array(instantMs()) }))

export const refreshes = table<Row<typeof Refreshes>>('refreshes', ({ user_id }) => user_id)

/** A token for a user's own page. */
export const PortalPass = unnamed(() =>
  z.object({
    token: z.string(),
    user_id: z.string(),
    /** The order it was made for. */
    order_id: z.string().nullable(),
    expires_at: instantMs(),
  }),
)

export const portalPasses = table<Row<typeof PortalPass>>('portal_passes', ({ token }) => token)
