import { MINUTE_MS } from '../../kernel/instant.ts'
import { drift, glucose } from './life/curves.ts'
import type { Day } from './life/day.ts'
import { noiseOf, round } from './life/noise.ts'
import { type Draw, type Sample, sampleAt, type Wearer } from './sample.ts'

/** Generators of body measurements. */

/** Measured by a scale after getting up, on four days of five; all its values have the same instant. */
const weighed =
  (value: (day: Day) => number, decimals: number): Draw =>
  (day, wearer) =>
    isWeighed(day) ? [measured(day, wearer, day.nights[0].end + 12 * MINUTE_MS, value(day), decimals)] : []

const isWeighed = (day: Day) => day.end > day.start && day.noise('scale')(0) < 0.8

const measured = (day: Day, wearer: Wearer, at: number, value: number, decimals: number): Sample =>
  sampleAt(day, wearer, at, round(value, decimals), { end: at + MINUTE_MS })

const course = (day: Day, of: string, everyDays: number) =>
  drift(noiseOf(day.random, `${of}/${day.userId}`), day.date, everyDays)

export const kilograms = (day: Day): number =>
  day.person.weightKg + 1.6 * course(day, 'weight', 21) + 0.6 * (day.noise('scale')(1) - 0.5)

export const fatPercent = (day: Day): number =>
  day.person.fatPercent + 1.2 * course(day, 'fat', 28) + 0.3 * (day.noise('scale')(2) - 0.5)

export const weight: Draw = weighed(kilograms, 1)
export const fat: Draw = weighed(fatPercent, 1)
export const massIndex: Draw = weighed((day) => kilograms(day) / (day.person.heightCm / 100) ** 2, 1)
export const leanMass: Draw = weighed((day) => kilograms(day) * (1 - fatPercent(day) / 100), 1)

/** On the first of a month. */
export const waist: Draw = (day, wearer) =>
  day.date.endsWith('-01')
    ? [measured(day, wearer, day.instantAt(465), day.person.waistCm + course(day, 'waist', 90), 1)]
    : []

/** One for each week that ends on a Sunday. */
export const weekly =
  (name: string, [low, high]: readonly [number, number], decimals: number): Draw =>
  (day, wearer) => {
    if (new Date(`${day.date}T00:00:00Z`).getUTCDay() !== 0) return []
    return [measured(day, wearer, day.instantAt(600), low + (high - low) * day.noise(name)(0), decimals)]
  }

const breathOut =
  (share: number): Draw =>
  (day, wearer) => {
    const noise = day.noise('spirometry')
    if (noise(0) > 0.35) return []
    const litres = day.person.vitalCapacityL * share * (0.98 + 0.04 * noise(1))
    return [measured(day, wearer, day.instantAt(480 + Math.floor(noise(2) * 30)), litres, 2)]
  }

export const vitalCapacity: Draw = breathOut(1)
export const expiratoryVolume: Draw = breathOut(0.81)

/** Capillary glucose: fasting and around meals. */
export const fingerpricks: Draw = (day, wearer) =>
  [day.nights[0].end + 10 * MINUTE_MS, ...day.meals().map(({ at }) => at + 90 * MINUTE_MS)].map((at) =>
    sampleAt(day, wearer, at, round(glucose(day, at, 0.5), 1)),
  )

/** The UV index by hour: highest at 13:00, higher in summer than in winter. */
export const sunlight: Draw = (day, wearer) => {
  const month = Number(day.date.slice(5, 7))
  const highest = 4.5 - 3 * Math.cos(((month - 0.5) / 12) * 2 * Math.PI)
  return Array.from({ length: 11 }, (_, at) => at + 8).map((hour) => {
    const start = day.instantAt(hour * 60)
    const value = Math.max(0, highest * Math.cos(((hour + 0.5 - 13) / 12) * Math.PI))
    return sampleAt(day, wearer, start, round(value * (0.7 + 0.3 * day.noise('sky')(hour)), 1), {
      end: start + 60 * MINUTE_MS,
    })
  })
}
