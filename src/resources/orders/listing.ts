import type { Parsed } from '../../api/schema.ts'
import { toDate } from '../../kernel/instant.ts'
import type { JsonText } from '../../kernel/json.ts'
import type { World } from '../../world/world.ts'
import { getUser } from '../users/service.ts'
import { directoryOf, type OrderDirectory, type OrderEntry } from './directory.ts'
import type { OrderQuery } from './requests.ts'
import { type OrderRow, orders } from './table.ts'

type Query = Parsed<typeof OrderQuery>
/** Of the order at a position of the directory. */
type Test = (position: number) => boolean

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
  const tests = testsOf(directoryOf(world), query, toDate(world.clock.now()))
  if (tests.length === 0) return candidates
  const isAll = candidates === directoryOf(world).entries
  const found: OrderEntry[] = []
  for (let at = 0; at < candidates.length; at++) {
    const position = isAll ? at : (candidates[at]?.position as number)
    if (tests.every((test) => test(position))) found.push(candidates[at] as OrderEntry)
  }
  return found
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

/** One test for each filter that is set. */
function testsOf(directory: OrderDirectory, query: Query, today: string): Test[] {
  const { start_date, end_date, updated_start_date, updated_end_date, status, order_type: methods } = query
  const { columns, entries } = directory
  const { low, method, createdAt, updatedAt, interpretation, userId, id } = columns
  const created = (at: number) => createdAt[at] as number
  const updated = (at: number) => updatedAt[at] as number
  const ids = query.order_ids && new Set(query.order_ids)
  const tests: (Test | false)[] = [
    query.user_id != null && ((at) => userId[at] === query.user_id),
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
      ((at) =>
        query.order_activation_types?.includes(isScheduled(entries[at], today) ? 'scheduled' : 'current') ===
        true),
  ]
  return tests.filter((test) => test !== false)
}

function isOneOf<Value>(column: readonly Value[], wanted: readonly Value[]): Test {
  const values = new Set(wanted)
  return (at) => values.has(column[at] as Value)
}

const isScheduled = (order: OrderEntry | undefined, today: string) =>
  order !== undefined && order.activateBy !== null && order.activateBy > today

function textTests(
  directory: OrderDirectory,
  { patient_name, shipping_recipient_name, search_input }: Query,
): (Test | false)[] {
  const { patientName, recipientName } = directory.columns
  return [
    patient_name != null && holds(patientName, patient_name),
    shipping_recipient_name != null && holds(recipientName, shipping_recipient_name),
    search_input != null && searchTest(directory, search_input),
  ]
}

function holds(column: readonly string[], text: string): Test {
  const part = text.toLowerCase()
  return (at) => (column[at] as string).includes(part)
}

/** Whether an id, the patient's name or birthday, or the recipient has a text in it. */
export function searchTest({ columns }: OrderDirectory, input: string): Test {
  const part = input.toLowerCase()
  const { id, userId, patientName, dob, recipientName } = columns
  const has = (column: readonly string[], at: number) => (column[at] as string).includes(part)
  return (at) =>
    has(id, at) || has(userId, at) || has(patientName, at) || has(dob, at) || has(recipientName, at)
}
