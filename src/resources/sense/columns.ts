import { STAGES } from '../../people/night.ts'
import { cycleLists, type TableName } from './vocabulary.ts'

/** The value of a cell; times and dates are floating text, without an offset. */
export type Value = number | string | boolean | null | readonly string[]

export type Kind = 'number' | 'text' | 'boolean' | 'list'

/** A summary in wire format. */
export type Item = Readonly<Record<string, unknown>>

/** The time of an item in the user's local time. */
export interface Place {
  /** A wire instant as local time: `2026-01-05T07:10:00`. */
  readonly local: (instant: unknown) => string | null
  readonly timeZone: string
}

/** A column of a table, and how to read it from an item. */
export interface Column {
  readonly kind: Kind
  readonly read: (item: Item, place: Place) => Value
}

type Columns = Readonly<Record<string, Column>>

/** The value at `a.b.c` of an item. */
function at(item: Item, path: string): unknown {
  let value: unknown = item
  for (const key of path.split('.'))
    value = typeof value === 'object' && value !== null ? (value as Item)[key] : undefined
  return value
}

const asNumber = (value: unknown) => (typeof value === 'number' ? value : null)

const number = (path: string, factor = 1): Column => ({
  kind: 'number',
  read(item) {
    const value = asNumber(at(item, path))
    return value === null ? null : value * factor
  },
})

const text = (path: string): Column => ({
  kind: 'text',
  read(item) {
    const value = at(item, path)
    return typeof value === 'string' ? value : null
  },
})

const boolean = (path: string): Column => ({
  kind: 'boolean',
  read(item) {
    const value = at(item, path)
    return typeof value === 'boolean' ? value : null
  },
})

/** An instant in the user's local time. */
const time = (path: string): Column => ({
  kind: 'text',
  read: (item, { local }) => local(at(item, path)),
})

/** Columns that Petri's summaries have no field for. */
const unknown = (kind: Kind): Column => ({ kind, read: () => null })

/** A list, which a subquery reduces to one value. */
const list = (): Column => ({ kind: 'list', read: () => null })

const sources: Columns = {
  source_type: text('source.type'),
  source_provider: text('source.provider'),
  source_app_id: text('source.app_id'),
  source_device_id: text('source.device_id'),
}

const timeZone: Column = { kind: 'text', read: (_, place) => place.timeZone }

/** Why an expression cannot be answered. */
export interface Refusal {
  readonly refused: string
}

const PERFECT_SECONDS = 8 * 3600

/** A score of every night: the provider's, otherwise computed from duration and stages. */
const sleepScore: Column = {
  kind: 'number',
  read({ score, total, efficiency }) {
    if (typeof score === 'number') return score
    if (typeof total !== 'number' || typeof efficiency !== 'number') return null
    const length = Math.min(1, total / PERFECT_SECONDS)
    return Math.round(60 * length + 0.4 * efficiency)
  },
}

/** The time of falling asleep: the start of the time in bed plus the latency. */
const asleepAt: Column = {
  kind: 'text',
  read({ bedtime_start: start, latency }, { local }) {
    if (typeof start !== 'string') return null
    const instant = Date.parse(start) + (typeof latency === 'number' ? latency * 1000 : 0)
    return local(new Date(instant).toISOString())
  },
}

/** Local hours: the middle of a night is early before the first and late from the second on. */
const EARLY = 3
const LATE = 5

/** Morning or evening person, by the middle of the night. */
const chronotype: Column = {
  kind: 'text',
  read({ bedtime_start: start, bedtime_stop: stop }, { local }) {
    if (typeof start !== 'string' || typeof stop !== 'string') return null
    const middle = local(new Date((Date.parse(start) + Date.parse(stop)) / 2).toISOString())
    if (middle === null) return null
    const hour = Number(middle.slice(11, 13)) + Number(middle.slice(14, 16)) / 60
    if (hour >= 18 || hour < EARLY) return 'morning'
    return hour < LATE ? 'intermediate' : 'evening'
  },
}

/** The number of awakenings between falling asleep and the last sleep, from the stages of the night. */
const awakenings: Column = {
  kind: 'number',
  read({ stage_type: stages }) {
    if (!Array.isArray(stages)) return null
    const isAsleep = (stage: unknown) => stage !== STAGES.awake && stage !== -1
    const first = stages.findIndex(isAsleep)
    const last = stages.findLastIndex(isAsleep)
    return stages.filter(
      (stage, at) => at > first && at < last && stage === STAGES.awake && stages[at - 1] !== STAGES.awake,
    ).length
  },
}

/** Values the service computes for a night. */
export const macroColumns: Readonly<Record<string, Column>> = {
  sleep_score: sleepScore,
  chronotype,
  asleep_at: asleepAt,
  awake_at: time('bedtime_stop'),
  awakenings,
}

const macro = (name: string) => number(`macros.${name}`)
const fat = (name: string) => number(`macros.fats.${name}`)
const mineral = (name: string) => number(`micros.minerals.${name}`)
const trace = (name: string) => number(`micros.trace_elements.${name}`)
const vitamin = (name: string) => number(`micros.vitamins.${name}`)

const kept = {
  fats: ['saturated', 'monounsaturated', 'polyunsaturated', 'omega3', 'omega6', 'total'],
  minerals: [
    ...['sodium', 'potassium', 'calcium', 'phosphorus', 'magnesium', 'iron', 'zinc', 'fluoride', 'chloride'],
  ],
  milligrams: [
    ...['vitamin_a', 'vitamin_b1', 'riboflavin', 'niacin', 'pantothenic_acid', 'vitamin_b6', 'vitamin_c'],
    'vitamin_e',
  ],
  micrograms: ['biotin', 'vitamin_b12', 'vitamin_d', 'vitamin_k', 'folic_acid'],
  tracesInMilligrams: ['copper', 'manganese'],
  tracesInMicrograms: ['chromium', 'iodine', 'molybdenum', 'selenium'],
} as const

const named = (names: readonly string[], suffix: string, column: (name: string) => Columns[string]) =>
  Object.fromEntries(names.map((name) => [`${name}_${suffix}`, column(name) as Columns[string]])) as Columns

/** The columns of meals. Source: contract/wearables.md §7.8. */
const mealColumns: Columns = {
  calories: number('energy.value'),
  carbohydrate_gram: macro('carbs'),
  protein_gram: macro('protein'),
  alcohol_gram: macro('alcohol'),
  water_gram: macro('water'),
  fibre_gram: macro('fibre'),
  sugar_gram: macro('sugar'),
  cholesterol_gram: macro('cholesterol'),
  ...named(kept.fats, 'fat_gram', fat),
  ...named(kept.minerals, 'milligram', mineral),
  ...named(kept.milligrams, 'milligram', vitamin),
  ...named(kept.micrograms, 'microgram', vitamin),
  ...named(kept.tracesInMilligrams, 'milligram', trace),
  ...named(kept.tracesInMicrograms, 'microgram', trace),
  date: time('timestamp'),
  name: text('name'),
  ...sources,
}

const minutes = (path: string) => number(path, 60)

/** The seconds of an activity by intensity. */
const activeSeconds: Column = {
  kind: 'number',
  read(item) {
    const known = [item.low, item.medium, item.high].filter((value) => typeof value === 'number')
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value * 60, 0)
  },
}

/** Seconds in a heart rate zone, the first being 1. */
const zone = (ordinal: number): Column => number(`hr_zones.${ordinal - 1}`)

const sleep: Columns = {
  id: text('id'),
  session_start: time('bedtime_start'),
  session_end: time('bedtime_stop'),
  state: text('state'),
  type: text('type'),
  duration_second: number('duration'),
  stage_asleep_second: number('total'),
  stage_awake_second: number('awake'),
  stage_light_second: number('light'),
  stage_rem_second: number('rem'),
  stage_deep_second: number('deep'),
  stage_unknown_second: unknown('number'),
  latency_second: number('latency'),
  heart_rate_minimum: number('hr_lowest'),
  heart_rate_mean: number('hr_average'),
  heart_rate_maximum: unknown('number'),
  heart_rate_dip: number('hr_dip'),
  heart_rate_resting: number('hr_resting'),
  efficiency: number('efficiency'),
  hrv_mean_rmssd: number('average_hrv'),
  hrv_mean_sdnn: unknown('number'),
  skin_temperature: number('skin_temperature'),
  skin_temperature_delta: number('temperature_delta'),
  respiratory_rate: number('respiratory_rate'),
  score: number('score'),
  recovery_readiness_score: number('recovery_readiness_score'),
  ...sources,
  time_zone: timeZone,
}

const activity: Columns = {
  date: text('calendar_date'),
  calories_total: number('calories_total'),
  calories_active: number('calories_active'),
  steps: number('steps'),
  distance_meter: number('distance'),
  floors_climbed: number('floors_climbed'),
  duration_active_second: activeSeconds,
  intensity_sedentary_second: unknown('number'),
  intensity_low_second: minutes('low'),
  intensity_medium_second: minutes('medium'),
  intensity_high_second: minutes('high'),
  heart_rate_mean: number('heart_rate.avg_bpm'),
  heart_rate_minimum: number('heart_rate.min_bpm'),
  heart_rate_maximum: number('heart_rate.max_bpm'),
  heart_rate_resting: number('heart_rate.resting_bpm'),
  heart_rate_mean_walking: number('heart_rate.avg_walking_bpm'),
  wheelchair_use: boolean('wheelchair_use'),
  wheelchair_push: number('wheelchair_push'),
  ...sources,
  time_zone: timeZone,
  time_zone_offset: number('timezone_offset'),
}

const workout: Columns = {
  session_start: time('time_start'),
  session_end: time('time_end'),
  title: text('title'),
  sport_name: text('sport.name'),
  sport_slug: text('sport.slug'),
  duration_active_second: number('moving_time'),
  heart_rate_mean: number('average_hr'),
  heart_rate_minimum: unknown('number'),
  heart_rate_maximum: number('max_hr'),
  heart_rate_zone_1: zone(1),
  heart_rate_zone_2: zone(2),
  heart_rate_zone_3: zone(3),
  heart_rate_zone_4: zone(4),
  heart_rate_zone_5: zone(5),
  heart_rate_zone_6: zone(6),
  distance_meter: number('distance'),
  calories: number('calories'),
  elevation_gain_meter: number('total_elevation_gain'),
  elevation_maximum_meter: number('elev_high'),
  elevation_minimum_meter: number('elev_low'),
  speed_mean: number('average_speed'),
  speed_maximum: number('max_speed'),
  power_source: unknown('text'),
  power_mean: number('average_watts'),
  power_maximum: number('max_watts'),
  power_weighted_mean: number('weighted_average_watts'),
  steps: number('steps'),
  map_polyline: text('map.polyline'),
  map_summary_polyline: text('map.summary_polyline'),
  ...sources,
  external_id: text('provider_id'),
  time_zone: timeZone,
}

const body: Columns = {
  measured_at: { kind: 'text', read: ({ calendar_date }) => `${calendar_date}T00:00:00` },
  weight_kilogram: number('weight'),
  fat_mass_percentage: number('fat'),
  water_percentage: number('water_percentage'),
  muscle_mass_percentage: number('muscle_mass_percentage'),
  visceral_fat_index: number('visceral_fat_index'),
  bone_mass_percentage: number('bone_mass_percentage'),
  body_mass_index: number('body_mass_index'),
  lean_body_mass_kilogram: number('lean_body_mass_kilogram'),
  waist_circumference_centimeter: number('waist_circumference_centimeter'),
  ...sources,
  time_zone: timeZone,
}

const menstrualCycle: Columns = {
  period_start: text('period_start'),
  period_end: text('period_end'),
  cycle_end: text('cycle_end'),
  is_predicted: boolean('is_predicted'),
  ...Object.fromEntries(Object.keys(cycleLists).map((name) => [name, list()])),
  ...sources,
}

const profile: Columns = {
  height_centimeter: number('height'),
  birth_date: text('birth_date'),
  wheelchair_use: boolean('wheelchair_use'),
  gender: text('gender'),
  sex: text('sex'),
  ...sources,
  created_at: time('created_at'),
  updated_at: time('updated_at'),
}

const RECOVERED = 67
const STRAINED = 34

/** Readiness columns that can be derived from nights; strain and stress cannot. */
const derivedReadiness: Columns = {
  date: text('calendar_date'),
  chronotype: macroColumns.chronotype ?? unknown('text'),
  sleep_score: macroColumns.sleep_score ?? unknown('number'),
  recovery_score: number('recovery_readiness_score'),
  recovery_zone: {
    kind: 'text',
    read({ recovery_readiness_score: score }) {
      if (typeof score !== 'number') return null
      return score >= RECOVERED ? 'green' : score >= STRAINED ? 'yellow' : 'red'
    },
  },
  stress_score: unknown('number'),
  strain_score: unknown('number'),
  strain_zone: unknown('text'),
}

/** The columns of each summary's table. Source: contract/wearables.md §10, §7. */
export const columnsOf: Readonly<Record<Exclude<TableName, 'timeseries'>, Columns>> = {
  sleep,
  activity,
  workout,
  body,
  meal: mealColumns,
  menstrual_cycle: menstrualCycle,
  profile,
  derived_readiness: derivedReadiness,
}

export const namesOf = (table: Exclude<TableName, 'timeseries'>) =>
  Object.keys(columnsOf[table]) as [string, ...string[]]
