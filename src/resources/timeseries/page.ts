import { Slices } from '../../kernel/slices.ts'

/** Samples on a page; more only if they have the same instant. Source: contract/wearables.md §8.1. */
export const MAX_SAMPLES = 10_000

export interface Page<Item> {
  /** The page's items, by feed. */
  readonly parts: readonly (readonly Item[])[]
  /** The first instant of the next page; null on the last. */
  readonly nextFrom: number | null
}

/** Takes a page from feeds in time order. All items of an instant are on the same page, so that pages never overlap. */
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

/** A cursor that stays valid when new data arrive. */
export const toCursor = (series: string, instant: number): string =>
  Buffer.from(`${series}:${instant}`).toString('base64url')

/** The instant of a cursor; undefined when it is not one of this series. */
export function fromCursor(series: string, cursor: string): number | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const match = /^([a-z0-9_]+):(-?\d{1,15}(?:\.\d{1,6})?)$/.exec(text)
  return match?.[1] === series && toCursor(series, Number(match[2])) === cursor ? Number(match[2]) : undefined
}
