import { existsSync } from 'node:fs'
import { withoutUndefined } from '../kernel/fields.ts'
import { isSuccess } from '../kernel/http-call.ts'
import { once } from '../kernel/once.ts'
import { isLoopback } from '../kernel/this-machine.ts'
import { bareHost } from './addresses.ts'
import { TIMEOUT_MS } from './retry-schedule.ts'
import {
  BODY_MS,
  CONNECT_MS,
  connectTo,
  type Transport,
  type TransportReply,
  type TransportRequest,
} from './transport.ts'

/** Why a call failed, in words without a full stop, and what its user can do about it. */
export interface Failure {
  readonly error: string
  readonly advice?: string | undefined
}

/** What a call came to: the reply, if there is one, and what went wrong. */
export interface Outcome extends Partial<Failure> {
  readonly reply?: TransportReply
}

/** A failure as one text. */
export const failureText = ({ error, advice }: Failure): string =>
  advice === undefined ? error : `${error}. ${advice}`

/** The total time for further calls to an unresponsive receiver in the same advance, in milliseconds. */
const MAX_AFTER_TIMEOUT_MS = 1000
const MIN_AFTER_TIMEOUT_MS = 10

/**
 * All calls of worlds to the outside. After a receiver timed out during an advance, all further calls of that
 * advance to it have one second in total; otherwise an unresponsive receiver would delay it by a timeout
 * for each call.
 */
export class OutgoingCalls {
  readonly #transport: Transport
  /** Milliseconds left by receiver, of each advance in which one timed out. */
  readonly #leftMs = new WeakMap<object, Map<string, number>>()
  readonly #given = new Set<string>()

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Posts to a receiver, an endpoint's id or a URL. `run` identifies the running advance, if there is one. */
  async post(
    receiver: string,
    request: Omit<TransportRequest, 'timeoutMs'>,
    run: object | undefined,
  ): Promise<Outcome> {
    const leftMs = run && this.#leftMs.get(run)?.get(receiver)
    const timeoutMs = leftMs === undefined ? TIMEOUT_MS : Math.max(leftMs, MIN_AFTER_TIMEOUT_MS)
    const waitedInVain = (waitedMs: number) => {
      if (run) this.#spend(run, receiver, leftMs === undefined ? 0 : waitedMs)
    }
    try {
      const reply = await this.#transport({ ...request, timeoutMs })
      if (reply.cut === 'too late') waitedInVain(Math.min(timeoutMs, BODY_MS))
      const error = describeStatus(reply.status)
      return withoutUndefined({ reply, error })
    } catch (error) {
      if (isTimeout(error)) waitedInVain(timeoutMs)
      const isShortened = leftMs !== undefined
      const situation = { url: request.url, timeoutMs, isShortened, inContainer: isInContainer() }
      return describeFailure(error, situation)
    }
  }

  /** The advice on a failure, the first time only; undefined later, or without one. */
  adviceOnce(advice: string | undefined): string | undefined {
    if (advice === undefined || this.#given.has(advice)) return undefined
    this.#given.add(advice)
    return advice
  }

  async close(): Promise<void> {
    await this.#transport.close?.()
  }

  #spend(run: object, receiver: string, spentMs: number): void {
    const ofRun = this.#leftMs.get(run) ?? new Map<string, number>()
    this.#leftMs.set(run, ofRun)
    ofRun.set(receiver, (ofRun.get(receiver) ?? MAX_AFTER_TIMEOUT_MS) - spentMs)
  }
}

declare module '../world/services.ts' {
  interface Services {
    readonly outgoing: OutgoingCalls
  }
}

function describeStatus(status: number): string | undefined {
  if (isSuccess(status)) return undefined
  return status >= 300 && status < 400
    ? `The receiver answered ${status}; redirects are not followed`
    : `The receiver answered ${status}`
}

/** Connects to a receiver without sending anything. Returns why that failed, or undefined. */
export async function whyUnreachable(url: string, inContainer: boolean): Promise<string | undefined> {
  try {
    await connectTo(url)
    return undefined
  } catch (error) {
    return failureText(describeFailure(error, { url, timeoutMs: CONNECT_MS, inContainer }))
  }
}

interface Situation {
  readonly url: string
  readonly timeoutMs: number
  /** Whether the time was shortened because the receiver had timed out before. */
  readonly isShortened?: boolean
  /** Whether Petri runs in a container, in which localhost is the container. */
  readonly inContainer: boolean
}

/** Why a delivery got no reply. */
export function describeFailure(thrown: unknown, situation: Situation): Failure {
  const { url, inContainer } = situation
  const error = whyFailed(thrown, situation)
  const { code } = firstCause(thrown)
  if (UNTRUSTED.test(code)) return { error, advice: TRUST }
  const isOwnHost = inContainer && code === 'ECONNREFUSED' && isLoopback(bareHost(url))
  return isOwnHost ? { error, advice: containerAdvice(url) } : { error }
}

function whyFailed(error: unknown, { url, timeoutMs, isShortened }: Situation): string {
  if (!URL.canParse(url)) return `${url} is not a URL`
  const { name, code, message } = firstCause(error)
  const { host } = new URL(url)
  if (code === 'PETRI_BLOCKED_ADDRESS') return message
  if (name === 'TimeoutError' || TIMED_OUT.has(code)) {
    return isShortened ? NOT_WAITED_FOR : `No reply within ${timeoutMs / 1000} s`
  }
  if (code === 'ECONNREFUSED') return `Connection refused: nothing listens at ${host}`
  if (UNRESOLVED.has(code)) return `The name ${bareHost(url)} could not be resolved (${code})`
  if (UNREACHABLE.has(code)) return `${host} cannot be reached (${code})`
  if (CLOSED.has(code)) return 'The receiver closed the connection before it replied'
  if (/CERT|TLS|SSL|UNABLE_TO|SELF_SIGNED|EPROTO/.test(code))
    return `TLS failed: ${tlsReason(message)} (${code})`
  return code ? `${message} (${code})` : message
}

const UNTRUSTED = /SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)/
const TRUST =
  'To trust it, start Petri with the variable NODE_EXTRA_CA_CERTS, the path of a PEM file with the certificate of its authority'

/** OpenSSL puts an address in memory and a file of its sources around its reason. */
const tlsReason = (message: string) => /SSL routines:[^:]*:([^:]+):/.exec(message)?.[1] ?? message

const NOT_WAITED_FOR =
  'No reply; the receiver had timed out shortly before, so it was waited for only briefly'

/** Whether an error is a timeout. */
function isTimeout(error: unknown): boolean {
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

function containerAdvice(url: string): string {
  const { protocol, port, pathname } = new URL(url)
  // Without password and query, which may be secrets.
  const there = `${protocol}//host.docker.internal${port && `:${port}`}${pathname}`
  return `Petri runs in a container, where ${bareHost(url)} is the container itself; to reach the host use ${there}`
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

/** Files that Docker, Podman and Kubernetes create in containers. */
const MARKS = ['/.dockerenv', '/run/.containerenv', '/var/run/secrets/kubernetes.io']

/** Whether this process runs in a container, where localhost is the container itself. */
export const isInContainer = once((): boolean => MARKS.some((path) => existsSync(path)))
