import { pageAfter } from '../../api/pagination.ts'
import type { Parsed } from '../../api/schema.ts'
import { compact } from '../../kernel/list.ts'
import { Slices } from '../../kernel/slices.ts'
import type { World } from '../../world/world.ts'
import { isFoundBy, orderEntries } from '../orders/directory.ts'
import { hasReport } from '../orders/lifecycle.ts'
import { currentStatusOf, lowStatusOf, type OrderRow, orders } from '../orders/table.ts'
import { editionOf } from './plan.ts'
import { metadataOf } from './report-header.ts'
import type { ResultList, ResultListQuery } from './schema.ts'

/** A page of the results of all orders that match the filters, newest order first. Source: docs/contract/results.md. */
export async function listResults(
  world: World,
  query: Parsed<typeof ResultListQuery>,
): Promise<Parsed<typeof ResultList>> {
  const { search_input, created_at_start: start, created_at_end: end, results_limit, next_cursor } = query
  const isFound = search_input ? isFoundBy(world, search_input) : () => true
  const found: OrderRow[] = []
  const slices = new Slices()
  for (const entry of orderEntries(world).filter(isFound)) {
    if (slices.isOver) await slices.next()
    if (entry.interpretation === null) continue
    const order = world.db.get(orders, entry.id)
    const createdAt = firstReportAt(order)
    if (createdAt === undefined) continue
    if (start != null && Date.parse(createdAt) < start) continue
    if (end != null && Date.parse(createdAt) > end) continue
    found.push(order)
  }
  const { items, nextCursor } = pageAfter(found.reverse(), ({ id }) => id, next_cursor, results_limit)
  return { data: compact(items.map((order) => summarise(world, order))), next_cursor: nextCursor }
}

/** The wire instant of an order's first report. */
const firstReportAt = ({ events }: OrderRow): string | undefined =>
  events.find((event) => hasReport(lowStatusOf(event)))?.created_at

function summarise(world: World, order: OrderRow): Parsed<typeof ResultList>['data'][number] | undefined {
  const edition = editionOf(order)
  const createdAt = firstReportAt(order)
  if (!edition || createdAt === undefined) return undefined
  const { patient_details: patient, lab_test: test } = order
  return {
    id: world.random.uuid(`result/${order.id}`),
    user_id: order.user_id,
    interpretation: order.interpretation ?? 'normal',
    has_missing_results: order.has_missing_results ?? false,
    date_collected: metadataOf(world, order, edition).date_collected,
    created_at: createdAt,
    order: {
      id: order.id,
      last_status: currentStatusOf(order),
      last_status_timestamp: order.last_event.created_at,
    },
    patient_details: {
      first_name: patient?.first_name ?? null,
      last_name: patient?.last_name ?? null,
      email: patient?.email ?? null,
    },
    lab: test.lab && { id: test.lab.id, name: test.lab.name, slug: test.lab.slug },
    lab_test: { id: test.id, name: test.name, method: test.method },
  }
}
