import type { Clock, ClockState } from '../kernel/clock.ts'
import type { JsonObject } from '../kernel/json.ts'
import { inNextTurn } from '../kernel/pause.ts'
import { conflict } from '../kernel/problem.ts'
import { runAtOnce, runInSlices, Slices } from '../kernel/slices.ts'
import type { Database } from '../storage/database.ts'
import { Activity, type Counters, type EventBus } from './activity.ts'
import { clockRow } from './clock-row.ts'
import {
  type Advanced,
  type Job,
  type JobFailure,
  type JobKind,
  jobKey,
  type NewJob,
  type RunJob,
} from './job.ts'
import { JobRunner } from './job-runner.ts'
import { JobStore, type PendingJob } from './job-store.ts'
import { ScenarioTime } from './scenario-time.ts'

/** The maximum number of jobs that run together. */
const MAX_TOGETHER = 64

export interface AgendaOptions {
  readonly db: Database
  readonly clock: Clock
  /** The rate of scenario time in a live world, relative to the clock. */
  readonly pace: () => number
  readonly kinds: ReadonlyMap<string, JobKind>
  readonly run: RunJob
  /** Called when a job was scheduled or an advance has ended. */
  readonly onChange: () => void
  readonly reportBug: (error: unknown) => void
  /** That of the same world before its rows left memory. */
  readonly earlierActivity?: Activity | undefined
}

/** A world's jobs, run in the order they fall due. Nothing else moves a world's clock. */
export class Agenda {
  readonly #options: AgendaOptions
  readonly #clock: Clock
  #savedClock: ClockState | undefined
  readonly activity: Activity
  /** The time of scenarios and simulated waits. */
  readonly scenarioTime: ScenarioTime
  readonly #jobs: JobStore
  readonly #runner: JobRunner
  #advance: { isStopping: boolean } | undefined
  /** Set while the due jobs of a frozen world are running. */
  #drain: { finished: Promise<void> } | undefined
  #closed = false

  constructor(options: AgendaOptions) {
    this.#options = options
    this.#clock = options.clock
    this.#savedClock = options.db.find(clockRow, 'clock')
    this.activity = new Activity(options.clock, options.reportBug, options.earlierActivity)
    this.scenarioTime = new ScenarioTime(options.db, options.clock)
    this.#jobs = new JobStore(options.db, options.clock, this.scenarioTime)
    this.#runner = new JobRunner({
      kinds: options.kinds,
      run: options.run,
      onDone: (key) => this.#closed || this.#jobs.forget(key),
      onFailure: (job, error) => {
        if (this.#closed) return
        this.cancel(job.kind, job.subject)
        this.scheduleNext(job.kind, job.subject)
        this.activity.recordFailure(job, error, this.advancing)
      },
    })
  }

  /** Queues the stored jobs, one at a step. Must be complete before any other call. */
  *load(): Generator<void, void> {
    yield* this.#jobs.load()
    this.#setScenarioRate()
  }

  /** Replaces a job of the same kind and subject. */
  schedule(job: NewJob): void {
    this.#add(job, false)
  }

  /** Schedules a recurring job for when its kind is due next; does nothing if the kind does not recur. */
  scheduleNext(kind: string, subject: string): void {
    const due = this.kinds.get(kind)?.nextDue?.(this.#clock.now())
    if (due !== undefined) this.schedule({ due, kind, subject, recurring: true })
  }

  /** Schedules a job without a row; the caller schedules it again when the world is opened again. */
  scheduleTransient(job: NewJob): void {
    this.#add(job, true)
  }

  cancel(kind: string, subject: string): void {
    this.#cancel(jobKey(kind, subject))
  }

  /** Cancels all jobs about these objects. */
  cancelAbout(ids: ReadonlySet<string>): void {
    for (const key of this.#jobs.keysAbout(ids)) this.#cancel(key)
  }

  find(kind: string, subject: string): Job | undefined {
    return this.#jobs.find(kind, subject)
  }

  /** The jobs that have a row, in no particular order; by default those of all subjects. */
  all(subjects?: readonly string[]): Iterable<Job> {
    const kinds = [...this.kinds.keys()]
    return this.#jobs.all(subjects?.flatMap((subject) => kinds.map((kind) => jobKey(kind, subject))))
  }

  get kinds(): ReadonlyMap<string, JobKind> {
    return this.#options.kinds
  }

  /** The number of pending jobs, without recurring ones. */
  get pending(): number {
    return this.#jobs.oneOff
  }

  get advancing(): boolean {
    return this.#advance !== undefined
  }

  assertNotAdvancing(): void {
    if (this.advancing) throw conflict('This world is being advanced; wait for that call to return.')
  }

  /** Identifies the running advance, or the running jobs of a frozen world. */
  get currentRun(): object | undefined {
    return this.#advance ?? this.#drain
  }

  /** Whether jobs are running that the world waits for. */
  get busy(): boolean {
    return this.currentRun !== undefined
  }

  /** Whether nothing is running, and nobody waits for what happens. */
  get isIdle(): boolean {
    return !this.busy && !this.#runner.isRunning && !this.bus.isAwaited
  }

  nextDue(): number | undefined {
    const next = this.#jobs.peek()
    return next && this.#jobs.dueOf(next)
  }

  /** Whether a job is due now. */
  get isDue(): boolean {
    return (this.nextDue() ?? Number.POSITIVE_INFINITY) <= this.#clock.reading()
  }

  get bus(): EventBus {
    return this.activity.bus
  }

  get counters(): Counters {
    return this.activity.counters
  }

  /** The latest jobs that threw. */
  get failures(): readonly JobFailure[] {
    return this.activity.failures
  }

  /** Reports an effect. */
  record(kind: string, fields: JsonObject): void {
    this.activity.record(kind, fields, this.advancing)
  }

  /** Runs the due jobs. A live world does not wait for asynchronous jobs; a frozen one runs one job after the other. */
  runDue(): void {
    if (this.busy) return
    if (this.#clock.frozen) this.#runFrozen()
    else this.#startDue()
  }

  /** Runs all jobs due up to an instant, each at its own time; resolves when all of them are done, or `signal` is aborted. */
  async advanceTo(until: number, signal?: AbortSignal): Promise<Advanced> {
    return this.#advanceWhile((due) => due <= until, { until, signal })
  }

  /**
   * Advances until only recurring jobs are left, or to `horizon`. It ends earlier once `isOver` returns true and all that is
   * due by then is done.
   */
  async advanceUntilIdle(
    horizon: number,
    {
      isOver = () => false,
      signal,
    }: { readonly isOver?: () => boolean; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<Advanced> {
    const isWanted = (due: number) => due <= this.#clock.now() || !isOver()
    return this.#advanceWhile((due) => due <= horizon && this.#jobs.oneOff > 0 && isWanted(due), { signal })
  }

  /** Stops a running advance after its running jobs; returns whether there was one. */
  stopAdvance(): boolean {
    if (this.#advance) this.#advance.isStopping = true
    return this.advancing
  }

  /**
   * Runs the steps of a job in slices. In a frozen world without an advance they run at once, so that the next call
   * finds the job done.
   */
  runSteps(steps: Generator<void, void>): void | Promise<void> {
    return this.#clock.frozen && !this.advancing ? runAtOnce(steps) : runInSlices(steps)
  }

  /** Stores the state of the clock for the next start. */
  saveClock(): void {
    const { offsetMs, frozenAt } = this.#clock.state()
    const saved = this.#savedClock
    if (frozenAt === saved?.frozenAt && (frozenAt !== null || offsetMs === saved.offsetMs)) return
    this.#savedClock = this.#options.db.put(clockRow, { offsetMs, frozenAt })
  }

  /** Stores the time at which a clock stands because the wall clock was set back: after a restart, it would be earlier. */
  saveStandingClock(): void {
    const { db } = this.#options
    if (this.#clock.waitsMs > 0 && this.#clock.isAheadOf(db.get(clockRow, 'clock')))
      db.put(clockRow, this.#clock.stored())
  }

  /** Lets a clock that stands still continue from where it is. Nothing that is due is skipped. */
  rebaseClock(): void {
    this.#clock.rebase()
    this.saveClock()
    this.#options.onChange()
  }

  /** Updates the rate of scenario time after the clock was frozen or unfrozen, or the pace has changed. */
  updateScenarioRate(): void {
    this.#setScenarioRate()
    this.saveClock()
    this.#options.onChange()
  }

  /** Resolves once all that is due now is done, deliveries included. */
  async settled(): Promise<void> {
    while (!this.#closed && (this.busy || this.isDue || this.#runner.isRunning)) {
      await this.#runner.idle()
      await new Promise((resolve) => inNextTurn(resolve))
    }
  }

  /** Whether its world was closed or replaced. */
  get stopped(): boolean {
    return this.#closed
  }

  /** Stops the agenda of a closed world: no further job is run, and a running advance fails. */
  stop(): void {
    this.#closed = true
    this.#jobs.clear()
    this.#runner.stop()
    this.bus.end()
  }

  #startDue(): void {
    const slices = new Slices()
    for (let next = this.#jobs.peek(); next; next = this.#jobs.peek()) {
      const due = this.#jobs.dueOf(next)
      if (due > this.#clock.reading() || slices.isOver) return
      this.#clock.pin(due)
      try {
        this.#runner.start(this.#jobs.take(next))
      } finally {
        this.#clock.release()
      }
    }
  }

  #runFrozen(): void {
    const drain = { finished: Promise.resolve() }
    this.#drain = drain
    const run = () => this.#runWhile((due) => due <= this.#clock.reading())
    // Jobs that were started before the clock was frozen.
    const running = this.#runner.isRunning ? this.#runner.idle().then(run) : run()
    drain.finished = running.catch(this.#options.reportBug).finally(() => {
      this.#drain = undefined
      this.#options.onChange()
    })
  }

  async #advanceWhile(
    isWanted: (due: number) => boolean,
    { until, signal }: { readonly until?: number; readonly signal: AbortSignal | undefined },
  ): Promise<Advanced> {
    this.assertNotAdvancing()
    if (this.#closed) throw gone()
    const advance = { isStopping: false }
    this.#advance = advance
    try {
      await this.#drain?.finished
      await this.#runner.idle()
      this.#setScenarioRate()
      await this.#runWhile((due) => {
        if (signal?.aborted) advance.isStopping = true
        return !advance.isStopping && isWanted(due)
      })
      if (this.#closed) throw gone()
      if (until !== undefined && !advance.isStopping) this.#clock.pin(until)
      return this.activity.takeEffects(advance.isStopping)
    } finally {
      this.#clock.release()
      this.activity.takeEffects()
      this.#advance = undefined
      this.updateScenarioRate()
    }
  }

  /** Runs one job after the other, or one group after the other, in slices. */
  async #runWhile(isWanted: (due: number) => boolean): Promise<void> {
    const slices = new Slices()
    for (let next = this.#jobs.peek(); next; next = this.#jobs.peek()) {
      const due = this.#jobs.dueOf(next)
      if (!isWanted(due)) return
      if (this.advancing) this.#clock.pin(due)
      this.saveClock()
      const running = this.#runner.run(this.#jobs.take(next), this.#takeOthers(next, due))
      if (running) await running
      this.#options.db.storeMuch()
      if (slices.isOver) await slices.next()
    }
  }

  /** The jobs that follow a job and are of its group and instant. */
  #takeOthers(job: PendingJob, due: number): Job[] {
    const group = this.#groupOf(job)
    const others: Job[] = []
    while (group !== undefined && others.length + 1 < MAX_TOGETHER) {
      const next = this.#jobs.peek()
      if (!next || this.#jobs.dueOf(next) !== due || this.#groupOf(next) !== group) break
      others.push(this.#jobs.take(next))
    }
    return others
  }

  #groupOf({ kind, key }: PendingJob): string | undefined {
    return this.kinds.get(kind)?.groupOf?.(key)
  }

  #setScenarioRate(): void {
    this.scenarioTime.setRate(this.#clock.frozen || this.advancing ? 1 : this.#options.pace())
  }

  #cancel(key: string): void {
    this.#jobs.remove(key)
    this.#runner.cancel(key)
  }

  #add(job: NewJob, isTransient: boolean): void {
    if (this.#closed) return
    this.#runner.onSchedule(this.#jobs.add(job, isTransient), job.recurring)
    if (!this.busy) this.#options.onChange()
  }
}

const gone = () => conflict('This world was reset or deleted while its clock was advanced.')
