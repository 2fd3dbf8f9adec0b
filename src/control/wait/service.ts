import type { AnyOperation } from '../../api/operation.ts'
import type { Parsed } from '../../api/schema.ts'
import { toIso } from '../../kernel/instant.ts'
import { startTimer } from '../../kernel/pause.ts'
import { Problem } from '../../kernel/problem.ts'
import { messagesSettled } from '../../webhooks/messages.ts'
import type { World } from '../../world/world.ts'
import { type Goal, messageGoal, orderGoal, requestGoal } from './goals.ts'
import type { Found, Wait } from './schema.ts'

export function goalOf(
  world: World,
  { order_id, status, message, request, times }: Parsed<typeof Wait>,
  operations: readonly AnyOperation[],
): Goal {
  const given = [order_id, message, request].filter((input) => input !== undefined)
  if (given.length !== 1 || (order_id === undefined) !== (status === undefined)) {
    throw new Problem('bad_request', 'Give exactly one of "order_id" with "status", "message" and "request".')
  }
  if (message) return messageGoal(world, message, times)
  if (request) return requestGoal(world, request, times, operations)
  return orderGoal(world, order_id ?? '', status ?? '', times)
}

/** The maximum number of waiting calls and streams of one world. */
const MAX_WAITS = 1000
const DEFAULT_WAIT_MS = 10_000

interface WaitOptions {
  /** Wall-clock time. Without it, a wait in a frozen world ends at once if only an advance can meet the condition. */
  readonly timeoutMs?: number | undefined
  /** Ends the wait when the client disconnects. */
  readonly signal?: AbortSignal | undefined
}

/** Resolves once the condition is met. After the timeout, or if it can never be met, throws a 408 with the nearest match. */
export function waitFor(
  world: World,
  goal: Goal,
  { timeoutMs: given, signal }: WaitOptions = {},
): Promise<Parsed<typeof Found>> {
  if (world.agenda.bus.subscribers >= MAX_WAITS) {
    throw new Problem('too_many', `${MAX_WAITS} calls already wait in this world.`)
  }
  const timeoutMs = given ?? DEFAULT_WAIT_MS
  return new Promise((resolve, reject) => {
    let [isOver, isCheckScheduled] = [false, false]
    const end = (settle: () => void) => {
      if (isOver) return
      isOver = true
      stop()
      stopTimer()
      settle()
    }
    const check = () => {
      isCheckScheduled = false
      if (isOver) return
      try {
        const found = goal.find()
        const impossible = found ? undefined : goal.impossible?.()
        if (found) end(() => resolve(found))
        else if (impossible) throw missed(world, goal, `${impossible}; the condition can never be met.`)
      } catch (error) {
        end(() => reject(error))
      }
    }
    // Effects are published before they are stored, so the rows are read at the end of the turn.
    const checkSoon = () => {
      if (isCheckScheduled) return
      isCheckScheduled = true
      setImmediate(check)
    }
    const stopTimer = startTimer(timeoutMs, () => {
      check()
      end(() => reject(missed(world, goal, `Waited ${timeoutMs} ms for ${goal.words}. ${clockState(world)}`)))
    })
    const subscriber = {
      onEffect: checkSoon,
      onEnd: () => setImmediate(() => end(() => reject(gone()))),
    }
    const stop = world.agenda.bus.subscribe(subscriber, goal.topic)
    signal?.addEventListener('abort', () => end(() => reject(gone())), { once: true })
    if (signal?.aborted) return end(() => reject(gone()))
    check()
    if (isOver || given !== undefined || !world.clock.frozen || !goal.needsTime()) return
    messagesSettled(world).then(() => {
      check()
      if (world.clock.frozen) end(() => reject(missed(world, goal, clockState(world))))
    }, reject)
  })
}

const gone = () => new Problem('conflict', 'This world was reset, restored or dropped meanwhile.')

function missed(world: World, goal: Goal, detail: string): Problem {
  const due = world.agenda.nextDue()
  return new Problem('timed_out', detail.trim(), {
    also: {
      nearest: goal.nearest(),
      next_due: due === undefined ? null : toIso(due),
      timeline: goal.timeline(),
    },
  })
}

/** The time of the world, and how to reach the next job. */
function clockState({ clock, agenda }: World): string {
  const due = agenda.nextDue()
  const next = due === undefined ? 'nothing is due any more' : `what is due next is due at ${toIso(due)}`
  if (!clock.frozen) return `It is ${toIso(clock.now())} in this world; ${next}.`
  const advice =
    due === undefined ? '' : ` Advance the clock: POST /_petri/clock/advance {"to": "${toIso(due)}"}.`
  return `The clock of this world is frozen at ${toIso(clock.now())}, and ${next}.${advice}`
}
