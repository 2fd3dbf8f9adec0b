import * as z from 'zod'
import { text } from '../api/fields.ts'
import { asFile, operation } from '../api/operation.ts'
import { inScenarioTime } from '../api/scenario-times.ts'
import { nullableText, type Parsed, schema, texts } from '../api/schema.ts'
import { isoOrNull } from '../kernel/instant.ts'
import { badRequest, conflict, type Problem } from '../kernel/problem.ts'
import { type AppointmentRow, appointments } from '../resources/appointments/table.ts'
import { dotted, legalMoves, readStatus } from '../resources/orders/lifecycle.ts'
import { getOrder } from '../resources/orders/service.ts'
import { methodOf, type OrderRow, statusHistoryOf, workflowOf } from '../resources/orders/table.ts'
import { getUser } from '../resources/users/service.ts'
import type { ScenarioEngine } from '../scenarios/engine.ts'
import type { Scenario } from '../scenarios/file.ts'
import { RecordReader } from '../scenarios/incidents/record.ts'
import { findEntryStep, STEP, whyMisfit } from '../scenarios/run.ts'
import { orderScenarios, userScenarios } from '../scenarios/table.ts'
import type { World } from '../world/world.ts'

const OrderScenarioInput = schema('OrderScenarioInput', () =>
  z.strictObject({ scenario: text(), from: text().optional() }),
)

export const OrderScenario = schema('OrderScenario', () => ({
  order_id: z.guid(),
  scenario: nullableText(),
  /** The next status; null if there is none. */
  next: nullableText(),
  next_due: nullableText(),
  waits_for: nullableText(),
  /** Why the order left its scenario, and what was dropped: its remaining statuses, and steps that could not be done. */
  left_because: nullableText(),
  dropped: texts(),
  /** Why the scenario does not move the order at all, or which of its results the order cannot have. */
  warning: nullableText(),
}))

const OrderHistory = schema('OrderHistory', () => ({
  /** The order first. */
  data: z.array(z.looseObject({ id: z.guid() })),
}))

const UserScenarioInput = schema('UserScenarioInput', () => z.strictObject({ scenario: text().nullable() }))
const UserScenario = schema('UserScenario', () => ({ user_id: z.guid(), scenario: nullableText() }))

/** Which scenario orders follow. */
export const assignedScenarioOperations = (engine: ScenarioEngine) => [
  operation({
    id: 'petri_orders_scenario_get',
    route: 'GET /_petri/orders/{order_id}/scenario',
    summary: 'Show the progress of an order in its scenario',
    returns: OrderScenario,
    needs: 'scenarios',
    run: (world, { params }) => describeOrderScenario(world, engine, params.order_id),
  }),
  operation({
    id: 'petri_orders_scenario_file',
    route: 'GET /_petri/orders/{order_id}/scenario.yaml',
    summary: 'Write a scenario that repeats what has happened to an order',
    produces: 'application/yaml',
    async run(world, { params: { order_id } }) {
      const reader = new RecordReader()
      reader.add(recordOf(world, order_id))
      const { writeScenario } = await import('../scenarios/incidents/scenario-text.ts')
      const { source } = writeScenario(reader.finish(), `order-${order_id.slice(0, 8)}`)
      return asFile(Buffer.from(source), 'application/yaml')
    },
  }),
  operation({
    id: 'petri_orders_record',
    route: 'GET /_petri/orders/{order_id}/record',
    summary: 'Show an order and its appointments with the times of their events in scenario time',
    returns: OrderHistory,
    run: (world, { params }) => ({ data: recordOf(world, params.order_id) }),
  }),
  operation({
    id: 'petri_orders_scenario_put',
    route: 'PUT /_petri/orders/{order_id}/scenario',
    summary: 'Assign another scenario to an order, from its current status or from a status of the scenario',
    tool: { name: 'set_order_scenario' },
    body: OrderScenarioInput,
    returns: OrderScenario,
    needs: 'scenarios',
    run(world, { params: { order_id }, body }) {
      assignScenario(world, engine, getOrder(world, order_id), body)
      return describeOrderScenario(world, engine, order_id)
    },
  }),
  operation({
    id: 'petri_users_scenario_put',
    route: 'PUT /_petri/users/{user_id}/scenario',
    summary: "Set the scenario of a user's orders; null for the world's",
    body: UserScenarioInput,
    returns: UserScenario,
    needs: 'scenarios',
    run(world, { params, body: { scenario } }) {
      const { user_id } = getUser(world, params.user_id)
      if (scenario === null) world.db.delete(userScenarios, user_id)
      else world.db.put(userScenarios, { user_id, scenario: engine.get(world, scenario).name })
      return { user_id, scenario }
    },
  }),
]

/** An order and its appointments, in wire format except for the instants of their events. */
const recordOf = (world: World, orderId: string) =>
  inScenarioTime<OrderRow | AppointmentRow>(world, [
    getOrder(world, orderId),
    ...world.db.by(appointments, 'order', orderId),
  ])

export function describeOrderScenario(world: World, engine: ScenarioEngine, orderId: string) {
  const order = getOrder(world, orderId)
  const row = world.db.find(orderScenarios, orderId)
  const scenario = row && !row.left ? engine.find(world, row.scenario) : undefined
  const step = scenario?.steps[row?.next ?? 0]
  return {
    order_id: orderId,
    scenario: row?.scenario ?? null,
    next: step?.kind === 'move' ? dotted(methodOf(order), step.step.to) : null,
    next_due: isoOrNull(world.agenda.find(STEP, orderId)?.due),
    waits_for: row?.waits ?? null,
    left_because: row?.left?.because ?? null,
    dropped: [...(row?.dropped ?? []), ...(row?.left?.dropped ?? [])],
    warning: (scenario && whyMisfit(world, order, scenario)) ?? null,
  }
}

function assignScenario(
  world: World,
  engine: ScenarioEngine,
  order: OrderRow,
  { scenario: name, from }: Parsed<typeof OrderScenarioInput>,
): void {
  const scenario = engine.get(world, name, methodOf(order))
  const read = from === undefined ? undefined : readStatus(from)
  if (from !== undefined && !read) throw badRequest(`"${from}" is not a status of an order.`)
  if (read?.method && read.method !== methodOf(order)) {
    throw badRequest(`"${from}" is not a status of ${methodOf(order)}.`)
  }
  const at = findEntryStep(order, scenario, read?.low)
  if (at === undefined) throw unreachable(order, scenario)
  continueWith(world, engine, order, { name, at })
}

/** Puts an order into a scenario, from one of its steps on. */
export function continueWith(
  world: World,
  engine: ScenarioEngine,
  { id }: OrderRow,
  { name, at }: { readonly name: string; readonly at: number },
): void {
  world.services.scenarios.leave(world, id, `the order was put into ${name}`)
  world.agenda.cancel(STEP, id)
  engine.begin(world, id, name, at)
}

function unreachable(order: OrderRow, scenario: Scenario): Problem {
  const legal = legalMoves(workflowOf(order), statusHistoryOf(order)).map((low) =>
    dotted(methodOf(order), low),
  )
  const detail = `The order is ${order.last_event.status}, from where ${scenario.name} cannot be taken up.`
  return conflict(detail, { also: { legal } })
}

/** Throws if orders follow a scenario by default. */
export function assertScenarioNotInUse(world: World, name: string): void {
  if (world.settings().scenario === name) {
    throw conflict(`Orders of this world follow "${name}" by default; choose another first.`)
  }
  for (const { user_id, scenario } of world.db.all(userScenarios)) {
    if (scenario === name) {
      throw conflict(`Orders of user ${user_id} follow "${name}"; choose another first.`)
    }
  }
}
