import { clamp } from './compare.ts'
import { LATEST } from './instant.ts'

/** Reads the machine's clock, in milliseconds since 1970. No other code may: see `test/unit/house-rules.test.ts`. */
export const wallClock = (): number => Date.now()

/** Milliseconds of a clock that is never set back, to measure how long something takes. */
export const stopwatch = (): number => performance.now()

export interface ClockState {
  /** Milliseconds by which a live clock is ahead of the wall clock. */
  readonly offsetMs: number
  /** The time of a frozen clock; null while it is live. */
  readonly frozenAt: number | null
  /** The latest instant that a live clock has returned. */
  readonly latestAt?: number | undefined
}

/**
 * A world's time in milliseconds since 1970: the wall clock plus an offset, or frozen. It never goes backward, and stands
 * at the last instant.
 */
export class Clock {
  readonly #wall: () => number
  readonly #onMove: (now: number) => void
  #offsetMs: number
  #frozenAt: number | null
  #pinnedAt: number | null = null
  /** The latest instant returned. */
  #latest = Number.NEGATIVE_INFINITY
  /** The value of `#latest` when the clock was pinned. */
  #latestUnpinned = Number.NEGATIVE_INFINITY

  /** `onMove` is called with each instant at which a frozen clock comes to stand. */
  constructor(
    { offsetMs, frozenAt, latestAt }: ClockState,
    wall: () => number,
    onMove: (now: number) => void = () => undefined,
  ) {
    this.#wall = wall
    this.#onMove = onMove
    this.#latest = latestAt ?? this.#latest
    this.#offsetMs = offsetMs
    this.#frozenAt = frozenAt
    if (frozenAt !== null) onMove(frozenAt)
  }

  get frozen(): boolean {
    return this.#frozenAt !== null
  }

  now(): number {
    this.#latest = Math.max(this.#latest, this.#pinnedAt ?? this.reading())
    return this.#latest
  }

  /** The wall clock, for instants that a real client compares with its own clock. */
  wall(): number {
    return this.#wall()
  }

  /** The time without a pin. Unlike `now`, it does not count as returned. */
  reading(): number {
    return this.#frozenAt ?? clamp(this.#wall() + this.#offsetMs, this.#latest, LATEST)
  }

  /** Milliseconds until it continues, after the wall clock was set back; 0 otherwise, and while it is pinned. */
  get waitsMs(): number {
    if (this.frozen || this.#pinnedAt !== null) return 0
    return Math.max(0, this.#latest - this.#wall() - this.#offsetMs)
  }

  /** Holds the clock at an instant while a job runs, but never before the latest instant returned. */
  pin(instant: number): void {
    if (this.#pinnedAt === null) this.#latestUnpinned = this.#latest
    this.#pinnedAt = Math.max(instant, this.#latest, this.#frozenAt ?? Number.NEGATIVE_INFINITY)
    if (this.frozen) this.#onMove(this.#pinnedAt)
  }

  /** Ends the pin; the clock continues from the pinned instant if that is later than its own time. */
  release(): void {
    const { offsetMs, frozenAt } = this.state()
    this.#offsetMs = offsetMs
    this.#frozenAt = frozenAt
    this.#pinnedAt = null
  }

  freeze(): void {
    this.#frozenAt ??= this.now()
  }

  thaw(): void {
    if (this.#frozenAt === null) return
    this.#offsetMs = this.#frozenAt - this.#wall()
    this.#frozenAt = null
  }

  /** Lets a live clock continue from the latest instant returned, although the wall clock was set back. */
  rebase(): void {
    this.#offsetMs += this.waitsMs
  }

  /** The state to store; a clock made from it never returns an earlier instant. */
  stored(): ClockState {
    return this.frozen ? this.state() : { ...this.state(), latestAt: this.now() }
  }

  /** Whether it has returned a later instant than the one from which a clock made from `stored` continues. */
  isAheadOf({ latestAt = Number.NEGATIVE_INFINITY }: ClockState): boolean {
    return this.#latest > latestAt
  }

  state(): ClockState {
    const pinnedAt = this.#pinnedAt
    const offsetMs = this.#offsetMs
    const ownAt = this.#frozenAt ?? this.#wall() + offsetMs
    if (pinnedAt === null || pinnedAt <= ownAt) return { offsetMs, frozenAt: this.#frozenAt }
    if (this.frozen) return { offsetMs, frozenAt: pinnedAt }
    // The remaining wait after the wall clock was set back is not part of the offset.
    return { offsetMs: offsetMs + pinnedAt - Math.max(ownAt, this.#latestUnpinned), frozenAt: null }
  }
}
