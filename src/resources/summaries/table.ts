import * as z from 'zod'
import { type Row, unnamed } from '../../api/schema.ts'
import { table } from '../../storage/table.ts'
import type { World } from '../../world/world.ts'

/** A stored summary. It replaces the generated one with the same id. */
export const StoredSummary = unnamed(() =>
  z.object({
    id: z.string(),
    user_id: z.string(),
    resource: z.string(),
    provider: z.string(),
    /** The local date it is of. */
    date: z.iso.date(),
    item: z.record(z.string(), z.unknown()),
  }),
)
export type StoredSummary = Row<typeof StoredSummary>

export const storedSummaries = table<StoredSummary, 'resource' | 'user'>('stored_summaries', ({ id }) => id, {
  indexes: {
    resource: ({ user_id, resource }) => `${user_id}/${resource}`,
    user: ({ user_id }) => user_id,
  },
})

export const storedSummariesOf = (world: World, userId: string, resource: string): StoredSummary[] =>
  world.db.by(storedSummaries, 'resource', `${userId}/${resource}`)

/** Deletes the stored data of a deleted user. */
export function dropStoredSummaries(world: World, userId: string): void {
  for (const id of world.db.idsBy(storedSummaries, 'user', userId)) world.db.delete(storedSummaries, id)
}
