import * as z from 'zod'
import { DATE_LIMIT_MS } from '../kernel/instant.ts'
import type { DeepReadonly } from '../kernel/json.ts'
import { once } from '../kernel/once.ts'

/** A typed handle of a table. Any code may read the table; only its own service may write it. */
export interface Table<Row extends object, Index extends string = never> {
  readonly name: string
  /** Validates imported rows; built on first use. */
  readonly schema: () => z.ZodType
  readonly idOf: (row: Row) => string
  /** By index, the value by which rows are found. */
  readonly indexes: Indexes<Row, Index>
  /** The kinds of objects whose data its rows are. */
  readonly owners: readonly string[]
  /** The kind of objects its rows are, if other rows belong to them. */
  readonly owns: string | undefined
  /** A row that names its owner anywhere without the owner, or undefined if nothing of it is left. */
  readonly without: ((row: Row, ownerId: string) => object | undefined) | undefined
  /** The rows of the table in a new database, created on first use from the owner of the database. */
  readonly initialRows: ((owner: never) => readonly object[]) | undefined
}

type Indexes<Row, Index extends string> = Readonly<Record<Index, (row: Row) => string | null | undefined>>

/** A table with rows of any type. */
export type AnyTable = Table<never, string>

/** The type of a table's rows, which are never modified in place. */
export type RowOf<Handle> = Handle extends Table<infer Row, string> ? Row : never

interface TableOptions<Row extends object, Index extends string, World> {
  readonly indexes?: Indexes<Row, Index>
  /** Rows are erased with their owner. They are found by the index of its name; if there is none, they have its id. */
  readonly owner?: string | readonly string[]
  readonly owns?: string
  /** For rows that may name their owners anywhere. */
  readonly without?: (row: Row, ownerId: string) => Row | undefined
  readonly initialRows?: (world: World) => readonly Row[]
}

/** The options of a table whose rows belong to a user. */
export const ofUser = {
  owner: 'user',
  indexes: { user: ({ user_id }: { readonly user_id: string }): string => user_id },
}

/** Declares a table; the schema determines the type of its rows and validates imported ones. */
export const table = <Schema extends z.ZodType<object>, Index extends string = never, World = never>(
  name: string,
  schema: () => Schema,
  idOf: (row: DeepReadonly<z.output<Schema>>) => string,
  options: TableOptions<DeepReadonly<z.output<Schema>>, Index, World> = {},
): Table<DeepReadonly<z.output<Schema>>, Index> => ({
  name,
  schema: once(schema),
  idOf,
  indexes: options.indexes ?? ({} as Indexes<DeepReadonly<z.output<Schema>>, Index>),
  owners: [options.owner ?? []].flat(),
  owns: options.owns,
  without: options.without,
  initialRows: options.initialRows,
})

/** An instant in a row: milliseconds since 1970, within the range of JavaScript dates. */
export const instantMs = () => z.number().min(-DATE_LIMIT_MS).max(DATE_LIMIT_MS)

/** A non-negative number of things in a row. */
export const count = () => z.int().min(0)
