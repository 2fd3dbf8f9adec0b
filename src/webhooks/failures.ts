import { bareHost } from './addresses.ts'
import { TIMEOUT_MS } from './retry-schedule.ts'

/** Petri refuses to call this address; the message is for the user. */
export class BlockedAddressError extends Error {
  readonly code = 'PETRI_BLOCKED_ADDRESS'
}

interface Situation {
  readonly url: string
  readonly timeoutMs: number
  /** Whether Petri runs in a container, where localhost is the container. */
  readonly inContainer: boolean
}

/** Why a delivery got no reply, in words. */
export function describeFailure(error: unknown, { url, timeoutMs, inContainer }: Situation): string {
  if (!URL.canParse(url)) return `${url} is no URL`
  const { name, code, message } = firstCause(error)
  const { host } = new URL(url)
  if (code === 'PETRI_BLOCKED_ADDRESS') return message
  if (name === 'TimeoutError' || TIMED_OUT.has(code)) {
    return timeoutMs < TIMEOUT_MS ? NOT_WAITED_FOR : `No reply within ${timeoutMs / 1000} s`
  }
  if (code === 'ECONNREFUSED') {
    return `Connection refused: nothing listens at ${host}${inContainer ? containerHint(url) : ''}`
  }
  if (UNRESOLVED.has(code)) return `The name ${bareHost(url)} could not be resolved (${code})`
  if (UNREACHABLE.has(code)) return `${host} cannot be reached (${code})`
  if (CLOSED.has(code)) return 'The receiver closed the connection before it replied'
  if (/CERT|TLS|SSL|UNABLE_TO|SELF_SIGNED|EPROTO/.test(code)) return `TLS failed: ${message} (${code})`
  return code ? `${message} (${code})` : message
}

const NOT_WAITED_FOR =
  'No reply; the receiver had timed out shortly before, so it was waited for only briefly'

/** Whether an error says that the receiver took too long. */
export function isTimeout(error: unknown): boolean {
  const { name, code } = firstCause(error)
  return name === 'TimeoutError' || TIMED_OUT.has(code)
}

const TIMED_OUT = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])
const UNRESOLVED = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL'])
const UNREACHABLE = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EHOSTDOWN'])
const CLOSED = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_CLOSED'])

function containerHint(url: string): string {
  if (!/^(localhost|127(\.\d+){3}|::1)$/.test(bareHost(url))) return ''
  const there = new URL(url)
  there.hostname = 'host.docker.internal'
  return `. Petri runs in a container, where ${bareHost(url)} is the container itself; to reach the host use ${there.href}`
}

interface Cause {
  readonly name: string
  readonly code: string
  readonly message: string
}

/** The innermost cause of a network error that has a code. */
function firstCause(error: unknown): Cause {
  if (!(error instanceof Error)) return { name: '', code: '', message: String(error) }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause
  if (code === '' && inner instanceof Error) return firstCause(inner)
  return { name: error.name, code, message: error.message }
}
