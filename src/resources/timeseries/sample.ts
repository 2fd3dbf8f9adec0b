import type { Span } from '../connections/table.ts'
import type { Day } from './life/day.ts'
import type { Workout } from './life/training.ts'

/** The user and provider of data. */
export interface Wearer {
  readonly userId: string
  readonly provider: string
  readonly timeZone: string
}

/** One measurement; instants in milliseconds since 1970. */
export interface Sample {
  readonly start: number
  /** Exclusive; the same as `start` for a sample of one instant. */
  readonly end: number
  /** Null where the provider does not send it. */
  readonly offsetSeconds: number | null
  /** Null where a series has other fields instead. */
  readonly value: number | string | null
  readonly type: string | null
  /** The series' additional fields. */
  readonly more?: Readonly<Record<string, unknown>>
  /** The workout it was measured in, for series that are grouped by workout. */
  readonly workout?: Workout
}

/**
 * The samples of a series that begin on a day, oldest first. A function of its arguments. Those outside of the span may be left
 * out, and one that is not over when it ends has grown no further.
 */
export type Draw = (day: Day, wearer: Wearer, span: Span) => Sample[]

/** Providers that send local times as if they were UTC. Source: contract/wearables.md §9. */
const floating: readonly string[] = ['freestyle_libre', 'abbott_libreview']

export const isFloating = (provider: string): boolean => floating.includes(provider)

export const sampleAt = (
  day: Day,
  { provider }: Wearer,
  start: number,
  value: Sample['value'],
  rest: Partial<Sample> = {},
): Sample => ({
  start,
  end: start,
  offsetSeconds: isFloating(provider) ? null : day.offsetAt(start),
  value,
  type: null,
  ...rest,
})
