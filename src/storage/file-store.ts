import { readdirSync, truncateSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Adapter, Low } from 'lowdb'
import { readBase, syncFolder, writeBase } from './base-file.ts'
import { isDueAtExit, isDueUnderLoad, isDueWhenQuiet, type Lengths, retryLength } from './compaction.ts'
import { makeFolder, storageProblem } from './disk-full.ts'
import { generationsIn, JOURNAL, Journal, readJournal } from './journal.ts'
import { damage } from './lines.ts'
import type { RowChange, Tables } from './rows.ts'
import type { OnRows, WorldStore } from './store.ts'

const BASE = 'world.json'

/** The world is being closed, or a write failed. */
class Stopped extends Error {}

export interface FileOptions {
  /** Told what went wrong without harm to the data. */
  readonly warn: (message: string) => void
  /** Throws when the folder is no longer this process's. */
  readonly assertHeld?: () => void
}

/** Opens the world in a folder, which is made when it is not there. */
export async function openWorldStore(folder: string, options: FileOptions): Promise<WorldStore> {
  makeFolder(folder)
  return new FileStore(folder, options).reopen()
}

/** A lowdb adapter that is told which rows changed: they are appended to a journal, and only `write` writes everything. */
class FileStore implements Adapter<Tables>, WorldStore {
  readonly #low = new Low<Tables>(this, new Map())
  readonly #folder: string
  readonly #options: FileOptions
  /** The lengths without the newest journal. */
  #older: Lengths = { base: 0, journals: 0 }
  #generation = 1
  #journal: Journal
  /** After a write that failed: what is to be written as soon as possible. */
  #pending: RowChange[] | undefined
  #rewriting: Promise<void> | undefined
  #isStopping = false
  /** Why the journal must not be begun anew: it is being read again, or could not be. */
  #unread: string | undefined
  /** How long the journals must be before the next rewriting. */
  #retryLength = 0

  constructor(folder: string, options: FileOptions) {
    this.#folder = folder
    this.#options = options
    this.#journal = this.#journalOf(0)
  }

  get tables(): Tables {
    return this.#low.data
  }

  /** One write, of all that changed in a turn. */
  append(changes: readonly RowChange[]): void {
    if (this.#pending) this.#pending.push(...changes)
    else if (changes.length > 0) this.#append(changes)
    if (this.#mayRewrite && isDueUnderLoad(this.#lengths)) setImmediate(() => void this.#rewrite())
  }

  blocked(): string | undefined {
    if (this.#unread || !this.#pending) return this.#unread
    try {
      this.#append(this.#pending)
      this.#pending = undefined
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }

  async reopen(): Promise<WorldStore> {
    this.#unread = 'The disk is full, or was a moment ago: what is stored is being read again.'
    await this.#low.read().catch((error: Error) => {
      this.#unread = `What is stored cannot be read: ${error.message}`
      throw error
    })
    this.#unread = undefined
    return this
  }

  async replace(tables: Tables, onReplaced: (store: WorldStore) => void, onRows?: OnRows): Promise<void> {
    await this.#stopRewriting()
    const covers = this.#generation
    try {
      // Nothing else is written into the same file meanwhile.
      this.#rewriting = this.#writeBase(tables, covers, onRows)
      await this.#rewriting
    } catch (error) {
      await rm(this.#path(`${BASE}.tmp`), { force: true }).catch(() => undefined)
      throw storageProblem(error)
    } finally {
      this.#rewriting = undefined
    }
    this.#beginGeneration()
    this.#older = { ...this.#older, journals: 0 }
    this.#pending = undefined
    this.#low.data = tables
    onReplaced(this)
    await this.#deleteUpTo(covers)
  }

  async compact(): Promise<void> {
    if (this.#mayRewrite && isDueWhenQuiet(this.#lengths)) await this.#rewrite()
  }

  async close({ rewrites } = { rewrites: true }): Promise<void> {
    await this.#stopRewriting()
    if (rewrites && isDueAtExit(this.#lengths) && !this.#pending) await this.#rewrite()
    this.#isStopping = true
    this.#journal.close()
  }

  /** For lowdb: reads base and journals. */
  async read(): Promise<Tables> {
    if (this.#pending) this.#pending = []
    const names = readdirSync(this.#folder)
    for (const name of names) if (name.endsWith('.tmp')) await rm(this.#path(name), { force: true })
    const none = { tables: new Map(), covers: 0, length: 0 }
    const { tables, covers, length } = names.includes(BASE) ? await readBase(this.#path(BASE)) : none
    this.#beginGeneration(covers + 1)
    this.#older = { base: length, journals: 0 }
    await this.#deleteUpTo(covers)
    await this.#readJournals(generationsIn(names, covers), tables)
    return tables
  }

  /** For lowdb: writes everything as one document, beside the journal that goes on. */
  async write(tables: Tables): Promise<void> {
    if (this.#journal.length > 0) this.#beginGeneration()
    const covers = this.#generation - 1
    await this.#writeBase(tables, covers)
    await this.#deleteUpTo(covers)
  }

  get #lengths(): Lengths {
    return { ...this.#older, journals: this.#older.journals + this.#journal.length }
  }

  get #mayRewrite(): boolean {
    return !this.#rewriting && this.#lengths.journals > this.#retryLength
  }

  #append(changes: readonly RowChange[]): void {
    try {
      this.#options.assertHeld?.()
      this.#journal.append(changes)
    } catch (error) {
      this.#pending ??= []
      throw storageProblem(error)
    }
  }

  async #readJournals(generations: readonly number[], tables: Tables): Promise<void> {
    for (const generation of generations) {
      const path = this.#path(`journal.${generation}.log`)
      if (this.#journal.length > 0) this.#beginGeneration()
      if (generation !== this.#generation)
        throw new Error(
          `${path} is there, but not what comes before it (${BASE} up to journal ${generation - 1}). ` +
            'Put the missing file back, or move the folder away to begin anew.',
        )
      const { length, torn } = await readJournal(path, generation, tables)
      if (torn && generation !== generations.at(-1))
        throw damage(path, torn.line, 'the file is cut off here, although a newer journal follows it')
      if (torn) {
        truncateSync(path, length)
        const dropped = `dropped ${torn.bytes} bytes from line ${torn.line} on`
        this.#options.warn(`${path}: ${dropped}, which was not wholly written when the process ended.`)
      }
      this.#journal = this.#journalOf(length)
    }
  }

  async #rewrite(): Promise<void> {
    if (this.#isStopping || this.#rewriting || this.#pending) return
    this.#rewriting = this.#tryToRewrite()
    await this.#rewriting
    this.#rewriting = undefined
  }

  /** Never fails: the rows are in the journal until they are in the base. */
  async #tryToRewrite(): Promise<void> {
    try {
      await this.#low.write()
      this.#retryLength = 0
    } catch (error) {
      await rm(this.#path(`${BASE}.tmp`), { force: true }).catch(() => undefined)
      if (error instanceof Stopped) return
      this.#retryLength = retryLength(this.#lengths)
      this.#options.warn(`could not rewrite ${this.#path(BASE)}, whose changes stay in the journal: ${error}`)
    }
  }

  async #stopRewriting(): Promise<void> {
    this.#isStopping = true
    await this.#rewriting
    this.#isStopping = false
  }

  /** Writes a document beside the one there is, and puts it in its place. */
  async #writeBase(tables: Tables, covers: number, onRows?: OnRows): Promise<void> {
    const beside = this.#path(`${BASE}.tmp`)
    const pending = this.#pending
    const goOn = (rows: number) => {
      // After a write that failed, the rows in memory are not those that are stored.
      if (this.#isStopping || this.#pending !== pending) throw new Stopped()
      onRows?.(rows)
    }
    const length = await writeBase(beside, tables, { covers }, goOn)
    await this.#journal.sync()
    goOn(0)
    this.#options.assertHeld?.()
    await rename(beside, this.#path(BASE))
    this.#older = { base: length, journals: 0 }
  }

  #beginGeneration(generation = this.#generation + 1): void {
    this.#older = this.#lengths
    this.#journal.close()
    this.#generation = generation
    this.#journal = this.#journalOf(0)
  }

  #journalOf(length: number): Journal {
    return new Journal(this.#path(`journal.${this.#generation}.log`), this.#generation, length)
  }

  /** Deletes the journals that a base includes; those that cannot be deleted are left out by the next start. */
  async #deleteUpTo(covers: number): Promise<void> {
    try {
      await syncFolder(this.#folder)
      for (const name of readdirSync(this.#folder))
        if (Number(JOURNAL.exec(name)?.[1]) <= covers) await rm(this.#path(name), { force: true })
    } catch (error) {
      this.#options.warn(`could not delete old journals in ${this.#folder}: ${error}`)
    }
  }

  #path(name: string): string {
    return join(this.#folder, name)
  }
}
