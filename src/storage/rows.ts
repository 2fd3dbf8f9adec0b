import { Latest } from '../kernel/kept.ts'
import { runAtOnce, Slices } from '../kernel/slices.ts'
import type { Table } from './table.ts'

/** The JSON of every row by table and id, in the order in which they were first put. */
export type Tables = Map<string, Map<string, string>>

export const rowsIn = (tables: Tables): number =>
  [...tables.values()].reduce((sum, rows) => sum + rows.size, 0)

/** A copy of all rows as of its creation, made in slices. `keep` must be called before a row changes meanwhile. */
export class TablesCopy {
  readonly #tables: Tables
  readonly #ids: readonly (readonly [string, readonly string[]])[]
  /** The previous texts of rows that have changed meanwhile. */
  readonly #before = new Map<string, Map<string, string | undefined>>()

  constructor(tables: Tables) {
    this.#tables = tables
    this.#ids = [...tables].map(([name, rows]) => [name, [...rows.keys()]])
  }

  keep(table: string, id: string): void {
    const before = this.#before.get(table) ?? new Map<string, string | undefined>()
    this.#before.set(table, before)
    if (!before.has(id)) before.set(id, this.#tables.get(table)?.get(id))
  }

  async make(): Promise<Tables> {
    const copy: Tables = new Map()
    const slices = new Slices()
    for (const [name, ids] of this.#ids) {
      const own = new Map<string, string>()
      copy.set(name, own)
      for (const id of ids) {
        const text = this.#before.get(name)?.get(id) ?? this.#tables.get(name)?.get(id)
        if (text !== undefined) own.set(id, text)
        if (slices.isOver) await slices.next()
      }
    }
    return copy
  }
}

/** The new JSON of a row; null if it was deleted. */
export interface RowChange {
  readonly table: string
  readonly id: string
  readonly text: string | null
}

export function applyChange(tables: Tables, { table, id, text }: RowChange): void {
  const rows = tables.get(table) ?? new Map<string, string>()
  tables.set(table, rows)
  if (text === null) rows.delete(id)
  else rows.set(id, text)
}

/** The maximum number of parsed rows of a table in the cache. More of them outlive the requests that need them. */
const MAX_PARSED = 32

/** The number of rows from which all indexes of a table exist: building one later would take too long at once. */
export const MANY_INDEXED = 1000

/** The rows of a table, its indexes, and the changes since the last write. */
export class TableRows<Row extends object = object> {
  readonly #table: Table<Row, string>
  readonly #indexNames: readonly string[]
  readonly texts: Map<string, string>
  /** Ids changed since the last write; true if the row was deleted, whether or not it was put again. */
  readonly changed = new Map<string, boolean>()
  readonly #parsed = new Latest<string, Row>(MAX_PARSED)
  readonly #indexes = new Map<string, Index>()

  constructor(table: Table<Row, string>, texts: Map<string, string>) {
    this.#table = table
    this.#indexNames = Object.keys(table.indexes)
    this.texts = texts
  }

  find(id: string): Row | undefined {
    const known = this.#parsed.get(id)
    const text = known ? undefined : this.texts.get(id)
    if (text === undefined) return known
    const row = JSON.parse(text) as Row
    this.#parsed.set(id, row)
    return row
  }

  *all(): IterableIterator<Row> {
    for (const [id, text] of this.texts) yield this.#parsed.peek(id) ?? (JSON.parse(text) as Row)
  }

  /** `indexed` has the fields of the indexes. */
  put(id: string, text: string, row?: Row, indexed: Row | undefined = row ?? this.find(id)): void {
    this.texts.set(id, text)
    this.changed.set(id, this.changed.get(id) ?? false)
    if (row) this.#parsed.set(id, row)
    else this.#parsed.delete(id)
    for (const [name, index] of this.#indexes) index.set(id, this.#valueOf(name, indexed))
    if (this.texts.size > MANY_INDEXED && this.#indexes.size < this.#indexNames.length)
      runAtOnce(this.buildIndexes())
  }

  delete(id: string): void {
    this.texts.delete(id)
    this.#parsed.delete(id)
    this.changed.set(id, true)
    for (const index of this.#indexes.values()) index.set(id, undefined)
  }

  /**
   * The changes since the last call. A row that was deleted and put again is deleted first, because it is now the
   * last row.
   */
  takeChanges(): RowChange[] {
    const table = this.#table.name
    const changes: RowChange[] = []
    for (const [id, wasDeleted] of this.changed) {
      const text = this.texts.get(id)
      if (wasDeleted) changes.push({ table, id, text: null })
      if (text !== undefined) changes.push({ table, id, text })
    }
    this.changed.clear()
    return changes
  }

  /** The ids of the rows with data of an object. */
  idsOwnedBy(owner: string, id: string): string[] {
    if (this.#table.without)
      return [...this.texts].filter(([, text]) => text.includes(id)).map(([rowId]) => rowId)
    if (owner in this.#table.indexes) return [...this.index(owner).idsOf(id)]
    return this.texts.has(id) ? [id] : []
  }

  index(name: string): Index {
    const known = this.#indexes.get(name)
    if (known) return known
    runAtOnce(this.buildIndexes([name]))
    return this.#indexes.get(name) as Index
  }

  /** Builds indexes, a row at a step. No row may change meanwhile. */
  *buildIndexes(names = this.#indexNames): Generator<void, void> {
    const built = names.map((name) => [name, new Index()] as const)
    for (const row of this.all()) {
      for (const [name, index] of built) index.set(this.#table.idOf(row), this.#valueOf(name, row))
      yield
    }
    for (const [name, index] of built) this.#indexes.set(name, index)
  }

  #valueOf(index: string, row: Row | undefined): string | null | undefined {
    return row && this.#table.indexes[index]?.(row)
  }
}

/** Ids of rows by the value of an index. */
class Index {
  /** A single id is stored as a string, which takes a third of the memory of a set. */
  readonly #ids = new Map<string, string | Set<string>>()
  readonly #values = new Map<string, string>()

  set(id: string, value: string | null | undefined): void {
    const before = this.#values.get(id)
    if (before === value) return
    if (before !== undefined) this.#remove(id, before)
    if (value === null || value === undefined) return
    this.#values.set(id, value)
    const ids = this.#ids.get(value)
    if (ids === undefined) this.#ids.set(value, id)
    else if (typeof ids === 'string') this.#ids.set(value, new Set([ids, id]))
    else ids.add(id)
  }

  /** By id of a row. */
  get values(): ReadonlyMap<string, string> {
    return this.#values
  }

  idsOf(value: string): Iterable<string> {
    const ids = this.#ids.get(value) ?? []
    return typeof ids === 'string' ? [ids] : ids
  }

  #remove(id: string, value: string): void {
    const ids = this.#ids.get(value)
    this.#values.delete(id)
    if (typeof ids === 'object' && ids.size > 1) ids.delete(id)
    else this.#ids.delete(value)
  }
}
