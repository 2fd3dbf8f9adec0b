import type { Tables } from './entry.ts'

/** What is known of a snapshot without reading it. */
export interface SnapshotHead {
  readonly name: string
  /** Where the world's clock stood, in milliseconds since 1970, and whether it was frozen. */
  readonly at: number
  readonly frozen: boolean
  readonly rows: number
}

/** All rows of a world at a moment. */
export interface Snapshot extends SnapshotHead {
  readonly tables: Tables
}

/** Where a world's snapshots are kept; a reset leaves them alone. */
export interface SnapshotShelf {
  /** By name. */
  list(): Promise<SnapshotHead[]>
  find(name: string): Promise<Snapshot | undefined>
  put(snapshot: Snapshot): Promise<void>
  /** Answers whether it was there. */
  remove(name: string): Promise<boolean>
  clear(): Promise<void>
}

/** Small letters, digits and `._-`: a name that every file system takes, and that leads nowhere else. */
export const SNAPSHOT_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/

export const headOf = ({ name, at, frozen, rows }: SnapshotHead): SnapshotHead => ({ name, at, frozen, rows })

export const byName = (a: SnapshotHead, b: SnapshotHead): number => (a.name < b.name ? -1 : 1)

/** A shelf that is gone with the process. Rows are never altered, so a snapshot costs little. */
export function memoryShelf(): SnapshotShelf {
  const kept = new Map<string, Snapshot>()
  return {
    list: async () => [...kept.values()].map(headOf).sort(byName),
    find: async (name) => kept.get(name),
    put: async (snapshot) => void kept.set(snapshot.name, snapshot),
    remove: async (name) => kept.delete(name),
    clear: async () => kept.clear(),
  }
}
