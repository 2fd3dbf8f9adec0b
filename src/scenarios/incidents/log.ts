import { fromIso, SECOND_MS } from '../../kernel/instant.ts'
import { isObject, parseJson } from '../../kernel/json.ts'

/** An attempt to deliver a message, as far as a log shows it. */
export interface LoggedAttempt {
  /** Milliseconds since 1970. */
  readonly at: number | undefined
  /** Undefined if the log has no replies. */
  readonly isRefused: boolean | undefined
}

/** A message in the log of a receiver or of a webhook provider. */
export interface LoggedMessage {
  readonly body: unknown
  /** The id of the message; the same for all its attempts. */
  readonly key: string | undefined
  /** At least one. */
  readonly attempts: readonly LoggedAttempt[]
}

type Fields = Readonly<Record<string, unknown>>

/** The body of a webhook and its delivery; undefined if a document is not a line of a log. */
export function readLogged(document: Fields): LoggedMessage | undefined {
  const { payload, body } = document
  if (isObject(payload)) return logged(document, payload)
  if (isObject(body) && typeof body.event_type === 'string') return logged(document, body)
  const parsed = typeof body === 'string' ? parseJson(body) : undefined
  return parsed === undefined ? undefined : logged(document, parsed)
}

function logged(document: Fields, body: unknown): LoggedMessage {
  const headers = headersOf(document)
  const ids = [headers['svix-id'], headers['webhook-id'], document.message_id, document.msgId, document.id]
  const key = ids.find((id) => typeof id === 'string') as string | undefined
  const { attempts } = document
  const list = Array.isArray(attempts) ? attempts.filter(isObject).map(attemptOf) : []
  return { body, key, attempts: list.length > 0 ? list : [attemptOf(document)] }
}

/** With names in lower case. */
function headersOf({ headers }: Fields): Fields {
  if (!isObject(headers)) return {}
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

const timeFields = ['received_at', 'receivedAt', 'timestamp', 'time', 'at', 'date', 'created_at'] as const
const replyFields = ['status', 'response_status', 'responseStatusCode', 'status_code'] as const

function attemptOf(document: Fields): LoggedAttempt {
  const headers = headersOf(document)
  const times = [...timeFields.map((field) => document[field]), headers['svix-timestamp']]
  const status = replyFields.map((field) => document[field]).find((each) => typeof each === 'number')
  const isFailed = 'error' in document && document.error !== null
  return {
    at: times.map(instantOf).find((at) => at !== undefined),
    isRefused: typeof status === 'number' ? status < 200 || status > 299 : isFailed || undefined,
  }
}

/** Milliseconds since 1970 of a text, or of a number of seconds or milliseconds. */
function instantOf(value: unknown): number | undefined {
  if (typeof value === 'string' && !/^\d+$/.test(value)) return fromIso(value)
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  if (!Number.isFinite(number)) return undefined
  return number < 1e11 ? number * SECOND_MS : number
}
