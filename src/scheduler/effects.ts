import type { Advanced, Effect } from './job.ts'

const MAX_EFFECTS = 10_000

/** What an advance reports: the first so many effects, and how many more there were. */
export class Effects {
  readonly #effects: Effect[] = []
  #dropped = 0

  add(effect: Effect): void {
    if (this.#effects.length < MAX_EFFECTS) this.#effects.push(effect)
    else this.#dropped++
  }

  result(stopped: boolean): Advanced {
    return { effects: this.#effects, dropped: this.#dropped, stopped }
  }
}
