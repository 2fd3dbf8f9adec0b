import * as z from 'zod'
import type { AnyOperation } from '../../api/operation.ts'

/** Fields of a request that its operation does not declare, such as `query.page` or `body.patient_details.nickname`. */
export function unreadOf(operation: AnyOperation | undefined, search: string, body: unknown): string[] {
  if (!operation) return []
  const queryShape = operation.query?.() as z.ZodType | undefined
  const known = queryShape instanceof z.ZodObject ? Object.keys(queryShape.shape) : []
  const query = [...new Set(new URLSearchParams(search).keys())]
    .filter((name) => !known.includes(name))
    .map((name) => `query.${name}`)
  if (body === undefined || body === null) return query
  if (!operation.body) return [...query, 'body']
  return [...query, ...unknownFields(operation.body(), body, 'body')]
}

/** Fields of a value that the schema does not declare. */
export function unknownFields(schema: unknown, value: unknown, at: string): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unknownFields(schema.unwrap(), value, at)
  if (schema instanceof z.ZodPipe) return unknownInPipe(schema, value, at)
  if (schema instanceof z.ZodUnion) {
    const ways = schema.options.map((option) => unknownFields(option, value, at))
    return ways.sort((a, b) => a.length - b.length)[0] ?? []
  }
  if (schema instanceof z.ZodArray) {
    return Array.isArray(value)
      ? [...new Set(value.flatMap((item) => unknownFields(schema.element, item, `${at}[]`)))]
      : []
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  if (schema instanceof z.ZodRecord) {
    const fields = Object.values(value).flatMap((item) => unknownFields(schema.valueType, item, `${at}.*`))
    return [...new Set(fields)]
  }
  if (!(schema instanceof z.ZodObject) || schema.def.catchall instanceof z.ZodUnknown) return []
  const shape: Record<string, unknown> = schema.shape
  return Object.entries(value).flatMap(([name, field]) =>
    Object.hasOwn(shape, name) ? unknownFields(shape[name], field, `${at}.${name}`) : [`${at}.${name}`],
  )
}

/** A transform that accepts older spellings runs before validation. */
function unknownInPipe(schema: z.ZodPipe, value: unknown, at: string): string[] {
  const { in: before, out: after } = schema
  if (!(before instanceof z.ZodTransform)) return unknownFields(before, value, at)
  const read = before.safeParse(value)
  return unknownFields(after, read.success ? read.data : value, at)
}
