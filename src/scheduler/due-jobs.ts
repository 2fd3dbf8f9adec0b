import { Heap } from './heap.ts'
import { type Job, jobs } from './job.ts'

/** What is known of a job without reading its row. */
export interface Entered {
  readonly key: string
  /** The job itself where it is about to be done, or has no row. */
  readonly job: Job | undefined
  readonly due: number
  readonly turn: number
  readonly recurring: boolean
}

/** Which jobs are still to be done, the earliest first. */
export class DueJobs {
  readonly #heap = new Heap<Entered>((a, b) => a.due < b.due || (a.due === b.due && a.turn < b.turn))
  readonly #live = new Map<string, Entered>()
  #oneOff = 0

  /** Those that come back for ever not counted. */
  get oneOff(): number {
    return this.#oneOff
  }

  has(key: string): boolean {
    return this.#live.has(key)
  }

  find(key: string): Entered | undefined {
    return this.#live.get(key)
  }

  /** Answers the key under which it is known. A job of the same key is replaced. */
  enter(job: Job, isHeld: boolean): string {
    const key = jobs.idOf(job)
    if (this.#live.has(key)) this.forget(key)
    const { due, turn, recurring = false } = job
    const entered = { key, job: isHeld ? job : undefined, due, turn, recurring }
    this.#live.set(key, entered)
    if (!recurring) this.#oneOff++
    this.#heap.push(entered)
    return key
  }

  forget(key: string): void {
    const known = this.#live.get(key)
    if (!known) return
    this.#live.delete(key)
    if (!known.recurring) this.#oneOff--
  }

  clear(): void {
    this.#live.clear()
    this.#oneOff = 0
  }

  /** The earliest job that has not been replaced or removed since it was entered. */
  peek(): Entered | undefined {
    for (;;) {
      const top = this.#heap.peek()
      if (!top || this.#live.get(top.key) === top) return top
      this.#heap.pop()
    }
  }
}
