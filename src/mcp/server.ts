import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  isJSONRPCRequest,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type JSONRPCRequest,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  PingRequestSchema,
  ReadResourceRequestSchema,
  type ReadResourceResult,
  type RequestId,
  type Resource,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js'
import { documentationPages, readDocumentation } from '../api/documentation.ts'
import { CustomResponse } from '../api/operation.ts'
import { version } from '../api/version.ts'
import { detailText } from '../kernel/detail-text.ts'
import { withoutUndefined } from '../kernel/fields.ts'
import type { JsonObject } from '../kernel/json.ts'
import { messageOf } from '../kernel/reason.ts'
import { callTool, readTools, type Send, type Tool } from './tools.ts'

const NO_MESSAGE = 'Invalid request: not a JSON-RPC 2.0 message'

/** Serves an MCP client over standard input and output until the input ends. */
export async function serveStdio(send: Send): Promise<void> {
  const transport = new StdioServerTransport()
  await connect(createMcpServer(send), transport)
  transport.onerror = (error) => {
    if (error instanceof SyntaxError) respond(transport, null, ErrorCode.ParseError, 'Parse error')
    else respond(transport, null, ErrorCode.InvalidRequest, NO_MESSAGE)
  }
}

/** The requests whose parameters are checked before the SDK does, whose errors would be dumps of zod. */
const checkedRequests = new Map(
  [
    InitializeRequestSchema,
    PingRequestSchema,
    ListToolsRequestSchema,
    CallToolRequestSchema,
    ListResourcesRequestSchema,
    ReadResourceRequestSchema,
  ].map((request) => [request.shape.method.value as string, request]),
)

async function connect(server: Server, transport: Transport): Promise<void> {
  await server.connect(transport)
  const deliver = transport.onmessage
  const stateless = asStateless(transport)
  transport.onmessage = (message, extra) => {
    const request = isJSONRPCRequest(message) ? message : undefined
    if (request && stateless(request)) return
    const issue = request && checkedRequests.get(request.method)?.safeParse(request).error?.issues[0]
    if (!request || !issue) return deliver?.(message, extra)
    const text = `Invalid params: ${issue.path.join('.')}: ${issue.message.replace(/^Invalid input: /, '')}`
    respond(transport, request.id, ErrorCode.InvalidParams, text)
  }
}

function respond(transport: Transport, id: RequestId | null, code: ErrorCode, message: string): void {
  const response = errorResponse(id, code, message) as JSONRPCMessage
  void transport.send(response, id === null ? {} : { relatedRequestId: id })
}

const errorResponse = (id: RequestId | null, code: number, message: string, data?: JsonObject) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data && { data }) },
})

/** The revision without a handshake, in which each request names its version. Source: the specification of 2026-07-28. */
const STATELESS = '2026-07-28'
const VERSION = 'io.modelcontextprotocol/protocolVersion'
const serverInfo = { name: 'petri', version: version.petri }
const capabilities = { tools: {}, resources: {} }
const CACHEABLE = /\/(?:discover|list|read)$/
const HEADER_MISMATCH = -32_020
const UNSUPPORTED_VERSION = -32_022

/** The version that a request of a stateless revision names. */
function versionOf({ params }: Pick<JSONRPCRequest, 'params'>): string | undefined {
  const named = params?._meta?.[VERSION]
  return typeof named === 'string' ? named : undefined
}

/**
 * Lets a transport speak the stateless revision as well: its requests are answered in its form, here or by the SDK, which
 * knows the earlier ones only. The returned function tells whether it has answered.
 */
function asStateless(transport: Transport): (request: JSONRPCRequest) => boolean {
  const methods = new Map<RequestId, string>()
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    const method = 'id' in message && message.id !== undefined ? methods.get(message.id) : undefined
    if (method === undefined || !('result' in message)) return send(message, options)
    methods.delete(message.id)
    const cache = CACHEABLE.test(method) ? { ttlMs: 0, cacheScope: 'private' } : {}
    const _meta = { ...message.result._meta, 'io.modelcontextprotocol/serverInfo': serverInfo }
    return send(
      { ...message, result: { resultType: 'complete', ...message.result, ...cache, _meta } },
      options,
    )
  }
  return (request) => {
    const { id, method } = request
    const named = versionOf(request)
    if (named === undefined) return false
    methods.set(id, method)
    const options = { relatedRequestId: id }
    const fail = (code: number, text: string, data?: JsonObject) =>
      void transport.send(errorResponse(id, code, text, data) as JSONRPCMessage, options)
    const supported = [STATELESS, ...SUPPORTED_PROTOCOL_VERSIONS]
    if (named !== STATELESS)
      fail(UNSUPPORTED_VERSION, 'Unsupported protocol version', { supported, requested: named })
    else if (method === 'initialize' || method === 'ping') fail(ErrorCode.MethodNotFound, 'Method not found')
    else if (method === 'server/discover') {
      const result = { supportedVersions: supported, capabilities, instructions }
      void transport.send({ jsonrpc: '2.0', id, result }, options)
    } else return false
    return true
  }
}

/** The headers that repeat what a request of the stateless revision says. */
export interface McpHeaders {
  readonly 'mcp-protocol-version'?: string | undefined
  readonly 'mcp-method'?: string | undefined
  readonly 'mcp-name'?: string | undefined
}

/** Which header of a request of the stateless revision is missing or says something else; undefined if all agree. */
function mismatchOf(request: JSONRPCRequest, headers: McpHeaders): string | undefined {
  const { method, params } = request
  const expected: readonly (readonly [keyof McpHeaders, unknown])[] = [
    ['mcp-protocol-version', versionOf(request)],
    ['mcp-method', method],
    ['mcp-name', NAMED.test(method) ? (params?.name ?? params?.uri) : undefined],
  ]
  const wrong = expected.find(([name, value]) => value !== undefined && plainOf(headers[name]) !== value)
  return wrong && `Header mismatch: ${wrong[0]} must be ${JSON.stringify(wrong[1])}`
}

const NAMED = /^(tools\/call|resources\/read)$/

/** A header's value, which is in Base64 where it is not plain ASCII. */
function plainOf(value: string | undefined): string | undefined {
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(value ?? '') ?? []
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString()
}

/** Responds to one message of an MCP client over HTTP. There is no session, so the next message may go to another instance. */
export async function answerMessage(
  message: unknown,
  headers: McpHeaders,
  send: Send,
): Promise<CustomResponse<JsonObject>> {
  const messages = [message].flat()
  if (messages.length === 0 || messages.some((one) => !JSONRPCMessageSchema.safeParse(one).success))
    return new CustomResponse(400, errorResponse(null, ErrorCode.InvalidRequest, NO_MESSAGE))
  const stateless = messages.find((one): one is JSONRPCRequest => isJSONRPCRequest(one) && !!versionOf(one))
  const mismatch = stateless && mismatchOf(stateless, headers)
  if (mismatch) return new CustomResponse(400, errorResponse(stateless.id, HEADER_MISMATCH, mismatch))
  // The SDK refuses the header of a revision that it does not know.
  const protocolVersion = stateless ? undefined : headers['mcp-protocol-version']
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const server = createMcpServer(send)
  await connect(server, transport)
  try {
    const response = await transport.handleRequest(requestFor(protocolVersion), { parsedBody: message })
    const text = await response.text()
    const body = text === '' ? undefined : JSON.parse(text)
    const status = stateless && statusOf.get(body?.error?.code)
    return new CustomResponse(status ?? response.status, body)
  } finally {
    await server.close()
  }
}

/** Statuses of errors in the stateless revision. */
const statusOf = new Map<unknown, number>([
  [UNSUPPORTED_VERSION, 400],
  [ErrorCode.MethodNotFound, 404],
])

const requestFor = (protocolVersion: string | undefined) =>
  new Request('http://localhost/_petri/mcp', {
    method: 'POST',
    headers: withoutUndefined({
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': protocolVersion,
    }),
  })

const instructions = `Petri is an offline sandbox of the Lab Testing and Health Data Service. The program under test calls it over
HTTP as it would call the service; these tools drive and watch it. get_world returns the API key and the webhook secret.
Orders follow scenarios on a clock: place_order, then advance_clock (or wait), then explain_order and list_webhooks.
list_requests with ignored=true shows calls with ignored fields, which are usually mistakes of the program.
Read petri://docs/control.md for the control API, and petri://docs/scenarios.md before writing a scenario.`

/** An MCP server whose tools and resources are calls of a Petri. */
function createMcpServer(send: Send): Server {
  const server = new Server(serverInfo, { capabilities, instructions })
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: (await readTools()).map(asListed) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) =>
    callTool(await readTools(), { name: params.name, args: params.arguments ?? {} }, send, signal),
  )
  server.setRequestHandler(ListResourcesRequestSchema, () =>
    inWords(async () => ({ resources: await listResources(send) })),
  )
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) =>
    inWords(() => readResource(params.uri, send)),
  )
  return server
}

const asListed = ({ route: _, bodyArgument: __, annotations, ...tool }: Tool) => ({
  ...tool,
  annotations: { ...annotations, openWorldHint: false },
})

/** Turns a failure into an MCP error with the message of the service. */
async function inWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    // An `McpError` would repeat its code in the message.
    throw Object.assign(new Error(messageOf(error)), { code: ErrorCode.InvalidParams })
  }
}

const OPENAPI = 'petri://openapi.json'
const SCENARIO = 'petri://scenarios/'
const DOC = 'petri://docs/'

/** The pages in folders are read by their links. */
const isListed = (name: string) => !name.includes('/')

/** The MCP resources: documentation pages, the OpenAPI document, and the scenarios of the world. */
async function listResources(send: Send): Promise<Resource[]> {
  const { data } = (await read(send, '/_petri/scenarios')) as { data: { name: string; summary: string }[] }
  return [
    {
      uri: OPENAPI,
      name: 'openapi.json',
      mimeType: 'application/json',
      description: 'Every operation, with its schemas',
    },
    ...documentationPages().filter(isListed).map(describeDoc),
    ...data.map(({ name, summary }) => ({
      uri: `${SCENARIO}${name}`,
      name,
      mimeType: 'application/yaml',
      description: summary,
    })),
  ]
}

/** A page of the documentation, described by the first sentence below its heading. */
function describeDoc(name: string): Resource {
  const text = (readDocumentation(name) ?? '').replace(/^```[\s\S]*?^```$/gm, '')
  const title = /^# (.+)$/m.exec(text)?.[1] ?? name
  const paragraph = /^# .+\n+(?:#.*\n+)*((?:.+\n)+)/.exec(text)?.[1] ?? ''
  const plain = paragraph.replace(/\[([^\]]+)\]\([^)]*\)|`/g, '$1').replaceAll('\n', ' ')
  const sentence = /^[^|].+?[.:](?= |$)/.exec(plain)?.[0].replace(/:$/, '.') ?? ''
  const description = `${title}. ${sentence}`.trim()
  return { uri: `${DOC}${name}`, name, title, mimeType: 'text/markdown', description }
}

async function readResource(uri: string, send: Send): Promise<ReadResourceResult> {
  if (uri === OPENAPI) {
    return contents(uri, 'application/json', JSON.stringify(await read(send, '/openapi.json')))
  }
  if (uri.startsWith(SCENARIO)) {
    const name = encodeURIComponent(uri.slice(SCENARIO.length))
    const { source } = (await read(send, `/_petri/scenarios/${name}`)) as { source: string }
    return contents(uri, 'application/yaml', source)
  }
  const text = uri.startsWith(DOC) ? readDocumentation(uri.slice(DOC.length)) : undefined
  if (text === undefined) throw new Error(`There is no resource ${uri}.`)
  return contents(uri, 'text/markdown', text)
}

const contents = (uri: string, mimeType: string, text: string): ReadResourceResult => ({
  contents: [{ uri, mimeType, text }],
})

async function read(send: Send, path: string): Promise<unknown> {
  const response = await send({ method: 'GET', path })
  const body = JSON.parse(await response.text()) as { detail?: unknown }
  if (!response.ok) throw new Error(detailText(body.detail))
  return body
}
