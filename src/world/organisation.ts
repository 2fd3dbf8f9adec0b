import { createRandom } from '../kernel/random.ts'
import { Database } from '../storage/database.ts'
import { memoryStore, type WorldStore } from '../storage/store.ts'

/** The id of the organisation that owns all teams, and so all worlds. */
export const organisationId = createRandom('petri/organisation').uuid('org')

/** The name of the store of the organisation's rows. */
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

  /** For reading. Changes go through `change`. */
  get db(): Database {
    return this.#db
  }

  /** Why nothing can be stored now; undefined if it can. */
  blocked(): string | undefined {
    return this.#opened?.blocked()
  }

  /** Reads the stored rows. */
  async open(): Promise<void> {
    this.#store ??= this.#openStore().then((store) => this.#use(store))
    await this.#store
  }

  /** Resolves once the change is stored. */
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
