import * as z from 'zod'
import { field, maybe, oneOf, text } from '../../api/fields.ts'
import { valueError } from '../../api/issue.ts'
import { type AnyOperation, operation } from '../../api/operation.ts'
import { pageAfter, pageQuery } from '../../api/pagination.ts'
import { instant, nullableText, type Parsed, schema, unnamed } from '../../api/schema.ts'
import { sortedFields } from '../../kernel/fields.ts'
import { countsOf } from '../../kernel/list.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import { hasWords } from '../../kernel/words.ts'
import { collectionMethods } from '../../resources/catalogue/schema.ts'
import { type OrderEntry, orderEntries } from '../../resources/orders/directory.ts'
import { readStatus, statusSpellings, topStatuses } from '../../resources/orders/lifecycle.ts'
import { orders } from '../../resources/orders/table.ts'
import { users } from '../../resources/users/table.ts'
import type { ScenarioEngine } from '../../scenarios/engine.ts'
import { orderScenarios } from '../../scenarios/table.ts'
import { messages } from '../../webhooks/table.ts'
import type { World } from '../../world/world.ts'
import { ignoredCount } from '../requests.ts'
import { describeOrderScenario } from '../scenarios.ts'
import { fullName } from '../users.ts'

const BoardRow = schema('PetriBoardRow', () => ({
  id: z.uuid(),
  user_id: z.guid(),
  /** Null until a kit is registered. */
  patient: nullableText(),
  /** The name a kit was sent to. */
  recipient: nullableText(),
  lab_test: z.string(),
  method: z.string(),
  /** Dotted. */
  status: z.string(),
  has_missing_results: z.boolean(),
  interpretation: nullableText(),
  /** When it got this status. */
  since: instant(),
  scenario: nullableText(),
  /** The next status; null if there is none. */
  next: nullableText(),
  next_due: nullableText(),
  waits_for: nullableText(),
}))

const Attention = schema('PetriAttention', () => ({
  /** Messages whose latest attempt failed, whether or not a retry follows. */
  failing_messages: z.int(),
  /** Recorded calls that got a 4xx or 5xx. */
  refused_requests: z.int(),
  /** Recorded calls with ignored fields. */
  requests_with_ignored_fields: z.int(),
  critical_results: z.int(),
  /** Kits with the customer that nobody has registered. */
  waiting_for_registration: z.int(),
}))

export const Board = schema('PetriBoard', () => ({
  data: z.array(BoardRow()),
  /** The number of orders that match the filters. */
  total: z.int(),
  next_cursor: nullableText(),
  /** The number of orders with each dotted status that match the other filters. */
  counts: z.record(z.string(), z.int()),
  attention: Attention(),
}))

/** Low-level, dotted, or the first part of a dotted status. */
const anyStatus = () =>
  field({ type: 'string', examples: ['failed', 'lost', 'failed.testkit.lost'] }, (input) => {
    const wanted = typeof input === 'string' ? input : ''
    const read = readStatus(wanted)
    if (read || topStatuses.some((top) => top === wanted)) return { wanted, read }
    const hint = didYouMean(wanted, [...topStatuses, ...statusSpellings()])
    return valueError(`"${wanted}" is not a status of an order.${hint}`)
  })

const BoardQuery = unnamed(() => ({
  status: maybe(anyStatus()),
  method: maybe(oneOf(collectionMethods)),
  interpretation: maybe(text()),
  search: maybe(text()).describe(
    'Words in any order, parts of an id, a name, the test, the status, the scenario, a sample or a tracking number.',
  ),
  ...pageQuery(),
}))

export const orderBoardOperation = (engine: ScenarioEngine, mirrored: readonly AnyOperation[]) =>
  operation({
    id: 'petri_orders_list',
    route: 'GET /_petri/orders',
    summary:
      'List the orders in short, newest first, with what comes next; counts by status; what needs attention',
    tool: { name: 'list_orders', defaults: { limit: 20 } },
    query: BoardQuery,
    returns: Board,
    needs: 'scenarios',
    run: (world, { query }) => describeBoard(world, engine, query, mirrored),
  })

/** A short row for each order that matches the filters, newest first. */
function describeBoard(
  world: World,
  engine: ScenarioEngine,
  query: Parsed<typeof BoardQuery>,
  operations: readonly AnyOperation[],
) {
  const all = orderEntries(world)
  const { limit, cursor, ...filter } = query
  const { status, ...others } = filter
  const found = all.filter(testOf(world, others))
  const wanted = new Set(status ? found.filter(statusTest(status)) : found)
  const { items, nextCursor } = pageAfter(
    {
      of: ['orders', world.identity.teamId, filter],
      rows: all,
      idOf: ({ id }) => id,
      keyOf: ({ createdAt }) => createdAt,
      isWanted: (entry) => wanted.has(entry),
      order: 'desc',
    },
    cursor,
    limit,
  )
  return {
    data: items.map(({ id }) => describeRow(world, engine, id)),
    total: wanted.size,
    next_cursor: nextCursor,
    counts: countByStatus(found),
    attention: describeAttention(world, all, operations),
  }
}

const countByStatus = (all: readonly OrderEntry[]): Record<string, number> =>
  sortedFields(countsOf(all.map(({ status }) => status)))

type OrderTest = (order: OrderEntry) => boolean

function testOf(
  world: World,
  { method, interpretation, search }: Pick<Parsed<typeof BoardQuery>, 'method' | 'interpretation' | 'search'>,
): OrderTest {
  const tests: OrderTest[] = []
  if (method) tests.push((order) => order.method === method)
  if (interpretation) tests.push((order) => order.interpretation === interpretation)
  if (search) tests.push(searchTest(world, search))
  return (order) => tests.every((passes) => passes(order))
}

function searchTest(world: World, search: string): OrderTest {
  const isFound = hasWords(search)
  const clientUserIds = new Map(world.db.values(users, 'clientUserId'))
  return ({ id, userId, searched, labTest, method, status, sampleId, parcels }) => {
    const scenario = world.db.find(orderScenarios, id)?.scenario
    const texts = [searched, clientUserIds.get(userId), labTest, method, status, scenario, sampleId, parcels]
    return isFound(texts.join('\n'))
  }
}

/** A filter by status or phase. `completed` and `cancelled` name both, and select the phase. */
function statusTest({ wanted, read }: NonNullable<Parsed<typeof BoardQuery>['status']>): OrderTest {
  const isPhase = topStatuses.some((phase) => phase === wanted)
  if (isPhase || !read) return ({ status }) => status.startsWith(`${wanted}.`)
  return ({ low, method }) => low === read.low && (read.method === undefined || read.method === method)
}

function describeRow(world: World, engine: ScenarioEngine, id: string) {
  const order = world.db.get(orders, id)
  const { scenario, next, next_due, waits_for } = describeOrderScenario(world, engine, id)
  const { patient_details: patient, shipping_details: shipping, last_event } = order
  return {
    id,
    user_id: order.user_id,
    patient: patient ? fullName(patient) : null,
    recipient: shipping?.receiver_name ?? null,
    lab_test: order.lab_test.name,
    method: order.details.type,
    status: last_event.status,
    has_missing_results: order.has_missing_results === true,
    interpretation: order.interpretation,
    since: last_event.created_at,
    scenario,
    next,
    next_due,
    waits_for,
  }
}

/** A kit that is with the customer and not registered. */
const awaitsRegistration = ({ low, method, patientName }: OrderEntry) =>
  low === 'with_customer' && method === 'testkit' && patientName === ''

function describeAttention(world: World, all: readonly OrderEntry[], operations: readonly AnyOperation[]) {
  let refused = 0
  let ignored = 0
  for (const record of world.requests.all()) {
    if (record.status >= 400) refused++
    if (ignoredCount(world, record, operations) > 0) ignored++
  }
  return {
    failing_messages: world.db.idsBy(messages, 'failing', 'yes').length,
    refused_requests: refused,
    requests_with_ignored_fields: ignored,
    critical_results: all.filter(({ interpretation }) => interpretation === 'critical').length,
    waiting_for_registration: all.filter(awaitsRegistration).length,
  }
}
