import * as z from 'zod'
import { date, maybe, text } from '../../api/fields.ts'
import { anyObject, instant, nullableText, schema, unnamed } from '../../api/schema.ts'
import { sourceTypes } from '../catalogue/schema.ts'
import { Source, sourceSlugs } from '../providers/schema.ts'
import { schemasOfSeries } from '../timeseries/schema.ts'
import { ProviderName } from '../users/schema.ts'

const num = () => z.number().nullable()
const int = () => z.int().nullable()
const stamps = () => ({ created_at: instant(), updated_at: instant() })
const owner = () => ({ id: z.guid(), user_id: z.uuid() })
const ofDay = () => ({ date: instant().meta({ deprecated: true }), calendar_date: z.iso.date() })
const flatSource = () => ({
  source_provider: z.enum(sourceSlugs),
  source_type: z.enum(sourceTypes),
  source_app_id: nullableText(),
  source_device_id: z.uuid().nullable(),
})
const session = () => ({ ...owner(), ...flatSource(), source: Source(), ...stamps() })

/** Source: docs/contract/health-data.md#summaries. */
export const Electrocardiogram = schema('Electrocardiogram', () => ({
  ...session(),
  session_start: instant(),
  session_end: instant(),
  voltage_sample_count: z.int(),
  heart_rate_mean: z.int().nullable(),
  sampling_frequency_hz: num(),
  classification: z.enum(['sinus_rhythm', 'atrial_fibrillation', 'inconclusive']).nullable(),
  inconclusive_cause: z.enum(['high_heart_rate', 'low_heart_rate', 'poor_reading']).nullable(),
  algorithm_version: nullableText(),
  time_zone: nullableText(),
  source_device_model: nullableText(),
}))

const entries = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.array(z.object({ date: z.iso.date(), ...shape }))
const testResult = () => z.enum(['negative', 'positive', 'indeterminate'])

/** Source: docs/contract/health-data.md#summaries. */
export const MenstrualCycle = schema('MenstrualCycle', () => ({
  ...session(),
  period_start: z.iso.date(),
  period_end: z.iso.date().nullable(),
  cycle_end: z.iso.date().nullable(),
  is_predicted: z.boolean(),
  menstrual_flow: entries({ flow: z.enum(['unspecified', 'none', 'light', 'medium', 'heavy']) }),
  cervical_mucus: entries({ quality: z.enum(['dry', 'sticky', 'creamy', 'watery', 'egg_white']) }),
  intermenstrual_bleeding: entries({}),
  contraceptive: entries({
    type: z.enum(['unspecified', 'implant', 'injection', 'iud', 'intravaginal_ring', 'oral', 'patch']),
  }),
  detected_deviations: entries({
    deviation: z.enum([
      'persistent_intermenstrual_bleeding',
      'prolonged_menstrual_periods',
      'irregular_menstrual_cycles',
      'infrequent_menstrual_cycles',
    ]),
  }),
  ovulation_test: entries({
    test_result: z.enum([
      'negative',
      'positive',
      'luteinizing_hormone_surge',
      'estrogen_surge',
      'indeterminate',
    ]),
  }),
  home_pregnancy_test: entries({ test_result: testResult() }),
  home_progesterone_test: entries({ test_result: testResult() }),
  sexual_activity: entries({ protection_used: z.boolean().nullable() }),
  basal_body_temperature: entries({ value: z.number() }),
}))

const Energy = schema('Energy', () => ({ unit: z.literal('kcal'), value: z.number() }))

/** Grams. */
const Macros = schema('Macros', () => ({
  carbs: num(),
  protein: num(),
  fats: z.object({
    saturated: num(),
    monounsaturated: num(),
    polyunsaturated: num(),
    omega3: num(),
    omega6: num(),
    total: num(),
  }),
  alcohol: num(),
  water: num(),
  fibre: num(),
  sugar: num(),
  cholesterol: num(),
}))

const Micros = schema('Micros', () => {
  const amounts = () => z.record(z.string(), z.number()).nullable()
  return z.object({ minerals: amounts(), trace_elements: amounts(), vitamins: amounts() })
})

const content = () => ({
  energy: Energy().nullable(),
  macros: Macros().nullable(),
  micros: Micros().nullable(),
})

const Food = schema('Food', () => z.object(content()))

/** Source: docs/contract/health-data.md#summaries. */
export const Meal = schema('Meal', () => ({
  id: z.uuid(),
  user_id: z.guid(),
  priority_id: z.int().meta({ deprecated: true }),
  source_id: z.int().meta({ deprecated: true }),
  provider_id: z.string().meta({ deprecated: true }),
  timestamp: instant(),
  calendar_date: z.iso.date(),
  name: z.string(),
  ...content(),
  data: z.record(z.string(), Food()),
  source: Source(),
  created_at: instant(),
  updated_at: instant(),
  source_app_id: nullableText(),
  source_device_id: z.uuid().nullable(),
}))

const HeartRate = schema('HeartRate', () => ({
  avg_bpm: num(),
  min_bpm: num(),
  max_bpm: num(),
  resting_bpm: num(),
  avg_walking_bpm: num(),
}))

/** What a person did in a local day. Source: docs/contract/health-data.md#summaries. */
export const Activity = schema('Activity', () => ({
  ...owner(),
  ...ofDay(),
  calories_total: num(),
  calories_active: num(),
  steps: int(),
  daily_movement: num().optional().meta({ deprecated: true }),
  distance: num(),
  low: num(),
  medium: num(),
  high: num(),
  source: Source(),
  floors_climbed: int(),
  time_zone: nullableText(),
  timezone_offset: int(),
  heart_rate: HeartRate().nullable(),
  wheelchair_use: z.literal(true).nullable(),
  wheelchair_push: int(),
  ...stamps(),
}))

export const Sport = schema('Sport', () => ({
  id: z.int().meta({ deprecated: true }),
  name: z.string(),
  slug: z.string(),
}))

/** Source: docs/contract/health-data.md#summaries. */
export const Workout = schema('Workout', () => ({
  ...owner(),
  title: nullableText(),
  timezone_offset: int(),
  average_hr: int(),
  max_hr: int(),
  distance: num(),
  calendar_date: z.iso.date(),
  time_start: instant(),
  time_end: instant(),
  calories: num(),
  sport: Sport(),
  hr_zones: z.array(z.int()).nullable(),
  moving_time: int(),
  total_elevation_gain: num(),
  elev_high: num(),
  elev_low: num(),
  average_speed: num(),
  max_speed: num(),
  average_watts: num(),
  device_watts: num(),
  max_watts: num(),
  weighted_average_watts: num(),
  steps: int(),
  map: z
    .object({
      // Not published; the Android SDK 5.0.2 requires it. Source: docs/contract/phones.md#uploads.
      id: z.string().exactOptional(),
      polyline: nullableText(),
      summary_polyline: nullableText(),
    })
    .nullable(),
  provider_id: z.string(),
  // Not published; the Android SDK 5.0.2 requires it. Source: docs/contract/phones.md#uploads.
  user_key: z.string().exactOptional(),
  source: Source(),
  ...stamps(),
}))

/** The data of `daily.data.workout_stream.created`. Source: docs/contract/webhooks.md#events. */
export const WorkoutStreamNotice = schema('WorkoutStreamNotice', () => ({
  user_id: z.guid(),
  workout_id: z.uuid(),
  provider_id: z.string(),
  message: z.string(),
  source: Source(),
  sport: Sport(),
}))

/** Source: docs/contract/health-data.md#summaries. */
export const WorkoutStream = schema('WorkoutStream', () => {
  const row = () => z.array(z.number().nullable())
  return z.object({
    cadence: row().nullable(),
    time: z.array(z.int()).nullable(),
    altitude: row().nullable(),
    velocity_smooth: row().nullable(),
    heartrate: z.array(z.int().nullable()).nullable(),
    lat: row().nullable(),
    lng: row().nullable(),
    distance: row().nullable(),
    power: row().nullable(),
    resistance: row().nullable(),
    temperature: row().nullable(),
  })
})

/** Source: docs/contract/health-data.md#summaries. */
export const SleepStream = schema('SleepStream', () => {
  const row = (slug: string) => schemasOfSeries(slug).list().nullable()
  return z.object({
    hrv: row('hrv'),
    heartrate: row('heartrate'),
    hypnogram: row('hypnogram'),
    respiratory_rate: row('respiratory_rate'),
  })
})

/** Source: docs/contract/health-data.md#summaries. */
export const Sleep = schema('Sleep', () => ({
  ...owner(),
  ...ofDay(),
  bedtime_start: instant(),
  bedtime_stop: instant(),
  type: z.enum(['long_sleep', 'short_sleep', 'acknowledged_nap', 'unknown']),
  timezone_offset: int(),
  duration: z.int(),
  total: z.int(),
  awake: z.int(),
  light: z.int(),
  rem: z.int(),
  deep: z.int(),
  score: int(),
  recovery_readiness_score: int(),
  hr_lowest: int(),
  hr_average: int(),
  hr_resting: int(),
  efficiency: num(),
  latency: int(),
  temperature_delta: num(),
  skin_temperature: num(),
  hr_dip: num(),
  state: z.enum(['tentative', 'confirmed']).nullable(),
  average_hrv: num(),
  respiratory_rate: num(),
  stage_asleep_second: int(),
  stage_awake_second: int(),
  stage_light_second: int(),
  stage_rem_second: int(),
  stage_deep_second: int(),
  source: Source(),
  sleep_stream: SleepStream().nullable().optional().meta({ deprecated: true }),
  ...stamps(),
}))

/** Source: docs/contract/health-data.md#summaries. */
export const SleepCycle = schema('SleepCycle', () => ({
  ...owner(),
  sleep_id: z.uuid(),
  session_start: instant(),
  session_end: instant(),
  stage_start_offset_second: z.array(z.int()),
  stage_end_offset_second: z.array(z.int()),
  stage_type: z.array(z.union([-1, 1, 2, 3, 4, 5].map((stage) => z.literal(stage)))),
  time_zone: nullableText(),
  ...flatSource(),
  source: Source(),
  ...stamps(),
}))

/** Source: docs/contract/health-data.md#summaries. */
export const Body = schema('Body', () => ({
  ...owner(),
  ...ofDay(),
  weight: num(),
  fat: num(),
  water_percentage: num(),
  muscle_mass_percentage: num(),
  visceral_fat_index: num(),
  bone_mass_percentage: num(),
  body_mass_index: num(),
  lean_body_mass_kilogram: num(),
  waist_circumference_centimeter: num(),
  source: Source(),
  ...stamps(),
}))

/** Source: docs/contract/health-data.md#summaries. */
export const Profile = schema('Profile', () => ({
  ...owner(),
  height: int(),
  birth_date: z.iso.date().nullable(),
  wheelchair_use: z.literal(true).nullable(),
  gender: z.enum(['female', 'male', 'other', 'unknown']).nullable(),
  sex: z.enum(['female', 'male', 'other']).nullable(),
  source: Source(),
  ...stamps(),
}))

export const DateQuery = unnamed(() => ({
  start_date: date(),
  end_date: maybe(date()),
  provider: text().default(''),
}))
export const ProviderOnlyQuery = unnamed(() => ({ provider: text().default('') }))

const raw = () => ({
  timestamp: instant(),
  data: anyObject(),
  user_id: z.guid(),
  provider_id: z.string().meta({ deprecated: true }),
  source_id: z.int().meta({ deprecated: true }),
  priority_id: z.int().nullable().meta({ deprecated: true }),
  id: z.uuid(),
  source_device_id: z.uuid().nullable(),
  created_at: instant(),
  updated_at: instant(),
  source: ProviderName(),
})

const rawWithPriority = () =>
  z.object({ ...raw(), priority: z.int().nullable().optional().meta({ deprecated: true }) })

/** By resource, an item as the provider sent it. Source: docs/contract/health-data.md#summaries. */
export const rawItems = {
  activity: schema('RawActivity', () => ({ ...raw(), priority_id: z.int().meta({ deprecated: true }) })),
  workouts: schema('RawWorkout', () => ({ ...raw(), sport_id: z.int(), sport: Sport() })),
  sleep: schema('RawSleep', rawWithPriority),
  body: schema('RawBody', rawWithPriority),
} as const

export const RawProfile = schema('RawProfile', () => ({
  profile: z.object({
    id: z.uuid(),
    data: anyObject(),
    user_id: z.guid(),
    source_id: z.int().meta({ deprecated: true }),
    priority_id: z.int().nullable().optional().meta({ deprecated: true }),
    source: ProviderName(),
    created_at: instant(),
    updated_at: instant(),
  }),
}))

export const RawDevices = schema('RawDevices', () => ({
  devices: z.array(
    z.object({
      data: anyObject(),
      provider_id: z.string(),
      user_id: z.guid(),
      source_id: z.int(),
      id: z.uuid(),
      source: ProviderName(),
    }),
  ),
}))
