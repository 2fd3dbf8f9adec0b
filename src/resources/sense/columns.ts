import {
  boolean,
  type Column,
  type Columns,
  list,
  number,
  sources,
  text,
  time,
  timeZone,
  unknown,
} from './column.ts'
import { macroColumns } from './macros.ts'
import { mealColumns } from './meal-columns.ts'
import { cycleLists, type TableName } from './vocabulary.ts'

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
