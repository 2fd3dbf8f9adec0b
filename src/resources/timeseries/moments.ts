import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../kernel/instant.ts'
import { bodyTemperature, drift, heartRate } from './life/curves.ts'
import { daysIntoCycle } from './life/cycle.ts'
import type { Day } from './life/day.ts'
import { recordingOf, voltageAt } from './life/electrocardiogram.ts'
import { nutritionOf } from './life/food.ts'
import { noiseOf, round } from './life/noise.ts'
import { type Draw, sampleAt } from './sample.ts'

/** Generators of series that depend on a meal, a workout or a night. */

export const carbohydrates: Draw = (day, wearer) =>
  day
    .meals()
    .map(({ at, foods }) =>
      sampleAt(day, wearer, at, round(nutritionOf(foods).carbs, 1), { end: at + MINUTE_MS }),
    )

/** Rapid-acting insulin with meals, and long-acting insulin at 22:00. */
export const insulin: Draw = (day, wearer) => {
  const meals = day.meals().map(({ at, foods }) =>
    sampleAt(day, wearer, at - 5 * MINUTE_MS, Math.max(1, Math.round(nutritionOf(foods).carbs / 10)), {
      end: at - 4 * MINUTE_MS,
      type: 'rapid_acting',
      more: { delivery_mode: 'bolus', delivery_form: 'standard', bolus_purpose: 'meal' },
    }),
  )
  const at = day.instantAt(22 * 60)
  const units = Math.round(day.person.weightKg * 0.2)
  const basal = { delivery_mode: 'basal', delivery_form: 'standard', bolus_purpose: null }
  return [
    ...meals,
    sampleAt(day, wearer, at, units, { end: at + MINUTE_MS, type: 'long_acting', more: basal }),
  ]
}

/** Notes about meals and training, on the hour. */
export const notes: Draw = (day, wearer) => {
  const entries = [
    ...day.meals().map(({ at, name, foods }) => ({
      at,
      text: `${name}: ${foods.map((food) => food.name.toLowerCase()).join(', ')}`,
      tags: ['food'],
    })),
    ...day.workouts.map(({ start, sport }) => ({
      at: start,
      text: `${sport.name} today`,
      tags: ['exercise'],
    })),
  ].sort((a, b) => a.at - b.at)
  const hours = new Set<number>()
  return entries.flatMap(({ at, text, tags }) => {
    const hour = Math.floor(at / HOUR_MS) * HOUR_MS
    if (hours.has(hour)) return []
    hours.add(hour)
    return [sampleAt(day, wearer, hour, text, { end: hour + MINUTE_MS, more: { tags } })]
  })
}

export const workoutMinutes: Draw = (day, wearer) =>
  day.workouts.map(({ start, end, sport }) =>
    sampleAt(day, wearer, start, (end - start) / MINUTE_MS, {
      end,
      more: { intensity: sport.effort > 0.6 ? 'high' : sport.effort > 0.4 ? 'medium' : 'low' },
    }),
  )

/** Metres covered, every ten seconds. */
export const workoutMetres: Draw = (day, wearer) =>
  day.workouts.flatMap((workout) => {
    const { start, end } = workout
    const count = Math.floor((end - start) / (10 * SECOND_MS))
    const metres = metresOf(day, workout)
    if (metres === 0) return []
    const by = (step: number) => Math.round((metres * step * 10) / count)
    return Array.from({ length: count }, (_, at) => {
      const begins = start + at * 10 * SECOND_MS
      const value = (by(at + 1) - by(at)) / 10
      return sampleAt(day, wearer, begins, value, { end: begins + 10 * SECOND_MS, workout })
    })
  })

/** Strokes for each length of a pool. */
export const swimmingStrokes: Draw = (day, wearer) =>
  day.workouts
    .filter(({ sport }) => sport.slug === 'swimming')
    .flatMap((workout) => {
      const lengths = Math.max(1, Math.round(metresOf(day, workout) / 25))
      const each = Math.floor((workout.end - workout.start) / lengths / SECOND_MS) * SECOND_MS
      const noise = day.noise('strokes')
      return Array.from({ length: lengths }, (_, at) => {
        const start = workout.start + at * each
        return sampleAt(day, wearer, start, 14 + Math.floor(noise(at) * 7), { end: start + each, workout })
      })
    })

/** Metres of a workout: from its steps, or from its speed. */
export function metresOf(
  day: Day,
  { start, end, sport, intensity: vigour }: Day['workouts'][number],
): number {
  const minute = (instant: number) => Math.round((instant - day.start) / MINUTE_MS)
  const metres = day.minutes.sums('metres')
  if (sport.cadence > 0) return (metres[minute(end)] ?? 0) - (metres[minute(start)] ?? 0)
  return (sport.speed * vigour * (end - start)) / SECOND_MS
}

export const heartRateRecovery: Draw = (day, wearer) =>
  day.workouts
    .filter(({ sport }) => sport.effort > 0.4)
    .map(({ end }) => {
      const drop = heartRate(day, end - MINUTE_MS, 0.5) - heartRate(day, end + 2 * MINUTE_MS, 0.5)
      return sampleAt(day, wearer, end, Math.max(12, Math.round(drop)), { end: end + MINUTE_MS })
    })

export const vo2Max: Draw = (day, wearer) =>
  day.workouts
    .filter(({ sport }) => sport.slug === 'running' || sport.slug === 'walking')
    .slice(0, 1)
    .map(({ end }) => {
      const course = noiseOf(day.random, `vo2/${day.userId}`)
      const value = round(day.person.vo2Max + 1.2 * drift(course, day.date, 60), 1)
      return sampleAt(day, wearer, end, value, { end: end + MINUTE_MS })
    })

export const stages: Draw = (day, wearer) =>
  day.nights
    .flatMap((night) => night.stages)
    .filter(({ start }) => start >= day.start && start < day.end)
    .map(({ start, end, stage }) => sampleAt(day, wearer, start, stage, { end }))

/** The difference of the night's skin temperature from the usual one, at waking. */
export const temperatureDelta: Draw = (day, wearer) => {
  const { start, end } = day.nights[0]
  const value = round(0.5 * (day.noise('temperature delta')(0) - 0.5) + warmth(day), 2)
  const sensor_location = wearer.provider === 'oura' || wearer.provider === 'ultrahuman' ? 'finger' : 'wrist'
  return nightly(day, start)
    ? [sampleAt(day, wearer, day.start, value, { end: Math.max(end, day.start), more: { sensor_location } })]
    : []
}

/** Whether there is a night to measure; a date that the local calendar skips has none. */
const nightly = (day: Day, start: number) => day.end > day.start && start < day.end

export const breathingDisturbance: Draw = (day, wearer) => {
  const value = round(3.4 * day.noise('disturbance')(0), 1)
  const { end } = day.nights[0]
  return [sampleAt(day, wearer, day.start, value, { end, type: value > 3.2 ? 'elevated' : 'not_elevated' })]
}

export const wakingTemperature: Draw = (day, wearer) => {
  const at = day.nights[0].end
  const value = round(36.3 + 0.2 * (day.noise('waking temperature')(0) - 0.5) + warmth(day), 2)
  return [sampleAt(day, wearer, at, value, { end: at + MINUTE_MS })]
}

/** Degrees Celsius by which the luteal phase is warmer. */
function warmth(day: Day): number {
  const days = daysIntoCycle(day.person, day.date)
  return days !== undefined && days > (day.person.cycleDays ?? 0) - 14 ? 0.3 : 0
}

export const temperatures: Draw = (day, wearer) =>
  [470, 1250].flatMap((minute, at) => {
    const chance = day.noise('temperature')(at)
    if (chance > 0.4) return []
    const start = day.instantAt(minute)
    const more = { sensor_location: wearer.provider === 'apple_health_kit' ? 'mouth' : 'forehead' }
    return [sampleAt(day, wearer, start, round(bodyTemperature(day, start, chance), 1), { end: start, more })]
  })

/** One for each hour from 7:00 to 22:00. */
export const standHours: Draw = (day, wearer) => {
  const standing = day.minutes.sums('standing')
  return Array.from({ length: 15 }, (_, at) => {
    const start = day.instantAt((at + 7) * 60)
    const minute = Math.round((start - day.start) / MINUTE_MS)
    const stood = (standing[minute + 60] ?? 0) - (standing[minute] ?? 0) >= 1
    return sampleAt(day, wearer, start, 1, { end: start + HOUR_MS, type: stood ? 'stood' : 'idle' })
  })
}

export const bloodPressure: Draw = (day, wearer) =>
  [430, 1200].flatMap((minute, at) => {
    const noise = day.noise('pressure')
    if (noise(at) > 0.7) return []
    const start = day.instantAt(minute + Math.floor(noise(10 + at) * 40))
    const systolic = Math.round(day.person.systolic + (at === 0 ? 5 : 0) + 8 * (noise(20 + at) - 0.5))
    const diastolic = Math.round(day.person.diastolic + (at === 0 ? 3 : 0) + 6 * (noise(30 + at) - 0.5))
    return [sampleAt(day, wearer, start, null, { more: { systolic, diastolic } })]
  })

/** Millivolts of one lead: 512 samples a second for 30 seconds. */
export const voltages: Draw = (day, wearer, { from, until }) => {
  const recording = recordingOf(day)
  if (!recording || recording.end < from || recording.start > until) return []
  const noise = day.noise('voltage')
  return Array.from({ length: recording.count }, (_, at) => {
    const start = recording.start + (at * SECOND_MS) / recording.hertz
    return sampleAt(day, wearer, start, voltageAt(recording, at, noise(at)), { type: 'lead_1' })
  })
}
