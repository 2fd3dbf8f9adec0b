import { clamp } from '../kernel/compare.ts'
import { MINUTE_MS } from '../kernel/instant.ts'
import type { DayClock } from './day-clock.ts'
import type { Sleep } from './night.ts'
import type { Body, Person } from './person.ts'
import { plannedTraining, type Sport } from './training.ts'

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

/** Minutes between sleep and training, and between two workouts. */
const REST = 25
const PAUSE = 120

/** The workouts of a day: none, one or two, between the nights; `withDevice` is a sport that the person has a device for. */
export function workoutsOf(
  person: Person,
  body: Body,
  nights: readonly [Sleep, Sleep],
  { date, end, instantAt }: DayClock,
  withDevice?: string,
): Workout[] {
  const earliest = nights[0].end + REST * MINUTE_MS
  const latest = Math.min(nights[1].start, end) - REST * MINUTE_MS
  const workouts: Workout[] = []
  const planned = plannedTraining(person, date, body.workoutsPerWeek, withDevice)
  for (const { sport, minute, minutes, intensity } of planned) {
    const start = Math.max(instantAt(minute), earliest)
    const ends = start + minutes * MINUTE_MS
    const isFree = workouts.every(
      (other) => start > other.end + PAUSE * MINUTE_MS || ends + PAUSE * MINUTE_MS < other.start,
    )
    if (!isFree || ends > latest) continue
    const pace = clamp(0.62 + body.vo2Max / 100, 0.8, 1.5) * intensity
    workouts.push({ index: 0, date, sport, start, end: ends, intensity, pace })
  }
  return workouts.sort((a, b) => a.start - b.start).map((workout, index) => ({ ...workout, index }))
}
