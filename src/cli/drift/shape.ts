import { isObject } from '../../kernel/json.ts'

/** A JSON object of an OpenAPI document. */
export type Node = Readonly<Record<string, unknown>>

export const nodesIn = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isObject) : [])

const textsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((each): each is string => typeof each === 'string')

/** A property of a schema, and whether it must be there. */
interface Property {
  readonly schemas: readonly Node[]
  readonly required: boolean
}

/** The possible values of a schema, with all alternatives merged. */
export interface Shape {
  /** JSON types; empty if the schema allows any. */
  readonly types: ReadonlySet<string>
  /** The values of an enum; empty if there is none. */
  readonly values: ReadonlySet<string>
  readonly properties: ReadonlyMap<string, Property>
  readonly items: readonly Node[]
  /** The schemas of a map's values. */
  readonly entries: readonly Node[]
}

const empty: Shape = { types: new Set(), values: new Set(), properties: new Map(), items: [], entries: [] }

/** Resolves a local reference such as `#/components/schemas/Order`; undefined if there is no such object. */
export function followReference(
  document: Node,
  node: Node,
): { readonly node: Node; readonly name: string } | undefined {
  let found = node
  let name = ''
  const seen = new Set<Node>()
  while (typeof found.$ref === 'string') {
    if (seen.has(found)) return undefined
    seen.add(found)
    const parts = found.$ref.replace(/^#\//, '').split('/')
    const keys = parts.map((part) => decode(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    const target = keys.reduce<unknown>(
      (at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined),
      document,
    )
    if (!isObject(target)) return undefined
    name = keys.at(-1) ?? ''
    found = target
  }
  return { node: found, name }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Reads the shapes of schemas; each schema once. */
export function createShapes(document: Node): (schemas: readonly Node[]) => Shape {
  const known = new Map<Node, Shape>()
  const shapeOfOne = (schema: Node): Shape => {
    const node = followReference(document, schema)?.node
    if (!node) return empty
    const before = known.get(node)
    if (before) return before
    // Ends the recursion of a schema that contains itself.
    known.set(node, empty)
    const alternatives = [...nodesIn(node.anyOf), ...nodesIn(node.oneOf)]
    const shape = both([
      ownShape(node),
      ...nodesIn(node.allOf).map(shapeOfOne),
      ...(alternatives.length > 0 ? [either(alternatives.map(shapeOfOne))] : []),
    ])
    known.set(node, shape)
    return shape
  }
  return (schemas) => either(schemas.map(shapeOfOne))
}

function ownShape(node: Node): Shape {
  const { type, nullable, properties, required, items, additionalProperties } = node
  const values = [...(Array.isArray(node.enum) ? node.enum : []), ...('const' in node ? [node.const] : [])]
  const types = new Set(textsIn(type))
  if (nullable === true || values.includes(null)) types.add('null')
  const needed = new Set(textsIn(required))
  const fields = isObject(properties) ? Object.entries(properties) : []
  return {
    types,
    values: new Set(values.filter((value) => value !== null).map(String)),
    properties: new Map(
      fields.map(([name, schema]) => [
        name,
        { schemas: isObject(schema) ? [schema] : [], required: needed.has(name) },
      ]),
    ),
    items: isObject(items) ? [items] : [],
    entries: isObject(additionalProperties) ? [additionalProperties] : [],
  }
}

/** The shape of `allOf`: a value has all of these shapes. */
const both = (shapes: readonly Shape[]): Shape => merge(shapes, (required) => required.some(Boolean))

/** The shape of `anyOf`: a value has one of these shapes. A property is required only if all object shapes require it. */
function either(shapes: readonly Shape[]): Shape {
  const objects = shapes.filter(({ properties }) => properties.size > 0).length
  return merge(shapes, (required) => required.length === objects && required.every(Boolean))
}

function merge(shapes: readonly Shape[], isRequired: (required: readonly boolean[]) => boolean): Shape {
  if (shapes.length === 1 && shapes[0]) return shapes[0]
  const found = new Map<string, Property[]>()
  for (const { properties } of shapes)
    for (const [name, property] of properties) found.set(name, [...(found.get(name) ?? []), property])
  return {
    types: new Set(shapes.flatMap(({ types }) => [...types])),
    values: new Set(shapes.flatMap(({ values }) => [...values])),
    properties: new Map(
      [...found].map(([name, all]) => [
        name,
        {
          schemas: [...new Set(all.flatMap(({ schemas }) => schemas))],
          required: isRequired(all.map(({ required }) => required)),
        },
      ]),
    ),
    items: [...new Set(shapes.flatMap(({ items }) => items))],
    entries: [...new Set(shapes.flatMap(({ entries }) => entries))],
  }
}

/** The name of the only named schema besides null; undefined if there is none or several. */
export function nameOf(document: Node, schemas: readonly Node[], depth = 0): string | undefined {
  const [schema, ...others] = schemas
  if (!schema || others.length > 0 || depth > MAX_WRAPPERS) return undefined
  const found = followReference(document, schema)
  if (found?.name) return found.name
  const wrapped = [...nodesIn(schema.allOf), ...nodesIn(schema.anyOf), ...nodesIn(schema.oneOf)]
  if (wrapped.length === 0 || schema.properties !== undefined) return undefined
  const real = wrapped.filter(({ type }) => type !== 'null')
  return nameOf(document, real, depth + 1)
}

/** The maximum number of schemas with one alternative around a reference. */
const MAX_WRAPPERS = 10
