import { createRoute, OpenAPIHono, type RouteConfig } from '@hono/zod-openapi'
import * as z from 'zod'
import { type AnyOperation, successStatus } from '../src/api/operation.ts'
import { relativeServer } from '../src/api/read-openapi.ts'
import type { EventType } from '../src/api/resource.ts'
import type { LazySchema } from '../src/api/schema.ts'
import { version } from '../src/api/version.ts'
import { headerNames } from '../src/kernel/headers.ts'
import { methodAndPath } from '../src/kernel/http-call.ts'

/** The OpenAPI 3.1 document of all operations; `tagOf` returns the section of each. Only the build loads zod-openapi. */
export function openApiDocument(
  operations: readonly AnyOperation[],
  eventTypes: ReadonlyMap<string, EventType>,
  tagOf: (operation: AnyOperation) => string,
): object {
  const app = new OpenAPIHono()
  const { openAPIRegistry: registry } = app
  const keyIn = (scheme: string, name: string) =>
    registry.registerComponent('securitySchemes', scheme, { type: 'apiKey', in: 'header', name }).name
  // Generated clients send the first, which the live service accepts, too.
  const apiKeys = [
    keyIn('apiKeyAuth', headerNames.liveApiKey),
    keyIn('serviceApiKeyAuth', headerNames.apiKey),
  ]
  const managementKey = keyIn('managementKey', 'x-management-key')
  for (const operation of operations)
    registry.registerPath(routeOf(operation, tagOf(operation), managementKey))
  for (const { name, data } of eventTypes.values()) registry.registerWebhook(webhookOf(name, data))
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Petri',
      version: version.petri,
      description: 'An offline sandbox of the Lab Testing and Health Data Service.',
      'x-spec-version': version.spec,
      'x-contract-version': version.contract,
    },
    servers: [relativeServer],
    security: apiKeys.map((name) => ({ [name]: [] })),
  })
}

function routeOf(operation: AnyOperation, tag: string, managementKey: string): RouteConfig {
  const { id, summary, deprecated, access = 'world' } = operation
  const { params, query, headers, body, returns, produces, alsoReturns = {} } = operation
  const [method, path] = methodAndPath(operation.route)
  const hasInput = params || query || headers || body
  return createRoute({
    method: method.toLowerCase() as RouteConfig['method'],
    path,
    operationId: id,
    tags: [tag],
    summary,
    ...(deprecated && { deprecated }),
    ...(['open', 'link_token', 'grant'].includes(access) && { security: [] }),
    ...(access === 'management' && { security: [{ [managementKey]: [] }] }),
    request: {
      ...(params && { params: params() }),
      ...(query && { query: query() }),
      ...(headers && { headers: headers() }),
      ...(body && {
        body: {
          required: !operation.bodyOptional,
          content: { [operation.takesForm ? 'multipart/form-data' : 'application/json']: { schema: body() } },
        },
      }),
    } as RouteConfig['request'],
    responses: {
      [successStatus(operation)]: produces
        ? { description: 'Answer', content: { [produces]: { schema: FILE } } }
        : answer(returns),
      ...(access !== 'open' && { 401: { description: 'Missing or invalid credentials' } }),
      ...(hasInput && { 422: { description: 'Validation error' } }),
      ...Object.fromEntries(Object.entries(alsoReturns).map(([code, schema]) => [code, answer(schema)])),
    },
  } as RouteConfig)
}

/** The webhook of an event, with its delivered body. */
const webhookOf = (name: string, data: LazySchema): RouteConfig => ({
  method: 'post',
  path: name,
  summary: `Delivered for ${name}`,
  request: {
    body: {
      required: true,
      content: {
        'application/json': {
          schema: z.object({
            event_type: z.literal(name),
            data: data(),
            team_id: z.uuid(),
            user_id: z.guid(),
            client_user_id: z.string(),
          }),
        },
      },
    },
  },
  responses: { 200: { description: 'Received' } },
})

const FILE = { type: 'string', format: 'binary' } as const

const answer = (schema: LazySchema | undefined): RouteConfig['responses'][string] => ({
  description: 'Answer',
  ...(schema && { content: { 'application/json': { schema: schema() } } }),
})
