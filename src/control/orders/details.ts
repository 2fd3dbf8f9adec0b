import * as z from 'zod'
import { operation } from '../../api/operation.ts'
import { instant, nullableText, schema, texts } from '../../api/schema.ts'
import { isoOrNull } from '../../kernel/instant.ts'
import { runInSlices } from '../../kernel/slices.ts'
import { appointments } from '../../resources/appointments/table.ts'
import { dotted, hasReport } from '../../resources/orders/lifecycle.ts'
import { Order } from '../../resources/orders/schema.ts'
import { getOrder, movesByHand } from '../../resources/orders/service.ts'
import { methodOf, type OrderRow, statusHistoryOf, workflowOf } from '../../resources/orders/table.ts'
import type { ScenarioEngine } from '../../scenarios/engine.ts'
import { upcomingStatuses } from '../../scenarios/run.ts'
import { findMessages } from '../../webhooks/messages.ts'
import type { Message } from '../../webhooks/table.ts'
import { requestId } from '../../world/requests.ts'
import type { World } from '../../world/world.ts'
import { AgendaItem, describeJob } from '../agenda.ts'
import { mentions } from '../requests.ts'
import { describeOrderScenario, OrderScenario } from '../scenarios.ts'
import { Explanation, explainOrder, latestFailure } from './explanation.ts'

const PlannedStatus = schema('PetriPlannedStatus', () => ({
  /** Dotted. */
  status: z.string(),
  status_detail: nullableText(),
  /** Null for a step that waits for the customer, and for all steps after it. */
  due: instant().nullable(),
  /** The action of the customer it waits for: `registration` or `appointment`. */
  waits_for: nullableText(),
}))

const OrderDocument = schema('PetriOrderDocument', () => ({
  name: z.string(),
  path: z.string(),
  /** Whether the order has reached the status that makes it available. */
  available: z.boolean(),
}))

export const OrderDetails = schema('PetriOrderLife', () => ({
  order: Order(),
  explanation: Explanation(),
  /** `registered_kit`, `registrable_kit`, or the method. */
  workflow: z.string(),
  /** The dotted statuses that a move without force can set. */
  legal: texts(),
  /** The remaining statuses of its scenario. */
  planned: z.array(PlannedStatus()),
  scenario: OrderScenario(),
  agenda: z.array(AgendaItem()),
  messages: z.object({
    total: z.int(),
    delivered: z.int(),
    pending: z.int(),
    failed: z.int(),
    /** The error of the latest attempt to deliver what is not delivered. */
    last_error: nullableText(),
  }),
  /** Recorded calls that mention the order, newest first. */
  request_ids: texts(),
  documents: z.array(OrderDocument()),
}))

export const orderDetailsOperation = (engine: ScenarioEngine) =>
  operation({
    id: 'petri_orders_get',
    route: 'GET /_petri/orders/{order_id}',
    summary:
      'Explain an order: its workflow, the legal moves, the next steps of its scenario, and what it caused',
    tool: {
      name: 'explain_order',
      description: 'Use it to find out why an order does not move, and what it waits for',
    },
    returns: OrderDetails,
    needs: 'scenarios',
    run: (world, { params }) => describeOrder(world, engine, params.order_id),
  })

/** The maximum number of calls in a response. */
const MAX_REQUESTS = 100

/** Everything about one order: its state, possible and planned moves, events and calls. */
async function describeOrder(world: World, engine: ScenarioEngine, orderId: string) {
  const messages = await runInSlices(findMessages(world, { order_id: orderId }))
  const order = getOrder(world, orderId)
  const method = methodOf(order)
  const scenario = describeOrderScenario(world, engine, orderId)
  const definition = scenario.scenario === null ? undefined : engine.find(world, scenario.scenario)
  const planned = definition ? upcomingStatuses(world, order, definition) : []
  return {
    order,
    explanation: explainOrder({ world, order, progress: scenario, messages }),
    workflow: workflowOf(order),
    legal: movesByHand(world, order).map((low) => dotted(method, low)),
    planned: planned.map(({ low, detail, due, waitsFor }) => ({
      status: dotted(method, low),
      status_detail: detail,
      due: isoOrNull(due),
      waits_for: waitsFor,
    })),
    scenario,
    agenda: agendaOf(world, orderId, messages),
    messages: countMessages(messages),
    request_ids: requestsAbout(world, orderId),
    documents: documentsOf(order),
  }
}

/** The jobs about an order, found by their subjects. */
function agendaOf(world: World, orderId: string, messages: readonly Message[]) {
  const visits = world.db.idsBy(appointments, 'order', orderId)
  const sent = messages.map(({ id }) => id)
  return [...world.agenda.all([orderId, ...visits, ...sent])]
    .sort((a, b) => a.due - b.due || a.turn - b.turn)
    .map((job) => describeJob(world, job))
}

function countMessages(messages: readonly Message[]) {
  const counts = { delivered: 0, pending: 0, failed: 0 }
  for (const { status } of messages) {
    counts[status]++
  }
  return { total: messages.length, ...counts, last_error: latestFailure(messages).error ?? null }
}

const requestsAbout = (world: World, orderId: string): string[] =>
  [...world.requests.all()]
    .filter((record) => mentions(record, orderId))
    .slice(-MAX_REQUESTS)
    .reverse()
    .map(({ ordinal }) => requestId(ordinal))

function documentsOf(order: OrderRow) {
  const history = statusHistoryOf(order)
  const isReported = history.some(hasReport)
  const about = `/v3/order/${order.id}`
  return [
    { name: 'result', path: `${about}/result/pdf`, available: isReported },
    { name: 'requisition', path: `${about}/requisition/pdf`, available: order.requisition_form_url !== null },
    { name: 'labels', path: `${about}/labels/pdf`, available: order.requisition_form_url !== null },
    { name: 'abn', path: `${about}/abn_pdf`, available: order.has_abn },
    { name: 'collection instructions', path: `${about}/collection_instruction_pdf`, available: true },
  ]
}
