import { SECOND_MS } from '../kernel/instant.ts'

/** Spreads the messages to an endpoint over time, at most so many a second of the world's clock. */
export class RateLimiter {
  /** When the next message to an endpoint may be sent. */
  readonly #nextAt = new Map<string, number>()

  /** When a message may be sent that is ready now; the place is taken. Milliseconds since 1970. */
  reserve(endpointId: string, perSecond: number, now: number): number {
    const at = Math.max(now, this.#nextAt.get(endpointId) ?? 0)
    this.#nextAt.set(endpointId, at + SECOND_MS / perSecond)
    return Math.ceil(at)
  }
}
