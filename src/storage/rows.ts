import { Slices } from '../kernel/slices.ts'
import type { Table } from './table.ts'

/** The JSON of every row by table and id, in the order they were first put. Empty for a row whose write batch is still open. */
export type Tables = Map<string, Map<string, string>>

export const rowsIn = (tables: Tables): number =>
  [...tables.values()].reduce((sum, rows) => sum + rows.size, 0)

/** A copy of rows that nobody changes meanwhile; made in slices. */
export async function copyOfTables(tables: Tables): Promise<Tables> {
  const copy: Tables = new Map()
  const slices = new Slices()
  for (const [name, texts] of tables) {
    const own = new Map<string, string>()
    copy.set(name, own)
    for (const [id, text] of texts) {
      own.set(id, text)
      if (slices.isOver) await slices.next()
    }
  }
  return copy
}

/** A row's new JSON, or null when it was deleted. */
export interface RowChange {
  readonly table: string
  readonly id: string
  readonly text: string | null
}

/** The most rows of a table that are kept parsed. */
const MOST_PARSED = 128

/** A row put since the last write, as an object, as JSON, or both. */
interface FreshRow {
  row?: object
  text?: string
}

/** The rows of one table, its indexes, and what changed in it since the last write. */
export class TableRows {
  readonly name: string
  readonly texts: Map<string, string>
  /** Rows put since the last write. */
  #fresh = new Map<string, FreshRow>()
  /** Ids changed since the last write; true for those that were deleted, whether or not they were put again. */
  #changed = new Map<string, boolean>()
  #parsed = new Map<string, object>()
  readonly #indexes = new Map<string, Index>()

  constructor(name: string, texts: Map<string, string>) {
    this.name = name
    this.texts = texts
  }

  get changes(): number {
    return this.#changed.size
  }

  isChanged(id: string): boolean {
    return this.#changed.has(id)
  }

  find(id: string): object | undefined {
    const known = this.#fresh.get(id)?.row ?? this.#parsed.get(id)
    const text = known ? undefined : this.textOf(id)
    if (text === undefined) return known
    const row = JSON.parse(text) as object
    if (this.#parsed.size >= MOST_PARSED) this.#parsed = new Map()
    this.#parsed.set(id, row)
    return row
  }

  textOf(id: string): string | undefined {
    const fresh = this.#fresh.get(id)
    if (!fresh) return this.texts.get(id)
    fresh.text ??= JSON.stringify(fresh.row) as string
    return fresh.text
  }

  *all(): IterableIterator<object> {
    for (const id of this.texts.keys())
      yield this.#fresh.get(id)?.row ?? (JSON.parse(this.textOf(id) as string) as object)
  }

  put<Row extends object>(table: Table<Row, string>, id: string, fresh: FreshRow): void {
    this.#parsed.delete(id)
    if (!this.texts.has(id)) this.texts.set(id, '')
    this.#fresh.set(id, fresh)
    this.#changed.set(id, this.#changed.get(id) ?? false)
    if (this.#indexes.size === 0) return
    const row = this.find(id) as Row
    for (const [name, index] of this.#indexes) index.set(id, indexed(table, name, row))
  }

  delete(id: string): boolean {
    this.#parsed.delete(id)
    this.#fresh.delete(id)
    if (!this.texts.delete(id)) return false
    this.#changed.set(id, true)
    for (const index of this.#indexes.values()) index.set(id, undefined)
    return true
  }

  /** What changed since this was called last. A row deleted and put again is deleted first, for it is now the last. */
  takeChanges(changes: RowChange[]): void {
    const table = this.name
    for (const [id, wasDeleted] of this.#changed) {
      const text = this.#fresh.has(id) ? this.textOf(id) : undefined
      if (wasDeleted) changes.push({ table, id, text: null })
      if (text === undefined) continue
      changes.push({ table, id, text })
      this.texts.set(id, text)
    }
    this.#changed = new Map()
    this.#fresh = new Map()
  }

  index<Row extends object>(table: Table<Row, string>, name: string): Index {
    const known = this.#indexes.get(name)
    if (known) return known
    const index = new Index()
    for (const row of this.all()) index.set(table.idOf(row as Row), indexed(table, name, row as Row))
    this.#indexes.set(name, index)
    return index
  }
}

/** Ids of rows by one value of theirs. */
class Index {
  readonly #ids = new Map<string, Set<string>>()
  readonly #values = new Map<string, string>()

  set(id: string, value: string | null | undefined): void {
    const before = this.#values.get(id)
    if (before === value) return
    if (before !== undefined) this.#remove(id, before)
    if (value === null || value === undefined) return
    this.#values.set(id, value)
    const ids = this.#ids.get(value)
    if (ids) ids.add(id)
    else this.#ids.set(value, new Set([id]))
  }

  idsOf(value: string): Iterable<string> {
    return this.#ids.get(value) ?? []
  }

  #remove(id: string, value: string): void {
    this.#values.delete(id)
    const ids = this.#ids.get(value)
    ids?.delete(id)
    if (ids?.size === 0) this.#ids.delete(value)
  }
}

const indexed = <Row extends object>(table: Table<Row, string>, index: string, row: Row) =>
  (table.indexes as Record<string, (row: Row) => string | null | undefined>)[index]?.(row)
