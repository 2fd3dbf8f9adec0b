import type { Cause } from './feed.ts'

/** A request as it came and was answered. Secrets are still in it: they are taken out where it is shown. */
export interface RequestRecord extends Cause {
  /** As its answer's `x-request-id`. */
  readonly id: string
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

/** The most requests a world remembers, and the most bytes of them. */
export const MOST_REQUESTS = 1000
export const MOST_BYTES = 8 * 1024 * 1024
/** What a request takes beside its bodies, roughly, in bytes. */
const OVERHEAD = 512
/** Bodies longer than this are cut, in characters. */
export const MOST_BODY = 256 * 1024

/** The latest requests of a world, in memory only. */
export class Requests {
  readonly #records = new Map<string, RequestRecord>()
  #bytes = 0

  keep(record: RequestRecord): void {
    const kept = isLong(record) ? cut(record) : record
    this.#records.set(kept.id, kept)
    this.#bytes += sizeOf(kept)
    if (this.#records.size <= MOST_REQUESTS && this.#bytes <= MOST_BYTES) return
    for (const [id, oldest] of this.#records) {
      if (this.#records.size <= MOST_REQUESTS && this.#bytes <= MOST_BYTES) return
      this.#records.delete(id)
      this.#bytes -= sizeOf(oldest)
    }
  }

  find(id: string): RequestRecord | undefined {
    return this.#records.get(id)
  }

  /** The oldest first. */
  all(): IterableIterator<RequestRecord> {
    return this.#records.values()
  }

  clear(): void {
    this.#records.clear()
    this.#bytes = 0
  }
}

const sizeOf = ({ url, body, response }: RequestRecord) =>
  OVERHEAD + url.length + body.length + (response?.length ?? 0)

const isLong = ({ body, response }: RequestRecord) =>
  body.length > MOST_BODY || (response !== null && response.length > MOST_BODY)

const cut = (record: RequestRecord): RequestRecord => ({
  ...record,
  body: beginning(record.body),
  response: record.response === null ? null : beginning(record.response),
})

/** A copy, for a part of a string holds on to the whole. */
const beginning = (text: string) =>
  text.length > MOST_BODY ? Buffer.from(text.slice(0, MOST_BODY)).toString() : text
