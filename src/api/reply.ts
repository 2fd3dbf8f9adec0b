/** What a call is answered, before the headers that every response carries are added. */
export interface Reply {
  readonly status: number
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | null
  /** `application/json` unless said. */
  readonly contentType?: string
  readonly headers: Readonly<Record<string, string>>
  /** Nothing is left to send: the response was written to the connection, or the connection is gone. */
  readonly isSent?: boolean
}
