import { MINUTE_MS } from '../../../kernel/instant.ts'
import { once } from '../../../kernel/once.ts'
import type { DayClock } from './clock.ts'
import { heartRates } from './heart.ts'
import { between, clamp, type Noise } from './noise.ts'
import type { Person } from './person.ts'
import type { Life, Rows } from './rows.ts'
import type { Sport } from './training.ts'

/** Quantities that are summed over minutes. */
export type Amount =
  | 'steps'
  /** Metres on foot. */
  | 'metres'
  /** Kilocalories above the resting rate. */
  | 'active'
  | 'basal'
  | 'floors'
  /** Minutes of standing or walking. */
  | 'standing'
  /** Minutes in daylight. */
  | 'daylight'

/** A day minute by minute; each part is computed on first use. */
export interface Minutes {
  readonly count: number
  /** The stage of sleep; 0 when awake. */
  readonly stage: Uint8Array
  /** The number of the day's workout, from 1; 0 for none. */
  readonly workout: Uint8Array
  /** Beats a minute. */
  heart(): Float32Array
  /** Entry `n` is the sum of the first `n` minutes. */
  sums(amount: Amount): Float64Array
}

/** The share of a day's steps in each hour of local time. */
// biome-ignore format: 24 hours a line.
const walking = [0, 0, 0, 0, 0, 0, 2, 6, 10, 5, 4, 5, 9, 6, 4, 4, 5, 8, 11, 7, 4, 2, 1, 0]
const wholeBusy = walking.reduce((sum, hour) => sum + 60 * hour, 0)

export function minutesOf(clock: DayClock, life: Life, noise: (purpose: string) => Noise): Minutes {
  const count = Math.round((clock.end - clock.start) / MINUTE_MS)
  const stage = new Uint8Array(count)
  const workout = new Uint8Array(count)
  const at = (instant: number) => clamp(Math.round((instant - clock.start) / MINUTE_MS), 0, count)
  for (const { stages } of life.nights)
    for (const span of stages) stage.fill(span.stage, at(span.start), at(span.end))
  for (const { start, end, index } of life.workouts) workout.fill(index + 1, at(start), at(end))
  const hours = hoursOf(clock, count)
  const steps = once(() => {
    const walked = walkedSteps(life.person, hours, stage, workout, noise('steps'))
    for (const { start, end, sport, intensity: vigour, index } of life.workouts) {
      const chance = noise(`cadence/${index}`)
      for (let minute = at(start); minute < at(end); minute++)
        walked[minute] = Math.round(sport.cadence * vigour * between(chance(minute), 0.96, 1.04))
    }
    return walked
  })
  const heart = once(() => heartRates(clock, life, { hours, steps: steps(), stage, workout }, noise))
  const known = new Map<Amount, Float64Array>()
  return {
    ...{ count, stage, workout, heart },
    sums(amount) {
      const sums = known.get(amount) ?? sumUp(amount, life, { hours, steps: steps(), stage, workout })
      known.set(amount, sums)
      return sums
    },
  }
}

/** Of a day of 24 hours. */
const plainHours = Uint8Array.from({ length: 1440 }, (_, minute) => minute / 60)

/** The local hour in each minute. */
function hoursOf(clock: DayClock, count: number): Uint8Array {
  if (count === 1440 && clock.offsetAt(clock.start) === clock.offsetAt(clock.end - 1)) return plainHours
  return Uint8Array.from({ length: count }, (_, minute) => {
    const instant = clock.start + minute * MINUTE_MS
    return Math.floor((instant / 1000 + clock.offsetAt(instant)) / 3600) % 24
  })
}

const SLOT = 15
/** The chance that a quarter of an hour has no steps. */
const IDLE = 0.15

/** Distributes the day's steps over quarters of an hour, and within each over some of its minutes. */
function walkedSteps(
  person: Person,
  hours: Uint8Array,
  stage: Uint8Array,
  workout: Uint8Array,
  noise: Noise,
): Float64Array {
  const weights = new Float64Array(hours.length)
  let whole = 0
  let slot = 0
  for (let minute = 0; minute < hours.length; minute++) {
    if (minute % SLOT === 0) slot = noise(2000 + minute / SLOT)
    const busy = walking[hours[minute] as number] as number
    if (busy === 0 || slot < IDLE || stage[minute] || workout[minute]) continue
    const chance = noise(minute)
    if (chance < 0.45) continue
    const weight = slot * chance * busy
    weights[minute] = weight
    whole += weight
  }
  const total = person.usualSteps * between(noise(3000), 0.78, 1.22) * walkingHoursShare(hours)
  let given = 0
  let weighed = 0
  for (let minute = 0; minute < weights.length; minute++) {
    const weight = weights[minute] as number
    if (weight === 0) continue
    weighed += weight
    const steps = Math.round((weighed / whole) * total) - given
    given += steps
    weights[minute] = Math.min(steps, 130)
  }
  return weights
}

/** The length of the day's walking hours relative to a usual day; not 1 when a time zone change skips or repeats some. */
function walkingHoursShare(hours: Uint8Array): number {
  let busy = 0
  for (const hour of hours) busy += walking[hour] as number
  return busy / wholeBusy
}

function sumUp(
  amount: Amount,
  { person, workouts }: Life,
  { hours, steps, stage, workout }: Rows,
): Float64Array {
  const sums = new Float64Array(hours.length + 1)
  const ofMinute = amounts[amount](person)
  let sum = 0
  for (let minute = 0; minute < hours.length; minute++) {
    const trained = workout[minute] as number
    const sport = trained === 0 ? undefined : workouts[trained - 1]?.sport
    sum += ofMinute(steps[minute] as number, sport, hours[minute] as number, stage[minute] === 0)
    sums[minute + 1] = sum
  }
  return sums
}

/** The contribution of one minute. */
type OfMinute = (steps: number, sport: Sport | undefined, hour: number, isUp: boolean) => number

const amounts: Readonly<Record<Amount, (person: Person) => OfMinute>> = {
  steps: () => (steps) => steps,
  metres:
    ({ strideM }) =>
    (steps, sport) =>
      steps * strideM * (sport?.strideFactor || 1),
  active:
    ({ weightKg }) =>
    (steps, sport) =>
      ((steps * 0.04 + (sport?.kcal ?? 0)) * weightKg) / 70,
  basal({ weightKg, sex }) {
    const each = (weightKg * 24 * (sex === 'male' ? 1 : 0.93)) / 1440
    return () => each
  },
  floors: () => (steps, sport) => (sport ? 0 : steps / 620),
  standing: () => (steps, _, __, isUp) => (isUp && steps > 12 ? 1 : 0),
  daylight: () => (steps, sport, hour) =>
    (sport?.isOutdoors || steps > 45) && hour >= 8 && hour < 19 ? 1 : 0,
}
