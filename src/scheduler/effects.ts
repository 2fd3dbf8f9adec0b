import type { Clock } from '../kernel/clock.ts'
import type { Advanced, Effect } from './job.ts'

const MOST_EFFECTS = 10_000

/** What happens while a clock is being moved: the first so many, and how many more there were. */
export class Effects {
  #told: Effect[] | undefined
  #dropped = 0

  /** Whether a clock is being moved. */
  get isOpen(): boolean {
    return this.#told !== undefined
  }

  open(): void {
    this.#told = []
    this.#dropped = 0
  }

  /** Does nothing while no clock is being moved. */
  add(kind: string, what: Readonly<Record<string, unknown>>, clock: Clock): void {
    if (!this.#told) return
    if (this.#told.length < MOST_EFFECTS) this.#told.push({ at: clock.now(), kind, ...what })
    else this.#dropped++
  }

  soFar(): Advanced {
    return { effects: this.#told ?? [], dropped: this.#dropped }
  }

  close(): void {
    this.#told = undefined
  }
}
