import type { Reply } from '../api/reply.ts'
import { version } from '../api/version.ts'
import { headerNames } from '../kernel/headers.ts'
import { startTimer } from '../kernel/pause.ts'
import { conflict } from '../kernel/problem.ts'
import type { World } from '../world/world.ts'
import type { FaultOutcome, FaultResponse } from './model.ts'

/** The service's default detail for a status. Source: docs/contract/errors.md#keys. */
const usualDetails: Readonly<Record<number, string>> = {
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

/** The connection of a request, which a fault can close. Both fields are undefined for a request made in this process. */
export interface Connection {
  readonly incoming?:
    | {
        readonly method?: string | undefined
        readonly socket: { destroy(): unknown; resetAndDestroy?(): unknown }
      }
    | undefined
  readonly outgoing?:
    | {
        writeHead(status: number, headers: Readonly<Record<string, string | number>>): unknown
        write(body: Uint8Array, done: () => void): unknown
      }
    | undefined
}

/**
 * Waits in wall-clock milliseconds. Rejects if the world is closed, reset or dropped meanwhile, so that the call is
 * not processed.
 */
export function delayCall(world: World, waitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const stopTimer = startTimer(waitMs, () => {
      unsubscribe()
      resolve()
    })
    const onEnd = () => {
      stopTimer()
      reject(conflict('This world was reset, restored or deleted while a fault delayed the call.'))
    }
    const unsubscribe = world.agenda.bus.subscribe({ onEffect: () => undefined, onEnd }, 'delayed call')
  })
}

/** Returns the response to a call that a fault applies to: another one, none, or half of it. */
export async function applyFault(
  { respond, drop }: Pick<FaultOutcome, 'respond' | 'drop'>,
  connection: Connection,
  answer: () => Promise<Reply>,
): Promise<Reply> {
  if (drop === 'reset') return reset(connection)
  const reply = respond ? replyOf(respond) : await answer()
  return drop === 'truncate' ? truncate(reply, connection) : reply
}

const BODILESS = new Set([204, 205, 304])

function replyOf({ status, detail, body, headers = {} }: FaultResponse): Reply {
  if (BODILESS.has(status) || body === '') return { status, body: null, headers }
  if (typeof body === 'string') return { status, body, headers, contentType: 'text/plain' }
  const usual = { detail: detail ?? usualDetails[status] ?? `Status ${status}` }
  return { status, body: JSON.stringify(body === undefined ? usual : body), headers }
}

function reset({ incoming }: Connection): Reply {
  if (!incoming) return { status: 502, body: brokenBody(''), headers: {} }
  const { socket } = incoming
  if (socket.resetAndDestroy) socket.resetAndDestroy()
  else socket.destroy()
  return { status: 502, body: null, headers: {}, isSent: true }
}

/**
 * Writes half of the body, or the beginning of a streamed one, and closes the connection. A response without a body
 * is complete.
 */
async function truncate(reply: Reply, { incoming, outgoing }: Connection): Promise<Reply> {
  const { status, headers, body, contentType = 'application/json' } = reply
  if (body === null || incoming?.method === 'HEAD') return reply
  const isStream = body instanceof ReadableStream
  const bytes = isStream ? await beginningOf(body) : Buffer.from(body as string)
  const half = bytes.subarray(0, Math.floor(bytes.length / 2))
  if (!incoming || !outgoing) return { ...reply, body: brokenBody(half.toString()) }
  const length = isStream ? {} : { 'content-length': bytes.length }
  const head = { [headerNames.version]: version.petri, 'content-type': contentType, ...headers, ...length }
  outgoing.writeHead(status, head)
  outgoing.write(half, () => incoming.socket.destroy())
  return { ...reply, isSent: true }
}

/** The first chunk of a stream, which is then cancelled. */
async function beginningOf(body: ReadableStream<Uint8Array>): Promise<Buffer> {
  const reader = body.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return Buffer.from(value ?? [])
}

/** For callers without a connection: a body that fails while it is read. */
function brokenBody(beginning: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(beginning))
    },
    pull(controller) {
      const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
      controller.error(new TypeError('An injected fault reset the connection', { cause }))
    },
  })
}
