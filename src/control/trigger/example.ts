import * as z from 'zod'
import { withoutUndefined } from '../../kernel/fields.ts'

/** Values for an example where the schema allows several. */
export interface Filling {
  readonly uuid: string
  /** An instant in wire format. */
  readonly instant: string
}

/** A minimal value that is valid for a schema. */
export function exampleOf(schema: unknown, filling: Filling): unknown {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodNull) return null
  if (schema instanceof z.ZodOptional) return undefined
  if (schema instanceof z.ZodDefault) return exampleOf(schema.unwrap(), filling)
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape).map(([name, field]) => [name, exampleOf(field, filling)])
    return withoutUndefined(Object.fromEntries(fields))
  }
  if (schema instanceof z.ZodArray) return [exampleOf(schema.element, filling)]
  if (schema instanceof z.ZodRecord) return {}
  if (schema instanceof z.ZodUnion) return exampleOf(schema.options[0], filling)
  if (schema instanceof z.ZodPipe) return exampleOf(schema.out, filling)
  return exampleOfValue(schema, filling)
}

function exampleOfValue(schema: unknown, { uuid, instant }: Filling): unknown {
  if (schema instanceof z.ZodLiteral) return [...schema.values][0]
  if (schema instanceof z.ZodEnum) return schema.options[0]
  if (schema instanceof z.ZodBoolean) return false
  if (schema instanceof z.ZodNumber) {
    const { minValue } = schema
    return Math.max(1, Number.isFinite(minValue) ? (minValue ?? 1) : 1)
  }
  if (schema instanceof z.ZodUUID || schema instanceof z.ZodGUID) return uuid
  if (schema instanceof z.ZodISODateTime) return instant
  if (schema instanceof z.ZodISODate) return instant.slice(0, 10)
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) return 'example'
  return null
}
