import { TIMEOUT_MS } from './retry-schedule.ts'

/** After a time-out, the longest that each further attempt of the same advance is waited for. */
const MAX_AFTER_TIMEOUT_MS = 1000
const MIN_AFTER_TIMEOUT_MS = 10

/**
 * How long receivers may take. One that timed out during an advance has one second more for all its further attempts in that
 * advance, and then an instant for each; otherwise a receiver that never answers would hold it up by a time-out for each message.
 */
export class ReplyTimeouts {
  #run: object | undefined
  readonly #leftMs = new Map<string, number>()

  /** Milliseconds; `run` identifies the advance that is running, if there is one. */
  timeoutOf(endpointId: string, run: object | undefined): number {
    if (this.#run !== run) this.#leftMs.clear()
    this.#run = run
    const leftMs = this.#leftMs.get(endpointId)
    if (leftMs === undefined) return TIMEOUT_MS
    return Math.max(leftMs, MIN_AFTER_TIMEOUT_MS)
  }

  recordTimeout(endpointId: string, timeoutMs: number): void {
    if (!this.#run) return
    const leftMs = this.#leftMs.get(endpointId)
    this.#leftMs.set(endpointId, leftMs === undefined ? MAX_AFTER_TIMEOUT_MS : leftMs - timeoutMs)
  }
}
