import type { AnsweredCall } from '../api/answered-call.ts'
import { redactText } from '../api/secrets.ts'
import { detailLines } from '../kernel/detail-text.ts'
import { parseJson, valueAt } from '../kernel/json.ts'
import { startTimer } from '../kernel/pause.ts'
import { requestId } from '../world/requests.ts'
import { ignoredFields } from './ignored-fields.ts'
import { secretsOf } from './requests.ts'

/** A call as a log entry, without secrets. */
export interface LoggedCall {
  /** Wall clock, in milliseconds since 1970. */
  readonly at: number
  readonly requestId: string
  /** The id of the operation; null for an unknown path. */
  readonly operation: string | null
  readonly method: string
  readonly path: string
  readonly status: number
  /** Why it failed, in words: the first reason, and how many there are more. Undefined for statuses below 400. */
  readonly detail: string | undefined
  readonly ms: number
  /** The name of the world and its team; null for a call without a valid key. */
  readonly world: string | null
  readonly teamId: string | null
  /** Ignored fields and query parameters. */
  readonly ignored: readonly string[]
}

/** Milliseconds for which calls are collected before they are logged, so that logging delays no response. */
const COLLECT_MS = 50
/** The maximum number of collected calls. */
const MAX_COLLECTED = 500

/** Collects calls and logs them in batches. */
export function createCallLog(write: (calls: readonly LoggedCall[]) => void) {
  let calls: AnsweredCall[] = []
  let cancel: (() => void) | undefined
  const flush = () => {
    cancel?.()
    cancel = undefined
    const collected = calls
    calls = []
    if (collected.length > 0) write(collected.map(describe))
  }
  const add = (call: AnsweredCall) => {
    // A container's health check calls it every two seconds.
    if (call.operation?.id === 'petri_health') return
    calls.push(call)
    if (calls.length >= MAX_COLLECTED) flush()
    else cancel ??= startTimer(COLLECT_MS, flush)
  }
  return { add, flush }
}

/** The maximum number of ignored fields of a call. */
const MAX_IGNORED = 100

/** The maximum length of a response that is shown instead of its `detail`, in characters. */
const MAX_DETAIL = 200

function describe(call: AnsweredCall): LoggedCall {
  const { operation, ordinal, world, method, url, bodyText, status, startedAt, durationMs } = call
  const secrets = world ? secretsOf(world) : []
  return {
    at: startedAt + durationMs,
    requestId: requestId(ordinal),
    operation: operation?.id ?? null,
    method,
    path: redactText(url, secrets),
    status,
    detail: status < 400 ? undefined : redactText(reasonOf(call), secrets),
    ms: durationMs,
    world: world?.identity.name ?? null,
    teamId: world?.identity.teamId ?? null,
    ignored: ignoredFields(operation, url, bodyText)
      .slice(0, MAX_IGNORED)
      .map(({ path }) => redactText(path, secrets)),
  }
}

/** The first reason in the response of a failed call; for an unknown path the nearest route. */
function reasonOf({ nearest: [route], responseText }: AnsweredCall): string {
  if (route) return `nearest ${route}`
  const detail = valueAt(parseJson(responseText), ['detail']) ?? responseText.slice(0, MAX_DETAIL)
  const [first = '', ...others] = detailLines(detail)
  const [part, ...rest] = (valueAt(detail, ['0', 'loc']) ?? []) as readonly string[]
  const isAtField = rest.length > 0 && first.startsWith(`${rest.join('.')}: `)
  const reason = isAtField ? `${part}.${first}` : first
  return others.length > 0 ? `${reason} (+${others.length})` : reason
}
