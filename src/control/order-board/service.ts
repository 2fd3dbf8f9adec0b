import type { Parsed } from '../../api/schema.ts'
import { Problem } from '../../kernel/problem.ts'
import { topStatuses } from '../../resources/orders/lifecycle.ts'
import {
  directoryOf,
  type OrderDirectory,
  type OrderEntry,
  searchTest,
} from '../../resources/orders/service.ts'
import { orders } from '../../resources/orders/table.ts'
import type { ScenarioEngine } from '../../scenarios/engine.ts'
import { messages } from '../../webhooks/table.ts'
import type { World } from '../../world/world.ts'
import { unreadCount } from '../requests/service.ts'
import { describeOrderScenario } from '../scenarios/service.ts'
import type { BoardQuery } from './schema.ts'

type Query = Parsed<typeof BoardQuery>
type Operations = Parameters<typeof unreadCount>[2]

/** One light row for each order that passes the filters, newest first. */
export function describeBoard(world: World, engine: ScenarioEngine, query: Query, operations: Operations) {
  const directory = directoryOf(world)
  const found = directory.entries.filter(testOf(directory, query))
  const start = query.cursor ? startAfter(found, query.cursor) : found.length
  const shown = found.slice(Math.max(0, start - query.limit), start).reverse()
  return {
    data: shown.map(({ id }) => describeRow(world, engine, id)),
    total: found.length,
    next_cursor: start > query.limit ? (shown.at(-1)?.id ?? null) : null,
    counts: Object.fromEntries([...directory.counts].sort(([a], [b]) => (a < b ? -1 : 1))),
    attention: describeAttention(world, directory, operations),
  }
}

/** Where the orders older than the last one shown end. */
function startAfter(found: readonly OrderEntry[], cursor: string): number {
  const at = found.findIndex(({ id }) => id === cursor)
  if (at === -1) throw new Problem('bad_request', 'Invalid cursor')
  return at
}

function testOf(
  directory: OrderDirectory,
  { status, method, interpretation, search }: Query,
): (order: OrderEntry) => boolean {
  const tests: ((order: OrderEntry) => boolean)[] = []
  if (status) tests.push(statusTest(status))
  if (method) tests.push((order) => order.method === method)
  if (interpretation) tests.push((order) => order.interpretation === interpretation)
  if (search) {
    const [holds, sample] = [searchTest(directory, search), search.toLowerCase()]
    tests.push((order) => holds(order.position) || order.sampleId.includes(sample))
  }
  return (order) => tests.every((test) => test(order))
}

/** `completed` and `cancelled` name a phase as well as a status; then the whole phase is meant. */
function statusTest({ wanted, read }: NonNullable<Query['status']>): (order: OrderEntry) => boolean {
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
    patient: patient ? `${patient.first_name ?? ''} ${patient.last_name ?? ''}`.trim() : null,
    recipient: shipping?.receiver_name ?? null,
    lab_test: order.lab_test.name,
    method: order.details.type,
    status: last_event.status,
    interpretation: order.interpretation,
    since: last_event.created_at,
    scenario,
    next,
    next_due,
    waits_for,
  }
}

/** What somebody wants to know before anything else; all but the calls of the journal is counted when it changes. */
function describeAttention(world: World, directory: OrderDirectory, operations: Operations) {
  let [refused, unread] = [0, 0]
  for (const record of world.requests.all()) {
    if (record.status >= 400) refused++
    if (unreadCount(world, record, operations) > 0) unread++
  }
  return {
    failing_messages: world.db.countBy(messages, 'failing', 'yes'),
    refused_requests: refused,
    requests_with_unread_fields: unread,
    critical_results: directory.critical,
    waiting_for_registration: directory.unregistered,
  }
}
