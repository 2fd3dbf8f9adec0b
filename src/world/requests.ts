import { Queue } from '../kernel/queue.ts'
import type { Cause } from './feed.ts'
import { type Pages, RecycledPages, type StoredText } from './page.ts'

/** A request as it came and was answered. Secrets are still in it: they are taken out where it is shown. */
export interface RequestRecord extends Cause {
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
/** What a request takes beside its bodies, roughly, in bytes. */
const OVERHEAD = 512
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
    const kept = new KeptRequest({ ...record, headers: this.#shareHeaders(record) }, lasting, this.#pages)
    this.#records.add(kept)
    this.#bytes += kept.bytes
    while (this.#records.length > MOST_REQUESTS || this.#bytes > MOST_BYTES) {
      const oldest = this.#records.take()
      this.#bytes -= oldest?.bytes ?? 0
      oldest?.forget()
    }
  }

  find(id: string): RequestRecord | undefined {
    return [...this.#records].find(({ ordinal }) => requestId(ordinal) === id)
  }

  /** The oldest first. */
  all(): IterableIterator<RequestRecord> {
    return this.#records[Symbol.iterator]()
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

/** A request whose bodies lie outside the JavaScript heap. */
class KeptRequest implements RequestRecord {
  readonly ordinal: number
  readonly at: number
  readonly operation: string | null
  readonly method: string
  readonly url: string
  readonly status: number
  readonly duration_ms: number
  readonly headers: RequestHeaders
  readonly nearest: readonly string[]
  readonly events: string[]
  readonly #body: StoredText | undefined
  readonly #response: StoredText | string | undefined

  constructor(record: RequestRecord, lasting: boolean, pages: Pages) {
    this.ordinal = record.ordinal
    this.at = record.at
    this.operation = record.operation
    this.method = record.method
    this.url = record.url
    this.status = record.status
    this.duration_ms = record.duration_ms
    this.headers = record.headers
    this.nearest = record.nearest
    this.events = record.events
    const { body, response } = record
    this.#body = body === '' ? undefined : pages.keep(beginning(body))
    if (response !== null) this.#response = lasting ? response : pages.keep(beginning(response))
  }

  get body(): string {
    return this.#body?.text ?? ''
  }

  get response(): string | null {
    return typeof this.#response === 'string' ? this.#response : (this.#response?.text ?? null)
  }

  get bytes(): number {
    return OVERHEAD + this.url.length + (this.#body?.length ?? 0) + (this.#response?.length ?? 0)
  }

  forget(): void {
    this.#body?.forget()
    if (typeof this.#response !== 'string') this.#response?.forget()
  }
}

const beginning = (text: string) => (text.length > MOST_BODY ? text.slice(0, MOST_BODY) : text)

function isSame(one: RequestHeaders, other: RequestHeaders): boolean {
  for (const name in one) if (one[name] !== other[name]) return false
  for (const name in other) if (!(name in one)) return false
  return true
}
