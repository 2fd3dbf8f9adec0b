import type { Parsed } from '../../api/schema.ts'
import { table } from '../../storage/table.ts'
import type { User } from './schema.ts'

/** Stored as the service shows it. */
export type UserRow = Parsed<typeof User>

/** The ingestion end of a user who has a start only. Source: contract/recorded.md §7. */
export const NO_INGESTION_END = '0001-01-01'

/** Users that are not deleted. */
export const users = table<UserRow, 'clientUserId'>('users', (user) => user.user_id, {
  indexes: { clientUserId: (user) => user.client_user_id },
})

/** A deleted user, who can be restored until an instant in milliseconds since 1970. */
export interface DeletedUser {
  readonly user: UserRow
  readonly until: number
}

export const deletedUsers = table<DeletedUser, 'clientUserId'>('deleted_users', ({ user }) => user.user_id, {
  indexes: { clientUserId: ({ user }) => user.client_user_id },
})

/** The refreshes of a user within the last hour, in milliseconds since 1970. May include older ones. */
export interface Refreshes {
  readonly user_id: string
  readonly at: readonly number[]
}

export const refreshes = table<Refreshes>('refreshes', ({ user_id }) => user_id)

/** A token for a user's own page. */
export interface PortalPass {
  readonly token: string
  readonly user_id: string
  /** The order it was made for. */
  readonly order_id: string | null
  /** Milliseconds since 1970. */
  readonly expires_at: number
}

export const portalPasses = table<PortalPass>('portal_passes', ({ token }) => token)
