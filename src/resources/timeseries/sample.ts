import { HOUR_MS } from '../../kernel/instant.ts'
import { type LocalDay, localDate, localDay, nextDate, offsetSeconds } from '../../kernel/local-day.ts'
import type { Random } from '../../kernel/random.ts'
import type { Span } from '../connections/table.ts'
import { bucketSeconds, getSeries, rhythms, type Series, type Shape } from './catalogue.ts'

/** Whose device it is. */
export interface Wearer {
  readonly userId: string
  readonly provider: string
  readonly timeZone: string
}

/** A value over a span of time; instants in milliseconds since 1970. */
export interface Bucket {
  readonly start: number
  /** Not itself part of the span. */
  readonly end: number
  readonly offsetSeconds: number
  readonly value: number
}

/** The buckets of a series that lie whole within a span, oldest first; those that count nothing are left out. */
export function* bucketsWithin(
  random: Random,
  series: Series,
  wearer: Wearer,
  { from, until }: Span,
): Generator<Bucket> {
  const last = localDate(wearer.timeZone, until)
  for (let date = localDate(wearer.timeZone, from); date <= last; date = nextDate(date)) {
    for (const bucket of bucketsOfDay(random, series, wearer, date)) {
      if (bucket.start >= from && bucket.end <= until && bucket.value !== 0) yield bucket
    }
  }
}

/** All of a local day; a function of its arguments, so every window onto the day shows the same. */
export function bucketsOfDay(
  random: Random,
  series: Series,
  wearer: Wearer,
  date: string,
): readonly Bucket[] {
  const days = recentDays.get(random) ?? new Map<string, readonly Bucket[]>()
  recentDays.set(random, days)
  const key = `${wearer.userId}/${wearer.provider}/${wearer.timeZone}/${series.slug}/${date}`
  const known = days.get(key)
  if (known) return known
  const buckets = makeDay(random, series, wearer, date)
  const oldest = days.size < MOST_RECENT_DAYS ? undefined : days.keys().next().value
  if (oldest !== undefined) days.delete(oldest)
  days.set(key, buckets)
  return buckets
}

/** Enough for one person's series of today and yesterday, which are asked for again and again. */
const MOST_RECENT_DAYS = 128
const recentDays = new WeakMap<Random, Map<string, readonly Bucket[]>>()

function makeDay(random: Random, series: Series, wearer: Wearer, date: string): readonly Bucket[] {
  const day = localDay(wearer.timeZone, date)
  const { shape } = series
  if ('perDay' in shape) return split(random, series, shape, wearer, day)
  const personal = between(
    random.noise(`wearables/${wearer.userId}/${series.slug}`),
    'follows' in shape ? shape.times : shape.perHour,
  )
  const basis =
    'follows' in shape
      ? bucketsOfDay(random, getSeries(shape.follows), wearer, date)
      : spans(series, wearer, day).map((span) => ({ ...span, value: (span.end - span.start) / HOUR_MS }))
  return basis.map((bucket) => ({ ...bucket, value: round(bucket.value * personal, series.decimals) }))
}

/** Splits the day's total by the hour's weight and some chance, in whole numbers that add up. */
function split(
  random: Random,
  series: Series,
  { perDay, rhythm }: Extract<Shape, { perDay: unknown }>,
  wearer: Wearer,
  day: LocalDay,
): Bucket[] {
  const { provider } = wearer
  const key = `wearables/${wearer.userId}/${series.slug}`
  const buckets = spans(series, wearer, day)
  const weights = buckets.map(({ start, offsetSeconds }) => {
    const chance = random.noise(`${key}/${provider}/${start}`)
    return chance < IDLE ? 0 : chance * (rhythms[rhythm][hourOf(start, offsetSeconds)] ?? 0)
  })
  const whole = weights.reduce((sum, weight) => sum + weight, 0) || 1
  const total = dayTotal(random, key, provider, day.date, perDay)
  let weighed = 0
  let given = 0
  return buckets.map((span, at) => {
    weighed += weights[at] ?? 0
    const value = Math.round((weighed / whole) * total) - given
    given += value
    return { ...span, value }
  })
}

/** Below this chance, a bucket is spent sitting. */
const IDLE = 0.15

/** Devices of one person differ by a few percent about what the person did that day. */
const dayTotal = (
  random: Random,
  key: string,
  provider: string,
  date: string,
  range: readonly [number, number],
) =>
  between(random.noise(`${key}/${date}`), range) * between(random.noise(`${key}/${provider}`), [0.96, 1.04])

function spans(series: Series, { provider, timeZone }: Wearer, { start, end }: LocalDay) {
  const lengthMs = bucketSeconds(series, provider) * 1000
  const offsetAtStart = offsetSeconds(timeZone, start)
  const isPlain = offsetAtStart === offsetSeconds(timeZone, end - 1)
  return Array.from({ length: Math.ceil((end - start) / lengthMs) }, (_, at) => {
    const bucketStart = start + at * lengthMs
    return {
      start: bucketStart,
      end: Math.min(bucketStart + lengthMs, end),
      offsetSeconds: isPlain ? offsetAtStart : offsetSeconds(timeZone, bucketStart),
    }
  })
}

const hourOf = (instant: number, offset: number) => new Date(instant + offset * 1000).getUTCHours()
const between = (chance: number, [low, high]: readonly [number, number]) => low + chance * (high - low)
const round = (value: number, decimals: number) => Math.round(value * 10 ** decimals) / 10 ** decimals
