import { clamp } from '../kernel/compare.ts'
import { HOUR_MS, MINUTE_MS } from '../kernel/instant.ts'
import { kept } from '../kernel/kept.ts'
import { normalWithin } from '../kernel/normal.ts'
import { bodyOfDay } from './daily.ts'
import type { DayClock } from './day-clock.ts'
import { between, type Noise, noiseOf, wholeBetween } from './noise.ts'
import { ageOn, type Body, type Person } from './person.ts'

/** Source: docs/contract/health-data.md#timeseries, hypnogram. */
export const STAGES = { deep: 1, light: 2, rem: 3, awake: 4 } as const
export type Stage = (typeof STAGES)[keyof typeof STAGES]

/** Instants in milliseconds since 1970. */
export interface StageSpan {
  readonly start: number
  readonly end: number
  readonly stage: Stage
}

/** From going to bed to getting up: a night or a nap. */
export interface Sleep {
  readonly kind: 'night' | 'nap'
  /** The local date of getting up. */
  readonly date: string
  readonly start: number
  readonly end: number
  /** Contiguous, from start to end. */
  readonly stages: readonly StageSpan[]
  readonly person: Person
  /** The body of the day on which it ends. */
  readonly body: Body
  /** Beats per minute by which the heart is faster than usual in this night. */
  readonly beats: number
}

/** The shortest and the longest night. */
const HOURS_IN_BED = [3.6, 13.9] as const

/** The night that ends on a day. */
export const nightOf = kept(8, (person: Person, clock: DayClock): Sleep => {
  const { date } = clock
  const body = bodyOfDay(person, date)
  const noise = noiseOf(person.random, `night/${person.drawKey}/${date}`)
  const half = (clamp((body.sleepHours * 100) / body.sleepEfficiency, ...HOURS_IN_BED) * 60) / 2
  const start = clock.start + Math.round(body.midSleepMinute - half) * MINUTE_MS
  const end = clock.instantAt(Math.round(body.midSleepMinute + half))
  const deviation = (ordinal: number) => normalWithin(noise(ordinal), 0, 1, -2, 2)
  const minutes = (end - start) / MINUTE_MS
  const shares = {
    deep: deepShareAt(ageOn(person, date)) * Math.exp(0.21 * deviation(100)),
    rem: REM * between(noise(30), 0.8, 1.2),
  }
  const stages = stagesOf(noise, { start, minutes, efficiency: body.sleepEfficiency / 100, shares })
  return { kind: 'night', date, start, end, stages, person, body, beats: 1.6 * deviation(101) }
})

/** The share of deep sleep: it falls until the age of 60 (Ohayon 2004); by how much is assumed. */
export const deepShareAt = (age: number): number => 0.25 - 0.002 * clamp(age, 15, 60)
const REM = 0.22

/** Time between a nap and a workout or the night. */
const APART = 30 * MINUTE_MS

/** The nap of a day, if any: seven hours after getting up, of 10 to 90 minutes, without deep sleep in a short one. Assumed. */
export function napsOf(
  night: Sleep,
  next: Sleep,
  workouts: readonly { readonly start: number; readonly end: number }[],
): Sleep[] {
  const { random, drawKey } = night.person
  const noise = noiseOf(random, `nap/${drawKey}/${night.date}`)
  const minutes = wholeBetween(noise(1), 10, 90)
  const start = night.end + 7 * HOUR_MS
  const end = start + minutes * MINUTE_MS
  const isFree = [...workouts, next].every((other) => end + APART < other.start || start > other.end + APART)
  if (noise(0) >= night.body.napsPerWeek / 7 || !isFree) return []
  const shares = minutes < 40 ? { deep: 0, rem: 0 } : { deep: 0.18, rem: 0.1 }
  const stages = stagesOf(noise, { start, minutes, efficiency: 0.86, shares })
  return [{ ...night, kind: 'nap', start, end, stages }]
}

/** Short awakenings within a cycle: how long, and how many at most. Assumed. */
const AROUSAL_MINUTES = 1.5
const MOST_AROUSALS = 4

interface SleepShape {
  readonly start: number
  readonly minutes: number
  /** The share of the minutes that are slept. */
  readonly efficiency: number
  readonly shares: { readonly deep: number; readonly rem: number }
}

/** Cycles of about ninety minutes: deep sleep early, REM sleep late. */
function stagesOf(noise: Noise, { start, minutes, efficiency, shares }: SleepShape): StageSpan[] {
  const asleep = minutes * efficiency
  const count = Math.max(1, Math.round(asleep / 95))
  const cycles = Array.from({ length: count }, (_, at) => at)
  const shareOf = (weight: (cycle: number) => number) => {
    const whole = cycles.reduce((sum, cycle) => sum + weight(cycle), 0)
    return (cycle: number) => weight(cycle) / whole
  }
  const latency = Math.min(minutes - asleep, clamp((minutes - asleep) * between(noise(0), 0.1, 0.5), 2, 60))
  const deepShare = shareOf((cycle) => Math.max(0.06, 0.4 - 0.11 * cycle))
  const remShare = shareOf((cycle) => 0.7 + cycle)
  const spans: StageSpan[] = []
  let spent = 0
  const spend = (stage: Stage, length: number) => {
    const from = Math.round(spent)
    spent += length
    const until = Math.min(minutes, Math.round(spent))
    if (until > from) spans.push({ start: start + from * MINUTE_MS, end: start + until * MINUTE_MS, stage })
  }
  spend(STAGES.awake, latency)
  const lengthOf = shareOf((cycle) => between(noise(50 + cycle), 0.72, 1.28))
  for (const cycle of cycles) {
    const whole = asleep * lengthOf(cycle)
    const deepMinutes = Math.min(0.6 * whole, asleep * shares.deep * deepShare(cycle))
    const rem = Math.min(whole - deepMinutes - 2, asleep * shares.rem * remShare(cycle))
    const light = whole - deepMinutes - rem
    const wake = (minutes - asleep - latency) / count
    const parts = 1 + Math.min(MOST_AROUSALS, Math.floor(wake / AROUSAL_MINUTES))
    spend(STAGES.light, 0.4 * light)
    spend(STAGES.deep, deepMinutes)
    for (let part = 0; part < parts; part++) {
      spend(STAGES.light, (0.6 * light) / parts)
      spend(STAGES.awake, wake / parts)
    }
    spend(STAGES.rem, rem)
  }
  const last = spans.pop()
  return last ? [...spans, { ...last, end: start + minutes * MINUTE_MS }] : spans
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
