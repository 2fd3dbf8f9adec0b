import type { Parsed } from '../../api/schema.ts'
import { Problem } from '../../kernel/problem.ts'
import { filledDirectory, type OrderDirectory, type OrderTest } from '../../resources/orders/directory.ts'
import { topStatuses } from '../../resources/orders/lifecycle.ts'
import { orders } from '../../resources/orders/table.ts'
import type { ScenarioEngine } from '../../scenarios/engine.ts'
import { messages } from '../../webhooks/table.ts'
import type { World } from '../../world/world.ts'
import { unreadCount } from '../requests/service.ts'
import { describeOrderScenario } from '../scenarios/service.ts'
import type { BoardQuery } from './schema.ts'

type Query = Parsed<typeof BoardQuery>
type Operations = Parameters<typeof unreadCount>[2]

/** A short row for each order that matches the filters, newest first. */
export async function describeBoard(
  world: World,
  engine: ScenarioEngine,
  query: Query,
  operations: Operations,
) {
  const directory = await filledDirectory(world)
  const found = directory.positions.filter(testOf(directory, query))
  const start = query.cursor ? startAfter(found, directory.find(query.cursor)) : found.length
  const shown = found.slice(Math.max(0, start - query.limit), start).reverse()
  const ids = shown.map((at) => directory.columns.id[at] as string)
  return {
    data: ids.map((id) => describeRow(world, engine, id)),
    total: found.length,
    next_cursor: start > query.limit ? (ids.at(-1) ?? null) : null,
    counts: Object.fromEntries([...directory.counts].sort(([a], [b]) => (a < b ? -1 : 1))),
    attention: describeAttention(world, directory, operations),
  }
}

/** The index of the order the cursor names; the page holds the orders before it. */
function startAfter(found: readonly number[], cursor: number | undefined): number {
  const at = cursor === undefined ? -1 : found.indexOf(cursor)
  if (at === -1) throw new Problem('bad_request', 'Invalid cursor')
  return at
}

function testOf(directory: OrderDirectory, query: Query): OrderTest {
  const { method: methods, interpretation: interpretations, sampleId, parcels } = directory.columns
  const { status, method, interpretation, search } = query
  const tests: OrderTest[] = []
  if (status) tests.push(statusTest(directory, status))
  if (method) tests.push((at) => methods[at] === method)
  if (interpretation) tests.push((at) => interpretations[at] === interpretation)
  if (search) {
    const [holds, label] = [directory.searchTest(search), search.toUpperCase()]
    const isOn = (text: string | undefined) => text?.toUpperCase().includes(label) === true
    tests.push((at) => holds(at) || isOn(sampleId[at]) || isOn(parcels[at]))
  }
  return (at) => tests.every((test) => test(at))
}

/** A filter by status or phase. `completed` and `cancelled` name both, and select the phase. */
function statusTest({ columns }: OrderDirectory, { wanted, read }: NonNullable<Query['status']>): OrderTest {
  const { status, low, method } = columns
  const isPhase = topStatuses.some((phase) => phase === wanted)
  if (isPhase || !read) return (at) => (status[at] as string).startsWith(`${wanted}.`)
  return (at) => low[at] === read.low && (read.method === undefined || read.method === method[at])
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

/** What needs attention. Recorded calls are counted here, everything else when it changes. */
function describeAttention(world: World, directory: OrderDirectory, operations: Operations) {
  let [refused, unread] = [0, 0]
  for (const record of world.requests.all()) {
    if (record.status >= 400) refused++
    if (unreadCount(world, record, operations) > 0) unread++
  }
  return {
    failing_messages: world.db.idsBy(messages, 'failing', 'yes').length,
    refused_requests: refused,
    requests_with_unread_fields: unread,
    critical_results: directory.critical,
    waiting_for_registration: directory.unregistered,
  }
}
