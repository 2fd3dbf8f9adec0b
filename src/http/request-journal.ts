import type { Manager } from '../api/management-key.ts'
import type { AnyOperation } from '../api/operation.ts'
import type { Reply } from '../api/reply.ts'
import type { Cause } from '../scheduler/event-bus.ts'
import { requestId } from '../world/requests.ts'
import type { World } from '../world/world.ts'
import type { RequestOf } from './request-of.ts'

/** A request while it is being served. */
export interface Call {
  /** None for a path nobody has. */
  readonly operation: AnyOperation | undefined
  /** What it brings about. */
  readonly cause: Cause
  /** Wall clock, in milliseconds since 1970. */
  readonly startedAt: number
  /** Known once the credentials were looked at. */
  world: World | undefined
  manager: Manager | undefined
  /** As it came; what is left of a form are its fields. */
  bodyText: string
}

export const newCall = (operation: AnyOperation | undefined, startedAt: number): Call => ({
  operation,
  cause: { events: [] },
  startedAt,
  world: undefined,
  manager: undefined,
  bodyText: '',
})

/** Whether clients of the service make this call; the control API is only Petri's. */
export const isMirrored = (operation: AnyOperation): boolean => !operation.route.includes(' /_petri/')

/** Writes a request and its answer into the journal of the world it was for. */
export function note(call: Call, request: RequestOf, ordinal: number, reply: Reply, wallNow: number): void {
  const { world, operation, startedAt, bodyText, cause } = call
  if (!world || (operation && !isMirrored(operation))) return
  const { status, body, headers, lasts } = reply
  const { feed } = world.agenda
  feed.count(operation ? operation.id : 'unknown path', String(status))
  if (status >= 400 && typeof body === 'string') countErrors(world, status, body)
  const { method, target: url } = request
  const record = {
    ordinal,
    at: world.clock.now(),
    operation: operation?.id ?? null,
    method,
    url,
    status,
    duration_ms: world.clock.frozen ? 0 : Math.round(wallNow - startedAt),
    headers: request.headers,
    body: bodyText,
    response: typeof body === 'string' ? body : null,
    nearest: operation ? NOTHING : (headers['x-petri-hint']?.split('; ') ?? NOTHING),
    events: cause.events,
  }
  world.requests.keep(record, lasts)
  if (feed.watchers === 0) return
  const told = { request_id: requestId(ordinal), operation: record.operation, method, path: url, status }
  feed.tell('request', told, world.clock)
}

const NOTHING: readonly string[] = []
const CODE = /"(?:type|error_type)":"(\w+)"/g

/** What an error body says went wrong, beside its status. */
function countErrors(world: World, status: number, body: string): void {
  const codes = new Set([...body.slice(0, 20_000).matchAll(CODE)].map(([, code = '']) => code))
  world.agenda.feed.count('error', String(status))
  for (const code of codes) world.agenda.feed.count('error', code)
}

/** The fields of a form as JSON; of a file its name and length. */
export function formAsText(form: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(form, (_, value: unknown) =>
    value instanceof File ? { file: value.name, type: value.type, bytes: value.size } : value,
  )
}
