import { feature } from '../../contract/features.ts'
import type { Parsed } from '../../contract/schema.ts'
import { DAY_MS, SECOND_MS, toWire } from '../../kernel/instant.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { type Connection, connections, type Span } from '../connections/table.ts'
import type { SourceType } from '../providers/schema.ts'
import { getProvider, sourceOf } from '../providers/service.ts'
import { eventSubject, getUser } from '../users/service.ts'
import { bucketSeconds, getSeries, type Series, seriesTable } from './catalogue.ts'
import { readableSpans } from './collected.ts'
import { fromCursor, takePage, toCursor } from './page.ts'
import { type Bucket, bucketsWithin, type Wearer } from './sample.ts'
import type { SeriesQuery, SeriesSchemas } from './schema.ts'

/** The most samples one event carries. */
const MOST_IN_EVENT = 1000
/** The longest window a sandbox team may ask for. Source: contract/errors-and-auth.md §5.2. */
const SANDBOX_WINDOW_DAYS = 7

/** What there are series of, by the names events use. */
export const seriesResources: readonly string[] = seriesTable.map(({ resource }) => resource)

/** A page of a user's series, grouped by provider and device. */
export function readSeries(
  world: World,
  series: Series,
  userId: string,
  query: Parsed<typeof SeriesQuery>,
): Parsed<SeriesSchemas['page']> {
  getUser(world, userId)
  const until = query.end_date ?? world.clock.now()
  const from = Math.max(query.start_date, readCursor(series, query.next_cursor || query.cursor))
  refuseLongWindow(world, until - query.start_date)
  const feeds = feedsOf(world, series, userId, query.provider)
  const { parts, nextFrom } = takePage(
    feeds.map(({ connection }) => samplesBetween(world, series, connection, from, until)),
  )
  const groups: Record<string, { source: ReturnType<typeof sourceOf>; data: Sample[] }[]> = {}
  for (const [at, { connection, type }] of feeds.entries()) {
    const data = (parts[at] ?? []).map((bucket) => toSample(series, bucket))
    if (data.length === 0) continue
    groups[connection.provider] ??= []
    groups[connection.provider]?.push({ source: sourceOf(world, connection.provider, type), data })
  }
  const next = nextFrom === null ? null : toCursor(series.slug, nextFrom)
  return { groups, next, next_cursor: next }
}

function readCursor({ slug }: Series, cursor: string | null | undefined): number {
  if (!cursor || cursor === 'null') return Number.NEGATIVE_INFINITY
  const instant = fromCursor(slug, cursor)
  if (instant === undefined) throw new Problem('bad_request', `Invalid next_cursor: ${cursor}`)
  return instant
}

function refuseLongWindow(world: World, lengthMs: number): void {
  if (!feature(world, 'sandbox_limits') || lengthMs <= SANDBOX_WINDOW_DAYS * DAY_MS) return
  throw new Problem(
    'bad_request',
    `GET requests to timeseries endpoints are limited to ${SANDBOX_WINDOW_DAYS} days in Sandbox`,
  )
}

interface Feed {
  readonly connection: Connection
  readonly type: SourceType
}

/** The devices a user has a series from. */
const feedsOf = (world: World, series: Series, userId: string, provider: string): Feed[] =>
  world.db
    .by(connections, 'user', userId)
    .filter((connection) => provider === '' || connection.provider === provider)
    .filter((connection) => getProvider(connection.provider).resources.includes(series.resource))
    .flatMap((connection) => sourceTypes(series, connection.provider).map((type) => ({ connection, type })))

const sourceTypes = ({ sources }: Series, provider: string): readonly SourceType[] =>
  sources?.[provider] ?? [getProvider(provider).source_types[0]]

/** Samples that begin between two instants, both included, and that are complete. */
function* samplesBetween(
  world: World,
  series: Series,
  connection: Connection,
  from: number,
  until: number,
): Generator<Bucket> {
  const complete = { from, until: Number.POSITIVE_INFINITY }
  for (const span of readableSpans(world, connection, complete)) {
    for (const bucket of bucketsWithin(world.random, series, wearerOf(connection), span)) {
      if (bucket.start > until) return
      yield bucket
    }
  }
}

const wearerOf = ({ user_id, provider, time_zone }: Connection): Wearer => ({
  userId: user_id,
  provider,
  timeZone: time_zone,
})

type Sample = ReturnType<typeof toSample>

const toSample = ({ unit }: Series, { start, end, offsetSeconds, value }: Bucket) => {
  const startsAt = toWire(start)
  return {
    id: null,
    timezone_offset: offsetSeconds,
    type: null,
    unit,
    timestamp: startsAt,
    start: startsAt,
    end: toWire(end),
    value,
  }
}

/** Tells of every sample that was completed after `from` and by `until`, in batches. */
export function announceSamples(world: World, connection: Connection, { from, until }: Span): void {
  const provider = getProvider(connection.provider)
  for (const series of seriesTable) {
    if (!provider.resources.includes(series.resource)) continue
    const samples = completedWithin(world, series, connection, { from, until })
    for (const type of sourceTypes(series, connection.provider)) {
      for (let at = 0; at < samples.length; at += MOST_IN_EVENT) {
        world.emit(`daily.data.${series.resource}.created`, eventSubject(world, connection.user_id), {
          source: sourceOf(world, connection.provider, type),
          data: samples.slice(at, at + MOST_IN_EVENT).map((bucket) => toSample(series, bucket)),
          source_id: provider.source_id,
          user_id: connection.user_id,
        })
      }
    }
  }
}

function completedWithin(
  world: World,
  series: Series,
  connection: Connection,
  { from, until }: Span,
): Bucket[] {
  const around = { from: from - bucketSeconds(series, connection.provider) * SECOND_MS, until }
  return readableSpans(world, connection, around)
    .flatMap((span) => [...bucketsWithin(world.random, series, wearerOf(connection), span)])
    .filter(({ end }) => end > from)
}

/** What a series comes to over the part of a time that is there to be read. */
export function sumOfSeries(world: World, slug: string, connection: Connection, within: Span): number {
  let sum = 0
  for (const span of readableSpans(world, connection, within)) {
    for (const { value } of bucketsWithin(world.random, getSeries(slug), wearerOf(connection), span))
      sum += value
  }
  return sum
}
