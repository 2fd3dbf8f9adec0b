import { inLowerCase, isSuccess } from '../../kernel/http-call.ts'
import { fromIso, SECOND_MS } from '../../kernel/instant.ts'
import { isObject, type JsonObject, objectIn, parseJson } from '../../kernel/json.ts'

/** An attempt to deliver a message, with what a log shows of it. */
export interface LoggedAttempt {
  /** Milliseconds since 1970. */
  readonly at: number | undefined
  /** Undefined if the log has no replies. */
  readonly isRefused: boolean | undefined
}

/** A message in the log of a receiver or of a webhook provider. */
export interface LoggedMessage<Body = unknown> {
  readonly body: Body
  /** The id of the message; the same for all its attempts. */
  readonly key: string | undefined
  /** At least one. */
  readonly attempts: readonly LoggedAttempt[]
}

/** The body of a webhook and its delivery; undefined if a document is not a line of a log. */
export function readLogged(document: JsonObject): LoggedMessage | undefined {
  const { payload, body } = document
  if (isObject(payload)) return logged(document, payload)
  if (isObject(body) && typeof body.event_type === 'string') return logged(document, body)
  const parsed = typeof body === 'string' ? parseJson(body) : undefined
  return parsed === undefined ? undefined : logged(document, parsed)
}

/** A webhook with the time and the reply next to its fields. */
export const readDirectly = (document: JsonObject): LoggedMessage => logged(document, document)

const statusAfterWord =
  /(?:status|code|HTTP\/[\d.]+"?|answered|responded|replied|returned|->|\u2192)[^\d\w]{0,4}([1-5]\d\d)\b/i
/** In a cell of a table, between separators. */
const statusInCell = /[,;\t|]\s*"?([1-5]\d\d)"?\s*(?=[,;\t|]|"?\s*$)/

/** The time and the status of the reply in a line of text around a JSON object. */
export function aroundJson(line: string): JsonObject {
  const outside = `${line.slice(0, line.indexOf('{'))} ${line.slice(line.lastIndexOf('}') + 1)}`
  const time = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?/.exec(outside)?.[0]
  const [, status] = statusAfterWord.exec(outside) ?? statusInCell.exec(outside) ?? []
  return {
    ...(time !== undefined && { received_at: time }),
    ...(status !== undefined && { status: Number(status) }),
  }
}

/** The deepest place in a line of a log where a webhook is looked for. */
const MAX_DEPTH = 8

/** The messages whose bodies lie anywhere in a line of a log, also as text, as in exports of Datadog or CloudWatch. */
export function messagesWithin(document: JsonObject): LoggedMessage<JsonObject>[] {
  const find = (value: unknown, around: JsonObject, depth: number): LoggedMessage<JsonObject>[] => {
    if (depth > MAX_DEPTH) return []
    if (typeof value === 'string')
      return value.includes('event_type') ? find(jsonIn(value), around, depth + 1) : []
    if (Array.isArray(value)) return value.flatMap((each) => find(each, around, depth + 1))
    if (!isObject(value)) return []
    if (typeof value.event_type === 'string' && isObject(value.data)) return [logged(around, value)]
    // The line itself, or the entry of a list of lines, has the time and the reply.
    const nearest = saysDelivery(value) ? { ...around, ...value } : around
    return Object.values(value).flatMap((each) => find(each, nearest, depth + 1))
  }
  return find(document, document, 0)
}

const saysDelivery = (fields: JsonObject) =>
  timeFields.some((field) => instantOf(fields[field]) !== undefined) ||
  replyFields.some((field) => typeof fields[field] === 'number')

/** The JSON objects in a text, whatever stands around them; also in a quoted cell of CSV, and with escaped quotes. */
export function jsonIn(text: string): unknown[] {
  for (const plain of [text, text.replaceAll('""', '"'), text.replaceAll('\\"', '"')]) {
    const found = objectsIn(plain)
    if (found.length > 0) return found
  }
  return []
}

/** The most places of a text that are tried, so that a text of nothing but braces takes no long time. */
const MAX_TRIES = 50

function objectsIn(text: string): unknown[] {
  const found: unknown[] = []
  let start = text.indexOf('{')
  for (let tries = 0; start !== -1 && tries < MAX_TRIES; tries++) {
    const end = endOfObject(text, start)
    const parsed = end === -1 ? undefined : parseJson(text.slice(start, end))
    if (isObject(parsed)) found.push(parsed)
    start = text.indexOf('{', isObject(parsed) ? end : start + 1)
  }
  return found
}

/** The index after the brace that closes an object; -1 if none does. */
function endOfObject(text: string, start: number): number {
  let depth = 0
  let isText = false
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (isText) {
      if (character === '\\') at++
      else if (character === '"') isText = false
    } else if (character === '"') isText = true
    else if (character === '{') depth++
    else if (character === '}' && --depth === 0) return at + 1
  }
  return -1
}

function logged<Body>(document: JsonObject, body: Body): LoggedMessage<Body> {
  const headers = headersOf(document)
  const ids = [headers['svix-id'], headers['webhook-id'], document.message_id, document.msgId, document.id]
  const key = ids.find((id) => typeof id === 'string') as string | undefined
  const { attempts } = document
  const list = Array.isArray(attempts) ? attempts.filter(isObject).map(attemptOf) : []
  return { body, key, attempts: list.length > 0 ? list : [attemptOf(document)] }
}

const headersOf = ({ headers }: JsonObject): JsonObject => inLowerCase(objectIn(headers))

const timeFields = ['received_at', 'receivedAt', 'timestamp', 'time', 'at', 'date', 'created_at'] as const
const replyFields = ['status', 'response_status', 'responseStatusCode', 'status_code'] as const

function attemptOf(document: JsonObject): LoggedAttempt {
  const headers = headersOf(document)
  const times = [...timeFields.map((field) => document[field]), headers['svix-timestamp']]
  const status = replyFields.map((field) => document[field]).find((each) => typeof each === 'number')
  const isFailed = 'error' in document && document.error !== null
  return {
    at: times.map(instantOf).find((at) => at !== undefined),
    isRefused: typeof status === 'number' ? !isSuccess(status) : isFailed || undefined,
  }
}

/** Milliseconds since 1970 of a text, or of a number of seconds or milliseconds. */
function instantOf(value: unknown): number | undefined {
  if (typeof value === 'string' && !/^\d+$/.test(value)) return fromIso(value)
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  if (!Number.isFinite(number)) return undefined
  return number < 1e11 ? number * SECOND_MS : number
}
