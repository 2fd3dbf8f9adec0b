import { JsonText } from '../kernel/json.ts'
import { type RowChange, TableRows, type Tables } from './rows.ts'
import type { WorldStore } from './store.ts'
import type { Table } from './table.ts'
import { WriteBatch } from './write-batch.ts'

/** The rows a new database has in a table. */
export type InitialRows = <Row extends object>(table: Table<Row, string>) => readonly Row[]

export interface DatabaseOptions {
  readonly initialRows?: InitialRows
  /** Called when a write failed. Nothing of it is stored, and this database takes no more: another is opened in its place. */
  readonly onFailure?: (error: unknown) => void
}

const MANY_ROWS = 64

/** All state that outlives a request. A row is plain JSON and never altered in place: putting it again replaces it. */
export class Database {
  readonly #store: Pick<WorldStore, 'tables' | 'append'>
  readonly #options: DatabaseOptions
  readonly #open = new Map<string, TableRows>()
  /** Tables with rows that are not written yet. */
  #changed = new Set<TableRows>()
  readonly #batch = new WriteBatch(() => this.flush())
  #beforeWriting: (() => void) | undefined
  #isClosed = false
  #failure: { readonly error: unknown } | undefined
  #flushes = 0

  constructor(store: Pick<WorldStore, 'tables' | 'append'>, options: DatabaseOptions = {}) {
    this.#store = store
    this.#options = options
  }

  find<Row extends object>(table: Table<Row, string>, id: string): Row | undefined {
    return this.#of(table).find(id) as Row | undefined
  }

  /** For ids that Petri itself keeps: a missing row is a bug. */
  get<Row extends object>(table: Table<Row, string>, id: string): Row {
    return this.find(table, id) ?? missing(table, id)
  }

  has<Row extends object>(table: Table<Row, string>, id: string): boolean {
    return this.#of(table).texts.has(id)
  }

  /** The row as JSON, written at most once per change. */
  text<Row extends object>(table: Table<Row, string>, id: string): JsonText<Row> {
    return new JsonText<Row>(this.#of(table).textOf(id) ?? missing(table, id))
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
    return this.#of(table).all() as IterableIterator<Row>
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
    return [...this.#of(table).index(table, index).idsOf(value)]
  }

  put<Row extends object>(table: Table<Row, string>, row: NoInfer<Row>): Row {
    const rows = this.#of(table)
    rows.put(table, table.idOf(row), { row })
    this.#mark(rows)
    return row
  }

  /** The same for a row that is JSON already. */
  putJson<Row extends object>(table: Table<Row, string>, id: string, { text }: JsonText<Row>): void {
    const rows = this.#of(table)
    rows.put(table, id, { text })
    this.#mark(rows)
  }

  delete<Row extends object>(table: Table<Row, string>, id: string): void {
    const rows = this.#of(table)
    if (rows.delete(id)) this.#mark(rows)
  }

  /** All rows as they are now; what is put from now on does not show in it. */
  copy(): Tables {
    if (this.#batch.isOpen) this.flush()
    return new Map([...this.#store.tables].map(([name, texts]) => [name, new Map(texts)]))
  }

  /** Resolves once all changes so far are stored; undefined when there are none to wait for. */
  settled(): Promise<void> | undefined {
    return this.#failure ? Promise.reject(this.#failure.error) : this.#batch.written()
  }

  /** Resolves once a row is stored; undefined when it is. */
  storing<Row extends object>(table: Table<Row, string>, id: string): Promise<void> | undefined {
    return this.#of(table).isChanged(id) ? this.settled() : undefined
  }

  /** How often something was stored; stands still while the world is quiet. */
  get flushes(): number {
    return this.#flushes
  }

  /** Stores what has changed when it is much, for the sake of memory. */
  storeMuch(): void {
    let rows = 0
    for (const { changes } of this.#changed) rows += changes
    if (rows > MANY_ROWS) this.flush()
  }

  /** Calls back each time before something is stored, for what is put only then. */
  beforeStoring(put: () => void): void {
    this.#beforeWriting = put
  }

  /** Has something stored when this turn ends, or the next: what was put, and what is put then. */
  store(): void {
    if (!this.#isClosed) this.#batch.open()
  }

  /** Stores what has changed, now. */
  flush(): void {
    if (this.#isClosed) return
    this.#flushes++
    this.#beforeWriting?.()
    try {
      this.#store.append(this.#takeChanges())
    } catch (error) {
      this.#isClosed = true
      this.#failure = { error }
      this.#batch.end(error)
      this.#options.onFailure?.(error)
      return
    }
    this.#batch.end()
  }

  /** Forgets what has not been stored and stores no more: the world is gone. */
  close(): void {
    this.#isClosed = true
    this.#changed.clear()
    this.#batch.end()
  }

  #takeChanges(): RowChange[] {
    const changes: RowChange[] = []
    for (const rows of this.#changed) rows.takeChanges(changes)
    this.#changed.clear()
    return changes
  }

  #of<Row extends object>(table: Table<Row, string>): TableRows {
    return this.#open.get(table.name) ?? this.#openTable(table)
  }

  #openTable<Row extends object>(table: Table<Row, string>): TableRows {
    const { tables } = this.#store
    const known = tables.get(table.name)
    const rows = new TableRows(table.name, known ?? new Map())
    this.#open.set(table.name, rows)
    if (known) return rows
    tables.set(table.name, rows.texts)
    for (const row of this.#options.initialRows?.(table) ?? []) this.put(table, row)
    return rows
  }

  #mark(rows: TableRows): void {
    if (this.#failure) throw this.#failure.error
    if (this.#isClosed) return
    this.#changed.add(rows)
    this.store()
  }
}

function missing(table: { readonly name: string }, id: string): never {
  throw new Error(`no row ${id} in ${table.name}`)
}
