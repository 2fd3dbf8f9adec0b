import * as z from 'zod'
import uploads from '../../../seeds/providers/uploads.json' with { type: 'json' }
import { dateTime, maybe, number, text } from '../../api/fields.ts'
import { invalidValue } from '../../api/issue.ts'
import { anyObject, type Parsed, unnamed } from '../../api/schema.ts'
import { isTimeZone, offsetSeconds } from '../../kernel/local-day.ts'
import { bundledTable, type SeedRow } from '../../kernel/seed-table.ts'
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

/** How the samples of an upload become samples of a series. Source: docs/contract/phones.md#uploads. */
const seriesRow = () =>
  z.strictObject({
    /** The slug of the series, if it has another name than the path of the upload. */
    series: z.string().optional(),
    /** Factors from uploaded units to those of the series. */
    units: z.record(z.string(), z.number()).optional(),
    /** Whether each sample counts one, whatever its value. */
    counts: z.literal(true).optional(),
    /** The type of the sample: by its value, or one of those known in its metadata. */
    types: z
      .union([
        z.strictObject({ zero: z.string(), other: z.string() }),
        z.strictObject({ metadata: z.string(), known: z.array(z.string()) }),
      ])
      .optional(),
    /** The series' additional fields. */
    more: anyObject().optional(),
  })
type SeriesRow = SeedRow<typeof seriesRow>

/** The uploads of samples with one value, by the name in the path. */
const seriesRows = bundledTable('providers/uploads.json', uploads, seriesRow)

/** Undefined for a type that the series does not have. */
function typeOf({ value, metadata }: UploadedSample, { types }: SeriesRow): string | null | undefined {
  if (!types) return null
  if ('zero' in types) return value === 0 ? types.zero : types.other
  return types.known.find((type) => type === metadata?.[types.metadata])
}

/** A sample of a series; instants in milliseconds since 1970. */
export function toSample(sample: UploadedSample, timeZone: string, upload: SeriesRow): Sample {
  const { value, unit, start_date: start, end_date: end } = sample
  const factor = new Map(Object.entries(upload.units ?? {})).get(unit ?? '') ?? 1
  const type = typeOf(sample, upload)
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
const UploadedPressure = unnamed(() => ({
  systolic: UploadedSample(),
  diastolic: UploadedSample(),
  pulse: maybe(UploadedSample()),
}))

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
  ...[...seriesRows].map(([path, row]) => {
    const series = getSeries(row.series ?? path)
    return uploadKind({
      path,
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
