import type { z } from 'zod'
import { fromIso, toWire } from '../../kernel/instant.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { getUser } from '../users/service.ts'
import { announceBatch } from './announce.ts'
import type { Series } from './catalogue.ts'
import { connectionOf, type Feed, samplesOf, sourceTypeOf } from './feeds.ts'
import type { Sample } from './sample.ts'
import { schemasOfSeries } from './schema.ts'
import { keepSamples, sampleKey } from './stored.ts'

/** Samples of a control call; missing fields are filled in. */
export interface SamplesToStore {
  readonly userId: string
  readonly series: Series
  readonly provider: string
  readonly sourceType?: string | undefined
  readonly samples: readonly Readonly<Record<string, unknown>>[]
}

/** Stores samples, replacing those with the same key, and emits their events. Yields between steps. */
export function* storeSamples(
  world: World,
  { userId, series, provider, sourceType, samples }: SamplesToStore,
): Generator<void, { created: number; updated: number }> {
  getUser(world, userId)
  const reader = sampleReader(series)
  const read: Sample[] = []
  for (const [at, sample] of samples.entries()) {
    read.push(readSample(reader, sample, at))
    yield
  }
  const connection = connectionOf(world, userId, provider)
  const usual = sourceTypeOf(series, provider)
  const type = sourceType ?? usual
  const feed: Feed = { userId, provider, type, ...(connection && type === usual && { connection }) }
  const keyOf = sampleKey(series.types === 'any')
  const byKey = new Map(read.map((sample) => [keyOf(sample), sample]))
  const known = new Set<string>()
  const starts = read.map(({ start }) => start)
  for (const sample of samplesOf(world, series, feed, { from: lowest(starts), until: highest(starts) })) {
    known.add(keyOf(sample))
    yield
  }
  const ordered = [...byKey.values()].sort((a, b) => a.start - b.start)
  const source = { user_id: userId, series: series.slug, provider, source_type: type }
  yield* keepSamples(world, source, ordered, keyOf)
  const updated = ordered.filter((sample) => known.has(keyOf(sample)))
  const created = ordered.filter((sample) => !known.has(keyOf(sample)))
  yield* announceBatch(world, series, feed, 'created', created)
  yield* announceBatch(world, series, feed, 'updated', updated)
  return { created: created.length, updated: updated.length }
}

const lowest = (numbers: readonly number[]) =>
  numbers.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
const highest = (numbers: readonly number[]) =>
  numbers.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)

/** Fields of every sample; all others belong to the series. */
const usualFields = ['id', 'timezone_offset', 'type', 'unit', 'timestamp', 'start', 'end', 'value'] as const

/** The schema and defaults of a series' samples, built once. */
interface SampleReader {
  readonly series: Series
  readonly schema: z.ZodType
  readonly defaults: Readonly<Record<string, unknown>>
}

function sampleReader(series: Series): SampleReader {
  const { sample } = schemasOfSeries(series.slug)
  const defaults = { id: null, timezone_offset: null, type: null, unit: series.unit, ...nullFields(sample) }
  return { series, schema: sample().strict(), defaults }
}

function readSample(
  { series, schema, defaults }: SampleReader,
  input: Readonly<Record<string, unknown>>,
  at: number,
): Sample {
  const begins = instantOf(input.start ?? input.timestamp, at, input.start ? 'start' : 'timestamp')
  const ends = input.end === undefined ? begins : instantOf(input.end, at, 'end')
  const whole = {
    ...defaults,
    ...input,
    timestamp: toWire(begins),
    ...(series.kind !== 'point' && { start: toWire(begins), end: toWire(ends) }),
  }
  const parsed = schema.safeParse(dropEnds(series, whole))
  if (!parsed.success) {
    throw new Problem(
      'invalid',
      parsed.error.issues.map(({ path, message }) => ({
        type: 'value_error',
        loc: ['body', 'samples', at, ...path],
        msg: message,
        input,
      })),
    )
  }
  return toSample(series, parsed.data, begins, ends)
}

/** Points may be given with a start and an end, which are not stored. */
function dropEnds({ kind }: Series, whole: Readonly<Record<string, unknown>>) {
  if (kind !== 'point') return whole
  const { start: _start, end: _end, ...rest } = whole
  return rest
}

function toSample(series: Series, wire: unknown, begins: number, ends: number): Sample {
  const fields = wire as Readonly<Record<string, unknown>>
  const more = Object.fromEntries(
    Object.entries(fields).filter(([name]) => !(usualFields as readonly string[]).includes(name)),
  )
  return {
    start: begins,
    end: series.kind === 'point' ? begins : ends,
    offsetSeconds: fields.timezone_offset as number | null,
    value: (fields.value ?? null) as Sample['value'],
    type: (fields.type ?? null) as string | null,
    ...(Object.keys(more).length > 0 && { more }),
  }
}

/** The series' own fields that may be null. */
const nullFields = (schema: ReturnType<typeof schemasOfSeries>['sample']) =>
  Object.fromEntries(
    Object.entries(schema().shape)
      .filter(
        ([, field]) => (field as { safeParse(value: unknown): { success: boolean } }).safeParse(null).success,
      )
      .map(([name]) => [name, null]),
  )

function instantOf(input: unknown, at: number, field: string): number {
  const instant = typeof input === 'string' ? fromIso(input) : undefined
  if (instant !== undefined) return instant
  throw new Problem('invalid', [
    {
      type: input === undefined ? 'missing' : 'datetime_type',
      loc: ['body', 'samples', at, field],
      msg: input === undefined ? 'Field required' : 'Input should be a valid datetime',
      input: input ?? null,
    },
  ])
}
