import { createRandom } from '../../src/kernel/random.ts'
import { type Course, type Known, makePerson } from '../../src/people/person.ts'
import type { Sport } from '../../src/people/training.ts'
import type { Workout } from '../../src/people/workouts.ts'

/** A course of life in which nothing is out of the ordinary. */
export const nothing: Course = { traits: {}, conditions: [], treatments: [], episodes: [] }

/** A person of the seed `one life`. */
export const someone = (nth: number, known: Known = {}) =>
  makePerson(createRandom('one life'), `user-${nth}`, known)

const sport: Sport = {
  id: 60,
  name: 'Yoga',
  slug: 'yoga',
  cadence: 0,
  effort: 0.5,
  kcal: 0,
  speed: 0,
  strideFactor: 1,
  minutes: [20, 40],
  isOutdoors: false,
  liked: [1, 1],
}

/** A workout from one instant to another, on the spot unless its sport says more. */
export const workoutOf = (
  start: number,
  end: number,
  of: Partial<Sport> = {},
  more: Partial<Workout> = {},
): Workout => ({
  index: 0,
  date: new Date(start).toISOString().slice(0, 10),
  sport: { ...sport, ...of },
  start,
  end,
  intensity: 1,
  pace: 1,
  ...more,
})
