import TinyQueue from 'tinyqueue'
import type { Clock } from '../kernel/clock.ts'
import { compact } from '../kernel/list.ts'
import type { Database } from '../storage/database.ts'
import { currentJobTurn } from './context.ts'
import { type Job, jobKey, jobs, type NewJob } from './job.ts'
import type { ScenarioTime } from './scenario-time.ts'

/** A pending job; its row need not be read. */
export interface PendingJob {
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

const byTurn = (a: PendingJob, b: PendingJob) => a.turn - b.turn || a.rank - b.rank
const inOrder = () => new TinyQueue<PendingJob>([], (a, b) => a.time - b.time || byTurn(a, b))

/** A world's jobs: their rows, and the pending ones in the order they fall due. */
export class JobStore {
  readonly #db: Database
  readonly #clock: Clock
  readonly #scenarioTime: ScenarioTime
  readonly #byKey = new Map<string, PendingJob>()
  readonly #byInstant = inOrder()
  /** Jobs in scenario time keep their order at any rate. */
  readonly #byScenarioTime = inOrder()
  #oneOff = 0
  #nextTurn = 0
  #nextRank = 1

  constructor(db: Database, clock: Clock, scenarioTime: ScenarioTime) {
    this.#db = db
    this.#clock = clock
    this.#scenarioTime = scenarioTime
  }

  /** Queues the stored jobs, one at a step. Must be complete before any other call. */
  *load(): Generator<void, void> {
    for (const row of this.#db.all(jobs)) {
      this.#nextTurn = Math.max(this.#nextTurn, row.turn + 1)
      this.#nextRank = Math.max(this.#nextRank, (row.rank ?? 0) + 1)
      this.#enqueue(row, undefined)
      yield
    }
  }

  /** The number of pending jobs, without recurring ones. */
  get oneOff(): number {
    return this.#oneOff
  }

  /** Replaces a job of the same kind and subject. A transient job has no row. Returns its key. */
  add(given: NewJob, isTransient: boolean): string {
    const row = { ...this.#dated(given), ...this.#nextPlace() }
    const isRunSoon = isTransient || this.#instantOf(row.due, row.inScenarioTime) <= this.#clock.reading()
    const key = this.#enqueue(row, isRunSoon ? row : undefined)
    if (!isTransient) this.#db.put(jobs, row)
    return key
  }

  remove(key: string): void {
    this.#dequeue(key)
    this.#db.delete(jobs, key)
  }

  /** The keys of the pending jobs whose subject is one of these objects, or begins or ends with one. */
  keysAbout(ids: ReadonlySet<string>): string[] {
    return [...this.#byKey.keys()].filter((key) => {
      const [, ...parts] = key.split('/')
      return ids.has(parts.join('/')) || parts.some((part) => ids.has(part))
    })
  }

  find(kind: string, subject: string): Job | undefined {
    const pending = this.#byKey.get(jobKey(kind, subject))
    return pending && this.#read(pending)
  }

  /** The jobs that have a row, in no particular order; by default those of all keys. */
  *all(keys?: readonly string[]): IterableIterator<Job> {
    for (const row of keys ? compact(keys.map((key) => this.#db.find(jobs, key))) : this.#db.all(jobs)) {
      yield { ...row, due: this.#instantOf(row.due, row.inScenarioTime) }
    }
  }

  /** The earliest pending job. */
  peek(): PendingJob | undefined {
    const scenario = this.#first(this.#byScenarioTime)
    const calendar = this.#first(this.#byInstant)
    if (!scenario || !calendar) return scenario ?? calendar
    const sooner = this.dueOf(scenario) - calendar.time || byTurn(scenario, calendar)
    return sooner < 0 ? scenario : calendar
  }

  /** When a job is due, in milliseconds since 1970, by the world's clock. */
  dueOf({ time, inScenarioTime }: PendingJob): number {
    return this.#instantOf(time, inScenarioTime)
  }

  /** Takes a pending job; its row is kept until `forget`. */
  take(pending: PendingJob): Job {
    this.#dequeue(pending.key)
    return this.#read(pending)
  }

  /** Deletes the row of a finished job; returns false if it was scheduled again meanwhile. */
  forget(key: string): boolean {
    if (this.#byKey.has(key)) return false
    this.#db.delete(jobs, key)
    return true
  }

  clear(): void {
    this.#byKey.clear()
    this.#oneOff = 0
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

  #instantOf(time: number, inScenarioTime = false): number {
    return inScenarioTime ? this.#scenarioTime.toInstant(time) : time
  }

  /** Returns the job's key. */
  #enqueue(row: Job, job: Job | undefined): string {
    const key = jobs.idOf(row)
    this.#dequeue(key)
    const { kind, due: time, turn, rank = 0, inScenarioTime = false, recurring = false } = row
    const pending = { key, kind, job, time, turn, rank, inScenarioTime, recurring }
    this.#byKey.set(key, pending)
    if (!recurring) this.#oneOff++
    if (inScenarioTime) this.#byScenarioTime.push(pending)
    else this.#byInstant.push(pending)
    return key
  }

  #dequeue(key: string): void {
    const pending = this.#byKey.get(key)
    if (!pending) return
    this.#byKey.delete(key)
    if (!pending.recurring) this.#oneOff--
  }

  /** Jobs that were replaced or removed are still in their heap, and are skipped. */
  #first(heap: TinyQueue<PendingJob>): PendingJob | undefined {
    for (;;) {
      const top = heap.peek()
      if (!top || this.#byKey.get(top.key) === top) return top
      heap.pop()
    }
  }

  #read(pending: PendingJob): Job {
    const job = pending.job ?? this.#db.get(jobs, pending.key)
    return pending.inScenarioTime ? { ...job, due: this.dueOf(pending) } : job
  }
}
