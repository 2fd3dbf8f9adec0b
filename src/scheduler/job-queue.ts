import TinyQueue from 'tinyqueue'
import { type Job, jobs } from './job.ts'

/** What is known of a job without reading its row. */
export interface QueuedJob {
  readonly key: string
  readonly kind: string
  /** The job itself where it is due at once, or has no row. */
  readonly job: Job | undefined
  /** When it is due: an instant, or a scenario time. */
  readonly time: number
  readonly turn: number
  readonly rank: number
  readonly inScenarioTime: boolean
  readonly recurring: boolean
}

const byTurn = (a: QueuedJob, b: QueuedJob) => a.turn - b.turn || a.rank - b.rank
const inOrder = () => new TinyQueue<QueuedJob>([], (a, b) => a.time - b.time || byTurn(a, b))

/** The jobs still to be run, the earliest first. Those in scenario time keep their order among themselves at any rate. */
export class JobQueue {
  readonly #toInstant: (scenarioMs: number) => number
  readonly #byScenarioTime = inOrder()
  readonly #byInstant = inOrder()
  readonly #byKey = new Map<string, QueuedJob>()
  #oneOff = 0

  constructor(toInstant: (scenarioMs: number) => number) {
    this.#toInstant = toInstant
  }

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

  dueOf({ inScenarioTime, time }: QueuedJob): number {
    return inScenarioTime ? this.#toInstant(time) : time
  }

  /** Replaces a job of the same key. `row` is the job as it is stored; `job` is kept in memory, so that the row need not be read. */
  enqueue(row: Job, job: Job | undefined): void {
    const key = jobs.idOf(row)
    this.remove(key)
    const { kind, due: time, turn, rank = 0, inScenarioTime = false, recurring = false } = row
    const queued = { key, kind, job, time, turn, rank, inScenarioTime, recurring }
    this.#byKey.set(key, queued)
    if (!recurring) this.#oneOff++
    if (inScenarioTime) this.#byScenarioTime.push(queued)
    else this.#byInstant.push(queued)
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

  /** The earliest job. */
  peek(): QueuedJob | undefined {
    const scenario = this.#first(this.#byScenarioTime)
    const calendar = this.#first(this.#byInstant)
    if (!scenario || !calendar) return scenario ?? calendar
    const sooner = this.dueOf(scenario) - calendar.time || byTurn(scenario, calendar)
    return sooner < 0 ? scenario : calendar
  }

  /** Jobs that were replaced or removed are still in their heap and are passed over. */
  #first(heap: TinyQueue<QueuedJob>): QueuedJob | undefined {
    for (;;) {
      const top = heap.peek()
      if (!top || this.#byKey.get(top.key) === top) return top
      heap.pop()
    }
  }
}
