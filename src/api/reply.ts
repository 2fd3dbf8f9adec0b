/** The response to a call, without the headers that every response has. */
export interface Reply {
  readonly status: number
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | null
  /** `application/json` by default. */
  readonly contentType?: string
  readonly headers: Readonly<Record<string, string>>
  /** Whether the response was already written to the connection, or the connection is closed. */
  readonly isSent?: boolean
}
