import * as z from 'zod'
import { dateTime, maybe, number, text } from '../../api/fields.ts'
import { invalidValue } from '../../api/issue.ts'
import { anyObject, type Parsed, unnamed } from '../../api/schema.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { isTimeZone, offsetSeconds } from '../../kernel/local-day.ts'
import { getSeries, resourceOf, type Sample } from '../timeseries/service.ts'
import { type UploadKind, uploadKind } from './kind.ts'
import { inOrder } from './schema.ts'

/** A measurement as an SDK uploads it. Source: docs/contract/phones.md#uploads. */
export const UploadedSample = unnamed(() =>
  inOrder('start_date', 'end_date', {
    value: number({ ge: -1e12, le: 1e12 }),
    start_date: dateTime(),
    end_date: dateTime(),
    unit: maybe(text()),
    /** The type of the device. */
    type: maybe(text()),
    source_bundle: maybe(text()),
    product_type: maybe(text()),
    metadata: maybe(anyObject()),
  }),
)
export type UploadedSample = Parsed<typeof UploadedSample>

/** What tells the device of an uploaded item. */
type Origin = Partial<Pick<UploadedSample, 'type' | 'source_bundle' | 'product_type' | 'metadata'>>

/** The type of the device: as given, or by the rule of the iOS SDK. Source: docs/contract/phones.md#uploads. */
export function sourceTypeOf({
  type,
  source_bundle: bundle,
  product_type: product,
  metadata,
}: Origin): string {
  if (metadata?.HKWasUserEntered === '1') return 'app'
  if (type) return type
  if (bundle === 'com.apple.Health') return 'app'
  if (!bundle?.startsWith('com.apple.health.')) return 'unknown'
  if (product?.startsWith('Watch')) return 'watch'
  return product?.startsWith('iPhone') ? 'phone' : 'unknown'
}

/** The offset of the phone's time zone, or of the one in which the item was recorded. */
export function offsetOf({ metadata }: Origin, timeZone: string, instant: number): number {
  const own = metadata?.HKTimeZone
  return offsetSeconds(typeof own === 'string' && isTimeZone(own) ? own : timeZone, instant)
}

/** Factors from uploaded units to those of the series. Source: docs/contract/phones.md#uploads. */
type Units = ReadonlyMap<string, number>

/** How the samples of an upload become samples of a series. */
interface SeriesRow {
  /** The name in the path of the upload. */
  readonly path: string
  /** The slug of the series, if it has another name. */
  readonly series?: string
  readonly units?: Units
  /** Whether each sample counts one, whatever its value. */
  readonly counts?: true
  /** The type of the sample; undefined for one that the series does not have. */
  readonly typeOf?: (sample: UploadedSample) => string | null | undefined
  /** The series' additional fields. */
  readonly more?: JsonObject
}

const inMetadata =
  (name: string, ...known: string[]) =>
  (sample: UploadedSample) =>
    known.find((type) => type === sample.metadata?.[name])

/** The uploads of samples with one value. Source: docs/contract/phones.md#uploads. */
// biome-ignore format: a table is read by its lines.
const seriesRows: readonly SeriesRow[] = [
  { path: 'heartrate' },
  { path: 'heartrate_variability', series: 'hrv' },
  { path: 'respiratory_rate' },
  { path: 'blood_oxygen' },
  { path: 'glucose', units: new Map([['mg/dL', 1 / 18.0182]]) },
  { path: 'temperature', series: 'body_temperature', more: { sensor_location: null } },
  { path: 'basal_body_temperature' },
  { path: 'steps' },
  { path: 'distance' },
  { path: 'floors_climbed' },
  { path: 'calories_active' },
  { path: 'calories_basal' },
  { path: 'vo2_max' },
  { path: 'water' },
  { path: 'caffeine', units: new Map([['mg', 0.001]]) },
  { path: 'mindfulness_minutes' },
  { path: 'wheelchair_push' },
  { path: 'fall' },
  { path: 'inhaler_usage' },
  { path: 'handwashing', counts: true },
  { path: 'heart_rate_recovery_one_minute' },
  { path: 'stand_hour', counts: true, typeOf: ({ value }) => (value === 0 ? 'stood' : 'idle') },
  { path: 'stand_duration' },
  { path: 'daylight_exposure' },
  { path: 'heart_rate_alert', counts: true, typeOf: inMetadata('type', 'low_heart_rate', 'high_heart_rate', 'irregular_rhythm') },
  { path: 'sleep_apnea_alert', counts: true },
  { path: 'sleep_breathing_disturbance', typeOf: inMetadata('category', 'elevated', 'not_elevated') },
  { path: 'afib_burden' },
  { path: 'uv_exposure' },
  { path: 'forced_expiratory_volume_1' },
  { path: 'forced_vital_capacity' },
  { path: 'peak_expiratory_flow_rate' },
]

/** A sample of a series; instants in milliseconds since 1970. */
export function toSample(sample: UploadedSample, timeZone: string, upload: Omit<SeriesRow, 'path'>): Sample {
  const { value, unit, start_date: start, end_date: end } = sample
  const factor = upload.units?.get(unit ?? '') ?? 1
  const type = upload.typeOf ? upload.typeOf(sample) : null
  if (type === undefined) throw unknownType(sample)
  return {
    start,
    end,
    offsetSeconds: offsetOf(sample, timeZone, start),
    value: upload.counts ? 1 : rounded(value * factor, factor),
    type,
    ...(upload.more && { more: upload.more }),
  }
}

const unknownType = ({ metadata }: UploadedSample) =>
  invalidValue(
    { type: 'enum', msg: 'Input should have a known type' },
    ['body', 'data', 'metadata'],
    metadata ?? null,
  )

/** A converted value is rounded to six decimals. */
const rounded = (value: number, factor: number) => (factor === 1 ? value : Number(value.toFixed(6)))

/** A measurement of blood pressure; HealthKit has no pulse. */
const UploadedPressure = unnamed(() =>
  z.object({ systolic: UploadedSample(), diastolic: UploadedSample(), pulse: maybe(UploadedSample()) }),
)

function toPressure({ systolic, diastolic }: Parsed<typeof UploadedPressure>, timeZone: string): Sample {
  const sample = toSample(systolic, timeZone, {})
  return {
    ...sample,
    end: sample.start,
    value: null,
    more: { systolic: systolic.value, diastolic: diastolic.value },
  }
}

const pressureUpload = uploadKind({
  path: 'blood_pressure',
  item: UploadedPressure,
  resources: ['blood_pressure'],
  store: (item, { timeZone }) => ({
    samples: [
      {
        series: 'blood_pressure',
        sourceType: sourceTypeOf(item.systolic),
        sample: toPressure(item, timeZone),
      },
    ],
  }),
  assumes: ['The pulse of a measurement is not stored, because the series has no field for it.'],
})

/** The uploads of samples. */
export const seriesUploads: readonly UploadKind[] = [
  ...seriesRows.map((row) => {
    const series = getSeries(row.series ?? row.path)
    return uploadKind({
      path: row.path,
      item: UploadedSample,
      resources: [resourceOf(series) ?? series.slug],
      store: (item, { timeZone }) => ({
        samples: [
          { series: series.slug, sourceType: sourceTypeOf(item), sample: toSample(item, timeZone, row) },
        ],
      }),
    })
  }),
  pressureUpload,
]
