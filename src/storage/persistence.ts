import type { WorldFolder } from '../world/worlds.ts'
import type { AppendChanges } from './change.ts'
import type { Tables } from './entry.ts'
import { RowPages } from './row-pages.ts'
import { memoryShelf, type SnapshotShelf } from './snapshots.ts'

/** Where a world's rows live between turns. */
export interface WorldStore {
  readonly tables: Tables
  readonly append: AppendChanges
  /** Rewrites the file when enough has been appended to make it worth while. */
  compact(): Promise<void>
  close(): Promise<void>
  /** Closes it without a care for what it holds: it is about to be removed. */
  discard(): Promise<void>
}

/** A store that keeps nothing. */
function memoryStore(): WorldStore {
  const tables: Tables = new Map()
  const pages = new RowPages(tables)
  return {
    tables,
    append(changes) {
      pages.lay(changes)
      pages.tidy()
    },
    compact: async () => undefined,
    close: async () => undefined,
    discard: async () => undefined,
  }
}

/** A folder that keeps nothing. */
export function memoryFolder(): WorldFolder {
  const shelves = new Map<string, SnapshotShelf>()
  return {
    list: async () => [],
    open: async () => memoryStore(),
    remove: async () => undefined,
    snapshots(teamId) {
      const shelf = shelves.get(teamId) ?? memoryShelf()
      shelves.set(teamId, shelf)
      return shelf
    },
    close: async () => undefined,
  }
}
