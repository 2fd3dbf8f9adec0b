import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../kernel/instant.ts'
import { lipidsOf } from '../results/service.ts'
import { type Curve, drift } from './life/curves.ts'
import type { Day } from './life/day.ts'
import type { Amount } from './life/minutes.ts'
import { between, noiseOf, round } from './life/noise.ts'
import { type Draw, isFloating, type Sample, sampleAt } from './sample.ts'

/** The default, and the values of providers that differ. */
export type PerProvider = { readonly usual: number } & Readonly<Record<string, number>>

/** Sums over the day's minutes in buckets of the given seconds; empty buckets are left out. */
export const summed =
  (sum: Amount, bucket: PerProvider, decimals: number): Draw =>
  (day, { userId, provider }, { until }) => {
    const sums = day.minutes.sums(sum)
    const scale = 10 ** decimals
    const lengthMs = (bucket[provider] ?? bucket.usual) * SECOND_MS
    // Devices of one person differ by a few percent.
    const device = between(day.random.noise(`device/${userId}/${provider}`), 0.96, 1.04) * scale
    const by = (instant: number) =>
      Math.round((sums[Math.floor((Math.min(instant, until) - day.start) / MINUTE_MS)] ?? 0) * device)
    const samples: Sample[] = []
    for (let start = day.start; start < day.end && start < until; start += lengthMs) {
      const end = Math.min(start + lengthMs, day.end)
      const value = (by(end) - by(start)) / scale
      if (value === 0) continue
      const offsetSeconds = isFloating(provider) ? null : day.offsetAt(start)
      samples.push({ start, end, offsetSeconds, value, type: null })
    }
    return samples
  }

interface Sensing {
  /** Seconds between samples. */
  readonly every: PerProvider
  /** Seconds between samples during a workout, if different. */
  readonly training?: Readonly<Record<string, number>>
  readonly onlyAsleep?: boolean
  /** Providers whose samples are irregular: some are missing, and others deviate from the interval. */
  readonly irregular?: readonly string[]
  readonly decimals: number
  readonly typed?: (provider: string) => string | null
}

/** A measurement at regular intervals. */
export const sensed =
  (curve: Curve, { every, training = {}, onlyAsleep, irregular = [], decimals, typed }: Sensing): Draw =>
  (day, { provider }, { from, until }) => {
    const { stage, workout } = day.minutes
    const noise = day.noise(`${curve.name}/${provider}`)
    const usual = (every[provider] ?? every.usual) * SECOND_MS
    const trained = (training[provider] ?? usual / SECOND_MS) * SECOND_MS
    const isIrregular = irregular.includes(provider)
    const floats = isFloating(provider)
    const type = typed?.(provider) ?? null
    const scale = 10 ** decimals
    const samples: Sample[] = []
    for (let at = day.start; at < day.end && at <= until; ) {
      const passed = at - day.start
      const minute = Math.floor(passed / MINUTE_MS)
      const chance = noise(passed / SECOND_MS)
      const shift = isIrregular ? Math.floor(chance * 7) * MINUTE_MS : 0
      const start = at + shift
      if (start >= from && !(onlyAsleep && !stage[minute]) && !(isIrregular && chance > 0.8)) {
        const offsetSeconds = floats ? null : day.offsetAt(start)
        const value = Math.round(curve(day, start, chance) * scale) / scale
        if (start < day.end) samples.push({ start, end: start, offsetSeconds, value, type })
      }
      at += workout[minute] ? trained : usual
    }
    return samples
  }

interface OccasionalEvent {
  readonly name: string
  /** Minutes of local time it may happen at. */
  readonly minutes: readonly number[]
  /** The chance of each; 1 by default. */
  readonly chance?: number
  /** The value, by day and person. */
  readonly range: readonly [low: number, high: number]
  readonly decimals: number
  /** Days over which the value drifts around the person's own level. */
  readonly slow?: number
  /** Minutes it lasts. */
  readonly lasts?: number
  readonly rest?: Partial<Sample>
}

/** An event that happens a few times a day at most. */
export const occasional =
  ({ name, minutes, chance = 1, range, decimals, slow, lasts = 0, rest }: OccasionalEvent): Draw =>
  (day, wearer) => {
    const noise = day.noise(name)
    const samples: Sample[] = []
    for (const [at, minute] of minutes.entries()) {
      if (noise(at) >= chance) continue
      const start = day.instantAt(minute + Math.floor(noise(100 + at) * 20))
      const value = round(levelOf(name, range, slow, day, noise(200 + at)), decimals)
      samples.push(sampleAt(day, wearer, start, value, { end: start + lasts * MINUTE_MS, ...rest }))
    }
    return samples
  }

function levelOf(
  name: string,
  [low, high]: readonly [number, number],
  slow: number | undefined,
  day: Parameters<Draw>[0],
  chance: number,
): number {
  if (slow === undefined) return between(chance, low, high)
  const own = noiseOf(day.random, `${name}/${day.userId}`)
  const level = between(0.2 + 0.6 * own(0), low, high)
  const course = noiseOf(day.random, `${name}/${day.userId}/course`)
  return level + (high - low) * (0.2 * drift(course, day.date, slow) + 0.03 * (chance - 0.5))
}

/** A laboratory panel every `days` days: one sample for each type, a second apart, because the instant is part of a sample's key. */
const everyFew =
  (
    everyDays: number,
    decimals: number,
    valuesOf: (day: Day) => readonly (readonly [type: string, value: number])[],
  ): Draw =>
  (day, wearer) => {
    const ownDay = Math.floor(day.random.noise(`panel/${day.userId}`) * everyDays)
    if ((Date.parse(day.date) / DAY_MS) % everyDays !== ownDay) return []
    return valuesOf(day).map(([type, value], at) =>
      sampleAt(day, wearer, day.instantAt(495) + at * SECOND_MS, round(value, decimals), { type }),
    )
  }

export const panel = (
  everyDays: number,
  types: readonly (readonly [type: string, low: number, high: number])[],
  decimals: number,
): Draw =>
  everyFew(everyDays, decimals, (day) => {
    const noise = day.noise('panel')
    return types.map(([type, low, high], at) => [type, between(noise(at), low, high)])
  })

/** Milligrams per decilitre in one millimole per litre. */
const CHOLESTEROL_MG = 38.67
const TRIGLYCERIDES_MG = 88.57

/** Once a quarter; the same levels as in the person's lab reports. */
export const cholesterol: Draw = everyFew(91, 2, ({ random, userId, date, person }) => {
  const age = Number(date.slice(0, 4)) - Number(person.birthDate.slice(0, 4))
  const lipids = lipidsOf(random, userId, `cholesterol/${userId}/${date}`, { sex: person.sex, age })
  return [
    ['cholesterol/ldl', lipids.ldl / CHOLESTEROL_MG],
    ['cholesterol/hdl', lipids.hdl / CHOLESTEROL_MG],
    ['cholesterol/total', lipids.total / CHOLESTEROL_MG],
    ['cholesterol/triglycerides', lipids.triglycerides / TRIGLYCERIDES_MG],
  ]
})
