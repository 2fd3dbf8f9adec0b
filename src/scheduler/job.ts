import * as z from 'zod'
import { instantMs, type RowOf, table } from '../storage/table.ts'

/** The id of a job's row. A kind contains no slash. */
export const jobKey = (kind: string, subject: string): string => `${kind}/${subject}`

/** Work that is due at an instant. It is a row instead of a closure, so that it survives a restart and can be inspected. */
export const jobs = table(
  'jobs',
  () =>
    z.object({
      due: instantMs(),
      /** Of jobs due at the same instant, the lower one runs first. A job scheduled by a job has the same turn. */
      turn: z.number(),
      /** Of jobs of the same turn, the lower one runs first; 0 by default. */
      rank: z.number().exactOptional(),
      /** Determines the handler. */
      kind: z.string(),
      /** Identifies the object it concerns. Each subject has at most one job of a kind; scheduling another replaces it. */
      subject: z.string(),
      /** Whether `due` is a scenario time instead of an instant of the clock. */
      inScenarioTime: z.boolean().exactOptional(),
      /** Whether it schedules itself again forever, so that `advance until idle` does not wait for it. */
      recurring: z.boolean().exactOptional(),
      data: z.unknown().optional(),
    }),
  ({ kind, subject }) => jobKey(kind, subject),
)
export type Job = RowOf<typeof jobs>

/** A kind of jobs. */
export interface JobKind {
  /** What its jobs do, in words. */
  readonly does: string
  /** What their subjects identify; other ids if it is missing. A user's id may be followed by more after a slash. */
  readonly about?: 'order' | 'appointment' | 'message' | 'user'
  /** The group of a job, by its key. In a frozen world and during an advance, jobs of a group that are due at the same instant run together. */
  readonly groupOf?: (key: string) => string
  /** The queue of a job. In a live world, the jobs of a queue run one after the other. */
  readonly queueOf?: (job: Job) => string
  /** When a recurring job is due next, by the current instant. Jobs of such a kind are run again after they threw. */
  readonly nextDue?: (now: number) => number
}

/** Runs a job with the others of its group. The promise is awaited in a frozen world and during an advance, but not in a live world. */
export type RunJob = (job: Job, others: readonly Job[]) => void | Promise<void>

/** A job that threw. */
export interface JobFailure {
  /** Milliseconds since 1970, by the world's clock. */
  readonly at: number
  readonly kind: string
  readonly subject: string
  readonly detail: string
}

/** A change in the world; `at` is the time of the world's clock. */
export interface Effect {
  readonly at: number
  readonly kind: string
  readonly [field: string]: unknown
}

export interface Advanced {
  readonly effects: readonly Effect[]
  /** The number of further effects that are not listed. */
  readonly dropped: number
  /** Whether it was stopped before its end. */
  readonly stopped: boolean
}

/** A job to be scheduled: due at an instant of the clock, or after milliseconds of scenario time. */
export type NewJob = Omit<Job, 'due' | 'inScenarioTime' | 'turn' | 'rank'> &
  ({ readonly due: number } | { readonly afterScenarioMs: number })
