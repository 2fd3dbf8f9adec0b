import * as z from 'zod'
import { nullableText } from '../../api/schema.ts'
import { instantMs, type RowOf, table } from '../../storage/table.ts'
import type { World } from '../../world/world.ts'
import { User } from './schema.ts'

/** The ingestion end of a user who has a start only. Source: docs/contract/users.md. */
export const NO_INGESTION_END = '0001-01-01'

/** Users that are not deleted, stored as the service shows them. */
export const users = table('users', User, ({ user_id }) => user_id, {
  owns: 'user',
  indexes: { clientUserId: ({ client_user_id }) => client_user_id },
})
export type UserRow = RowOf<typeof users>

/** The ingestion bounds of a user over time, earliest first; each applies to what arrives until the next. */
export const ingestionBounds = table(
  'ingestion_bounds',
  () =>
    z.object({
      user_id: z.string(),
      bounds: z.array(z.object({ since: instantMs(), start: nullableText(), end: nullableText() })),
    }),
  ({ user_id }) => user_id,
  { owner: 'user' },
)
export type IngestionBounds = RowOf<typeof ingestionBounds>['bounds'][number]

/** A deleted user, who can be restored until an instant in milliseconds since 1970. */
export const deletedUsers = table(
  'deleted_users',
  () => z.object({ user: User(), until: instantMs() }),
  ({ user }) => user.user_id,
  { owner: 'user', indexes: { clientUserId: ({ user }) => user.client_user_id } },
)

/** Users as a list for pages, in the order in which they were created. */
export const usersById = ({ db }: World, rows: readonly string[] = db.ids(users)) => ({
  rows,
  idOf: (id: string) => id,
  keyOf: (id: string) => db.find(users, id)?.created_on ?? '',
})
