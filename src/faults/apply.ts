import type { Reply } from '../http/problems.ts'
import { pause } from '../kernel/pause.ts'
import type { FaultReply, Strike } from './match.ts'

/** What the service says with a status when there is nothing more to say. Source: contract/errors-and-auth.md §3. */
const usualWords: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'invalid token',
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Request Entity Too Large',
  429: 'Too many requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

/** A connection that Petri is to break, as far as the call came by one. */
export interface Line {
  readonly outgoing?:
    | {
        writeHead(status: number, headers: Readonly<Record<string, string | number>>): unknown
        write(body: Uint8Array, done: () => void): unknown
      }
    | undefined
  readonly socket?: { destroy(): unknown; resetAndDestroy?(): unknown } | undefined
}

/** What a call gets that a fault strikes: its own answer late, another, or not all of it. */
export async function suffer(
  { latencyMs, respond, drop }: Strike,
  line: Line,
  answer: () => Promise<Reply>,
): Promise<Reply> {
  if (latencyMs > 0) await pause(latencyMs)
  if (drop === 'reset') return reset(line)
  const reply = respond ? replyOf(respond) : await answer()
  return drop === 'truncate' ? truncated(reply, line) : reply
}

const BODILESS = new Set([204, 205, 304])

function replyOf({ status, detail, headers = {} }: FaultReply): Reply {
  const body = JSON.stringify({ detail: detail ?? usualWords[status] ?? `Status ${status}` })
  return { status, body: BODILESS.has(status) ? null : body, headers }
}

function reset({ socket }: Line): Reply {
  if (!socket) return { status: 502, body: brokenBody(''), headers: {} }
  if (socket.resetAndDestroy) socket.resetAndDestroy()
  else socket.destroy()
  return { status: 502, body: null, headers: {}, isSent: true }
}

/** An answer of which half comes before the connection breaks off. */
function truncated(reply: Reply, { outgoing, socket }: Line): Reply {
  const { status, headers, body, contentType = 'application/json' } = reply
  if (body === null || body instanceof ReadableStream) return reply
  const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body)
  const half = bytes.subarray(0, Math.floor(bytes.length / 2))
  if (!outgoing || !socket) return { ...reply, body: brokenBody(half.toString()) }
  outgoing.writeHead(status, { ...headers, 'content-type': contentType, 'content-length': bytes.length })
  outgoing.write(half, () => socket.destroy())
  return { ...reply, isSent: true }
}

/** For callers without a connection: a body whose reading fails. */
function brokenBody(beginning: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      if (beginning) controller.enqueue(new TextEncoder().encode(beginning))
    },
    pull(controller) {
      const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
      controller.error(new TypeError('The connection was reset, as a fault of this world says', { cause }))
    },
  })
}
