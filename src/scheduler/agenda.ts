import type { Clock, ClockState } from '../kernel/clock.ts'
import { Problem } from '../kernel/problem.ts'
import type { Database } from '../storage/database.ts'
import { table } from '../storage/table.ts'
import { Counters } from './counters.ts'
import { Effects } from './effects.ts'
import { EventBus } from './event-bus.ts'
import { type Advanced, type Job, type JobHandler, jobKey, jobs } from './job.ts'
import { JobQueue, type QueuedJob } from './job-queue.ts'
import { JobRunner } from './job-runner.ts'

/** Where the clock stood last; one row. */
export const clockRow = table<ClockState>('clock', () => 'clock')

/** Wall milliseconds of advancing after which others get a turn. */
const SLICE_MS = 8

export interface AgendaOptions {
  readonly db: Database
  readonly clock: Clock
  readonly handlers: ReadonlyMap<string, JobHandler>
  readonly wall: () => number
  /** Called when a job was scheduled or an advance has ended. */
  readonly onChange: () => void
  readonly reportBug: (error: unknown) => void
}

/** A world's jobs, run in the order they fall due; the only thing that moves a world's clock. */
export class Agenda {
  /** What happens in this world, for those who subscribe. */
  readonly bus = new EventBus()
  readonly counters = new Counters()
  readonly #options: AgendaOptions
  readonly #db: Database
  readonly #clock: Clock
  readonly #queue = new JobQueue()
  readonly #runner: JobRunner
  #effects: Effects | undefined
  #nextTurn = 0
  #savedClock: ClockState | undefined
  #stopped = false

  constructor(options: AgendaOptions) {
    this.#options = options
    this.#db = options.db
    this.#clock = options.clock
    this.#runner = new JobRunner({
      db: options.db,
      handlers: options.handlers,
      isQueued: (key) => this.#queue.has(key),
      onFailure: (job, error) => this.#failed(job, error),
    })
    for (const job of this.#db.all(jobs)) this.#enqueue(job)
  }

  /** Replaces a job of the same kind and subject. */
  schedule(job: Omit<Job, 'turn'>): void {
    const numbered = { ...job, turn: this.#nextTurn }
    const key = this.#enqueue(numbered)
    this.#db.put(jobs, numbered)
    this.#scheduled(key, numbered)
  }

  /** Schedules a job without a row: whoever schedules it does so again when the world is opened again. */
  scheduleTransient(job: Omit<Job, 'turn'>): void {
    const numbered = { ...job, turn: this.#nextTurn }
    this.#scheduled(this.#enqueue(numbered, true), numbered)
  }

  cancel(kind: string, subject: string): void {
    const key = jobKey(kind, subject)
    this.#queue.remove(key)
    this.#runner.detachContext(key)
    this.#db.delete(jobs, key)
  }

  find(kind: string, subject: string): Job | undefined {
    const key = jobKey(kind, subject)
    const queued = this.#queue.find(key)
    return queued && (queued.job ?? this.#db.find(jobs, key))
  }

  /** How many jobs are still to be run, recurring ones not counted. */
  get pending(): number {
    return this.#queue.oneOff
  }

  get advancing(): boolean {
    return this.#effects !== undefined
  }

  nextDue(): number | undefined {
    return this.#queue.peek()?.due
  }

  /** Whether a job is due now. */
  get isDue(): boolean {
    const due = this.nextDue()
    return due !== undefined && due <= this.#clock.reading()
  }

  /** Reports what just happened to the subscribers, the counters and a running advance. */
  record(kind: string, fields: Readonly<Record<string, unknown>>): void {
    this.counters.countEffect(kind, fields)
    if (!this.#effects && this.bus.subscribers === 0) return
    const effect = { at: this.#clock.now(), kind, ...fields }
    this.bus.publish(effect)
    this.#effects?.add(effect)
  }

  /** Runs what is due by now, without moving a frozen clock and without waiting for jobs that take time. */
  runDue(): void {
    if (this.advancing) return
    const sliceEnd = this.#options.wall() + SLICE_MS
    for (let top = this.#queue.peek(); top && top.due <= this.#clock.reading(); top = this.#queue.peek()) {
      if (this.#options.wall() > sliceEnd) return
      this.#clock.pin(top.due)
      try {
        this.#runner.start(this.#take(top))
      } finally {
        this.#clock.release()
      }
    }
  }

  /** Runs all that falls due up to an instant, each job at its own; resolves when all of it is done. */
  async advanceTo(until: number): Promise<Advanced> {
    return this.#advance((due) => due <= until, until)
  }

  /** Advances until only recurring jobs are left, or to `horizon`. */
  async advanceUntilIdle(horizon: number): Promise<Advanced> {
    return this.#advance((due) => due <= horizon && this.#queue.oneOff > 0, undefined)
  }

  /** Stores where the clock stands, for the next start. */
  saveClock(): void {
    const { offsetMs, frozenAt } = this.#clock.state()
    const saved = this.#savedClock
    if (frozenAt === saved?.frozenAt && (frozenAt !== null || offsetMs === saved.offsetMs)) return
    this.#savedClock = this.#db.put(clockRow, { offsetMs, frozenAt })
  }

  /** Multiplies what is left of every simulated wait, when the clock was stopped, started or given another pace. */
  rescale(factor: number): void {
    const now = this.#clock.now()
    for (const job of [...this.#db.all(jobs)].sort((a, b) => a.due - b.due || a.turn - b.turn)) {
      if (!job.paced || job.due <= now || !this.#queue.has(jobs.idOf(job))) continue
      this.schedule({ ...job, due: Math.round(now + (job.due - now) * factor) })
    }
    this.saveClock()
    this.#options.onChange()
  }

  /** Ends the agenda of a world that is gone: nothing more is run, and a running advance fails. */
  stop(): void {
    this.#stopped = true
    this.#queue.clear()
    this.bus.end()
  }

  async #advance(goOn: (due: number) => boolean, until: number | undefined): Promise<Advanced> {
    if (this.advancing) {
      throw new Problem('conflict', 'This world is already being advanced; wait for that call to return.')
    }
    if (this.#stopped) throw gone()
    const effects = new Effects()
    this.#effects = effects
    try {
      await this.#runner.idle()
      await this.#runThrough(goOn)
      if (this.#stopped) throw gone()
      if (until !== undefined) this.#clock.pin(until)
      return effects.result()
    } finally {
      this.#clock.release()
      this.saveClock()
      this.#effects = undefined
      this.#options.onChange()
    }
  }

  async #runThrough(goOn: (due: number) => boolean): Promise<void> {
    let sliceEnd = this.#options.wall() + SLICE_MS
    for (let top = this.#queue.peek(); top && goOn(top.due); top = this.#queue.peek()) {
      this.#clock.pin(top.due)
      this.saveClock()
      const running = this.#runner.run(this.#take(top))
      if (running) await running
      this.#db.storeMuch()
      if (!running && this.#options.wall() > sliceEnd) {
        await new Promise((resolve) => setImmediate(resolve))
        sliceEnd = this.#options.wall() + SLICE_MS
      }
    }
  }

  /** Runs a job that was deferred; `findTransient` gives one that has no row. */
  resume(key: string, findTransient: () => Job | undefined): void {
    const job = this.#stopped ? undefined : (this.#db.find(jobs, key) ?? findTransient())
    if (job) this.#runner.start(job)
  }

  /** A job that throws is a bug in Petri and is not run again; the others go on. */
  #failed({ kind, subject }: Job, error: unknown): void {
    this.record('bug', { detail: String(error), job: kind, subject })
    this.#options.reportBug(error)
  }

  #take({ key, job }: QueuedJob): Job {
    this.#queue.remove(key)
    return job ?? this.#db.get(jobs, key)
  }

  #enqueue(job: Job, keepJob = job.due <= this.#clock.reading()): string {
    this.#nextTurn = Math.max(this.#nextTurn, job.turn + 1)
    return this.#stopped ? jobs.idOf(job) : this.#queue.enqueue(job, keepJob)
  }

  #scheduled(key: string, job: Job): void {
    this.#runner.attachContext(key, job)
    if (!this.advancing) this.#options.onChange()
  }
}

const gone = () =>
  new Problem('conflict', 'This world was reset or dropped while its clock was being advanced.')
