import type { RowChange, Tables } from './rows.ts'
import { memorySnapshots, type SnapshotStore } from './snapshots.ts'

/** Told how many rows more are written. */
export type OnRows = (rows: number) => void

/** Where the rows of one world are kept. */
export interface WorldStore {
  readonly tables: Tables
  /** Once it returns, the changes survive the end of the process; when it throws, nothing of them is stored. */
  append(changes: readonly RowChange[]): void
  /** Why nothing can be stored now; undefined when something can. What is appended meanwhile is stored later. */
  blocked(): string | undefined
  /** Reads again what is stored, after a write that failed. When that fails too, nothing can be stored until it is done again. */
  reopen(): Promise<WorldStore>
  /**
   * Puts other rows in place of all there are: both are whole at every moment. Calls `onReplaced` with the store of the new
   * ones as soon as they are stored, before anything can be appended to them.
   */
  replace(tables: Tables, onReplaced: (store: WorldStore) => void, onRows?: OnRows): Promise<void>
  /** Rewrites the file when enough has been appended to make it worth while. */
  compact(): Promise<void>
  /** A small world is left as one document, unless `rewrites` is false. */
  close(options?: { readonly rewrites: boolean }): Promise<void>
}

/** Where worlds are kept between runs. */
export interface WorldFolder {
  /** Team ids of the worlds that are there. */
  list(): Promise<string[]>
  open(teamId: string): Promise<WorldStore>
  /** How the files of a world begin, whatever state they are in. */
  peek(teamId: string): Promise<string>
  /** The world itself; its snapshots stay. */
  remove(teamId: string): Promise<void>
  snapshots(teamId: string): SnapshotStore
  close(): Promise<void>
}

/** A store that keeps nothing. */
export function memoryStore(tables: Tables = new Map()): WorldStore {
  const store: WorldStore = {
    tables,
    append: () => undefined,
    blocked: () => undefined,
    reopen: async () => store,
    replace: async (others, onReplaced) => onReplaced(memoryStore(others)),
    compact: async () => undefined,
    close: async () => undefined,
  }
  return store
}

/** A folder that keeps nothing. */
export function memoryFolder(): WorldFolder {
  const snapshots = new Map<string, SnapshotStore>()
  return {
    list: async () => [],
    open: async () => memoryStore(),
    peek: async () => '',
    remove: async () => undefined,
    snapshots(teamId) {
      const store = snapshots.get(teamId) ?? memorySnapshots()
      snapshots.set(teamId, store)
      return store
    },
    close: async () => undefined,
  }
}
