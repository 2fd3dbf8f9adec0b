import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { detailText } from '../kernel/detail-text.ts'
import { requestOf, withQuery } from '../kernel/http-call.ts'
import { isObject, type JsonObject, parseJson } from '../kernel/json.ts'
import { didYouMean } from '../kernel/nearest.ts'
import { once } from '../kernel/once.ts'
import { packageFolder } from '../kernel/package-folder.ts'
import { messageOf } from '../kernel/reason.ts'

/** A tool for coding agents, and the call it makes. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: {
    readonly type: 'object'
    readonly properties: Record<string, { readonly default?: unknown }>
    readonly required: string[]
    readonly additionalProperties: false
  }
  readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint: boolean }
  /** Method and path, such as `GET /_petri/orders/{order_id}`. */
  readonly route: string
  /** Name of the argument that is the whole body. */
  readonly bodyArgument?: string
}

/** All tools. The build writes them, with `scripts/describe-tools.ts`. */
export const readTools = once(
  async (): Promise<readonly Tool[]> =>
    JSON.parse(await readFile(join(packageFolder('dist'), 'mcp-tools.json'), 'utf8')),
)

/** A request to this or another Petri, without credentials; `Send` adds them. */
export interface PetriCall {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly contentType?: string
  readonly signal?: AbortSignal | undefined
}

/** Sends a request. Rejects with a readable message if there is no answer. */
export type Send = (call: PetriCall) => Promise<Pick<Response, 'ok' | 'status' | 'text'>>

/** The maximum length of a response, in characters. */
const MAX_CHARACTERS = 100_000

/** Calls the operation of a tool. Returns errors as a result with a readable message. */
export async function callTool(
  tools: readonly Tool[],
  { name, args }: { readonly name: string; readonly args: JsonObject },
  send: Send,
  signal?: AbortSignal,
): Promise<CallToolResult> {
  const tool = tools.find((known) => known.name === name)
  if (!tool) {
    const names = tools.map((known) => known.name)
    return failed(`There is no tool ${name}.${didYouMean(name, names)}`)
  }
  const wrong = wrongArguments(tool, args)
  if (wrong !== undefined) return failed(wrong)
  try {
    const response = await send({ ...callOf(tool, args), signal })
    const text = await response.text()
    return response.ok ? succeeded(text) : failed(errorText(response.status, text))
  } catch (error) {
    return failed(messageOf(error))
  }
}

const succeeded = (text: string): CallToolResult => ({
  content: [{ type: 'text', text: shortened(text) || 'Done.' }],
})

const failed = (text: string): CallToolResult => ({ ...succeeded(text), isError: true })

const shortened = (text: string): string =>
  text.length <= MAX_CHARACTERS
    ? text
    : `${text.slice(0, MAX_CHARACTERS)}\n[The first ${MAX_CHARACTERS} of ${text.length} characters; narrow it with filters or a lower limit.]`

/** Reports missing and unknown arguments. Values are checked by the operation, whose messages are more precise. */
function wrongArguments({ name, inputSchema }: Tool, args: JsonObject): string | undefined {
  const known = Object.keys(inputSchema.properties)
  const missing = inputSchema.required.filter((each) => args[each] === undefined)
  const unknown = Object.keys(args).filter((each) => !known.includes(each))
  const lines = [
    ...missing.map((each) => `${each}: Field required`),
    ...unknown.map((each) => `${each}: ${name} takes no such argument.${didYouMean(each, known)}`),
  ]
  return lines.length === 0 ? undefined : lines.join('\n')
}

function callOf({ route, bodyArgument, inputSchema }: Tool, given: JsonObject): PetriCall {
  if (bodyArgument === undefined) {
    const defaults = Object.entries(inputSchema.properties).map(([name, field]) => [name, field.default])
    return requestOf(route, { ...Object.fromEntries(defaults), ...given })
  }
  const { [bodyArgument]: body, ...others } = given
  const contentType = typeof body === 'string' ? 'application/yaml' : 'application/json'
  const { method, path, body: query = {} } = requestOf(route, others)
  return { method, path: withQuery(path, query), body, contentType }
}

/** The error message, and the other fields of the response. */
function errorText(status: number, text: string): string {
  const answer = parseJson(text)
  if (!isObject(answer)) return `Petri answered ${status}: ${text}`
  const { detail, ...rest } = answer
  const hint =
    status === 401
      ? '\nSet the key with which the tools call Petri with PETRI_API_KEY or --api-key, and a control token with PETRI_CONTROL_TOKEN.'
      : ''
  const more = Object.keys(rest).length > 0 ? `\n${JSON.stringify(rest)}` : ''
  return `${detail === undefined ? `Petri answered ${status}.` : detailText(detail)}${hint}${more}`
}
