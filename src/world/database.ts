import { holdsText, JsonText, type SharedJson, writeJson, writeRow } from '../kernel/json.ts'
import { IndexOfRows } from './index-of-rows.ts'
import { SharedPartReader, sharedParts, toSharedPart } from './part-reader.ts'
import { StoredText } from './stored-text.ts'
import type { Table } from './table.ts'

/** A row as it lies in memory: as put this turn, as JSON, or as a part of the file it was read from. */
export type Entry = object | string | StoredText
/** Every row of a world by table and id, in the order they were first put. */
export type Tables = Map<string, Map<string, Entry>>

/** One row's new text, or null when it is gone. */
export interface Change {
  readonly table: string
  readonly id: string
  readonly text: string | null
}

/** Where changes go to last. Called once per turn of the event loop with all that changed in it. */
export type AppendChanges = (changes: readonly Change[]) => void

/** The rows a table is born with. */
export type BornRows = <Row extends object>(table: Table<Row, string>) => readonly Row[]

/** The most rows of a table that are kept parsed. */
const MOST_PARSED = 128

/** All state that outlives a request. A row is plain JSON and never altered in place: putting it again replaces it. */
export class Database {
  readonly #tables: Tables
  readonly #append: AppendChanges
  readonly #bornRows: BornRows
  readonly #indexes = new Map<string, Map<string, IndexOfRows>>()
  /** Rows that were read or written lately, by table and id: what is in use is not parsed again and again. */
  readonly #parsed = new Map<string, Map<string, object>>()
  /** By table and id, whether the row was deleted meanwhile: then it may since have been put again, as the last. */
  #changed = new Map<string, Map<string, boolean>>()
  #settled: Promise<void> | undefined
  #settle: (() => void) | undefined
  #fail: ((error: unknown) => void) | undefined
  #closed = false
  #flushes = 0
  readonly #parts = new SharedPartReader((id) => {
    const rows = this.#rows(sharedParts)
    const entry = rows.get(id)
    return entry === undefined ? undefined : this.#write(rows, id, entry)
  })
  readonly #expand = (kept: string): string => this.#parts.expand(kept)
  readonly #keepPart = (part: SharedJson): void => {
    if (!this.#rows(sharedParts).has(part.id)) this.put(sharedParts, toSharedPart(part))
  }

  constructor(tables: Tables, append: AppendChanges, bornRows: BornRows) {
    this.#tables = tables
    this.#append = append
    this.#bornRows = bornRows
  }

  find<Row extends object>(table: Table<Row, string>, id: string): Row | undefined {
    const entry = this.#rows(table).get(id)
    if (entry === undefined) return undefined
    if (typeof entry === 'object' && !(entry instanceof StoredText)) return entry as Row
    const known = this.#parsed.get(table.name)?.get(id)
    return (known ?? this.#keepParsed(table.name, id, this.#parse(entry))) as Row
  }

  /** For ids that Petri itself keeps: a missing row is a bug. */
  get<Row extends object>(table: Table<Row, string>, id: string): Row {
    const row = this.find(table, id)
    if (!row) throw new Error(`no row ${id} in ${table.name}`)
    return row
  }

  has<Row extends object>(table: Table<Row, string>, id: string): boolean {
    return this.#rows(table).has(id)
  }

  /** The row as JSON, written at most once per change. */
  text<Row extends object>(table: Table<Row, string>, id: string): JsonText<Row> {
    const rows = this.#rows(table)
    const entry = rows.get(id)
    if (entry === undefined) throw new Error(`no row ${id} in ${table.name}`)
    const text = this.#write(rows, id, entry)
    if (typeof entry === 'object' && !(entry instanceof StoredText)) this.#keepParsed(table.name, id, entry)
    return new JsonText<Row>(text, this.#expand)
  }

  count<Row extends object>(table: Table<Row, string>): number {
    return this.#rows(table).size
  }

  /** Ids in the order the rows were first put. */
  ids<Row extends object>(table: Table<Row, string>): string[] {
    return [...this.#rows(table).keys()]
  }

  first<Row extends object>(table: Table<Row, string>): string | undefined {
    return this.#rows(table).keys().next().value
  }

  *all<Row extends object>(table: Table<Row, string>): IterableIterator<Row> {
    for (const entry of this.#rows(table).values()) yield this.#parse(entry) as Row
  }

  /** Rows that an index finds by `value`. */
  by<Row extends object, Index extends string>(
    table: Table<Row, Index>,
    index: NoInfer<Index>,
    value: string,
  ): Row[] {
    return [...this.#index(table, index).idsOf(value)].map((id) => this.get(table, id))
  }

  idsBy<Row extends object, Index extends string>(
    table: Table<Row, Index>,
    index: NoInfer<Index>,
    value: string,
  ): string[] {
    return [...this.#index(table, index).idsOf(value)]
  }

  put<Row extends object>(table: Table<Row, string>, row: NoInfer<Row>): Row {
    const id = table.idOf(row)
    this.#rows(table).set(id, holdsText(row) ? writeJson(row) : row)
    this.#parsed.get(table.name)?.delete(id)
    this.#mark(table.name, id, false)
    for (const [name, index] of this.#indexes.get(table.name) ?? []) {
      index.set(id, (table.indexes as Record<string, (row: Row) => string | null | undefined>)[name]?.(row))
    }
    return row
  }

  delete<Row extends object>(table: Table<Row, string>, id: string): void {
    if (!this.#rows(table).delete(id)) return
    this.#parsed.get(table.name)?.delete(id)
    this.#mark(table.name, id, true)
    for (const index of this.#indexes.get(table.name)?.values() ?? []) index.delete(id)
  }

  /** All rows as they are now; what is put from now on does not show in it. */
  copy(): Tables {
    return new Map([...this.#tables].map(([name, rows]) => [name, new Map(rows)]))
  }

  /** Resolves once all changes so far are stored; undefined when there are none to wait for. */
  settled(): Promise<void> | undefined {
    return this.#settled
  }

  /** How often something was stored; stands still while the world is quiet. */
  get flushes(): number {
    return this.#flushes
  }

  /** Stores what has changed, now. */
  flush(): void {
    this.#flushes++
    const [settle, fail] = [this.#settle, this.#fail]
    this.#settled = this.#settle = this.#fail = undefined
    try {
      this.#append(this.#takeChanges())
      settle?.()
    } catch (error) {
      if (fail) fail(error)
      else throw error
    }
  }

  /** Forgets what has not been stored and stores no more: the world is gone. */
  close(): void {
    this.#closed = true
    this.#changed.clear()
    this.#settle?.()
    this.#settled = this.#settle = undefined
  }

  #takeChanges(): Change[] {
    const changes: Change[] = []
    const take = (ids: ReadonlyMap<string, boolean> | undefined, table: string) => {
      const rows = this.#tables.get(table)
      ids?.forEach((wasDeleted, id) => {
        const entry = rows?.get(id)
        if (wasDeleted) changes.push({ table, id, text: null })
        if (rows && entry !== undefined) changes.push({ table, id, text: this.#write(rows, id, entry) })
      })
    }
    // The parts come last: writing the rows that share them is what adds them.
    for (const [table, ids] of this.#changed) if (table !== sharedParts.name) take(ids, table)
    take(this.#changed.get(sharedParts.name), sharedParts.name)
    this.#changed = new Map()
    return changes
  }

  #parse(entry: Entry): object {
    if (typeof entry === 'string') return this.#parts.parse(entry)
    return entry instanceof StoredText ? this.#parts.parse(entry.text) : entry
  }

  #rows<Row extends object>(table: Table<Row, string>): Map<string, Entry> {
    const rows = this.#tables.get(table.name)
    if (rows) return rows
    const fresh = new Map<string, Entry>()
    this.#tables.set(table.name, fresh)
    if (table.born) for (const row of this.#bornRows(table)) this.put(table, row)
    return fresh
  }

  #write(rows: Map<string, Entry>, id: string, entry: Entry): string {
    if (typeof entry === 'string') return entry
    if (entry instanceof StoredText) return entry.text
    const text = writeRow(entry, this.#keepPart)
    rows.set(id, text)
    return text
  }

  #keepParsed(table: string, id: string, row: object): object {
    const parsed = this.#parsed.get(table) ?? new Map<string, object>()
    if (parsed.size === 0 || parsed.size >= MOST_PARSED) {
      parsed.clear()
      this.#parsed.set(table, parsed)
    }
    parsed.set(id, row)
    return row
  }

  #index<Row extends object, Index extends string>(table: Table<Row, Index>, name: Index): IndexOfRows {
    const indexes = this.#indexes.get(table.name) ?? new Map<string, IndexOfRows>()
    this.#indexes.set(table.name, indexes)
    const known = indexes.get(name)
    if (known) return known
    const index = new IndexOfRows()
    for (const row of this.all(table)) index.set(table.idOf(row), table.indexes[name](row))
    indexes.set(name, index)
    return index
  }

  #mark(table: string, id: string, isDeleted: boolean): void {
    if (this.#closed) return
    const ids = this.#changed.get(table) ?? new Map<string, boolean>()
    if (ids.size === 0) this.#changed.set(table, ids)
    ids.set(id, isDeleted || ids.get(id) === true)
    if (this.#settled) return
    this.#settled = new Promise((resolve, reject) => {
      this.#settle = resolve
      this.#fail = reject
    })
    this.#settled.catch(() => undefined)
    setImmediate(() => this.#settled && this.flush())
  }
}
