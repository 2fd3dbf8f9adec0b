import { createShapes, followReference, isNode, type Node, nodesIn } from './shape.ts'

/** An operation as a description has it. */
export interface DescribedOperation {
  /** `GET /v2/user/{user_id}`. */
  readonly route: string
  readonly deprecated: boolean
  /** Whether it takes the key of the management API. */
  readonly isManagement: boolean
  /** By place and name: `query.page`. */
  readonly parameters: ReadonlyMap<string, { readonly schemas: readonly Node[]; readonly required: boolean }>
  readonly request: readonly Node[]
  /** The schemas of the answers with a 2xx status. */
  readonly answer: readonly Node[]
}

/** What an OpenAPI document describes. */
export interface Description {
  readonly document: Node
  /** Without Petri's own. By method and path, with nameless parameters: `GET /v2/user/{}`. */
  readonly operations: ReadonlyMap<string, DescribedOperation>
  /** The schemas of the bodies, by event type. */
  readonly events: ReadonlyMap<string, readonly Node[]>
}

const methods = ['get', 'put', 'post', 'delete', 'patch', 'options', 'head']

/** Throws an Error in words if it is no OpenAPI document. */
export function readDescription(document: unknown): Description {
  if (!isNode(document) || typeof document.openapi !== 'string' || !isNode(document.paths)) {
    throw new Error('is no OpenAPI document: it has no "openapi" and "paths"')
  }
  const operations = new Map<string, DescribedOperation>()
  for (const [path, item] of Object.entries(document.paths)) {
    if (path.startsWith('/_petri')) continue
    const shared = isNode(item) ? followReference(document, item)?.node : undefined
    for (const method of shared ? methods : []) {
      const operation = shared?.[method]
      if (!isNode(operation)) continue
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
    // The names of parameters in the path are nobody's concern.
    if (!node || node.in === 'path') return []
    const place = `${node.in}.${node.in === 'header' ? String(node.name).toLowerCase() : node.name}`
    return [
      [
        place,
        { schemas: isNode(node.schema) ? [node.schema] : [], required: node.required === true },
      ] as const,
    ]
  })
  const responses = isNode(operation.responses) ? Object.entries(operation.responses) : []
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
  const content = isNode(body) ? followReference(document, body)?.node.content : undefined
  if (!isNode(content)) return []
  return Object.values(content).flatMap((media) =>
    isNode(media) && isNode(media.schema) ? [media.schema] : [],
  )
}

/** An entry may describe several events at once; the values of `event_type` then name them. */
function readEvents(document: Node): Map<string, readonly Node[]> {
  const events = new Map<string, readonly Node[]>()
  const shapeOf = createShapes(document)
  const webhooks = isNode(document.webhooks) ? Object.entries(document.webhooks) : []
  for (const [name, item] of webhooks) {
    const post = isNode(item) ? followReference(document, item)?.node.post : undefined
    const schemas = isNode(post) ? bodyOf(document, post.requestBody) : []
    const type = shapeOf(schemas).properties.get('event_type')
    const names = type ? [...shapeOf(type.schemas).values] : []
    for (const each of names.length > 0 ? names : [name]) events.set(each, schemas)
  }
  return events
}
