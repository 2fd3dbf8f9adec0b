import type { RequestContext } from '../scheduler/context.ts'

/** A request and its response. Secrets are redacted when it is shown, not here. */
export interface RequestRecord extends RequestContext {
  /** The number of the request in this process, from 1. */
  readonly ordinal: number
  /** Milliseconds since 1970, the world's clock. */
  readonly at: number
  /** The id of the operation; null for an unknown path. */
  readonly operation: string | null
  readonly method: string
  /** The path with the query. */
  readonly url: string
  readonly status: number
  /** Wall milliseconds; 0 in a frozen world, where equal calls leave equal records. */
  readonly duration_ms: number
  readonly headers: RequestHeaders
  /** The body as received; empty if there is none. */
  readonly body: string
  /** JSON or text; null for an empty or a binary body. */
  readonly response: string | null
  /** The most similar operations, for an unknown path. */
  readonly nearest: readonly string[]
  /** The fault that was injected into it. */
  readonly fault_id: string | null
}

/** Names in lower case. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** The id of a request, which is also its `x-request-id`. */
export const requestId = (ordinal: number): string => PREFIX + hexOf(ordinal)

const PREFIX = 'req_'

/** Sixteen hexadecimal digits. */
export const hexOf = (ordinal: number): string => ordinal.toString(16).padStart(16, '0')

/** The maximum number of requests a world records, and their maximum size in bytes. */
export const MAX_REQUESTS = 1000
export const MAX_BYTES = 8 * 1024 * 1024
/** The approximate memory of a request in addition to its texts, in bytes. */
const OVERHEAD = 1024
/** The maximum recorded length of a body, in characters; the rest is cut. */
export const MAX_BODY = 256 * 1024

/** The latest events whose places are known. */
const MAX_NUMBERED = 10_000

/** The latest requests of a world, and their places among its events; in memory only. */
export class Requests {
  /** By ordinal, the oldest first. */
  readonly #records = new Map<number, RequestRecord>()
  /** The headers of the latest call of each operation, because a client often sends the same ones. */
  readonly #headers = new Map<string | null, RequestHeaders>()
  #bytes = 0
  #last = 0
  readonly #places = new Map<string, number>()

  /** Gives a request its place, unless an event that it caused did. */
  place(request: RequestContext): number {
    request.sequence ??= ++this.#last
    return request.sequence
  }

  /** Gives an event its place, after the request that causes it. */
  placeEvent(eventId: string, cause: RequestContext | undefined): void {
    if (cause) this.place(cause)
    this.#places.set(eventId, ++this.#last)
    const [oldest] = this.#places.size > MAX_NUMBERED ? this.#places.keys() : []
    if (oldest !== undefined) this.#places.delete(oldest)
  }

  /** The place of an event; 0 if it was written before the latest start. */
  placeOf(eventId: string): number {
    return this.#places.get(eventId) ?? 0
  }

  /** Records a request; its headers and bodies are to have gone through `share` and `cut`. */
  keep(record: RequestRecord): void {
    this.#records.set(record.ordinal, record)
    this.#bytes += sizeOf(record)
    for (const oldest of this.#records.values()) {
      if (this.#records.size <= MAX_REQUESTS && this.#bytes <= MAX_BYTES) return
      this.#records.delete(oldest.ordinal)
      this.#bytes -= sizeOf(oldest)
    }
  }

  find(id: string): RequestRecord | undefined {
    const record = this.#records.get(Number.parseInt(id.slice(PREFIX.length), 16))
    return record && requestId(record.ordinal) === id ? record : undefined
  }

  /** The request that an event was written for. */
  causeOf(eventId: string): RequestRecord | undefined {
    for (const record of this.#records.values()) if (record.events.includes(eventId)) return record
    return undefined
  }

  /** The oldest first. */
  all(): IterableIterator<RequestRecord> {
    return this.#records.values()
  }

  clear(): void {
    this.#records.clear()
    this.#headers.clear()
    this.#bytes = 0
  }

  /** The same headers, as one object for all calls that send them. */
  share(operation: string | null, headers: RequestHeaders): RequestHeaders {
    const known = this.#headers.get(operation)
    if (known && isSame(known, headers)) return known
    this.#headers.set(operation, headers)
    return headers
  }
}

const sizeOf = ({ url, body, response }: RequestRecord): number =>
  OVERHEAD + url.length + body.length + (response?.length ?? 0)

/** A body as it is recorded: a copy, because a substring would keep the whole body in memory. */
export const cut = (text: string) =>
  text.length > MAX_BODY ? Buffer.from(text.slice(0, MAX_BODY)).toString() : text

function isSame(one: RequestHeaders, other: RequestHeaders): boolean {
  for (const name in one) if (one[name] !== other[name]) return false
  for (const name in other) if (!Object.hasOwn(one, name)) return false
  return true
}
