import * as z from 'zod'
import { once } from '../kernel/once.ts'

/** A typed handle of a table. Any code may read the table; only its own service may write it. */
export interface Table<Row extends object, Index extends string = never> {
  readonly name: string
  /** Validates imported rows; built on first use. */
  readonly schema: () => z.ZodType
  readonly idOf: (row: Row) => string
  /** By index, the value by which rows are found. */
  readonly indexes: Indexes<Row, Index>
  /** The rows of the table in a new database, created on first use from the owner of the database. */
  readonly initialRows: ((owner: never) => readonly object[]) | undefined
}

type Indexes<Row, Index extends string> = Readonly<Record<Index, (row: Row) => string | null | undefined>>

/** A table with rows of any type. */
export type AnyTable = Table<never, string>

/** The type of a table's rows, which are never modified in place. */
export type RowOf<Handle> = Handle extends Table<infer Row, string> ? Row : never

export type DeepReadonly<Value> = Value extends File
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
    : Value

/** Declares a table; the schema determines the type of its rows and validates imported ones. */
export const table = <Schema extends z.ZodType<object>, Index extends string = never, Owner = never>(
  name: string,
  schema: () => Schema,
  idOf: (row: DeepReadonly<z.output<Schema>>) => string,
  indexes = {} as Indexes<DeepReadonly<z.output<Schema>>, Index>,
  initialRows?: (owner: Owner) => readonly DeepReadonly<z.output<Schema>>[],
): Table<DeepReadonly<z.output<Schema>>, Index> => ({
  name,
  schema: once(schema),
  idOf,
  indexes,
  initialRows,
})

/** An instant in a row: milliseconds since 1970, within the range of JavaScript dates. */
export const instantMs = () => z.number().min(-8.64e15).max(8.64e15)

/** A non-negative number of things in a row. */
export const count = () => z.int().min(0)
