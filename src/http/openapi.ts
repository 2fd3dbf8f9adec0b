import * as z from 'zod'
import type { AnyOperation } from '../api/operation.ts'
import type { LazySchema } from '../api/schema.ts'
import { version } from '../api/version.ts'

type Json = Record<string, unknown>

const documents = new WeakMap<readonly AnyOperation[], string>()

/** The OpenAPI 3.1 document of all operations, written when it is first asked for. */
export function openApiDocument(operations: readonly AnyOperation[]): string {
  const written = documents.get(operations)
  if (written) return written
  const document = JSON.stringify(describe(operations))
  documents.set(operations, document)
  return document
}

function describe(operations: readonly AnyOperation[]): Json {
  const components: Json = {}
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const [method = '', path = ''] = operation.route.split(' ')
    paths[path] ??= {}
    paths[path][method.toLowerCase()] = describeOperation(operation, components)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Petri',
      version: version.spec,
      description: `Offline sandbox; contract ${version.contract}.`,
    },
    security: [{ apiKey: [] }],
    paths,
    components: {
      schemas: components,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-service-api-key' },
        managementKey: { type: 'apiKey', in: 'header', name: 'x-management-key' },
      },
    },
  }
}

function describeOperation(operation: AnyOperation, components: Json): Json {
  const { id, tag, summary, status = 200, returns, alsoReturns = {}, body, deprecated, access } = operation
  const parameters = [
    ...describeParameters('path', operation.params, components),
    ...describeParameters('query', operation.query, components),
    ...describeParameters('header', operation.headers, components),
  ]
  const responses: Json = {
    [status]: describeAnswer(returns, components, operation.produces),
    ...(hasInput(operation) && !alsoReturns[422] && { 422: { description: 'Validation error' } }),
  }
  for (const [code, schema] of Object.entries(alsoReturns))
    responses[code] = describeAnswer(schema, components)
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(deprecated && { deprecated }),
    ...((access === 'open' || access === 'link_token') && { security: [] }),
    ...(access === 'management' && { security: [{ managementKey: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: !operation.bodyOptional,
        content: {
          [operation.takesForm ? 'multipart/form-data' : 'application/json']: {
            schema: describeSchema(body, components),
          },
        },
      },
    }),
    responses,
  }
}

const hasInput = ({ params, query, headers, body }: AnyOperation) =>
  Boolean(params || query || headers || body)

function describeAnswer(schema: LazySchema | undefined, components: Json, mediaType?: string): Json {
  if (mediaType) return { description: 'Answer', content: { [mediaType]: { schema: FILE } } }
  if (!schema) return { description: 'Answer' }
  return {
    description: 'Answer',
    content: { 'application/json': { schema: describeSchema(schema, components) } },
  }
}

const FILE = { type: 'string', format: 'binary' }

function describeParameters(where: string, schema: LazySchema | undefined, components: Json): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = describeSchema(schema, components) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, field]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: field,
  }))
}

/** A schema in place, its named parts moved to the document's components. */
export function describeSchema(schema: LazySchema, components: Json): Json {
  const {
    $schema: _,
    $defs = {},
    ...whole
  } = z.toJSONSchema(schema(), { io: 'input', unrepresentable: 'any' }) as Json
  for (const [name, part] of Object.entries($defs as Record<string, Json>)) components[name] = relink(part)
  const { id, ...linked } = relink(whole) as Json
  if (typeof id !== 'string') return linked
  components[id] = linked
  return { $ref: `#/components/schemas/${id}` }
}

function relink(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(relink)
  if (typeof node !== 'object' || node === null) return node
  const { $ref, ...rest } = node as Json
  const fields = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, relink(value)]))
  return typeof $ref === 'string'
    ? { ...fields, $ref: $ref.replace('#/$defs/', '#/components/schemas/') }
    : fields
}
