import { pageAfter } from '../../api/page.ts'
import type { Parsed } from '../../api/schema.ts'
import type { World } from '../../world/world.ts'
import { orders } from '../orders/table.ts'
import type { ResultList, ResultListQuery } from './schema.ts'
import { findReport } from './service.ts'

/** A page of the reports of all orders. */
export function listReports(
  world: World,
  { results_limit, next_cursor }: Parsed<typeof ResultListQuery>,
): Parsed<typeof ResultList> {
  const ids = world.db
    .ids(orders)
    .reverse()
    .filter((id) => world.db.get(orders, id).interpretation !== null)
  const { items, nextCursor } = pageAfter(ids, (id) => id, next_cursor, results_limit)
  const data = items.flatMap((order_id) => {
    const report = findReport(world, world.db.get(orders, order_id))
    return report ? [{ order_id, ...report }] : []
  })
  return { data, next_cursor: nextCursor }
}
