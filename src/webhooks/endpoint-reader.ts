import type { Database } from '../world/database.ts'
import { type Endpoint, endpoints } from './table.ts'

/** Reads endpoints, which are read far more often than they change, and parses each change once. */
export class EndpointReader {
  readonly #db: Database
  readonly #read = new Map<string, { readonly text: string; readonly endpoint: Endpoint }>()

  constructor(db: Database) {
    this.#db = db
  }

  find(id: string): Endpoint | undefined {
    if (!this.#db.has(endpoints, id)) return undefined
    const { text } = this.#db.text(endpoints, id)
    const known = this.#read.get(id)
    if (known?.text === text) return known.endpoint
    const endpoint = JSON.parse(text) as Endpoint
    this.#read.set(id, { text, endpoint })
    return endpoint
  }

  all(): Endpoint[] {
    const all: Endpoint[] = []
    for (const id of this.#db.ids(endpoints)) {
      const endpoint = this.find(id)
      if (endpoint) all.push(endpoint)
    }
    return all
  }
}
