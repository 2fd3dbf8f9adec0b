import { JsonText } from '../kernel/json.ts'
import { inNextTurn } from '../kernel/pause.ts'
import { Problem } from '../kernel/problem.ts'
import { runInSlices } from '../kernel/slices.ts'
import { MANY_INDEXED, TableRows, type Tables, TablesCopy } from './rows.ts'
import type { WorldStore } from './store.ts'
import type { AnyTable, Table } from './table.ts'

export interface DatabaseOptions {
  /** All tables, with those of the rows that others belong to before the others'. */
  readonly tables?: readonly AnyTable[]
  /** The initial rows of a table in a new database. */
  readonly initialRows?: (table: AnyTable) => readonly object[]
  /**
   * Called when a write failed. Nothing of it is stored and this database takes no further writes; another one is
   * opened in its place.
   */
  readonly onFailure?: (error: unknown) => void
}

/** A row that belongs to an object. */
export interface OwnedRow {
  readonly table: AnyTable
  readonly id: string
}

type Store = Pick<WorldStore, 'tables' | 'append' | 'blocked'>

/** All changes of one turn of the event loop, which are written together at its end. */
interface WriteBatch {
  readonly written: Promise<void>
  /** Settles `written`; with an error if nothing of the batch was written. */
  readonly end: (error?: unknown) => void
  /** Whether a reply waits for it. */
  isAwaited: boolean
}

/** The number of changed rows from which they are stored immediately. */
const MANY_ROWS = 64

/** All state that outlives a request. Rows are plain JSON and never modified in place; `put` replaces them. */
export class Database {
  #store: Store
  /** The tables of the store when it was opened. A store whose rows were replaced has other tables. */
  readonly #tables: Tables
  readonly #options: DatabaseOptions
  readonly #open = new Map<string, TableRows>()
  /** Tables with rows that are not written yet. */
  readonly #changed = new Set<TableRows>()
  /** Copies in progress. */
  readonly #copies = new Set<TablesCopy>()
  #batch: WriteBatch | undefined
  #beforeWriting: (() => void) | undefined
  #isClosed = false
  #failure: { readonly error: unknown } | undefined
  #flushes = 0

  constructor(store: Store, options: DatabaseOptions = {}) {
    this.#store = store
    this.#tables = store.tables
    this.#options = options
  }

  find<Row extends object>(table: Table<Row, string>, id: string): Row | undefined {
    return this.#of(table).find(id)
  }

  /** For ids that Petri itself stores: a missing row is a bug. */
  get<Row extends object>(table: Table<Row, string>, id: string): Row {
    return this.find(table, id) ?? missing(table, id)
  }

  has<Row extends object>(table: Table<Row, string>, id: string): boolean {
    return this.#of(table).texts.has(id)
  }

  /** The row as serialised JSON. */
  text<Row extends object>(table: Table<Row, string>, id: string): JsonText<Row> {
    return new JsonText<Row>(this.#of(table).texts.get(id) ?? missing(table, id))
  }

  count<Row extends object>(table: Table<Row, string>): number {
    return this.#of(table).texts.size
  }

  /** Ids in the order in which the rows were first put. */
  ids<Row extends object>(table: Table<Row, string>): string[] {
    return [...this.#of(table).texts.keys()]
  }

  first<Row extends object>(table: Table<Row, string>): string | undefined {
    return this.#of(table).texts.keys().next().value
  }

  all<Row extends object>(table: Table<Row, string>): IterableIterator<Row> {
    return this.#of(table).all()
  }

  /** The rows with a value in an index. */
  by<Row extends object, Index extends string>(
    table: Table<Row, Index>,
    index: NoInfer<Index>,
    value: string,
  ): Row[] {
    return this.idsBy(table, index, value).map((id) => this.get(table, id))
  }

  /** The values of an index by the ids of their rows. */
  values<Row extends object, Index extends string>(
    table: Table<Row, Index>,
    index: NoInfer<Index>,
  ): ReadonlyMap<string, string> {
    return this.#of(table).index(index).values
  }

  idsBy<Row extends object, Index extends string>(
    table: Table<Row, Index>,
    index: NoInfer<Index>,
    value: string,
  ): string[] {
    return [...this.#of(table).index(index).idsOf(value)]
  }

  put<Row extends object>(table: Table<Row, string>, row: NoInfer<Row>): Row {
    const id = table.idOf(row)
    const text = JSON.stringify(row)
    // V8 returns a chain of parts. Reading it joins them, which saves a tenth of the memory of a stored order.
    Buffer.byteLength(text)
    this.#change(table, id, (rows) => rows.put(id, text, row))
    return row
  }

  /** Puts a row that is already serialised; `head` has the fields of its indexes. */
  putJson<Row extends object>(
    table: Table<Row, string>,
    id: string,
    { text }: JsonText<Row>,
    head: Partial<NoInfer<Row>>,
  ): void {
    this.#change(table, id, (rows) => rows.put(id, text, undefined, head as Row))
  }

  delete<Row extends object>(table: Table<Row, string>, id: string): void {
    if (this.has(table, id)) this.#change(table, id, (rows) => rows.delete(id))
  }

  /** The rows with data of an object, one at a step: those that belong to a row come before the row. */
  *ownedBy(owner: string, id: string): Generator<OwnedRow, void> {
    for (const table of [...(this.#options.tables ?? [])].reverse()) {
      if (!table.owners.includes(owner)) continue
      for (const rowId of this.#of(table).idsOwnedBy(owner, id)) {
        if (table.owns !== undefined) yield* this.ownedBy(table.owns, rowId)
        yield { table, id: rowId }
      }
    }
  }

  /** Deletes a row with data of an owner; of a row of several owners, only the data of this one. */
  erase({ table, id }: OwnedRow, ownerId: string): void {
    const left = this.has(table, id) && table.without?.(this.get(table, id), ownerId)
    if (left) this.put(table as Table<object, string>, left)
    else this.delete(table, id)
  }

  /** Copies all rows in slices, as of the time of the call. */
  async copy(): Promise<Tables> {
    if (this.#batch) this.flush()
    const copy = new TablesCopy(this.#tables)
    this.#copies.add(copy)
    try {
      return await copy.make()
    } finally {
      this.#copies.delete(copy)
    }
  }

  /** Builds the indexes of a stored table with many rows in slices. Those of other tables are built on first use. */
  async buildIndexes(table: AnyTable): Promise<void> {
    const rows = this.#tables.get(table.name)?.size ?? 0
    if (rows > MANY_INDEXED && Object.keys(table.indexes).length > 0)
      await runInSlices(this.#of(table).buildIndexes())
  }

  /** Resolves once all previous changes are stored; undefined if they already are. */
  settled(): Promise<void> | undefined {
    if (this.#failure) return Promise.reject(this.#failure.error)
    if (this.#batch) this.#batch.isAwaited = true
    return this.#batch?.written
  }

  /** Resolves once a row is stored; undefined if it already is. */
  storing<Row extends object>(table: Table<Row, string>, id: string): Promise<void> | undefined {
    return this.#of(table).changed.has(id) ? this.settled() : undefined
  }

  /** Continues with another store that contains the same rows. */
  storeIn(store: Store): void {
    this.#store = store
  }

  /** Throws for a call that would write while nothing can be stored. */
  assertWritable(): void {
    const reason = this.#store.blocked()
    if (reason) throw new Problem('insufficient_storage', reason)
  }

  /** Whether all changes are stored, some are not yet, or a write failed. */
  get state(): 'stored' | 'changed' | 'failed' {
    if (this.#failure) return 'failed'
    return this.#batch ? 'changed' : 'stored'
  }

  /** The number of writes so far, which does not change while the world is idle. */
  get flushes(): number {
    return this.#flushes
  }

  /** Stores the changes if there are many, to save memory. */
  storeMuch(): void {
    let rows = 0
    for (const { changed } of this.#changed) rows += changed.size
    if (rows > MANY_ROWS) this.flush()
  }

  /** Registers a function that is called before each write, to put rows that are stored with it. */
  beforeStoring(put: () => void): void {
    this.#beforeWriting = put
  }

  /** Schedules a write at the end of this turn or of the next one. */
  store(): void {
    if (this.#isClosed || this.#batch) return
    this.#batch = newBatch()
    const write = () => this.#batch && this.flush()
    // If no reply waits for the write, pending deliveries are sent first.
    inNextTurn(() => (this.#batch?.isAwaited ? write() : inNextTurn(write)))
  }

  /** Stores all changes now. */
  flush(): void {
    if (this.#isClosed) return
    this.#flushes++
    this.#beforeWriting?.()
    try {
      this.#store.append([...this.#changed].flatMap((rows) => rows.takeChanges()))
      this.#changed.clear()
    } catch (error) {
      this.#isClosed = true
      this.#failure = { error }
      this.#endBatch(error)
      this.#options.onFailure?.(error)
      return
    }
    this.#endBatch()
  }

  /** Drops unstored changes and stores nothing more, because the world is closed. */
  close(): void {
    this.#isClosed = true
    this.#endBatch()
  }

  #endBatch(error?: unknown): void {
    const batch = this.#batch
    this.#batch = undefined
    batch?.end(error)
  }

  #of<Row extends object>(table: Table<Row, string>): TableRows<Row> {
    const open = this.#open.get(table.name) ?? this.#openTable(table)
    return open as TableRows<Row>
  }

  #openTable<Row extends object>(table: Table<Row, string>): TableRows<Row> {
    const known = this.#tables.get(table.name)
    const rows = new TableRows(table, known ?? new Map())
    this.#open.set(table.name, rows as unknown as TableRows)
    if (known) return rows
    this.#tables.set(table.name, rows.texts)
    for (const row of this.#options.initialRows?.(table) ?? []) this.put(table, row as Row)
    return rows
  }

  #change<Row extends object>(
    table: Table<Row, string>,
    id: string,
    change: (rows: TableRows<Row>) => void,
  ): void {
    if (this.#failure) throw this.#failure.error
    const rows = this.#of(table)
    for (const copy of this.#copies) copy.keep(table.name, id)
    change(rows)
    this.#changed.add(rows as unknown as TableRows)
    this.store()
  }
}

function missing(table: { readonly name: string }, id: string): never {
  throw new Error(`no row ${id} in ${table.name}`)
}

function newBatch(): WriteBatch {
  let end: WriteBatch['end'] = () => undefined
  const written = new Promise<void>((resolve, reject) => {
    end = (error) => (error === undefined ? resolve() : reject(error))
  })
  // Prevents an unhandled rejection if nobody waits for it.
  written.catch(() => undefined)
  return { written, end, isAwaited: false }
}
