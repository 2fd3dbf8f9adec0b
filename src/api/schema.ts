import * as z from 'zod'
import { once } from '../kernel/once.ts'
import type { DeepReadonly } from '../storage/table.ts'

/** A schema that is built on first use: building all of them at start took 70 ms (Node 20, bundled). */
export type LazySchema<Schema extends z.ZodType = z.ZodType> = (() => Schema) & {
  readonly schemaName?: string
}

/** The output of a schema; it is never modified in place. */
export type Parsed<Lazy> = Lazy extends () => infer Schema
  ? Schema extends z.ZodType
    ? DeepReadonly<z.output<Schema>>
    : undefined
  : undefined

/** The input of a schema, as clients send it. */
export type Sent<Lazy extends LazySchema> = DeepReadonly<z.input<ReturnType<Lazy>>>

/** Names a schema. The OpenAPI document contains it once, under this name. */
export function schema<Schema extends z.ZodType>(name: string, build: () => Schema): LazySchema<Schema> {
  const lazy = unnamed(() => build().meta({ id: name }) as Schema)
  return Object.defineProperty(lazy, 'schemaName', { value: name }) as LazySchema<Schema>
}

/** A schema that the OpenAPI document shows inline. */
export const unnamed = <Schema extends z.ZodType>(build: () => Schema): LazySchema<Schema> => once(build)

/** An instant on the wire: ISO 8601 with an offset. */
export const instant = () => z.iso.datetime({ offset: true })
