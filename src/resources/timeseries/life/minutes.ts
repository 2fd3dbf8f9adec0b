import { MINUTE_MS } from '../../../kernel/instant.ts'
import type { DayClock } from './clock.ts'
import { STAGES, type Sleep } from './night.ts'
import { between, clamp, type Noise } from './noise.ts'
import { highestHeart, type Person } from './person.ts'
import type { Workout } from './training.ts'

/** What a day's minutes add up to: entry `n` is the sum of the first `n` minutes. */
export interface Sums {
  readonly steps: Float64Array
  /** On foot. */
  readonly metres: Float64Array
  /** Kilocalories beyond those of resting. */
  readonly active: Float64Array
  readonly basal: Float64Array
  readonly floors: Float64Array
  /** Minutes on one's feet. */
  readonly standing: Float64Array
  /** Minutes in daylight. */
  readonly daylight: Float64Array
}

/** A day minute by minute. */
export interface Minutes {
  readonly count: number
  readonly sums: Sums
  /** Beats a minute. */
  readonly heart: Float32Array
  /** The stage of sleep, or 0 when up. */
  readonly stage: Uint8Array
  /** Which workout of the day, from 1, or 0. */
  readonly workout: Uint8Array
}

interface Life {
  readonly person: Person
  readonly nights: readonly Sleep[]
  readonly workouts: readonly Workout[]
}

/** How much of a day's steps falls into each hour, by local time. */
// biome-ignore format: 24 hours a line.
const walking = [0, 0, 0, 0, 0, 0, 2, 6, 10, 5, 4, 5, 9, 6, 4, 4, 5, 8, 11, 7, 4, 2, 1, 0]

export function minutesOf(clock: DayClock, life: Life, noise: (purpose: string) => Noise): Minutes {
  const count = Math.round((clock.end - clock.start) / MINUTE_MS)
  const stage = new Uint8Array(count)
  const workout = new Uint8Array(count)
  const at = (instant: number) => clamp(Math.round((instant - clock.start) / MINUTE_MS), 0, count)
  for (const { stages } of life.nights)
    for (const span of stages) stage.fill(span.stage, at(span.start), at(span.end))
  for (const { start, end, index } of life.workouts) workout.fill(index + 1, at(start), at(end))
  const hours = hoursOf(clock, count)
  const steps = walkedSteps(life.person, hours, stage, workout, noise('steps'))
  for (const { start, end, sport, vigour, index } of life.workouts) {
    const chance = noise(`cadence/${index}`)
    for (let minute = at(start); minute < at(end); minute++)
      steps[minute] = Math.round(sport.cadence * vigour * between(chance(minute), 0.96, 1.04))
  }
  const heart = heartRates(life, highestHeart(life.person, clock.date), hours, steps, stage, workout, noise('heart'))
  return { count, stage, workout, heart, sums: sumsOf(life, hours, steps, stage, workout) }
}

/** The hour the clocks show in each minute. */
function hoursOf(clock: DayClock, count: number): Uint8Array {
  const hours = new Uint8Array(count)
  for (let minute = 0; minute < count; minute++) {
    const instant = clock.start + minute * MINUTE_MS
    hours[minute] = (((instant / 1000 + clock.offsetAt(instant)) / 3600) | 0) % 24
  }
  return hours
}

const SLOT = 15
/** Below this chance, a quarter of an hour is spent sitting. */
const IDLE = 0.15

/** Splits the day's steps by hour and chance among the quarters of an hour, and each of those among some of its minutes. */
function walkedSteps(
  person: Person,
  hours: Uint8Array,
  stage: Uint8Array,
  workout: Uint8Array,
  noise: Noise,
): Float64Array {
  const weights = new Float64Array(hours.length)
  let whole = 0
  for (let minute = 0; minute < hours.length; minute++) {
    if (stage[minute] || workout[minute]) continue
    const slot = noise(2000 + Math.floor(minute / SLOT))
    const chance = noise(minute)
    if (slot < IDLE || chance < 0.45) continue
    const weight = slot * chance * (walking[hours[minute] ?? 0] ?? 0)
    weights[minute] = weight
    whole += weight
  }
  const total = person.usualSteps * between(noise(3000), 0.78, 1.22)
  let given = 0
  let weighed = 0
  for (let minute = 0; minute < weights.length; minute++) {
    weighed += weights[minute] ?? 0
    const steps = Math.round((weighed / (whole || 1)) * total) - given
    given += steps
    weights[minute] = Math.min(steps, 130)
  }
  return weights
}

function heartRates(
  { person, workouts }: Life,
  highest: number,
  hours: Uint8Array,
  steps: Float64Array,
  stage: Uint8Array,
  workout: Uint8Array,
  noise: Noise,
): Float32Array {
  const rest = person.restingHeart
  const heart = new Float32Array(hours.length)
  let rate = rest - 4
  for (let minute = 0; minute < heart.length; minute++) {
    const trained = workouts[(workout[minute] ?? 0) - 1]
    const asleep = stage[minute] ?? 0
    const target = trained
      ? rest + trained.sport.effort * trained.vigour * (highest - rest)
      : asleep
        ? rest + asleepBeats(asleep, hours[minute] ?? 0)
        : rest + 7 + (steps[minute] ?? 0) * 0.24
    rate += (target - rate) * (trained ? 0.35 : 0.2)
    heart[minute] = rate + (noise(minute) - 0.5) * (trained ? 6 : asleep ? 2.4 : 5)
  }
  return heart
}

/** Beats above the resting rate; the night is lowest between four and five. */
function asleepBeats(stage: number, hour: number): number {
  const byHour = hour >= 12 ? 1 : [-1, -2, -3, -4, -5, -4, -2, 0][hour]
  const byStage = { [STAGES.deep]: -2, [STAGES.light]: -1, [STAGES.rem]: 1, [STAGES.awake]: 4 }
  return (byHour ?? 0) + (byStage[stage as keyof typeof byStage] ?? 0)
}

function sumsOf(
  { person, workouts }: Life,
  hours: Uint8Array,
  steps: Float64Array,
  stage: Uint8Array,
  workout: Uint8Array,
): Sums {
  const { length } = hours
  const fresh = () => new Float64Array(length + 1)
  const sums = {
    ...{ steps: fresh(), metres: fresh(), active: fresh(), basal: fresh() },
    ...{ floors: fresh(), standing: fresh(), daylight: fresh() },
  }
  const byWeight = person.weightKg / 70
  const basal = (person.weightKg * 24 * (person.sex === 'male' ? 1 : 0.93)) / 1440
  for (let minute = 0; minute < length; minute++) {
    const sport = workouts[(workout[minute] ?? 0) - 1]?.sport
    const walked = steps[minute] ?? 0
    const hour = hours[minute] ?? 0
    const isUp = !stage[minute]
    const add = (sum: Float64Array, amount: number) => {
      sum[minute + 1] = (sum[minute] ?? 0) + amount
    }
    add(sums.steps, walked)
    add(sums.metres, walked * person.strideM * (sport?.reach || 1))
    add(sums.active, (walked * 0.04 + (sport?.kcal ?? 0)) * byWeight)
    add(sums.basal, basal)
    add(sums.floors, sport ? 0 : walked / 620)
    add(sums.standing, isUp && walked > 12 ? 1 : 0)
    add(sums.daylight, (sport?.isOutdoors || walked > 45) && hour >= 8 && hour < 19 ? 1 : 0)
  }
  return sums
}
