import * as z from 'zod'
import { boolean, date, dateTime, integer, maybe, number, text } from '../../api/fields.ts'
import { anyObject, type LazySchema, type Parsed, unnamed } from '../../api/schema.ts'
import { keysOf } from '../../kernel/fields.ts'
import { HOUR_MS, SECOND_MS, type TimeRange, toDate, toWire } from '../../kernel/instant.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { smallest } from '../../kernel/list.ts'
import { localDate } from '../../kernel/local-day.ts'
import { isCanonicalUuid } from '../../kernel/uuid.ts'
import {
  type Stored,
  type Upload,
  type UploadedSeries,
  type UploadedSummary,
  type UploadKind,
  uploadKind,
} from './kind.ts'
import { nutritionOf } from './nutrition.ts'
import { offsetOf, sourceTypeOf, toSample, UploadedSample } from './samples.ts'
import { inOrder, period } from './schema.ts'

/** Any text; the Android SDK sends `{uid}:{index}:{type}`, or nothing. A UUID of iOS is in upper case. */
const uploadedId = () => text().transform((id) => (isCanonicalUuid(id.toLowerCase()) ? id.toLowerCase() : id))

const count = () => maybe(integer())
const amount = () => maybe(number())
const samples = () => z.array(UploadedSample()).default([])
const origin = () => ({
  source_bundle: maybe(text()),
  product_type: maybe(text()),
  source_type: maybe(text()),
  metadata: maybe(anyObject()),
})

const originOf = ({ source_type, ...rest }: Parsed<LazySchema<z.ZodObject<ReturnType<typeof origin>>>>) =>
  sourceTypeOf({ ...rest, type: source_type })

const only = (resource: string, sourceType: string, key: string, item: UploadedSummary['item']): Stored => ({
  summaries: [{ resource, sourceType, key, item }],
})

/** Fields of a summary by their names in an upload; null where the upload has none. */
const renamed = <Item extends object>(item: Item, fields: Readonly<Record<string, keyof Item>>): JsonObject =>
  Object.fromEntries(Object.entries(fields).map(([field, name]) => [field, item[name] ?? null]))

const isGiven = <Value>(value: Value | null | undefined): value is Value =>
  value !== null && value !== undefined

const UploadedProfile = unnamed(() => ({
  biological_sex: maybe(text()),
  date_of_birth: maybe(dateTime()),
  height: amount(),
  wheelchair_use: maybe(boolean()),
}))

function storeProfile(item: Parsed<typeof UploadedProfile>): Stored {
  const { biological_sex: sex, date_of_birth: birth, height, wheelchair_use } = item
  const known = ['male', 'female', 'other'].find((one) => one === sex) ?? null
  return only('profile', 'app', 'profile', {
    sex: known,
    gender: known ?? (sex === 'not_set' ? 'unknown' : null),
    birth_date: isGiven(birth) ? toDate(birth) : null,
    height: height ? Math.round(height) : null,
    wheelchair_use: wheelchair_use || null,
  })
}

const UploadedBody = unnamed(() => ({
  body_mass: samples(),
  body_fat_percentage: samples(),
  body_mass_index: samples(),
  waist_circumference: samples(),
  lean_body_mass: samples(),
}))

/** The samples of a body: their series, and the field of the summary. */
// biome-ignore format: a table is read by its columns.
const bodyFields = [
  { name: 'body_mass', series: 'body_weight', field: 'weight' },
  { name: 'body_fat_percentage', series: 'body_fat', field: 'fat' },
  { name: 'body_mass_index', series: 'body_mass_index', field: 'body_mass_index' },
  { name: 'waist_circumference', series: 'waist_circumference', field: 'waist_circumference_centimeter' },
  { name: 'lean_body_mass', series: 'lean_body_mass', field: 'lean_body_mass_kilogram' },
] as const

/** One summary for each local day and device, with the latest value of each field. */
function storeBody(body: Parsed<typeof UploadedBody>, { timeZone }: Upload): Stored {
  const days = new Map<string, { sourceType: string; fields: JsonObject }>()
  const series: UploadedSeries[] = []
  for (const { name, series: slug, field } of bodyFields) {
    for (const uploaded of [...body[name]].sort((a, b) => a.start_date - b.start_date)) {
      const sourceType = sourceTypeOf(uploaded)
      const sample = toSample(uploaded, timeZone, {
        units: name === 'waist_circumference' ? { m: 100 } : {},
      })
      series.push({ series: slug, sourceType, sample })
      const day = localDate(timeZone, sample.start)
      const known = days.get(`${day}/${sourceType}`)
      const fields = { ...known?.fields, calendar_date: day, [field]: sample.value }
      days.set(`${day}/${sourceType}`, { sourceType, fields })
    }
  }
  const summaries = [...days].map(([key, { sourceType, fields }]) => ({
    resource: 'body',
    sourceType,
    key,
    item: fields,
  }))
  return { summaries, samples: series }
}

const UploadedActivity = unnamed(() => ({
  day_summary: maybe(
    z.object({
      calendar_date: date(),
      active_energy_burned_sum: amount(),
      basal_energy_burned_sum: amount(),
      steps_sum: count(),
      floors_climbed_sum: count(),
      distance_walking_running_sum: amount(),
      low: amount(),
      medium: amount(),
      high: amount(),
      max_heart_rate: amount(),
      min_heart_rate: amount(),
      avg_heart_rate: amount(),
      resting_heart_rate: amount(),
      wheelchair_use: maybe(boolean()),
      wheelchair_push: count(),
    }),
  ),
}))

const activityFields = {
  calories_active: 'active_energy_burned_sum',
  steps: 'steps_sum',
  floors_climbed: 'floors_climbed_sum',
  distance: 'distance_walking_running_sum',
  daily_movement: 'distance_walking_running_sum',
  low: 'low',
  medium: 'medium',
  high: 'high',
  wheelchair_push: 'wheelchair_push',
} as const
const rateFields = {
  avg_bpm: 'avg_heart_rate',
  min_bpm: 'min_heart_rate',
  max_bpm: 'max_heart_rate',
  resting_bpm: 'resting_heart_rate',
} as const

function storeActivity({ day_summary: day }: Parsed<typeof UploadedActivity>, { timeZone }: Upload): Stored {
  if (!day) return { summaries: [] }
  const { active_energy_burned_sum: active, basal_energy_burned_sum: basal } = day
  const rates = renamed(day, rateFields)
  const hasRates = Object.values(rates).some((rate) => rate !== null)
  return only('activity', 'multiple_sources', day.calendar_date, {
    ...renamed(day, activityFields),
    calendar_date: day.calendar_date,
    calories_total: isGiven(active) ? active + (basal ?? 0) : null,
    heart_rate: hasRates ? { ...rates, avg_walking_bpm: null } : null,
    wheelchair_use: day.wheelchair_use || null,
    time_zone: timeZone,
    timezone_offset: offsetOf({}, timeZone, Date.parse(`${day.calendar_date}T12:00:00Z`)),
  })
}

/**
 * The stages of a night, the most specific first; of two that overlap, the more specific one counts. iOS spells them in
 * snake case, Android in camel case.
 */
const stageLists = {
  deep: ['deep_sleep_samples', 'deepSleepSamples'],
  rem: ['rem_sleep_samples', 'remSleepSamples'],
  awake: ['awake_sleep_samples', 'awakeSleepSamples'],
  light: ['light_sleep_samples', 'lightSleepSamples'],
  unspecified: ['unspecified_sleep_samples', 'unknownSleepSamples'],
} as const
type Stage = keyof typeof stageLists
const stages = keysOf(stageLists)
const stageNames = Object.values(stageLists).flat()

const UploadedSleep = unnamed(() =>
  period({
    id: maybe(uploadedId()),
    heart_rate_minimum: count(),
    heart_rate_mean: count(),
    hrv_mean_sdnn: amount(),
    respiratory_rate_mean: amount(),
    wrist_temperature: samples(),
    score: count(),
    sleep_stages: maybe(z.object(Object.fromEntries(stageNames.map((name) => [name, samples()])))),
    ...origin(),
  }),
)

const sleepFields = {
  score: 'score',
  hr_lowest: 'heart_rate_minimum',
  hr_average: 'heart_rate_mean',
  average_hrv: 'hrv_mean_sdnn',
  respiratory_rate: 'respiratory_rate_mean',
} as const

/** The shortest sleep that counts as a night. */
const NIGHT_MS = 3 * HOUR_MS

function storeSleep(item: Parsed<typeof UploadedSleep>, { timeZone }: Upload): Stored {
  const { start_date: start, end_date: end, wrist_temperature: warmth } = item
  const duration = Math.round((end - start) / SECOND_MS)
  const spans = stageSpans(item)
  const { deep, rem, awake, light, unspecified } = secondsOfStages(spans)
  const asleep = deep + rem + light + unspecified
  const hasStages = asleep > 0 || awake > 0
  const total = hasStages ? asleep : duration
  const firstAsleep = smallest(spans.filter(({ stage }) => stage !== 'awake').map(({ from }) => from))
  return only('sleep', originOf(item), item.id || toWire(start), {
    calendar_date: localDate(timeZone, end),
    bedtime_start: toWire(start),
    bedtime_stop: toWire(end),
    type: end - start >= NIGHT_MS ? 'long_sleep' : 'short_sleep',
    timezone_offset: offsetOf(item, timeZone, start),
    duration,
    total,
    light: hasStages ? light + unspecified : total,
    deep,
    rem,
    awake: awake || duration - total,
    latency: Number.isFinite(firstAsleep) ? Math.round((firstAsleep - start) / SECOND_MS) : null,
    ...renamed(item, sleepFields),
    skin_temperature:
      warmth.length > 0 ? warmth.reduce((sum, { value }) => sum + value, 0) / warmth.length : null,
    efficiency: duration > 0 ? Math.round((total / duration) * 10_000) / 100 : null,
    state: 'confirmed',
  })
}

interface StageSpan extends TimeRange {
  readonly stage: Stage
}

/** The stages within the night. */
const stageSpans = ({ start_date, end_date, sleep_stages }: Parsed<typeof UploadedSleep>): StageSpan[] =>
  stages.flatMap((stage) =>
    stageLists[stage]
      .flatMap((name) => sleep_stages?.[name] ?? [])
      .map((sample) => ({
        stage,
        from: Math.max(start_date, sample.start_date),
        until: Math.min(end_date, sample.end_date),
      }))
      .filter(({ from, until }) => from < until),
  )

/** The whole seconds of each stage; each instant counts for one. */
function secondsOfStages(spans: readonly StageSpan[]): Record<Stage, number> {
  const turns = spans.flatMap(({ stage, from, until }) => [
    { at: from, stage, by: 1 },
    { at: until, stage, by: -1 },
  ])
  const open = { deep: 0, rem: 0, awake: 0, light: 0, unspecified: 0 }
  const lasted = { ...open }
  let last = 0
  for (const { at, stage, by } of turns.sort((a, b) => a.at - b.at)) {
    const now = stages.find((one) => open[one] > 0)
    if (now) lasted[now] += at - last
    open[stage] += by
    last = at
  }
  for (const stage of stages) lasted[stage] = Math.floor(lasted[stage] / SECOND_MS)
  return lasted
}

/** iOS writes `heart_rate_zone1`, Android `heart_rate_zone_1`. */
const zoneNames = [1, 2, 3, 4, 5, 6].map(
  (zone) => [`heart_rate_zone${zone}`, `heart_rate_zone_${zone}`] as const,
)

const UploadedWorkout = unnamed(() =>
  period({
    id: maybe(uploadedId()),
    moving_time: amount(),
    sport: text(),
    calories: amount(),
    distance: amount(),
    ascent_elevation: amount(),
    heart_rate_maximum: count(),
    heart_rate_mean: count(),
    ...Object.fromEntries(zoneNames.flat().map((name) => [name, count()])),
    ...origin(),
  }),
)

const workoutFields = {
  average_hr: 'heart_rate_mean',
  max_hr: 'heart_rate_maximum',
  distance: 'distance',
  calories: 'calories',
} as const

function storeWorkout(item: Parsed<typeof UploadedWorkout>, { timeZone }: Upload): Stored {
  const { start_date: start, end_date: end, sport, ascent_elevation: ascent } = item
  const zonesOf = item as JsonObject
  const zones = zoneNames.map(([ios, android]) => zonesOf[ios] ?? zonesOf[android] ?? 0)
  const key = item.id || toWire(start)
  return only('workouts', originOf(item), key, {
    ...(item.id && { provider_id: item.id }),
    calendar_date: localDate(timeZone, start),
    time_start: toWire(start),
    time_end: toWire(end),
    timezone_offset: offsetOf(item, timeZone, start),
    sport: { id: 0, name: sport, slug: sport.toLowerCase().replace(/[^a-z0-9]+/g, '_') },
    ...renamed(item, workoutFields),
    hr_zones: zones.some((zone) => zone !== 0) ? zones : null,
    moving_time: Math.round(item.moving_time ?? (end - start) / SECOND_MS),
    total_elevation_gain: isGiven(ascent) ? Math.round(ascent) : null,
  })
}

const cycleLists = [
  'menstrual_flow',
  'cervical_mucus',
  'intermenstrual_bleeding',
  'contraceptive',
  'detected_deviations',
  'ovulation_test',
  'home_pregnancy_test',
  'home_progesterone_test',
  'sexual_activity',
  'basal_body_temperature',
] as const

const UploadedCycle = unnamed(() => ({
  source_bundle: maybe(text()),
  cycle: inOrder('period_start', 'period_end', {
    period_start: date(),
    period_end: maybe(date()),
    cycle_end: maybe(date()),
    ...Object.fromEntries(cycleLists.map((name) => [name, maybe(z.array(z.looseObject({})))])),
  }),
}))

const cycleFields = {
  period_start: 'period_start',
  period_end: 'period_end',
  cycle_end: 'cycle_end',
} as const

function storeCycle({ source_bundle, cycle }: Parsed<typeof UploadedCycle>): Stored {
  const lists = cycle as JsonObject
  return only('menstrual_cycle', sourceTypeOf({ source_bundle }), cycle.period_start, {
    ...renamed(cycle, cycleFields),
    is_predicted: false,
    ...Object.fromEntries(cycleLists.map((name) => [name, lists[name] ?? []])),
  })
}

const UploadedElectrocardiogram = unnamed(() => ({
  electrocardiogram: inOrder('session_start', 'session_end', {
    id: uploadedId(),
    session_start: dateTime(),
    session_end: dateTime(),
    voltage_sample_count: integer({ ge: 0 }),
    heart_rate_mean: count(),
    sampling_frequency_hz: amount(),
    classification: maybe(text()),
    inconclusive_cause: maybe(text()),
    algorithm_version: maybe(text()),
    device_model: maybe(text()),
    ...origin(),
  }),
  voltage_data: maybe(
    z.object({
      session_start_offset_millisecond: z.array(z.number()),
      lead1: z.array(z.number().nullable()),
    }),
  ),
}))

const electrocardiogramFields = {
  voltage_sample_count: 'voltage_sample_count',
  heart_rate_mean: 'heart_rate_mean',
  sampling_frequency_hz: 'sampling_frequency_hz',
  classification: 'classification',
  inconclusive_cause: 'inconclusive_cause',
  algorithm_version: 'algorithm_version',
  source_device_model: 'device_model',
} as const

function storeElectrocardiogram(
  { electrocardiogram: session, voltage_data: voltages }: Parsed<typeof UploadedElectrocardiogram>,
  { timeZone }: Upload,
): Stored {
  const sourceType = originOf(session)
  const stored = only('electrocardiogram', sourceType, session.id, {
    session_start: toWire(session.session_start),
    session_end: toWire(session.session_end),
    ...renamed(session, electrocardiogramFields),
    time_zone: timeZone,
  })
  const offsetSeconds = offsetOf(session, timeZone, session.session_start)
  const voltage = (voltages?.lead1 ?? []).flatMap((value, at): UploadedSeries[] => {
    const offset = voltages?.session_start_offset_millisecond[at]
    if (value === null || offset === undefined) return []
    const start = session.session_start + offset
    const sample = { start, end: start, offsetSeconds, value, type: 'lead_1' }
    return [{ series: 'electrocardiogram_voltage', sourceType, sample }]
  })
  return { ...stored, samples: voltage }
}

/** A meal of HealthKit has its nutrients as samples, one of Health Connect as records. */
const UploadedMeal = unnamed(() => ({
  healthkit: maybe(z.looseObject({ source_bundle: maybe(text()) })),
  health_connect: maybe(
    z.object({
      source_bundle: maybe(text()),
      nutrition_records: z.array(
        z.object({
          start_time: dateTime(),
          nutrients: maybe(anyObject()),
          name: maybe(text()),
          meal_type: integer({ ge: 0, le: 4 }),
        }),
      ),
    }),
  ),
}))

/** By `meal_type` of Health Connect. */
const mealNames = ['unknown', 'breakfast', 'lunch', 'dinner', 'snack']

function storeMeal({ healthkit, health_connect }: Parsed<typeof UploadedMeal>, { timeZone }: Upload): Stored {
  const summaryOf = (at: number, name: string, amounts: ReadonlyMap<string, number>): UploadedSummary => ({
    resource: 'meal',
    sourceType: 'app',
    key: `${toWire(at)}/${name}`,
    item: {
      timestamp: toWire(at),
      calendar_date: localDate(timeZone, at),
      name,
      ...nutritionOf(amounts),
      data: {},
    },
  })
  const records = (health_connect?.nutrition_records ?? []).map(
    ({ start_time, name, meal_type, nutrients }) =>
      summaryOf(start_time, name ?? mealNames[meal_type] ?? 'unknown', amountsIn(nutrients ?? {})),
  )
  return {
    summaries: [
      ...records,
      ...[...mealsInHealthKit(healthkit ?? {})].map(([at, amounts]) => summaryOf(at, 'meal', amounts)),
    ],
  }
}

/** The amounts of a record of nutrients; values may be objects with a unit. */
const amountsIn = (nutrients: JsonObject): ReadonlyMap<string, number> =>
  new Map(
    Object.entries(nutrients).flatMap(([name, value]) => {
      const number = typeof value === 'object' ? (value as { value?: unknown } | null)?.value : value
      return typeof number === 'number' ? [[name, number] as const] : []
    }),
  )

/** The nutrients of each instant at which a meal was recorded. */
function mealsInHealthKit(lists: JsonObject): Map<number, Map<string, number>> {
  const meals = new Map<number, Map<string, number>>()
  for (const [name, list] of Object.entries(lists)) {
    const read = z.array(UploadedSample()).safeParse(list)
    for (const { start_date, value } of read.data ?? []) {
      const meal = meals.get(start_date) ?? new Map<string, number>()
      meals.set(start_date, meal.set(name, (meal.get(name) ?? 0) + value))
    }
  }
  return meals
}

/** The uploads of summaries. Source: docs/contract/phones.md#uploads. */
// biome-ignore format: a table is read by its lines.
export const summaryUploads: readonly UploadKind[] = [
  uploadKind({ path: 'profile', item: UploadedProfile, isSingle: true, resources: ['profile'], store: storeProfile }),
  uploadKind({ path: 'body', item: UploadedBody, isSingle: true, resources: ['body', 'weight', 'fat'], store: storeBody }),
  uploadKind({ path: 'activity', item: UploadedActivity, resources: ['activity'], store: storeActivity }),
  uploadKind({ path: 'sleep', item: UploadedSleep, resources: ['sleep'], store: storeSleep, assumes: ['Of sleep stages that overlap, one counts: deep, REM, awake, light, unspecified, in this order.'] }),
  uploadKind({ path: 'workouts', item: UploadedWorkout, resources: ['workouts'], store: storeWorkout }),
  uploadKind({ path: 'menstrual_cycle', item: UploadedCycle, resources: ['menstrual_cycle'], store: storeCycle }),
  uploadKind({ path: 'meal', item: UploadedMeal, resources: ['meal'], store: storeMeal, assumes: ['Nutrients are stored in the unit in which they are uploaded.'] }),
  uploadKind({ path: 'electrocardiogram', item: UploadedElectrocardiogram, resources: ['electrocardiogram', 'electrocardiogram_voltage'], store: storeElectrocardiogram }),
]
