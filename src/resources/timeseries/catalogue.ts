import * as z from 'zod'
import seriesRows from '../../../seeds/people/series.json' with { type: 'json' }
import { byName } from '../../kernel/fields.ts'
import { bundledTable, type SeedRow } from '../../kernel/seed-table.ts'
import { breathing, glucose, heartRate, heartRateVariability, oxygen, stress } from '../../people/curves.ts'
import { sensorGaps, timesMissed } from '../../people/devices.ts'
import { sourceTypes } from '../catalogue/schema.ts'
import * as generate from './generators.ts'
import type { Sample, SampleGenerator } from './sample.ts'

/** The properties of a timeseries. Source: docs/contract/health-data.md#timeseries. */
const seriesRow = () =>
  z.strictObject({
    /** The name in event types and availability if it is not the slug; null for none. Source: docs/contract/webhooks.md#events. */
    resource: z.string().nullable().exactOptional(),
    assumes: z.array(z.string()).exactOptional(),
    /** The base of its schema names if it is not the slug in camel case. */
    model: z.string().exactOptional(),
    /** Whether a sample is of an instant, without a start and an end. */
    isPoint: z.literal(true).exactOptional(),
    unit: z.string(),
    /** Values of `type`; undefined if any text is allowed. */
    types: z.union([z.array(z.string()), z.enum(['any', 'nullable'])]).exactOptional(),
    /** Additional fields, with their schemas. */
    fields: z
      .enum(['sensor', 'insulin', 'note', 'intensity', 'pressure', 'alert', 'disturbance'])
      .exactOptional(),
    /** Whether the older route without groups exists. */
    older: z.literal(true).exactOptional(),
    /** Whether a sample is announced while it is incomplete, and again when its value has grown. */
    grows: z.literal(true).exactOptional(),
    /** Whether it is computed, also while the device is not worn. */
    isComputed: z.literal(true).exactOptional(),
    /** The type of its device, if the provider has one: the first of these. */
    from: z.array(z.enum(sourceTypes)).exactOptional(),
    occasional: generate.occasionalEvent().exactOptional(),
    /** A laboratory panel, with the lowest and the highest value of each type. */
    panel: z
      .strictObject({
        days: z.int(),
        types: z.array(z.tuple([z.string(), z.number(), z.number()])),
        decimals: z.int(),
      })
      .exactOptional(),
  })

export interface Series extends SeedRow<typeof seriesRow> {
  /** The name in paths. */
  readonly slug: string
  readonly generate: SampleGenerator
}

/** Seconds. */
const HOUR = 3600
const QUARTER = 900
const FIVE_MINUTES = 300
const five = () => FIVE_MINUTES

/** The generators of series that are neither occasional nor a panel. */
// biome-ignore format: a table is read by its lines.
const generators = byName<SampleGenerator>({
  steps: generate.summed('steps', 0),
  distance: generate.summed('metres', 1),
  calories_active: generate.summed('active', 2),
  calories_basal: generate.summed('basal', 2, HOUR),
  floors_climbed: generate.summed('floors', 0, HOUR),
  stand_duration: generate.summed('standing', 0, FIVE_MINUTES),
  daylight_exposure: generate.summed('daylight', 0, QUARTER),
  heartrate: generate.sensed(heartRate, { every: (traits) => traits.heartrate_seconds, training: (traits) => traits.training_seconds, decimals: 0, gaps: (day, { traits }) => timesMissed(day, day.noise('missed'), traits.missed_minutes) }),
  hrv: generate.sensed(heartRateVariability, { every: five, onlyAsleep: true, decimals: 1 }),
  respiratory_rate: generate.breaths(generate.sensed(breathing, { every: five, onlyAsleep: true, decimals: 1 })),
  blood_oxygen: generate.sensed(oxygen, { every: () => QUARTER, onlyAsleep: true, decimals: 0 }),
  stress_level: generate.sensed(stress, { every: () => 180, decimals: 0 }),
  glucose: glucoseOf,
  hypnogram: generate.stages,
  body_weight: generate.weight,
  body_fat: generate.fat,
  body_mass_index: generate.massIndex,
  lean_body_mass: generate.leanMass,
  waist_circumference: generate.waist,
  blood_pressure: generate.bloodPressure,
  body_temperature: generate.temperatures,
  body_temperature_delta: generate.temperatureDelta,
  basal_body_temperature: generate.wakingTemperature,
  carbohydrates: generate.carbohydrates,
  insulin_injection: generate.insulin,
  note: generate.notes,
  stand_hour: generate.standHours,
  uv_exposure: generate.sunlight,
  vo2_max: generate.vo2Max,
  heart_rate_recovery_one_minute: generate.heartRateRecovery,
  workout_distance: generate.workoutMetres,
  workout_duration: generate.workoutMinutes,
  workout_swimming_stroke: generate.swimmingStrokes,
  electrocardiogram_voltage: generate.voltages,
  afib_burden: generate.fibrillation,
  heart_rate_alert: generate.heartAlerts,
  sleep_apnea_alert: generate.apneaAlerts,
  sleep_breathing_disturbance: generate.breathingDisturbance,
  forced_expiratory_volume_1: generate.expiratoryVolume,
  forced_vital_capacity: generate.vitalCapacity,
  peak_expiratory_flow_rate: generate.peakFlow,
  cholesterol: generate.cholesterol,
})

function generatorOf(slug: string, { occasional, panel }: SeedRow<typeof seriesRow>): SampleGenerator {
  if (occasional) return generate.occasional(occasional)
  if (panel) return generate.panel(panel.days, panel.types, panel.decimals)
  return generators[slug] ?? (() => [])
}

export const seriesTable: readonly Series[] = [
  ...bundledTable('people/series.json', seriesRows, seriesRow),
].map(([slug, row]) => ({ ...row, slug, generate: generatorOf(slug, row) }))

/** Milligrams per decilitre of glucose in one millimole per litre. */
const MG_PER_MMOL = 18.018

function glucoseOf(...[day, wearer, span]: Parameters<SampleGenerator>): Sample[] {
  return (wearer.traits.glucose === 'meter' ? generate.fingerpricks : readings)(day, wearer, span)
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
