import { type SharedJson, writeRow } from '../kernel/json.ts'
import type { StoredText } from './memory-page.ts'

/** A row as it lies in memory: as it was put this turn, as JSON, or in a page once it is stored. */
export type Entry = FreshRow | RowText | StoredText

/** A row's JSON before it is stored. */
export type RowText = string | JoinedText

/** Every row of a world by table and id, in the order they were first put. */
export type Tables = Map<string, Map<string, Entry>>

/** A row put this turn. */
export class FreshRow {
  readonly row: object
  #text: string | undefined

  constructor(row: object) {
    this.row = row
  }

  /** Its JSON, written when it is first asked for; `keep` is told of each part it shares with others. */
  write(keep: (part: SharedJson) => void): string {
    this.#text ??= writeRow(this.row, keep)
    return this.#text
  }

  /** Its JSON, with all it shares in it unless it was written before. */
  get text(): string {
    return this.#text ?? JSON.stringify(this.row)
  }
}

/** Parts that make one text; long ones that others have too need not be copied to be put together. */
export class JoinedText {
  readonly parts: readonly string[]

  constructor(parts: readonly string[]) {
    this.parts = parts
  }

  get text(): string {
    return this.parts.join('')
  }

  get length(): number {
    return this.parts.reduce((sum, part) => sum + part.length, 0)
  }
}

/** A row as JSON; what others share with it is in it unless it was written before. */
export const textOf = (entry: Entry): string => (typeof entry === 'string' ? entry : entry.text)
