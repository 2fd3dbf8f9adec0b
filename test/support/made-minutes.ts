import { MINUTE_MS } from '../../src/kernel/instant.ts'
import { dayOf } from '../../src/people/day.ts'
import { type Minutes, minutesOf } from '../../src/people/minutes.ts'
import type { Sleep, Stage } from '../../src/people/night.ts'
import type { Noise } from '../../src/people/noise.ts'
import type { Body, Person } from '../../src/people/person.ts'
import type { Sport } from '../../src/people/training.ts'
import type { Workout } from '../../src/people/workouts.ts'
import { someone, workoutOf } from './lives.ts'

// Days minute by minute, of which the parts are made up.

export const DATE = '2026-01-06'
export const person = someone(2)
export const day = dayOf(person, 'UTC', DATE)
export const at = (minute: number) => day.start + minute * MINUTE_MS

export const noMinutes: Minutes = { ...day.minutes, count: 0 }

export interface MadeMinutes {
  readonly who?: Person
  readonly body?: Partial<Body>
  readonly workouts?: readonly Workout[]
  readonly naps?: readonly Sleep[]
  /** Draws by purpose; those that are not named are in the middle, except that there are neither steps nor stress. */
  readonly noise?: Readonly<Record<string, Noise>>
  readonly before?: Minutes
}

/** A night that is not slept. */
const awake = (sleep: Sleep): Sleep => ({ ...sleep, stages: [] })

/** The minutes of the day of somebody who does not sleep, walk or train on it unless it is said. */
export function madeMinutes({
  who = person,
  body,
  workouts = [],
  naps = [],
  noise = {},
  before = noMinutes,
}: MadeMinutes = {}) {
  const nights = [awake(day.nights[0]), awake(day.nights[1])] as const
  const draws: Readonly<Record<string, Noise>> = { tension: () => 0, steps: () => 0, ...noise }
  const life = {
    person: who,
    nights,
    workouts,
    naps,
    body: { ...day.body, vo2Max: 36, midSleepMinute: 205, usualSteps: 1500, ...body },
  }
  return minutesOf(
    day,
    life,
    (purpose) => draws[purpose] ?? (() => 0.5),
    () => before,
  )
}

/** A workout from one minute to another, on the spot unless its sport says more. */
export const workoutAt = (from: number, until: number, ...more: [Partial<Sport>?, Partial<Workout>?]) =>
  workoutOf(at(from), at(until), ...more)

/** From noon. */
export const training = (minutes: number, sport?: Partial<Sport>, more?: Partial<Workout>) =>
  workoutAt(720, 720 + minutes, sport, more)

/** A nap of one stage, from one minute to another. */
export const napAt = (from: number, until: number, stage: Stage): Sleep => ({
  ...day.nights[0],
  kind: 'nap',
  start: at(from),
  end: at(until),
  stages: [{ start: at(from), end: at(until), stage }],
})
