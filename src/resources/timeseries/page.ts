import { Slices } from '../../kernel/slices.ts'

/** The most samples a page has, unless so many are of one instant. Source: contract/wearables.md §8.1. */
export const MAX_SAMPLES = 10_000

export interface Page<Item> {
  /** For each of the feeds, what the page has of it. */
  readonly parts: readonly (readonly Item[])[]
  /** The instant the next page begins at; null on the last. */
  readonly nextFrom: number | null
}

/** Takes a page off feeds that each run in time order; all of an instant is on one page, so that pages never overlap. */
export async function takePage<Item extends { readonly start: number }>(
  feeds: readonly Iterator<Item>[],
  most = MAX_SAMPLES,
): Promise<Page<Item>> {
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

/** Items of feeds that each run in time order, as one, with the feed's position; of the same instant, the earlier feed comes first. */
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

/** A cursor that stays valid while data arrive. */
export const toCursor = (series: string, instant: number): string =>
  Buffer.from(`${series}:${instant}`).toString('base64url')

/** The instant a cursor of this series names, or undefined when it is none. */
export function fromCursor(series: string, cursor: string): number | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const match = /^([a-z0-9_]+):(-?\d{1,15}(?:\.\d{1,6})?)$/.exec(text)
  return match?.[1] === series && toCursor(series, Number(match[2])) === cursor ? Number(match[2]) : undefined
}
