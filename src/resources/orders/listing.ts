import type { Parsed } from '../../api/schema.ts'
import { toDate } from '../../kernel/instant.ts'
import type { JsonText } from '../../kernel/json.ts'
import type { World } from '../../world/world.ts'
import { getUser } from '../users/service.ts'
import { directoryOf, type OrderEntry } from './directory.ts'
import type { OrderQuery } from './requests.ts'
import { type OrderRow, orders } from './table.ts'

type Query = Parsed<typeof OrderQuery>
type Test = (order: OrderEntry) => boolean

export interface OrderPageAnswer {
  readonly orders: JsonText<OrderRow>[]
  readonly total: number
  readonly page: number
  readonly size: number
}

/** A page of the orders that match all filters, newest first by default. Source: contract/lab-testing.md §8. */
export function listOrders(world: World, query: Query): OrderPageAnswer {
  if (query.user_id) getUser(world, query.user_id)
  const { page, size } = query
  const descending = (query.order_direction ?? 'desc') === 'desc'
  const found = matching(world, query)
  const [first, last] = [(page - 1) * size, Math.min(page * size, found.length)]
  const shown: JsonText<OrderRow>[] = []
  for (let at = first; at < last; at++) {
    const entry = found[descending ? found.length - 1 - at : at]
    if (entry) shown.push(world.db.text(orders, entry.id))
  }
  return { orders: shown, total: found.length, page, size }
}

/** The orders that match all filters, in ascending order. */
function matching(world: World, query: Query): readonly OrderEntry[] {
  const candidates = candidatesOf(world, query)
  const tests = testsOf(query, toDate(world.clock.now()))
  return tests.length === 0
    ? candidates
    : candidates.filter((order) => {
        for (const test of tests) if (!test(order)) return false
        return true
      })
}

/** The entries of the best index for the query, in the requested order. */
function candidatesOf(world: World, query: Query): readonly OrderEntry[] {
  const directory = directoryOf(world)
  const key = query.order_key ?? 'created_at'
  const ids = narrowedIds(world, query)
  const entries = ids ? ids.flatMap((id) => directory.find(id) ?? []) : directory.entries
  if (key === 'created_at') return entries
  if (key === 'last_status') return byStatus(entries)
  return ids ? [...entries].sort((a, b) => compare(a.patientName, b.patientName)) : directory.byName
}

function narrowedIds({ db }: World, query: Query): readonly string[] | undefined {
  if (query.order_transaction_id) return db.idsBy(orders, 'transactionId', query.order_transaction_id)
  if (query.user_id) return db.idsBy(orders, 'userId', query.user_id)
  return query.order_ids ?? undefined
}

function byStatus(entries: readonly OrderEntry[]): OrderEntry[] {
  const groups = new Map<string, OrderEntry[]>()
  for (const entry of entries) {
    const group = groups.get(entry.low)
    if (group) group.push(entry)
    else groups.set(entry.low, [entry])
  }
  return [...groups].sort(([a], [b]) => compare(a, b)).flatMap(([, group]) => group)
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** One predicate for each filter that is set. */
function testsOf(query: Query, today: string): Test[] {
  const { start_date, end_date, updated_start_date, updated_end_date, status, order_type: methods } = query
  const ids = query.order_ids && new Set(query.order_ids)
  const tests: (Test | false)[] = [
    query.user_id != null && ((order) => order.userId === query.user_id),
    ids != null && ((order) => ids.has(order.id)),
    start_date != null && ((order) => order.createdAt >= start_date),
    end_date != null && ((order) => order.createdAt <= end_date),
    updated_start_date != null && ((order) => order.updatedAt >= updated_start_date),
    updated_end_date != null && ((order) => order.updatedAt <= updated_end_date),
    status != null && ((order) => status.includes(order.low)),
    methods != null && ((order) => methods.includes(order.method)),
    query.interpretation != null && ((order) => order.interpretation === query.interpretation),
    query.is_critical != null && ((order) => (order.interpretation === 'critical') === query.is_critical),
    ...textTests(query),
    query.order_activation_types != null &&
      ((order) =>
        query.order_activation_types?.includes(isScheduled(order, today) ? 'scheduled' : 'current') === true),
  ]
  return tests.filter((test) => test !== false)
}

const isScheduled = ({ activateBy }: OrderEntry, today: string) => activateBy !== null && activateBy > today

function textTests({ patient_name, shipping_recipient_name, search_input }: Query): (Test | false)[] {
  const [patient, recipient] = [patient_name?.toLowerCase(), shipping_recipient_name?.toLowerCase()]
  return [
    patient != null && ((order) => order.patientName.includes(patient)),
    recipient != null && ((order) => order.recipientName.includes(recipient)),
    search_input != null && searchTest(search_input),
  ]
}

/** Whether an id, the patient's name or date of birth, or the recipient contains a text. */
export function searchTest(input: string): Test {
  const text = input.toLowerCase()
  return (order) =>
    order.id.includes(text) ||
    order.userId.includes(text) ||
    order.patientName.includes(text) ||
    order.dob.includes(text) ||
    order.recipientName.includes(text)
}
