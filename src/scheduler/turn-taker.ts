/** Wall milliseconds of work after which others get a turn. */
const SLICE_MS = 8
/** The same in jobs, as a wall clock that stands still must not stop the others. */
const SLICE_JOBS = 256

/** Cuts long work into slices, between which the event loop serves others. */
export class TurnTaker {
  readonly #wall: () => number
  #sliceEnd: number
  #jobs = 0

  constructor(wall: () => number) {
    this.#wall = wall
    this.#sliceEnd = wall() + SLICE_MS
  }

  /** Whether the slice is used up; counts one job. */
  get isOver(): boolean {
    return ++this.#jobs > SLICE_JOBS || this.#wall() > this.#sliceEnd
  }

  async yield(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    this.#sliceEnd = this.#wall() + SLICE_MS
    this.#jobs = 0
  }
}
