import * as z from 'zod'
import { once } from '../kernel/once.ts'

/** A typed name for a table. Anyone who holds the handle may read it; only its own service may write it. */
export interface Table<Row extends object, Index extends string = never> {
  readonly name: string
  /** Checks imported rows; built on first use. */
  readonly schema: () => z.ZodType
  readonly idOf: (row: Row) => string
  /** Look-ups that do not scan: for each, the value a row is found by. */
  readonly indexes: Indexes<Row, Index>
  /** The rows a new database has in it, made when the table is first used; called with what the database belongs to. */
  readonly initialRows: ((owner: never) => readonly object[]) | undefined
}

type Indexes<Row, Index extends string> = Readonly<Record<Index, (row: Row) => string | null | undefined>>

/** A table whatever its rows are. */
export type AnyTable = Table<never, string>

/** A row of a table; it is never altered in place. */
export type RowOf<Handle> = Handle extends Table<infer Row, string> ? Row : never

export type DeepReadonly<Value> = Value extends File
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
    : Value

/** Declares a table: its schema is the type of its rows and the check of imported ones. */
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

/** An instant in a row: milliseconds since 1970, within what JavaScript can express. */
export const instantMs = () => z.number().min(-8.64e15).max(8.64e15)

/** A number of things in a row. */
export const count = () => z.int().min(0)
