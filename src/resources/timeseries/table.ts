import * as z from 'zod'
import { anyObject, nullableText } from '../../api/schema.ts'
import { DAY_MS } from '../../kernel/instant.ts'
import { instantMs, type RowOf, table } from '../../storage/table.ts'
import type { World } from '../../world/world.ts'
import type { Sample } from './sample.ts'

/** The source of stored samples; `first` and `last` bound their instants, in milliseconds since 1970. */
export const storedFeeds = table(
  'stored_feeds',
  () =>
    z.object({
      user_id: z.string(),
      series: z.string(),
      provider: z.string(),
      source_type: z.string(),
      first: instantMs(),
      last: instantMs(),
    }),
  ({ user_id, series, provider, source_type }) => `${user_id}/${series}/${provider}/${source_type}`,
  {
    owner: 'user',
    owns: 'feed',
    indexes: {
      series: ({ user_id, series }) => `${user_id}/${series}`,
      user: ({ user_id }) => user_id,
    },
  },
)
export type StoredFeed = RowOf<typeof storedFeeds>
export type FeedKey = Omit<StoredFeed, 'first' | 'last'>

const feedId = (feed: FeedKey) => storedFeeds.idOf({ ...feed, first: 0, last: 0 })

/** A stored sample. It replaces the generated one with the same key. */
export const storedSamples = table(
  'stored_samples',
  () =>
    z.object({
      /** The key: feed, instant, and type where one instant has several. Source: docs/contract/health-data.md#timeseries. */
      id: z.string(),
      /** The feed and the day since 1970. */
      day: z.string(),
      sample: z.object({
        start: instantMs(),
        end: instantMs(),
        offsetSeconds: z.number().nullable(),
        value: z.union([z.number(), z.string()]).nullable(),
        type: nullableText(),
        more: anyObject().exactOptional(),
      }),
    }),
  ({ id }) => id,
  {
    owner: 'feed',
    indexes: { day: ({ day }) => day, feed: ({ day }) => day.slice(0, day.lastIndexOf('/')) },
  },
)

const dayKey = (feed: string, instant: number) => `${feed}/${Math.floor(instant / DAY_MS)}`

/** Stores samples, at least one; those with the same key are replaced. */
export function keepSamples(
  world: World,
  feed: FeedKey,
  samples: readonly Sample[],
  keyOf: (sample: Sample) => string,
): void {
  const id = feedId(feed)
  const known = world.db.find(storedFeeds, id)
  let { first, last } = known ?? { first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY }
  for (const sample of samples) {
    const { start } = sample
    first = Math.min(first, start)
    last = Math.max(last, start)
    world.db.put(storedSamples, { id: `${id}/${keyOf(sample)}`, day: dayKey(id, start), sample })
  }
  world.db.put(storedFeeds, { ...feed, first, last })
}

/** The stored sample of a feed with a key. */
export const findStoredSample = (world: World, feed: FeedKey, key: string): Sample | undefined =>
  world.db.find(storedSamples, `${feedId(feed)}/${key}`)?.sample

export const storedFeedsOf = (world: World, userId: string, series: string): StoredFeed[] =>
  world.db.by(storedFeeds, 'series', `${userId}/${series}`)

export const findStoredFeed = (world: World, feed: FeedKey): StoredFeed | undefined =>
  world.db.find(storedFeeds, feedId(feed))

/** A feed's stored samples between two instants, both included; oldest first, day by day. */
export function* storedBetween(
  world: World,
  feed: StoredFeed,
  from: number,
  until: number,
): Generator<Sample> {
  const id = feedId(feed)
  const first = Math.floor(Math.max(from, feed.first) / DAY_MS)
  const last = Math.floor(Math.min(until, feed.last) / DAY_MS)
  for (const day of daysBetween(world, id, first, last)) {
    const samples = world.db.by(storedSamples, 'day', `${id}/${day}`).map(({ sample }) => sample)
    for (const sample of samples.sort((a, b) => a.start - b.start))
      if (sample.start >= from && sample.start <= until) yield sample
  }
}

/** Longer periods are not walked day by day, because stored samples may lie thousands of years apart. */
const MAX_WALKED_DAYS = 1000

/** The days since 1970 in a period that may have samples of a feed, in order. */
function daysBetween(world: World, id: string, first: number, last: number): Iterable<number> {
  if (last - first < MAX_WALKED_DAYS)
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
  const starts = world.db
    .idsBy(storedSamples, 'feed', id)
    .map((key) => Number.parseFloat(key.slice(id.length + 1)))
  const days = new Set(starts.map((start) => Math.floor(start / DAY_MS)))
  return [...days].filter((day) => day >= first && day <= last).sort((a, b) => a - b)
}

/** The key of a sample in its feed; samples of a series with types of any name may share an instant. */
export const sampleKey =
  ({ types }: { readonly types?: string | readonly string[] }) =>
  ({ start, type }: Sample): string =>
    types === 'any' ? `${start}/${type}` : String(start)
