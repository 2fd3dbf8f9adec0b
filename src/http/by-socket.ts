import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { type Finished, tooLarge } from './problems.ts'
import { type RequestOf, type Target, targetOf } from './request-of.ts'

/** Milliseconds a client has left to finish a body nobody reads, before its connection is closed. */
const UNREAD_MS = 500

/** Serves requests of Node's server; those for which `answer` resolves with nothing get no answer. */
export const listenerOf =
  (
    answer: (request: RequestOf) => Promise<Finished | undefined>,
    reportBug: (error: unknown) => void,
  ): RequestListener =>
  (incoming, outgoing) => {
    const target = readTarget(incoming)
    if (!target) return void outgoing.writeHead(400, { 'content-length': 0 }).end()
    answer(new RequestBySocket(incoming, outgoing, target))
      .then((reply) => {
        if (!reply) return
        if (!incoming.complete) outgoing.once('finish', () => letFinish(incoming))
        send(reply, outgoing)
      })
      .catch((error) => {
        reportBug(error)
        if (outgoing.headersSent) outgoing.destroy()
        else outgoing.writeHead(500, { 'content-length': 0 }).end()
      })
  }

class RequestBySocket implements RequestOf {
  readonly method: string
  readonly target: string
  readonly path: string
  readonly queryString: string
  readonly #incoming: IncomingMessage
  readonly #outgoing: ServerResponse

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, { target, path, queryString }: Target) {
    this.method = incoming.method as string
    this.target = target
    this.path = path
    this.queryString = queryString
    this.#incoming = incoming
    this.#outgoing = outgoing
  }

  get headers() {
    return this.#incoming.headers
  }

  get peer() {
    return this.#incoming.socket.remoteAddress ?? 'unknown'
  }

  get line() {
    return { outgoing: this.#outgoing, incoming: this.#incoming }
  }

  header(name: string) {
    return this.#incoming.headers[name] as string | undefined
  }

  body(most: number): Promise<Uint8Array<ArrayBuffer>> {
    const incoming = this.#incoming
    const chunks: Buffer<ArrayBuffer>[] = []
    let length = 0
    return new Promise((resolve, reject) => {
      incoming.on('error', reject)
      incoming.on('end', () =>
        resolve(chunks.length === 1 ? (chunks[0] as Buffer<ArrayBuffer>) : Buffer.concat(chunks)),
      )
      incoming.on('data', (chunk: Buffer<ArrayBuffer>) => {
        length += chunk.length
        if (length > most) reject(tooLarge(most))
        else chunks.push(chunk)
      })
    })
  }
}

/** Targets and hosts that mean what they say; all others are for the URL parser to judge. */
const PLAIN_TARGET = /^\/[!$&-;=@-[\]_a-z~]*(?:\?[!$-&(-;=?-~]*)?$/
const DOT_SEGMENT = /\/\.\.?(?:[/?]|$)/
const PLAIN_HOST = /^[a-z0-9._-]+(?::\d+)?$/

/** Undefined when it is none this server could have. */
function readTarget({ url = '', headers: { host = '' } }: IncomingMessage): Target | undefined {
  if (PLAIN_HOST.test(host) && PLAIN_TARGET.test(url) && !DOT_SEGMENT.test(url)) {
    const mark = url.indexOf('?')
    return mark === -1
      ? { target: url, path: url, queryString: '' }
      : { target: url, path: url.slice(0, mark), queryString: url.slice(mark + 1) }
  }
  const isAbsolute = /^https?:\/\//.test(url)
  if (/^[^?]*\\/.test(url) || !(isAbsolute || (url.startsWith('/') && isHost(host)))) return undefined
  const address = isAbsolute ? url : `http://${host}${url}`
  return URL.canParse(address) ? targetOf(address) : undefined
}

/** Whether a `Host` header names a host and nothing more. */
const isHost = (host: string) =>
  URL.canParse(`http://${host}`) &&
  new URL(`http://${host}`).hostname === host.replace(/:\d+$/, '').toLowerCase()

function send({ status, body, headers }: Finished, outgoing: ServerResponse): void {
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    if (status !== 204 && status !== 304) headers['content-length'] = String(Buffer.byteLength(body ?? ''))
    outgoing.writeHead(status, headers).end(body ?? undefined)
    return
  }
  outgoing.writeHead(status, headers)
  if (outgoing.req.method === 'HEAD') {
    body.cancel().catch(() => undefined)
    outgoing.end()
    return
  }
  outgoing.flushHeaders()
  // A client that leaves ends the stream; there is nobody left to be told.
  pipeline(Readable.fromWeb(body as ReadableStream), outgoing, () => undefined)
}

/** What is left of a body nobody wanted is let in for a moment, so that the connection may go on. */
function letFinish(incoming: IncomingMessage): void {
  if (incoming.complete || incoming.destroyed) return
  const timer = setTimeout(() => incoming.socket.destroySoon(), UNREAD_MS)
  incoming.once('close', () => clearTimeout(timer))
  incoming.once('end', () => clearTimeout(timer))
  incoming.resume()
}
