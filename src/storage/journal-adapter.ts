import { readdirSync, renameSync, truncateSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Adapter } from 'lowdb'
import { readBase, writeBase } from './base-file.ts'
import { storageProblem } from './disk-full.ts'
import { Journal, readJournal } from './journal.ts'
import { damage, missing } from './lines.ts'
import type { RowChange, Tables } from './rows.ts'

const MIB = 1024 * 1024
/** When all is quiet, the base is rewritten once the journal is longer than this and than half of it. */
const QUIET_BYTES = MIB
/** Under load, once it is longer than this and than twice the base: rewriting costs less than half of what was appended. */
const BUSY_BYTES = 64 * MIB
/** A world up to this size is left as one document at exit. */
const SMALL_BYTES = 8 * MIB

const BASE = 'world.json'
const JOURNAL = /^journal\.(\d+)\.log$/

export interface FileOptions {
  /** Told what went wrong without harm to the data. */
  readonly warn: (message: string) => void
  /** Throws when the folder is no longer this process's. */
  readonly assertHeld?: () => void
}

/** A lowdb adapter that is told which rows changed: they are appended to a journal, and only `write` writes everything. */
export class JournalAdapter implements Adapter<Tables> {
  readonly #folder: string
  readonly #warn: (message: string) => void
  readonly #assertHeld: () => void
  #baseBytes = 0
  /** Length of the journals that the base does not include, in bytes, without the newest. */
  #olderBytes = 0
  #generation = 1
  #journal: Journal
  /** After a write that failed: why, and what is to be written as soon as possible. */
  #failure: { readonly error: unknown; pending: readonly RowChange[] } | undefined
  #rewriting: Promise<void> | undefined
  /** Stops a rewriting that is under way. */
  #isStopping = false
  #isClosed = false
  /** After a rewriting that failed: how long the journal must be before the next try. */
  #retryBytes = 0

  constructor(folder: string, { warn, assertHeld = () => undefined }: FileOptions) {
    this.#folder = folder
    this.#warn = warn
    this.#assertHeld = assertHeld
    this.#journal = this.#journalOf(0)
  }

  /** Whether the base should be rewritten even while much is going on. */
  get isLong(): boolean {
    return this.#newBytes > Math.max(BUSY_BYTES, 2 * this.#baseBytes, this.#retryBytes) && !this.#rewriting
  }

  get isWorthCompacting(): boolean {
    return this.#newBytes > Math.max(QUIET_BYTES, this.#baseBytes / 2, this.#retryBytes)
  }

  async read(): Promise<Tables> {
    this.#journal.close()
    if (this.#failure) this.#failure.pending = []
    const names = readdirSync(this.#folder)
    for (const name of names) if (name.endsWith('.tmp')) await rm(this.#path(name), { force: true })
    const base = names.includes(BASE) ? await readBase(this.#path(BASE)) : undefined
    const { tables, covers, length } = base ?? { tables: new Map(), covers: 0, length: 0 }
    this.#baseBytes = length
    this.#olderBytes = 0
    this.#generation = covers + 1
    this.#journal = this.#journalOf(0)
    await this.#deleteUpTo(covers)
    await this.#readJournals(generationsOf(names, covers), tables)
    return tables
  }

  /** One write, of all that changed in a turn. */
  append(changes: readonly RowChange[]): void {
    if (this.#failure) this.#failure.pending = [...this.#failure.pending, ...changes]
    else if (changes.length > 0) this.#append(changes)
  }

  /** Tries again what failed; answers why it cannot be written, or undefined when it is. */
  blocked(): string | undefined {
    if (!this.#failure) return undefined
    const { pending } = this.#failure
    try {
      this.#append(pending)
      this.#failure = undefined
      return undefined
    } catch (error) {
      if (this.#failure) this.#failure.pending = pending
      return storageProblem(error).message
    }
  }

  /** Writes everything as one document, beside the journal that goes on; then it takes the place of what it includes. */
  async write(tables: Tables): Promise<void> {
    if (this.#journal.length > 0) this.#beginGeneration()
    await this.#writeBase(tables, this.#generation - 1)
  }

  async replace(tables: Tables, onRows?: (rows: number) => void): Promise<void> {
    await this.#stopRewriting()
    try {
      await this.#writeBase(tables, this.#generation, onRows)
    } catch (error) {
      await rm(this.#path(`${BASE}.tmp`), { force: true })
      throw storageProblem(error)
    }
    this.#beginGeneration()
    this.#olderBytes = 0
    this.#failure = undefined
  }

  /** Never fails: the rows are in the journal until they are in the base. */
  compact(rewrite: () => Promise<void>): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    this.#rewriting ??= this.#try(rewrite).finally(() => {
      this.#rewriting = undefined
    })
    return this.#rewriting
  }

  /** With `rewrite`, the base of a small world includes everything afterwards. */
  async close(rewrite?: () => Promise<void>): Promise<void> {
    await this.#stopRewriting()
    if (rewrite && !this.#failure && this.#newBytes > 0 && this.#newBytes + this.#baseBytes < SMALL_BYTES)
      await this.compact(rewrite)
    this.#isClosed = true
    this.#journal.close()
  }

  async #stopRewriting(): Promise<void> {
    this.#isStopping = true
    await this.#rewriting
    this.#isStopping = false
  }

  get #newBytes(): number {
    return this.#olderBytes + this.#journal.length
  }

  #append(changes: readonly RowChange[]): void {
    try {
      this.#assertHeld()
      this.#journal.append(changes)
    } catch (error) {
      this.#failure = { error, pending: [] }
      throw storageProblem(error)
    }
  }

  async #readJournals(generations: readonly number[], tables: Tables): Promise<void> {
    for (const generation of generations) {
      if (generation !== this.#generation + (this.#journal.length > 0 ? 1 : 0))
        throw missing(this.#path(`journal.${generation}.log`), `${BASE} up to journal ${generation - 1}`)
      if (this.#journal.length > 0) this.#beginGeneration()
      const path = this.#path(`journal.${generation}.log`)
      const { length, torn } = await readJournal(path, generation, tables)
      if (torn && generation !== generations.at(-1))
        throw damage(path, torn.line, 'the file is cut off here, although a newer journal follows it')
      if (torn) {
        truncateSync(path, length)
        this.#warn(`${path}: dropped ${torn.bytes} bytes from line ${torn.line} on, ${UNFINISHED}.`)
      }
      this.#journal = this.#journalOf(length)
    }
  }

  /** Writes a document beside the one there is, and puts it in its place. */
  async #writeBase(tables: Tables, covers: number, onRows?: (rows: number) => void): Promise<void> {
    const beside = this.#path(`${BASE}.tmp`)
    const failure = this.#failure
    const goOn = (rows: number) => {
      // After a write that failed, the rows in memory are not those that are stored.
      if (this.#isStopping || this.#failure !== failure) throw new Stopped()
      onRows?.(rows)
    }
    const length = await writeBase(beside, tables, { covers }, goOn)
    await this.#journal.sync()
    goOn(0)
    this.#assertHeld()
    renameSync(beside, this.#path(BASE))
    this.#baseBytes = length
    this.#olderBytes = 0
    await syncFolder(this.#folder)
    await this.#deleteUpTo(covers)
  }

  async #try(rewrite: () => Promise<void>): Promise<void> {
    try {
      await rewrite()
      this.#retryBytes = 0
    } catch (error) {
      await rm(this.#path(`${BASE}.tmp`), { force: true })
      if (error instanceof Stopped) return
      this.#retryBytes = this.#newBytes + BUSY_BYTES
      this.#warn(`could not rewrite ${this.#path(BASE)}, whose changes stay in the journal: ${String(error)}`)
    }
  }

  #beginGeneration(): void {
    this.#olderBytes += this.#journal.length
    this.#journal.close()
    this.#generation++
    this.#journal = this.#journalOf(0)
  }

  #journalOf(length: number): Journal {
    return new Journal(this.#path(`journal.${this.#generation}.log`), this.#generation, length)
  }

  /** Deletes the journals that the base includes. */
  async #deleteUpTo(covers: number): Promise<void> {
    for (const name of readdirSync(this.#folder)) {
      const generation = Number(JOURNAL.exec(name)?.[1])
      if (generation <= covers) await rm(this.#path(name), { force: true })
    }
  }

  #path(name: string): string {
    return join(this.#folder, name)
  }
}

/** The world is being closed, or a write failed. */
class Stopped extends Error {}

const UNFINISHED = 'which was not wholly written when the process ended'

/** The generations of the journals that come after one, in order. */
const generationsOf = (names: readonly string[], after: number): number[] =>
  names
    .map((name) => Number(JOURNAL.exec(name)?.[1] ?? 0))
    .filter((generation) => generation > after)
    .sort((a, b) => a - b)

/** Waits until the disk knows the folder's files by their names; Windows has no such thing. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const file = await open(folder, 'r')
  await file.sync().finally(() => file.close())
}
