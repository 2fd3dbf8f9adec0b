import { HOUR_MS } from '../../kernel/instant.ts'

/** The most samples a page has, unless one hour alone has more. Source: contract/wearables.md §8.1. */
export const MOST_SAMPLES = 10_000

export interface Page<Item> {
  /** For each of the feeds, what the page has of it. */
  readonly parts: readonly (readonly Item[])[]
  /** The instant the next page begins at; null on the last. */
  readonly nextFrom: number | null
}

/** Takes a page off feeds that each run in time order; all of an hour is on one page, so that pages never overlap. */
export function takePage<Item extends { readonly start: number }>(
  feeds: readonly Iterator<Item>[],
  most = MOST_SAMPLES,
): Page<Item> {
  const heads = feeds.map((feed) => ({ feed, head: feed.next(), part: [] as Item[] }))
  const parts = heads.map(({ part }) => part)
  for (let count = 0; ; ) {
    const from = Math.min(
      ...heads.map(({ head }) => (head.done ? Number.POSITIVE_INFINITY : head.value.start)),
    )
    if (from === Number.POSITIVE_INFINITY) return { parts, nextFrom: null }
    const until = (Math.floor(from / HOUR_MS) + 1) * HOUR_MS
    const hour = heads.map((at) => {
      const taken: Item[] = []
      for (; !at.head.done && at.head.value.start < until; at.head = at.feed.next()) taken.push(at.head.value)
      return taken
    })
    const size = hour.reduce((sum, taken) => sum + taken.length, 0)
    if (count > 0 && count + size > most) return { parts, nextFrom: from }
    count += size
    for (const [at, taken] of hour.entries()) parts[at]?.push(...taken)
  }
}

/** Names a place in a series that stays the same while data arrive. */
export const toCursor = (series: string, instant: number): string =>
  Buffer.from(`${series}:${instant}`).toString('base64url')

/** The instant a cursor of this series names, or undefined when it is none. */
export function fromCursor(series: string, cursor: string): number | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const match = /^([a-z0-9_]+):(-?\d{1,15})$/.exec(text)
  return match?.[1] === series && toCursor(series, Number(match[2])) === cursor ? Number(match[2]) : undefined
}
