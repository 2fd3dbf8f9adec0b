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
    throw new Problem('bad_request', 'Say exactly one of "order_id" with "status", "message" and "request".')
  }
  if (message) return messageGoal(world, message, times)
  if (request) return requestGoal(world, request, times, operations)
  return orderGoal(world, order_id ?? '', status ?? '', times)
}

/** The most calls that wait in one world, event streams included. */
const MAX_WAITS = 1000
const USUAL_WAIT_MS = 10_000

interface WaitOptions {
  /** A frozen world is waited for only if this is given. */
  readonly timeoutMs?: number | undefined
  /** Ends the wait when the client has gone. */
  readonly signal?: AbortSignal | undefined
}

/** Resolves once the condition is met. After the timeout, or if it can never be met, throws a 408 with the nearest match. */
export function waitFor(
  world: World,
  goal: Goal,
  { timeoutMs: given, signal }: WaitOptions = {},
): Promise<Parsed<typeof Found>> {
  if (world.agenda.bus.subscribers >= MAX_WAITS) {
    throw new Problem('too_many', `${MAX_WAITS} others wait for something in this world already.`)
  }
  const timeoutMs = given ?? USUAL_WAIT_MS
  return new Promise((resolve, reject) => {
    let [isOver, isLooking] = [false, false]
    const end = (settle: () => void) => {
      if (isOver) return
      isOver = true
      stop()
      giveUp()
      settle()
    }
    const look = () => {
      isLooking = false
      if (isOver) return
      try {
        const found = goal.find()
        const hopeless = found ? undefined : goal.hopeless?.()
        if (found) end(() => resolve(found))
        else if (hopeless) throw missed(world, goal, `${hopeless}; waiting for it is no use.`)
      } catch (error) {
        end(() => reject(error))
      }
    }
    // Effects are announced before they are stored; they are stored at the end of the turn.
    const lookSoon = () => {
      if (isLooking) return
      isLooking = true
      setImmediate(look)
    }
    const giveUp = startTimer(timeoutMs, () => {
      look()
      end(() => reject(missed(world, goal, `Waited ${timeoutMs} ms for ${goal.words}. ${standing(world)}`)))
    })
    const subscriber = {
      onEffect: lookSoon,
      onEnd: () => setImmediate(() => end(() => reject(gone()))),
    }
    const stop = world.agenda.bus.subscribe(subscriber, goal.topic)
    signal?.addEventListener('abort', () => end(() => reject(gone())), { once: true })
    if (signal?.aborted) return end(() => reject(gone()))
    look()
    if (isOver || given !== undefined || !world.clock.frozen || !goal.needsTime()) return
    messagesSettled(world).then(() => {
      look()
      if (world.clock.frozen) end(() => reject(missed(world, goal, standing(world))))
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
function standing({ clock, agenda }: World): string {
  const due = agenda.nextDue()
  const next = due === undefined ? 'nothing is due any more' : `what is due next is due at ${toIso(due)}`
  if (!clock.frozen) return `It is ${toIso(clock.now())} in this world; ${next}.`
  const advice =
    due === undefined ? '' : ` Advance the clock: POST /_petri/clock/advance {"to": "${toIso(due)}"}.`
  return `The clock of this world is frozen at ${toIso(clock.now())}, and ${next}.${advice}`
}
