import type { JsonObject } from '../kernel/json.ts'
import { compact } from '../kernel/list.ts'
/** The parts of an OpenAPI document that the page reads. */

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>

interface RawOperation {
  readonly operationId: string
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema?: Schema
  }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly content?: Content }>>
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface Parameter {
  readonly name: string
  readonly where: string
  readonly isRequired: boolean
  readonly type: string
}

export interface ApiOperation {
  readonly id: string
  readonly tag: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly parameters: readonly Parameter[]
  readonly body: Schema | undefined
  readonly responses: readonly {
    readonly status: string
    readonly description: string
    readonly schema: Schema | undefined
  }[]
}

const firstSchema = (content: Content | undefined) => Object.values(content ?? {})[0]?.schema

export const operationsOf = (document: ApiDocument): ApiOperation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => ({
      id: raw.operationId,
      tag: raw.tags?.[0] ?? 'others',
      method: method.toUpperCase(),
      path,
      summary: raw.summary ?? '',
      parameters: (raw.parameters ?? []).map((each) => ({
        name: each.name,
        where: each.in,
        isRequired: each.required === true,
        type: typeOf(document, each.schema),
      })),
      body: firstSchema(raw.requestBody?.content),
      responses: Object.entries(raw.responses).map(([status, { description = '', content }]) => ({
        status,
        description,
        schema: firstSchema(content),
      })),
    })),
  )

export function resolve({ components }: ApiDocument, schema: Schema | undefined): Schema {
  const name = schema?.$ref?.split('/').at(-1)
  return (name === undefined ? schema : components.schemas[name]) ?? {}
}

/** The first of several alternatives that is not null. */
const shapeOf = (document: ApiDocument, schema: Schema | undefined): Schema => {
  const resolved = resolve(document, schema)
  const alternatives = resolved.anyOf ?? resolved.oneOf
  return alternatives
    ? resolve(
        document,
        alternatives.find((each) => resolve(document, each).type !== 'null') ?? alternatives[0],
      )
    : resolved
}

export function typeOf(document: ApiDocument, schema: Schema | undefined): string {
  const { type, format, enum: values, items } = shapeOf(document, schema)
  if (values) {
    const names = values.map((value) => JSON.stringify(value))
    return compact([...names.slice(0, 5), names.length > 5 && '…']).join(' | ')
  }
  if (type === 'array') return `list of ${typeOf(document, items)}`
  return [[type].flat().join(' or '), format].filter(Boolean).join(', ') || 'anything'
}

/** The fields of an object, or of the items of a list. */
export function fieldsOf(
  document: ApiDocument,
  schema: Schema | undefined,
): { readonly fields: Readonly<Record<string, Schema>>; readonly required: readonly string[] } {
  const shape = shapeOf(document, schema)
  const object = shape.type === 'array' ? shapeOf(document, shape.items) : shape
  return { fields: object.properties ?? {}, required: object.required ?? [] }
}

const MAX_DEPTH = 6

/** A value that a schema accepts: the one it names, otherwise the simplest. */
export function exampleOf(document: ApiDocument, schema: Schema | undefined, depth = 0): unknown {
  const shape = shapeOf(document, schema)
  const named = shape.examples?.[0] ?? shape.default ?? shape.enum?.[0] ?? shape.const
  if (named !== undefined || depth > MAX_DEPTH) return named ?? null
  const type = [shape.type].flat()[0]
  if (type === 'array') return [exampleOf(document, shape.items, depth + 1)]
  if (shape.properties) {
    const required = Object.entries(shape.properties).filter(([name]) => shape.required?.includes(name))
    return Object.fromEntries(required.map(([name, field]) => [name, exampleOf(document, field, depth + 1)]))
  }
  return type !== undefined && type in exampleByType
    ? exampleByType[type]
    : (exampleByFormat[shape.format ?? ''] ?? 'text')
}

const exampleByType: JsonObject = {
  integer: 0,
  number: 0,
  boolean: false,
  null: null,
  object: {},
}

const exampleByFormat: Readonly<Record<string, string>> = {
  uuid: '00000000-0000-4000-8000-000000000000',
  date: '2026-03-02',
  'date-time': '2026-03-02T15:00:00Z',
}
