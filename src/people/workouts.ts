import { MINUTE_MS } from '../kernel/instant.ts'
import type { Random } from '../kernel/random.ts'
import type { DayClock } from './day-clock.ts'
import { between, noiseOf, wholeBetween } from './noise.ts'

export interface Sport {
  /** The `sport.id`; not stable by contract. */
  readonly id: number
  readonly name: string
  readonly slug: string
  /** Steps a minute. */
  readonly cadence: number
  /** Share of the heart rate reserve (from resting to maximum heart rate). */
  readonly effort: number
  /** Kilocalories per minute at 70 kg, in addition to those of the steps. */
  readonly kcal: number
  /** Metres per second without steps; 0 for sports on the spot. */
  readonly speed: number
  /** Step length as a multiple of a walking step. */
  readonly strideFactor: number
  readonly minutes: readonly [low: number, high: number]
  readonly isOutdoors: boolean
}

// biome-ignore format: a table is read by its columns.
const sports: readonly Sport[] = [
  { id: 40, name: 'Running', slug: 'running', cadence: 162, effort: 0.74, kcal: 2.5, speed: 0, strideFactor: 1.3, minutes: [22, 36], isOutdoors: true },
  { id: 1, name: 'Walking', slug: 'walking', cadence: 108, effort: 0.36, kcal: 0, speed: 0, strideFactor: 1, minutes: [25, 45], isOutdoors: true },
  { id: 108, name: 'Road Biking', slug: 'road_biking', cadence: 0, effort: 0.62, kcal: 8, speed: 7.2, strideFactor: 0, minutes: [40, 75], isOutdoors: true },
  { id: 47, name: 'Swimming', slug: 'swimming', cadence: 0, effort: 0.58, kcal: 8.5, speed: 0.85, strideFactor: 0, minutes: [25, 40], isOutdoors: false },
  { id: 44, name: 'Strength Training', slug: 'strength_training', cadence: 0, effort: 0.48, kcal: 5, speed: 0, strideFactor: 0, minutes: [30, 55], isOutdoors: false },
  { id: 60, name: 'Yoga', slug: 'yoga', cadence: 0, effort: 0.24, kcal: 2.4, speed: 0, strideFactor: 0, minutes: [25, 50], isOutdoors: false },
]

/** Instants in milliseconds since 1970. */
export interface Workout {
  /** Its position on the day. */
  readonly index: number
  readonly date: string
  readonly sport: Sport
  readonly start: number
  readonly end: number
  /** Factor for speed and effort on that day, about 1. */
  readonly intensity: number
}

/** When people train, in minutes of local time. */
const slots = [
  [450, 470],
  [735, 760],
  [1045, 1095],
] as const

/** The workouts of a day: none, one or two. */
export function workoutsOf(random: Random, userId: string, { date, instantAt }: DayClock): Workout[] {
  const noise = noiseOf(random, `training/${userId}/${date}`)
  const count = countOf(noise(0))
  const first = count === 2 ? 0 : Math.floor(noise(1) * slots.length)
  return Array.from({ length: count }, (_, index) => {
    const draw = (at: number) => noise(2 + index * 8 + at)
    // The second of a day has no steps, so that step counts stay plausible.
    const choice = index === 0 ? sports : sports.slice(2)
    const sport = choice[Math.floor(draw(0) * choice.length)] as Sport
    const [low, high] = slots[index === 0 ? first : 2] as readonly [number, number]
    const start = instantAt(wholeBetween(draw(1), low, high))
    const minutes = wholeBetween(draw(2), sport.minutes[0], sport.minutes[1])
    const intensity = between(draw(3), 0.94, 1.06)
    return { index, date, sport, start, end: start + minutes * MINUTE_MS, intensity }
  })
}

function countOf(chance: number): number {
  if (chance < 0.3) return 0
  return chance < 0.88 ? 1 : 2
}
