import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'
import { connect, type LookupFunction } from 'node:net'
import type { Agent, buildConnector } from 'undici'
import { startTimer } from '../kernel/pause.ts'
import { bareHost, portOf, whyBlocked } from './addresses.ts'

export interface TransportRequest {
  /** POST by default; a GET has no body. */
  readonly method?: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
  /** The time for the reply's body after its status, in milliseconds; a second by default, as the status decides. */
  readonly bodyMs?: number
  /** The maximum size of the reply's body that is read, in bytes; 64 KiB by default. */
  readonly maxBodyBytes?: number
}

export interface TransportReply {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Why the rest of the body was not read. */
  readonly cut?: 'too late' | 'too long'
}

/** Sends a request and returns the response without following redirects. Rejects if there is no response. */
export interface Transport {
  (request: TransportRequest): Promise<TransportReply>
  close?(): Promise<void>
}

type Deliver = (request: TransportRequest) => Promise<TransportReply> | undefined

/** Delivers to the receivers of this process, and over the network what `deliver` returns undefined for. */
export function throughProcess(deliver: Deliver): Transport {
  const network = createTransport()
  const send = (request: TransportRequest) => {
    const reply = deliver(request)
    return reply ? unlessTooLate(reply, request.timeoutMs) : network(request)
  }
  return Object.assign(send, {
    close: async () => network.close?.(),
  })
}

const tooLate = () => new DOMException('The receiver took too long', 'TimeoutError')

function unlessTooLate(reply: Promise<TransportReply>, timeoutMs: number): Promise<TransportReply> {
  return new Promise((resolve, reject) => {
    const stop = startTimer(timeoutMs, () => reject(tooLate()))
    reply.then(resolve, reject).finally(stop)
  })
}

type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

/** The maximum size of a reply's body that is read, in bytes. */
const MAX_BODY_BYTES = 64 * 1024
/** The time for a reply's body after its status, which decides, in milliseconds. */
export const BODY_MS = 1000
/** Shorter than receivers usually keep idle connections, so that none is closed during a delivery. */
const KEEP_ALIVE_MS = 2000

/** Delivers over the network. The HTTP client is loaded with the first delivery. */
export function createTransport({ resolve = lookup }: { readonly resolve?: Resolve } = {}): Transport {
  let loading: Promise<Agent> | undefined
  const deliver = async (request: TransportRequest): Promise<TransportReply> => {
    const url = new URL(request.url)
    const blocked = whyBlocked(bareHost(url), portOf(url))
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
  const { Agent, buildConnector } = await import('undici')
  const connect = (options: buildConnector.Options, done: buildConnector.Callback) => {
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80)
    buildConnector({ lookup: guardedLookup(resolve, port) })(options, done)
  }
  return new Agent({ keepAliveTimeout: KEEP_ALIVE_MS, connect })
}

function post(
  agent: Agent,
  { origin, pathname, search }: URL,
  {
    method = 'POST',
    headers,
    body,
    timeoutMs,
    bodyMs = BODY_MS,
    maxBodyBytes = MAX_BODY_BYTES,
  }: TransportRequest,
): Promise<TransportReply> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let reply: Omit<TransportReply, 'body'> | undefined
    let cut: TransportReply['cut']
    let abort = () => {}
    // The status decides; an incomplete body is kept.
    const finish = (error?: unknown) => {
      stopTimer()
      const body = Buffer.concat(chunks).toString('utf8', 0, maxBodyBytes)
      if (reply) resolve({ ...reply, body, ...(cut && { cut }) })
      else reject(error)
    }
    const giveUp = () => {
      cut = 'too late'
      finish(tooLate())
      abort()
    }
    let stopTimer = startTimer(timeoutMs, giveUp)
    agent.dispatch(
      { origin, path: `${pathname}${search}`, method, headers, body: method === 'GET' ? null : body },
      {
        onRequestStart(controller) {
          abort = () => controller.abort(new Error('given up'))
        },
        onResponseStart(_, status, given) {
          if (status < 200) return
          reply = { status, headers: joinValues(given) }
          stopTimer()
          stopTimer = startTimer(Math.min(timeoutMs, bodyMs), giveUp)
        },
        onResponseData(controller, chunk) {
          chunks.push(chunk)
          size += chunk.length
          if (size <= maxBodyBytes) return
          cut = 'too long'
          controller.abort(new Error('enough'))
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
  (resolve: Resolve, port: number): LookupFunction =>
  (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, [])
      const reason = addresses
        .map(({ address }) => whyBlocked(address, port))
        .find((text) => text !== undefined)
      if (reason) return done(new BlockedAddressError(`Not sent: ${hostname} is ${reason}`), [])
      const [first] = addresses
      if (options.all || !first) return done(null, addresses)
      return done(null, first.address, first.family)
    })
  }

/** The timeout of a connection to a receiver, in milliseconds. */
export const CONNECT_MS = 5000

/** Connects to a receiver without sending anything. */
export function connectTo(given: string): Promise<void> {
  const url = new URL(given)
  const host = bareHost(url)
  const port = portOf(url)
  return new Promise((done, fail) => {
    const blocked = whyBlocked(host, port)
    if (blocked) throw new BlockedAddressError(`Not called: ${blocked}`)
    const options = { host, port, timeout: CONNECT_MS, lookup: guardedLookup(lookup, port) }
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
