import * as z from 'zod'
import { once } from '../kernel/once.ts'

/** A schema that is built on first use: building all of them at start made it 70 ms longer (Node 20, bundled). */
export type LazySchema<Schema extends z.ZodType = z.ZodType> = (() => Schema) & {
  readonly schemaName?: string
}

export type Parsed<Lazy> = Lazy extends () => infer Schema
  ? Schema extends z.ZodType
    ? z.output<Schema>
    : undefined
  : undefined

/** Names a schema; it appears once, under this name, in the OpenAPI document. */
export function schema<Schema extends z.ZodType>(name: string, build: () => Schema): LazySchema<Schema> {
  const lazy = unnamed(() => build().meta({ id: name }) as Schema)
  return Object.defineProperty(lazy, 'schemaName', { value: name }) as LazySchema<Schema>
}

/** A schema that the OpenAPI document shows in place. */
export const unnamed = <Schema extends z.ZodType>(build: () => Schema): LazySchema<Schema> => once(build)

/** A stored row, as its schema has it; a row is never altered in place. */
export type Row<Lazy> = DeepReadonly<Parsed<Lazy>>

type DeepReadonly<Value> = Value extends object
  ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
  : Value

/** An instant on the wire: ISO 8601 with an offset. */
export const instant = () => z.iso.datetime({ offset: true })

/** The latest instant that JavaScript can express. */
export const LATEST_MS = 8.64e15

/** An instant in a row: milliseconds since 1970. */
export const instantMs = () => z.number().min(-LATEST_MS).max(LATEST_MS)

/** A number of things in a row. */
export const count = () => z.int().min(0)
