import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { detailText } from '../kernel/detail-text.ts'
import { isObject, parseJson } from '../kernel/json.ts'
import { didYouMean } from '../kernel/nearest.ts'
import type { Tool } from './tool.ts'

/** A call of this or another Petri, without credentials; `Send` adds them. */
export interface PetriCall {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly contentType?: string
  readonly signal?: AbortSignal
}

/** Sends a call. Rejects with a readable message if there is no answer. */
export type Send = (call: PetriCall) => Promise<Response>

/** The maximum length of an answer, in characters. */
const MAX_CHARACTERS = 100_000

type Arguments = Readonly<Record<string, unknown>>

/** Makes the call of a tool. Errors are returned as a result with a readable message. */
export async function callTool(
  tools: readonly Tool[],
  { name, args }: { readonly name: string; readonly args: Arguments },
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
    const response = await send({ ...callOf(tool, args), ...(signal && { signal }) })
    const text = await response.text()
    return response.ok ? succeeded(text) : failed(errorText(response.status, text))
  } catch (error) {
    return failed((error as Error).message)
  }
}

const succeeded = (text: string): CallToolResult => ({
  content: [{ type: 'text', text: shortened(text) || 'Done.' }],
})

const failed = (text: string): CallToolResult => ({
  content: [{ type: 'text', text: shortened(text) }],
  isError: true,
})

const shortened = (text: string): string =>
  text.length <= MAX_CHARACTERS
    ? text
    : `${text.slice(0, MAX_CHARACTERS)}\n[The first ${MAX_CHARACTERS} of ${text.length} characters; narrow it with filters or a lower limit.]`

/** Missing or unknown arguments. Values are checked by the operation, whose messages are more precise. */
function wrongArguments({ name, inputSchema }: Tool, args: Arguments): string | undefined {
  const known = Object.keys(inputSchema.properties)
  const missing = inputSchema.required.filter((each) => args[each] === undefined)
  const unknown = Object.keys(args).filter((each) => !known.includes(each))
  const lines = [
    ...missing.map((each) => `${each}: Field required`),
    ...unknown.map((each) => `${each}: ${name} takes no such argument.${didYouMean(each, known)}`),
  ]
  return lines.length === 0 ? undefined : lines.join('\n')
}

function callOf({ route, query, body, bodyArgument }: Tool, args: Arguments): PetriCall {
  const [method, pattern] = route.split(' ') as [string, string]
  const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(args[name])))
  const given = query.filter((name) => args[name] !== undefined && args[name] !== null)
  const search = new URLSearchParams(given.map((name): [string, string] => [name, textOf(args[name])]))
  return { method, path: given.length > 0 ? `${path}?${search}` : path, ...bodyOf(args, body, bodyArgument) }
}

function bodyOf(args: Arguments, fields: readonly string[], whole: string | undefined): Partial<PetriCall> {
  if (whole !== undefined) {
    const value = args[whole]
    return { body: value, contentType: typeof value === 'string' ? 'application/yaml' : 'application/json' }
  }
  if (fields.length === 0) return {}
  return { body: Object.fromEntries(Object.entries(args).filter(([name]) => fields.includes(name))) }
}

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** The error message of the service, and further fields of the answer. */
function errorText(status: number, text: string): string {
  const answer = parseJson(text)
  if (!isObject(answer)) return `Petri answered ${status}: ${text}`
  const { detail, ...rest } = answer
  const hint = status === 401 ? '\nPETRI_API_KEY or --api-key says with which key the tools call Petri.' : ''
  const more = Object.keys(rest).length > 0 ? `\n${JSON.stringify(rest)}` : ''
  return `${detail === undefined ? `Petri answered ${status}.` : detailText(detail)}${hint}${more}`
}
