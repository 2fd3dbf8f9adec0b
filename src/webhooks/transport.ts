import type { LookupAddress, LookupOptions } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { Agent } from 'undici'
import { bareHost, createAddressCheck } from './addresses.ts'
import { BlockedAddressError } from './failures.ts'

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

/** Posts a body and returns the response; follows no redirect; rejects without a response. */
export interface Transport {
  (request: TransportRequest): Promise<TransportReply>
  close?(): Promise<void>
}

type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

/** The most of a reply's body that is read, in bytes. */
const MAX_BODY_BYTES = 64 * 1024
/** Shorter than receivers commonly keep an idle connection, so that none is closed under a delivery. */
const KEEP_ALIVE_MS = 2000

/** A parsed URL, cached. */
interface Target {
  readonly origin: string
  readonly path: string
  /** Why it may not be called. */
  readonly refusal: string | undefined
}

const MAX_TARGETS = 1000

/** Delivers over the network; loads its HTTP client with the first delivery. */
export function createTransport(options: { readonly resolve?: Resolve } = {}): Transport {
  const refusal = createAddressCheck()
  const targets = new Map<string, Target>()
  const deadlines = new Deadlines()
  let loading: Promise<Agent> | undefined
  const deliver = async (request: TransportRequest): Promise<TransportReply> => {
    const target = targets.get(request.url) ?? toTarget(request.url, refusal)
    if (targets.size >= MAX_TARGETS) targets.clear()
    targets.set(request.url, target)
    if (target.refusal) throw new BlockedAddressError(`Not sent: ${target.refusal}`)
    loading ??= load(refusal, options.resolve)
    return post(await loading, target, request, deadlines)
  }
  return Object.assign(deliver, {
    close: async () => {
      const agent = await loading
      await agent?.destroy()
    },
  })
}

function toTarget(url: string, refusal: (address: string) => string | undefined): Target {
  const { origin, pathname, search } = new URL(url)
  return { origin, path: `${pathname}${search}`, refusal: refusal(bareHost(url)) }
}

async function load(
  refusal: (address: string) => string | undefined,
  resolve: Resolve | undefined,
): Promise<Agent> {
  const [{ Agent }, dns] = await Promise.all([import('./agent.ts'), import('node:dns')])
  const lookup = guardedLookup(resolve ?? dns.lookup, refusal)
  return new Agent({ keepAliveTimeout: KEEP_ALIVE_MS, connect: { lookup } })
}

function post(
  agent: Agent,
  { origin, path }: Target,
  { headers, body, timeoutMs }: TransportRequest,
  deadlines: Deadlines,
): Promise<TransportReply> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let reply: Omit<TransportReply, 'body'> | undefined
    let abort = () => {}
    // The status decides; an incomplete body is kept as far as it was received.
    const finish = (error?: unknown) => {
      leave()
      if (reply) resolve({ ...reply, body: Buffer.concat(chunks).toString('utf8', 0, MAX_BODY_BYTES) })
      else reject(error)
    }
    const leave = deadlines.join(timeoutMs, () => {
      finish(new DOMException('The receiver took too long', 'TimeoutError'))
      abort()
    })
    agent.dispatch(
      { origin, path, method: 'POST', headers, body },
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

/** Deliveries begun within this many milliseconds share a timer. */
const TIMER_SPAN_MS = 100

/** Cancels what takes too long, with one timer for all that begins at about the same time. */
class Deadlines {
  #begun = AbortSignal.abort()
  #timeoutMs = 0
  #waiting = new Set<() => void>()

  /** Calls `end` after a time, unless the answered function is called before. */
  join(timeoutMs: number, end: () => void): () => void {
    if (this.#begun.aborted || this.#timeoutMs !== timeoutMs) this.#begin(timeoutMs)
    const waiting = this.#waiting
    waiting.add(end)
    return () => waiting.delete(end)
  }

  #begin(timeoutMs: number): void {
    const waiting = new Set<() => void>()
    this.#waiting = waiting
    this.#timeoutMs = timeoutMs
    this.#begun = AbortSignal.timeout(TIMER_SPAN_MS)
    AbortSignal.timeout(timeoutMs + TIMER_SPAN_MS).addEventListener('abort', () => {
      for (const end of [...waiting]) end()
    })
  }
}

/** Looks a name up and refuses it when one of its addresses may not be called. */
export const guardedLookup =
  (resolve: Resolve, refusal: (address: string) => string | undefined): LookupFunction =>
  (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, [])
      const reason = addresses.map(({ address }) => refusal(address)).find((text) => text !== undefined)
      if (reason) return done(new BlockedAddressError(`Not sent: ${hostname} is ${reason}`), [])
      const [first] = addresses
      if (options.all || !first) return done(null, addresses)
      return done(null, first.address, first.family)
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
