import Queue from 'yocto-queue'
import { Latest } from '../kernel/kept.ts'
import { currentRequest, type RequestContext, runInJob } from './context.ts'
import { type Job, type JobKind, jobs, type RunJob } from './job.ts'

/** The maximum number of jobs whose request is remembered. */
const MAX_REQUESTS = 5000

export interface JobRunnerOptions {
  readonly kinds: ReadonlyMap<string, JobKind>
  readonly run: RunJob
  /** Called when a job is done; returns false if it was scheduled again meanwhile. */
  readonly onDone: (key: string) => boolean
  /** Called when a job has thrown. */
  readonly onFailure: (job: Job, error: unknown) => void
}

/** Runs jobs, each in the context of the request that scheduled it. */
export class JobRunner {
  readonly #options: JobRunnerOptions
  readonly #requests = new Latest<string, RequestContext>(MAX_REQUESTS)
  readonly #running = new Set<Promise<void>>()
  /** The keys of waiting jobs, by queue; a queue exists while one of its jobs is running. */
  readonly #queues = new Map<string, Queue<string>>()
  readonly #waiting = new Map<string, Job>()

  constructor(options: JobRunnerOptions) {
    this.#options = options
  }

  /** Called when a job is scheduled, for which it remembers the current request. The job replaces a waiting one. */
  onSchedule(key: string, recurring = false): void {
    this.cancel(key)
    const request = recurring ? undefined : currentRequest()
    if (request) this.#requests.set(key, request)
  }

  /** Forgets the request of a job, and the job if it is waiting. */
  cancel(key: string): void {
    this.#waiting.delete(key)
    this.#requests.delete(key)
  }

  /**
   * Runs a job with the others of its group, in the context of its request. Returns a promise if it is asynchronous. The
   * rows are kept until they are done, so that they are run again after a crash.
   */
  run(job: Job, others: readonly Job[] = []): Promise<void> | undefined {
    const all = [job, ...others]
    const fail = (error: unknown) => {
      for (const each of all) this.#options.onFailure(each, error)
    }
    const end = () => {
      for (const each of all) this.#end(jobs.idOf(each))
    }
    try {
      if (!this.#options.kinds.has(job.kind)) throw new Error(`there are no jobs of kind ${job.kind}`)
      const request = this.#requests.get(jobs.idOf(job))
      const running = runInJob(request, job.turn, () => this.#options.run(job, others))
      if (running) return running.catch(fail).then(end)
    } catch (error) {
      fail(error)
    }
    end()
    return undefined
  }

  /** Runs a job without waiting for it, once the earlier jobs of its queue are done. */
  start(job: Job): void {
    const name = this.#options.kinds.get(job.kind)?.queueOf?.(job)
    if (name === undefined) {
      this.#track(this.run(job))
      return
    }
    const key = jobs.idOf(job)
    const queue = this.#queues.get(name) ?? new Queue<string>()
    this.#waiting.set(key, job)
    queue.enqueue(key)
    if (this.#queues.has(name)) return
    this.#queues.set(name, queue)
    this.#runNext(name, queue)
  }

  get isRunning(): boolean {
    return this.#running.size > 0
  }

  /** Resolves when no started job is running. */
  async idle(): Promise<void> {
    while (this.isRunning) await Promise.all(this.#running)
  }

  /** No waiting job is run any more. */
  stop(): void {
    this.#waiting.clear()
  }

  /** Runs the next job of a queue that was neither cancelled nor replaced. */
  #runNext(name: string, queue: Queue<string>): void {
    for (let key = queue.dequeue(); key !== undefined; key = queue.dequeue()) {
      const job = this.#waiting.get(key)
      this.#waiting.delete(key)
      const running = job && this.run(job)
      if (!running) continue
      this.#track(running, () => this.#runNext(name, queue))
      return
    }
    this.#queues.delete(name)
  }

  #track(running: Promise<void> | undefined, then: () => void = () => undefined): void {
    if (!running) return
    this.#running.add(running)
    running.then(() => {
      this.#running.delete(running)
      then()
    })
  }

  #end(key: string): void {
    if (this.#waiting.has(key)) return
    if (this.#options.onDone(key)) this.#requests.delete(key)
  }
}
