import type { Parsed } from '../../api/schema.ts'
import { compare } from '../../kernel/compare.ts'
import { toDate } from '../../kernel/instant.ts'
import type { JsonText } from '../../kernel/json.ts'
import type { World } from '../../world/world.ts'
import { getUser } from '../users/service.ts'
import { filledDirectory, type OrderDirectory, type OrderTest, ordersIndexed } from './directory.ts'
import type { OrderQuery } from './requests.ts'
import { type OrderRow, orders } from './table.ts'

type Query = Parsed<typeof OrderQuery>

interface OrderPageAnswer {
  readonly orders: JsonText<OrderRow>[]
  readonly total: number
  readonly page: number
  readonly size: number
}

/** A page of the orders that match all filters, the last changed first by default. Source: contract/recorded-2.md §11. */
export async function listOrders(world: World, query: Query): Promise<OrderPageAnswer> {
  if (query.user_id) getUser(world, query.user_id)
  const { page, size } = query
  const descending = (query.order_direction ?? 'desc') === 'desc'
  const { total, idAt } = await find(world, query)
  const first = (page - 1) * size
  const last = Math.min(page * size, total)
  const shown: JsonText<OrderRow>[] = []
  for (let at = first; at < last; at++)
    shown.push(world.db.text(orders, idAt(descending ? total - 1 - at : at)))
  return { orders: shown, total, page, size }
}

interface Found {
  readonly total: number
  /** The id of an order that was found, counted from 0 in ascending order. */
  readonly idAt: (index: number) => string
}

async function find(world: World, query: Query): Promise<Found> {
  if (wantsAllByCreation(query) && ordersIndexed(world)) {
    const ids = world.db.ids(orders)
    return { total: ids.length, idAt: (index) => ids[index] as string }
  }
  const directory = await filledDirectory(world)
  const found = await matching(directory, query, toDate(world.clock.now()))
  return { total: found.length, idAt: (index) => directory.columns.id[found[index] as number] as string }
}

/** Whether a query lists all orders as they were created, for which nothing has to be indexed. */
const wantsAllByCreation = ({
  page: _,
  size: __,
  order_direction: ___,
  order_key,
  ...filters
}: Query): boolean => order_key === 'created_at' && Object.values(filters).every((filter) => filter == null)

/** The positions of the orders that match all filters, in ascending order. */
async function matching(directory: OrderDirectory, query: Query, today: string): Promise<readonly number[]> {
  const narrowed = narrow(directory, query)
  const candidates = narrowed ?? (await sortedBy(directory, query.order_key))
  const test = testOf(directory, query, today)
  const found = test ? candidates.filter(test) : candidates
  const { low, patientName, updatedAt } = directory.columns
  if (query.order_key === 'last_status') return sortBy(low, found)
  if (!narrowed || query.order_key === 'created_at') return found
  return query.order_key === 'patient_name' ? sortBy(patientName, found) : sortBy(updatedAt, found)
}

/** The positions of all orders, sorted by a key if the directory has it so. */
function sortedBy(
  directory: OrderDirectory,
  key: Query['order_key'],
): readonly number[] | Promise<readonly number[]> {
  switch (key) {
    case 'created_at':
    case 'last_status':
      return directory.positions
    case 'patient_name':
      return directory.byName()
    default:
      return directory.byChange()
  }
}

/** The orders selected by a user, sample or transaction of the query, in the order of creation; undefined without one. */
function narrow(directory: OrderDirectory, query: Query): readonly number[] | null | undefined {
  const { order_transaction_id: transactionId, order_ids } = query
  if (transactionId) return directory.findBy('transactionId', transactionId)
  return order_ids && [...new Set(order_ids.flatMap((id) => directory.find(id) ?? []))].sort((a, b) => a - b)
}

/** Sorts by a column that has few different values among these positions. */
function sortBy<Value extends string | number>(
  column: readonly Value[],
  positions: readonly number[],
): number[] {
  const groups = new Map<Value, number[]>()
  for (const at of positions) {
    const key = column[at] as Value
    const group = groups.get(key)
    if (group) group.push(at)
    else groups.set(key, [at])
  }
  const sorted = [...groups].sort(([a], [b]) => compare(a, b))
  return ([] as number[]).concat(...sorted.map(([, group]) => group))
}

/** Whether an order passes every filter; undefined when none is set. */
function testOf(directory: OrderDirectory, query: Query, today: string): OrderTest | undefined {
  const [first, ...others] = testsOf(directory, query, today)
  return first && others.reduce((one, other) => (at) => one(at) && other(at), first)
}

/** One test for each filter that is set. */
function testsOf(directory: OrderDirectory, query: Query, today: string): OrderTest[] {
  const { start_date, end_date, updated_start_date, updated_end_date, status, order_type: methods } = query
  const { low, method, createdAt, updatedAt, interpretation, id, activateBy } = directory.columns
  const created = (at: number) => createdAt[at] as number
  const updated = (at: number) => updatedAt[at] as number
  const ids = query.order_ids && new Set(query.order_ids)
  const isScheduled = (at: number) => (activateBy[at] ?? '') > today
  const tests: (OrderTest | false)[] = [
    query.user_id != null && directory.userTest(query.user_id),
    ids != null && ((at) => ids.has(id[at] as string)),
    start_date != null && ((at) => created(at) >= start_date),
    end_date != null && ((at) => created(at) <= end_date),
    updated_start_date != null && ((at) => updated(at) >= updated_start_date),
    updated_end_date != null && ((at) => updated(at) <= updated_end_date),
    status != null && isOneOf(low, status),
    methods != null && isOneOf(method, methods),
    query.interpretation != null && ((at) => interpretation[at] === query.interpretation),
    query.is_critical != null && ((at) => (interpretation[at] === 'critical') === query.is_critical),
    ...textTests(directory, query),
    query.order_activation_types != null &&
      ((at) => query.order_activation_types?.includes(isScheduled(at) ? 'scheduled' : 'current') === true),
  ]
  return tests.filter((test) => test !== false)
}

function isOneOf<Value>(column: readonly Value[], wanted: readonly Value[]): OrderTest {
  const values = new Set(wanted)
  return (at) => values.has(column[at] as Value)
}

function textTests(
  directory: OrderDirectory,
  { patient_name, shipping_recipient_name, search_input }: Query,
): (OrderTest | false)[] {
  const { patientName, recipientName } = directory.columns
  return [
    patient_name != null && holds(patientName, patient_name),
    shipping_recipient_name != null && holds(recipientName, shipping_recipient_name),
    search_input != null && directory.searchTest(search_input),
  ]
}

function holds(column: readonly string[], text: string): OrderTest {
  const part = text.toLowerCase()
  return (at) => (column[at] as string).includes(part)
}
