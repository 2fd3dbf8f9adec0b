import { readdirSync, truncateSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Adapter, Low } from 'lowdb'
import { append } from '../kernel/list.ts'
import { messageOf } from '../kernel/reason.ts'
import { readBase, syncFolder, writeBase } from './base-file.ts'
import { isDueAtExit, isDueUnderLoad, isDueWhenQuiet, type Lengths, retryLength } from './compaction.ts'
import { makeFolder, storageProblem } from './disk-full.ts'
import { generationsIn, JOURNAL, Journal, readJournal } from './journal.ts'
import { damage } from './lines.ts'
import type { RowChange, Tables } from './rows.ts'
import type { OnRows, WorldStore } from './store.ts'

const BASE = 'world.json'

/** Thrown when the world is being closed or a write failed. */
class Stopped extends Error {}

export interface FileOptions {
  /** Called with errors that do not harm the data. */
  readonly warn: (message: string) => void
  /** Throws if another process has taken the folder. */
  readonly assertHeld?: () => void
}

/** Opens the world in a folder, which is created if necessary. */
export async function openWorldStore(folder: string, options: FileOptions): Promise<WorldStore> {
  makeFolder(folder)
  return new FileStore(folder, options).reopen()
}

/** A lowdb adapter that appends changed rows to a journal; only `write` writes all rows. */
class FileStore implements Adapter<Tables>, WorldStore {
  readonly #low = new Low<Tables>(this, new Map())
  readonly #folder: string
  readonly #options: FileOptions
  /** The lengths without the current journal. */
  #older: Lengths = { base: 0, journals: 0 }
  #generation = 1
  #journal: Journal
  /** The changes of a failed write, to be written as soon as possible. */
  #pending: RowChange[] | undefined
  #rewriting: Promise<void> | undefined
  #isStopping = false
  /** Why the journal must not be restarted: it is being read again, or could not be read. */
  #unread: string | undefined
  /** The length of the journals from which compaction is tried again. */
  #retryLength = 0

  constructor(folder: string, options: FileOptions) {
    this.#folder = folder
    this.#options = options
    this.#journal = this.#journalOf(0)
  }

  get tables(): Tables {
    return this.#low.data
  }

  /** Writes all changes of a turn. */
  append(changes: readonly RowChange[]): void {
    if (this.#pending) append(this.#pending, changes)
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
      return messageOf(error)
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
      // The file gets no other writes meanwhile.
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

  closeIdle(): void {
    if (!this.#rewriting) this.#journal.closeIfIdle()
  }

  async close({ rewrites } = { rewrites: true }): Promise<void> {
    await this.#stopRewriting()
    if (rewrites && isDueAtExit(this.#lengths) && !this.#pending) await this.#rewrite()
    this.#isStopping = true
    this.#journal.close()
  }

  /** Implements lowdb: reads the base and the journals. */
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

  /** Implements lowdb: writes all rows as one document, while the journal continues. */
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
        throw damage(path, torn.line, 'the file is truncated here, although there is a newer journal')
      if (torn) {
        truncateSync(path, length)
        const dropped = `dropped ${torn.bytes} bytes from line ${torn.line} on`
        this.#options.warn(`${path}: ${dropped}, which was incomplete when the process ended.`)
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

  /** Writes a new document and replaces the old one with it. */
  async #writeBase(tables: Tables, covers: number, onRows?: OnRows): Promise<void> {
    const beside = this.#path(`${BASE}.tmp`)
    const pending = this.#pending
    const onBlock = (rows: number) => {
      // After a failed write, the rows in memory differ from the stored ones.
      if (this.#isStopping || this.#pending !== pending) throw new Stopped()
      onRows?.(rows)
    }
    const length = await writeBase(beside, tables, { covers }, onBlock)
    await this.#journal.sync()
    onBlock(0)
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

  /** Deletes the journals that a base includes; the next start ignores those that cannot be deleted. */
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
