import * as z from 'zod'
import { instantText, maybe, text } from '../../api/fields.ts'
import { instant, type LazySchema, nullableText, schema, unnamed } from '../../api/schema.ts'
import { Source } from '../providers/schema.ts'
import { type Series, seriesTable } from './catalogue.ts'

// biome-ignore format: a list that is read by lines.
const sensorLocations = [
  'armpit', 'body', 'ear', 'finger', 'gastrointestinal', 'mouth', 'rectum', 'toe', 'eardrum', 'temporal_artery',
  'forehead', 'wrist',
] as const

/** Additional fields of some series. Source: docs/contract/health-data.md#timeseries. */
const ownFields = {
  sensor: () => ({ value: z.number(), sensor_location: z.enum(sensorLocations).nullable() }),
  insulin: () => ({
    value: z.number(),
    delivery_mode: z.enum(['basal', 'bolus']).nullable(),
    delivery_form: z.enum(['standard', 'extended']).nullable(),
    bolus_purpose: z.enum(['meal', 'correction', 'mixed', 'unknown']).nullable(),
  }),
  note: () => ({
    value: z.string(),
    tags: z.array(z.enum(['food', 'exercise', 'insulin_injection', 'unspecified'])).nullable(),
  }),
  intensity: () => ({ value: z.number(), intensity: z.enum(['low', 'medium', 'high']).nullable() }),
  pressure: () => ({
    systolic: z.number(),
    diastolic: z.number(),
    grouping: z.array(nullableText()).optional(),
  }),
  alert: () => ({ value: z.literal(1) }),
  disturbance: () => ({ value: z.number() }),
  none: () => ({ value: z.number() }),
} as const

function typeOf({ types, fields }: Series): z.ZodType {
  if (fields === 'disturbance') return z.enum(['elevated', 'not_elevated']).nullable()
  if (types === undefined || types === 'nullable') return nullableText()
  return types === 'any' ? z.string() : z.enum(types)
}

function sampleShape(series: Series): Record<string, z.ZodType> {
  const interval = series.isPoint ? {} : { start: instant(), end: instant() }
  return {
    id: z.int().nullable(),
    timezone_offset: z.int().nullable(),
    type: typeOf(series),
    unit: z.literal(series.unit),
    timestamp: instant(),
    ...interval,
    ...ownFields[series.fields ?? 'none'](),
  }
}

/** The schemas of one series, built from its line of the table. */
export interface SeriesSchemas {
  readonly sample: LazySchema<z.ZodObject>
  readonly page: LazySchema<ReturnType<typeof pageOf>>
  readonly list: LazySchema<z.ZodArray<z.ZodObject>>
  readonly batch: LazySchema<ReturnType<typeof batchOf>>
}

/** `BodyFat` of `body_fat`. */
export const camel = (name: string): string =>
  name.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())

function schemasOf(series: Series): SeriesSchemas {
  const model = series.model ?? camel(series.slug)
  const sample = schema(`${model}Sample`, () => z.object(sampleShape(series)))
  const group = schema(`Grouped${model}`, () => z.object({ source: Source(), data: z.array(sample()) }))
  return {
    sample,
    page: schema(`Grouped${model}Response`, () => pageOf(group())),
    list: unnamed(() => z.array(sample())),
    batch: schema(`${model}Batch`, () => batchOf(sample())),
  }
}

const pageOf = <Group extends z.ZodType>(group: Group) =>
  z.object({
    groups: z.record(z.string(), z.array(group)),
    next: nullableText().optional().meta({ deprecated: true }),
    next_cursor: nullableText(),
  })

/** The data of `daily.data.*.created` for a series. Source: docs/contract/webhooks.md#events. */
const batchOf = <Sample extends z.ZodType>(sample: Sample) =>
  z.object({ source: Source(), data: z.array(sample), source_id: z.int(), user_id: z.guid() })

export const WindowQuery = unnamed(() => ({
  start_date: instantText('start_date', '00:00:00'),
  end_date: maybe(instantText('end_date', '23:59:59')),
  provider: text().default(''),
}))

export const SeriesQuery = unnamed(() => ({
  ...WindowQuery().shape,
  next_cursor: maybe(text()),
  cursor: maybe(text()).meta({ deprecated: true }),
}))

/** Every series with its schemas. */
export const seriesSchemas = seriesTable.map((series) => ({ series, ...schemasOf(series) }))

const bySlug = new Map(seriesSchemas.map((line) => [line.series.slug, line]))

export function schemasOfSeries(slug: string): SeriesSchemas {
  const line = bySlug.get(slug)
  if (!line) throw new Error(`no series ${slug}`)
  return line
}
