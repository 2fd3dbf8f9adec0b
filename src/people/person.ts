import { DAY_MS, toDate } from '../kernel/instant.ts'
import type { Random } from '../kernel/random.ts'
import { between, clamp, noiseOf, wholeBetween } from './noise.ts'

/** The traits of a made-up user, used in all of the user's data. */
export interface Person {
  readonly sex: 'female' | 'male'
  /** `YYYY-MM-DD`. */
  readonly birthDate: string
  readonly heightCm: number
  readonly weightKg: number
  readonly fatPercent: number
  readonly waistCm: number
  readonly restingHeart: number
  /** Metres per walking step. */
  readonly strideM: number
  /** Steps of a day without training. */
  readonly usualSteps: number
  /** Minutes of local time, from midnight, of getting up and going to bed. */
  readonly wakeMinute: number
  readonly bedMinute: number
  /** Milliseconds of RMSSD at rest. */
  readonly hrv: number
  readonly breathsPerMinute: number
  readonly fastingGlucose: number
  readonly vo2Max: number
  readonly systolic: number
  readonly diastolic: number
  readonly vitalCapacityL: number
  /** Days from one period to the next; null without periods. */
  readonly cycleDays: number | null
  /** The first day of one period, in days since 1970. */
  readonly cyclePhase: number
}

/** Source of the ranges: contract/wearables.md §7, §8.3. */
export function personOf(random: Random, userId: string): Person {
  const noise = noiseOf(random, `person/${userId}`)
  const isFemale = noise(0) < 0.5
  const heightCm = wholeBetween(noise(1), isFemale ? 157 : 169, isFemale ? 174 : 190)
  const bodyMassIndex = between(noise(2), 20.5, 27)
  const weightKg = Math.round(bodyMassIndex * (heightCm / 100) ** 2 * 10) / 10
  const cycleDays = wholeBetween(noise(3), 26, 31)
  return {
    sex: isFemale ? 'female' : 'male',
    birthDate: toDate(Date.UTC(wholeBetween(noise(4), 1962, 2003), 0, wholeBetween(noise(5), 1, 365))),
    heightCm,
    weightKg,
    fatPercent: between(noise(6), isFemale ? 21 : 14, isFemale ? 30 : 24),
    waistCm: Math.round(heightCm * between(noise(7), 0.43, 0.52)),
    restingHeart: between(noise(8), 54, 64),
    strideM: between(noise(9), 0.71, 0.77),
    usualSteps: between(noise(10), 4200, 6400),
    wakeMinute: between(noise(11), 375, 435),
    bedMinute: between(noise(12), 1345, 1405),
    hrv: between(noise(13), 38, 62),
    breathsPerMinute: between(noise(14), 13.2, 15.6),
    fastingGlucose: between(noise(15), 4.5, 5),
    vo2Max: between(noise(16), 34, 49),
    systolic: between(noise(17), 108, 121),
    diastolic: between(noise(18), 67, 78),
    vitalCapacityL: between(noise(19), isFemale ? 3.4 : 4.3, isFemale ? 4.3 : 5.3),
    cycleDays: isFemale ? cycleDays : null,
    cyclePhase: wholeBetween(noise(20), 0, cycleDays - 1),
  }
}

/** Maximum heart rate by age; ages below 20 and above 90 count as these. */
export function highestHeart({ birthDate }: Person, date: string): number {
  const age = Number(date.slice(0, 4)) - Number(birthDate.slice(0, 4))
  return 220 - clamp(age, 20, 90)
}

const dayNumber = (date: string) => Math.floor(Date.parse(`${date}T00:00:00Z`) / DAY_MS)

/** How many days before a date the last period began; undefined for users without periods. */
export function daysIntoCycle({ cycleDays, cyclePhase }: Person, date: string): number | undefined {
  if (cycleDays === null) return undefined
  const since = (dayNumber(date) - cyclePhase) % cycleDays
  return since < 0 ? since + cycleDays : since
}

export const daysLater = (date: string, days: number): string =>
  new Date((dayNumber(date) + days) * DAY_MS).toISOString().slice(0, 10)
