import QuickLRU from 'quick-lru'
import { Slices } from '../kernel/slices.ts'
import { currentRequest, type RequestContext, runInJob } from './context.ts'
import { DEFERRED, type Job, type JobHandler, jobs } from './job.ts'

/** The maximum number of jobs whose request is remembered. */
const MAX_REQUESTS = 5000

export interface JobRunnerOptions {
  readonly handlers: ReadonlyMap<string, JobHandler>
  /** Called when a job is done; returns false if it was scheduled again meanwhile. */
  readonly onDone: (key: string) => boolean
  /** Called when a job has thrown. It is not run again. */
  readonly onFailure: (job: Job, error: unknown) => void
}

/** Runs jobs, each in the context of the request that scheduled it. */
export class JobRunner {
  readonly #options: JobRunnerOptions
  readonly #requests = new QuickLRU<string, RequestContext>({ maxSize: MAX_REQUESTS })
  readonly #running = new Set<Promise<void>>()

  constructor(options: JobRunnerOptions) {
    this.#options = options
  }

  /** Remembers that the current request schedules a job. */
  attachRequest(key: string, recurring = false): void {
    const request = recurring ? undefined : currentRequest()
    if (request) this.#requests.set(key, request)
    else this.#requests.delete(key)
  }

  detachRequest(key: string): void {
    this.#requests.delete(key)
  }

  /** Returns a promise for an asynchronous job. Its row is kept until it is done, so that it is run again after a crash. */
  run(job: Job): Promise<void> | undefined {
    const { handlers, onFailure } = this.#options
    const key = jobs.idOf(job)
    try {
      const handler = handlers.get(job.kind)
      if (!handler) throw new Error(`there is no handler for jobs of kind ${job.kind}`)
      const running = runInJob(this.#requests.get(key), job.turn, () => handler(job))
      if (running === DEFERRED) return undefined
      if (running) return running.catch((error) => onFailure(job, error)).then(() => this.#done(key))
    } catch (error) {
      onFailure(job, error)
    }
    this.#done(key)
    return undefined
  }

  /** Runs a job without waiting for it. */
  start(job: Job): void {
    const running = this.run(job)
    if (!running) return
    this.#running.add(running)
    running.then(() => this.#running.delete(running))
  }

  /** Resolves when no started job is running. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  #done(key: string): void {
    if (this.#options.onDone(key)) this.#requests.delete(key)
  }
}

/** The maximum number of concurrent jobs. */
const MAX_CONCURRENT = 64

/** The source of jobs for `runInOrder`. */
export interface JobSource<Next> {
  /** The next job; undefined if no job is to be run now. */
  peek(): Next | undefined
  /** Jobs of the same group may run concurrently. */
  groupOf(next: Next): string | undefined
  /** Runs the next job; returns a promise if it is asynchronous. */
  run(next: Next): Promise<void> | undefined
  /** Called after each job. */
  onStep(): void
}

/** Runs one job after the other, in slices. Concurrent jobs are those of a group that are due at the same instant. */
export async function runInOrder<Next extends { readonly due: number }>(
  source: JobSource<Next>,
): Promise<void> {
  const slices = new Slices()
  let running: Promise<void>[] = []
  let instant = Number.NaN
  let group: string | undefined
  for (;;) {
    const next = source.peek()
    const nextGroup = next && source.groupOf(next)
    const isBeside = next?.due === instant && nextGroup !== undefined && nextGroup === group
    if (running.length > 0 && (!isBeside || running.length >= MAX_CONCURRENT)) {
      await Promise.all(running)
      running = []
    } else if (next) {
      instant = next.due
      group = nextGroup
      const job = source.run(next)
      if (job) running.push(job)
    } else {
      return
    }
    source.onStep()
    // Not while concurrent jobs are running: jobs that one of them schedules run after all of them, on any machine.
    if (running.length === 0 && slices.isOver) await slices.next()
  }
}
