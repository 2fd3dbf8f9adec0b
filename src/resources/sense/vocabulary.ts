import * as z from 'zod'
import seriesRows from '../../../seeds/sense/series.json' with { type: 'json' }
import { bundledTable } from '../../kernel/seed-table.ts'

/** The words of the query language. Source: docs/contract/health-data.md#introspection-and-sense. */

// biome-ignore format: a list that is read by lines.
export const functions = [
  'mean', 'min', 'max', 'sum', 'count', 'median', 'stddev', 'oldest', 'newest',
] as const
export type Func = (typeof functions)[number]

export const units = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const
export type Unit = (typeof units)[number]

export const dateParts = [...units, 'weekday', 'week_of_year', 'day_of_year'] as const

// biome-ignore format: a list that is read by lines.
export const tables = [
  'sleep', 'derived_readiness', 'activity', 'workout', 'body', 'meal', 'menstrual_cycle', 'profile',
  'reliability', 'timeseries',
] as const
export type TableName = (typeof tables)[number]

/** Series as named in events, by the fields they have. */
export const series = bundledTable('sense/series.json', seriesRows, () => z.array(z.string()))

/** The columns of a row's source. */
export const sourceFields = [
  'source_provider',
  'source_type',
  'source_app_id',
  'source_workout_id',
  'source_sport',
] as const

const everySeries = [...sourceFields, 'timezone_offset', 'type'] as const
const lasting = [...everySeries, 'duration', 'value'] as const

/** The fields that can be selected from each kind of series. */
export const seriesFields = {
  discrete: [...everySeries, 'value'],
  interval: lasting,
  insulin_injection: [...lasting, 'delivery_mode', 'delivery_form', 'bolus_purpose'],
  blood_pressure: [...everySeries, 'systolic', 'diastolic'],
  temperature: [...lasting, 'sensor_location'],
  workout_duration: [...lasting, 'intensity'],
  note: [...everySeries, 'tags', 'content'],
} as const
export const seriesKinds = Object.keys(seriesFields) as (keyof typeof seriesFields)[]

/** Values the service computes for a night. */
export const macros = ['sleep_score', 'chronotype', 'asleep_at', 'awake_at', 'awakenings'] as const

/** Lists within a menstrual cycle, and the fields of their elements. */
export const cycleLists = {
  menstrual_flow: ['date', 'flow'],
  cervical_mucus: ['date', 'quality'],
  intermenstrual_bleeding: ['date'],
  contraceptive: ['date', 'type'],
  detected_deviations: ['date', 'deviation'],
  ovulation_test: ['date', 'test_result'],
  home_pregnancy_test: ['date', 'test_result'],
  home_progesterone_test: ['date', 'test_result'],
  sexual_activity: ['date', 'protection_used'],
  basal_body_temperature: ['date', 'value'],
} as const
