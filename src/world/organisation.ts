import * as z from 'zod'
import { Problem } from '../kernel/problem.ts'
import { createRandom } from '../kernel/random.ts'
import { Database } from '../storage/database.ts'
import { storageProblem } from '../storage/disk-full.ts'
import { memoryStore, type WorldStore } from '../storage/store.ts'
import { type AnyTable, count, table } from '../storage/table.ts'

/** The id of the organisation that owns all teams, and so all worlds. */
export const organisationId = createRandom('petri/organisation').uuid('org')

/** The name of the store of the organisation's rows. */
export const ORGANISATION = 'organisation'

/** The number of objects of each kind that were ever created. */
export const creations = table(
  'organisation_made',
  () => z.object({ kind: z.string(), made: count() }),
  ({ kind }) => kind,
)

/** The next number of a kind, from 1. None is given twice, also after a deletion. */
export function nextNumber(db: Database, kind: string): number {
  const number = (db.find(creations, kind)?.made ?? 0) + 1
  db.put(creations, { kind, made: number })
  return number
}

/** Erases what the organisation has of a team. */
export function eraseTeam(db: Database, teamId: string): void {
  for (const row of [...db.ownedBy('team', teamId)]) db.erase(row, teamId)
}

/** Data of the organisation as a whole. Its store is created by the first write. */
export class Organisation {
  readonly #openStore: () => Promise<WorldStore>
  /** Those whose rows belong to teams. */
  readonly #tables: readonly AnyTable[]
  #db = new Database(memoryStore())
  /** Pending until the rows are read; undefined when they are to be read. */
  #reading: Promise<void> | undefined
  #opened: WorldStore | undefined
  /** Why the rows are to be read again: they could not be, or those in memory are not all stored. */
  #failure: { readonly error: unknown } | undefined

  constructor(openStore: () => Promise<WorldStore>, tables: readonly AnyTable[]) {
    this.#openStore = openStore
    this.#tables = tables
  }

  /** For reading. Changes go through `change`. Throws after a write that failed, until the rows are read again. */
  get db(): Database {
    if (this.#failure) throw this.#failure.error
    return this.#db
  }

  get isReadable(): boolean {
    return this.#failure === undefined
  }

  /** Why nothing can be stored now; undefined if it can. */
  blocked(): string | undefined {
    return this.#opened?.blocked()
  }

  /** Reads what an earlier run has stored; if that fails, what needs it is refused with the reason until it can be read. */
  async load(): Promise<void> {
    await this.open().catch((error: Error) => {
      const detail = `The data of the organisation could not be opened: ${error.message}`
      this.#failure = { error: new Problem('unavailable', detail) }
      throw error
    })
  }

  /** Reads the stored rows; when that fails, the next call tries again. */
  async open(): Promise<void> {
    this.#reading ??= this.#read()
    await this.#reading
  }

  /** Resolves once the change is stored. */
  async change<Result>(make: (db: Database) => Result): Promise<Result> {
    await this.open().catch((error) => {
      throw this.#failure?.error ?? storageProblem(error)
    })
    this.#db.assertWritable()
    const result = make(this.#db)
    await this.#db.settled()
    return result
  }

  /** Reads the rows again after a write that failed, if that has failed too, and stores what could not be stored. */
  async maintain(): Promise<void> {
    if (this.blocked() !== undefined) await this.open().catch(() => undefined)
  }

  async close(): Promise<void> {
    await this.#reading?.catch(() => undefined)
    this.#db.flush()
    this.#db.close()
    await this.#opened?.close()
  }

  async #read(): Promise<void> {
    try {
      this.#opened = await (this.#opened?.reopen() ?? this.#openStore())
      this.#db = new Database(this.#opened, {
        tables: this.#tables,
        onFailure: (error) => {
          this.#failure = { error }
          this.#reading = this.#read()
          this.#reading.catch(() => undefined)
        },
      })
      this.#failure = undefined
    } catch (error) {
      this.#reading = undefined
      throw error
    }
  }
}
