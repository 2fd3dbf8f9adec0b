import { writeDuration } from '../kernel/duration.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { LowStatus, Workflow } from '../resources/orders/lifecycle.ts'
import { appliesTo, initialStatuses, statusesOf } from './check.ts'
import type { Scenario } from './file.ts'
import type { ScenarioStep } from './steps.ts'

/** A step of a scenario, for one status that it brings. */
export interface PlannedStep {
  /** Null for a step without a status. */
  readonly status: LowStatus | null
  /** Milliseconds since the start, without the time that the customer takes. */
  readonly atMs: number
  /** Other fields of the step, such as results and shipment. */
  readonly fields: JsonObject
}

/** The steps of an order in a scenario. */
export function plannedSteps(scenario: Scenario, workflow: Workflow): PlannedStep[] {
  const planned: PlannedStep[] = initialStatuses(workflow).map((status) => ({ status, atMs: 0, fields: {} }))
  let atMs = 0
  for (const step of scenario.steps.filter((each) => appliesTo(each, workflow))) {
    if (step.kind !== 'await') atMs += step.afterMs
    const [first = null, ...rest] = statusesOf(step, scenario.method) ?? []
    planned.push({ status: first, atMs, fields: fieldsOf(step) })
    for (const status of rest) planned.push({ status, atMs, fields: {} })
  }
  return planned
}

function fieldsOf(step: ScenarioStep): PlannedStep['fields'] {
  if (step.kind === 'await') return { await: step.what }
  const { beforeVisitMs } = step
  const when = {
    at: beforeVisitMs === 0 ? 'the appointment' : undefined,
    before: beforeVisitMs ? `the appointment by ${writeDuration(beforeVisitMs)}` : undefined,
  }
  if (step.kind === 'appointment') return { appointment: step.word, ...when }
  const { detail, patient, shipment, results } = step.step
  return {
    ...when,
    status_detail: detail,
    patient,
    shipment,
    results,
    pdf: step.pdf?.path,
    force: step.isForced || undefined,
  }
}
