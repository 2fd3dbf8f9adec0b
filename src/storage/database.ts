import { JsonText } from '../kernel/json.ts'
import { Problem } from '../kernel/problem.ts'
import { runInSlices } from '../kernel/slices.ts'
import { TableRows, type Tables, TablesCopy } from './rows.ts'
import type { WorldStore } from './store.ts'
import type { AnyTable, Table } from './table.ts'
import { newBatch, type WriteBatch } from './write-batch.ts'

export interface DatabaseOptions {
  /** The rows a new database has in a table. */
  readonly initialRows?: (table: AnyTable) => readonly object[]
  /** Called when a write failed. Nothing of it is stored, and this database takes no more: another is opened in its place. */
  readonly onFailure?: (error: unknown) => void
}

type Store = Pick<WorldStore, 'tables' | 'append' | 'blocked'>

/** Changed rows that are stored before there are more. */
const MANY_ROWS = 64
/** Rows that are indexed in slices if there are more. */
const MANY_INDEXED = 1000

/** All state that outlives a request. A row is plain JSON and never altered in place: putting it again replaces it. */
export class Database {
  #store: Store
  /** The store's, as it was opened: those of a store whose rows were replaced are another world's. */
  readonly #tables: Tables
  readonly #options: DatabaseOptions
  readonly #open = new Map<string, TableRows>()
  /** Tables with rows that are not written yet. */
  readonly #changed = new Set<TableRows>()
  /** Copies that are being made. */
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

  /** For ids that Petri itself keeps: a missing row is a bug. */
  get<Row extends object>(table: Table<Row, string>, id: string): Row {
    return this.find(table, id) ?? missing(table, id)
  }

  has<Row extends object>(table: Table<Row, string>, id: string): boolean {
    return this.#of(table).texts.has(id)
  }

  /** The row as JSON. */
  text<Row extends object>(table: Table<Row, string>, id: string): JsonText<Row> {
    return new JsonText<Row>(this.#of(table).texts.get(id) ?? missing(table, id))
  }

  count<Row extends object>(table: Table<Row, string>): number {
    return this.#of(table).texts.size
  }

  /** Ids in the order the rows were first put. */
  ids<Row extends object>(table: Table<Row, string>): string[] {
    return [...this.#of(table).texts.keys()]
  }

  first<Row extends object>(table: Table<Row, string>): string | undefined {
    return this.#of(table).texts.keys().next().value
  }

  all<Row extends object>(table: Table<Row, string>): IterableIterator<Row> {
    return this.#of(table).all()
  }

  /** Rows that an index finds by `value`. */
  by<Row extends object, Index extends string>(
    table: Table<Row, Index>,
    index: NoInfer<Index>,
    value: string,
  ): Row[] {
    return this.idsBy(table, index, value).map((id) => this.get(table, id))
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
    this.#change(table, id, (rows) => rows.put(id, JSON.stringify(row), row))
    return row
  }

  /** The same for a row that is JSON already. */
  putJson<Row extends object>(table: Table<Row, string>, id: string, { text }: JsonText<Row>): void {
    this.#change(table, id, (rows) => rows.put(id, text))
  }

  delete<Row extends object>(table: Table<Row, string>, id: string): void {
    if (this.has(table, id)) this.#change(table, id, (rows) => rows.delete(id))
  }

  /** All rows as they are now, copied in slices; what is put from now on does not show in it. */
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

  /** Builds the indexes of a table with many rows in slices. Those of others are built when they are first used. */
  async buildIndexes(table: AnyTable): Promise<void> {
    const rows = this.#tables.get(table.name)?.size ?? 0
    if (rows > MANY_INDEXED && Object.keys(table.indexes).length > 0)
      await runInSlices(this.#of(table).buildIndexes())
  }

  /** Resolves once all changes so far are stored; undefined when there are none to wait for. */
  settled(): Promise<void> | undefined {
    if (this.#failure) return Promise.reject(this.#failure.error)
    if (this.#batch) this.#batch.isAwaited = true
    return this.#batch?.written
  }

  /** Resolves once a row is stored; undefined when it is. */
  storing<Row extends object>(table: Table<Row, string>, id: string): Promise<void> | undefined {
    return this.#of(table).changed.has(id) ? this.settled() : undefined
  }

  /** Goes on in another store that holds the same rows. */
  storeIn(store: Store): void {
    this.#store = store
  }

  /** Refuses a call that would write while nothing can be stored. */
  assertWritable(): void {
    const reason = this.#store.blocked()
    if (reason) throw new Problem('insufficient_storage', reason)
  }

  /** Whether all that was put is stored, or is still to be, or a write failed and this database has ended. */
  get state(): 'stored' | 'changed' | 'failed' {
    if (this.#failure) return 'failed'
    return this.#batch ? 'changed' : 'stored'
  }

  /** How often something was stored; stands still while the world is quiet. */
  get flushes(): number {
    return this.#flushes
  }

  /** Stores what has changed when it is much, for the sake of memory. */
  storeMuch(): void {
    let rows = 0
    for (const { changed } of this.#changed) rows += changed.size
    if (rows > MANY_ROWS) this.flush()
  }

  /** Calls back each time before something is stored, for what is put only then. */
  beforeStoring(put: () => void): void {
    this.#beforeWriting = put
  }

  /** Has something stored when this turn ends, or the next: what was put, and what is put then. */
  store(): void {
    if (this.#isClosed || this.#batch) return
    this.#batch = newBatch()
    const write = () => this.#batch && this.flush()
    // Where no reply waits, deliveries that are about to go out go first.
    setImmediate(() => (this.#batch?.isAwaited ? write() : setImmediate(write)))
  }

  /** Stores what has changed, now. */
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

  /** Forgets what has not been stored and stores no more: the world is gone. */
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
