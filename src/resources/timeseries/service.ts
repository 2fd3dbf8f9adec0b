import * as z from 'zod'
import { invalidValue, missing, valueError } from '../../api/issue.ts'
import { isOneOf } from '../../kernel/compare.ts'
import { entriesOf, omit } from '../../kernel/fields.ts'
import { fromIso, HOUR_MS, type TimeRange, toWire } from '../../kernel/instant.ts'
import { type JsonObject, JsonText } from '../../kernel/json.ts'
import { compact } from '../../kernel/list.ts'
import { Problem } from '../../kernel/problem.ts'
import { sortInSteps } from '../../kernel/slices.ts'
import type { NewEvent } from '../../world/events.ts'
import type { World } from '../../world/world.ts'
import { type Connection, connectionId, connections } from '../connections/table.ts'
import { findProvider } from '../providers/service.ts'
import { eventSubject, getUser } from '../users/service.ts'
import { getSeries, resourceOf, type Series, seriesTable } from './catalogue.ts'
import {
  asSent,
  asShown,
  byWorkout,
  connectionSamples,
  type Feed,
  feedKey,
  feedsOfConnection,
  hasSeries,
  type KnownRange,
  samplesOf,
  sourceText,
  sourceTypeOf,
  withBeside,
} from './feeds.ts'
import { type Sample, sampleWriter } from './sample.ts'
import { schemasOfSeries } from './schema.ts'
import { findStoredFeed, findStoredSample, keepSamples, sampleKey, storedBetween } from './table.ts'

export { findSeries, getSeries, resourceOf, type Series, seriesTable } from './catalogue.ts'

export {
  collectedUntil,
  collectedWithin,
  connectionSamples,
  dateOf,
  dayOfConnection,
  feedsOf,
  hasSeries,
  hiddenSpans,
  readableSpans,
  samplesOf,
  sourceTypeOf,
} from './feeds.ts'

export { isFloating, offsetSent, readSessionId, type Sample, sampleWriter, sessionId } from './sample.ts'

/** The names of all series in events. */
export const seriesResources: readonly string[] = seriesTable.flatMap((series) => resourceOf(series) ?? [])

/** A connection's samples of a series that begin in a window, its end excluded. */
export const samplesWithin = (
  world: World,
  slug: string,
  connection: Connection,
  { from, until, asOf }: KnownRange,
): Sample[] => [...connectionSamples(world, getSeries(slug), connection, { from, until: until - 1, asOf })]

/** The sum of a series over the available part of a window. */
export function sumOfSeries(world: World, slug: string, connection: Connection, window: KnownRange): number {
  let sum = 0
  for (const { value } of samplesWithin(world, slug, connection, window)) sum += Number(value)
  return sum
}

/** Samples of a control call; missing fields are filled in. */
export interface SamplesToStore {
  readonly userId: string
  readonly series: Series
  readonly provider: string
  readonly sourceType?: string | undefined
  readonly samples: readonly JsonObject[]
}

/** The samples of a control call, with their defaults; throws if one is invalid. Yields between steps. */
export function* readSamples(
  world: World,
  { userId, series, provider, sourceType, samples }: SamplesToStore,
): Generator<void, SamplesToPut> {
  getUser(world, userId)
  const reader = sampleReader(series)
  const read: Sample[] = []
  for (const [at, sample] of samples.entries()) {
    read.push(readSample(reader, sample, at))
    yield
  }
  const type = sourceType ?? sourceTypeOf(series, provider)
  return { userId, series, provider, type, samples: read, events: 'all' }
}

/** Which events stored data cause: one for each item, only for those that are new or differ, or none. */
export type EventsOfStored = 'all' | 'changes' | 'none'

export interface SamplesToPut extends Pick<SamplesToStore, 'userId' | 'series' | 'provider'> {
  /** The source type. */
  readonly type: string
  readonly samples: readonly Sample[]
  readonly events: EventsOfStored
}

/**
 * Stores validated samples and emits their events. Yields between batches. A batch is stored with its events in one
 * write, so that none is without the other if the process is killed.
 */
export function* putSamples(
  world: World,
  { userId, series, provider, type, samples, events }: SamplesToPut,
): Generator<void, { created: number; updated: number }> {
  const connection = world.db.find(connections, connectionId(userId, provider))
  const isUploaded = connection?.uploads === true && hasSeries(provider, series)
  const isOwn = isUploaded || type === sourceTypeOf(series, provider)
  const feed: Feed = { series, userId, provider, type, connection: isOwn ? connection : undefined }
  const keyOf = sampleKey(series)
  const ordered = yield* lastOfEachKey(samples, keyOf)
  const made = isUploaded ? undefined : keyed(series, yield* collected(world, feed, spanOf(ordered)))
  const counts = { created: 0, updated: 0 }
  for (let at = 0; at < ordered.length; at += MAX_IN_EVENT) {
    const batch = ordered.slice(at, at + MAX_IN_EVENT)
    const feeds = isUploaded ? withBeside(world, feed) : [feed]
    const changes = feeds.map((each) => changesOf(world, each, batch, made))
    keepSamples(world, feedKey(feed, feed.besideType), batch, keyOf)
    for (const [index, { created, updated, unchanged }] of changes.entries()) {
      const again = events === 'all' ? [...updated, ...unchanged].sort(byStart) : updated
      if (events !== 'none') {
        announceBatch(world, feeds[index] as Feed, 'created', created)
        announceBatch(world, feeds[index] as Feed, 'updated', again)
      }
      if (index > 0) continue
      counts.created += created.length
      counts.updated += again.length
    }
    yield
  }
  return counts
}

const byStart = (a: Sample, b: Sample) => a.start - b.start

const spanOf = (ordered: readonly Sample[]): TimeRange => ({
  from: ordered[0]?.start ?? Number.POSITIVE_INFINITY,
  until: ordered.at(-1)?.start ?? Number.NEGATIVE_INFINITY,
})

/** The samples by time, without those that a later one with the same key replaces. */
function* lastOfEachKey(
  samples: readonly Sample[],
  keyOf: (sample: Sample) => string,
): Generator<void, Sample[]> {
  const byKey = new Map<string, Sample>()
  for (const sample of samples) {
    byKey.set(keyOf(sample), sample)
    yield
  }
  return yield* sortInSteps([...byKey.values()], byStart)
}

/** What storing samples changes of those that a feed shows; `made` has the ones that are not uploaded, by key. */
function changesOf(
  world: World,
  feed: Feed,
  samples: readonly Sample[],
  made: ReadonlyMap<string, Sample> | undefined,
) {
  const keyOf = sampleKey(feed.series)
  const key = feedKey(feed, feed.besideType)
  const known = compact(samples.map((sample) => findStoredSample(world, key, keyOf(sample))))
  const shown = (all: readonly Sample[]) => (made ? all : [...asShown(world, feed, all, spanOf(samples))])
  const before = new Map(shown(known).map((sample) => [keyOf(sample), sample]))
  const created: Sample[] = []
  const updated: Sample[] = []
  const unchanged: Sample[] = []
  for (const sample of shown(samples)) {
    const previous = before.get(keyOf(sample)) ?? made?.get(keyOf(sample))
    if (!previous) created.push(sample)
    else if (JSON.stringify(previous) === JSON.stringify(sample)) unchanged.push(sample)
    else updated.push(sample)
  }
  return { created, updated, unchanged }
}

/** Fields of every sample; all others belong to the series. */
const usualFields = ['id', 'timezone_offset', 'type', 'unit', 'timestamp', 'start', 'end', 'value'] as const

/** The schema and defaults of a series' samples, built once. */
interface SampleReader {
  readonly series: Series
  readonly schema: z.ZodType
  readonly defaults: JsonObject
}

function sampleReader(series: Series): SampleReader {
  const { sample } = schemasOfSeries(series.slug)
  const defaults = { id: null, timezone_offset: null, type: null, unit: series.unit, ...nullFields(sample) }
  return { series, schema: sample().strict(), defaults }
}

function readSample({ series, schema, defaults }: SampleReader, input: JsonObject, at: number): Sample {
  const begins = instantOf(input.start ?? input.timestamp, at, input.start ? 'start' : 'timestamp')
  const ends = input.end === undefined ? begins : instantOf(input.end, at, 'end')
  if (ends < begins)
    throw new Problem('invalid', [
      { ...valueError('end is before start'), loc: ['body', 'samples', at, 'end'], input: input.end ?? null },
    ])
  const start = toWire(begins)
  // Points may be given with a start and an end, which are not stored.
  const times = series.isPoint
    ? { ...omit(input, 'start', 'end'), timestamp: start }
    : { ...input, timestamp: start, start, end: toWire(ends) }
  const parsed = schema.safeParse({ ...defaults, ...times })
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

function toSample(series: Series, wire: unknown, begins: number, ends: number): Sample {
  const fields = wire as JsonObject
  const more = Object.fromEntries(Object.entries(fields).filter(([name]) => !isOneOf(usualFields, name)))
  return {
    start: begins,
    end: series.isPoint ? begins : ends,
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
      .filter(([, field]) => z.safeParse(field, null).success)
      .map(([name]) => [name, null]),
  )

function instantOf(input: unknown, at: number, field: string): number {
  const instant = typeof input === 'string' ? fromIso(input) : undefined
  if (instant !== undefined) return instant
  const wrongType = { type: 'datetime_type', msg: 'Input should be a valid datetime' }
  const issue = input === undefined ? missing : wrongType
  throw invalidValue(issue, ['body', 'samples', at, field], input ?? null)
}

/** The maximum number of samples in an event. */
const MAX_IN_EVENT = 1000
/** The maximum duration of a sample, and of a sample of a point series. */
export const MAX_SAMPLE_MS = 12 * HOUR_MS
const MAX_POINT_MS = HOUR_MS
const longest = ({ isPoint }: Series): number => (isPoint ? MAX_POINT_MS : MAX_SAMPLE_MS)

/** The number of samples that are compared in one step. */
const SAMPLES_A_STEP = 64

/** What has become known of a connection: what was measured in a time, or a part of its history. */
export interface Change extends TimeRange {
  /** The connection as it was at `from`, if it was another. */
  readonly before?: Connection
  /** The resources concerned, by default all. */
  readonly resources?: readonly string[] | undefined
  /** The time of the rows that have arrived, if they are history. */
  readonly arriving?: TimeRange
}

/** The events of samples that were completed after `from` and by `until`, or whose value has grown. Yields between its steps. */
export function* eventsOfSamples(
  world: World,
  connection: Connection,
  { resources, arriving: arrived, from, until }: Change,
): Generator<void, NewEvent[]> {
  const toSent = (range: TimeRange) => ({
    from: asSent(world, connection, range.from),
    until: asSent(world, connection, range.until),
  })
  const span = toSent({ from, until })
  const arriving = arrived && toSent(arrived)
  const effects = world.services.feedScenarios.effectsOf(world, connection)
  const late = effects?.changedIn(span.from, span.until) ?? []
  // Uploads were announced when they arrived.
  if (connection.uploads && late.length === 0) return []
  const changesOf = function* (feed: Feed): Generator<void, Changes> {
    if (arriving) {
      const part = { ...arriving, until: arriving.until - 1, asOf: span.until }
      return { created: yield* unannounced(world, feed, part), updated: [] }
    }
    if (late.length > 0) return yield* differences(world, feed, span, late)
    return yield* changesWithin(world, feed, span, effects !== undefined)
  }
  const found: NewEvent[] = []
  for (const series of seriesTable) {
    const resource = resourceOf(series)
    if (resource === null || !hasSeries(connection.provider, series)) continue
    if (resources && !resources.includes(resource)) continue
    for (const feed of feedsOfConnection(world, series, connection)) {
      const { created, updated } = yield* changesOf(feed)
      for (const [what, samples] of entriesOf({ created, updated })) {
        for (const event of eventsOfBatch(world, feed, what, samples)) {
          found.push(event)
          yield
        }
      }
    }
  }
  return found
}

/** The samples of a range, collected in steps. */
function* collected(world: World, feed: Feed, range: KnownRange): Generator<void, Sample[]> {
  const found: Sample[] = []
  for (const sample of samplesOf(world, feed, range)) if (found.push(sample) % SAMPLES_A_STEP === 0) yield
  return found
}

function keyed(series: Series, samples: readonly Sample[]): Map<string, Sample> {
  const keyOf = sampleKey(series)
  return new Map(samples.map((sample) => [keyOf(sample), sample]))
}

/** The same without stored samples, which were announced when they were stored; a scenario may have withheld uploads. */
function* unannounced(world: World, feed: Feed, range: KnownRange): Generator<void, Sample[]> {
  const all = yield* collected(world, feed, range)
  const stored = feed.connection?.uploads ? undefined : findStoredFeed(world, feedKey(feed))
  if (!stored) return all
  const keyOf = sampleKey(feed.series)
  const keys = new Set([...storedBetween(world, stored, range.from, range.until)].map(keyOf))
  return all.filter((sample) => !keys.has(keyOf(sample)))
}

interface Changes {
  readonly created: readonly Sample[]
  readonly updated: readonly Sample[]
}

/** Compares samples with those that were known before. */
function compared(now: ReadonlyMap<string, Sample>, before: ReadonlyMap<string, Sample>): Changes {
  const all = [...now]
  return {
    created: all.flatMap(([key, sample]) => (before.has(key) ? [] : [sample])).sort(byStart),
    updated: all
      .flatMap(([key, sample]) => ((before.get(key) ?? sample).value === sample.value ? [] : [sample]))
      .sort(byStart),
  }
}

/** With a feed scenario that delays or changes data: compares the samples as of `until` with those as of `from`. */
function* differences(
  world: World,
  feed: Feed,
  { from, until }: TimeRange,
  late: readonly TimeRange[],
): Generator<void, Changes> {
  const { series } = feed
  const now = new Map<string, Sample>()
  const before = new Map<string, Sample>()
  for (const range of [{ from, until }, ...late]) {
    const around = { from: range.from - longest(series), until: Math.min(range.until, until) }
    for (const [key, sample] of keyed(series, yield* collected(world, feed, { ...around, asOf: from })))
      before.set(key, sample)
    for (const [key, sample] of keyed(series, yield* unannounced(world, feed, { ...around, asOf: until })))
      now.set(key, sample)
  }
  return compared(now, before)
}

/** The samples of a period that are new, and those whose value has grown. */
function* changesWithin(
  world: World,
  feed: Feed,
  { from, until }: TimeRange,
  hasScenario: boolean,
): Generator<void, Changes> {
  const { series } = feed
  const around = { from: from - longest(series), until }
  // With a feed scenario, data that begins exactly at this instant is new.
  const isNew = hasScenario ? ({ end }: Sample) => end >= from : ({ end }: Sample) => end > from
  const now = (yield* unannounced(world, feed, { ...around, asOf: until })).filter(isNew)
  const mayGrow = (series.grows || hasScenario) && now.some(({ start }) => start <= from)
  if (!mayGrow) return { created: now, updated: [] }
  const before = yield* collected(world, feed, { from: around.from, until: from, asOf: from })
  return compared(keyed(series, now), keyed(series, before.filter(isNew)))
}

/** Announces one device's samples. */
function announceBatch(
  world: World,
  feed: Feed,
  what: 'created' | 'updated',
  samples: readonly Sample[],
): void {
  for (const { type, data } of eventsOfBatch(world, feed, what, samples))
    world.emit(type, eventSubject(world, feed.userId), data)
}

/** Samples split into events; each workout has its own, and stages of sleep have none. */
export function* eventsOfBatch(
  world: World,
  feed: Feed,
  what: 'created' | 'updated',
  samples: readonly Sample[],
): Generator<NewEvent> {
  const { series } = feed
  const resource = resourceOf(series)
  if (resource === null) return
  const write = sampleWriter(series)
  const tail = `"source_id":${findProvider(feed.provider)?.source_id ?? 0},"user_id":"${feed.userId}"}`
  for (const group of byWorkout(samples)) {
    const source = sourceText(world, feed, group[0]?.workout)
    for (let at = 0; at < group.length; at += MAX_IN_EVENT) {
      const data = group
        .slice(at, at + MAX_IN_EVENT)
        .map(write)
        .join(',')
      const text = `{"source":${source},"data":[${data}],${tail}`
      yield { type: `daily.data.${resource}.${what}`, data: new JsonText(text) }
    }
  }
}
