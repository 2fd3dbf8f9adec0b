import { clamp } from '../kernel/compare.ts'
import { MINUTE_MS } from '../kernel/instant.ts'
import { largest } from '../kernel/list.ts'
import { once } from '../kernel/once.ts'
import type { DayClock } from './day-clock.ts'
import { type Sleep, STAGES } from './night.ts'
import { between, courseAt, type Noise } from './noise.ts'
import { ageOn, type Body, highestHeart, type Person, strideOf, weightOf } from './person.ts'
import { curves, valueAt } from './points.ts'
import type { Workout } from './workouts.ts'

/** What a person did on a day, as its device records it. */
interface Life {
  readonly person: Person
  readonly body: Body
  /** The nights that end and begin on the day. */
  readonly nights: readonly [Sleep, Sleep]
  readonly naps: readonly Sleep[]
  readonly workouts: readonly Workout[]
}

/** A day's rows, minute by minute. */
interface Rows {
  readonly hours: Uint8Array
  readonly steps: Float64Array
  readonly stage: Uint8Array
  readonly workout: Uint8Array
}

/** The rate that the heart aims at in each minute of a day: steps, training, stress and sleep. */
function aimsOf(
  clock: DayClock,
  { person, body, workouts, nights }: Life,
  { hours, steps, stage, workout }: Rows,
  noise: (purpose: string) => Noise,
): (minute: number) => number {
  const highest = highestHeart(person, clock.date)
  const stress = stressOf(noise('tension'))
  const strain = strainOf(workouts, noise)
  const perStep = walkingEffort(body) / BRISK_STEPS
  const evening = (nights[1].start - clock.start) / MINUTE_MS
  return (minute) => {
    const trained = workout[minute] ? workouts[(workout[minute] as number) - 1] : undefined
    const asleep = stage[minute] as number
    const { beats, body: bodyThen } = nights[minute < evening ? 0 : 1]
    const rest = bodyThen.restingHeart
    const hour = hours[minute] as number
    if (trained) {
      const passed = minute - Math.round((trained.start - clock.start) / MINUTE_MS)
      const effort = trained.sport.slug === 'walking' ? walkingEffort(body) : trained.sport.effort
      const share = Math.min(0.97, effort * strain(trained, passed))
      return rest + share * (highest - rest)
    }
    if (asleep) return rest + beats + valueAt(byHour, hour + (minute % 60) / 60) + (byStage[asleep] ?? 0)
    const moved = (steps[minute] as number) * perStep * (highest - rest)
    return rest + AWAKE_BEATS + 0.4 * beats + moved + stress(minute, hour)
  }
}

/** Beats per minute above the resting rate of somebody awake, most of them of digestion. Assumed. */
const AWAKE_BEATS = 6.5

/** Minutes of the day before from which the rate is followed, so that a day begins where it has ended. */
const LEAD_MINUTES = 45

/** Heart rate in each minute of a day: it follows its aims with a delay of minutes. */
function heartRates(before: Minutes, today: Minutes, chance: Noise): Float32Array {
  const heart = new Float32Array(today.count)
  const first = Math.max(0, before.count - LEAD_MINUTES)
  let rate = before.count > 0 ? before.aim(first) : today.aim(0)
  for (let minute = first; minute < before.count; minute++) rate = following(rate, before.aim(minute))
  for (let minute = 0; minute < heart.length; minute++) {
    rate = following(rate, today.aim(minute))
    heart[minute] = rate + (chance(minute) - 0.5) * today.variation(minute)
  }
  return heart
}

/** The rate after a minute; it rises faster than it falls. */
const following = (rate: number, aim: number): number => rate + (aim - rate) * (aim > rate ? 0.55 : 0.2)

/** Steps a minute of a brisk walk. */
const BRISK_STEPS = 110

/** The share of the heart rate reserve that a brisk walk takes, about 3.5 MET: 39 % of a usual fitness, more of a low one. Assumed. */
const walkingEffort = ({ vo2Max }: Body): number => clamp(0.39 + 0.011 * (36 - vo2Max), 0.22, 0.65)

const WARM_UP_MINUTES = 9

/** The factor of a workout's effort after some minutes: warming up, and uneven like hills or sets. */
function strainOf(
  workouts: readonly Workout[],
  noise: (purpose: string) => Noise,
): (workout: Workout, passed: number) => number {
  const courses = workouts.map(({ index }) => noise(`strain/${index}`))
  return ({ index, intensity }, passed) => {
    const warm = 0.84 + 0.16 * Math.min(1, passed / WARM_UP_MINUTES)
    return intensity * warm * (1 + 0.16 * courseAt(courses[index] as Noise, passed / 3.5))
  }
}

/** Beats above the resting rate in sleep, by hour of local time: fewest between 4:00 and 5:00. Assumed. */
const byHour = curves.get('beatsByHour')
const byStage: Readonly<Record<number, number>> = {
  [STAGES.deep]: -2,
  [STAGES.light]: -1,
  [STAGES.rem]: 1,
  [STAGES.awake]: 4,
}

/** By how many beats the heart differs from its rate at most. */
const VARIATION = { training: 6, asleep: 2.4, awake: 5 } as const

/** Minutes that a period of stress lasts. */
const STRESS_MINUTES = 45

/** Beats per minute added by stress, mostly in working hours. */
const stressOf =
  (noise: Noise): ((minute: number, hour: number) => number) =>
  (minute, hour) =>
    (hour >= 9 && hour < 18 ? 10 : 4) * Math.max(0, courseAt(noise, minute / STRESS_MINUTES))

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
  /** The rate that the heart aims at. */
  aim(minute: number): number
  /** By how many beats it differs from that at most. */
  variation(minute: number): number
  /** Beats a minute. */
  heart(): Float32Array
  /** Entry `n` is the sum of the first `n` minutes. */
  sums(amount: Amount): Float64Array
}

/** The share of a day's steps in each hour of local time. */
const walking = curves.get('stepsByHour').map(([, share]) => share)
const wholeBusy = walking.reduce((sum, hour) => sum + 60 * hour, 0)

/** `before` returns the minutes of the day before. */
export function minutesOf(
  clock: DayClock,
  life: Life,
  noise: (purpose: string) => Noise,
  before: () => Minutes,
): Minutes {
  const count = Math.round((clock.end - clock.start) / MINUTE_MS)
  const stage = new Uint8Array(count)
  const workout = new Uint8Array(count)
  const at = (instant: number) => clamp(Math.round((instant - clock.start) / MINUTE_MS), 0, count)
  for (const { stages } of [...life.nights, ...life.naps])
    for (const span of stages) stage.fill(span.stage, at(span.start), at(span.end))
  for (const { start, end, index } of life.workouts) workout.fill(index + 1, at(start), at(end))
  const hours = hoursOf(clock, count)
  const steps = once(() => {
    const walked = walkedSteps(life.body, hours, stage, workout, noise('steps'))
    for (const { start, end, sport, intensity: vigour, index } of life.workouts) {
      const chance = noise(`cadence/${index}`)
      for (let minute = at(start); minute < at(end); minute++)
        walked[minute] = Math.round(sport.cadence * vigour * between(chance(minute), 0.96, 1.04))
    }
    return walked
  })
  const aims = once(() => aimsOf(clock, life, { hours, steps: steps(), stage, workout }, noise))
  const known = new Map<Amount, Float64Array>()
  const minutes: Minutes = {
    count,
    stage,
    workout,
    aim: (minute) => aims()(minute),
    variation(minute) {
      if (workout[minute]) return VARIATION.training
      return stage[minute] ? VARIATION.asleep : VARIATION.awake
    },
    heart: once(() => heartRates(before(), minutes, noise('heart'))),
    sums(amount) {
      const sums =
        known.get(amount) ?? sumUp(amount, life, clock.date, { hours, steps: steps(), stage, workout })
      known.set(amount, sums)
      return sums
    },
  }
  return minutes
}

/** The local hour in each minute. */
function hoursOf(clock: DayClock, count: number): Uint8Array {
  return Uint8Array.from({ length: count }, (_, minute) => {
    const instant = clock.start + minute * MINUTE_MS
    return Math.floor((instant / 1000 + clock.offsetAt(instant)) / 3600) % 24
  })
}

const SLOT = 15
/** The chance that a quarter of an hour has no steps. */
const IDLE = 0.15
/** The chance that a quarter of an hour is a walk: most of its minutes have steps, about as many each. Assumed. */
const WALK = 0.12
const WALKED_MINUTES = 0.8
/** How busy a minute of a walk is, relative to the busiest of others. */
const WALK_WEIGHT = 1.1
/** The share of other minutes that have steps. */
const STIRRING = 0.3
const MOST_STEPS = 125

/** The share of a day's steps in each hour of the clock, as early and late risers live it. */
function walkingOf({ midSleepMinute }: Body): readonly number[] {
  const later = clamp(Math.round((midSleepMinute - 205) / 75), -1, 8)
  return later === 0 ? walking : walking.map((_, hour) => walking[(hour - later + 24) % 24] as number)
}

/** Distributes the day's steps over quarters of an hour, and within each over some of its minutes. */
function walkedSteps(
  body: Body,
  hours: Uint8Array,
  stage: Uint8Array,
  workout: Uint8Array,
  noise: Noise,
): Float64Array {
  const weights = new Float64Array(hours.length)
  const byHour = walkingOf(body)
  const busiest = largest(byHour)
  let whole = 0
  let slot = 0
  for (let minute = 0; minute < hours.length; minute++) {
    if (minute % SLOT === 0) slot = noise(2000 + minute / SLOT)
    const busy = byHour[hours[minute] as number] as number
    if (busy === 0 || slot < IDLE || stage[minute] || workout[minute]) continue
    const chance = noise(minute)
    const isWalk = slot > 1 - WALK
    if (chance < (isWalk ? 1 - WALKED_MINUTES : 1 - STIRRING)) continue
    const weight = isWalk
      ? WALK_WEIGHT * busiest * (0.85 + 0.15 * chance)
      : slot * chance * chance * busy * 0.5
    weights[minute] = weight
    whole += weight
  }
  const total = body.usualSteps * walkingHoursShare(hours, byHour)
  let given = 0
  let weighed = 0
  for (let minute = 0; minute < weights.length; minute++) {
    const weight = weights[minute] as number
    if (weight === 0) continue
    weighed += weight
    // What one minute cannot hold is left to the next.
    const steps = Math.min(MOST_STEPS, Math.round((weighed / whole) * total) - given)
    given += steps
    weights[minute] = steps
  }
  return weights
}

/** The length of the day's walking hours relative to a usual day; not 1 when a time zone change skips or repeats some. */
function walkingHoursShare(hours: Uint8Array, byHour: readonly number[]): number {
  let busy = 0
  for (const hour of hours) busy += byHour[hour] as number
  return busy / wholeBusy
}

function sumUp(
  amount: Amount,
  { person, body, workouts }: Life,
  date: string,
  { hours, steps, stage, workout }: Rows,
): Float64Array {
  const sums = new Float64Array(hours.length + 1)
  const ofMinute = amounts[amount]({
    sex: person.sex,
    age: ageOn(person, date),
    heightCm: body.heightCm,
    strideM: strideOf(body),
    weightKg: weightOf(body),
  })
  let sum = 0
  for (let minute = 0; minute < hours.length; minute++) {
    const trained = workout[minute] as number
    const workoutThen = trained === 0 ? undefined : workouts[trained - 1]
    sum += ofMinute(steps[minute] as number, workoutThen, hours[minute] as number, stage[minute] === 0)
    sums[minute + 1] = sum
  }
  return sums
}

/** The contribution of one minute. */
type OfMinute = (steps: number, workout: Workout | undefined, hour: number, isUp: boolean) => number

interface Build extends Pick<Person, 'sex'> {
  readonly strideM: number
  readonly weightKg: number
  readonly heightCm: number
  /** Years. */
  readonly age: number
}

const amounts: Readonly<Record<Amount, (build: Build) => OfMinute>> = {
  steps: () => (steps) => steps,
  metres:
    ({ strideM }) =>
    (steps, workout) =>
      steps * strideM * (workout ? workout.sport.strideFactor * workout.pace : 1),
  active:
    ({ weightKg }) =>
    (steps, workout) =>
      ((steps * 0.04 + (workout ? workout.sport.kcal * workout.pace : 0)) * weightKg) / 70,
  // Mifflin and others 1990. A quarter more for digestion and for sitting up: a day with less than 1.4 times as much is sedentary (DRI 2002).
  basal({ weightKg, heightCm, age, sex }) {
    const each = (1.25 * (10 * weightKg + 6.25 * heightCm - 5 * age + (sex === 'male' ? 5 : -161))) / 1440
    return () => each
  },
  floors: () => (steps, workout) => (workout ? 0 : steps / 620),
  standing: () => (steps, _, __, isUp) => (isUp && steps > 12 ? 1 : 0),
  daylight: () => (steps, workout, hour) =>
    (workout?.sport.isOutdoors || steps > 45) && hour >= 8 && hour < 19 ? 1 : 0,
}
