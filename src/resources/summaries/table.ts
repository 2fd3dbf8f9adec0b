import * as z from 'zod'
import { anyObject } from '../../api/schema.ts'
import { type RowOf, table } from '../../storage/table.ts'
import type { World } from '../../world/world.ts'

/** A summary that was put in or edited. It replaces the generated one with the same id. */
export const storedSummaries = table(
  'stored_summaries',
  () =>
    z.object({
      id: z.string(),
      user_id: z.string(),
      resource: z.string(),
      provider: z.string(),
      /** The local date it is of. */
      date: z.iso.date(),
      /** Null for one that was deleted. */
      item: anyObject().nullable(),
    }),
  ({ id }) => id,
  {
    owner: 'user',
    indexes: {
      resource: ({ user_id, resource }) => `${user_id}/${resource}`,
      user: ({ user_id }) => user_id,
    },
  },
)
export type StoredSummary = RowOf<typeof storedSummaries>

export const storedSummariesOf = (world: World, userId: string, resource: string): StoredSummary[] =>
  world.db.by(storedSummaries, 'resource', `${userId}/${resource}`)
