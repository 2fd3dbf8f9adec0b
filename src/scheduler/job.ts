import { table } from '../storage/table.ts'

/** Work to be done at an instant. A row, not a closure, so that it survives a restart and can be looked at. */
export interface Job {
  /** Milliseconds since 1970. */
  readonly due: number
  /** Of jobs due at the same instant, the lower goes first. */
  readonly turn: number
  /** Which handler does it. */
  readonly kind: string
  /** Whom it concerns. A subject has at most one job of a kind: adding another replaces it. */
  readonly subject: string
  /** A simulated wait, shortened in a live world by its pace; otherwise an instant of the calendar. */
  readonly paced?: boolean
  /** Comes back for ever, so nobody waits for it to be over. */
  readonly recurring?: boolean
  readonly data?: unknown
}

/** What a job is called; a kind has no slash. */
export const jobKey = (kind: string, subject: string): string => `${kind}/${subject}`

export const jobs = table<Job>('jobs', ({ kind, subject }) => jobKey(kind, subject))

/** What a handler answers that does the job later; until it then resumes it, the job stays in the database. */
export const PUT_OFF = Symbol('put off')

/** Does a job. One that answers a promise is awaited while the clock is being advanced, and runs beside the agenda otherwise. */
export type JobHandler = (job: Job) => void | Promise<void> | typeof PUT_OFF

/** Something that happened while the clock was moving. `at` is the world's time. */
export interface Effect {
  readonly at: number
  readonly kind: string
  readonly [field: string]: unknown
}

export interface Advanced {
  readonly effects: readonly Effect[]
  /** How many more there were than are told. */
  readonly dropped: number
}
