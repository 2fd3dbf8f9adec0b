import type { AnsweredCall } from '../api/answered-call.ts'
import { isMirrored } from '../api/operation.ts'
import type { Reply } from '../api/reply.ts'
import type { RequestContext } from '../scheduler/context.ts'
import { cut, type RequestHeaders, requestId } from '../world/requests.ts'
import type { World } from '../world/world.ts'
import { compressResponse, isCompressed } from './compression.ts'
import { type AppContext, headersToGuard, type Middleware, nodeOf, targetOf } from './context.ts'
import { assertSameSite } from './same-site.ts'

export interface JournalOptions {
  /** The wall clock, for the duration of calls. */
  readonly wall: () => number
  /** The URL of a reverse proxy in front of Petri; the control API accepts its host name too. */
  readonly publicUrl?: URL | undefined
  /** Called with each call once its response is ready. */
  readonly onAnswered?: ((call: AnsweredCall) => void) | undefined
}

/** Assigns an id to each request, and adds it with its response to the journal of its world and to the call log. */
export function recordRequests({ wall, publicUrl, onAnswered }: JournalOptions): Middleware {
  let received = 0
  return async (c, next) => {
    const startedAt = wall()
    c.set('ordinal', ++received)
    const isAside = c.req.method === 'GET' && c.req.header('x-petri-aside') === '1'
    if (isAside) assertSameSite(headersToGuard(c), publicUrl)
    c.set('isAside', isAside)
    c.set('caused', { events: [] } satisfies RequestContext)
    await next()
    const reply = c.get('reply')
    if (reply && isCompressed(c, reply)) await compressResponse(c)
    // Without a reply, the response came from the app that Petri is mounted in.
    if (!reply || isAside || isReadAside(c)) return
    const durationMs = wall() - startedAt
    const world = c.get('world')
    const url = targetOf(c)
    const bodyText = cut(c.get('sent')?.text ?? '')
    if (world && isRecorded(c)) recordRequest(c, world, reply, { url, bodyText, durationMs })
    onAnswered?.({
      operation: c.get('operation'),
      world,
      method: c.req.method,
      url,
      bodyText,
      status: reply.status,
      responseText: typeof reply.body === 'string' ? reply.body : '',
      startedAt,
      durationMs: Math.round(durationMs),
    })
  }
}

/** Whether it is a read by Petri's own page with a body, which is a POST. */
const isReadAside = (c: AppContext): boolean =>
  c.get('operation')?.onlyReads === true && c.req.header('x-petri-aside') === '1'

function isRecorded(c: AppContext): boolean {
  const operation = c.get('operation')
  return operation ? isMirrored(operation) : !c.req.path.startsWith('/_petri/')
}

function recordRequest(
  c: AppContext,
  world: World,
  reply: Reply,
  {
    url,
    bodyText,
    durationMs,
  }: { readonly url: string; readonly bodyText: string; readonly durationMs: number },
): void {
  const { status, body, headers } = reply
  const { method } = c.req
  const operation = c.get('operation')?.id ?? null
  const ordinal = c.get('ordinal')
  const at = world.clock.now()
  const { bus, counters } = world.agenda
  counters.count(operation ?? 'unknown path', String(status))
  if (status >= 400 && typeof body === 'string') countErrors(world, status, body)
  world.requests.keep({
    ordinal,
    at,
    operation,
    method,
    url,
    status,
    duration_ms: world.clock.frozen ? 0 : Math.round(durationMs),
    headers: world.requests.share(operation, headersOf(c)),
    body: bodyText,
    response: typeof body === 'string' ? cut(body) : null,
    nearest: operation ? NOTHING : (headers['x-petri-hint']?.split('; ') ?? NOTHING),
    fault_id: c.get('faultId') ?? null,
    ...c.get('caused'),
  })
  if (bus.subscribers === 0) return
  bus.publish({ at, kind: 'request', request_id: requestId(ordinal), operation, method, path: url, status })
}

const headersOf = (c: AppContext): RequestHeaders => nodeOf(c).incoming?.headers ?? c.req.header()

const NOTHING: readonly string[] = []
const CODE = /"(?:type|error_type)":"(\w+)"/g

/** Counts an error by its status and by the error types in its body. */
function countErrors(world: World, status: number, body: string): void {
  const codes = new Set([...body.slice(0, 20_000).matchAll(CODE)].map(([, code = '']) => code))
  world.agenda.counters.count('error', String(status))
  for (const code of codes) world.agenda.counters.count('error', code)
}
