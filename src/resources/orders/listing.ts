import type { Parsed } from '../../api/schema.ts'
import { toDate } from '../../kernel/instant.ts'
import type { JsonText } from '../../kernel/json.ts'
import type { World } from '../../world/world.ts'
import { getUser } from '../users/service.ts'
import { currentStatusOf } from './apply-step.ts'
import type { OrderQuery } from './requests.ts'
import { type OrderRow, orders } from './table.ts'

type Query = Parsed<typeof OrderQuery>
type Test = (order: OrderRow) => boolean

export interface OrderPageAnswer {
  readonly orders: JsonText<OrderRow>[]
  readonly total: number
  readonly page: number
  readonly size: number
}

/** A page of the orders that pass every filter, newest first unless said. Source: contract/lab-testing.md §8. */
export function listOrders(world: World, query: Query): OrderPageAnswer {
  if (query.user_id) getUser(world, query.user_id)
  const { page, size } = query
  const ids = matchingIds(world, query)
  const shown = ids.slice((page - 1) * size, page * size)
  return { orders: shown.map((id) => world.db.text(orders, id)), total: ids.length, page, size }
}

function matchingIds(world: World, query: Query): string[] {
  const candidates = candidateIds(world, query)
  const tests = testsOf(query, toDate(world.clock.now()))
  const descending = (query.order_direction ?? 'desc') === 'desc'
  const key = query.order_key ?? 'created_at'
  if (tests.length === 0 && key === 'created_at') return descending ? candidates.reverse() : candidates
  const found = candidates
    .map((id) => world.db.get(orders, id))
    .filter((order) => tests.every((test) => test(order)))
  const sorted =
    key === 'created_at' ? found : found.sort((a, b) => compare(sortKeys[key](a), sortKeys[key](b)))
  return (descending ? sorted.reverse() : sorted).map((order) => order.id)
}

/** The narrowest look-up the query allows, in order of creation. */
function candidateIds(world: World, query: Query): string[] {
  if (query.order_transaction_id) return world.db.idsBy(orders, 'transactionId', query.order_transaction_id)
  if (query.user_id) return world.db.idsBy(orders, 'userId', query.user_id)
  if (query.order_ids) return query.order_ids.filter((id) => world.db.has(orders, id))
  return world.db.ids(orders)
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const patientName = ({ patient_details: patient }: OrderRow) =>
  patient ? `${patient.first_name} ${patient.last_name}` : ''

const sortKeys = {
  patient_name: (order: OrderRow) => patientName(order).toLowerCase(),
  last_status: (order: OrderRow) => currentStatusOf(order) as string,
}

const holds = (text: string | null | undefined, part: string) =>
  (text ?? '').toLowerCase().includes(part.toLowerCase())

const at = (wire: string) => Date.parse(wire)

/** One test for each filter that is set. */
function testsOf(query: Query, today: string): Test[] {
  const { start_date, end_date, updated_start_date, updated_end_date, status, order_type: methods } = query
  const tests: (Test | false)[] = [
    query.user_id != null && ((order) => order.user_id === query.user_id),
    query.order_ids != null && ((order) => query.order_ids?.includes(order.id) === true),
    start_date != null && ((order) => at(order.created_at) >= start_date),
    end_date != null && ((order) => at(order.created_at) <= end_date),
    updated_start_date != null && ((order) => at(order.updated_at) >= updated_start_date),
    updated_end_date != null && ((order) => at(order.updated_at) <= updated_end_date),
    status != null && ((order) => status.includes(currentStatusOf(order))),
    methods != null && ((order) => methods.includes(order.details.type)),
    query.interpretation != null && ((order) => order.interpretation === query.interpretation),
    query.is_critical != null && ((order) => (order.interpretation === 'critical') === query.is_critical),
    ...textTests(query),
    query.order_activation_types != null &&
      ((order) =>
        query.order_activation_types?.includes(isScheduled(order, today) ? 'scheduled' : 'current') === true),
  ]
  return tests.filter((test) => test !== false)
}

const isScheduled = (order: OrderRow, today: string) =>
  order.activate_by !== null && order.activate_by > today

const textTests = ({ patient_name, shipping_recipient_name, search_input }: Query): (Test | false)[] => [
  patient_name != null && ((order) => holds(patientName(order), patient_name)),
  shipping_recipient_name != null &&
    ((order) => holds(order.shipping_details?.receiver_name, shipping_recipient_name)),
  search_input != null &&
    ((order) =>
      [
        order.id,
        order.user_id,
        patientName(order),
        order.patient_details?.dob,
        order.shipping_details?.receiver_name,
      ].some((text) => holds(text, search_input))),
]
