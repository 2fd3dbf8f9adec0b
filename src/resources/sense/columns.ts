import { keysOf } from '../../kernel/fields.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { cycleLists, type TableName } from './vocabulary.ts'

/** The value of a cell; times and dates are floating text, without an offset. */
export type Value = number | string | boolean | null | readonly string[]

export type Kind = 'number' | 'text' | 'boolean'

/** A summary in wire format. */
export type Item = JsonObject

/** The time of an item in the user's local time. */
export interface LocalTime {
  /** A wire instant as local time: `2026-01-05T07:10:00`. */
  readonly local: (instant: unknown) => string | null
  readonly timeZone: string
}

/** A column of a table, and how to read it from an item. */
interface Column {
  readonly kind: Kind
  readonly read: (item: Item, local: LocalTime) => Value
}

/** The value at `a.b.c` of an item. */
const at = (item: Item, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Item | null | undefined)?.[key], item)

const typeNames = { number: 'number', text: 'string', boolean: 'boolean' } as const

const valueAt = (kind: Kind, path: string): Column => ({
  kind,
  read(item) {
    const value = at(item, path)
    return typeof value === typeNames[kind] ? (value as Value) : null
  },
})

const text = (path: string) => valueAt('text', path)

/** An instant in the user's local time. */
const time = (path: string): Column => ({
  kind: 'text',
  read: (item, { local }) => local(at(item, path)),
})

/** The sum of an activity's minutes in seconds. */
const seconds = (...paths: readonly string[]): Column => ({
  kind: 'number',
  read(item) {
    const known = paths.map((path) => at(item, path)).filter((value) => typeof value === 'number')
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value * 60, 0)
  },
})

/** A column that Petri's summaries have no field for. */
const unknown: Column = { kind: 'number', read: () => null }

const timeZone: Column = { kind: 'text', read: (_, local) => local.timeZone }

const sources = {
  source_type: text('source.type'),
  source_provider: text('source.provider'),
  source_app_id: text('source.app_id'),
  source_device_id: text('source.device_id'),
}

/** A table's columns; a path alone is that of a number. */
const columns = (table: Readonly<Record<string, string | Column>>): Readonly<Record<string, Column>> =>
  Object.fromEntries(
    Object.entries(table).map(([name, column]) => [
      name,
      typeof column === 'string' ? valueAt('number', column) : column,
    ]),
  )

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
  stage_unknown_second: unknown,
  latency_second: 'latency',
  heart_rate_minimum: 'hr_lowest',
  heart_rate_mean: 'hr_average',
  heart_rate_maximum: unknown,
  heart_rate_dip: 'hr_dip',
  heart_rate_resting: 'hr_resting',
  efficiency: 'efficiency',
  hrv_mean_rmssd: 'average_hrv',
  hrv_mean_sdnn: unknown,
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
  duration_active_second: seconds('low', 'medium', 'high'),
  intensity_sedentary_second: unknown,
  intensity_low_second: seconds('low'),
  intensity_medium_second: seconds('medium'),
  intensity_high_second: seconds('high'),
  heart_rate_mean: 'heart_rate.avg_bpm',
  heart_rate_minimum: 'heart_rate.min_bpm',
  heart_rate_maximum: 'heart_rate.max_bpm',
  heart_rate_resting: 'heart_rate.resting_bpm',
  heart_rate_mean_walking: 'heart_rate.avg_walking_bpm',
  wheelchair_use: valueAt('boolean', 'wheelchair_use'),
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
  heart_rate_minimum: unknown,
  heart_rate_maximum: 'max_hr',
  heart_rate_zone_1: 'hr_zones.0',
  heart_rate_zone_2: 'hr_zones.1',
  heart_rate_zone_3: 'hr_zones.2',
  heart_rate_zone_4: 'hr_zones.3',
  heart_rate_zone_5: 'hr_zones.4',
  heart_rate_zone_6: 'hr_zones.5',
  distance_meter: 'distance',
  calories: 'calories',
  elevation_gain_meter: 'total_elevation_gain',
  elevation_maximum_meter: 'elev_high',
  elevation_minimum_meter: 'elev_low',
  speed_mean: 'average_speed',
  speed_maximum: 'max_speed',
  power_source: unknown,
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

/** The columns of the summaries that queries read. Source: docs/contract/health-data.md#introspection-and-sense. */
export const columnsOf = { sleep, activity, workout, body }

type Summary = keyof typeof columnsOf

/** The columns of tables that Petri does not read. */
// biome-ignore format: lists that are read by lines.
const otherColumns: Readonly<Record<Exclude<TableName, 'timeseries' | Summary>, readonly string[]>> = {
  meal: [
    'calories', 'carbohydrate_gram', 'protein_gram', 'alcohol_gram', 'water_gram', 'fibre_gram', 'sugar_gram',
    'cholesterol_gram', 'saturated_fat_gram', 'monounsaturated_fat_gram', 'polyunsaturated_fat_gram',
    'omega3_fat_gram', 'omega6_fat_gram', 'total_fat_gram', 'sodium_milligram', 'potassium_milligram',
    'calcium_milligram', 'phosphorus_milligram', 'magnesium_milligram', 'iron_milligram', 'zinc_milligram',
    'fluoride_milligram', 'chloride_milligram', 'vitamin_a_milligram', 'vitamin_b1_milligram',
    'riboflavin_milligram', 'niacin_milligram', 'pantothenic_acid_milligram', 'vitamin_b6_milligram',
    'vitamin_c_milligram', 'vitamin_e_milligram', 'biotin_microgram', 'vitamin_b12_microgram',
    'vitamin_d_microgram', 'vitamin_k_microgram', 'folic_acid_microgram', 'copper_milligram',
    'manganese_milligram', 'chromium_microgram', 'iodine_microgram', 'molybdenum_microgram',
    'selenium_microgram', 'date', 'name', ...keysOf(sources),
  ],
  menstrual_cycle: [
    'period_start', 'period_end', 'cycle_end', 'is_predicted', ...keysOf(cycleLists), ...keysOf(sources),
  ],
  profile: [
    'height_centimeter', 'birth_date', 'wheelchair_use', 'gender', 'sex', ...keysOf(sources),
    'created_at', 'updated_at',
  ],
  derived_readiness: [
    'date', 'chronotype', 'sleep_score', 'recovery_score', 'recovery_zone', 'stress_score', 'strain_score',
    'strain_zone',
  ],
  reliability: [
    'source_provider', 'source_type', 'resource', 'window_start_date', 'window_end_date', 'window_duration_day',
    'presence_day_count', 'presence_coverage', 'presence_gap_count', 'presence_gap_maximum_day',
    'presence_recency_day', 'presence_gap_mean_day', 'presence_gap_standard_deviation_day',
    'reliability_status', 'connection_status',
  ],
}

/** A column of a table that Petri reads. */
export const findColumn = (table: string, name: string): Column | undefined =>
  Object.hasOwn(columnsOf, table) && Object.hasOwn(columnsOf[table as Summary], name)
    ? columnsOf[table as Summary][name]
    : undefined

export const namesOf = (table: Exclude<TableName, 'timeseries'>): readonly string[] =>
  Object.hasOwn(otherColumns, table)
    ? otherColumns[table as keyof typeof otherColumns]
    : keysOf(columnsOf[table as Summary])
