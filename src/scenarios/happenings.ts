import { writeDuration } from '../kernel/duration.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { Workflow } from '../resources/orders/lifecycle.ts'
import { appliesTo, initialStatuses, statusesOf } from './check.ts'
import type { Scenario } from './file.ts'
import type { ScenarioStep } from './steps.ts'

/** Something that happens in a scenario: a status of the order, or a step that brings none. */
export interface Happening {
  readonly what: string
  /** Milliseconds since the start, without the time that the customer takes. */
  readonly atMs: number
  /** Other fields of the step, such as results and shipment. */
  readonly fields: JsonObject
}

/** The happenings of an order in a scenario. */
export function happeningsOf(scenario: Scenario, workflow: Workflow): Happening[] {
  const happenings: Happening[] = initialStatuses(workflow).map((low) => ({
    what: low,
    atMs: 0,
    fields: {},
  }))
  let atMs = 0
  for (const step of scenario.steps.filter((each) => appliesTo(each, workflow))) {
    if (step.kind !== 'await') atMs += step.afterMs
    const [first = NO_STATUS, ...rest] = statusesOf(step, scenario.method) ?? []
    happenings.push({ what: first, atMs, fields: fieldsOf(step) })
    for (const what of rest) happenings.push({ what, atMs, fields: {} })
  }
  return happenings
}

/** The name of a step without a status. */
export const NO_STATUS = 'no change of status'

function fieldsOf(step: ScenarioStep): Happening['fields'] {
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
