import type { Meal } from './food.ts'
import type { Sleep } from './night.ts'
import type { Person } from './person.ts'
import type { Workout } from './training.ts'

export interface Life {
  readonly person: Person
  /** The nights that end and begin on the day. */
  readonly nights: readonly [Sleep, Sleep]
  readonly workouts: readonly Workout[]
  readonly meals: () => readonly Meal[]
}

/** A day's rows, minute by minute. */
export interface Rows {
  readonly hours: Uint8Array
  readonly steps: Float64Array
  readonly stage: Uint8Array
  readonly workout: Uint8Array
}
