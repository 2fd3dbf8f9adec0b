import type { Clock, ClockState } from '../kernel/clock.ts'
import { Problem } from '../kernel/problem.ts'
import type { Database } from '../storage/database.ts'
import { table } from '../storage/table.ts'
import { DueJobs, type Entered } from './due-jobs.ts'
import { Effects } from './effects.ts'
import { Feed } from './event-bus.ts'
import { type Advanced, type Job, type JobHandler, jobKey, jobs, PUT_OFF } from './job.ts'

export { type Advanced, type Job, type JobHandler, jobKey, jobs, PUT_OFF }

/** Where the clock stood last; one row. */
export const clockRow = table<ClockState>('clock', () => 'clock')

/** Wall milliseconds of advancing after which others get a turn. */
const SLICE_MS = 8

/** A world's jobs, run in the order they fall due; the only thing that moves a world's clock. */
export class Agenda {
  readonly #db: Database
  readonly #clock: Clock
  readonly #handlers: ReadonlyMap<string, JobHandler>
  readonly #wall: () => number
  readonly #onChange: () => void
  readonly #reportBug: (error: unknown) => void
  readonly #toDo = new DueJobs()
  readonly #beside = new Set<Promise<void>>()
  /** What happens in this world, for those who watch. */
  readonly feed = new Feed()
  readonly #effects = new Effects()
  #nextTurn = 0
  #kept: ClockState | undefined
  #stopped = false

  constructor(
    db: Database,
    clock: Clock,
    handlers: ReadonlyMap<string, JobHandler>,
    wall: () => number,
    onChange: () => void,
    reportBug: (error: unknown) => void,
  ) {
    this.#db = db
    this.#clock = clock
    this.#handlers = handlers
    this.#wall = wall
    this.#onChange = onChange
    this.#reportBug = reportBug
    for (const job of db.all(jobs)) this.#enter(job)
  }

  add(job: Omit<Job, 'turn'>): void {
    const entered = { ...job, turn: this.#nextTurn }
    const key = this.#enter(entered)
    this.#db.putText(jobs, key, JSON.stringify(entered))
    this.#added(key, entered)
  }

  /** The same for a job that somebody's rows tell of: who adds it adds it again when the world is opened again. */
  addUnwritten(job: Omit<Job, 'turn'>): void {
    const entered = { ...job, turn: this.#nextTurn }
    this.#added(this.#enter(entered, true), entered)
  }

  remove(kind: string, subject: string): void {
    const key = jobKey(kind, subject)
    this.#toDo.forget(key)
    this.feed.drop(key)
    this.#db.delete(jobs, key)
  }

  find(kind: string, subject: string): Job | undefined {
    const key = jobKey(kind, subject)
    const entered = this.#toDo.find(key)
    return entered && (entered.job ?? this.#db.find(jobs, key))
  }

  /** Jobs still to be done, those that come back for ever not counted. */
  get pending(): number {
    return this.#toDo.oneOff
  }

  get advancing(): boolean {
    return this.#effects.isOpen
  }

  nextDue(): number | undefined {
    return this.#toDo.peek()?.due
  }

  /** Whether there is something to be done now. */
  get isDue(): boolean {
    const due = this.nextDue()
    return due !== undefined && due <= this.#clock.reading()
  }

  /** Tells whoever is advancing the clock, and whoever watches, what just happened. */
  record(kind: string, what: Readonly<Record<string, unknown>>): void {
    this.feed.tell(kind, what, this.#clock)
    this.#effects.add(kind, what, this.#clock)
  }

  /** Runs what is due by now, without moving a frozen clock and without waiting for what runs beside the agenda. */
  runDue(): void {
    if (this.advancing) return
    const sliceEnd = this.#wall() + SLICE_MS
    for (let top = this.#toDo.peek(); top && top.due <= this.#clock.reading(); top = this.#toDo.peek()) {
      if (this.#wall() > sliceEnd) return
      this.#clock.pin(top.due)
      try {
        const running = this.#run(this.#take(top))
        if (running) this.#track(running)
      } finally {
        this.#clock.release()
      }
    }
  }

  /** Runs all that falls due up to an instant, each job at its own; resolves when nothing of it is left to do. */
  async advanceTo(until: number): Promise<Advanced> {
    return this.#advance((due) => due <= until, until)
  }

  /** Advances until only jobs that come back for ever are left, or to `horizon`. */
  async advanceUntilIdle(horizon: number): Promise<Advanced> {
    return this.#advance((due) => due <= horizon && this.#toDo.oneOff > 0, undefined)
  }

  /** Writes down where the clock stands, for the next start. */
  keepClock(): void {
    const { offsetMs, frozenAt } = this.#clock.state()
    const kept = this.#kept
    if (frozenAt === kept?.frozenAt && (frozenAt !== null || offsetMs === kept.offsetMs)) return
    this.#kept = this.#db.put(clockRow, { offsetMs, frozenAt })
  }

  /** Tells that the clock was stopped, started or given another pace: what is left of every simulated wait is multiplied by a factor. */
  rescale(factor: number): void {
    const now = this.#clock.now()
    for (const job of [...this.#db.all(jobs)].sort((a, b) => a.due - b.due || a.turn - b.turn)) {
      if (!job.paced || job.due <= now || !this.#toDo.has(jobs.idOf(job))) continue
      this.add({ ...job, due: Math.round(now + (job.due - now) * factor) })
    }
    this.keepClock()
    this.#onChange()
  }

  /** Ends it, for the world is gone: nothing more is run, and whoever is advancing the clock is told. */
  stop(): void {
    this.#stopped = true
    this.#toDo.clear()
    this.feed.end()
  }

  async #advance(goOn: (due: number) => boolean, until: number | undefined): Promise<Advanced> {
    if (this.advancing) {
      throw new Problem('conflict', 'This world is already being advanced; wait for that call to return.')
    }
    if (this.#stopped) throw gone()
    this.#effects.open()
    try {
      while (this.#beside.size > 0) await Promise.all(this.#beside)
      await this.#runThrough(goOn)
      if (this.#stopped) throw gone()
      if (until !== undefined) this.#clock.pin(until)
      return this.#effects.soFar()
    } finally {
      this.#clock.release()
      this.keepClock()
      this.#effects.close()
      this.#onChange()
    }
  }

  async #runThrough(goOn: (due: number) => boolean): Promise<void> {
    let sliceEnd = this.#wall() + SLICE_MS
    for (let top = this.#toDo.peek(); top && goOn(top.due); top = this.#toDo.peek()) {
      this.#clock.pin(top.due)
      this.keepClock()
      const running = this.#run(this.#take(top))
      if (running) await running
      this.#db.storeMuch()
      if (!running && this.#wall() > sliceEnd) {
        await new Promise((resolve) => setImmediate(resolve))
        sliceEnd = this.#wall() + SLICE_MS
      }
    }
  }

  /** Does a job that was put off when its turn came, or one that is not written down. */
  resume(key: string, unwritten: () => Job | undefined): void {
    const job = this.#stopped ? undefined : (this.#db.find(jobs, key) ?? unwritten())
    const running = job && this.#run(job)
    if (running) this.#track(running)
  }

  /** A job that takes time stays in the database until it is done, so that it is done again if Petri dies meanwhile. */
  #run(job: Job): Promise<void> | undefined {
    const key = jobs.idOf(job)
    try {
      const handler = this.#handlers.get(job.kind)
      if (!handler) throw new Error(`nobody knows how to do a job of kind ${job.kind}`)
      const running = this.feed.takeUp(key, () => handler(job))
      if (running === PUT_OFF) return undefined
      if (running) return running.catch((error) => this.#failed(job, error)).then(() => this.#discard(key))
    } catch (error) {
      this.#failed(job, error)
    }
    this.#discard(key)
    return undefined
  }

  /** A job that fails is a bug and is not tried again; the others go on. */
  #failed({ kind, subject }: Job, error: unknown): void {
    this.record('bug', { detail: String(error), job: kind, subject })
    this.#reportBug(error)
  }

  /** Unless it was added again meanwhile. */
  #discard(key: string): void {
    if (this.#toDo.has(key)) return
    this.feed.drop(key)
    this.#db.delete(jobs, key)
  }

  #track(running: Promise<void>): void {
    this.#beside.add(running)
    running.then(() => this.#beside.delete(running))
  }

  #take({ key, job }: Entered): Job {
    this.#toDo.forget(key)
    return job ?? this.#db.get(jobs, key)
  }

  #enter(job: Job, isHeld = job.due <= this.#clock.reading()): string {
    this.#nextTurn = Math.max(this.#nextTurn, job.turn + 1)
    return this.#stopped ? jobs.idOf(job) : this.#toDo.enter(job, isHeld)
  }

  #added(key: string, { recurring }: Job): void {
    if (!recurring) this.feed.leave(key)
    if (!this.advancing) this.#onChange()
  }
}

const gone = () =>
  new Problem('conflict', 'This world was reset or dropped while its clock was being advanced.')
