import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Adapter, Low } from 'lowdb'
import { append } from '../kernel/list.ts'
import { inNextTurn } from '../kernel/pause.ts'
import { messageOf } from '../kernel/reason.ts'
import { FORMAT, readBase, writeBase } from './base-file.ts'
import { isDueAtExit, isDueUnderLoad, isDueWhenQuiet, type Lengths, retryLength } from './compaction.ts'
import { storageProblem, storing } from './disk-full.ts'
import { type Files, filesHeldBy, sync } from './files.ts'
import { generationsIn, JOURNAL, Journal, type JournalEnd, readJournal } from './journal.ts'
import { damage } from './lines.ts'
import { migrate } from './migration.ts'
import type { RowChange, Tables } from './rows.ts'
import type { OnRows, WorldStore } from './store.ts'

const BASE = 'world.json'
const EMPTY: JournalEnd = { length: 0, checksum: 0 }

/** Thrown when the world is being closed or a write failed. */
class Stopped extends Error {}

export interface FileOptions {
  /** Called with errors that do not harm the data. */
  readonly warn: (message: string) => void
  /** Throws if another process has taken the folder. */
  readonly assertHeld?: () => void
  /** Whether all writes of a turn are synced to disk before they count as stored. */
  readonly isDurable?: boolean
}

/** Opens the world in a folder, which is created if necessary. */
export async function openWorldStore(folder: string, options: FileOptions): Promise<WorldStore> {
  const files = filesHeldBy(options.assertHeld ?? (() => undefined))
  await storing(async () => files.makeFolder(folder))
  return new FileStore(folder, files, options).reopen()
}

/** A lowdb adapter that appends changed rows to a journal; only `write` writes all rows. */
class FileStore implements Adapter<Tables>, WorldStore {
  readonly #low = new Low<Tables>(this, new Map())
  readonly #folder: string
  readonly #files: Files
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
  /** Why the last write failed. Callers are told while what is stored is read again. */
  #failure = 'The stored data are being read.'
  /** Whether a file of the former format was read. */
  #isFormer = false
  /** The length of the journals from which compaction is tried again. */
  #retryLength = 0

  constructor(folder: string, files: Files, options: FileOptions) {
    this.#folder = folder
    this.#files = files
    this.#options = options
    this.#journal = this.#journalOf(EMPTY)
  }

  get tables(): Tables {
    return this.#low.data
  }

  /** Writes all changes of a turn. */
  append(changes: readonly RowChange[]): void {
    if (this.#pending) append(this.#pending, changes)
    else if (changes.length > 0) this.#append(changes)
    if (this.#mayRewrite && isDueUnderLoad(this.#lengths)) inNextTurn(() => void this.#rewrite())
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
    this.#unread = this.#failure
    await this.#low.read().catch((error: Error) => {
      this.#unread = `The stored data cannot be read: ${error.message}`
      throw error
    })
    this.#unread = undefined
    if (this.#isFormer) await storing(() => this.#migrate())
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
      this.#removeUnfinished()
      throw storageProblem(error)
    } finally {
      this.#rewriting = undefined
    }
    this.#journal.close()
    this.#continueAfter(this.#journal.end)
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

  async closeFiles(): Promise<void> {
    await this.#stopRewriting()
    this.#journal.close()
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
    this.#journal.repair()
    this.#journal.close()
    const names = readdirSync(this.#folder)
    for (const name of names) if (name.endsWith('.tmp')) this.#files.remove(this.#path(name))
    const none = { format: FORMAT, tables: new Map(), covers: 0, length: 0 }
    const { format, tables, covers, length } = names.includes(BASE) ? await readBase(this.#path(BASE)) : none
    this.#isFormer = format !== FORMAT
    this.#generation = covers + 1
    this.#journal = this.#journalOf(EMPTY)
    this.#older = { base: length, journals: 0 }
    await this.#deleteUpTo(covers)
    await this.#readJournals(generationsIn(names, covers), tables)
    return tables
  }

  /** Implements lowdb: writes all rows as one document, while the journal continues. */
  async write(tables: Tables): Promise<void> {
    if (this.#journal.length > 0) {
      await this.#journal.sync()
      this.#beginGeneration()
    }
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
      this.#journal.append(changes)
    } catch (error) {
      this.#pending ??= []
      const problem = storageProblem(error)
      this.#failure = problem.message
      throw problem
    }
  }

  async #readJournals(generations: readonly number[], tables: Tables): Promise<void> {
    for (const generation of generations) {
      const path = this.#path(`journal.${generation}.log`)
      const before = this.#journal.length > 0 ? this.#journal.end : undefined
      if (before) this.#continueAfter(before)
      if (generation !== this.#generation)
        throw new Error(
          `${path} is there, but not what comes before it (${BASE} up to journal ${generation - 1}). ` +
            'Put the missing file back, or move the folder away to start empty.',
        )
      const { end, torn, isCurrent } = await readJournal(path, generation, before, tables)
      if (torn && generation !== generations.at(-1))
        throw damage(path, torn.line, 'the file is truncated here, although there is a newer journal')
      if (torn) {
        if (end.length > 0) this.#files.truncate(path, end.length)
        else this.#files.remove(path)
        const dropped = `dropped ${torn.bytes} bytes from line ${torn.line} on`
        this.#options.warn(`${path}: ${dropped}, which was incomplete when the process ended.`)
      }
      this.#journal = this.#journalOf(end)
      if (!isCurrent) this.#isFormer = true
    }
  }

  /** Rewrites what was stored in the former format, before anything else is stored. */
  async #migrate(): Promise<void> {
    migrate(this.tables)
    await this.#low.write()
    this.#isFormer = false
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
      this.#removeUnfinished()
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
    const length = await writeBase(this.#files, beside, tables, { covers }, onBlock)
    await this.#journal.sync()
    onBlock(0)
    this.#files.rename(beside, this.#path(BASE))
    this.#older = { base: length, journals: 0 }
  }

  #beginGeneration(): void {
    this.#journal.finish()
    this.#continueAfter(this.#journal.end)
  }

  /** Begins the journal that follows the current one. */
  #continueAfter({ checksum }: JournalEnd): void {
    this.#older = this.#lengths
    this.#generation++
    this.#journal = this.#journalOf({ length: 0, checksum })
  }

  #journalOf(end: JournalEnd): Journal {
    return new Journal({
      files: this.#files,
      path: this.#path(`journal.${this.#generation}.log`),
      generation: this.#generation,
      end,
      isDurable: this.#options.isDurable ?? false,
      warn: this.#options.warn,
    })
  }

  /** Deletes the journals that a base includes; the next start ignores those that cannot be deleted. */
  async #deleteUpTo(covers: number): Promise<void> {
    try {
      await sync([this.#folder])
      for (const name of readdirSync(this.#folder))
        if (Number(JOURNAL.exec(name)?.[1]) <= covers) this.#files.remove(this.#path(name))
    } catch (error) {
      this.#options.warn(`could not delete old journals in ${this.#folder}: ${error}`)
    }
  }

  /** Removes a base that is not complete; the next start removes one that cannot be removed now. */
  #removeUnfinished(): void {
    try {
      this.#files.remove(this.#path(`${BASE}.tmp`))
    } catch {}
  }

  #path(name: string): string {
    return join(this.#folder, name)
  }
}
