import { createRandom } from '../../src/kernel/random.ts'
import { type Course, type Known, makePerson } from '../../src/people/person.ts'

/** A course of life in which nothing is out of the ordinary. */
export const nothing: Course = { traits: {}, conditions: [], treatments: [], episodes: [] }

/** A person of the seed `one life`. */
export const someone = (nth: number, known: Known = {}) =>
  makePerson(createRandom('one life'), `user-${nth}`, known)
