import TinyQueue from 'tinyqueue'
import { type Job, jobs } from './job.ts'

/** What is known of a job without reading its row. */
export interface QueuedJob {
  readonly key: string
  /** The job itself where it is due at once, or has no row. */
  readonly job: Job | undefined
  readonly due: number
  readonly turn: number
  readonly recurring: boolean
}

/** The jobs still to be run, the earliest first. */
export class JobQueue {
  readonly #heap = new TinyQueue<QueuedJob>([], (a, b) => a.due - b.due || a.turn - b.turn)
  readonly #byKey = new Map<string, QueuedJob>()
  #oneOff = 0

  /** How many jobs there are, recurring ones not counted. */
  get oneOff(): number {
    return this.#oneOff
  }

  has(key: string): boolean {
    return this.#byKey.has(key)
  }

  find(key: string): QueuedJob | undefined {
    return this.#byKey.get(key)
  }

  /** Replaces a job of the same key; returns the key. `keepJob` keeps the job in memory, so that its row need not be read. */
  enqueue(job: Job, keepJob: boolean): string {
    const key = jobs.idOf(job)
    this.remove(key)
    const { due, turn, recurring = false } = job
    const queued = { key, job: keepJob ? job : undefined, due, turn, recurring }
    this.#byKey.set(key, queued)
    if (!recurring) this.#oneOff++
    this.#heap.push(queued)
    return key
  }

  remove(key: string): void {
    const queued = this.#byKey.get(key)
    if (!queued) return
    this.#byKey.delete(key)
    if (!queued.recurring) this.#oneOff--
  }

  clear(): void {
    this.#byKey.clear()
    this.#oneOff = 0
  }

  /** The earliest job. Those that were replaced or removed are still in the heap and are passed over. */
  peek(): QueuedJob | undefined {
    for (;;) {
      const top = this.#heap.peek()
      if (!top || this.#byKey.get(top.key) === top) return top
      this.#heap.pop()
    }
  }
}
