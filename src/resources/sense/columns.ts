import { keysOf } from '../../kernel/fields.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { STAGES } from '../../people/night.ts'
import { cycleLists, type TableName } from './vocabulary.ts'

/** The value of a cell; times and dates are floating text, without an offset. */
export type Value = number | string | boolean | null | readonly string[]

export type Kind = 'number' | 'text' | 'boolean' | 'list'

/** A summary in wire format. */
export type Item = JsonObject

/** The time of an item in the user's local time. */
export interface LocalTime {
  /** A wire instant as local time: `2026-01-05T07:10:00`. */
  readonly local: (instant: unknown) => string | null
  readonly timeZone: string
}

/** A column of a table, and how to read it from an item. */
export interface Column {
  readonly kind: Kind
  readonly read: (item: Item, local: LocalTime) => Value
}

type Columns = Readonly<Record<string, Column>>

/** The value at `a.b.c` of an item. */
function at(item: Item, path: string): unknown {
  let value: unknown = item
  for (const key of path.split('.'))
    value = typeof value === 'object' && value !== null ? (value as Item)[key] : undefined
  return value
}

const typeNames = { number: 'number', text: 'string', boolean: 'boolean' } as const

const valueAt = (kind: keyof typeof typeNames, path: string): Column => ({
  kind,
  read(item) {
    const value = at(item, path)
    return typeof value === typeNames[kind] ? (value as Value) : null
  },
})

const text = (path: string) => valueAt('text', path)
const boolean = (path: string) => valueAt('boolean', path)

/** The columns of a table; a path alone is that of a number. */
const columns = (table: Readonly<Record<string, string | Column>>): Columns =>
  Object.fromEntries(
    Object.entries(table).map(([name, column]) => [
      name,
      typeof column === 'string' ? valueAt('number', column) : column,
    ]),
  )

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

const timeZone: Column = { kind: 'text', read: (_, local) => local.timeZone }

/** Why an expression is not supported. */
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

const nutrients = (path: string, suffix: string, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [`${name}_${suffix}`, `${path}.${name}`]))

/** The columns of meals. Source: docs/contract/health-data.md#summaries. */
const meal = columns({
  calories: 'energy.value',
  carbohydrate_gram: 'macros.carbs',
  protein_gram: 'macros.protein',
  alcohol_gram: 'macros.alcohol',
  water_gram: 'macros.water',
  fibre_gram: 'macros.fibre',
  sugar_gram: 'macros.sugar',
  cholesterol_gram: 'macros.cholesterol',
  ...nutrients('macros.fats', 'fat_gram', [
    'saturated',
    'monounsaturated',
    'polyunsaturated',
    'omega3',
    'omega6',
    'total',
  ]),
  // biome-ignore format: a list that is read by lines.
  ...nutrients('micros.minerals', 'milligram', [
    'sodium', 'potassium', 'calcium', 'phosphorus', 'magnesium', 'iron', 'zinc', 'fluoride', 'chloride',
  ]),
  // biome-ignore format: a list that is read by lines.
  ...nutrients('micros.vitamins', 'milligram', [
    'vitamin_a', 'vitamin_b1', 'riboflavin', 'niacin', 'pantothenic_acid', 'vitamin_b6', 'vitamin_c', 'vitamin_e',
  ]),
  ...nutrients('micros.vitamins', 'microgram', [
    'biotin',
    'vitamin_b12',
    'vitamin_d',
    'vitamin_k',
    'folic_acid',
  ]),
  ...nutrients('micros.trace_elements', 'milligram', ['copper', 'manganese']),
  ...nutrients('micros.trace_elements', 'microgram', ['chromium', 'iodine', 'molybdenum', 'selenium']),
  date: time('timestamp'),
  name: text('name'),
  ...sources,
})

const minutes = (path: string): Column => ({
  kind: 'number',
  read(item) {
    const value = at(item, path)
    return typeof value === 'number' ? value * 60 : null
  },
})

/** The seconds of an activity by intensity. */
const activeSeconds: Column = {
  kind: 'number',
  read(item) {
    const known = [item.low, item.medium, item.high].filter((value) => typeof value === 'number')
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value * 60, 0)
  },
}

/** Seconds in a heart rate zone, the first being 1. */
const zone = (ordinal: number) => `hr_zones.${ordinal - 1}`

const sleep = columns({
  id: text('id'),
  session_start: time('bedtime_start'),
  session_end: time('bedtime_stop'),
  state: text('state'),
  type: text('type'),
  duration_second: 'duration',
  stage_asleep_second: 'total',
  stage_awake_second: 'awake',
  stage_light_second: 'light',
  stage_rem_second: 'rem',
  stage_deep_second: 'deep',
  stage_unknown_second: unknown('number'),
  latency_second: 'latency',
  heart_rate_minimum: 'hr_lowest',
  heart_rate_mean: 'hr_average',
  heart_rate_maximum: unknown('number'),
  heart_rate_dip: 'hr_dip',
  heart_rate_resting: 'hr_resting',
  efficiency: 'efficiency',
  hrv_mean_rmssd: 'average_hrv',
  hrv_mean_sdnn: unknown('number'),
  skin_temperature: 'skin_temperature',
  skin_temperature_delta: 'temperature_delta',
  respiratory_rate: 'respiratory_rate',
  score: 'score',
  recovery_readiness_score: 'recovery_readiness_score',
  ...sources,
  time_zone: timeZone,
})

const activity = columns({
  date: text('calendar_date'),
  calories_total: 'calories_total',
  calories_active: 'calories_active',
  steps: 'steps',
  distance_meter: 'distance',
  floors_climbed: 'floors_climbed',
  duration_active_second: activeSeconds,
  intensity_sedentary_second: unknown('number'),
  intensity_low_second: minutes('low'),
  intensity_medium_second: minutes('medium'),
  intensity_high_second: minutes('high'),
  heart_rate_mean: 'heart_rate.avg_bpm',
  heart_rate_minimum: 'heart_rate.min_bpm',
  heart_rate_maximum: 'heart_rate.max_bpm',
  heart_rate_resting: 'heart_rate.resting_bpm',
  heart_rate_mean_walking: 'heart_rate.avg_walking_bpm',
  wheelchair_use: boolean('wheelchair_use'),
  wheelchair_push: 'wheelchair_push',
  ...sources,
  time_zone: timeZone,
  time_zone_offset: 'timezone_offset',
})

const workout = columns({
  session_start: time('time_start'),
  session_end: time('time_end'),
  title: text('title'),
  sport_name: text('sport.name'),
  sport_slug: text('sport.slug'),
  duration_active_second: 'moving_time',
  heart_rate_mean: 'average_hr',
  heart_rate_minimum: unknown('number'),
  heart_rate_maximum: 'max_hr',
  heart_rate_zone_1: zone(1),
  heart_rate_zone_2: zone(2),
  heart_rate_zone_3: zone(3),
  heart_rate_zone_4: zone(4),
  heart_rate_zone_5: zone(5),
  heart_rate_zone_6: zone(6),
  distance_meter: 'distance',
  calories: 'calories',
  elevation_gain_meter: 'total_elevation_gain',
  elevation_maximum_meter: 'elev_high',
  elevation_minimum_meter: 'elev_low',
  speed_mean: 'average_speed',
  speed_maximum: 'max_speed',
  power_source: unknown('text'),
  power_mean: 'average_watts',
  power_maximum: 'max_watts',
  power_weighted_mean: 'weighted_average_watts',
  steps: 'steps',
  map_polyline: text('map.polyline'),
  map_summary_polyline: text('map.summary_polyline'),
  ...sources,
  external_id: text('provider_id'),
  time_zone: timeZone,
})

const body = columns({
  measured_at: { kind: 'text', read: ({ calendar_date }) => `${calendar_date}T00:00:00` },
  weight_kilogram: 'weight',
  fat_mass_percentage: 'fat',
  water_percentage: 'water_percentage',
  muscle_mass_percentage: 'muscle_mass_percentage',
  visceral_fat_index: 'visceral_fat_index',
  bone_mass_percentage: 'bone_mass_percentage',
  body_mass_index: 'body_mass_index',
  lean_body_mass_kilogram: 'lean_body_mass_kilogram',
  waist_circumference_centimeter: 'waist_circumference_centimeter',
  ...sources,
  time_zone: timeZone,
})

const menstrualCycle = columns({
  period_start: text('period_start'),
  period_end: text('period_end'),
  cycle_end: text('cycle_end'),
  is_predicted: boolean('is_predicted'),
  ...Object.fromEntries(Object.keys(cycleLists).map((name) => [name, list()])),
  ...sources,
})

const profile = columns({
  height_centimeter: 'height',
  birth_date: text('birth_date'),
  wheelchair_use: boolean('wheelchair_use'),
  gender: text('gender'),
  sex: text('sex'),
  ...sources,
  created_at: time('created_at'),
  updated_at: time('updated_at'),
})

const RECOVERED = 67
const STRAINED = 34

/** Readiness columns that can be derived from nights; strain and stress cannot. */
const derivedReadiness = columns({
  date: text('calendar_date'),
  chronotype: macroColumns.chronotype ?? unknown('text'),
  sleep_score: macroColumns.sleep_score ?? unknown('number'),
  recovery_score: 'recovery_readiness_score',
  recovery_zone: {
    kind: 'text',
    read({ recovery_readiness_score: score }) {
      if (typeof score !== 'number') return null
      if (score >= RECOVERED) return 'green'
      return score >= STRAINED ? 'yellow' : 'red'
    },
  },
  stress_score: unknown('number'),
  strain_score: unknown('number'),
  strain_zone: unknown('text'),
})

/** How regularly a source sends a resource. Source: docs/contract/health-data.md#introspection-and-sense. */
const reliability = columns({
  source_provider: text('source_provider'),
  source_type: text('source_type'),
  resource: text('resource'),
  window_start_date: text('window_start_date'),
  window_end_date: text('window_end_date'),
  window_duration_day: 'window_duration_day',
  presence_day_count: 'presence_day_count',
  presence_coverage: 'presence_coverage',
  presence_gap_count: 'presence_gap_count',
  presence_gap_maximum_day: 'presence_gap_maximum_day',
  presence_recency_day: 'presence_recency_day',
  presence_gap_mean_day: 'presence_gap_mean_day',
  presence_gap_standard_deviation_day: 'presence_gap_standard_deviation_day',
  reliability_status: text('reliability_status'),
  connection_status: text('connection_status'),
})

/** The columns of each summary's table. Source: docs/contract/health-data.md#introspection-and-sense, docs/contract/health-data.md#summaries. */
export const columnsOf: Readonly<Record<Exclude<TableName, 'timeseries'>, Columns>> = {
  sleep,
  activity,
  workout,
  body,
  meal,
  menstrual_cycle: menstrualCycle,
  profile,
  derived_readiness: derivedReadiness,
  reliability,
}

export const namesOf = (table: Exclude<TableName, 'timeseries'>) => keysOf(columnsOf[table])
