import Queue from 'yocto-queue'
import type { RequestContext } from '../scheduler/context.ts'
import { type Pages, RecycledPages, type StoredText } from '../storage/memory-page.ts'

/** A request as it came and was answered. Secrets are still in it: they are taken out where it is shown. */
export interface RequestRecord extends RequestContext {
  /** The how manieth it was of all that this Petri answered. */
  readonly ordinal: number
  /** Milliseconds since 1970, the world's clock. */
  readonly at: number
  /** Null for a path no operation has. */
  readonly operation: string | null
  readonly method: string
  /** The path with its query. */
  readonly url: string
  readonly status: number
  /** Wall milliseconds; 0 in a frozen world, where equal calls leave equal records. */
  readonly duration_ms: number
  readonly headers: RequestHeaders
  /** As it came; empty without one. */
  readonly body: string
  /** JSON or text; null for none, and for bytes. */
  readonly response: string | null
  /** Operations that are nearly what was asked for, when there was none. */
  readonly nearest: readonly string[]
}

/** Names in lower case. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** What a request is called, in its answer's `x-request-id` too. */
export const requestId = (ordinal: number): string => `req_${hexOf(ordinal)}`

/** Sixteen digits. */
export const hexOf = (ordinal: number): string => ordinal.toString(16).padStart(16, '0')

/** The most requests a world remembers, and the most bytes of them. */
export const MOST_REQUESTS = 1000
export const MOST_BYTES = 8 * 1024 * 1024
/** What a request takes beside its text, roughly, in bytes. */
const OVERHEAD = 256
/** Bodies longer than this are cut, in characters. */
export const MOST_BODY = 256 * 1024

/** The latest requests of a world, in memory only. */
export class Requests {
  readonly #records = new Queue<KeptRequest>()
  /** The headers of the latest call of each operation: a client sends the same ones again and again. */
  readonly #headers = new Map<string | null, RequestHeaders>()
  #pages = new RecycledPages()
  #bytes = 0

  /** `lasting` says that somebody keeps the response anyway. */
  keep(record: RequestRecord, lasting = false): void {
    const kept = new KeptRequest(record, this.#shareHeaders(record), lasting, this.#pages)
    this.#records.enqueue(kept)
    this.#bytes += kept.bytes
    while (this.#records.size > MOST_REQUESTS || this.#bytes > MOST_BYTES) {
      const oldest = this.#records.dequeue()
      this.#bytes -= oldest?.bytes ?? 0
      oldest?.forget()
    }
  }

  find(id: string): RequestRecord | undefined {
    return [...this.all()].find(({ ordinal }) => requestId(ordinal) === id)
  }

  /** The request on whose account an event was written. */
  causeOf(eventId: string): RequestRecord | undefined {
    for (const kept of this.#records) if (kept.events.includes(eventId)) return kept.read()
    return undefined
  }

  /** The oldest first. */
  *all(): IterableIterator<RequestRecord> {
    for (const kept of this.#records) yield kept.read()
  }

  clear(): void {
    this.#records.clear()
    this.#headers.clear()
    this.#pages = new RecycledPages()
    this.#bytes = 0
  }

  #shareHeaders({ operation, headers }: RequestRecord): RequestHeaders {
    const known = this.#headers.get(operation)
    if (known && isSame(known, headers)) return known
    this.#headers.set(operation, headers)
    return headers
  }
}

/** What can be told of a request without its bodies. */
type Head = Omit<RequestRecord, 'headers' | 'body' | 'response' | 'events'>

const headOf = (record: RequestRecord): Head => ({
  ordinal: record.ordinal,
  at: record.at,
  operation: record.operation,
  method: record.method,
  url: record.url,
  status: record.status,
  duration_ms: record.duration_ms,
  nearest: record.nearest,
})

/** A request that lies outside the JavaScript heap: its head as JSON, its body and the response, one behind the other. */
class KeptRequest {
  readonly events: string[]
  readonly #headers: RequestHeaders
  readonly #text: StoredText
  readonly #bodyStart: number
  readonly #bodyEnd: number
  /** True when the response lies behind the body; else it is this. */
  readonly #response: string | true | null

  constructor(record: RequestRecord, headers: RequestHeaders, lasting: boolean, pages: Pages) {
    const { events, body, response } = record
    const [head, sent] = [JSON.stringify(headOf(record)), beginning(body)]
    const fresh = response === null || lasting ? null : beginning(response)
    this.#bodyStart = Buffer.byteLength(head)
    this.#bodyEnd = this.#bodyStart + Buffer.byteLength(sent)
    this.#text = pages.keep(fresh === null ? [head, sent] : [head, sent, fresh])
    this.#response = fresh === null ? response : true
    this.#headers = headers
    this.events = events
  }

  read(): RequestRecord {
    const [text, bodyStart, bodyEnd, response] = [this.#text, this.#bodyStart, this.#bodyEnd, this.#response]
    return {
      ...(JSON.parse(text.part(0, bodyStart)) as Head),
      headers: this.#headers,
      events: this.events,
      get body() {
        return text.part(bodyStart, bodyEnd)
      },
      get response() {
        return response === true ? text.part(bodyEnd, text.length) : response
      },
    }
  }

  get bytes(): number {
    return OVERHEAD + this.#text.length + (typeof this.#response === 'string' ? this.#response.length : 0)
  }

  forget(): void {
    this.#text.forget()
  }
}

const beginning = (text: string) => (text.length > MOST_BODY ? text.slice(0, MOST_BODY) : text)

function isSame(one: RequestHeaders, other: RequestHeaders): boolean {
  for (const name in one) if (one[name] !== other[name]) return false
  for (const name in other) if (!(name in one)) return false
  return true
}
