import * as z from 'zod'
import type { Database } from '../storage/database.ts'
import { count, table } from '../storage/table.ts'

export const sequences = table(
  'sequences',
  () => z.object({ name: z.string(), last: count() }),
  ({ name }) => name,
)

/** Named counters, each starting at 1. */
export interface Sequences {
  next(name: string): number
  /** Stores the counters; called once for each batch. */
  store(): void
}

export function createSequences(db: Database): Sequences {
  const last = new Map<string, number>()
  const moved = new Set<string>()
  return {
    next(name) {
      const value = (last.get(name) ?? db.find(sequences, name)?.last ?? 0) + 1
      last.set(name, value)
      moved.add(name)
      db.store()
      return value
    },
    store() {
      for (const name of moved) db.put(sequences, { name, last: last.get(name) ?? 0 })
      moved.clear()
    },
  }
}
