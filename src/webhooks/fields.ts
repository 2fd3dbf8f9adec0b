import { field } from '../api/fields.ts'
import { type ValidationIssue, valueError } from '../api/issue.ts'
import { isObject } from '../kernel/json.ts'
import { Problem } from '../kernel/problem.ts'
import { eventTypeHint, eventTypeNames } from '../resources/event-types.ts'
import { bareHost, portOf, whyBlocked } from './addresses.ts'

const NO_WEB_URL = 'a URL starts with http:// or https://'
const WITH_CREDENTIALS = 'a user name or password in a URL is never sent; use a header instead'

const isWebUrl = (input: unknown): input is string =>
  typeof input === 'string' && URL.canParse(input) && /^https?:$/.test(new URL(input).protocol)

/** A URL that Petri only stores. */
export const webUrl = () =>
  field({ type: 'string', format: 'uri' }, (input) => (isWebUrl(input) ? input : valueError(NO_WEB_URL)))

/** A URL that Petri sends to. */
export const receiverUrl = () =>
  field({ type: 'string', format: 'uri' }, (input) => {
    const why = whyNoReceiver(input)
    return why === undefined ? (input as string) : valueError(why)
  })

/** Throws a readable error if Petri can never send to a URL. */
export function assertReceiver(url: string): void {
  const why = whyNoReceiver(url)
  if (why !== undefined) throw new Error(`Webhooks cannot be sent to the given URL: ${why}.`)
}

function whyNoReceiver(input: unknown): string | undefined {
  if (!isWebUrl(input)) return NO_WEB_URL
  const url = new URL(input)
  const { username, password } = url
  return whyBlocked(bareHost(url), portOf(url)) ?? (username || password ? WITH_CREDENTIALS : undefined)
}

/** Headers that are reserved for deliveries and connections. Source: docs/contract/webhooks.md#endpoints. */
const RESERVED_HEADERS = new Set(
  // The last cannot be kept by an object.
  (
    'accept accept-encoding cache-control connection content-encoding content-length content-type expect host ' +
    'keep-alive te trailer transfer-encoding upgrade user-agent __proto__'
  ).split(' '),
)
const RESERVED_PREFIXES = ['svix-', 'x-svix-', 'x-amz-', 'x-google', 'x-azure-']

/** The maximum size of the headers of an endpoint: each delivery sends and keeps them. */
const MAX_HEADERS_LENGTH = 16 * 1024

/** Headers that a user adds to each delivery; names are converted to lower case. */
export const customHeaders = () =>
  field(
    { type: 'object', additionalProperties: { type: 'string' } },
    (input): Record<string, string> | ValidationIssue => {
      if (!isObject(input)) {
        return { type: 'dict_type', msg: 'Input should be a valid dictionary' }
      }
      const headers: Record<string, string> = {}
      for (const [given, value] of Object.entries(input)) {
        const name = given.toLowerCase()
        if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return valueError(`${given} is not a header name`)
        if (RESERVED_HEADERS.has(name) || RESERVED_PREFIXES.some((prefix) => name.startsWith(prefix))) {
          return valueError(`the header ${given} is reserved`)
        }
        if (typeof value !== 'string' || !/^[\t\x20-\x7e]*$/.test(value)) {
          return valueError(`the value of ${given} is not a header value`)
        }
        headers[name] = value
      }
      const length = Object.entries(headers).reduce((sum, header) => sum + header.join('').length, 0)
      return length > MAX_HEADERS_LENGTH
        ? valueError(`the headers have more than ${MAX_HEADERS_LENGTH} characters in all`)
        : headers
    },
  )

/** Throws for unknown event types; the control API also names the nearest. Source: docs/contract/webhooks.md#endpoints. */
export function assertKnownTypes(wanted: readonly string[] | null | undefined, field = 'event_types'): void {
  const unknown = wanted?.filter((name) => !eventTypeNames().has(name)) ?? []
  const [first] = unknown
  if (first === undefined) return
  const hint = field === 'event_types' ? eventTypeHint(first) : ''
  const msg = `The following event types don't exist: ${unknown.join(', ')}${hint && `.${hint}`}`
  throw new Problem('invalid', [{ ...valueError(''), loc: ['body', field], msg, input: wanted }])
}
