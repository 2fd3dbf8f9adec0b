import { StoredText } from './page.ts'

/** A row as it lies in memory: as put this turn, that with its JSON, the JSON alone, or in a page once it is stored. */
export type Entry = object | WrittenRow | RowText | StoredText

/** A row's JSON before it is stored. */
export type RowText = string | JoinedText

/** Every row of a world by table and id, in the order they were first put. */
export type Tables = Map<string, Map<string, Entry>>

/** A row put this turn that was asked for as JSON. */
export class WrittenRow {
  readonly row: object
  readonly text: string

  constructor(row: object, text: string) {
    this.row = row
    this.text = text
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
export function textOf(entry: Entry): string {
  if (typeof entry === 'string') return entry
  return isText(entry) || entry instanceof WrittenRow ? entry.text : JSON.stringify(entry)
}

/** Whether a row is JSON and nothing else. */
export const isText = (entry: Entry): entry is RowText | StoredText =>
  typeof entry === 'string' || entry instanceof StoredText || entry instanceof JoinedText
