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

/** Runs the steps of a generator in slices. */
export async function runInSlices<Result>(steps: Generator<void, Result>): Promise<Result> {
  const slices = new Slices()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (slices.isOver) await slices.next()
  }
}

/** Runs the steps of a generator without a break. */
export function runAtOnce<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
