import { MINUTE_MS } from '../../../kernel/instant.ts'
import type { DayClock } from './clock.ts'
import { type Meal, nutritionOf } from './food.ts'
import { STAGES } from './night.ts'
import type { Noise } from './noise.ts'
import { highestHeart } from './person.ts'
import type { Life, Rows } from './rows.ts'

/** Heart rate in each minute of a day: it follows steps, training, meals and stress with a delay of minutes. */
export function heartRates(
  clock: DayClock,
  { person, workouts, nights, meals }: Life,
  { hours, steps, stage, workout }: Rows,
  noise: (purpose: string) => Noise,
): Float32Array {
  const rest = person.restingHeart
  const highest = highestHeart(person, clock.date)
  const heart = new Float32Array(hours.length)
  const eaten = digestion(clock, hours.length, meals())
  const [chance, stress] = [noise('heart'), stressOf(noise('tension'))]
  const middle = ((nights[0].end + nights[1].start) / 2 - clock.start) / MINUTE_MS
  let rate = rest - 4 + nights[0].condition.beats
  for (let minute = 0; minute < heart.length; minute++) {
    const trained = workout[minute] ? workouts[(workout[minute] as number) - 1] : undefined
    const asleep = stage[minute] as number
    const { beats } = nights[minute < middle ? 0 : 1].condition
    const hour = hours[minute] as number
    const target = trained
      ? rest + trained.sport.effort * trained.intensity * (highest - rest)
      : asleep
        ? rest + beats + asleepBeats(asleep, hour)
        : rest +
          4 +
          0.4 * beats +
          (steps[minute] as number) * 0.24 +
          (eaten[minute] as number) +
          stress(minute, hour)
    rate += (target - rate) * (target > rate ? 0.35 : 0.2)
    heart[minute] = rate + (chance(minute) - 0.5) * (trained ? 6 : asleep ? 2.4 : 5)
  }
  return heart
}

/** The heart rate at night is lowest between 4:00 and 5:00. */
const byHour = [-1, -2, -3, -4, -5, -4, -2, 0]
const byStage: Readonly<Record<number, number>> = {
  [STAGES.deep]: -2,
  [STAGES.light]: -1,
  [STAGES.rem]: 1,
  [STAGES.awake]: 4,
}

/** Beats above the resting rate. */
const asleepBeats = (stage: number, hour: number): number =>
  (hour >= 12 ? 1 : (byHour[hour] ?? 0)) + (byStage[stage] ?? 0)

/** Minutes after a meal at which its effect peaks, and at which it ends. */
const DIGESTED = { most: 40, until: 180 } as const

/** Beats per minute added by meals: about seven for one of 600 kcal. */
function digestion({ start }: DayClock, count: number, meals: readonly Meal[]): Float32Array {
  const beats = new Float32Array(count)
  for (const { at, foods } of meals) {
    const [first, most] = [Math.round((at - start) / MINUTE_MS), (7 * nutritionOf(foods).kcal) / 600]
    for (let passed = 1; passed < DIGESTED.until && first + passed < count; passed++) {
      const share = passed / DIGESTED.most
      beats[first + passed] = (beats[first + passed] as number) + most * share * Math.exp(1 - share)
    }
  }
  return beats
}

/** Minutes that a period of stress lasts. */
const STRESS_MINUTES = 45

/** Beats per minute added by stress, mostly in working hours. */
function stressOf(noise: Noise): (minute: number, hour: number) => number {
  const level = (part: number) => Math.max(0, noise(part) - 0.4) * 16
  return (minute, hour) => {
    const part = Math.floor(minute / STRESS_MINUTES)
    const share = minute / STRESS_MINUTES - part
    const beats = level(part) * (1 - share) + level(part + 1) * share
    return hour >= 9 && hour < 18 ? beats : beats * 0.4
  }
}
