import * as z from 'zod'
import { operation } from '../api/operation.ts'
import { schema, unnamed } from '../api/schema.ts'
import { detailText } from '../kernel/detail-text.ts'
import { withoutUndefined } from '../kernel/fields.ts'
import { headerNames } from '../kernel/headers.ts'
import { requestBody } from '../kernel/http-call.ts'
import { ownCallHeaders } from '../kernel/own-calls.ts'
import { Problem } from '../kernel/problem.ts'
import type { PetriCall, Send } from './tools.ts'

/** Anything but a JSON-RPC message gets a JSON-RPC error. */
const Message = schema('McpMessage', () => z.union([z.looseObject({}), z.array(z.looseObject({}))]))

/** `authorization` may have the control token in addition to the key, which some tools need. */
const Headers = unnamed(() => ({
  'mcp-protocol-version': z.string().optional(),
  'mcp-method': z.string().optional(),
  'mcp-name': z.string().optional(),
  authorization: z.string().optional(),
}))

const MEGABYTE = 1024 * 1024

type Fetch = (request: Request) => Response | Promise<Response>

/** The MCP endpoint. Its tools call this Petri with the API key of the request. */
export const mcpOperations = (fetch: Fetch) => [
  operation({
    id: 'petri_mcp',
    route: 'POST /_petri/mcp',
    summary: 'Process a message of the Model Context Protocol: tools and resources for coding agents',
    headers: Headers,
    body: Message,
    maxBodyBytes: MEGABYTE,
    returns: Message,
    alsoReturns: { 400: Message, 404: Message, 413: Message },
    bodyError: asJsonRpcError,
    async run({ identity }, { headers, body }) {
      const { answerMessage } = await import('./server.ts')
      const credentials = { [headerNames.apiKey]: identity.apiKey, authorization: headers.authorization }
      return answerMessage(body, headers, sendAs(credentials, fetch))
    },
  }),
]

/** Error codes of JSON-RPC 2.0. */
const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600

function asJsonRpcError({ kind, detail }: Problem): Problem {
  const isNoJson = Array.isArray(detail) && detail.some(({ type }) => type === 'json_invalid')
  const code = isNoJson ? PARSE_ERROR : INVALID_REQUEST
  const message = `${isNoJson ? 'Parse error' : 'Invalid request'}: ${detailText(detail)}`
  const status = kind === 'too_large' ? kind : 'bad_request'
  return new Problem(status, message, { bare: { jsonrpc: '2.0', id: null, error: { code, message } } })
}

const sendAs =
  (credentials: Readonly<Record<string, string | undefined>>, fetch: Fetch): Send =>
  async ({ method, path, body, contentType = 'application/json', signal }: PetriCall) =>
    fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: withoutUndefined({
          // The caller may be another machine, which may do less than this one.
          ...ownCallHeaders,
          ...credentials,
          'content-type': body === undefined ? undefined : contentType,
        }),
        body: requestBody(body),
        signal: signal ?? null,
      }),
    )
