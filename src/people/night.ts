import { MINUTE_MS } from '../kernel/instant.ts'
import { normalWithin } from '../kernel/normal.ts'
import type { DayClock } from './day-clock.ts'
import { type Noise, noiseOf, wholeBetween } from './noise.ts'
import type { Body, Person } from './person.ts'

/** Source: contract/wearables.md §8.3, hypnogram. */
export const STAGES = { deep: 1, light: 2, rem: 3, awake: 4 } as const
type Stage = (typeof STAGES)[keyof typeof STAGES]

/** Instants in milliseconds since 1970. */
interface StageSpan {
  readonly start: number
  readonly end: number
  readonly stage: Stage
}

/** From going to bed to getting up. */
export interface Sleep {
  /** The local date of getting up. */
  readonly date: string
  readonly start: number
  readonly end: number
  /** Contiguous, from start to end. */
  readonly stages: readonly StageSpan[]
  readonly condition: Condition
}

/** How a night differs from the user's usual one. */
interface Condition {
  /** Added beats per minute. */
  readonly beats: number
  /** Multiples. */
  readonly hrv: number
  readonly breaths: number
  readonly deep: number
}

/** Standard deviations between nights of one person; the draws are truncated. */
function conditionOf(noise: Noise): Condition {
  const deviation = (ordinal: number) => normalWithin(noise(100 + ordinal), 0, 1, -2, 2)
  return {
    beats: 2.9 * deviation(0),
    hrv: Math.exp(0.19 * deviation(1)),
    breaths: 1 + 0.034 * deviation(2),
    deep: Math.exp(0.27 * normalWithin(noise(103), 0, 1, -1.75, 1.75)),
  }
}

/** The night that ends on a day. */
export function nightOf({ random, userId }: Person, body: Body, clock: DayClock): Sleep {
  const { date } = clock
  const usual = bedTimes(body)
  const noise = noiseOf(random, `night/${userId}/${date}`)
  const isWeekend = [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay())
  const bedMinute = Math.round(usual.bedMinute + (noise(0) - 0.5) * 40)
  const wakeMinute = Math.round(usual.wakeMinute + (noise(1) - 0.5) * 40 + (isWeekend ? 35 : 0))
  const start = clock.start - (1440 - bedMinute) * MINUTE_MS
  const end = clock.instantAt(wakeMinute)
  const condition = conditionOf(noise)
  return { date, start, end, stages: stagesBetween(noise, start, end, condition.deep), condition }
}

/** The usual minutes of going to bed and getting up, after midnight of the evening and of the morning. */
export function bedTimes({ sleepHours, sleepEfficiency, midSleepMinute }: Body) {
  const half = (sleepHours * 60 * 100) / sleepEfficiency / 2
  return { bedMinute: 1440 + midSleepMinute - half, wakeMinute: midSleepMinute + half }
}

/** Cycles of about ninety minutes: deep sleep early, REM sleep late. */
function stagesBetween(noise: Noise, start: number, end: number, deep: number): StageSpan[] {
  const spans: StageSpan[] = []
  let at = start
  let draw = 2
  const spend = (stage: Stage, low: number, high: number, times = 1) => {
    const minutes = Math.round(wholeBetween(noise(draw++), low, high) * times)
    const until = Math.min(end, at + minutes * MINUTE_MS)
    if (until > at) spans.push({ start: at, end: until, stage })
    at = until
  }
  spend(STAGES.awake, 6, 16)
  for (let cycle = 0; at < end; cycle++) {
    spend(STAGES.light, 18, 28)
    if (cycle < 4) spend(STAGES.deep, 32 - cycle * 7, 38 - cycle * 7, deep)
    spend(STAGES.light, 12, 22)
    spend(STAGES.rem, 9 + cycle * 5, 14 + cycle * 6)
    spend(STAGES.awake, 1, 5)
  }
  return spans
}

/** Seconds spent in each stage. */
export function secondsInStages({ stages }: Sleep): Record<keyof typeof STAGES, number> {
  const seconds = (wanted: Stage) =>
    stages.reduce((sum, { start, end, stage }) => sum + (stage === wanted ? (end - start) / 1000 : 0), 0)
  return {
    deep: seconds(STAGES.deep),
    light: seconds(STAGES.light),
    rem: seconds(STAGES.rem),
    awake: seconds(STAGES.awake),
  }
}
