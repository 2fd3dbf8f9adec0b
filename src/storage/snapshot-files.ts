import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readBase } from './base.ts'
import type { Tables } from './entry.ts'
import { byName, headOf, SNAPSHOT_NAME, type SnapshotHead, type SnapshotShelf } from './snapshots.ts'
import { writeBase } from './write-base.ts'

/** Keeps snapshots in a folder: of each its rows, in the form of a world's file, and what it is about. */
export function fileShelf(folder: string): SnapshotShelf {
  const rowsOf = (name: string) => join(folder, `${checked(name)}.json`)
  const aboutOf = (name: string) => join(folder, `${checked(name)}.about`)
  const about = (name: string) => JSON.parse(readFileSync(aboutOf(name), 'utf8')) as SnapshotHead
  return {
    async list() {
      if (!existsSync(folder)) return []
      return readdirSync(folder)
        .filter((file) => file.endsWith('.about'))
        .map((file) => about(file.slice(0, -'.about'.length)))
        .sort(byName)
    },
    async find(name) {
      if (!existsSync(aboutOf(name))) return undefined
      const tables: Tables = new Map()
      readBase(rowsOf(name), tables)
      return { ...about(name), tables }
    },
    async put(snapshot) {
      const { name, tables } = snapshot
      mkdirSync(folder, { recursive: true })
      await writeBase(`${rowsOf(name)}.tmp`, 0, tables, () => undefined)
      await writeFile(`${aboutOf(name)}.tmp`, `${JSON.stringify(headOf(snapshot))}\n`)
      await rename(`${rowsOf(name)}.tmp`, rowsOf(name))
      await rename(`${aboutOf(name)}.tmp`, aboutOf(name))
    },
    async remove(name) {
      if (!existsSync(aboutOf(name))) return false
      await rm(aboutOf(name), { force: true })
      await rm(rowsOf(name), { force: true })
      return true
    },
    clear: () => rm(folder, { recursive: true, force: true }),
  }
}

function checked(name: string): string {
  if (!SNAPSHOT_NAME.test(name)) throw new Error(`${JSON.stringify(name)} cannot name a file`)
  return name
}
