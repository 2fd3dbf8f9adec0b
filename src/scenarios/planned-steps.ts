import type { LowStatus, Workflow } from '../resources/orders/lifecycle.ts'
import type { VisitState } from './appointment-steps.ts'
import type { Scenario } from './file.ts'
import { statusesOf, visitStateAfter } from './step-kinds.ts'
import type { Awaited, ScenarioStep } from './steps.ts'

/** The status history of an order when its scenario begins. */
export const initialStatuses = (workflow: Workflow): LowStatus[] =>
  workflow === 'registrable_kit' ? ['ordered', 'awaiting_registration'] : ['ordered']

/** Whether a step applies to orders of this workflow. */
export const appliesTo = (step: ScenarioStep, workflow: Workflow): boolean =>
  step.only === undefined || step.only === workflow

/** A step that orders of a workflow take, and what follows from the steps before it. */
export interface PlannedStep {
  readonly step: ScenarioStep
  /** Its place among all steps of the scenario. */
  readonly at: number
  /** The statuses it brings an order to. */
  readonly lows: readonly LowStatus[]
  /** Milliseconds since the start, without the time that the customer takes. */
  readonly atMs: number
  /** Since the status before; null when the customer decides. */
  readonly afterMs: number | null
  /** Before the start of the appointment, negative after it; null for a step that follows the one before. */
  readonly beforeVisitMs: number | null
  /** The state of the appointment before the step. */
  readonly visit: VisitState
}

/** The steps that orders of a workflow take, one after the other. */
export function plannedSteps(
  { method, steps }: Pick<Scenario, 'method' | 'steps'>,
  workflow: Workflow,
): PlannedStep[] {
  const planned: PlannedStep[] = []
  let atMs = 0
  let waitedMs = 0
  let visitMs: number | null = null
  let visit: VisitState = 'not booked'
  for (const [at, step] of steps.entries()) {
    if (!appliesTo(step, workflow)) continue
    const lows = statusesOf(step, method) ?? []
    const isTimed = step.kind !== 'await'
    if (isTimed) atMs += step.afterMs
    const afterMs = isTimed ? step.afterMs + waitedMs : null
    const beforeVisitMs: number | null = isTimed
      ? (step.beforeVisitMs ?? (visitMs === null ? null : visitMs - step.afterMs))
      : null
    planned.push({ step, at, lows, atMs, afterMs, beforeVisitMs, visit })
    visitMs = lows.length > 0 ? null : beforeVisitMs
    waitedMs = lows.length > 0 ? 0 : (afterMs ?? 0)
    visit = visitStateAfter(step, visit)
  }
  return planned
}

/** A status that a scenario brings an order to. */
interface PlannedStatus extends Pick<PlannedStep, 'afterMs' | 'beforeVisitMs'> {
  readonly low: LowStatus
  readonly detail: string | null
  /** The action of the customer that it waits for. */
  readonly waitsFor: Awaited | null
}

/** The statuses a scenario brings an order to. */
export function plannedHistory(
  scenario: Pick<Scenario, 'method' | 'steps'>,
  workflow: Workflow,
): PlannedStatus[] {
  const none = { afterMs: 0, beforeVisitMs: null, detail: null, waitsFor: null }
  const later = plannedSteps(scenario, workflow).flatMap(({ step, lows, afterMs, beforeVisitMs }) => {
    const detail = step.kind === 'move' ? (step.step.detail ?? null) : null
    const waitsFor = step.kind === 'await' ? step.what : null
    return lows.map((low, nth) =>
      nth === 0 ? { low, detail, afterMs, beforeVisitMs, waitsFor } : { ...none, low, detail },
    )
  })
  return [...initialStatuses(workflow).map((low) => ({ ...none, low })), ...later]
}
