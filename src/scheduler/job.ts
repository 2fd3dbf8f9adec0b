import * as z from 'zod'
import { instantMs, type RowOf, table } from '../storage/table.ts'

/** The id of a job's row. A kind has no slash. */
export const jobKey = (kind: string, subject: string): string => `${kind}/${subject}`

/** Work that is due at an instant. A row, not a closure, so that it survives a restart and can be inspected. */
export const jobs = table(
  'jobs',
  () =>
    z.object({
      due: instantMs(),
      /** Of jobs due at the same instant, the lower runs first. A job that was scheduled by a job has its turn. */
      turn: z.number(),
      /** Of jobs of the same turn, the lower runs first; 0 if left out. */
      rank: z.number().exactOptional(),
      /** Which handler runs it. */
      kind: z.string(),
      /** What it concerns. A subject has at most one job of a kind: scheduling another replaces it. */
      subject: z.string(),
      /** `due` is in scenario time, not an instant of the clock. */
      inScenarioTime: z.boolean().exactOptional(),
      /** Schedules itself again without end, so `advance until idle` does not wait for it. */
      recurring: z.boolean().exactOptional(),
      data: z.unknown().optional(),
    }),
  ({ kind, subject }) => jobKey(kind, subject),
)
export type Job = RowOf<typeof jobs>

/** Returned by a handler that cannot run the job now. The job stays in the database until the handler's owner resumes it. */
export const DEFERRED = Symbol('deferred')

/** Runs a job. A promise is awaited in a frozen world and while the clock is being advanced; a live world goes on without it. */
export interface JobHandler {
  (job: Job): void | Promise<void> | typeof DEFERRED
  /** Jobs of the same group that are due at the same instant run side by side; the handler commits them in order. */
  readonly groupOf?: (key: string) => string
}

/** A job that threw, and so will not be run again. */
export interface JobFailure {
  /** Milliseconds since 1970, the world's clock. */
  readonly at: number
  readonly kind: string
  readonly subject: string
  readonly detail: string
}

/** Something that happened while the clock was moving. `at` is the world's time. */
export interface Effect {
  readonly at: number
  readonly kind: string
  readonly [field: string]: unknown
}

export interface Advanced {
  readonly effects: readonly Effect[]
  /** How many more there were than are listed. */
  readonly dropped: number
  /** Whether it was stopped before it was through. */
  readonly stopped: boolean
}

/** A job as it is given to the scheduler: due at an instant of the clock, or after milliseconds of scenario time. */
export type NewJob = Omit<Job, 'due' | 'inScenarioTime' | 'turn' | 'rank'> &
  ({ readonly due: number } | { readonly afterScenarioMs: number })
