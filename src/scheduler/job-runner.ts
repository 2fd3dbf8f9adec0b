import QuickLRU from 'quick-lru'
import type { Database } from '../storage/database.ts'
import { currentContext, type RequestContext, runInContext } from './context.ts'
import { DEFERRED, type Job, type JobHandler, jobs } from './job.ts'

/** The most jobs that are remembered with the request that scheduled them. */
const MOST_CONTEXTS = 5000

export interface JobRunnerOptions {
  readonly db: Database
  readonly handlers: ReadonlyMap<string, JobHandler>
  /** Whether a job was scheduled again while it ran. */
  readonly isQueued: (key: string) => boolean
  readonly onFailure: (job: Job, error: unknown) => void
}

/** Runs jobs, each in the context of the request that scheduled it. */
export class JobRunner {
  readonly #options: JobRunnerOptions
  readonly #contexts = new QuickLRU<string, RequestContext>({ maxSize: MOST_CONTEXTS })
  readonly #running = new Set<Promise<void>>()

  constructor(options: JobRunnerOptions) {
    this.#options = options
  }

  /** Remembers the current request as the one that schedules a job. */
  attachContext(key: string, { recurring }: Job): void {
    const context = recurring ? undefined : currentContext()
    if (context) this.#contexts.set(key, context)
    else this.#contexts.delete(key)
  }

  detachContext(key: string): void {
    this.#contexts.delete(key)
  }

  /** Returns a promise for a job that takes time. Its row stays until it is done, so that it is run again if Petri dies meanwhile. */
  run(job: Job): Promise<void> | undefined {
    const { handlers, onFailure } = this.#options
    const key = jobs.idOf(job)
    try {
      const handler = handlers.get(job.kind)
      if (!handler) throw new Error(`there is no handler for jobs of kind ${job.kind}`)
      const running = runInContext(this.#contexts.get(key), () => handler(job))
      if (running === DEFERRED) return undefined
      if (running) return running.catch((error) => onFailure(job, error)).then(() => this.#discard(key))
    } catch (error) {
      onFailure(job, error)
    }
    this.#discard(key)
    return undefined
  }

  /** Runs a job without waiting for it. */
  start(job: Job): void {
    const running = this.run(job)
    if (!running) return
    this.#running.add(running)
    running.then(() => this.#running.delete(running))
  }

  /** Resolves when no job that was started is running. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  #discard(key: string): void {
    if (this.#options.isQueued(key)) return
    this.#contexts.delete(key)
    this.#options.db.delete(jobs, key)
  }
}
