import { pageInSteps } from '../../api/pagination.ts'
import type { Parsed } from '../../api/schema.ts'
import { compact } from '../../kernel/list.ts'
import { runInSlices } from '../../kernel/slices.ts'
import type { World } from '../../world/world.ts'
import { isFoundBy, type OrderEntry, orderEntries } from '../orders/directory.ts'
import { hasReport } from '../orders/lifecycle.ts'
import { currentStatusOf, lowStatusOf, type OrderRow, orders } from '../orders/table.ts'
import { collectedOf } from './report-header.ts'
import type { ResultList, ResultListQuery } from './schema.ts'

/** A page of the results of all orders that match the filters, newest order first. Source: docs/contract/results.md. */
export async function listResults(
  world: World,
  query: Parsed<typeof ResultListQuery>,
): Promise<Parsed<typeof ResultList>> {
  const { results_limit, next_cursor, ...filter } = query
  const { search_input } = filter
  const start = query.created_at_start ?? Number.NEGATIVE_INFINITY
  const end = query.created_at_end ?? Number.POSITIVE_INFINITY
  const isFound = search_input ? isFoundBy(world, search_input) : () => true
  const list = {
    of: ['results', world.identity.teamId, filter],
    rows: orderEntries(world),
    idOf: ({ id }: OrderEntry) => id,
    keyOf: ({ createdAt }: OrderEntry) => createdAt,
    isWanted(entry: OrderEntry) {
      if (entry.interpretation === null || !isFound(entry)) return false
      const at = Date.parse(findReported(world, entry)?.createdAt ?? '')
      return at >= start && at <= end
    },
    order: 'desc' as const,
  }
  const { items, nextCursor } = await runInSlices(pageInSteps(list, next_cursor, results_limit))
  const found = compact(items.map((entry) => findReported(world, entry)))
  return { data: found.map((each) => summarise(world, each)), next_cursor: nextCursor }
}

interface Reported {
  readonly order: OrderRow
  readonly interpretation: NonNullable<OrderRow['interpretation']>
  /** The wire instant of the order's first report. */
  readonly createdAt: string
}

function findReported(world: World, { id }: OrderEntry): Reported | undefined {
  const order = world.db.find(orders, id)
  const createdAt = order && firstReportAt(order)
  if (!order?.interpretation || createdAt === undefined) return undefined
  return { order, interpretation: order.interpretation, createdAt }
}

const firstReportAt = ({ events }: OrderRow): string | undefined =>
  events.find((event) => hasReport(lowStatusOf(event)))?.created_at

function summarise(
  world: World,
  { order, interpretation, createdAt }: Reported,
): Parsed<typeof ResultList>['data'][number] {
  const { patient_details: patient, lab_test: test } = order
  return {
    id: world.ids.uuid(`result/${order.id}`),
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
