import type { FeedBeside } from '../../api/scenarios.ts'
import { countBefore } from '../../kernel/compare.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type TimeRange, toDate } from '../../kernel/instant.ts'
import { perOwner } from '../../kernel/kept.ts'
import { append, groupBy } from '../../kernel/list.ts'
import { datesBetween, localDate, offsetSeconds } from '../../kernel/local-day.ts'
import { daysLater } from '../../people/dates.ts'
import { type Day, dayOf } from '../../people/day.ts'
import { clockOn, type ZoneOn } from '../../people/day-clock.ts'
import { timesNotWorn } from '../../people/devices.ts'
import { round } from '../../people/noise.ts'
import type { Workout } from '../../people/workouts.ts'
import type { World } from '../../world/world.ts'
import type { SourceType } from '../catalogue/schema.ts'
import {
  type Connection,
  collectedSpans,
  connections,
  deviceIdOf,
  devices,
  type Ingested,
  viewOf,
} from '../connections/table.ts'
import { personOf } from '../personas/service.ts'
import {
  deviceId,
  deviceTypeFor,
  findProvider,
  isMeasured,
  sourceOf,
  traitsOf,
} from '../providers/service.ts'
import { boundsOf, ingestionRange } from '../users/service.ts'
import { users } from '../users/table.ts'
import { resourceOf, type Series } from './catalogue.ts'
import { isFloating, offsetSent, type Sample, sessionId, type Wearer } from './sample.ts'
import { type FeedKey, findStoredFeed, sampleKey, storedBetween, storedFeedsOf } from './table.ts'

/** A device's samples of a series, generated, stored or both. */
export interface Feed {
  readonly series: Series
  readonly userId: string
  readonly provider: string
  readonly type: string
  /** Undefined if all samples were stored by a call. */
  readonly connection?: Connection | undefined
  /** Set for samples that a feed scenario adds to the series. */
  readonly beside?: FeedBeside
  /** The source type whose samples it repeats, for such samples. */
  readonly besideType?: string
}

/** A range of samples, both ends included, as it is known at an instant. */
export interface KnownRange extends TimeRange {
  /** Milliseconds since 1970; without it, all is known. */
  readonly asOf?: number | undefined
}

/** A user's feeds of a series, those of connections first. */
export function feedsOf(world: World, series: Series, userId: string, provider = ''): Feed[] {
  const feeds: Feed[] = world.db
    .by(connections, 'user', userId)
    .filter((connection) => hasSeries(connection.provider, series))
    .flatMap((connection) => feedsOfConnection(world, series, connection))
  const known = new Set(feeds.map((feed) => `${feed.provider}/${feed.type}`))
  for (const stored of storedFeedsOf(world, userId, series.slug)) {
    if (!known.has(`${stored.provider}/${stored.source_type}`))
      feeds.push({ series, userId, provider: stored.provider, type: stored.source_type })
  }
  return feeds.filter((feed) => provider === '' || feed.provider === provider)
}

export const feedOf = (series: Series, connection: Connection): Feed => ({
  series,
  userId: connection.user_id,
  provider: connection.provider,
  type: sourceTypeOf(series, connection.provider),
  connection: viewOf(connection, resourceOf(series) ?? 'sleep'),
})

/** The feeds of a connection's series, including those its feed scenario adds. */
export const feedsOfConnection = (world: World, series: Series, connection: Connection): Feed[] =>
  ownFeeds(world, series, connection).flatMap((own) => withBeside(world, own))

/** One feed of generated samples, or those of the devices whose samples a phone has uploaded. */
function ownFeeds(world: World, series: Series, connection: Connection): Feed[] {
  const usual = feedOf(series, connection)
  if (!connection.uploads) return [usual]
  return storedFeedsOf(world, connection.user_id, series.slug)
    .filter(({ provider }) => provider === connection.provider)
    .map(({ source_type: type }) => ({ ...usual, type }))
}

/** A feed, and those that the feed scenario of its connection adds. */
export function withBeside(world: World, own: Feed): Feed[] {
  const effects = own.connection && world.services.feedScenarios.effectsOf(world, own.connection)
  const beside = effects?.beside(own.series.slug) ?? []
  return [
    own,
    ...beside.map((one) => ({ ...own, type: typeBeside(one, own), beside: one, besideType: own.type })),
  ]
}

/** A second device of the provider, or another app; the series' own if samples are duplicated. */
function typeBeside({ type }: FeedBeside, own: Feed): string {
  if (type !== own.type || type === 'app') return type ?? own.type
  return findProvider(own.provider)?.source_types.find((one) => one !== type) ?? type
}

/** Whether a provider has a series; stages of sleep belong to the sleep resource. */
export function hasSeries(provider: string, series: Series): boolean {
  return findProvider(provider)?.resources.includes(resourceOf(series) ?? 'sleep') ?? false
}

/** The device that measures a series at a provider. */
export function sourceTypeOf({ from }: Series, provider: string): SourceType {
  return deviceTypeFor(provider, from)
}

/** For a provider that sends local times as if they were UTC, the wearer lives by UTC. */
const wearerOf = (world: World, { user_id, provider, time_zone }: Connection): Wearer => ({
  userId: user_id,
  provider,
  timeZone: isFloating(world, provider) ? 'UTC' : time_zone,
  traits: traitsOf(world, { provider }),
})

/** An instant as a provider's rows have it. */
export const asSent = (world: World, { provider, time_zone }: Connection, instant: number): number =>
  isFloating(world, provider) && Number.isFinite(instant)
    ? instant + offsetSeconds(time_zone, instant) * SECOND_MS
    : instant

/** The local date of a connection's user at an instant. */
export const dateOf = (world: World, connection: Connection, instant: number): string =>
  world.services.feedScenarios.effectsOf(world, connection)?.dateAt(instant) ??
  localDate(connection.time_zone, instant)

/** The local day of a connection's user. */
export function dayOfConnection(world: World, connection: Connection, date: string): Day {
  const { provider, user_id } = connection
  const { nap_minutes: leastNap } = traitsOf(world, { provider })
  const sport = sportOn(world, connection, date)
  return dayOf(personOf(world, user_id), zonesOf(world, connection), date, provider, { leastNap, sport })
}

/** The sport that a user does on a day for having a device for it: that of the connection, or one from the days before. */
function sportOn(world: World, { user_id, provider }: Connection, date: string): string | undefined {
  const sportsOf = (slug: string) => traitsOf(world, { provider: slug }).sports
  const earlier = world.db
    .by(connections, 'user', user_id)
    .filter(({ known_since }) => toDate(known_since) < date)
  return [...sportsOf(provider), ...earlier.flatMap((other) => sportsOf(other.provider))][0]
}

/** Where a connection's user spends which days. */
function zonesOf(world: World, connection: Connection): ZoneOn {
  const { provider, timeZone } = wearerOf(world, connection)
  const effects = isFloating(world, provider)
    ? undefined
    : world.services.feedScenarios.effectsOf(world, connection)
  return (date) => effects?.zoneOn(date) ?? timeZone
}

/** The key under which samples of a feed are stored, by default those of its own source type. */
export const feedKey = ({ series, userId, provider, type }: Feed, source_type = type): FeedKey => ({
  user_id: userId,
  series: series.slug,
  provider,
  source_type,
})

/** Samples of a feed that begin in a range; oldest first. */
export function samplesOf(world: World, feed: Feed, range: KnownRange): Iterator<Sample> & Iterable<Sample> {
  const { series, connection, type, beside, besideType } = feed
  const { from, until } = range
  if (connection?.uploads) return uploadedBetween(world, feed, range)
  const made = connection ? besideOnly(madeBetween(world, series, connection, range), beside) : [].values()
  const stored = findStoredFeed(world, feedKey(feed))
  if (!stored || type === besideType || stored.first > until || stored.last < from) return made
  return overridden(made, storedBetween(world, stored, from, until), sampleKey(series))
}

/** The samples that the feed scenario adds. */
const besideOnly = (made: Generator<Sample>, beside: FeedBeside | undefined): Generator<Sample> =>
  beside ? multipliedWithin(made, beside) : made

function* multipliedWithin(made: Generator<Sample>, { from, until, by }: FeedBeside): Generator<Sample> {
  for (const sample of made) {
    if (sample.start < from || sample.start >= until) continue
    const { value } = sample
    yield by === 1 || typeof value !== 'number'
      ? sample
      : { ...sample, value: Number.isInteger(value) ? Math.round(value * by) : round(value * by, 2) }
  }
}

/** Samples that a phone has uploaded, as they are shown. */
function* uploadedBetween(world: World, feed: Feed, { from, until, asOf }: KnownRange): Generator<Sample> {
  const stored = findStoredFeed(world, feedKey(feed, feed.besideType))
  if (!stored) return
  const within = { from: Math.max(from, stored.first), until: Math.min(until, stored.last), asOf }
  yield* asShown(world, feed, storedBetween(world, stored, from, until), within)
}

/** Uploaded samples with the effects of the connection's feed scenario; all are within the range. */
export function asShown(
  world: World,
  { series, connection, beside }: Feed,
  samples: Iterable<Sample>,
  { from, until, asOf = Number.POSITIVE_INFINITY }: KnownRange,
): Iterable<Sample> {
  const effects = connection && world.services.feedScenarios.effectsOf(world, connection)
  if (!effects) return samples
  const seen = Math.min(asOf, world.clock.now())
  const hidden = effects.hidden({ from, until: until + 1 }, seen)
  const alteredOf = function* (): Generator<Sample> {
    for (const sample of samples)
      if (!hidden.some((one) => one.from <= sample.start && sample.start < one.until))
        yield effects.altered(series.slug, sample, seen)
  }
  return besideOnly(alteredOf(), beside)
}

/** Generated samples of a connection, with the effects of its feed scenario. */
function* madeBetween(
  world: World,
  series: Series,
  connection: Connection,
  { from, until, asOf = Number.POSITIVE_INFINITY }: KnownRange,
): Generator<Sample> {
  const effects = world.services.feedScenarios.effectsOf(world, connection)
  const seen = effects ? seenFrom(world, connection, asOf) : asOf
  for (const span of readableSpans(world, connection, { span: { from, until: asOf }, near: { from, until } }))
    for (const day of daysWithin(world, connection, { from: span.from, until: Math.min(span.until, until) }))
      for (const sample of collectedOn(world, series, connection, { day, span, until }))
        if (!effects) yield sample
        // A journey can shorten a day, down to nothing.
        else if (sample.start < day.end) yield effects.altered(series.slug, sample, seen)
}

/** The local days of a connection's user within a span. */
function* daysWithin(world: World, connection: Connection, { from, until }: TimeRange): Generator<Day> {
  const { provider, timeZone } = wearerOf(world, connection)
  const dateAt = (instant: number) =>
    isFloating(world, provider) ? localDate(timeZone, instant) : dateOf(world, connection, instant)
  for (const date of datesBetween(dateAt(from), dateAt(until))) yield dayOfConnection(world, connection, date)
}

interface Collecting {
  readonly day: Day
  /** When it collected data. */
  readonly span: TimeRange
  /** The latest start of a sample. */
  readonly until: number
}

/** The samples of a day that a connection has collected, without those that overlap a time in which the device was off. */
function collectedOn(
  world: World,
  series: Series,
  connection: Connection,
  { day, span, until }: Collecting,
): Sample[] {
  const isWorn = !series.isComputed && worn.includes(sourceTypeOf(series, connection.provider))
  const off = isWorn ? spansNotWorn(world, connection, { from: day.start, until: day.end }) : []
  const samples = drawn(day, series, wearerOf(world, connection), span)
  const first = countBefore(samples, ({ start }) => start < span.from)
  const past = countBefore(samples, ({ start }) => start <= until)
  const collected = samples.slice(first, past).filter(({ start, end }) => {
    // What grows has been generated up to the end of the span.
    const isThere = series.grows || end <= span.until
    return isThere && !off.some((one) => start < one.until && Math.max(end, start + 1) > one.from)
  })
  const kind = traitsOf(world, connection).sample_offset
  if (kind === 'number') return collected
  return collected.map((sample) => ({
    ...sample,
    offsetSeconds: offsetSent(world, connection, kind, sample.offsetSeconds ?? 0),
  }))
}

/** Days with more samples are not cached, but drawn in part. */
const MAX_CACHED = 3000
const WHOLE_DAY: TimeRange = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY }
const cachedSamples = perOwner<Day, Map<string, readonly Sample[] | 'too many'>>(() => new Map())

/** The samples of a day, at least those within a span. */
function drawn(day: Day, series: Series, wearer: Wearer, span: TimeRange): readonly Sample[] {
  if (series.grows && span.until < day.end) return series.generate(day, wearer, span)
  const rows = cachedSamples(day)
  const key = `${series.slug}/${wearer.provider}`
  const known = rows.get(key)
  if (known) return known === 'too many' ? series.generate(day, wearer, span) : known
  if (!isMeasured(day, wearer, series.slug, series.from)) return []
  const samples = onFullHours(series, wearer, series.generate(day, wearer, WHOLE_DAY))
  rows.set(key, samples.length <= MAX_CACHED ? samples : 'too many')
  return samples
}

/** Samples whose provider stamps them with the full hour; the first of an hour is the one there is. */
function onFullHours(series: Series, { traits }: Wearer, samples: Sample[]): Sample[] {
  if (!traits.full_hours.includes(series.slug)) return samples
  const byHour = new Map<number, Sample>()
  for (const sample of samples) {
    const start = Math.floor(sample.start / HOUR_MS) * HOUR_MS
    if (!byHour.has(start)) byHour.set(start, { ...sample, start })
  }
  return [...byHour.values()]
}

/** Merges generated and stored samples; stored ones win. */
function* overridden(
  made: Iterator<Sample>,
  stored: Iterator<Sample>,
  keyOf: (sample: Sample) => string,
): Generator<Sample> {
  const replaced = new Set<string>()
  for (const { item, feed } of inTimeOrder([stored, made])) {
    if (feed === 0) replaced.add(keyOf(item))
    else if (replaced.has(keyOf(item))) continue
    yield item
  }
}

/** Merges feeds that are each in time order; items have the position of their feed, and of the same instant the earlier feed comes first. */
export function* inTimeOrder<Item extends { readonly start: number }>(
  feeds: readonly Iterator<Item>[],
): Generator<{ readonly item: Item; readonly feed: number }> {
  const heads = feeds.map((feed) => feed.next())
  for (;;) {
    let earliest = -1
    let from = Number.POSITIVE_INFINITY
    for (const [at, head] of heads.entries()) {
      if (head.done || head.value.start >= from) continue
      from = head.value.start
      earliest = at
    }
    if (earliest === -1) return
    yield { item: heads[earliest]?.value as Item, feed: earliest }
    heads[earliest] = feeds[earliest]?.next() as IteratorResult<Item>
  }
}

/** A connection's samples of a series. */
export const connectionSamples = (
  world: World,
  series: Series,
  connection: Connection,
  range: KnownRange,
): Iterable<Sample> => samplesOf(world, feedOf(series, connection), range)

interface SpansToRead {
  readonly span: TimeRange
  /** The time around which the answer matters. */
  readonly near: TimeRange
  /** The device; without it, nothing that is worn. */
  readonly type?: SourceType | undefined
}

/**
 * The parts of a span in which a connection collected data that the user's ingestion window includes, as of its end;
 * oldest first, without overlap. Data that the feed scenario withholds are left out, and times in which the device was
 * not worn.
 */
export function readableSpans(
  world: World,
  connection: Connection,
  { span, near, type }: SpansToRead,
): TimeRange[] {
  const spans = collectedWithin(world, connection, span)
  const around = { from: near.from - DAY_MS, until: near.until + DAY_MS, asOf: span.until }
  const hidden = hiddenSpans(world, connection, type, around)
  return spans.flatMap((one) => without(one, hidden))
}

/** The latest instant of what a connection has collected; undefined without anything. */
export const collectedUntil = (world: World, connection: Connection): number | undefined =>
  spansWithinBounds(world, connection).at(-1)?.until

const spansWithinBounds = (world: World, connection: Connection): TimeRange[] =>
  merged(withinBounds(world, connection, collectedSpans(world, connection)))

/** The same without the effects of the feed scenario. */
export function collectedWithin(
  world: World,
  connection: Connection,
  { from, until }: TimeRange,
): TimeRange[] {
  return spansWithinBounds(world, connection)
    .map((span) => ({
      from: Math.max(asSent(world, connection, span.from), from),
      until: Math.min(asSent(world, connection, span.until), until),
    }))
    .filter((span) => span.from < span.until)
}

/** The periods in which a device of a type is not worn, or that a feed scenario hides. */
export function hiddenSpans(
  world: World,
  connection: Connection,
  type: SourceType | undefined,
  within: KnownRange,
): TimeRange[] {
  const { asOf = Number.POSITIVE_INFINITY } = within
  const off = type !== undefined && worn.includes(type) ? spansNotWorn(world, connection, within) : []
  const effects = world.services.feedScenarios.effectsOf(world, connection)
  if (!effects) return off
  const collected = collectedWithin(world, connection, within)
  return [...off, ...collected.flatMap((span) => effects.hidden(span, seenFrom(world, connection, asOf)))]
}

const worn: readonly SourceType[] = ['watch', 'ring', 'chest_strap']
/** The days before a connection, and all after it, in which the device is always worn: who connects sees last night. */
const ALWAYS_WORN_DAYS = 3

/** The days and nights of the history in which a person does not wear a device. */
function spansNotWorn(world: World, connection: Connection, { from, until }: TimeRange): TimeRange[] {
  const latest = Math.min(until, connection.known_since - ALWAYS_WORN_DAYS * DAY_MS)
  const spans: TimeRange[] = []
  if (from >= latest) return spans
  const person = personOf(world, connection.user_id)
  const zoneOn = zonesOf(world, connection)
  const last = dateOf(world, connection, latest)
  for (const date of datesBetween(daysLater(dateOf(world, connection, from), -1), last))
    append(
      spans,
      timesNotWorn(person, connection.provider, date, (day) => clockOn(zoneOn, day)),
    )
  return spans
}

/** The end of a connection's data. */
const seenFrom = (world: World, connection: Connection, asOf: number): number =>
  Math.min(asOf, collectedSpans(world, connection).at(-1)?.until ?? asOf)

/** A span without the parts that are hidden. */
function without(span: TimeRange, hidden: readonly TimeRange[]): TimeRange[] {
  const left: TimeRange[] = []
  let { from } = span
  for (const hole of [...hidden].sort((a, b) => a.from - b.from)) {
    if (hole.from > from) left.push({ from, until: Math.min(hole.from, span.until) })
    from = Math.max(from, hole.until)
  }
  left.push({ from, until: span.until })
  return left.filter((one) => one.from < one.until)
}

/** The parts that were within the bounds in force when they were ingested. */
function withinBounds(world: World, connection: Connection, spans: readonly Ingested[]): TimeRange[] {
  const { user_id, time_zone } = connection
  const user = world.db.find(users, user_id)
  const bounds = user ? boundsOf(world, user) : []
  const lateMs = traitsOf(world, connection).late_minutes * MINUTE_MS
  return bounds.flatMap((each, at) => {
    const { since } = each
    const next = bounds[at + 1]?.since ?? Number.POSITIVE_INFINITY
    const { from: first, until: last } = ingestionRange(each, time_zone)
    return spans.flatMap((span) => {
      const { at: ingested } = span
      const live = ingested === undefined ? { from: since - lateMs, until: next - lateMs } : span
      if (ingested !== undefined && (ingested < since || ingested >= next)) return []
      return {
        from: Math.max(span.from, live.from, first),
        // The end of a day belongs to the next.
        until: Math.min(span.until, live.until, last - 1),
      }
    })
  })
}

function merged(spans: readonly TimeRange[]): TimeRange[] {
  const whole: TimeRange[] = []
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    if (span.from >= span.until) continue
    const before = whole.at(-1)
    if (!before || before.until < span.from) whole.push({ from: span.from, until: span.until })
    else whole[whole.length - 1] = { from: before.from, until: Math.max(before.until, span.until) }
  }
  return whole
}

/** The source of a group of samples. */
function sourceOfFeed(world: World, feed: Feed, workout?: Workout) {
  const { series, userId, provider, type, connection } = feed
  const device_id = deviceIdOf(world, { user_id: userId, provider }, resourceOf(series) ?? 'sleep', type)
  const app =
    feed.beside?.type === 'app' ? world.db.find(devices, deviceId(world, userId, provider, type)) : undefined
  const source = { ...sourceOf(world, provider, type), app_id: app?.app_id ?? null, device_id }
  if (!workout) return source
  const workout_id = connection
    ? sessionId(world.ids, { kind: 'workout', ordinal: connection.ordinal, ...workout })
    : null
  return { ...source, sport: workout.sport.slug, workout_id }
}

export const sourceText = (world: World, feed: Feed, workout?: Workout): string =>
  JSON.stringify(sourceOfFeed(world, feed, workout))

/** Samples grouped by the workout they were measured in; those without one are a group as well. */
export function byWorkout(samples: readonly Sample[]): (readonly Sample[])[] {
  if (!samples.some(({ workout }) => workout)) return samples.length > 0 ? [samples] : []
  const groups = groupBy(samples, ({ workout }) => (workout ? `${workout.date}/${workout.index}` : ''))
  return [...groups.values()]
}
