import { isObject } from '../../src/kernel/json.ts'

/** The type of a value, as every language can express it. */
export type TypeModel =
  | { readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'any' | 'nothing' }
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'list' | 'map' | 'nullable'; readonly of: TypeModel }
  | { readonly kind: 'choice'; readonly values: readonly string[] }

/** A type without its null. */
export const bare = (type: TypeModel): TypeModel => (type.kind === 'nullable' ? bare(type.of) : type)

export interface FieldModel {
  readonly name: string
  readonly type: TypeModel
  readonly required: boolean
  /** What it means, if its schema says so. */
  readonly description?: string | undefined
  /** What a text stands for, for languages that have a type for it. */
  readonly time?: 'instant' | 'duration' | undefined
}

/** An object with known fields. */
export interface ObjectModel {
  readonly name: string
  readonly fields: readonly FieldModel[]
}

/** An operation of the control API. */
export interface OperationModel {
  /** Its id without the prefix, such as `clock_advance`. */
  readonly name: string
  readonly summary: string
  readonly method: string
  readonly path: string
  readonly pathFields: readonly string[]
  readonly query: readonly FieldModel[]
  readonly body?: { readonly type: TypeModel; readonly required: boolean }
  readonly returns: TypeModel
}

/** What a client of the control API consists of, for each language. */
export interface ClientModel {
  readonly objects: readonly ObjectModel[]
  readonly operations: readonly OperationModel[]
}

type Node = Readonly<Record<string, unknown>>

const objectIn = (value: unknown): Node => (isObject(value) ? value : {})
const nodesIn = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** Event types whose bodies have the same schema. */
export interface EventModel {
  readonly names: readonly string[]
  readonly body: ObjectModel
}

/** The webhooks of the service. */
export interface WebhookModel {
  readonly objects: readonly ObjectModel[]
  readonly events: readonly EventModel[]
}

function descriptionOf(schema: unknown): string | undefined {
  const { description } = objectIn(schema)
  return typeof description === 'string' ? description : undefined
}

function timeOf(schema: unknown): FieldModel['time'] {
  const { format, examples } = objectIn(schema)
  if (format === 'date-time') return 'instant'
  const isDuration = Array.isArray(examples) && examples.every((each) => /^(\d+[smhd])+$/.test(String(each)))
  return isDuration ? 'duration' : undefined
}

/** Names that a reader can guess, and that the kits have not taken. */
const RENAMED: Readonly<Record<string, string>> = {
  FaultsInputFaultsItem: 'FaultInput',
  FaultInputRespond: 'FaultResponse',
  World: 'WorldView',
}

/** Reads schemas as types, and collects the objects that they consist of. */
function createTypeReader(document: Node) {
  const schemas = objectIn(objectIn(document.components).schemas)
  const objects = new Map<string, ObjectModel>()

  function typeOf(schema: unknown, name: string): TypeModel {
    const node = objectIn(schema)
    if (typeof node.$ref === 'string') return namedType(node.$ref.replace('#/components/schemas/', ''))
    const alternatives = [...nodesIn(node.anyOf), ...nodesIn(node.oneOf)]
    const real = alternatives.filter(({ type }) => type !== 'null')
    if (alternatives.length > 0) {
      const [only] = real
      const type: TypeModel = real.length === 1 ? typeOf(only, name) : { kind: 'any' }
      return real.length < alternatives.length && type.kind !== 'any' ? { kind: 'nullable', of: type } : type
    }
    const parts = nodesIn(node.allOf)
    if (parts.length === 1) return typeOf(parts[0], name)
    const types = [node.type].flat().filter((type) => type !== 'null')
    const type = typeOfKind(node, types, name)
    return [node.type].flat().includes('null') && type.kind !== 'any' ? { kind: 'nullable', of: type } : type
  }

  function typeOfKind(node: Node, types: readonly unknown[], name: string): TypeModel {
    const values = Array.isArray(node.enum) ? node.enum.filter((value) => value !== null) : []
    if (values.length > 0 && values.every((value) => typeof value === 'string'))
      return { kind: 'choice', values: values.map(String) }
    if (types.length > 1) return { kind: 'any' }
    switch (types[0]) {
      case 'string':
        return { kind: 'text' }
      case 'integer':
      case 'number':
      case 'boolean':
        return { kind: types[0] }
      case 'array':
        return { kind: 'list', of: typeOf(node.items, `${name}Item`) }
      case 'object':
        return objectType(node, name)
      default:
        return { kind: 'any' }
    }
  }

  function objectType(node: Node, schemaName: string): TypeModel {
    const name = RENAMED[schemaName] ?? schemaName
    const properties = Object.entries(objectIn(node.properties))
    if (properties.length === 0) return { kind: 'map', of: typeOf(node.additionalProperties, `${name}Value`) }
    objects.set(name, { name, fields: [] })
    objects.set(name, { name, fields: fieldsOf(node, name) })
    return { kind: 'named', name }
  }

  function fieldsOf(node: Node, name: string): FieldModel[] {
    const required = Array.isArray(node.required) ? node.required : []
    return Object.entries(objectIn(node.properties)).map(([field, schema]) => ({
      name: field,
      type: typeOf(schema, `${name}${pascal(field)}`),
      required: required.includes(field),
      description: descriptionOf(schema),
      time: timeOf(schema),
    }))
  }

  function namedType(name: string): TypeModel {
    const title = RENAMED[pascal(name)] ?? pascal(name)
    return objects.has(title) ? { kind: 'named', name: title } : typeOf(schemas[name], title)
  }

  return { objects, typeOf, fieldsOf }
}

/** Reads the webhooks, and the schemas of their bodies. */
export function readWebhookModel(openApiDocument: object): WebhookModel {
  const document = objectIn(openApiDocument)
  const { objects, fieldsOf } = createTypeReader(document)
  const events = new Map<string, { names: string[]; body: ObjectModel }>()
  for (const [name, { post }] of Object.entries(objectIn(document.webhooks) as Record<string, Node>)) {
    const schema = objectIn(jsonOf(objectIn(post).requestBody))
    const data = objectIn(objectIn(schema.properties).data)
    const key = typeof data.$ref === 'string' ? data.$ref : name
    const known = events.get(key) ?? { names: [], body: { name, fields: fieldsOf(schema, 'Event') } }
    known.names.push(name)
    events.set(key, known)
  }
  return { objects: [...objects.values()], events: [...events.values()] }
}

/** Reads the operations with the tag `petri` whose bodies are JSON, and the schemas that they use. */
export function readClientModel(openApiDocument: object): ClientModel {
  const document = objectIn(openApiDocument)
  const { objects, typeOf } = createTypeReader(document)
  const operations: OperationModel[] = []
  for (const [path, item] of Object.entries(objectIn(document.paths)))
    for (const [method, each] of Object.entries(objectIn(item))) {
      const operation = objectIn(each)
      const returns = jsonOf(successOf(operation.responses))
      if (!isControl(path, operation) || returns === undefined) continue
      const name = String(operation.operationId).replace(/^petri_/, '')
      const requestBody = objectIn(operation.requestBody)
      const body = jsonOf(requestBody)
      const parameters = nodesIn(operation.parameters)
      operations.push({
        name,
        summary: String(operation.summary),
        method: method.toUpperCase(),
        path,
        pathFields: parameters.filter((each) => each.in === 'path').map((each) => String(each.name)),
        query: parameters
          .filter((each) => each.in === 'query')
          .map((each) => ({
            name: String(each.name),
            type: typeOf(each.schema, `${pascal(name)}${pascal(String(each.name))}`),
            required: each.required === true,
            time: timeOf(each.schema),
          })),
        ...(isObject(body) && {
          body: { type: typeOf(body, `${pascal(name)}Input`), required: requestBody.required === true },
        }),
        returns: isObject(returns) ? typeOf(returns, `${pascal(name)}Result`) : { kind: 'nothing' },
      })
    }
  return { objects: [...objects.values()], operations }
}

/** The endpoint of coding agents speaks a protocol of its own. */
const isControl = (path: string, { tags }: Node) =>
  Array.isArray(tags) && tags.includes('petri') && path.startsWith('/_petri/') && path !== '/_petri/mcp'

const successOf = (responses: unknown): unknown =>
  Object.entries(objectIn(responses)).find(([status]) => status.startsWith('2'))?.[1]

/** The schema of a JSON body; null if there is no body, undefined if it is not JSON. */
function jsonOf(body: unknown): Node | null | undefined {
  const content = objectIn(objectIn(body).content)
  if (Object.keys(content).length === 0) return null
  const json = content['application/json']
  return json === undefined ? undefined : objectIn(objectIn(json).schema)
}

const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
    .replace(/^Petri(?=[A-Z])/, '')
