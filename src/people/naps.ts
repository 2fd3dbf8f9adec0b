import { HOUR_MS, MINUTE_MS } from '../kernel/instant.ts'
import { normalQuantile } from '../kernel/normal.ts'
import type { DayClock } from './day-clock.ts'
import type { Meal } from './food.ts'
import { napOf, type Sleep } from './night.ts'
import { clamp, noiseOf } from './noise.ts'
import type { Person } from './person.ts'
import type { Workout } from './workouts.ts'

/** What a person did on a day, apart from napping. */
export interface Doings {
  readonly person: Person
  /** The nights that end and begin on the day. */
  readonly nights: readonly [Sleep, Sleep]
  readonly workouts: readonly Workout[]
  readonly meals: () => readonly Meal[]
}

/** Minutes of naps: about 40 % are shorter than 25 (Pilcher 2001: almost half are shorter than 20 minutes). */
const LENGTH = { median: 30, logSd: 0.6, least: 10, most: 120 } as const

/** Hours after getting up at which a nap begins; assumed. */
const AWAKE_HOURS = 7
/** Time awake around a nap. */
const AWAKE_BEFORE_NIGHT = 2.5 * HOUR_MS
const APART = 20 * MINUTE_MS

/** The nap of a day, if any, never during a meal or a workout. */
export function napsOf({ person, nights, workouts, meals }: Doings, { date, end }: DayClock): Sleep[] {
  const [night, next] = nights
  const noise = noiseOf(person.random, `nap/${person.drawKey}/${date}`)
  if (noise(0) >= night.body.napsPerWeek / 7) return []
  const drawn = LENGTH.median * Math.exp(LENGTH.logSd * normalQuantile(noise(1)))
  const minutes = Math.round(clamp(drawn, LENGTH.least, LENGTH.most))
  const later = AWAKE_HOURS * HOUR_MS + 40 * MINUTE_MS * normalQuantile(noise(2))
  const start = night.end + Math.round(later / MINUTE_MS) * MINUTE_MS
  const nap = napOf(night, noiseOf(person.random, `nap stages/${person.drawKey}/${date}`), start, minutes)
  const isFree = (from: number, until: number) => until + APART < nap.start || from > nap.end + APART
  const fits =
    nap.end < Math.min(next.start - AWAKE_BEFORE_NIGHT, end - APART) &&
    isFree(night.start, night.end) &&
    workouts.every((workout) => isFree(workout.start, workout.end)) &&
    meals().every(({ at }) => isFree(at, at))
  return fits ? [nap] : []
}
