import { createRandom } from '../kernel/random.ts'
import { Database } from '../storage/database.ts'
import { memoryStore, type WorldStore } from '../storage/store.ts'

/** The organisation that every world of a Petri is a team of. */
export const organisationId = createRandom('petri/organisation').uuid('org')

/** The name of its store. */
export const ORGANISATION = 'organisation'

/** Data of the organisation as a whole. Its store is created by the first write. */
export class Organisation {
  readonly #openStore: () => Promise<WorldStore>
  #db = new Database(memoryStore())
  #store: Promise<WorldStore> | undefined
  #opened: WorldStore | undefined

  constructor(openStore: () => Promise<WorldStore>) {
    this.#openStore = openStore
  }

  /** To be read; it is written through `change`. */
  get db(): Database {
    return this.#db
  }

  /** Why it cannot be written now. */
  blocked(): string | undefined {
    return this.#opened?.blocked()
  }

  /** Reads what was kept. */
  async open(): Promise<void> {
    this.#store ??= this.#openStore().then((store) => this.#use(store))
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

  #use(store: WorldStore): WorldStore {
    this.#opened = store
    this.#db = new Database(store, {
      onFailure: () => {
        this.#store = store.reopen().then((stored) => this.#use(stored))
      },
    })
    return store
  }
}
