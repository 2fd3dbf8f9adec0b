import type { IndexFile } from './index-file.ts'
import type { RowChange, Tables } from './rows.ts'
import { memorySnapshots, type SnapshotStore } from './snapshots.ts'

/** Called with the number of rows written since the last call. */
export type OnRows = (rows: number) => void

/** The stored rows of one world. */
export interface WorldStore {
  readonly tables: Tables
  /** When it returns, the changes survive the end of the process; if it throws, none of them is stored. */
  append(changes: readonly RowChange[]): void
  /** Why nothing can be stored now; undefined if it can. Changes appended meanwhile are stored later. */
  blocked(): string | undefined
  /** Reads the stored rows again after a failed write. If that fails too, nothing can be stored until it succeeds. */
  reopen(): Promise<WorldStore>
  /**
   * Replaces all rows atomically. Calls `onReplaced` with the store of the new rows as soon as they are stored,
   * before any append.
   */
  replace(tables: Tables, onReplaced: (store: WorldStore) => void, onRows?: OnRows): Promise<void>
  /** Compacts the file if enough has been appended. */
  compact(): Promise<void>
  /** Closes the file if nothing was appended since the last call; the next append opens it again. */
  closeIdle(): void
  /** Ends a compaction and closes the files, which the next append opens again. */
  closeFiles(): Promise<void>
  /** A small world is compacted to one document, unless `rewrites` is false. */
  close(options?: { readonly rewrites: boolean }): Promise<void>
}

/** The worlds stored between runs. */
export interface WorldFolder {
  /** The team ids of the stored worlds. */
  list(): Promise<string[]>
  open(teamId: string): Promise<WorldStore>
  /** Opens the store of a new world, after what is left of a removed one is deleted. */
  create(teamId: string): Promise<WorldStore>
  /** Removes a world with its snapshots. If it throws, nothing is removed. */
  remove(teamId: string): Promise<void>
  snapshots(teamId: string): SnapshotStore
  /** Missing if the worlds are stored in memory only. */
  readonly index?: IndexFile
  /** Throws if the worlds belong to another process now. */
  assertHeld(): void
  close(): Promise<void>
}

/** A store without persistence. */
export function memoryStore(tables: Tables = new Map()): WorldStore {
  const store: WorldStore = {
    tables,
    append: () => undefined,
    blocked: () => undefined,
    reopen: async () => store,
    replace: async (others, onReplaced) => onReplaced(memoryStore(others)),
    compact: async () => undefined,
    closeIdle: () => undefined,
    closeFiles: async () => undefined,
    close: async () => undefined,
  }
  return store
}

/** A folder without persistence. */
export function memoryFolder(): WorldFolder {
  const snapshots = new Map<string, SnapshotStore>()
  return {
    list: async () => [],
    open: async () => memoryStore(),
    create: async () => memoryStore(),
    remove: async (teamId) => void snapshots.delete(teamId),
    snapshots(teamId) {
      const store = snapshots.get(teamId) ?? memorySnapshots()
      snapshots.set(teamId, store)
      return store
    },
    assertHeld: () => undefined,
    close: async () => undefined,
  }
}
