import { mkdirSync, readdirSync, truncateSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Adapter, Low } from 'lowdb'
import { readBase } from './base.ts'
import type { Change } from './change.ts'
import { ChangesFile, readChanges } from './changes.ts'
import type { Tables } from './entry.ts'
import type { WorldStore } from './persistence.ts'
import { RowPages } from './row-pages.ts'
import { writeBase } from './write-base.ts'

const MIB = 1024 * 1024
/** When all is quiet, the base is rewritten once the changes are longer than this and than half of it. */
const QUIET_BYTES = MIB
/** Under load, once they are longer than this and than twice the base: rewriting costs less than half of what was appended. */
const BUSY_BYTES = 64 * MIB
/** A world up to this size is left as one document at exit. */
const TIDY_BYTES = 8 * MIB

const BASE = 'world.json'
const BEING_WRITTEN = 'world.json.tmp'
const CHANGES = /^changes\.(\d+)\.jsonl$/

export interface FileOptions {
  /** Told what went wrong without harm to the data. */
  readonly warn: (message: string) => void
}

/** Opens the world in a folder, which is made when it is not there. */
export async function openWorldFile(folder: string, { warn }: FileOptions): Promise<WorldStore> {
  mkdirSync(folder, { recursive: true })
  const adapter = new WorldFile(folder, warn)
  const low = new Low<Tables>(adapter, new Map())
  await low.read()
  const rewrite = () => low.write()
  return {
    tables: low.data,
    append: (changes) => {
      adapter.append(changes)
      if (adapter.isLong) setImmediate(() => void adapter.compact(rewrite))
    },
    compact: async () => {
      if (adapter.isWorthCompacting) await adapter.compact(rewrite)
    },
    close: () => adapter.close(rewrite),
    discard: () => adapter.discard(),
  }
}

/** A lowdb adapter that is told which rows changed: they are appended, and only `write` writes everything. */
class WorldFile implements Adapter<Tables> {
  readonly #folder: string
  readonly #warn: (message: string) => void
  #baseBytes = 0
  /** Length of the changes that the base does not include, in bytes, without the newest file's. */
  #olderBytes = 0
  #generation = 1
  #changes: ChangesFile
  #pages = new RowPages(new Map())
  #owed: readonly Change[] = []
  #compacting: Promise<void> | undefined
  /** Stops a rewriting that is under way. */
  #closing = false
  #closed = false
  /** After a rewriting that failed: how long the changes must be before the next try. */
  #retryBytes = 0

  constructor(folder: string, warn: (message: string) => void) {
    this.#folder = folder
    this.#warn = warn
    this.#changes = this.#changesFile(0)
  }

  /** Whether the base should be rewritten even while much is going on. */
  get isLong(): boolean {
    return (
      this.#changedBytes > Math.max(BUSY_BYTES, 2 * this.#baseBytes, this.#retryBytes) && !this.#compacting
    )
  }

  get isWorthCompacting(): boolean {
    return this.#changedBytes > Math.max(QUIET_BYTES, this.#baseBytes / 2, this.#retryBytes)
  }

  async read(): Promise<Tables> {
    const tables: Tables = new Map()
    this.#pages = new RowPages(tables)
    const names = readdirSync(this.#folder)
    await this.#delete(BEING_WRITTEN)
    let covers = 0
    if (names.includes(BASE)) {
      const base = readBase(join(this.#folder, BASE), tables)
      covers = base.covers
      this.#baseBytes = base.length
    }
    const generations = names.map((name) => Number(CHANGES.exec(name)?.[1] ?? 0)).sort((a, b) => a - b)
    await this.#deleteChanges(generations.filter((generation) => generation <= covers))
    this.#generation = covers + 1
    this.#changes = this.#changesFile(0)
    this.#readAllChanges(
      generations.filter((generation) => generation > covers),
      tables,
    )
    return tables
  }

  /** One write, of all that changed in a turn. What could not be written is written with the next. */
  append(changes: readonly Change[]): void {
    const all = this.#owed.length > 0 ? [...this.#owed, ...changes] : changes
    if (all.length === 0) return
    this.#owed = all
    this.#changes.append(all.length, this.#pages.lay(all))
    this.#owed = []
    this.#pages.tidy()
  }

  /** Writes everything as one document, beside the changes that go on; then it takes the place of what it includes. */
  async write(tables: Tables): Promise<void> {
    if (this.#changes.length > 0) this.#beginGeneration()
    const covers = this.#generation - 1
    const path = join(this.#folder, BEING_WRITTEN)
    const length = await writeBase(path, covers, tables, () => {
      if (this.#closing) throw new Stopped()
    })
    this.append([])
    await this.#changes.sync()
    await rename(path, join(this.#folder, BASE))
    await syncFolder(this.#folder)
    this.#baseBytes = length
    this.#olderBytes = 0
    await this.#deleteChanges(this.#generationsUpTo(covers))
  }

  /** Never fails: the rows are in the changes until they are in the base. */
  compact(rewrite: () => Promise<void>): Promise<void> {
    if (this.#closed) return Promise.resolve()
    this.#compacting ??= this.#try(rewrite).finally(() => {
      this.#compacting = undefined
    })
    return this.#compacting
  }

  async close(rewrite: () => Promise<void>): Promise<void> {
    this.append([])
    this.#closing = true
    await this.#compacting
    this.#closing = false
    if (this.#changedBytes > 0 && this.#changedBytes + this.#baseBytes < TIDY_BYTES)
      await this.compact(rewrite)
    this.#closed = true
    this.#changes.close()
  }

  async discard(): Promise<void> {
    this.#closing = true
    this.#closed = true
    await this.#compacting
    this.#changes.close()
  }

  get #changedBytes(): number {
    return this.#olderBytes + this.#changes.length
  }

  #readAllChanges(generations: readonly number[], tables: Tables): void {
    for (const generation of generations) {
      if (generation !== this.#generation + (this.#changes.length > 0 ? 1 : 0)) this.#refuseGap(generation)
      if (this.#changes.length > 0) this.#beginGeneration()
      const path = this.#changesPath(generation)
      const { length, torn } = readChanges(path, generation, tables)
      if (torn && generation !== generations.at(-1))
        throw new Error(
          `${path}, line ${torn.line}: the file is cut off here, although newer changes follow it.`,
        )
      if (torn) {
        truncateSync(path, length)
        this.#warn(
          `${path}: dropped ${torn.bytes} bytes from line ${torn.line} on, which were not wholly written when the process ended.`,
        )
      }
      this.#changes = this.#changesFile(length)
    }
  }

  #refuseGap(generation: number): never {
    throw new Error(
      `${this.#changesPath(generation)} is there, but not what comes before it ` +
        `(${BASE} up to changes ${generation - 1}). Put the missing file back, or move the folder away to begin anew.`,
    )
  }

  async #try(rewrite: () => Promise<void>): Promise<void> {
    try {
      await rewrite()
      this.#retryBytes = 0
    } catch (error) {
      await this.#delete(BEING_WRITTEN)
      if (error instanceof Stopped) return
      this.#retryBytes = this.#changedBytes + BUSY_BYTES
      this.#warn(
        `could not rewrite ${join(this.#folder, BASE)}, whose changes stay beside it: ${String(error)}`,
      )
    }
  }

  #beginGeneration(): void {
    this.#olderBytes += this.#changes.length
    this.#changes.close()
    this.#generation++
    this.#changes = this.#changesFile(0)
  }

  #changesFile(length: number): ChangesFile {
    return new ChangesFile(this.#changesPath(this.#generation), this.#generation, length)
  }

  #changesPath(generation: number): string {
    return join(this.#folder, `changes.${generation}.jsonl`)
  }

  #generationsUpTo(covers: number): number[] {
    return readdirSync(this.#folder)
      .map((name) => Number(CHANGES.exec(name)?.[1] ?? 0))
      .filter((generation) => generation > 0 && generation <= covers)
  }

  async #deleteChanges(generations: readonly number[]): Promise<void> {
    for (const generation of generations)
      if (generation > 0) await rm(this.#changesPath(generation), { force: true })
  }

  async #delete(name: string): Promise<void> {
    await rm(join(this.#folder, name), { force: true })
  }
}

/** The world is being closed. */
class Stopped extends Error {}

/** Waits until the disk knows the folder's files by their names; Windows has no such thing. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const file = await open(folder, 'r')
  await file.sync().finally(() => file.close())
}
