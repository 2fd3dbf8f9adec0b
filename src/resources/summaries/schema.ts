import * as z from 'zod'
import { date, maybe, text, uuid } from '../../api/fields.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { labSlugs, providerSlugs, Source, sourceTypes } from '../providers/schema.ts'
import { schemasOfSeries } from '../timeseries/schema.ts'

const instant = () => z.iso.datetime({ offset: true })
const num = () => z.number().nullable()
const int = () => z.int().nullable()
const stamps = () => ({ created_at: instant(), updated_at: instant() })
const owner = () => ({ id: z.uuid(), user_id: z.uuid() })
const ofDay = () => ({ date: instant().meta({ deprecated: true }), calendar_date: z.iso.date() })
const flatSource = () => ({
  source_provider: z.enum([...new Set([...providerSlugs, ...labSlugs])] as [string, ...string[]]),
  source_type: z.enum(sourceTypes),
  source_app_id: z.string().nullable(),
  source_device_id: z.uuid().nullable(),
})

const HeartRate = schema('HeartRate', () =>
  z.object({
    avg_bpm: num(),
    min_bpm: num(),
    max_bpm: num(),
    resting_bpm: num(),
    avg_walking_bpm: num(),
  }),
)

/** What a person did in a local day. Source: contract/wearables.md §7.2. */
export const Activity = schema('Activity', () =>
  z.object({
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
    time_zone: z.string().nullable(),
    timezone_offset: int(),
    heart_rate: HeartRate().nullable(),
    wheelchair_use: z.literal(true).nullable(),
    wheelchair_push: int(),
    ...stamps(),
  }),
)

export const Sport = schema('Sport', () =>
  z.object({ id: z.int().meta({ deprecated: true }), name: z.string(), slug: z.string() }),
)

/** Source: contract/wearables.md §7.4. */
export const Workout = schema('Workout', () =>
  z.object({
    ...owner(),
    title: z.string().nullable(),
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
    map: z.object({ polyline: z.string().nullable(), summary_polyline: z.string().nullable() }).nullable(),
    provider_id: z.string(),
    source: Source(),
    ...stamps(),
  }),
)

/** The data of `daily.data.workout_stream.created`. Source: contract/webhooks.md §4.3. */
export const WorkoutStreamNotice = schema('WorkoutStreamNotice', () =>
  z.object({
    user_id: z.uuid(),
    workout_id: z.uuid(),
    provider_id: z.string(),
    message: z.string(),
    source: Source(),
    sport: Sport(),
  }),
)

/** Source: contract/wearables.md §7.13. */
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

/** Source: contract/wearables.md §7.13. */
export const SleepStream = schema('SleepStream', () => {
  const row = (slug: string) => schemasOfSeries(slug).list().nullable()
  return z.object({
    hrv: row('hrv'),
    heartrate: row('heartrate'),
    hypnogram: row('hypnogram'),
    respiratory_rate: row('respiratory_rate'),
  })
})

/** Source: contract/wearables.md §7.5. */
export const Sleep = schema('Sleep', () =>
  z.object({
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
    source: Source(),
    sleep_stream: SleepStream().nullable().optional().meta({ deprecated: true }),
    ...stamps(),
  }),
)

/** Source: contract/wearables.md §7.11. */
export const SleepCycle = schema('SleepCycle', () =>
  z.object({
    ...owner(),
    sleep_id: z.uuid(),
    session_start: instant(),
    session_end: instant(),
    stage_start_offset_second: z.array(z.int()),
    stage_end_offset_second: z.array(z.int()),
    stage_type: z.array(z.union([-1, 1, 2, 3, 4, 5].map((stage) => z.literal(stage)))),
    time_zone: z.string().nullable(),
    ...flatSource(),
    source: Source(),
    ...stamps(),
  }),
)

/** Source: contract/wearables.md §7.6. */
export const Body = schema('Body', () =>
  z.object({
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
  }),
)

/** Source: contract/wearables.md §7.7. */
export const Profile = schema('Profile', () =>
  z.object({
    ...owner(),
    height: int(),
    birth_date: z.iso.date().nullable(),
    wheelchair_use: z.literal(true).nullable(),
    gender: z.enum(['female', 'male', 'other', 'unknown']).nullable(),
    sex: z.enum(['female', 'male', 'other']).nullable(),
    source: Source(),
    ...stamps(),
  }),
)

export { Meal } from './meal-schema.ts'
export { Electrocardiogram, MenstrualCycle } from './session-schema.ts'

export const DateQuery = unnamed(() =>
  z.object({ start_date: date(), end_date: maybe(date()), provider: text().default('') }),
)
export const ProviderOnlyQuery = unnamed(() => z.object({ provider: text().default('') }))
export const WorkoutPath = unnamed(() => z.object({ workout_id: uuid() }))
export const SleepPath = unnamed(() => z.object({ sleep_id: uuid() }))
