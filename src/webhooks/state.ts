import { SECOND_MS } from '../kernel/instant.ts'
import { Latest } from '../kernel/kept.ts'
import { runAtOnce, runInSlices } from '../kernel/slices.ts'
import type { MessageCounts } from '../world/resting-world.ts'
import type { World } from '../world/world.ts'
import { EventLog } from './log.ts'
import { messages } from './table.ts'

/** The maximum number of attempts whose wall-clock headers are remembered. */
const MAX_WALL_HEADERS = 2048
/** The number of messages from which they are counted in slices when the world is opened, instead of on first use. */
const MANY_MESSAGES = 1000

/** The state of a world's deliveries while the world is open; it is not stored. */
export interface DeliveryState {
  readonly log: EventLog
  readonly rateLimiter: RateLimiter
  /** Headers of attempts in a frozen world that depend on the wall clock, by `attemptKey`. */
  readonly wallHeaders: Latest<string, Readonly<Record<string, string>>>
}

const states = new WeakMap<World, DeliveryState>()

export function deliveryState(world: World): DeliveryState {
  const known = states.get(world)
  if (known) return known
  const state = addState(world)
  runAtOnce(state.log.load())
  return state
}

/** Counts the stored messages of a world that was opened, if they are many. */
export async function loadLog(world: World): Promise<void> {
  if (world.db.count(messages) > MANY_MESSAGES) await runInSlices(addState(world).log.load())
}

function addState(world: World): DeliveryState {
  const state = {
    log: new EventLog(world),
    rateLimiter: new RateLimiter(),
    wallHeaders: new Latest<string, Readonly<Record<string, string>>>(MAX_WALL_HEADERS),
  }
  states.set(world, state)
  return state
}

export const countMessages = (world: World): MessageCounts => ({
  pending: deliveryState(world).log.pending,
  failing: world.db.idsBy(messages, 'failing', 'yes').length,
})

/** The key of an attempt by its number, from 0. */
export const attemptKey = (messageId: string, number: number): string => `${messageId}/${number}`

/** Limits the number of messages to an endpoint per second of the world's clock. */
class RateLimiter {
  /** When the next message can be sent, by endpoint. */
  readonly #nextAt = new Map<string, number>()

  /** Reserves the next time at an endpoint's rate, and returns it in milliseconds since 1970. */
  reserve(endpointId: string, perSecond: number, now: number): number {
    const at = Math.max(now, this.#nextAt.get(endpointId) ?? 0)
    this.#nextAt.set(endpointId, at + SECOND_MS / perSecond)
    return Math.ceil(at)
  }
}
