/** Reads the machine's clock, in milliseconds since 1970. The only place that may: see `test/unit/house-rules.test.ts`. */
export const wallClock = (): number => Date.now()

export interface ClockState {
  /** Milliseconds a live clock is ahead of the wall clock. */
  readonly offsetMs: number
  /** Where a frozen clock stands; null while it is live. */
  readonly frozenAt: number | null
  /** The latest instant that a live clock told. */
  readonly toldAt?: number
}

/** A world's time in milliseconds since 1970: the wall clock plus an offset, or frozen. It never goes back. */
export class Clock {
  readonly #wall: () => number
  #offsetMs: number
  #frozenAt: number | null
  #pinnedAt: number | null = null
  /** The latest instant anybody was told. */
  #told = Number.NEGATIVE_INFINITY

  constructor({ offsetMs, frozenAt, toldAt }: ClockState, wall: () => number) {
    this.#wall = wall
    this.#told = toldAt ?? this.#told
    this.#offsetMs = offsetMs
    this.#frozenAt = frozenAt
  }

  get frozen(): boolean {
    return this.#frozenAt !== null
  }

  now(): number {
    this.#told = Math.max(this.#told, this.#pinnedAt ?? this.reading())
    return this.#told
  }

  /** Where the clock would stand if nobody held it; telling it binds nobody, as `now` does. */
  reading(): number {
    if (this.#frozenAt !== null) return this.#frozenAt
    const reading = this.#wall() + this.#offsetMs
    if (reading >= this.#told) return reading
    // The wall clock was set back; this one goes on from where it stood.
    this.#offsetMs += this.#told - reading
    return this.#told
  }

  /** Holds even a live clock at an instant, or the latest one already told, so that a job runs at its own. */
  pin(instant: number): void {
    this.#pinnedAt = Math.max(instant, this.#told, this.#frozenAt ?? Number.NEGATIVE_INFINITY)
  }

  /** Lets go of the clock; it goes on from where it was held, if that is later than where it would be. */
  release(): void {
    const { offsetMs, frozenAt } = this.state()
    this.#offsetMs = offsetMs
    this.#frozenAt = frozenAt
    this.#pinnedAt = null
  }

  moveTo(instant: number): void {
    this.pin(Math.max(instant, this.now()))
    this.release()
  }

  freeze(): void {
    this.#frozenAt ??= this.now()
  }

  thaw(): void {
    if (this.#frozenAt === null) return
    this.#offsetMs = this.#frozenAt - this.#wall()
    this.#frozenAt = null
  }

  /** What is to be stored, so that a clock made of it never tells an earlier instant. */
  stored(): ClockState {
    return this.frozen ? this.state() : { ...this.state(), toldAt: this.now() }
  }

  state(): ClockState {
    const pinnedAt = this.#pinnedAt
    if (pinnedAt === null || pinnedAt <= this.reading()) {
      return { offsetMs: this.#offsetMs, frozenAt: this.#frozenAt }
    }
    if (this.frozen) return { offsetMs: this.#offsetMs, frozenAt: pinnedAt }
    return { offsetMs: pinnedAt - this.#wall(), frozenAt: null }
  }
}
