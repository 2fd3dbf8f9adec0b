import { createRandom } from '../kernel/random.ts'
import { Database } from '../storage/database.ts'
import type { WorldStore } from '../storage/persistence.ts'

/** The organisation that every world of a Petri is a team of. */
export const organisationId = createRandom('petri/organisation').uuid('org')

/** What it is kept under, beside the worlds. */
export const ORGANISATION = 'organisation'

/** What belongs to no team alone. Nothing is kept of it until something is written. */
export class Organisation {
  readonly #openStore: () => Promise<WorldStore>
  #db = unkept()
  #store: Promise<WorldStore> | undefined

  constructor(openStore: () => Promise<WorldStore>) {
    this.#openStore = openStore
  }

  /** To be read; it is written through `change`. */
  get db(): Database {
    return this.#db
  }

  /** Reads what was kept. */
  async open(): Promise<void> {
    this.#store ??= this.#openStore().then((store) => {
      this.#db = new Database(
        store.tables,
        (changes) => store.append(changes),
        () => [],
      )
      return store
    })
    await this.#store
  }

  /** Answers once what was changed is stored. */
  async change<Result>(make: (db: Database) => Result): Promise<Result> {
    await this.open()
    const result = make(this.#db)
    await this.#db.settled()
    return result
  }

  async close(): Promise<void> {
    if (!this.#store) return
    const store = await this.#store
    this.#db.flush()
    this.#db.close()
    await store.close()
  }
}

const unkept = () =>
  new Database(
    new Map(),
    () => undefined,
    () => [],
  )
