import { feature } from '../../api/features.ts'
import { jsonList } from '../../api/responses.ts'
import type { Parsed } from '../../api/schema.ts'
import { DAY_MS } from '../../kernel/instant.ts'
import { JsonText } from '../../kernel/json.ts'
import { badRequest } from '../../kernel/problem.ts'
import { Slices } from '../../kernel/slices.ts'
import type { World } from '../../world/world.ts'
import { getUser } from '../users/service.ts'
import type { Series } from './catalogue.ts'
import { byWorkout, type Feed, feedsOf, inTimeOrder, samplesOf, sourceText } from './feeds.ts'
import { type Sample, sampleWriter } from './sample.ts'
import type { SeriesQuery, SeriesSchemas, WindowQuery } from './schema.ts'

/** The maximum window of a request in a sandbox team. Source: docs/contract/errors.md#errors. */
const SANDBOX_WINDOW_DAYS = 7

/** A page of a user's series, grouped by provider and device. */
export async function readSeries(
  world: World,
  series: Series,
  userId: string,
  query: Parsed<typeof SeriesQuery>,
): Promise<JsonText<Parsed<SeriesSchemas['page']>>> {
  const window = readWindow(world, userId, query)
  const from = Math.max(window.from, readCursor(series, query.next_cursor || query.cursor))
  const feeds = feedsOf(world, series, userId, query.provider)
  const { parts, nextFrom } = await takePage(
    feeds.map((feed) => samplesOf(world, feed, { from, until: window.until })[Symbol.iterator]()),
  )
  const groups = new Map<string, string[]>()
  for (const [at, feed] of feeds.entries()) {
    const texts = groupTexts(world, feed, parts[at] ?? [])
    if (texts.length > 0) groups.set(feed.provider, [...(groups.get(feed.provider) ?? []), ...texts])
  }
  const next = nextFrom === null ? 'null' : JSON.stringify(toCursor(series.slug, nextFrom))
  const entries = [...groups].map(([provider, texts]) => `${JSON.stringify(provider)}:[${texts.join(',')}]`)
  return new JsonText(`{"groups":{${entries.join(',')}},"next":${next},"next_cursor":${next}}`)
}

/** One group, or one for each workout in series that are grouped by workout. */
function groupTexts(world: World, feed: Feed, samples: readonly Sample[]): string[] {
  const write = sampleWriter(feed.series)
  return byWorkout(samples).map(
    (group) =>
      `{"source":${sourceText(world, feed, group[0]?.workout)},"data":[${group.map(write).join(',')}]}`,
  )
}

/** A window's samples without groups, for the older routes. */
export function listSeries(
  world: World,
  series: Series,
  userId: string,
  query: Parsed<typeof WindowQuery>,
  type?: string,
): ReturnType<typeof jsonList<Parsed<SeriesSchemas['list']>[number]>> {
  const window = readWindow(world, userId, query)
  const feeds = feedsOf(world, series, userId, query.provider)
  const samples = inTimeOrder(feeds.map((feed) => samplesOf(world, feed, window)))
  return jsonList(written(samples, series, type))
}

/** The samples as JSON; those of a type can be stored under its name alone or after that of the series. */
function* written(
  samples: Iterable<{ readonly item: Sample }>,
  series: Series,
  type: string | undefined,
): Generator<string> {
  const write = sampleWriter(series)
  const names = [type, `${series.slug}/${type}`]
  for (const { item } of samples) if (type === undefined || names.includes(item.type ?? '')) yield write(item)
}

function readWindow(world: World, userId: string, query: Parsed<typeof WindowQuery>) {
  getUser(world, userId)
  const window = { from: query.start_date, until: query.end_date ?? world.clock.now() }
  assertWindowLength(world, window.until - window.from)
  return window
}

function readCursor({ slug }: Series, cursor: string | null | undefined): number {
  if (!cursor || cursor === 'null') return Number.NEGATIVE_INFINITY
  const instant = fromCursor(slug, cursor)
  if (instant === undefined) throw badRequest(`Invalid next_cursor: ${cursor}`)
  return instant
}

function assertWindowLength(world: World, lengthMs: number): void {
  if (!feature(world, 'sandbox_limits') || lengthMs <= SANDBOX_WINDOW_DAYS * DAY_MS) return
  throw badRequest(
    `GET requests to timeseries endpoints are limited to ${SANDBOX_WINDOW_DAYS} days in Sandbox`,
  )
}

/** Samples on a page; more only if they have the same instant. Source: docs/contract/health-data.md#timeseries. */
const MAX_SAMPLES = 10_000

interface SamplePage<Item> {
  /** The page's items, by feed. */
  readonly parts: readonly (readonly Item[])[]
  /** The first instant of the next page; null on the last. */
  readonly nextFrom: number | null
}

/** Takes a page from feeds in time order. All items of an instant are on the same page, so that pages never overlap. */
export async function takePage<Item extends { readonly start: number }>(
  feeds: readonly Iterator<Item>[],
  most = MAX_SAMPLES,
): Promise<SamplePage<Item>> {
  const parts = feeds.map((): Item[] => [])
  const slices = new Slices()
  let last = Number.NEGATIVE_INFINITY
  let count = 0
  for (const { item, feed } of inTimeOrder(feeds)) {
    if (count >= most && item.start > last) return { parts, nextFrom: item.start }
    last = item.start
    parts[feed]?.push(item)
    count++
    if (slices.isOver) await slices.next()
  }
  return { parts, nextFrom: null }
}

/** A cursor that stays valid when new data arrive. */
export const toCursor = (series: string, instant: number): string =>
  Buffer.from(`${series}:${instant}`).toString('base64url')

/** The instant of a cursor; undefined when it is not one of this series. */
export function fromCursor(series: string, cursor: string): number | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const match = /^([a-z0-9_]+):(-?\d{1,15}(?:\.\d{1,6})?)$/.exec(text)
  return match?.[1] === series && toCursor(series, Number(match[2])) === cursor ? Number(match[2]) : undefined
}
