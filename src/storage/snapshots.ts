import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseJson } from '../kernel/json.ts'
import { compact } from '../kernel/list.ts'
import { FORMAT, readBase, writeBase } from './base-file.ts'
import { isOfSystem, storageProblem, storing } from './disk-full.ts'
import { type Files, sync } from './files.ts'
import { damage } from './lines.ts'
import { migrate } from './migration.ts'
import { type Tables, TablesCopy } from './rows.ts'

/** A snapshot without its rows. */
export interface SnapshotHead {
  readonly name: string
  /** The time of the world's clock in milliseconds since 1970, and whether it was frozen. */
  readonly at: number
  readonly frozen: boolean
  readonly rows: number
}

/** All rows of a world at an instant. */
export interface Snapshot extends SnapshotHead {
  readonly tables: Tables
}

/** The snapshots of a world; a reset keeps them. */
export interface SnapshotStore {
  /** By name, without unreadable ones. */
  list(): Promise<SnapshotHead[]>
  /** The caller may modify the rows. */
  find(name: string): Promise<Snapshot | undefined>
  /** Calls `onRows` with the number of rows written since the last call. */
  put(snapshot: Snapshot, onRows?: (rows: number) => void): Promise<void>
  /** Returns whether it existed. */
  remove(name: string): Promise<boolean>
  clear(): Promise<void>
}

/** Lower-case letters, digits and `._-`: valid on every file system, and never a path. */
export const SNAPSHOT_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/

const headOf = ({ name, at, frozen, rows }: SnapshotHead): SnapshotHead => ({ name, at, frozen, rows })
const byName = (a: SnapshotHead, b: SnapshotHead): number => (a.name < b.name ? -1 : 1)

/** Snapshots in memory, which end with the process. */
export function memorySnapshots(): SnapshotStore {
  const kept = new Map<string, Snapshot>()
  return {
    list: async () => [...kept.values()].map(headOf).sort(byName),
    async find(name) {
      const snapshot = kept.get(name)
      return snapshot && { ...snapshot, tables: await new TablesCopy(snapshot.tables).make() }
    },
    put: async (snapshot) => void kept.set(snapshot.name, snapshot),
    remove: async (name) => kept.delete(name),
    clear: async () => kept.clear(),
  }
}

/** Stores snapshots in a folder, each in the format of a world's file. */
export function fileSnapshots(folder: string, files: Files): SnapshotStore {
  const pathOf = (name: string) => join(folder, `${checked(name)}.json`)
  return {
    async list() {
      if (!existsSync(folder)) return []
      const names = readdirSync(folder).filter((file) => file.endsWith('.json'))
      return compact(names.map((file) => findHead(join(folder, file)))).sort(byName)
    },
    async find(name) {
      const path = pathOf(name)
      if (!existsSync(path)) return undefined
      try {
        const head = readHead(path)
        const { format, tables } = await readBase(path)
        if (format !== FORMAT) migrate(tables)
        return { ...head, tables }
      } catch (error) {
        throw isOfSystem(error) ? storageProblem(error) : error
      }
    },
    put: (snapshot, onRows) =>
      storing(async () => {
        const path = pathOf(snapshot.name)
        files.makeFolder(dirname(folder))
        files.makeFolder(folder)
        try {
          const head = { covers: 0, about: headOf(snapshot) }
          await writeBase(files, `${path}.tmp`, snapshot.tables, head, onRows)
          files.rename(`${path}.tmp`, path)
          await sync([folder])
        } catch (error) {
          files.remove(`${path}.tmp`)
          throw error
        }
      }),
    remove: (name) =>
      storing(async () => {
        const path = pathOf(name)
        const isThere = existsSync(path)
        files.remove(path)
        return isThere
      }),
    clear: () => storing(() => files.removeFolder(folder)),
  }
}

const HEAD_BYTES = 4096

function readHead(path: string): SnapshotHead {
  const head = findHead(path)
  if (!head) throw damage(path, 1, 'this is not the beginning of a snapshot')
  return head
}

function findHead(path: string): SnapshotHead | undefined {
  const { about } = (parseJson(`${firstLineOf(path)}}}`) ?? {}) as { about?: unknown }
  return typeof about === 'object' && about !== null ? (about as SnapshotHead) : undefined
}

function firstLineOf(path: string): string {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(HEAD_BYTES)
    const [line = ''] = bytes.toString('utf8', 0, readSync(file, bytes)).split('\n')
    return line
  } finally {
    closeSync(file)
  }
}

function checked(name: string): string {
  if (!SNAPSHOT_NAME.test(name)) throw new Error(`${JSON.stringify(name)} is not a valid file name`)
  return name
}
