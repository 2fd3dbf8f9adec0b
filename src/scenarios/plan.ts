import type { LowStatus } from '../resources/orders/lifecycle.ts'
import { settledStatus } from '../resources/orders/redraws.ts'
import { methodOf, type OrderRow, statusHistoryOf, workflowOf } from '../resources/orders/table.ts'
import type { World } from '../world/world.ts'
import { statusesOf } from './check.ts'
import type { Awaited, Scenario, ScenarioStep } from './file.ts'
import { hasHappened, pathFrom, remaining, STEP } from './run.ts'
import { orderScenarios } from './table.ts'

/** A status an order will come to if nobody interferes. */
export interface PlannedStatus {
  readonly low: LowStatus
  readonly detail: string | null
  /** Milliseconds since 1970; null for what waits for the customer, and for all that follows. */
  readonly due: number | null
  /** What the customer has to do for it. */
  readonly waitsFor: Awaited | null
}

/** What is left of the scenario an order follows, with its instants. */
export function planOf(world: World, order: OrderRow, scenario: Scenario): PlannedStatus[] {
  const row = world.db.find(orderScenarios, order.id)
  const firstDue = world.agenda.find(STEP, order.id)?.due
  if (!row || row.left || (firstDue === undefined && row.waits === undefined)) return []
  const workflow = workflowOf(order)
  const history = statusHistoryOf(order)
  const plan: PlannedStatus[] = []
  let due: number | null = null
  for (const [ordinal, step] of remaining(order, scenario, row.next).entries()) {
    if (step.kind === 'await' && hasHappened[step.what](history)) continue
    if (step.kind === 'await') due = null
    else if (ordinal === 0) due = firstDue ?? null
    else if (due !== null) due += world.paced(step.afterMs)
    const lows =
      step.kind === 'move' ? pathFrom(workflow, history, step.step.to) : statusesOf(step, methodOf(order))
    for (const to of lows ?? []) {
      const isLast = step.kind === 'move' && to === step.step.to
      const low = isLast ? settledStatus(world, order, step.step, history) : to
      plan.push({ low, detail: detailOf(step, low), due, waitsFor: step.kind === 'await' ? step.what : null })
      history.push(low)
    }
  }
  return plan
}

const detailOf = (step: ScenarioStep, low: LowStatus) =>
  step.kind === 'move' && step.step.to === low ? (step.step.detail ?? null) : null
