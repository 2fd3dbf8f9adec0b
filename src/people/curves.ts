import { clamp } from '../kernel/compare.ts'
import { MINUTE_MS, SECOND_MS } from '../kernel/instant.ts'
import { perOwner } from '../kernel/kept.ts'
import { bodyOfDay } from './daily.ts'
import { daysLater } from './dates.ts'
import { type Day, nightAt } from './day.ts'
import { nutritionOf } from './food.ts'
import { STAGES } from './night.ts'
import { between, courseAt, noiseOf, round, wholeBetween } from './noise.ts'
import type { Body } from './person.ts'
import type { Trait } from './traits.ts'

/** A quantity at any instant of a day, from the minute and a random number. */
export type Curve = (day: Day, instant: number, chance: number) => number

const minuteOf = (day: Day, instant: number) =>
  clamp(Math.floor((instant - day.start) / MINUTE_MS), 0, Math.max(0, day.minutes.count - 1))

/** Beats per minute, interpolated between minutes. */
export const heartRate: Curve = (day, instant, chance) => {
  const heart = day.minutes.heart()
  const minute = minuteOf(day, instant)
  const here = heart[minute] ?? day.body.restingHeart
  const share = (instant - day.start) / MINUTE_MS - minute
  return here + ((heart[minute + 1] ?? here) - here) * share + (chance - 0.5) + day.deviceBeats
}

/** Milliseconds of RMSSD: higher at a lower heart rate. */
export const heartRateVariability: Curve = (day, instant, chance) => {
  const beats = day.minutes.heart()[minuteOf(day, instant)] ?? day.body.restingHeart
  const { body } = nightAt(day, instant)
  return clamp(body.hrv * (body.restingHeart / beats) ** 1.8 * (0.85 + 0.3 * chance), 4, 220)
}

/** Breaths per minute during sleep. */
export const breathing: Curve = (day, instant, chance) => {
  const isRem = day.minutes.stage[minuteOf(day, instant)] === STAGES.rem
  return nightAt(day, instant).body.breathsPerMinute + (isRem ? 0.9 : 0) + (chance - 0.5) * 1.4
}

/** Percent. */
export const oxygen: Curve = (day, instant, chance) =>
  clamp(
    day.body.oxygen - (day.minutes.stage[minuteOf(day, instant)] ? 0.8 : 0) + (chance - 0.5) * 2.4,
    84,
    100,
  )

/** Percent: heart rate above rest without activity. */
export const stress: Curve = (day, instant, chance) => {
  const minute = minuteOf(day, instant)
  const above = (day.minutes.heart()[minute] ?? 0) - day.body.restingHeart
  return clamp((day.minutes.stage[minute] ? 14 : 26) + above * 0.9 + (chance - 0.5) * 12, 5, 75)
}

/** Millimoles per litre: fasting level, a rise at dawn, and a peak after each meal. */
export const glucose: Curve = (day, instant, chance) => {
  const swing = traitAt(day, instant, 'glucoseSwing')
  let value =
    traitAt(day, instant, 'fastingGlucose') + (chance - 0.5) * 0.06 + 0.75 * swing * wander(day, instant)
  const hour = day.hourAt(instant) - 6
  value += 0.35 * swing * Math.exp(-(hour * hour) / 3)
  for (const meal of day.mealsAround()) {
    const minutes = (instant - meal.at) / MINUTE_MS
    if (minutes <= 0 || minutes > DIGESTED_MINUTES) continue
    const peak = swing * Math.min(3.4, nutritionOf(meal.foods).carbs * 0.04)
    value += peak * (minutes / 52) ** 2 * Math.exp(2 - (2 * minutes) / 52)
  }
  for (const { at, halfMinutes, lowest } of lowsOf(day)) {
    const share = Math.exp(-(((instant - at) / MINUTE_MS / halfMinutes) ** 4))
    if (value > lowest) value += (lowest - value) * share
  }
  return Math.max(1.6, value)
}

/** When glucose can fall too low, in minutes of local time, and for how long; assumed. */
const lowTimes = [
  { trait: 'nightLowsPerWeek', from: 100, until: 270, halfMinutes: 80, perDay: 1 },
  { trait: 'lowsPerWeek', from: 620, until: 720, halfMinutes: 45, perDay: 2 },
  { trait: 'lowsPerWeek', from: 920, until: 1110, halfMinutes: 45, perDay: 2 },
] as const

/** The times of a day at which too much insulin was injected. */
const lowsOf = perOwner((day: Day) => {
  const noise = day.noise('lows')
  return lowTimes
    .filter(({ trait, perDay, from }) => noise(from) < day.body[trait] / 7 / perDay)
    .map(({ from, until, halfMinutes }) => ({
      at: day.instantAt(wholeBetween(noise(from + 1), from, until)),
      halfMinutes,
      lowest: between(noise(from + 2), 2.4, 3.7),
    }))
})

/** Minutes after a meal in which it shows. */
const DIGESTED_MINUTES = 360

/** A course between -1 and 1 over hours that no meal explains. */
const wander = (day: Day, instant: number): number =>
  courseAt(noiseOf(day.random, `glucose/${day.drawKey}`), instant / (75 * MINUTE_MS))

/** A trait between the middles of two days, so that no midnight shows. */
function traitAt(day: Day, instant: number, trait: Trait): number {
  const { start, end, body } = day
  const passed = (instant - start) / Math.max(1, end - start)
  const other = passed < 0.5 ? dayBefore(day) : dayAfter(day)
  return body[trait] + (other[trait] - body[trait]) * Math.abs(passed - 0.5)
}

/** Kept by day, because each sample of a series reads one of them. */
const neighbour = (days: number) =>
  perOwner(({ person, date }: Day): Body => bodyOfDay(person, daysLater(date, days)))
const dayBefore = neighbour(-1)
const dayAfter = neighbour(1)

/** Body temperature in degrees Celsius: lowest at 4:00, highest at 18:00. */
export const bodyTemperature: Curve = (day, instant, chance) => {
  const hour = day.hourAt(instant)
  return (
    36.6 +
    traitAt(day, instant, 'temperature') +
    0.35 * Math.sin(((hour - 11) / 24) * 2 * Math.PI) +
    (chance - 0.5) * 0.2
  )
}

/** An electrocardiogram taken at rest; instants in milliseconds since 1970. */
export interface Recording {
  readonly start: number
  readonly end: number
  readonly hertz: number
  readonly count: number
  readonly beatsPerMinute: number
  readonly isClear: boolean
  readonly isFibrillating: boolean
}

const HERTZ = 512
const SECONDS = 30

/** About two a week are taken, in the morning. */
export function recordingOf(day: Day): Recording | undefined {
  const noise = day.noise('electrocardiogram')
  if (noise(0) > 0.3 || day.end === day.start) return undefined
  const isFibrillating = noise(3) < day.body.fibrillationBurden / 100
  const start = day.instantAt(510 + Math.floor(noise(1) * 25))
  return {
    start,
    end: start + SECONDS * SECOND_MS,
    hertz: HERTZ,
    count: HERTZ * SECONDS,
    beatsPerMinute: Math.round(heartRate(day, start, 0.5) * (isFibrillating ? 1.15 : 1)),
    isClear: noise(2) > 0.06,
    isFibrillating,
  }
}

/** Amplitude in millivolts, position within the beat and width of its five waves. */
const waves = [
  [0.14, 0.18, 0.025],
  [-0.1, 0.36, 0.009],
  [1.1, 0.39, 0.011],
  [-0.24, 0.42, 0.01],
  [0.29, 0.62, 0.04],
] as const

export function voltageAt(
  { beatsPerMinute, hertz, isFibrillating }: Recording,
  ordinal: number,
  chance: number,
): number {
  const even = ((ordinal / hertz) * beatsPerMinute) / 60
  // Fibrillation has irregular beats, and no wave of the atria before them.
  const beat = isFibrillating ? even + 0.3 * Math.sin(2.3 * even) + 0.2 * Math.sin(5.1 * even) : even
  const phase = beat - Math.floor(beat)
  let millivolts = (chance - 0.5) * 0.02
  for (const [height, place, width] of isFibrillating ? waves.slice(1) : waves)
    millivolts += height * Math.exp(-(((phase - place) / width) ** 2) / 2)
  return round(millivolts, 3)
}
