import * as z from 'zod'
import type { AnyOperation } from '../api/operation.ts'
import { isObject, type JsonObject, maxDepthExceededAt } from '../kernel/json.ts'
import { nearest } from '../kernel/nearest.ts'

/** A field that its schema does not declare. */
export interface IgnoredField {
  /** Such as `query.page` or `body.patient_details.nickname`. */
  readonly path: string
  /** The names that are declared at this level. */
  readonly known: readonly string[]
}

/** Fields and query parameters of a recorded call that its operation does not declare. */
export function ignoredFields(
  operation: AnyOperation | undefined,
  url: string,
  bodyText: string,
): IgnoredField[] {
  const search = url.split('?')[1] ?? ''
  if (!operation || (search === '' && bodyText === '')) return []
  const queryShape = operation.query?.() as z.ZodType | undefined
  const known = queryShape instanceof z.ZodObject ? Object.keys(queryShape.shape) : []
  const query = [...new Set(new URLSearchParams(search).keys())]
    .filter((name) => !known.includes(name))
    .map((name) => ({ path: `query.${name}`, known }))
  const body = parseBody(bodyText)
  if (body === null) return query
  if (!operation.body) return [...query, { path: 'body', known: [] }]
  return [...query, ...unknownFields(operation.body(), body, 'body')]
}

/** The maximum edit distance of a suggestion, so that only likely typing errors get one. */
const tolerance = (name: string) => Math.max(2, Math.floor(name.length / 3))

/** The most similar declared name of each ignored field that has one, by path. */
export const nearestFields = (ignored: readonly IgnoredField[]): Record<string, string> =>
  Object.fromEntries(
    ignored.flatMap(({ path, known }) => {
      const found = nearest(path.slice(path.lastIndexOf('.') + 1), known, tolerance)
      return found ? [[path, found] as const] : []
    }),
  )

/** Fields of a value that the schema does not declare. */
export function unknownFields(schema: unknown, value: unknown, at: string): IgnoredField[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unknownFields(schema.unwrap(), value, at)
  if (schema instanceof z.ZodPipe) return unknownInPipe(schema, value, at)
  if (schema instanceof z.ZodUnion) {
    const ways = schema.options.map((option) => unknownFields(option, value, at))
    return ways.sort((a, b) => a.length - b.length)[0] ?? []
  }
  if (schema instanceof z.ZodArray) {
    return Array.isArray(value)
      ? unique(value.flatMap((item) => unknownFields(schema.element, item, `${at}[]`)))
      : []
  }
  if (!isObject(value)) return []
  if (schema instanceof z.ZodRecord) {
    return unique(Object.values(value).flatMap((item) => unknownFields(schema.valueType, item, `${at}.*`)))
  }
  if (!(schema instanceof z.ZodObject) || schema.def.catchall instanceof z.ZodUnknown) return []
  const shape: JsonObject = schema.shape
  return Object.entries(value).flatMap(([name, field]) =>
    Object.hasOwn(shape, name)
      ? unknownFields(shape[name], field, `${at}.${name}`)
      : [{ path: `${at}.${name}`, known: Object.keys(shape) }],
  )
}

const unique = (fields: readonly IgnoredField[]): IgnoredField[] => [
  ...new Map(fields.map((field) => [field.path, field])).values(),
]

/** A transform that accepts deprecated names runs before validation. */
function unknownInPipe(schema: z.ZodPipe, value: unknown, at: string): IgnoredField[] {
  const { in: before, out: after } = schema
  if (!(before instanceof z.ZodTransform)) return unknownFields(before, value, at)
  const read = before.safeParse(value)
  return unknownFields(after, read.success ? read.data : value, at)
}

/** The body as JSON if it is JSON and not nested too deeply, otherwise as text; null if empty. */
export function parseBody(text: string): unknown {
  if (text === '') return null
  if (maxDepthExceededAt(text) !== undefined) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
