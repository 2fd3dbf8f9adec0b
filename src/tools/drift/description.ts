import { isObject, type JsonObject, listIn, objectIn } from '../../kernel/json.ts'
import { compact } from '../../kernel/list.ts'
import { FileError } from '../../kernel/reason.ts'

/** A JSON object of an OpenAPI document. */
export type Node = JsonObject

/** A property of a schema, or a parameter. */
export interface Field {
  readonly schemas: readonly Node[]
  readonly required: boolean
}

/** An operation of an OpenAPI document. */
export interface DescribedOperation {
  /** Method and path, such as `GET /v2/user/{user_id}`. */
  readonly route: string
  readonly deprecated: boolean
  /** Whether it takes the key of the management API. */
  readonly isManagement: boolean
  /** By location and name, such as `query.page`. */
  readonly parameters: ReadonlyMap<string, Field>
  readonly request: readonly Node[]
  /** The schemas of the responses with a 2xx status. */
  readonly answer: readonly Node[]
}

/** The operations and events of an OpenAPI document. */
export interface Description {
  readonly document: Node
  /** Operations outside `/_petri`, by method and path with unnamed parameters: `GET /v2/user/{}`. */
  readonly operations: ReadonlyMap<string, DescribedOperation>
  /** The schemas of the bodies, by event type. */
  readonly events: ReadonlyMap<string, readonly Node[]>
}

const methods = ['get', 'put', 'post', 'delete', 'patch', 'options', 'head']

/** Reads an OpenAPI document. Throws a readable Error if it is not one. */
export function readDescription(document: unknown): Description {
  if (!isObject(document) || typeof document.openapi !== 'string' || !isObject(document.paths)) {
    throw new FileError('is not an OpenAPI document: it has no "openapi" and "paths"')
  }
  const operations = new Map<string, DescribedOperation>()
  for (const [path, item] of Object.entries(document.paths)) {
    if (path.startsWith('/_petri')) continue
    const shared = resolve(document, item)
    for (const method of methods) {
      const operation = shared[method]
      if (!isObject(operation)) continue
      const route = `${method.toUpperCase()} ${path}`
      const key = route.replace(/\{[^}]*\}/g, '{}')
      operations.set(key, readOperation(document, route, operation, shared.parameters))
    }
  }
  return { document, operations, events: readEvents(document) }
}

function readOperation(document: Node, route: string, operation: Node, shared: unknown): DescribedOperation {
  const parameters = new Map<string, Field>()
  for (const parameter of [...nodesIn(shared), ...nodesIn(operation.parameters)]) {
    const node = resolve(document, parameter)
    // Names of path parameters are not visible to clients.
    if (node.in === undefined || node.in === 'path') continue
    const name = node.in === 'header' ? String(node.name).toLowerCase() : node.name
    const required = node.required === true
    parameters.set(`${node.in}.${name}`, { schemas: nodesIn([node.schema]), required })
  }
  const responses = Object.entries(objectIn(operation.responses))
  return {
    route,
    deprecated: operation.deprecated === true,
    isManagement: nodesIn(operation.security).some((scheme) => 'managementKey' in scheme),
    parameters,
    request: bodyOf(document, operation.requestBody),
    answer: responses.flatMap(([status, response]) => (/^2/.test(status) ? bodyOf(document, response) : [])),
  }
}

/** The schemas of a request body or a response. */
function bodyOf(document: Node, body: unknown): Node[] {
  const { content } = resolve(document, body)
  return nodesIn(Object.values(objectIn(content)).map((media) => objectIn(media).schema))
}

/** The schemas of event bodies. One entry may describe several events; the values of `event_type` name them. */
function readEvents(document: Node): Map<string, readonly Node[]> {
  const events = new Map<string, readonly Node[]>()
  const shapeOf = createShapes(document)
  for (const [name, item] of Object.entries(objectIn(document.webhooks))) {
    const { post } = resolve(document, item)
    const schemas = bodyOf(document, objectIn(post).requestBody)
    const type = shapeOf(schemas).properties.get('event_type')
    const names = type ? [...shapeOf(type.schemas).values] : []
    for (const each of names.length > 0 ? names : [name]) events.set(each, schemas)
  }
  return events
}

export const nodesIn = (value: unknown): Node[] => listIn(value).filter(isObject)

const textsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((each): each is string => typeof each === 'string')

/** The possible values of a schema, with all alternatives merged. */
export interface Shape {
  /** JSON types; empty if the schema allows any. */
  readonly types: ReadonlySet<string>
  /** The values of an enum; empty if there is none. */
  readonly values: ReadonlySet<string>
  readonly properties: ReadonlyMap<string, Field>
  readonly items: readonly Node[]
  /** The schemas of a map's values. */
  readonly entries: readonly Node[]
}

const empty: Shape = { types: new Set(), values: new Set(), properties: new Map(), items: [], entries: [] }

const resolve = (document: Node, value: unknown): Node =>
  resolveReference(document, objectIn(value))?.node ?? {}

/** Resolves a local reference such as `#/components/schemas/Order`; undefined if there is no such object. */
function resolveReference(
  document: Node,
  node: Node,
): { readonly node: Node; readonly name: string } | undefined {
  let found = node
  let name = ''
  const seen = new Set<Node>()
  while (typeof found.$ref === 'string') {
    if (seen.has(found)) return undefined
    seen.add(found)
    let target: unknown = document
    for (const part of found.$ref.replace(/^#\//, '').split('/')) {
      name = decode(part).replaceAll('~1', '/').replaceAll('~0', '~')
      target = isObject(target) && Object.hasOwn(target, name) ? target[name] : undefined
    }
    if (!isObject(target)) return undefined
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
    const node = resolveReference(document, schema)?.node
    if (!node) return empty
    const before = known.get(node)
    if (before) return before
    // Ends the recursion of a schema that contains itself.
    known.set(node, empty)
    const alternatives = [...nodesIn(node.anyOf), ...nodesIn(node.oneOf)]
    const shape = both(
      compact([
        ownShape(node),
        ...nodesIn(node.allOf).map(shapeOfOne),
        alternatives.length > 0 && either(alternatives.map(shapeOfOne)),
      ]),
    )
    known.set(node, shape)
    return shape
  }
  return (schemas) => either(schemas.map(shapeOfOne))
}

function ownShape(node: Node): Shape {
  const { type, nullable, required, items, additionalProperties } = node
  const listed = listIn(node.enum)
  const values = 'const' in node ? [...listed, node.const] : listed
  const types = new Set(textsIn(type))
  if (nullable === true || values.includes(null)) types.add('null')
  const needed = textsIn(required)
  const properties = new Map<string, Field>()
  for (const [name, schema] of Object.entries(objectIn(node.properties)))
    properties.set(name, { schemas: nodesIn([schema]), required: needed.includes(name) })
  return {
    types,
    values: new Set(values.filter((value) => value !== null).map(String)),
    properties,
    items: nodesIn([items]),
    entries: nodesIn([additionalProperties]),
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
  const properties = new Map<string, Field>()
  for (const name of new Set(shapes.flatMap((shape) => [...shape.properties.keys()]))) {
    const fields = compact(shapes.map((shape) => shape.properties.get(name)))
    properties.set(name, {
      schemas: [...new Set(fields.flatMap(({ schemas }) => schemas))],
      required: isRequired(fields.map(({ required }) => required)),
    })
  }
  return {
    types: new Set(shapes.flatMap(({ types }) => [...types])),
    values: new Set(shapes.flatMap(({ values }) => [...values])),
    properties,
    items: [...new Set(shapes.flatMap(({ items }) => items))],
    entries: [...new Set(shapes.flatMap(({ entries }) => entries))],
  }
}

/** The name of the only named schema apart from null; undefined if there is none or several. */
export function nameOf(document: Node, schemas: readonly Node[], depth = 0): string | undefined {
  const [schema, ...others] = schemas
  if (!schema || others.length > 0 || depth > MAX_WRAPPERS) return undefined
  const found = resolveReference(document, schema)
  if (found?.name) return found.name
  const wrapped = [...nodesIn(schema.allOf), ...nodesIn(schema.anyOf), ...nodesIn(schema.oneOf)]
  if (wrapped.length === 0 || schema.properties !== undefined) return undefined
  const real = wrapped.filter(({ type }) => type !== 'null')
  return nameOf(document, real, depth + 1)
}

/** The maximum number of schemas with one alternative around a reference. */
const MAX_WRAPPERS = 10
