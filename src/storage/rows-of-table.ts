import type { Entry } from './entry.ts'
import { IndexOfRows } from './index-of-rows.ts'
import { StoredText } from './memory-page.ts'
import type { Table } from './table.ts'

/** The most rows of a table that are kept parsed. */
const MOST_PARSED = 128

/** The rows of one table, and what is known of them beside. */
export class RowsOfTable {
  readonly name: string
  /** In the order they were first put. */
  readonly entries: Map<string, Entry>
  /** Of this turn: the rows as they are now, null for those that are gone. */
  changed = new Map<string, Entry | null>()
  /** Rows that were deleted this turn; those put again since are the last. */
  deleted = new Set<string>()
  readonly #indexes = new Map<string, IndexOfRows>()
  /** Rows that were read lately: what is in use is not parsed again and again. */
  #parsed = new Map<string, object>()

  constructor(name: string, entries: Map<string, Entry>) {
    this.name = name
    this.entries = entries
  }

  /** A row that is read through `parse`, unless it was so lately. */
  read(id: string, parse: () => object): object {
    const known = this.#parsed.get(id)
    if (known) return known
    if (this.#parsed.size >= MOST_PARSED) this.#parsed = new Map()
    const row = parse()
    this.#parsed.set(id, row)
    return row
  }

  put(id: string, entry: Entry): void {
    this.#leave(id)
    this.entries.set(id, entry)
    this.changed.set(id, entry)
  }

  /** Enters a row that was put into what finds it by its values. */
  enter<Row extends object>(table: Table<Row, string>, id: string, row: Row): void {
    for (const [name, index] of this.#indexes) index.set(id, indexed(table, name, row))
  }

  /** Answers whether there was such a row. */
  delete(id: string): boolean {
    this.#leave(id)
    if (!this.entries.delete(id)) return false
    this.changed.set(id, null)
    this.deleted.add(id)
    for (const index of this.#indexes.values()) index.delete(id)
    return true
  }

  /** What changed is stored. */
  forgetChanges(): void {
    this.changed = new Map()
    if (this.deleted.size > 0) this.deleted = new Set()
  }

  index<Row extends object>(table: Table<Row, string>, name: string, rows: () => Iterable<Row>): IndexOfRows {
    const known = this.#indexes.get(name)
    if (known) return known
    const index = new IndexOfRows()
    for (const row of rows()) index.set(table.idOf(row), indexed(table, name, row))
    this.#indexes.set(name, index)
    return index
  }

  #leave(id: string): void {
    if (this.#parsed.size > 0) this.#parsed.delete(id)
    const before = this.entries.get(id)
    if (before instanceof StoredText) before.forget()
  }
}

const indexed = <Row extends object>(table: Table<Row, string>, index: string, row: Row) =>
  (table.indexes as Record<string, (row: Row) => string | null | undefined>)[index]?.(row)
