/** A typed name for a table. Anyone who holds the handle may read it; only its own service may write it. */
export interface Table<Row extends object, Index extends string = never> {
  readonly name: string
  readonly idOf: (row: Row) => string
  /** Look-ups that do not scan: for each, the value a row is found by. */
  readonly indexes: Readonly<Record<Index, (row: Row) => string | null | undefined>>
  /** The rows a new database has in it, made when the table is first used; told what the database belongs to. */
  readonly initialRows: ((owner: never) => readonly object[]) | undefined
}

/** A table whatever its rows are. */
export type AnyTable = Table<never, string>

export interface TableOptions<Row extends object, Index extends string, Owner> {
  readonly indexes?: Readonly<Record<Index, (row: Row) => string | null | undefined>>
  readonly initialRows?: (owner: Owner) => readonly Row[]
}

export const table = <Row extends object, Index extends string = never, Owner = never>(
  name: string,
  idOf: (row: Row) => string,
  { indexes, initialRows }: TableOptions<Row, Index, Owner> = {},
): Table<Row, Index> => ({
  name,
  idOf,
  indexes: indexes ?? ({} as Record<Index, (row: Row) => string | null | undefined>),
  initialRows,
})
