import type { Clock } from '../kernel/clock.ts'
import type { Database } from '../storage/database.ts'
import { currentJobTurn } from './context.ts'
import { type Job, jobKey, jobs, type NewJob } from './job.ts'
import { JobQueue, type QueuedJob } from './job-queue.ts'
import { ScenarioTime } from './scenario-time.ts'

/** The next job, before its row is read. */
export interface NextJob {
  readonly queued: QueuedJob
  /** Milliseconds since 1970, the world's clock. */
  readonly due: number
}

/** A world's jobs: their rows, and the queue of those still to be run. */
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

  /** Queues the stored jobs, one at a step. It is done before anything else is asked. */
  *load(): Generator<void, void> {
    for (const row of this.#db.all(jobs)) {
      this.#nextTurn = Math.max(this.#nextTurn, row.turn + 1)
      this.#nextRank = Math.max(this.#nextRank, (row.rank ?? 0) + 1)
      this.#queue.enqueue(row, undefined)
      yield
    }
  }

  /** How many jobs are still to be run, recurring ones not counted. */
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

  /** A job that was taken and is not done yet. */
  findTaken(key: string): Job | undefined {
    return this.#db.find(jobs, key)
  }

  /** The jobs that have a row, in no order: all, or those of some keys. */
  *all(keys?: readonly string[]): IterableIterator<Job> {
    for (const row of keys ? keys.flatMap((key) => this.#db.find(jobs, key) ?? []) : this.#db.all(jobs)) {
      yield { ...row, due: this.#dueOf(row) }
    }
  }

  peek(): NextJob | undefined {
    const queued = this.#queue.peek()
    return queued && { queued, due: this.#queue.dueOf(queued) }
  }

  /** Takes a job out of the queue; its row stays until `forget`. */
  take({ queued }: NextJob): Job {
    this.#queue.remove(queued.key)
    return this.#read(queued)
  }

  /** Deletes the row of a job that is done; returns false when it was scheduled again meanwhile. */
  forget(key: string): boolean {
    if (this.#queue.has(key)) return false
    this.#db.delete(jobs, key)
    return true
  }

  /** Milliseconds of scenario time that pass in each millisecond of the clock. */
  get scenarioRate(): number {
    return this.#scenarioTime.rate
  }

  /** Lets scenario time pass at another rate from now on. */
  setScenarioRate(rate: number): void {
    if (rate !== this.#scenarioTime.rate) this.#scenarioTime.setRate(this.#clock.now(), rate)
  }

  clear(): void {
    this.#queue.clear()
  }

  /** What jobs schedule does not count up the turns, which so depend on the calls alone. */
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
    return { ...job, due: this.#queue.dueOf(queued) }
  }
}
