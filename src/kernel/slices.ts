import { wallClock } from './clock.ts'

/** Milliseconds of work after which others get a turn of the event loop. */
const SLICE_MS = 8

/** Divides long work into slices: `if (slices.isOver) await slices.next()` between its steps. */
export class Slices {
  #endsAt = wallClock() + SLICE_MS

  get isOver(): boolean {
    return wallClock() >= this.#endsAt
  }

  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    this.#endsAt = wallClock() + SLICE_MS
  }
}
