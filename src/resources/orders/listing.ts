import type { Parsed } from '../../api/schema.ts'
import { toDate } from '../../kernel/instant.ts'
import type { JsonText } from '../../kernel/json.ts'
import type { World } from '../../world/world.ts'
import { getUser } from '../users/service.ts'
import { isFoundBy, type OrderEntry, orderEntries, sortedOrdinals } from './directory.ts'
import type { OrderQuery } from './requests.ts'
import { type OrderRow, orders } from './table.ts'

type Query = Parsed<typeof OrderQuery>

interface OrderPageAnswer {
  readonly orders: JsonText<OrderRow>[]
  readonly total: number
  readonly page: number
  readonly size: number
}

/** A page of the orders that match all filters, the last changed first by default. Source: docs/contract/orders.md#lists. */
export function listOrders(world: World, query: Query): OrderPageAnswer {
  if (query.user_id) getUser(world, query.user_id)
  const { page, size, order_direction: direction } = query
  const entries = orderEntries(world)
  const ordinals = sortedOrdinals(world, query.order_key ?? 'updated_at')
  const tests = testsOf(world, query)
  const first = (page - 1) * size
  const shown: OrderEntry[] = []
  let total = 0
  // Only the page is collected: a list of all that are found takes longer to allocate than to find.
  for (let nth = 0; nth < ordinals.length; nth++) {
    const ordinal = ordinals[direction === 'asc' ? nth : ordinals.length - 1 - nth] as number
    const order = entries[ordinal] as OrderEntry
    if (!tests.every((passes) => passes(order))) continue
    if (total >= first && total < first + size) shown.push(order)
    total++
  }
  return { orders: shown.map(({ id }) => world.db.text(orders, id)), total, page, size }
}

type OrderTest = (order: OrderEntry) => boolean

/** One test for each filter that is set. */
function testsOf(world: World, query: Query): OrderTest[] {
  const today = toDate(world.clock.now())
  const { user_id, order_ids, order_transaction_id, is_critical, interpretation } = query
  const { start_date, end_date, updated_start_date, updated_end_date } = query
  const { status, order_type, order_activation_types: activation } = query
  const { patient_name, shipping_recipient_name, search_input } = query
  const tests: OrderTest[] = []
  if (user_id != null) tests.push(({ userId }) => userId === user_id)
  if (order_ids != null) tests.push(isOneOf('id', order_ids))
  if (order_transaction_id != null) tests.push(({ transactionId }) => transactionId === order_transaction_id)
  if (start_date != null) tests.push(({ createdAt }) => createdAt >= start_date)
  if (end_date != null) tests.push(({ createdAt }) => createdAt <= end_date)
  if (updated_start_date != null) tests.push(({ updatedAt }) => updatedAt >= updated_start_date)
  if (updated_end_date != null) tests.push(({ updatedAt }) => updatedAt <= updated_end_date)
  if (status != null) tests.push(isOneOf('low', status))
  if (order_type != null) tests.push(isOneOf('method', order_type))
  if (interpretation != null) tests.push((order) => order.interpretation === interpretation)
  if (is_critical != null) tests.push((order) => (order.interpretation === 'critical') === is_critical)
  if (patient_name != null) tests.push(contains('patientName', patient_name))
  if (shipping_recipient_name != null) tests.push(contains('recipientName', shipping_recipient_name))
  if (search_input != null) tests.push(isFoundBy(world, search_input))
  if (activation != null)
    tests.push(({ activateBy }) => activation.includes((activateBy ?? '') > today ? 'scheduled' : 'current'))
  return tests
}

function isOneOf<Field extends 'id' | 'low' | 'method'>(
  field: Field,
  wanted: readonly OrderEntry[Field][],
): OrderTest {
  const values = new Set(wanted)
  return (order) => values.has(order[field])
}

function contains(field: 'patientName' | 'recipientName', text: string): OrderTest {
  const part = text.toLowerCase()
  return (order) => order[field].includes(part)
}
