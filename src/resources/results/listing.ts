import { pageAfter } from '../../api/pagination.ts'
import type { Parsed } from '../../api/schema.ts'
import { Slices } from '../../kernel/slices.ts'
import type { World } from '../../world/world.ts'
import { isFoundBy, orderEntries } from '../orders/directory.ts'
import { hasReport } from '../orders/lifecycle.ts'
import { currentStatusOf, lowStatusOf, type OrderRow, orders } from '../orders/table.ts'
import { collectedOf } from './report-header.ts'
import type { ResultList, ResultListQuery } from './schema.ts'

/** A page of the results of all orders that match the filters, newest order first. Source: docs/contract/results.md. */
export async function listResults(
  world: World,
  query: Parsed<typeof ResultListQuery>,
): Promise<Parsed<typeof ResultList>> {
  const { search_input, results_limit, next_cursor } = query
  const start = query.created_at_start ?? Number.NEGATIVE_INFINITY
  const end = query.created_at_end ?? Number.POSITIVE_INFINITY
  const isFound = search_input ? isFoundBy(world, search_input) : () => true
  const found: Reported[] = []
  const slices = new Slices()
  for (const entry of orderEntries(world).filter(isFound)) {
    if (slices.isOver) await slices.next()
    const { interpretation } = entry
    if (interpretation === null) continue
    const order = world.db.get(orders, entry.id)
    const createdAt = firstReportAt(order)
    if (createdAt === undefined) continue
    const at = Date.parse(createdAt)
    if (at >= start && at <= end) found.push({ order, interpretation, createdAt })
  }
  const { items, nextCursor } = pageAfter(
    found.reverse(),
    ({ order }) => order.id,
    next_cursor,
    results_limit,
  )
  return { data: items.map((each) => summarise(world, each)), next_cursor: nextCursor }
}

interface Reported {
  readonly order: OrderRow
  readonly interpretation: NonNullable<OrderRow['interpretation']>
  /** The wire instant of the order's first report. */
  readonly createdAt: string
}

const firstReportAt = ({ events }: OrderRow): string | undefined =>
  events.find((event) => hasReport(lowStatusOf(event)))?.created_at

function summarise(
  world: World,
  { order, interpretation, createdAt }: Reported,
): Parsed<typeof ResultList>['data'][number] {
  const { patient_details: patient, lab_test: test } = order
  return {
    id: world.random.uuid(`result/${order.id}`),
    user_id: order.user_id,
    interpretation,
    has_missing_results: order.has_missing_results === true,
    date_collected: collectedOf(world, order),
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
