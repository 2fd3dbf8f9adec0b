import { table } from '../../storage/table.ts'
import type { World } from '../../world/world.ts'

/** A stored summary. It replaces the generated one with the same id. */
export interface StoredSummary {
  readonly id: string
  readonly user_id: string
  readonly resource: string
  readonly provider: string
  /** The local date it is of. */
  readonly date: string
  readonly item: Readonly<Record<string, unknown>>
}

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
