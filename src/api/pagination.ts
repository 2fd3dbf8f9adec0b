import * as z from 'zod'
import { Problem } from '../kernel/problem.ts'

/** The response of a paginated list. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), next_cursor: z.string().nullable() })

interface Page<Item> {
  readonly items: readonly Item[]
  /** Null on the last page. */
  readonly nextCursor: string | null
}

/** A page of a list in a fixed order; the cursor is the last item, so that added items do not shift the pages. */
export function pageAfter<Item>(
  all: readonly Item[],
  keyOf: (item: Item) => string,
  cursor: string | null | undefined,
  size: number,
): Page<Item> {
  const start = cursor ? placeOf(all, keyOf, cursor) + 1 : 0
  const items = all.slice(start, start + size)
  const last = items.at(-1)
  const isMore = last !== undefined && start + size < all.length
  return { items, nextCursor: isMore ? Buffer.from(keyOf(last)).toString('base64url') : null }
}

function placeOf<Item>(all: readonly Item[], keyOf: (item: Item) => string, cursor: string): number {
  const key = Buffer.from(cursor, 'base64url').toString()
  const at = all.findIndex((item) => keyOf(item) === key)
  if (at === -1) throw new Problem('bad_request', 'Invalid cursor')
  return at
}
