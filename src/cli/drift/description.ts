import { isObject } from '../../kernel/json.ts'
import { createShapes, followReference, type Node, nodesIn } from './shape.ts'

/** An operation of an OpenAPI document. */
export interface DescribedOperation {
  /** Method and path, such as `GET /v2/user/{user_id}`. */
  readonly route: string
  readonly deprecated: boolean
  /** Whether it takes the key of the management API. */
  readonly isManagement: boolean
  /** By location and name, such as `query.page`. */
  readonly parameters: ReadonlyMap<string, { readonly schemas: readonly Node[]; readonly required: boolean }>
  readonly request: readonly Node[]
  /** The schemas of the answers with a 2xx status. */
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
    throw new Error('is not an OpenAPI document: it has no "openapi" and "paths"')
  }
  const operations = new Map<string, DescribedOperation>()
  for (const [path, item] of Object.entries(document.paths)) {
    if (path.startsWith('/_petri')) continue
    const shared = isObject(item) ? followReference(document, item)?.node : undefined
    for (const method of shared ? methods : []) {
      const operation = shared?.[method]
      if (!isObject(operation)) continue
      const route = `${method.toUpperCase()} ${path}`
      operations.set(
        route.replace(/\{[^}]*\}/g, '{}'),
        readOperation(document, route, operation, shared?.parameters),
      )
    }
  }
  return { document, operations, events: readEvents(document) }
}

function readOperation(document: Node, route: string, operation: Node, shared: unknown): DescribedOperation {
  const parameters = [...nodesIn(shared), ...nodesIn(operation.parameters)].flatMap((each) => {
    const { node } = followReference(document, each) ?? {}
    // Names of path parameters are not visible to clients.
    if (!node || node.in === 'path') return []
    const place = `${node.in}.${node.in === 'header' ? String(node.name).toLowerCase() : node.name}`
    return [
      [
        place,
        { schemas: isObject(node.schema) ? [node.schema] : [], required: node.required === true },
      ] as const,
    ]
  })
  const responses = isObject(operation.responses) ? Object.entries(operation.responses) : []
  return {
    route,
    deprecated: operation.deprecated === true,
    isManagement: nodesIn(operation.security).some((scheme) => 'managementKey' in scheme),
    parameters: new Map(parameters),
    request: bodyOf(document, operation.requestBody),
    answer: responses.flatMap(([status, response]) => (/^2/.test(status) ? bodyOf(document, response) : [])),
  }
}

/** The schemas of a body or an answer. */
function bodyOf(document: Node, body: unknown): Node[] {
  const content = isObject(body) ? followReference(document, body)?.node.content : undefined
  if (!isObject(content)) return []
  return Object.values(content).flatMap((media) =>
    isObject(media) && isObject(media.schema) ? [media.schema] : [],
  )
}

/** The schemas of event bodies. One entry may describe several events; the values of `event_type` name them. */
function readEvents(document: Node): Map<string, readonly Node[]> {
  const events = new Map<string, readonly Node[]>()
  const shapeOf = createShapes(document)
  const webhooks = isObject(document.webhooks) ? Object.entries(document.webhooks) : []
  for (const [name, item] of webhooks) {
    const post = isObject(item) ? followReference(document, item)?.node.post : undefined
    const schemas = isObject(post) ? bodyOf(document, post.requestBody) : []
    const type = shapeOf(schemas).properties.get('event_type')
    const names = type ? [...shapeOf(type.schemas).values] : []
    for (const each of names.length > 0 ? names : [name]) events.set(each, schemas)
  }
  return events
}
