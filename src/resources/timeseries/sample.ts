import type { Day } from './life/day.ts'
import type { Workout } from './life/training.ts'

/** Whose device it is. */
export interface Wearer {
  readonly userId: string
  readonly provider: string
  readonly timeZone: string
}

/** One measurement; instants in milliseconds since 1970. */
export interface Sample {
  readonly start: number
  /** Not itself part of the sample; the start again where it is of one instant. */
  readonly end: number
  /** Null where the provider does not tell. */
  readonly offsetSeconds: number | null
  /** Null where a series says it in other fields. */
  readonly value: number | string | null
  readonly type: string | null
  /** Fields only this series has. */
  readonly more?: Readonly<Record<string, unknown>>
  /** What it was measured in, where a series is kept by workout. */
  readonly workout?: Workout
}

/** The samples of a series that begin on a day, oldest first, as far as they have come by `until`. A function of its arguments. */
export type Draw = (day: Day, wearer: Wearer, until: number) => Sample[]

/** Providers whose times are those of the clock on the wall, written as if that were UTC. Source: contract/wearables.md §9. */
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
