import * as z from 'zod'
import { instantText, maybe, text, uuid } from '../../contract/fields.ts'
import { type LazySchema, schema, unnamed } from '../../contract/schema.ts'
import { Source } from '../providers/schema.ts'
import { type Series, seriesTable } from './catalogue.ts'

const instant = () => z.iso.datetime({ offset: true })

const sampleShape = ({ unit }: Series) => ({
  id: z.int().nullable(),
  timezone_offset: z.int().nullable(),
  type: z.string().nullable(),
  unit: z.literal(unit),
  timestamp: instant(),
  start: instant(),
  end: instant(),
  value: z.number(),
})

/** The schemas of one series, made from its line of the table. */
export interface SeriesSchemas {
  readonly page: LazySchema<ReturnType<typeof pageOf>>
  readonly batch: LazySchema<ReturnType<typeof batchOf>>
}

function schemasOf(series: Series): SeriesSchemas {
  const { model } = series
  const sample = schema(`${model}Sample`, () => z.object(sampleShape(series)))
  const group = schema(`Grouped${model}`, () => z.object({ source: Source(), data: z.array(sample()) }))
  return {
    page: schema(`Grouped${model}Response`, () => pageOf(group())),
    batch: schema(`${model}Batch`, () => batchOf(sample())),
  }
}

const pageOf = <Group extends z.ZodType>(group: Group) =>
  z.object({
    groups: z.record(z.string(), z.array(group)),
    next: z.string().nullable().meta({ deprecated: true }),
    next_cursor: z.string().nullable(),
  })

/** The data of `daily.data.*.created` for a series. Source: contract/webhooks.md §4.2. */
const batchOf = <Sample extends z.ZodType>(sample: Sample) =>
  z.object({ source: Source(), data: z.array(sample), source_id: z.int(), user_id: z.uuid() })

export const SeriesPath = unnamed(() => z.object({ user_id: uuid() }))

export const SeriesQuery = unnamed(() =>
  z.object({
    start_date: instantText('start_date', '00:00:00'),
    end_date: maybe(instantText('end_date', '23:59:59')),
    provider: text().default(''),
    next_cursor: maybe(text()),
    cursor: maybe(text()).meta({ deprecated: true }),
  }),
)

/** Every line of the table with its schemas. */
export const seriesSchemas = seriesTable.map((series) => ({ series, ...schemasOf(series) }))
