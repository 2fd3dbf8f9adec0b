import { breathing, glucose, heartRate, heartRateVariability, oxygen, stress } from '../../people/curves.ts'
import { sensorGaps } from '../../people/devices.ts'
import { hasDiabetes } from '../../people/person.ts'
import type { SourceType } from '../catalogue/schema.ts'
import * as generate from './generators.ts'
import type { Sample, SampleGenerator } from './sample.ts'

/** The properties of a timeseries. */
export interface Series {
  /** The name in paths. */
  readonly slug: string
  /** The name in event types and availability if it is not the slug; null for none. Source: docs/contract/webhooks.md#events. */
  readonly resource?: string | null
  readonly assumes?: readonly string[]
  /** The base of its schema names if it is not the slug in camel case. */
  readonly model?: string
  /** Whether a sample is of an instant, without a start and an end. */
  readonly isPoint?: true
  readonly unit: string
  /** Values of `type`; undefined if any text is allowed. */
  readonly types?: readonly string[] | 'any' | 'nullable'
  /** Additional fields, with their schemas. */
  readonly fields?: 'sensor' | 'insulin' | 'note' | 'intensity' | 'pressure' | 'alert' | 'disturbance'
  /** Whether the older route without groups exists. */
  readonly older?: true
  /** Whether a sample is announced while it is incomplete, and again when its value has grown. */
  readonly grows?: true
  /** Whether it is computed, also while the device is not worn. */
  readonly isComputed?: true
  /** The type of its device, if the provider has one: the first of these. */
  readonly from?: SourceType | readonly SourceType[]
  readonly generate: SampleGenerator
}

/** Seconds. */
const HOUR = 3600
const QUARTER = 900
const FIVE_MINUTES = 300
const five = () => FIVE_MINUTES
const drinks = [450, 540, 640, 760, 860, 960, 1080, 1190]

const buckets =
  'Fitbit, Garmin and Withings send steps, distance and active calories every 15 minutes, never every minute; all others every hour.'

/** One line for each series. Source: docs/contract/health-data.md#timeseries. */
// biome-ignore format: a table is read by its columns.
export const seriesTable: readonly Series[] = [
  { slug: 'steps', assumes: [buckets], unit: 'count', older: true, grows: true, from: 'phone', generate: generate.summed('steps', 0) },
  { slug: 'distance', unit: 'm', older: true, grows: true, from: 'phone', generate: generate.summed('metres', 1) },
  { slug: 'calories_active', unit: 'kcal', older: true, grows: true, generate: generate.summed('active', 2) },
  { slug: 'calories_basal', unit: 'kcal', older: true, grows: true, isComputed: true, generate: generate.summed('basal', 2, HOUR) },
  { slug: 'floors_climbed', unit: 'count', older: true, grows: true, from: 'phone', generate: generate.summed('floors', 0, HOUR) },
  { slug: 'stand_duration', unit: 'min', grows: true, generate: generate.summed('standing', 0, FIVE_MINUTES) },
  { slug: 'daylight_exposure', unit: 'min', grows: true, generate: generate.summed('daylight', 0, QUARTER) },
  { slug: 'heartrate', model: 'HeartRate', isPoint: true, unit: 'bpm', older: true, generate: generate.sensed(heartRate, { every: (traits) => traits.heartrate_seconds, training: (traits) => traits.training_seconds, decimals: 0 }) },
  { slug: 'hrv', model: 'HRV', isPoint: true, unit: 'rmssd', older: true, generate: generate.sensed(heartRateVariability, { every: five, onlyAsleep: true, decimals: 1 }) },
  { slug: 'respiratory_rate', isPoint: true, unit: 'bpm', older: true, generate: generate.breaths(generate.sensed(breathing, { every: five, onlyAsleep: true, decimals: 1 })) },
  { slug: 'blood_oxygen', isPoint: true, unit: '%', older: true, generate: generate.sensed(oxygen, { every: () => QUARTER, onlyAsleep: true, decimals: 0 }) },
  { slug: 'stress_level', isPoint: true, unit: '%', older: true, generate: generate.sensed(stress, { every: () => 180, decimals: 0 }) },
  { slug: 'glucose', isPoint: true, unit: 'mmol/L', older: true, from: ['automatic', 'fingerprick', 'app'], generate: glucoseOf },
  { slug: 'hypnogram', resource: null, unit: 'stage', older: true, generate: generate.stages },
  { slug: 'body_weight', resource: 'weight', isPoint: true, unit: 'kg', older: true, from: ['scale', 'app'], generate: generate.weight },
  { slug: 'body_fat', resource: 'fat', isPoint: true, unit: '%', older: true, from: ['scale', 'app'], generate: generate.fat },
  { slug: 'body_mass_index', unit: 'index', from: 'app', generate: generate.massIndex },
  { slug: 'lean_body_mass', unit: 'kg', from: 'app', generate: generate.leanMass },
  { slug: 'waist_circumference', unit: 'cm', from: 'app', generate: generate.waist },
  { slug: 'blood_pressure', isPoint: true, unit: 'mmHg', fields: 'pressure', older: true, from: ['cuff', 'app'], generate: generate.bloodPressure },
  { slug: 'body_temperature', unit: '°C', fields: 'sensor', generate: generate.temperatures },
  { slug: 'body_temperature_delta', unit: '°C', fields: 'sensor', generate: generate.temperatureDelta },
  { slug: 'basal_body_temperature', unit: '°C', from: 'app', generate: generate.wakingTemperature },
  { slug: 'water', unit: 'ml', older: true, from: 'app', generate: generate.occasional({ name: 'water', minutes: drinks, chance: 0.85, range: [180, 420], decimals: 0 }) },
  { slug: 'caffeine', unit: 'g', older: true, from: 'app', generate: generate.occasional({ name: 'caffeine', minutes: [475, 620, 810], chance: 0.7, range: [0.06, 0.13], decimals: 3, lasts: 1 }) },
  { slug: 'carbohydrates', unit: 'g', from: 'app', generate: generate.carbohydrates },
  { slug: 'insulin_injection', unit: 'unit', types: ['rapid_acting', 'long_acting'], fields: 'insulin', from: 'insulin_pump', generate: generate.insulin },
  { slug: 'note', unit: 'text', fields: 'note', generate: generate.notes },
  { slug: 'mindfulness_minutes', unit: 'min', older: true, from: 'app', generate: generate.occasional({ name: 'mindfulness', minutes: [430, 1260], chance: 0.45, range: [5, 20], decimals: 0, lasts: 15 }) },
  { slug: 'handwashing', unit: 'count', generate: generate.occasional({ name: 'handwashing', minutes: [440, 545, 730, 830, 1000, 1110, 1290], chance: 0.75, range: [1, 1], decimals: 0, lasts: 1 }) },
  { slug: 'stand_hour', unit: 'count', types: ['stood', 'idle'], generate: generate.standHours },
  { slug: 'uv_exposure', model: 'UVExposure', unit: 'index', generate: generate.sunlight },
  { slug: 'vo2_max', model: 'VO2Max', unit: 'mL/kg/min', older: true, generate: generate.vo2Max },
  { slug: 'heart_rate_recovery_one_minute', unit: 'count', generate: generate.heartRateRecovery },
  { slug: 'workout_distance', unit: 'm', generate: generate.workoutMetres },
  { slug: 'workout_duration', unit: 'min', fields: 'intensity', from: 'app', generate: generate.workoutMinutes },
  { slug: 'workout_swimming_stroke', unit: 'count', generate: generate.swimmingStrokes },
  { slug: 'electrocardiogram_voltage', isPoint: true, unit: 'mV', types: 'any', older: true, generate: generate.voltages },
  { slug: 'afib_burden', model: 'AFibBurden', unit: '%', generate: generate.fibrillation },
  { slug: 'heart_rate_alert', unit: 'count', types: ['low_heart_rate', 'high_heart_rate', 'irregular_rhythm'], fields: 'alert', generate: generate.heartAlerts },
  { slug: 'sleep_apnea_alert', unit: 'count', generate: generate.apneaAlerts },
  { slug: 'sleep_breathing_disturbance', unit: 'count', types: 'nullable', fields: 'disturbance', generate: generate.breathingDisturbance },
  { slug: 'fall', unit: 'count', generate: generate.occasional({ name: 'fall', minutes: [1000], chance: 0.003, range: [1, 1], decimals: 0, lasts: 1 }) },
  { slug: 'wheelchair_push', unit: 'count', generate: () => [] },
  { slug: 'forced_expiratory_volume_1', unit: 'L', from: 'app', generate: generate.expiratoryVolume },
  { slug: 'forced_vital_capacity', unit: 'L', from: 'app', generate: generate.vitalCapacity },
  { slug: 'peak_expiratory_flow_rate', unit: 'L/min', from: 'app', generate: generate.peakFlow },
  { slug: 'inhaler_usage', unit: 'count', from: 'app', generate: generate.occasional({ name: 'inhaler', minutes: [460, 1230], chance: 0.12, range: [1, 2], decimals: 0, lasts: 1 }) },
  { slug: 'cholesterol', isPoint: true, unit: 'mmol/L', types: 'any', older: true, generate: generate.cholesterol },
  { slug: 'ige', isPoint: true, unit: 'FSU', types: 'any', older: true, from: 'lab', generate: generate.panel(182, [['baha_grass', 0, 40], ['cat_dander', 0, 60], ['birch', 0, 50]], 1) },
  { slug: 'igg', isPoint: true, unit: 'FSU', types: 'any', older: true, from: 'lab', generate: generate.panel(182, [['dairy', 0, 18], ['egg_white', 0, 15], ['wheat', 0, 20]], 1) },
]

/** Milligrams per decilitre of glucose in one millimole per litre. */
const MG_PER_MMOL = 18.018

function glucoseOf(...[day, wearer, span]: Parameters<SampleGenerator>): Sample[] {
  const { glucose } = wearer.traits
  if (glucose === 'sensor_in_diabetes' && !hasDiabetes(day.person, day.date)) return []
  return (glucose === 'meter' ? generate.fingerpricks : readings)(day, wearer, span)
}

const readings: SampleGenerator = generate.sensed(glucose, {
  every: (traits) => traits.glucose_seconds,
  isIrregular: ({ traits }) => traits.glucose === 'irregular_sensor',
  decimals: 1,
  gaps: (day, { provider, traits }) => sensorGaps(day, provider, traits.glucose_sensor),
  limits: ({
    traits: {
      glucose_limits: [low = 0, high = Number.POSITIVE_INFINITY],
    },
  }) => [low / MG_PER_MMOL, high / MG_PER_MMOL],
})

/** The name in events. */
export const resourceOf = ({ resource, slug }: Series): string | null =>
  resource === undefined ? slug : resource

const bySlug = new Map(seriesTable.map((series) => [series.slug, series]))
const byResource = new Map(seriesTable.map((series) => [resourceOf(series), series]))

/** The series of a stored slug. Throws for an unknown one, which is a bug. */
export function getSeries(slug: string): Series {
  const series = bySlug.get(slug)
  if (!series) throw new Error(`no series ${slug}`)
  return series
}

/** The series with a name in events or in paths. */
export const findSeries = (name: string): Series | undefined => byResource.get(name) ?? bySlug.get(name)
