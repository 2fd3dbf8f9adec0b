import { StoredText } from './page.ts'

/** A row as it lies in memory: as put this turn, that with its JSON, the JSON alone, or in a page once it is stored. */
export type Entry = object | WrittenRow | string | StoredText

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

/** A row as JSON; what others share with it is in it unless it was written before. */
export function textOf(entry: Entry): string {
  if (entry instanceof StoredText || entry instanceof WrittenRow) return entry.text
  return typeof entry === 'string' ? entry : JSON.stringify(entry)
}
