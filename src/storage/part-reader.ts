import { REFERENCE, type SharedJson, shareJson } from '../kernel/json.ts'
import { table } from './table.ts'

/** A part that many rows have, kept once. */
export interface SharedPart {
  readonly id: string
  readonly part: object
}

export const sharedParts = table<SharedPart>('shared_parts', ({ id }) => id)

export const textOfPart = ({ id, text }: SharedJson): string => `{"id":"${id}",${PART_KEY}${text}}`

/** Puts shared parts back in their places. */
export class SharedPartReader {
  readonly #find: (id: string) => string | undefined
  readonly #texts = new Map<string, string>()
  readonly #objects = new Map<string, object>()

  /** `find` gives the JSON of a row of `sharedParts`. */
  constructor(find: (id: string) => string | undefined) {
    this.#find = find
  }

  /** A row's JSON with all its parts. */
  expand(kept: string): string {
    let [text, from] = ['', 0]
    for (let at = kept.indexOf(REFERENCE); at !== -1; at = kept.indexOf(REFERENCE, from)) {
      const end = kept.indexOf('"', at + REFERENCE.length)
      const part = this.#textOf(kept.slice(at + REFERENCE.length, end))
      text += kept.slice(from, at) + (part ?? kept.slice(at, end + 2))
      from = end + 2
    }
    return from === 0 ? kept : text + kept.slice(from)
  }

  parse(kept: string): object {
    const first = kept.indexOf(REFERENCE)
    const isOnly = kept.indexOf(REFERENCE, first + 1) === -1
    const row = JSON.parse(kept) as Record<string, unknown>
    if (first === -1) return row
    for (const key in isOnly ? row : {}) {
      const part = this.#objectOf((row[key] as { $shared?: unknown } | null)?.$shared)
      if (part) return { ...row, [key]: part }
    }
    return JSON.parse(this.expand(kept)) as object
  }

  #objectOf(id: unknown): object | undefined {
    if (typeof id !== 'string') return undefined
    const text = this.#textOf(id)
    if (text === undefined) return undefined
    const object = this.#objects.get(id) ?? shareJson(JSON.parse(text) as object)
    this.#objects.set(id, object)
    return object
  }

  #textOf(id: string): string | undefined {
    const known = this.#texts.get(id)
    if (known !== undefined) return known
    const row = this.#find(id)
    if (row === undefined) return undefined
    const text = row.slice(row.indexOf(PART_KEY) + PART_KEY.length, -1)
    this.#texts.set(id, text)
    return text
  }
}

/** The last key of a row. */
const PART_KEY = '"part":'
