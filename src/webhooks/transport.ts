import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'
import { existsSync } from 'node:fs'
import { connect, type LookupFunction } from 'node:net'
import type { Agent } from 'undici'
import { once } from '../kernel/once.ts'
import { bareHost, whyBlocked } from './addresses.ts'
import { TIMEOUT_MS } from './retry-schedule.ts'

export interface TransportRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
}

export interface TransportReply {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Posts a body and returns the response without following redirects. Rejects if there is no response. */
export interface Transport {
  (request: TransportRequest): Promise<TransportReply>
  close?(): Promise<void>
}

type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

/** The maximum size of a reply's body that is read, in bytes. */
const MAX_BODY_BYTES = 64 * 1024
/** Shorter than receivers usually keep idle connections, so that none is closed during a delivery. */
const KEEP_ALIVE_MS = 2000

/** Delivers over the network. The HTTP client is loaded with the first delivery. */
export function createTransport({ resolve = lookup }: { readonly resolve?: Resolve } = {}): Transport {
  let loading: Promise<Agent> | undefined
  const deliver = async (request: TransportRequest): Promise<TransportReply> => {
    const url = new URL(request.url)
    const blocked = whyBlocked(bareHost(url))
    if (blocked) throw new BlockedAddressError(`Not sent: ${blocked}`)
    loading ??= loadAgent(resolve)
    return post(await loading, url, request)
  }
  return Object.assign(deliver, {
    close: async () => {
      const agent = await loading
      await agent?.destroy()
    },
  })
}

async function loadAgent(resolve: Resolve): Promise<Agent> {
  const { default: undici } = await import('undici')
  return new undici.Agent({ keepAliveTimeout: KEEP_ALIVE_MS, connect: { lookup: guardedLookup(resolve) } })
}

function post(
  agent: Agent,
  { origin, pathname, search }: URL,
  { headers, body, timeoutMs }: TransportRequest,
): Promise<TransportReply> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let reply: Omit<TransportReply, 'body'> | undefined
    let abort = () => {}
    // The status decides; an incomplete body is kept.
    const finish = (error?: unknown) => {
      clearTimeout(timer)
      if (reply) resolve({ ...reply, body: Buffer.concat(chunks).toString('utf8', 0, MAX_BODY_BYTES) })
      else reject(error)
    }
    const timer = setTimeout(() => {
      finish(new DOMException('The receiver took too long', 'TimeoutError'))
      abort()
    }, timeoutMs).unref()
    agent.dispatch(
      { origin, path: `${pathname}${search}`, method: 'POST', headers, body },
      {
        onRequestStart(controller) {
          abort = () => controller.abort(new Error('given up'))
        },
        onResponseStart(_, status, given) {
          if (status >= 200) reply = { status, headers: joinValues(given) }
        },
        onResponseData(controller, chunk) {
          chunks.push(chunk)
          size += chunk.length
          if (size >= MAX_BODY_BYTES) controller.abort(new Error('enough'))
        },
        onResponseEnd: () => finish(),
        onResponseError: (_, error) => finish(error),
      },
    )
  })
}

function joinValues(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const joined: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name] = typeof value === 'string' ? value : value.join(', ')
  }
  return joined
}

/** Resolves a host name, and fails if one of its addresses is blocked. */
const guardedLookup =
  (resolve: Resolve): LookupFunction =>
  (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, [])
      const reason = addresses.map(({ address }) => whyBlocked(address)).find((text) => text !== undefined)
      if (reason) return done(new BlockedAddressError(`Not sent: ${hostname} is ${reason}`), [])
      const [first] = addresses
      if (options.all || !first) return done(null, addresses)
      return done(null, first.address, first.family)
    })
  }

/** The total time for further attempts of the same advance after a timeout, in milliseconds. */
const MAX_AFTER_TIMEOUT_MS = 1000
const MIN_AFTER_TIMEOUT_MS = 10

/**
 * The timeouts of receivers. After a timeout during an advance, all further attempts of that advance have one second
 * in total; otherwise an unresponsive receiver would delay it by a timeout for each message.
 */
export class ReplyTimeouts {
  #run: object | undefined
  readonly #leftMs = new Map<string, number>()

  /** Returns milliseconds; `run` identifies the running advance, if there is one. */
  timeoutOf(endpointId: string, run: object | undefined): number {
    if (this.#run !== run) this.#leftMs.clear()
    this.#run = run
    const leftMs = this.#leftMs.get(endpointId)
    if (leftMs === undefined) return TIMEOUT_MS
    return Math.max(leftMs, MIN_AFTER_TIMEOUT_MS)
  }

  recordTimeout(endpointId: string, timeoutMs: number): void {
    if (!this.#run) return
    const leftMs = this.#leftMs.get(endpointId)
    this.#leftMs.set(endpointId, leftMs === undefined ? MAX_AFTER_TIMEOUT_MS : leftMs - timeoutMs)
  }
}

/** The timeout of a connection to a receiver, in milliseconds. */
const CONNECT_MS = 5000

/** Connects to a receiver without sending anything. Returns why that failed, or undefined. */
export async function whyUnreachable(url: string, inContainer: boolean): Promise<string | undefined> {
  try {
    await connectTo(url)
    return undefined
  } catch (error) {
    return describeFailure(error, { url, timeoutMs: CONNECT_MS, inContainer })
  }
}

function connectTo(given: string): Promise<void> {
  const url = new URL(given)
  const host = bareHost(url)
  const defaultPort = url.protocol === 'https:' ? 443 : 80
  return new Promise((done, fail) => {
    const blocked = whyBlocked(host)
    if (blocked) throw new BlockedAddressError(`Not called: ${blocked}`)
    const port = Number(url.port || defaultPort)
    const options = { host, port, timeout: CONNECT_MS, lookup: guardedLookup(lookup) }
    const socket = connect(options, () => {
      socket.destroy()
      done()
    })
    socket.once('timeout', () => socket.destroy(new DOMException('No connection', 'TimeoutError')))
    socket.once('error', fail)
  })
}

/** Thrown for a blocked address; the message is for the user. */
export class BlockedAddressError extends Error {
  readonly code = 'PETRI_BLOCKED_ADDRESS'
}

interface Situation {
  readonly url: string
  readonly timeoutMs: number
  /** Whether Petri runs in a container, in which localhost is the container. */
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

/** Whether an error is a timeout. */
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
  const { protocol, port, pathname } = new URL(url)
  // Without password and query, which may be secrets.
  const there = `${protocol}//host.docker.internal${port && `:${port}`}${pathname}`
  return `. Petri runs in a container, where ${bareHost(url)} is the container itself; to reach the host use ${there}`
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
