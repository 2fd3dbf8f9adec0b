import { MINUTE_MS } from '../kernel/instant.ts'
import { kept } from '../kernel/kept.ts'
import { normalWithin } from '../kernel/normal.ts'
import { isWeekend } from './daily.ts'
import { dayNumber } from './dates.ts'
import type { DayClock } from './day-clock.ts'
import type { Sleep } from './night.ts'
import { between, clamp, noiseOf } from './noise.ts'
import type { Body, Person } from './person.ts'

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
  /** How likely it is chosen at the age of 20 and at that of 80. */
  readonly liked: readonly [young: number, old: number]
}

// biome-ignore format: a table is read by its columns.
const sports: readonly Sport[] = [
  { id: 40, name: 'Running', slug: 'running', cadence: 162, effort: 0.74, kcal: 2.5, speed: 0, strideFactor: 1.3, minutes: [22, 48], isOutdoors: true, liked: [4, 0.2] },
  { id: 1, name: 'Walking', slug: 'walking', cadence: 108, effort: 0.36, kcal: 0, speed: 0, strideFactor: 1, minutes: [25, 55], isOutdoors: true, liked: [2.5, 8] },
  { id: 108, name: 'Road Biking', slug: 'road_biking', cadence: 0, effort: 0.62, kcal: 8, speed: 6.3, strideFactor: 0, minutes: [40, 95], isOutdoors: true, liked: [1.8, 1.2] },
  { id: 47, name: 'Swimming', slug: 'swimming', cadence: 0, effort: 0.58, kcal: 8.5, speed: 0.78, strideFactor: 0, minutes: [22, 45], isOutdoors: false, liked: [1, 1] },
  { id: 44, name: 'Strength Training', slug: 'strength_training', cadence: 0, effort: 0.48, kcal: 5, speed: 0, strideFactor: 0, minutes: [28, 65], isOutdoors: false, liked: [4, 0.8] },
  { id: 60, name: 'Yoga', slug: 'yoga', cadence: 0, effort: 0.24, kcal: 2.4, speed: 0, strideFactor: 0, minutes: [25, 60], isOutdoors: false, liked: [2, 1.2] },
]

/** Instants in milliseconds since 1970. */
export interface Workout {
  /** Its position on the day. */
  readonly index: number
  readonly date: string
  readonly sport: Sport
  readonly start: number
  readonly end: number
  /** Factor for effort on that day, about 1. */
  readonly intensity: number
  /** Factor for speed: how fit the person is, and the intensity. */
  readonly pace: number
}

/** A sport of a person, at a time of day. */
interface Habit {
  readonly sport: Sport
  /** Minutes of local time, on working days and at weekends. */
  readonly minute: number
  readonly weekendMinute: number
  /** Minutes that it usually lasts. */
  readonly lasts: number
}

/** One to three sports of a person, and how likely each day of the week is. */
const habitsOf = kept(16, ({ random, userId, birthDate }: Person, year: string) => {
  const noise = noiseOf(random, `habits/${userId}`)
  // Tastes change with the decades.
  const decade = Math.floor((Number(year) - Number(birthDate.slice(0, 4))) / 10)
  const old = clamp((decade * 10 - 15) / 60, 0, 1)
  const liked = sports
    .map((sport, at) => ({
      sport,
      rank: Math.log(noise(at) + 1e-9) / between(old, sport.liked[0], sport.liked[1]),
    }))
    .sort((a, b) => b.rank - a.rank)
  const habits = liked.slice(0, 1 + Math.floor(noise(20) * 3)).map(({ sport }, at): Habit => {
    const hour = noise(30 + at)
    const low = hour < 0.3 ? 375 : 980
    return {
      sport,
      minute: hour > 0.88 ? 725 + 60 * noise(40 + at) : low + (hour < 0.3 ? 110 : 230) * noise(40 + at),
      weekendMinute: between(noise(50 + at), 510, 1020),
      lasts: between(noise(60 + at), sport.minutes[0], sport.minutes[1]),
    }
  })
  return { habits, weekdays: Array.from({ length: 7 }, (_, at) => between(noise(70 + at), 0.3, 1.7)) }
})

/** Minutes between sleep and training, and between two workouts. */
const REST = 25
const PAUSE = 120

/** The workouts of a day: none, one or two, between the nights. */
export function workoutsOf(
  person: Person,
  body: Body,
  nights: readonly [Sleep, Sleep],
  { date, end, instantAt }: DayClock,
): Workout[] {
  const noise = noiseOf(person.random, `training/${person.userId}/${date}`)
  const day = dayNumber(date)
  const { habits, weekdays } = habitsOf(person, date.slice(0, 4))
  const daily = (body.workoutsPerWeek / 7) * (weekdays[(day + 3) % 7] ?? 1)
  const count = Number(noise(0) < daily) + Number(noise(1) < body.workoutsPerWeek / 7 - 0.85)
  const earliest = nights[0].end + REST * MINUTE_MS
  const latest = Math.min(nights[1].start, end) - REST * MINUTE_MS
  const first = Math.floor(noise(2) ** 1.6 * habits.length)
  const workouts: Workout[] = []
  const chosen = habits.map((_, at) => habits[(first + at) % habits.length] as Habit).slice(0, count)
  for (const { sport, minute, weekendMinute, lasts } of chosen) {
    const draw = (at: number) => noise(10 + workouts.length * 8 + at)
    const usual = isWeekend(day) ? weekendMinute : minute
    const planned = instantAt(Math.round(usual + 18 * normalWithin(draw(1), 0, 1, -2.5, 2.5)))
    const start = Math.max(planned, earliest)
    const ends = start + Math.round(lasts * between(draw(2), 0.75, 1.25)) * MINUTE_MS
    const isFree = workouts.every(
      (other) => start > other.end + PAUSE * MINUTE_MS || ends + PAUSE * MINUTE_MS < other.start,
    )
    if (!isFree || ends > latest) continue
    const intensity = between(draw(3), 0.92, 1.08)
    const pace = clamp(0.62 + body.vo2Max / 100, 0.8, 1.5) * intensity
    workouts.push({ index: 0, date, sport, start, end: ends, intensity, pace })
  }
  return workouts.sort((a, b) => a.start - b.start).map((workout, index) => ({ ...workout, index }))
}
