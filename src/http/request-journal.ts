import type { AnsweredCall } from '../api/answered-call.ts'
import type { AnyOperation } from '../api/operation.ts'
import type { Reply } from '../api/reply.ts'
import { cut, requestId } from '../world/requests.ts'
import type { World } from '../world/world.ts'
import { headersOf, type RoutedRequest, targetOf } from './request.ts'

/** Whether an operation is part of the mirrored service, not of the control API. */
export const isMirrored = (operation: AnyOperation): boolean => !operation.route.includes(' /_petri/')

/** Writes a request and its reply into the journal of the world it was for. */
export function recordRequest(request: RoutedRequest, reply: Reply, ordinal: number, wallNow: number): void {
  const { world, operation, method, startedAt, bodyText, faultId, context } = request
  const isOwn = operation ? !isMirrored(operation) : request.path.startsWith('/_petri/')
  if (!world || request.isAside || isOwn) return
  const { status, body, headers } = reply
  const { bus, counters } = world.agenda
  counters.count(operation ? operation.id : 'unknown path', String(status))
  if (status >= 400 && typeof body === 'string') countErrors(world, status, body)
  const url = targetOf(request)
  const record = {
    ordinal,
    at: world.clock.now(),
    operation: operation?.id ?? null,
    method,
    url,
    status,
    duration_ms: world.clock.frozen ? 0 : Math.round(wallNow - startedAt),
    headers: world.requests.share(operation?.id ?? null, headersOf(request)),
    body: cut(bodyText),
    response: typeof body === 'string' ? cut(body) : null,
    nearest: operation ? NOTHING : (headers['x-petri-hint']?.split('; ') ?? NOTHING),
    fault_id: faultId,
    events: context.events,
  }
  world.requests.keep(record)
  if (bus.subscribers === 0) return
  const { at, operation: name } = record
  bus.publish({
    at,
    kind: 'request',
    request_id: requestId(ordinal),
    operation: name,
    method,
    path: url,
    status,
  })
}

/** The call for the log. */
export function answeredCall(request: RoutedRequest, { status }: Reply, wallNow: number): AnsweredCall {
  const { operation, world, method, bodyText, startedAt } = request
  const durationMs = Math.round(wallNow - startedAt)
  return { operation, world, method, url: targetOf(request), bodyText, status, startedAt, durationMs }
}

const NOTHING: readonly string[] = []
const CODE = /"(?:type|error_type)":"(\w+)"/g

/** The error message of a body. */
function countErrors(world: World, status: number, body: string): void {
  const codes = new Set([...body.slice(0, 20_000).matchAll(CODE)].map(([, code = '']) => code))
  world.agenda.counters.count('error', String(status))
  for (const code of codes) world.agenda.counters.count('error', code)
}

/** The fields of a form as JSON; of a file its name and length. */
export function formAsText(form: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(form, (_, value: unknown) =>
    value instanceof File ? { file: value.name, type: value.type, bytes: value.size } : value,
  )
}
