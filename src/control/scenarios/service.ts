import { toIso } from '../../kernel/instant.ts'
import { Problem } from '../../kernel/problem.ts'
import { dotted, legalMoves, readStatus, workflowsOf } from '../../resources/orders/lifecycle.ts'
import { getOrder } from '../../resources/orders/service.ts'
import { methodOf, type OrderRow, statusHistoryOf, workflowOf } from '../../resources/orders/table.ts'
import { plannedHistory } from '../../scenarios/check.ts'
import type { ScenarioEngine } from '../../scenarios/engine.ts'
import type { Scenario } from '../../scenarios/file.ts'
import { findEntryStep, STEP } from '../../scenarios/run.ts'
import { orderScenarios } from '../../scenarios/table.ts'
import type { World } from '../../world/world.ts'

export const summarise = (
  world: World,
  engine: ScenarioEngine,
  { name, summary, method, zip }: Scenario,
) => ({
  name,
  summary,
  method,
  zip: zip ?? null,
  uploaded: engine.isUploaded(world, name),
})

export const view = (world: World, engine: ScenarioEngine, scenario: Scenario) => ({
  ...summarise(world, engine, scenario),
  trails: trailsOf(scenario),
  source: scenario.source,
})

/** The statuses an order gets from a scenario, by workflow. */
export const trailsOf = (scenario: Scenario) =>
  Object.fromEntries(
    workflowsOf(scenario.method).map((workflow) => [
      workflow,
      plannedHistory(scenario, workflow).map(({ low, afterMs, detail }) => ({
        status: dotted(scenario.method, low),
        status_detail: detail,
        after_ms: afterMs,
      })),
    ]),
  )

export function describeOrderScenario(world: World, engine: ScenarioEngine, orderId: string) {
  const order = getOrder(world, orderId)
  const row = world.db.find(orderScenarios, orderId)
  const step = row && !row.left ? engine.find(world, row.scenario)?.steps[row.next] : undefined
  const due = world.agenda.find(STEP, orderId)?.due
  return {
    order_id: orderId,
    scenario: row?.scenario ?? null,
    next: step?.kind === 'move' ? dotted(methodOf(order), step.step.to) : null,
    next_due: due === undefined ? null : toIso(due),
    waits_for: row?.waits ?? null,
    left_because: row?.left?.because ?? null,
    dropped: [...(row?.left?.dropped ?? [])],
  }
}

interface OrderScenarioInput {
  readonly scenario: string
  readonly from?: string | undefined
}

export function assignScenario(
  world: World,
  engine: ScenarioEngine,
  orderId: string,
  { scenario: name, from }: OrderScenarioInput,
): void {
  const order = getOrder(world, orderId)
  const scenario = engine.get(world, name)
  const read = from === undefined ? undefined : readStatus(from)
  if (from !== undefined && !read) throw new Problem('bad_request', `"${from}" is no status of an order.`)
  if (read?.method && read.method !== methodOf(order)) {
    throw new Problem('bad_request', `"${from}" is no status of ${methodOf(order)}.`)
  }
  const at = findEntryStep(order, scenario, read?.low)
  if (at === undefined) throw unreachable(order, scenario)
  world.parts.scenarios.leave(world, orderId, `the order was put into ${scenario.name}`)
  world.agenda.cancel(STEP, orderId)
  engine.begin(world, orderId, name, at)
}

function unreachable(order: OrderRow, scenario: Scenario): Problem {
  const legal = legalMoves(workflowOf(order), statusHistoryOf(order)).map((low) =>
    dotted(methodOf(order), low),
  )
  const detail = `The order is ${order.last_event.status}, from where ${scenario.name} cannot be taken up.`
  return new Problem('conflict', detail, { also: { legal } })
}
