import type { Entry, RowText } from './entry.ts'

/** One row's new text, or null when it is gone. A class, for V8 took literals of it for long-lived, and their texts with them. */
export class Change {
  readonly table: string
  readonly id: string
  readonly text: RowText | null
  /** What its table holds of the row; a place in a page takes over from it, unless it was replaced meanwhile. */
  readonly entry: Entry | null

  constructor(table: string, id: string, text: RowText | null, entry: Entry | null = text) {
    this.table = table
    this.id = id
    this.text = text
    this.entry = entry
  }
}

/** Where changes go to last. Called once per turn of the event loop with all that changed in it. */
export type AppendChanges = (changes: readonly Change[]) => void
