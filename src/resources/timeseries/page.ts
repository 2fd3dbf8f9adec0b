/** The most samples a page has, unless so many are of one instant. Source: contract/wearables.md §8.1. */
export const MOST_SAMPLES = 10_000

export interface Page<Item> {
  /** For each of the feeds, what the page has of it. */
  readonly parts: readonly (readonly Item[])[]
  /** The instant the next page begins at; null on the last. */
  readonly nextFrom: number | null
}

/** Takes a page off feeds that each run in time order; all of an instant is on one page, so that pages never overlap. */
export function takePage<Item extends { readonly start: number }>(
  feeds: readonly Iterator<Item>[],
  most = MOST_SAMPLES,
): Page<Item> {
  const heads = feeds.map((feed) => ({ feed, head: feed.next(), part: [] as Item[] }))
  const parts = heads.map(({ part }) => part)
  let last = Number.NEGATIVE_INFINITY
  for (let count = 0; ; count++) {
    let earliest: (typeof heads)[number] | undefined
    let from = Number.POSITIVE_INFINITY
    for (const at of heads) {
      if (at.head.done || at.head.value.start >= from) continue
      from = at.head.value.start
      earliest = at
    }
    if (!earliest) return { parts, nextFrom: null }
    if (count >= most && from > last) return { parts, nextFrom: from }
    last = from
    earliest.part.push(earliest.head.value as Item)
    earliest.head = earliest.feed.next()
  }
}

/** Names a place in a series that stays the same while data arrive. */
export const toCursor = (series: string, instant: number): string =>
  Buffer.from(`${series}:${instant}`).toString('base64url')

/** The instant a cursor of this series names, or undefined when it is none. */
export function fromCursor(series: string, cursor: string): number | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const match = /^([a-z0-9_]+):(-?\d{1,15}(?:\.\d{1,6})?)$/.exec(text)
  return match?.[1] === series && toCursor(series, Number(match[2])) === cursor ? Number(match[2]) : undefined
}
