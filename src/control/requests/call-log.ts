import type { AnsweredCall } from '../../api/answered-call.ts'
import { redactText } from '../../api/secrets.ts'
import { startTimer } from '../../kernel/pause.ts'
import { secretsOf } from './service.ts'
import { unreadIn } from './unread.ts'

/** A call as the log shows it, without secrets. */
export interface LoggedCall {
  /** Wall clock, in milliseconds since 1970. */
  readonly at: number
  readonly method: string
  readonly path: string
  readonly status: number
  readonly ms: number
  /** The name of the world, and its team; null where no key opened one. */
  readonly world: string | null
  readonly teamId: string | null
  /** Fields and query parameters that no handler reads. */
  readonly unread: readonly string[]
}

/** Milliseconds for which calls are collected, so that describing and writing them holds up no answer. */
const COLLECT_MS = 50
/** The most calls that are collected. */
const MOST_COLLECTED = 500

/** Collects calls and tells them in groups. */
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
    // The health check of a container asks every other second.
    if (call.operation?.id === 'petri_health') return
    calls.push(call)
    if (calls.length >= MOST_COLLECTED) flush()
    else cancel ??= startTimer(COLLECT_MS, flush)
  }
  return { add, flush }
}

function describe(call: AnsweredCall): LoggedCall {
  const { operation, world, method, url, bodyText, status, startedAt, durationMs } = call
  const secrets = world ? secretsOf(world) : []
  return {
    at: startedAt + durationMs,
    method,
    path: redactText(url, secrets),
    status,
    ms: durationMs,
    world: world?.identity.name ?? null,
    teamId: world?.identity.teamId ?? null,
    unread: unreadIn(operation, url, bodyText).map(({ path }) => redactText(path, secrets)),
  }
}
