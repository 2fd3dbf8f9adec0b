import { pageAfter } from '../../api/pagination.ts'
import type { Parsed } from '../../api/schema.ts'
import type { World } from '../../world/world.ts'
import { filledDirectory } from '../orders/directory.ts'
import { orders } from '../orders/table.ts'
import type { ResultList, ResultListQuery } from './schema.ts'
import { findReport } from './service.ts'

/** A page of the reports of all orders. */
export async function listReports(
  world: World,
  { results_limit, next_cursor }: Parsed<typeof ResultListQuery>,
): Promise<Parsed<typeof ResultList>> {
  const { positions, columns } = await filledDirectory(world)
  const ids = positions
    .filter((at) => columns.interpretation[at] !== null)
    .map((at) => columns.id[at] as string)
    .reverse()
  const { items, nextCursor } = pageAfter(ids, (id) => id, next_cursor, results_limit)
  const data = items.flatMap((order_id) => {
    const report = findReport(world, world.db.get(orders, order_id))
    return report ? [{ order_id, ...report }] : []
  })
  return { data, next_cursor: nextCursor }
}
