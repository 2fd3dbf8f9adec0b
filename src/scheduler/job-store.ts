import TinyQueue from 'tinyqueue'
import type { Clock } from '../kernel/clock.ts'
import type { Database } from '../storage/database.ts'
import { currentJobTurn } from './context.ts'
import { type Job, jobKey, jobs, type NewJob } from './job.ts'
import { ScenarioTime } from './scenario-time.ts'

/** The next job, whose row is not read yet. */
export interface NextJob {
  readonly queued: QueuedJob
  /** Milliseconds since 1970, by the world's clock. */
  readonly due: number
}

/** A world's jobs: their rows, and the queue of the pending ones. */
export class JobStore {
  readonly #db: Database
  readonly #clock: Clock
  readonly #scenarioTime: ScenarioTime
  readonly #queue: JobQueue
  #nextTurn = 0
  #nextRank = 1

  constructor(db: Database, clock: Clock) {
    this.#db = db
    this.#clock = clock
    this.#scenarioTime = new ScenarioTime(db)
    this.#queue = new JobQueue((scenarioMs) => this.#scenarioTime.toInstant(scenarioMs))
  }

  /** Queues the stored jobs, one at a step. Must be complete before any other call. */
  *load(): Generator<void, void> {
    for (const row of this.#db.all(jobs)) {
      this.#nextTurn = Math.max(this.#nextTurn, row.turn + 1)
      this.#nextRank = Math.max(this.#nextRank, (row.rank ?? 0) + 1)
      this.#queue.enqueue(row, undefined)
      yield
    }
  }

  /** The number of pending jobs, without recurring ones. */
  get oneOff(): number {
    return this.#queue.oneOff
  }

  /** Replaces a job of the same kind and subject. A transient job has no row. Returns its key. */
  add(given: NewJob, isTransient: boolean): string {
    const row = { ...this.#dated(given), ...this.#nextPlace() }
    const isRunSoon = isTransient || this.#dueOf(row) <= this.#clock.reading()
    this.#queue.enqueue(row, isRunSoon ? row : undefined)
    const key = jobs.idOf(row)
    if (!isTransient) this.#db.put(jobs, row)
    return key
  }

  remove(key: string): void {
    this.#queue.remove(key)
    this.#db.delete(jobs, key)
  }

  find(kind: string, subject: string): Job | undefined {
    const queued = this.#queue.find(jobKey(kind, subject))
    return queued && this.#read(queued)
  }

  /** The jobs that have a row, in no particular order; by default those of all keys. */
  *all(keys?: readonly string[]): IterableIterator<Job> {
    for (const row of keys ? keys.flatMap((key) => this.#db.find(jobs, key) ?? []) : this.#db.all(jobs)) {
      yield row.inScenarioTime ? { ...row, due: this.#dueOf(row) } : row
    }
  }

  peek(): NextJob | undefined {
    const queued = this.#queue.peek()
    return queued && { queued, due: this.#queue.dueOf(queued) }
  }

  /** Takes a job from the queue; its row is kept until `forget`. */
  take({ queued }: NextJob): Job {
    this.#queue.remove(queued.key)
    return this.#read(queued)
  }

  /** Deletes the row of a finished job; returns false if it was scheduled again meanwhile. */
  forget(key: string): boolean {
    if (this.#queue.has(key)) return false
    this.#db.delete(jobs, key)
    return true
  }

  /** Milliseconds of scenario time per millisecond of the clock. */
  get scenarioRate(): number {
    return this.#scenarioTime.rate
  }

  scenarioTimeAt(instant: number): number {
    return this.#scenarioTime.atInstant(instant)
  }

  /** Changes the rate of scenario time from now on. */
  setScenarioRate(rate: number): void {
    if (rate !== this.#scenarioTime.rate) this.#scenarioTime.setRate(this.#clock.now(), rate)
  }

  clear(): void {
    this.#queue.clear()
  }

  /** Jobs scheduled by a job get its turn, so that turns depend only on calls. */
  #nextPlace(): Pick<Job, 'turn' | 'rank'> {
    const turn = currentJobTurn()
    return turn === undefined ? { turn: this.#nextTurn++ } : { turn, rank: this.#nextRank++ }
  }

  #dated(given: NewJob): Omit<Job, 'turn' | 'rank'> {
    if ('due' in given) return given
    const { afterScenarioMs, ...job } = given
    return {
      ...job,
      due: this.#scenarioTime.atInstant(this.#clock.now()) + afterScenarioMs,
      inScenarioTime: true,
    }
  }

  /** The instant at which a stored job is due. */
  #dueOf({ due, inScenarioTime }: Job): number {
    return inScenarioTime ? this.#scenarioTime.toInstant(due) : due
  }

  #read(queued: QueuedJob): Job {
    const job = queued.job ?? this.#db.get(jobs, queued.key)
    return queued.inScenarioTime ? { ...job, due: this.#queue.dueOf(queued) } : job
  }
}

/** A job in the queue; its row need not be read. */
interface QueuedJob {
  readonly key: string
  readonly kind: string
  /** The job itself if it is due immediately or has no row. */
  readonly job: Job | undefined
  /** The due time: an instant, or a scenario time. */
  readonly time: number
  readonly turn: number
  readonly rank: number
  readonly inScenarioTime: boolean
  readonly recurring: boolean
}

const byTurn = (a: QueuedJob, b: QueuedJob) => a.turn - b.turn || a.rank - b.rank
const inOrder = () => new TinyQueue<QueuedJob>([], (a, b) => a.time - b.time || byTurn(a, b))

/** The pending jobs, the earliest first. Jobs in scenario time keep their order at any rate. */
class JobQueue {
  readonly #toInstant: (scenarioMs: number) => number
  readonly #byScenarioTime = inOrder()
  readonly #byInstant = inOrder()
  readonly #byKey = new Map<string, QueuedJob>()
  #oneOff = 0

  constructor(toInstant: (scenarioMs: number) => number) {
    this.#toInstant = toInstant
  }

  /** The number of jobs, without recurring ones. */
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

  /**
   * Replaces a job with the same key. `row` is the stored form; `job` is kept in memory, so that the row need not be
   * read.
   */
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

  /** Jobs that were replaced or removed are still in their heap, and are skipped. */
  #first(heap: TinyQueue<QueuedJob>): QueuedJob | undefined {
    for (;;) {
      const top = heap.peek()
      if (!top || this.#byKey.get(top.key) === top) return top
      heap.pop()
    }
  }
}
