import type { MiddlewareHandler } from 'hono'
import type { AnsweredCall } from '../api/answered-call.ts'
import { isUncountedOrigin } from '../api/call-origin.ts'
import { feature } from '../api/features.ts'
import { isMirrored } from '../api/operation.ts'
import type { Reply } from '../api/reply.ts'
import { headerNames } from '../kernel/headers.ts'
import type { RequestContext } from '../scheduler/context.ts'
import { cut, type RequestHeaders, type RequestRecord, requestId } from '../world/requests.ts'
import type { World } from '../world/world.ts'
import { type AppContext, type Env, headersToGuard, nodeOf, targetOf } from './context.ts'
import { responseOf } from './response.ts'
import { assertSameSite } from './same-site.ts'

export interface JournalOptions {
  /** The wall clock, for the duration of calls. */
  readonly wall: () => number
  /** The URL of a reverse proxy in front of Petri; the control API accepts its host name too. */
  readonly publicUrl?: URL | undefined
  /** Called with each call once its response is ready. */
  readonly onAnswered?: ((call: AnsweredCall) => void) | undefined
}

/** Assigns a number to each request, from which its id follows. */
export function numberRequests({ wall, publicUrl }: JournalOptions): MiddlewareHandler<Env> {
  let received = 0
  return (c, next) => {
    c.set('startedAt', wall())
    c.set('ordinal', ++received)
    const isAside = c.req.method === 'GET' && c.req.header(headerNames.aside) === '1'
    c.set('isAside', isAside)
    if (isAside) assertSameSite(headersToGuard(c), publicUrl)
    const isUncounted = isUncountedOrigin(c.req.header(headerNames.origin))
    c.set('caused', { events: [], isUncounted } satisfies RequestContext)
    return next()
  }
}

/** Makes the response of a reply, after the last step of a request. */
export type Respond = (c: AppContext, reply: Reply) => Response

/** Adds each request with its response to the journal of its world and to the call log. */
export const recordAndRespond =
  (options: JournalOptions): Respond =>
  (c, reply) => {
    const isUncounted = c.get('isAside') || c.get('caused').isUncounted || isReadAside(c)
    if (!isUncounted) recordCall(c, reply, options)
    return responseOf(c, reply)
  }

/** Whether it is a read by Petri's own page with a body, which is a POST. */
const isReadAside = (c: AppContext): boolean =>
  c.get('operation')?.onlyReads === true && c.req.header(headerNames.aside) === '1'

function recordCall(c: AppContext, reply: Reply, { wall, onAnswered }: JournalOptions): void {
  const startedAt = c.get('startedAt')
  const durationMs = Math.round(wall() - startedAt)
  const world = c.get('world')
  const { method } = c.req
  const { status, body, headers } = reply
  const url = targetOf(c)
  const bodyText = cut(c.get('sent')?.text ?? '')
  if (world && isRecorded(c))
    recordRequest(c, world, reply, { method, url, body: bodyText, duration_ms: durationMs })
  onAnswered?.({
    operation: c.get('operation'),
    ordinal: c.get('ordinal'),
    world,
    method,
    url,
    bodyText,
    status,
    responseText: typeof body === 'string' ? body : '',
    nearest: nearestOf(c, headers),
    startedAt,
    durationMs,
  })
}

function isRecorded(c: AppContext): boolean {
  const operation = c.get('operation')
  return operation ? isMirrored(operation) : !c.req.path.startsWith('/_petri/')
}

type Received = Pick<RequestRecord, 'method' | 'url' | 'body' | 'duration_ms'>

function recordRequest(
  c: AppContext,
  world: World,
  { status, body, headers }: Reply,
  received: Received,
): void {
  const operation = c.get('operation')?.id ?? null
  const ordinal = c.get('ordinal')
  const at = world.clock.now()
  const { bus, counters } = world.agenda
  const { method, url, duration_ms } = received
  const keepsBodies = feature(world, 'journal_bodies')
  const caused = c.get('caused')
  counters.count(operation ?? 'unknown path', String(status))
  if (status >= 400 && typeof body === 'string') countErrors(world, status, body)
  world.requests.keep({
    ordinal,
    at,
    operation,
    method,
    url,
    status,
    duration_ms: world.clock.frozen ? 0 : duration_ms,
    headers: world.requests.share(operation, headersOf(c)),
    body: keepsBodies ? received.body : '',
    response: keepsBodies && typeof body === 'string' ? cut(body) : null,
    nearest: nearestOf(c, headers),
    fault_id: c.get('faultId') ?? null,
    ...caused,
    sequence: world.requests.place(caused),
  })
  if (bus.subscribers === 0) return
  bus.publish({ at, kind: 'request', request_id: requestId(ordinal), operation, method, path: url, status })
}

/** The routes nearest to an unknown path. */
const nearestOf = (c: AppContext, headers: Reply['headers']): readonly string[] =>
  c.get('operation') ? NOTHING : (headers[headerNames.hint]?.split('; ') ?? NOTHING)

const headersOf = (c: AppContext): RequestHeaders => nodeOf(c).incoming?.headers ?? c.req.header()

const NOTHING: readonly string[] = []
const CODE = /"(?:type|error_type)":"(\w+)"/g

/** Counts an error by its status and by the error types in its body. */
function countErrors(world: World, status: number, body: string): void {
  const codes = new Set([...body.slice(0, 20_000).matchAll(CODE)].map(([, code = '']) => code))
  world.agenda.counters.count('error', String(status))
  for (const code of codes) world.agenda.counters.count('error', code)
}
