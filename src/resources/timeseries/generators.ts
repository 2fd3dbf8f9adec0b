import * as z from 'zod'
import { clamp } from '../../kernel/compare.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS, type TimeRange } from '../../kernel/instant.ts'
import { normalQuantile } from '../../kernel/normal.ts'
import type { SeedRow } from '../../kernel/seed-table.ts'
import {
  bodyTemperature,
  breathing,
  type Curve,
  glucose,
  heartRate,
  recordingOf,
  voltageAt,
} from '../../people/curves.ts'
import { dayNumber, yearsBetween } from '../../people/dates.ts'
import { type Day, metresOf } from '../../people/day.ts'
import { deviceFactor } from '../../people/devices.ts'
import { nutritionOf } from '../../people/food.ts'
import type { Amount } from '../../people/minutes.ts'
import { STAGES } from '../../people/night.ts'
import { between, courseAt, noiseOf, round } from '../../people/noise.ts'
import { conditionsOn, fatPercentOf, weightOf } from '../../people/person.ts'
import { progressOf } from '../../people/routes.ts'
import type { ProviderTraits } from '../catalogue/schema.ts'
import { lipidsOf } from '../results/service.ts'
import { type Sample, type SampleGenerator, sampleAt, type Wearer } from './sample.ts'

/** Sums over the day's minutes in buckets, by default those of the provider; empty ones are left out. */
export const summed =
  (sum: Amount, decimals: number, seconds?: number): SampleGenerator =>
  (day, { provider, traits }, { until }) => {
    const sums = day.minutes.sums(sum)
    const scale = 10 ** decimals
    const lengthMs = (seconds ?? traits.bucket_seconds) * SECOND_MS
    const device = deviceFactor(day.person, provider, sum) * scale
    const by = (instant: number) =>
      Math.round((sums[Math.floor((Math.min(instant, until) - day.start) / MINUTE_MS)] ?? 0) * device)
    const samples: Sample[] = []
    for (let start = day.start; start < day.end && start < until; start += lengthMs) {
      const end = Math.min(start + lengthMs, day.end)
      const value = (by(end) - by(start)) / scale
      if (value === 0) continue
      samples.push({ start, end, offsetSeconds: day.offsetAt(start), value, type: null })
    }
    return samples
  }

interface Sensing {
  /** Seconds between samples. */
  readonly every: (traits: ProviderTraits) => number
  /** Seconds between samples during a workout, if different. */
  readonly training?: (traits: ProviderTraits) => number | null
  readonly onlyAsleep?: boolean
  /** Whether samples are irregular: some are missing, and others deviate from the interval. Then they have the type `automatic`. */
  readonly isIrregular?: (wearer: Wearer) => boolean
  readonly decimals: number
  /** When a provider's device gives none on a day. */
  readonly gaps?: (day: Day, wearer: Wearer) => readonly TimeRange[]
  /** The lowest and the highest value that the device sends. */
  readonly limits?: (wearer: Wearer) => readonly [low: number, high: number]
}

/** The share of measurements at any second that are missing; assumed. */
const LOST = 0.05
/** What tells draws of the spacing from those of values. */
const UNEVEN = 1e7

/** A measurement at regular intervals. */
export const sensed =
  (
    curve: Curve,
    { every, training, onlyAsleep, isIrregular: varies, decimals, gaps, limits }: Sensing,
  ): SampleGenerator =>
  (day, wearer, { from, until }) => {
    const { provider, traits } = wearer
    const { stage, workout } = day.minutes
    const noise = day.noise(`${curve.name}/${provider}`)
    const usual = every(traits) * SECOND_MS
    const trained = (training?.(traits) ?? every(traits)) * SECOND_MS
    const isIrregular = varies?.(wearer) ?? false
    const type = isIrregular ? 'automatic' : null
    const scale = 10 ** decimals
    const samples: Sample[] = []
    const isAsleep = onlyAsleep || traits.only_asleep
    const own = (1 - LOST) * day.random.noise(`spacing/${provider}/${day.drawKey}`)
    const shares = { even: 0, second: (own * MINUTE_MS) / Math.max(usual, MINUTE_MS), offset: own, uneven: 0 }
    const share = shares[traits.spacing]
    const lost = gaps?.(day, wearer) ?? []
    const [low, high] = limits?.(wearer) ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (let at = day.start; at < day.end && at <= until; ) {
      const passed = at - day.start
      const minute = Math.floor(passed / MINUTE_MS)
      const chance = noise(passed / SECOND_MS)
      const interval = workout[minute] ? trained : usual
      const uneven = traits.spacing === 'uneven' ? noise(passed / SECOND_MS + UNEVEN) : share
      const shift = isIrregular
        ? Math.floor(chance * 7) * MINUTE_MS
        : Math.floor((uneven * interval) / SECOND_MS) * SECOND_MS
      const start = at + shift
      if (
        start >= from &&
        uneven < 1 - LOST &&
        !(isAsleep && !stage[minute]) &&
        !(isIrregular && chance > 0.8)
      ) {
        const offsetSeconds = day.offsetAt(start)
        const value = Math.round(clamp(curve(day, start, chance), low, high) * scale) / scale
        const isLost = lost.some((gap) => start >= gap.from && start < gap.until)
        if (start < day.end && !isLost) samples.push({ start, end: start, offsetSeconds, value, type })
      }
      at += interval
    }
    return samples
  }

export const occasionalEvent = () =>
  z.strictObject({
    name: z.string(),
    /** Minutes of local time it may happen at. */
    minutes: z.array(z.int()),
    /** The chance of each. */
    chance: z.number(),
    range: z.tuple([z.number(), z.number()]),
    decimals: z.int(),
    /** Minutes it lasts. */
    lasts: z.int().exactOptional(),
  })
type OccasionalEvent = SeedRow<typeof occasionalEvent>

/** An event that happens a few times a day at most. */
export const occasional =
  ({ name, minutes, chance, range, decimals, lasts = 0 }: OccasionalEvent): SampleGenerator =>
  (day) => {
    const noise = day.noise(name)
    const samples: Sample[] = []
    for (const [at, minute] of minutes.entries()) {
      if (noise(at) >= chance) continue
      const start = day.instantAt(minute + Math.floor(noise(100 + at) * 20))
      const value = round(between(noise(200 + at), ...range), decimals)
      samples.push(sampleAt(day, start, value, { end: start + lasts * MINUTE_MS }))
    }
    return samples
  }

/** A laboratory panel every `days` days: one sample for each type, a second apart, because the instant is part of a sample's key. */
const everyFew =
  (
    everyDays: number,
    decimals: number,
    valuesOf: (day: Day) => readonly (readonly [type: string, value: number])[],
  ): SampleGenerator =>
  (day) => {
    const ownDay = Math.floor(day.random.noise(`panel/${day.drawKey}`) * everyDays)
    if (dayNumber(day.date) % everyDays !== ownDay) return []
    return valuesOf(day).map(([type, value], at) =>
      sampleAt(day, day.instantAt(495) + at * SECOND_MS, round(value, decimals), { type }),
    )
  }

export const panel = (
  everyDays: number,
  types: readonly (readonly [type: string, low: number, high: number])[],
  decimals: number,
): SampleGenerator =>
  everyFew(everyDays, decimals, (day) => {
    const noise = day.noise('panel')
    return types.map(([type, low, high], at) => [type, between(noise(at), low, high)])
  })

/** Milligrams per decilitre in one millimole per litre. */
const CHOLESTEROL_MG = 38.67
const TRIGLYCERIDES_MG = 88.57

/** Once a quarter; the same levels as in the person's lab reports. */
export const cholesterol: SampleGenerator = everyFew(91, 2, ({ drawKey, date, person }) => {
  const age = yearsBetween(person.birthDate, date)
  const lipids = lipidsOf(person, `cholesterol/${drawKey}/${date}`, date, { sex: person.sex, age })
  return [
    ['cholesterol/ldl', lipids.ldl / CHOLESTEROL_MG],
    ['cholesterol/hdl', lipids.hdl / CHOLESTEROL_MG],
    ['cholesterol/total', lipids.total / CHOLESTEROL_MG],
    ['cholesterol/triglycerides', lipids.triglycerides / TRIGLYCERIDES_MG],
  ]
})

/** Generators of body measurements. */

/** Measured by a scale after getting up; all its values have the same instant. */
const weighed =
  (value: (day: Day) => number, decimals: number): SampleGenerator =>
  (day) =>
    isWeighed(day) ? [measured(day, day.nights[0].end + 12 * MINUTE_MS, value(day), decimals)] : []

/** Those who have a scale weigh on 20 to 95 % of days; assumed. */
const isWeighed = (day: Day) =>
  day.end > day.start &&
  day.noise('scale')(0) < between(day.random.noise(`person/${day.drawKey}/weighs`), 0.2, 0.95)

const measured = (day: Day, at: number, value: number, decimals: number): Sample =>
  sampleAt(day, at, round(value, decimals), { end: at + MINUTE_MS })

export const kilograms = (day: Day): number => weightOf(day.body) + 0.6 * (day.noise('scale')(1) - 0.5)

export const fatPercent = (day: Day): number => fatPercentOf(day.person, day.body, day.date)

export const weight: SampleGenerator = weighed(kilograms, 1)
export const fat: SampleGenerator = weighed(fatPercent, 1)
export const massIndex: SampleGenerator = weighed((day) => kilograms(day) / (day.body.heightCm / 100) ** 2, 1)
export const leanMass: SampleGenerator = weighed((day) => kilograms(day) * (1 - fatPercent(day) / 100), 1)

/** On the first of a month. */
export const waist: SampleGenerator = (day) =>
  day.date.endsWith('-01')
    ? [measured(day, day.instantAt(465), 0.0173 * day.body.bodyMassIndex * day.body.heightCm, 1)]
    : []

/** What is breathed out, by the vital capacity. */
const breathed =
  (factor: number, of: Omit<OccasionalEvent, 'range' | 'lasts'>): SampleGenerator =>
  (day, ...rest) => {
    const usual = factor * day.body.vitalCapacityL
    return occasional({ ...of, range: [0.98 * usual, 1.02 * usual], lasts: 1 })(day, ...rest)
  }

const spirometry = { name: 'spirometry', minutes: [480], chance: 0.35, decimals: 2 }
export const vitalCapacity = breathed(1, spirometry)
export const expiratoryVolume = breathed(0.81, spirometry)
/** Litres a minute, in the morning and in the evening. */
export const peakFlow = breathed(105, { name: 'flow', minutes: [455, 1245], chance: 0.5, decimals: 0 })

/** Capillary glucose: fasting and around meals. */
export const fingerpricks: SampleGenerator = (day) =>
  [day.nights[0].end + 10 * MINUTE_MS, ...day.meals().map(({ at }) => at + 90 * MINUTE_MS)].map((at) =>
    sampleAt(day, at, round(glucose(day, at, 0.5), 1)),
  )

/** The UV index by hour: highest at 13:00, higher in summer than in winter. */
export const sunlight: SampleGenerator = (day) => {
  const month = Number(day.date.slice(5, 7))
  const highest = 4.5 - 3 * Math.cos(((month - 0.5) / 12) * 2 * Math.PI)
  return Array.from({ length: 11 }, (_, at) => at + 8).map((hour) => {
    const start = day.instantAt(hour * 60)
    const value = Math.max(0, highest * Math.cos(((hour + 0.5 - 13) / 12) * Math.PI))
    return sampleAt(day, start, round(value * (0.7 + 0.3 * day.noise('sky')(hour)), 1), {
      end: start + 60 * MINUTE_MS,
    })
  })
}

/** Generators of series that depend on a meal, a workout or a night. */

export const carbohydrates: SampleGenerator = (day) =>
  day.meals().map(({ at, foods }) => measured(day, at, nutritionOf(foods).carbs, 1))

/** Glucose above which a dose corrects it as well, and by how much a unit lowers it, in mmol/L. Assumed. */
const CORRECTED_ABOVE = 10
const LOWERED_BY_UNIT = 2.5

/**
 * A dose for each meal, and what a day needs without meals: of a pump by the
 * hour, of pens a long-acting dose at 22:00.
 */
export const insulin: SampleGenerator = (day, wearer) => {
  const isPump = wearer.traits.insulin === 'pump'
  const boluses = day.meals().map(({ at, foods }) => {
    const start = at - 5 * MINUTE_MS
    const surplus = glucose(day, start, 0.5) - CORRECTED_ABOVE
    const units = nutritionOf(foods).carbs / 10 + Math.max(0, surplus) / LOWERED_BY_UNIT
    const bolus_purpose = surplus > 0 ? 'mixed' : 'meal'
    return sampleAt(day, start, isPump ? round(units, 2) : Math.max(1, Math.round(units)), {
      end: start + MINUTE_MS,
      type: 'rapid_acting',
      more: { delivery_mode: 'bolus', delivery_form: 'standard', bolus_purpose },
    })
  })
  const basal = { delivery_mode: 'basal', delivery_form: 'standard', bolus_purpose: null }
  const perDay = weightOf(day.body) * 0.2
  if (!isPump) {
    const start = day.instantAt(22 * 60)
    const dose = { end: start + MINUTE_MS, type: 'long_acting', more: basal }
    return [...boluses, sampleAt(day, start, Math.round(perDay), dose)]
  }
  const hours = Math.round((day.end - day.start) / HOUR_MS)
  const rates = Array.from({ length: hours }, (_, hour) => {
    const start = day.start + hour * HOUR_MS
    const rate = { end: start + HOUR_MS, type: 'rapid_acting', more: basal }
    return sampleAt(day, start, round(perDay / 24, 2), rate)
  })
  return [...rates, ...boluses].sort((a, b) => a.start - b.start)
}

/** Notes about meals and training, on the hour. */
export const notes: SampleGenerator = (day) => {
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
    return [sampleAt(day, hour, text, { end: hour + MINUTE_MS, more: { tags } })]
  })
}

export const workoutMinutes: SampleGenerator = (day) =>
  day.workouts.map(({ start, end, sport }) =>
    sampleAt(day, start, round((end - start) / MINUTE_MS, 1), {
      end,
      more: { intensity: intensityOf(sport.effort) },
    }),
  )

function intensityOf(effort: number) {
  if (effort > 0.6) return 'high'
  return effort > 0.4 ? 'medium' : 'low'
}

/** Metres covered, every ten seconds. */
export const workoutMetres: SampleGenerator = (day) =>
  day.workouts.flatMap((workout) => {
    const { start, end } = workout
    const count = Math.floor((end - start) / (10 * SECOND_MS))
    const metres = metresOf(day, workout)
    if (metres === 0) return []
    const progress = progressOf(day, workout)
    const by = (step: number) => Math.round(metres * 10 * (step === count ? 1 : (progress[2 * step] ?? 1)))
    return Array.from({ length: count }, (_, at) => {
      const begins = start + at * 10 * SECOND_MS
      const value = (by(at + 1) - by(at)) / 10
      return sampleAt(day, begins, value, { end: begins + 10 * SECOND_MS, workout })
    })
  })

/** Strokes for each length of a pool. */
export const swimmingStrokes: SampleGenerator = (day) =>
  day.workouts
    .filter(({ sport }) => sport.slug === 'swimming')
    .flatMap((workout) => {
      const lengths = Math.max(1, Math.round(metresOf(day, workout) / 25))
      const each = Math.floor((workout.end - workout.start) / lengths / SECOND_MS) * SECOND_MS
      const noise = day.noise('strokes')
      return Array.from({ length: lengths }, (_, at) => {
        const start = workout.start + at * each
        return sampleAt(day, start, 14 + Math.floor(noise(at) * 7), { end: start + each, workout })
      })
    })

export const heartRateRecovery: SampleGenerator = (day) =>
  day.workouts
    .filter(({ sport }) => sport.effort > 0.4)
    .map(({ end }) => {
      const drop = heartRate(day, end - MINUTE_MS, 0.5) - heartRate(day, end + 2 * MINUTE_MS, 0.5)
      return sampleAt(day, end, Math.max(12, Math.round(drop)), { end: end + MINUTE_MS })
    })

/** After a run or walk, and on Sundays. */
export const vo2Max: SampleGenerator = (day) => {
  const onFoot = day.workouts.find(({ sport }) => sport.cadence > 0)
  if (!onFoot && !isSunday(day)) return []
  const at = onFoot?.end ?? day.instantAt(720)
  const course = noiseOf(day.random, `vo2/${day.drawKey}`)
  return [measured(day, at, day.body.vo2Max + 0.6 * courseAt(course, dayNumber(day.date) / 60), 1)]
}

const isSunday = ({ date }: Day) => new Date(date).getUTCDay() === 0

const sleepsOf = ({ nights, naps }: Day) => [nights[0], ...naps, nights[1]]

export const stages: SampleGenerator = (day) =>
  sleepsOf(day)
    .flatMap(({ stages }) => stages)
    .filter(({ start }) => start >= day.start && start < day.end)
    .map(({ start, end, stage }) => sampleAt(day, start, stage, { end }))

/** Breaths in sleep: at intervals, or one sample in the middle of each stage, with the mean of all stages of its kind. */
export const breaths =
  (atIntervals: SampleGenerator): SampleGenerator =>
  (day, wearer, span) => {
    if (wearer.traits.respiratory_rate === 'at_intervals') return atIntervals(day, wearer, span)
    return sleepsOf(day).flatMap((sleep) => {
      const firstOf = (stage: number) => sleep.stages.find((one) => one.stage === stage) ?? sleep
      const meanOf = (stage: number) =>
        round(breathing(day, middleOf(stage === STAGES.awake ? sleep : firstOf(stage)), 0.5), 1)
      return sleep.stages
        .map((one) => sampleAt(day, middleOf(one), meanOf(one.stage)))
        .filter(({ start }) => start >= day.start && start < day.end)
    })
  }

const middleOf = ({ start, end }: { readonly start: number; readonly end: number }) =>
  Math.round((start + end) / 2 / SECOND_MS) * SECOND_MS

/** The difference of the night's skin temperature from the usual one, at waking. */
export const temperatureDelta: SampleGenerator = (day, wearer) => {
  const { start, end } = day.nights[0]
  const value = round(
    0.2 * (day.noise('temperature delta')(0) - 0.5) + day.body.temperature - day.baseline().temperature,
    2,
  )
  const sensor_location = wearer.traits.skin_sensor
  return nightly(day, start)
    ? [sampleAt(day, day.start, value, { end: Math.max(end, day.start), more: { sensor_location } })]
    : []
}

/** Whether there is a night to measure; a date that the local calendar skips has none. */
const nightly = (day: Day, start: number) => day.end > day.start && start < day.end

/** Of the night: many in people with sleep apnoea. */
export const breathingDisturbance: SampleGenerator = (day) => {
  const value = round((3 + 22 * apneaOf(day)) * day.noise('disturbance')(0), 1)
  const { end } = day.nights[0]
  return [sampleAt(day, day.start, value, { end, type: value > 3.2 ? 'elevated' : 'not_elevated' })]
}

const apneaOf = ({ person, date }: Day): number =>
  conditionsOn(person, date).find(({ name }) => name === 'sleep_apnea')?.degree ?? 0

/** A notice of possible sleep apnoea. */
export const apneaAlerts: SampleGenerator = (day, ...rest) =>
  alerts('apnea', 420, 0.002 + 0.02 * apneaOf(day))(day, ...rest)

const alerts = (name: string, minute: number, chance: number): SampleGenerator =>
  occasional({ name, minutes: [minute], chance, range: [1, 1], decimals: 0, lasts: 10 })

export const wakingTemperature: SampleGenerator = (day) => [
  measured(day, day.nights[0].end, 36.3 + day.body.temperature, 2),
]

export const temperatures: SampleGenerator = (day, wearer) =>
  [470, 1250].flatMap((minute, at) => {
    const chance = day.noise('temperature')(at)
    if (chance > 0.4) return []
    const start = day.instantAt(minute)
    const more = { sensor_location: wearer.traits.body_sensor }
    return [sampleAt(day, start, round(bodyTemperature(day, start, chance), 1), { end: start, more })]
  })

/** One for each hour from 7:00 to 22:00. */
export const standHours: SampleGenerator = (day) => {
  const standing = day.minutes.sums('standing')
  return Array.from({ length: 15 }, (_, at) => {
    const start = day.instantAt((at + 7) * 60)
    const minute = Math.round((start - day.start) / MINUTE_MS)
    const stood = (standing[minute + 60] ?? 0) - (standing[minute] ?? 0) >= 1
    return sampleAt(day, start, 1, { end: start + HOUR_MS, type: stood ? 'stood' : 'idle' })
  })
}

/** Readings after getting up, by day and in the evening; some are repeated after two minutes. */
export const bloodPressure: SampleGenerator = (day) => {
  const noise = day.noise('pressure')
  const risen = (day.nights[0].end - day.start) / MINUTE_MS
  const plan = [
    [risen + 15, 45, 0.55],
    [Math.max(risen + 60, 660), 240, 0.2],
    [Math.max(risen + 310, 1020), 290, 0.5],
  ] as const
  return plan.flatMap(([minute, within, chance], at) => {
    if (noise(at) > chance) return []
    const start = day.instantAt(Math.round(between(noise(10 + at), minute, minute + within)))
    const readings = noise(20 + at) < 0.3 ? [start, start + 2 * MINUTE_MS] : [start]
    return readings
      .filter((instant) => instant < day.end)
      .map((instant, nth) => {
        const differs = (ordinal: number) => normalQuantile(noise(ordinal + 10 * nth + at))
        const systolic = Math.round(day.body.systolic + 4.5 * differs(30) - 2 * nth)
        const diastolic = Math.round(Math.min(systolic - 15, day.body.diastolic + 3.2 * differs(60) - nth))
        return sampleAt(day, instant, null, { more: { systolic, diastolic } })
      })
  })
}

/** The share of the week in atrial fibrillation, of those who have it. */
export const fibrillation: SampleGenerator = (day) => {
  const burden = day.body.fibrillationBurden
  if (burden === 0 || !isSunday(day)) return []
  const value = Math.min(100, burden * between(day.noise('afib')(0), 0.6, 1.4))
  return [measured(day, day.instantAt(600), value, 1)]
}

/** A rare alert: of an irregular rhythm or of a rate that is too low or too high. */
export const heartAlerts: SampleGenerator = (day, ...rest) => {
  const { fibrillationBurden, restingHeart } = day.body
  const ofRate = restingHeart < 45 ? 'low_heart_rate' : 'high_heart_rate'
  const type = fibrillationBurden > 0 ? 'irregular_rhythm' : ofRate
  const found = alerts('alert', 900, 0.03 + 0.002 * fibrillationBurden)(day, ...rest)
  return found.map((sample) => ({ ...sample, type }))
}

/** Millivolts of one lead: 512 samples a second for 30 seconds. */
export const voltages: SampleGenerator = (day, _, { from, until }) => {
  const recording = recordingOf(day)
  if (!recording || recording.end < from || recording.start > until) return []
  const noise = day.noise('voltage')
  return Array.from({ length: recording.count }, (_, at) => {
    const start = recording.start + (at * SECOND_MS) / recording.hertz
    return sampleAt(day, start, voltageAt(recording, at, noise(at)), { type: 'lead_1' })
  })
}
