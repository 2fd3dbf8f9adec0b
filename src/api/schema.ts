import * as z from 'zod'
import type { DeepReadonly } from '../kernel/json.ts'
import { once } from '../kernel/once.ts'

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

/** A schema, or the fields of an object. */
type Shape = z.ZodType | z.ZodRawShape
type Built<Given extends Shape> = Given extends z.ZodType ? Given : z.ZodObject<Exclude<Given, z.ZodType>>

const built = <Given extends Shape>(given: Given) =>
  (given instanceof z.ZodType ? given : z.object(given)) as Built<Given>

/** Names a schema. The OpenAPI document contains it once, under this name. */
export function schema<Given extends Shape>(name: string, build: () => Given): LazySchema<Built<Given>> {
  const lazy = once(() => built(build()).meta({ id: name }))
  return Object.defineProperty(lazy, 'schemaName', { value: name }) as LazySchema<Built<Given>>
}

/** A schema that the OpenAPI document shows inline. */
export const unnamed = <Given extends Shape>(build: () => Given): LazySchema<Built<Given>> =>
  once(() => built(build()))

/** A text that may be null in what is stored or sent. */
export const nullableText = () => z.string().nullable()

export const texts = () => z.array(z.string())

/** An object with any fields. */
export const anyObject = () => z.record(z.string(), z.unknown())

/** What has a number and a name. */
export const named = () => ({ id: z.int(), name: z.string(), slug: z.string() })

/** An instant on the wire: ISO 8601 with an offset. */
export const instant = () => z.iso.datetime({ offset: true })

/** The schema inside optional, nullable and default wrappers. */
export function bare(schema: unknown): unknown {
  let at = schema
  while (at instanceof z.ZodOptional || at instanceof z.ZodNullable || at instanceof z.ZodDefault)
    at = at.unwrap()
  return at
}

/** The schema of a field of an object, or of an item of a list. */
export function memberOf(schema: unknown, key: string): unknown {
  const of = bare(schema)
  if (of instanceof z.ZodArray) return of.element
  if (of instanceof z.ZodRecord) return of.valueType
  return of instanceof z.ZodObject ? of.shape[key] : undefined
}
