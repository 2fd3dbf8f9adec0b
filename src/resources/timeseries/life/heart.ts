import type { Life, Rows } from './minutes.ts'
import { STAGES } from './night.ts'
import type { Noise } from './noise.ts'
import { highestHeart } from './person.ts'

/** Beats in each minute of a day: they rise with steps and training within minutes, and fall again. */
export function heartRates(
  date: string,
  { person, workouts }: Life,
  { hours, steps, stage, workout }: Rows,
  noise: Noise,
): Float32Array {
  const rest = person.restingHeart
  const highest = highestHeart(person, date)
  const heart = new Float32Array(hours.length)
  let rate = rest - 4
  for (let minute = 0; minute < heart.length; minute++) {
    const trained = workout[minute] ? workouts[(workout[minute] as number) - 1] : undefined
    const asleep = stage[minute] as number
    const target = trained
      ? rest + trained.sport.effort * trained.vigour * (highest - rest)
      : asleep
        ? rest + asleepBeats(asleep, hours[minute] as number)
        : rest + 7 + (steps[minute] as number) * 0.24
    rate += (target - rate) * (trained ? 0.35 : 0.2)
    heart[minute] = rate + (noise(minute) - 0.5) * (trained ? 6 : asleep ? 2.4 : 5)
  }
  return heart
}

/** The night is lowest between four and five. */
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
