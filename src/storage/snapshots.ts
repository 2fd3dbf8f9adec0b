import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parseJson } from '../kernel/json.ts'
import { messageOf } from '../kernel/reason.ts'
import { FORMAT, readBase, writeBase } from './base-file.ts'
import { isOfSystem, storageProblem, storing } from './disk-full.ts'
import { type Files, sync, unlessMissing } from './files.ts'
import { damage, READ } from './lines.ts'
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
  /** By name. */
  list(): Promise<SnapshotList>
  /** The caller may modify the rows. */
  find(name: string): Promise<Snapshot | undefined>
  /** Calls `onRows` with the number of rows written since the last call. */
  put(snapshot: Snapshot, onRows?: (rows: number) => void): Promise<void>
  /** Returns whether it existed. */
  remove(name: string): Promise<boolean>
}

export interface SnapshotList {
  readonly heads: readonly SnapshotHead[]
  /** Those that cannot be read, and why. */
  readonly unreadable: readonly { readonly name: string; readonly reason: string }[]
}

/** Lower-case letters, digits and `._-`: valid on every file system, and never a path. */
export const SNAPSHOT_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/

const headOf = ({ name, at, frozen, rows }: SnapshotHead): SnapshotHead => ({ name, at, frozen, rows })
const byName = (a: SnapshotHead, b: SnapshotHead): number => (a.name < b.name ? -1 : 1)

/** Snapshots in memory, which end with the process. */
export function memorySnapshots(): SnapshotStore {
  const kept = new Map<string, Snapshot>()
  return {
    list: async () => ({ heads: [...kept.values()].map(headOf).sort(byName), unreadable: [] }),
    async find(name) {
      const snapshot = kept.get(name)
      return snapshot && { ...snapshot, tables: await new TablesCopy(snapshot.tables).make() }
    },
    put: async (snapshot) => void kept.set(snapshot.name, snapshot),
    remove: async (name) => kept.delete(name),
  }
}

/** Stores snapshots in a folder, each in the format of a world's file. */
export function fileSnapshots(folder: string, files: Files, warn: (message: string) => void): SnapshotStore {
  const pathOf = (name: string) => join(folder, `${checked(name)}${ENDING}`)
  return {
    list: () =>
      storing(async () => {
        const heads: SnapshotHead[] = []
        const unreadable: { name: string; reason: string }[] = []
        for (const file of (unlessMissing(() => readdirSync(folder)) ?? []).filter(isSnapshot).sort()) {
          try {
            heads.push(readHead(join(folder, file)))
          } catch (error) {
            unreadable.push({ name: basename(file, ENDING), reason: messageOf(error) })
          }
        }
        return { heads: heads.sort(byName), unreadable }
      }),
    async find(name) {
      const path = pathOf(name)
      try {
        const head = unlessMissing(() => readHead(path))
        if (!head) return undefined
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
        } catch (error) {
          files.remove(`${path}.tmp`)
          throw error
        }
        await sync([folder]).catch((error: unknown) => {
          warn(`${path} is stored, but may not survive a power failure: ${messageOf(error)}`)
        })
      }),
    remove: (name) => storing(async () => files.remove(pathOf(name))),
  }
}

const ENDING = '.json'
const isSnapshot = (file: string) => file.endsWith(ENDING)

const HEAD_BYTES = 4096

function readHead(path: string): SnapshotHead {
  const { about } = (parseJson(`${firstLineOf(path)}}}`) ?? {}) as { about?: unknown }
  if (typeof about !== 'object' || about === null)
    throw damage(path, 1, 'this is not the beginning of a snapshot')
  return about as SnapshotHead
}

function firstLineOf(path: string): string {
  const file = openSync(path, READ)
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
