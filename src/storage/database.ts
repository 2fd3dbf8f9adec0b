import { JsonText, type SharedJson } from '../kernel/json.ts'
import { type AppendChanges, Change } from './change.ts'
import { type Entry, FreshRow, JoinedText, type RowText, type Tables, textOf } from './entry.ts'
import type { IndexOfRows } from './index-of-rows.ts'
import { StoredText } from './memory-page.ts'
import { SharedPartReader, sharedParts, textOfPart } from './part-reader.ts'
import { RowsOfTable } from './rows-of-table.ts'
import type { Table } from './table.ts'
import { Turn } from './turn.ts'

/** The rows a table is born with. */
export type BornRows = <Row extends object>(table: Table<Row, string>) => readonly Row[]

const MANY_ROWS = 64

/** All state that outlives a request. A row is plain JSON and never altered in place: putting it again replaces it. */
export class Database {
  readonly #tables: Tables
  readonly #append: AppendChanges
  readonly #bornRows: BornRows
  readonly #open = new Map<string, RowsOfTable>()
  /** Tables with rows that are not stored yet. */
  #changed = new Set<RowsOfTable>()
  readonly #turn = new Turn(() => this.flush())
  #beforeStoring: (() => void) | undefined
  #closed = false
  #flushes = 0
  readonly #parts = new SharedPartReader((id) => this.#textOf(this.#of(sharedParts), id))
  readonly #expand = (kept: string): string => this.#parts.expand(kept)
  readonly #keepPart = (part: SharedJson): void => {
    if (!this.has(sharedParts, part.id)) this.putText(sharedParts, part.id, textOfPart(part))
  }

  constructor(tables: Tables, append: AppendChanges, bornRows: BornRows) {
    this.#tables = tables
    this.#append = append
    this.#bornRows = bornRows
  }

  find<Row extends object>(table: Table<Row, string>, id: string): Row | undefined {
    const rows = this.#of(table)
    const entry = rows.entries.get(id)
    if (entry === undefined) return undefined
    return (entry instanceof FreshRow ? entry.row : rows.read(id, () => this.#parse(entry))) as Row
  }

  /** For ids that Petri itself keeps: a missing row is a bug. */
  get<Row extends object>(table: Table<Row, string>, id: string): Row {
    const row = this.find(table, id)
    if (!row) throw new Error(`no row ${id} in ${table.name}`)
    return row
  }

  has<Row extends object>(table: Table<Row, string>, id: string): boolean {
    return this.#of(table).entries.has(id)
  }

  /** The row as JSON, written at most once per change. */
  text<Row extends object>(table: Table<Row, string>, id: string): JsonText<Row> {
    const text = this.#textOf(this.#of(table), id)
    if (text === undefined) throw new Error(`no row ${id} in ${table.name}`)
    return new JsonText<Row>(text, this.#expand)
  }

  /** Roughly what a row takes, in bytes; 0 for one that is not there. */
  sizeOf<Row extends object>(table: Table<Row, string>, id: string): number {
    const rows = this.#of(table)
    const entry = rows.entries.get(id)
    return entry instanceof FreshRow ? entry.write(this.#keepPart).length : (entry?.length ?? 0)
  }

  count<Row extends object>(table: Table<Row, string>): number {
    return this.#of(table).entries.size
  }

  /** Ids in the order the rows were first put. */
  ids<Row extends object>(table: Table<Row, string>): string[] {
    return [...this.#of(table).entries.keys()]
  }

  first<Row extends object>(table: Table<Row, string>): string | undefined {
    return this.#of(table).entries.keys().next().value
  }

  *all<Row extends object>(table: Table<Row, string>): IterableIterator<Row> {
    for (const entry of this.#of(table).entries.values()) yield this.#parse(entry) as Row
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
    return [...this.#index(table, index).idsOf(value)]
  }

  put<Row extends object>(table: Table<Row, string>, row: NoInfer<Row>): Row {
    const rows = this.#of(table)
    const id = table.idOf(row)
    rows.put(id, new FreshRow(row))
    rows.enter(table, id, row)
    this.#mark(rows)
    return row
  }

  /** The same for a row that is JSON already; its table must have no indexes. */
  putText<Row extends object>(table: Table<Row>, id: string, text: RowText): void {
    const rows = this.#of(table)
    rows.put(id, text)
    this.#mark(rows)
  }

  delete<Row extends object>(table: Table<Row, string>, id: string): void {
    const rows = this.#of(table)
    if (rows.delete(id)) this.#mark(rows)
  }

  /** All rows as they are now; what is put from now on does not show in it. */
  copy(): Tables {
    if (this.#turn.isOpen) this.flush()
    return new Map([...this.#tables].map(([name, rows]) => [name, new Map(rows)]))
  }

  /** Resolves once all changes so far are stored; undefined when there are none to wait for. */
  settled(): Promise<void> | undefined {
    return this.#turn.stored()
  }

  /** Resolves once a row is stored; undefined when it is. */
  storing<Row extends object>(table: Table<Row, string>, id: string): Promise<void> | undefined {
    return this.#of(table).entries.get(id) instanceof StoredText ? undefined : this.settled()
  }

  /** How often something was stored; stands still while the world is quiet. */
  get flushes(): number {
    return this.#flushes
  }

  /** Stores what has changed when it is much: what waits for long is moved about in memory again and again. */
  storeMuch(): void {
    let rows = 0
    for (const { changed } of this.#changed) rows += changed.size
    if (rows > MANY_ROWS) this.flush()
  }

  /** Calls back each time before something is stored, for what is put down only then. */
  beforeStoring(put: () => void): void {
    this.#beforeStoring = put
  }

  /** Stores what has changed, now. */
  flush(): void {
    this.#flushes++
    this.#beforeStoring?.()
    this.#turn.store(() => this.#append(this.#takeChanges()))
  }

  /** Forgets what has not been stored and stores no more: the world is gone. */
  close(): void {
    this.#closed = true
    this.#changed.clear()
    this.#turn.drop()
  }

  #takeChanges(): Change[] {
    const changes: Change[] = []
    const parts = this.#of(sharedParts)
    const take = (rows: RowsOfTable) => {
      const { name: table, changed, deleted } = rows
      for (const [id, entry] of changed) {
        if (deleted.has(id)) changes.push(new Change(table, id, null))
        if (entry !== null) changes.push(new Change(table, id, this.#rowText(entry), entry))
      }
      rows.forgetChanges()
    }
    // The parts come last: writing the rows that share them is what adds them.
    for (const rows of this.#changed) if (rows !== parts) take(rows)
    take(parts)
    this.#changed = new Set()
    return changes
  }

  #parse(entry: Entry): object {
    return entry instanceof FreshRow ? entry.row : this.#parts.parse(textOf(entry))
  }

  #of<Row extends object>(table: Table<Row, string>): RowsOfTable {
    return this.#open.get(table.name) ?? this.#openTable(table)
  }

  #openTable<Row extends object>(table: Table<Row, string>): RowsOfTable {
    const known = this.#tables.get(table.name)
    const rows = new RowsOfTable(table.name, known ?? new Map())
    this.#open.set(table.name, rows)
    if (known) return rows
    this.#tables.set(table.name, rows.entries)
    if (table.born) for (const row of this.#bornRows(table)) this.put(table, row)
    return rows
  }

  #textOf({ entries }: RowsOfTable, id: string): string | undefined {
    const entry = entries.get(id)
    if (entry === undefined) return undefined
    return textOf(this.#rowText(entry))
  }

  #rowText(entry: Entry): RowText {
    if (entry instanceof FreshRow) return entry.write(this.#keepPart)
    return entry instanceof JoinedText ? entry : textOf(entry)
  }

  #index<Row extends object, Index extends string>(table: Table<Row, Index>, name: Index): IndexOfRows {
    return this.#of(table).index(table, name, () => this.all(table))
  }

  #mark(rows: RowsOfTable): void {
    if (this.#closed) return
    this.#changed.add(rows)
    this.store()
  }

  /** Has something stored when this turn ends, or the next: what was put, and what is put then. */
  store(): void {
    if (!this.#closed) this.#turn.open()
  }
}
