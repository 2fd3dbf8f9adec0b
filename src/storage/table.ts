import type { World } from '../world/world.ts'

/** A typed name for a table. Anyone who holds the handle may read it; only its own service may write it. */
export interface Table<Row extends object, Index extends string = never> {
  readonly name: string
  readonly idOf: (row: Row) => string
  /** Look-ups that do not scan: for each, the value a row is found by. */
  readonly indexes: Readonly<Record<Index, (row: Row) => string | null | undefined>>
  /** Rows every world is born with; made when the table is first touched. */
  readonly born: ((world: World) => readonly Row[]) | undefined
}

export interface TableOptions<Row extends object, Index extends string> {
  readonly indexes?: Readonly<Record<Index, (row: Row) => string | null | undefined>>
  readonly born?: (world: World) => readonly Row[]
}

export const table = <Row extends object, Index extends string = never>(
  name: string,
  idOf: (row: Row) => string,
  { indexes, born }: TableOptions<Row, Index> = {},
): Table<Row, Index> => ({
  name,
  idOf,
  indexes: indexes ?? ({} as Record<Index, (row: Row) => string | null | undefined>),
  born,
})
