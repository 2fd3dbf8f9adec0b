import {
  canMove,
  type LowStatus,
  legalMoves,
  type Method,
  pathTo,
  topStatusOf,
  type Workflow,
  workflowsOf,
} from '../resources/orders/lifecycle.ts'
import { appointmentWords, bookedLows, canHappen, type VisitState } from './appointment-steps.ts'
import type { Scenario } from './file.ts'
import {
  appliesTo,
  initialStatuses,
  type PlannedStep,
  plannedHistory,
  plannedSteps,
} from './planned-steps.ts'
import { isBridge, notOfMethod, problemsOf, statusesOf } from './step-kinds.ts'
import type { ScenarioStep } from './steps.ts'

/** Why a scenario is invalid. `step` counts from 0; absent if it concerns the whole scenario. */
interface Violation {
  readonly step?: number
  readonly message: string
  /** The allowed statuses, or for an appointment what can happen to it. */
  readonly legal?: readonly string[]
}

/** Why a scenario with steps never moves an order: they are for the other kind of kits. Undefined if it does. */
export function whyWithoutSteps({ name, steps }: Scenario, workflow: Workflow): string | undefined {
  if (steps.length === 0 || steps.some((step) => appliesTo(step, workflow))) return undefined
  const [own, others] =
    workflow === 'registrable_kit'
      ? ['is registered later', 'registered when they are ordered (only: registered_kit)']
      : ['is registered already', 'registered later (only: registrable_kit)']
  return `This kit ${own}, and all steps of the scenario ${name} are for kits that are ${others}.`
}

/** Errors of a scenario: every status history it can produce must follow the lifecycle tables. */
export function checkScenario(scenario: Pick<Scenario, 'method' | 'steps'>): Violation[] {
  const { method, steps } = scenario
  const violations = steps.flatMap((step, at) =>
    [...checkMethod(method, step), ...checkTime(method, step), ...problemsOf(step, steps.slice(0, at))].map(
      (message) => ({
        step: at,
        message,
      }),
    ),
  )
  const strange = steps.findIndex((step) => checkMethod(method, step).length > 0)
  const known = { method, steps: strange === -1 ? steps : steps.slice(0, strange) }
  return [
    ...violations,
    ...workflowsOf(method).flatMap((workflow) => {
      const planned = plannedSteps(known, workflow)
      return [...checkAppointments(method, planned), ...checkHistory(planned, workflow)]
    }),
  ]
}

/** Webhook faults of events that never come, by their places. */
export function checkWebhookFaults(
  scenario: Pick<Scenario, 'method' | 'steps' | 'webhookFaults'>,
): [number, string][] {
  const planned = workflowsOf(scenario.method).map((workflow) =>
    plannedHistory(scenario, workflow).map(({ low }, at) => ({
      type: `labtest.order.${at === 0 ? 'created' : 'updated'}`,
      status: low as string,
    })),
  )
  return [scenario.webhookFaults ?? []].flat().flatMap((rule, at): [number, string][] => {
    const { event_types = ['labtest.order.created', 'labtest.order.updated'], status, occurrence = 1 } = rule
    const isOfOrder = event_types.every((type) => type.startsWith('labtest.order.'))
    const counts = planned.map(
      (all) =>
        all.filter((one) => event_types.includes(one.type) && one.status === (status ?? one.status)).length,
    )
    const mayCome = isOfOrder
      ? counts.some((count) => count >= occurrence)
      : event_types.some((type) => type.startsWith('labtest.result.')) || scenario.method in bookedLows
    if (mayCome || scenario.steps.length === 0) return []
    const what = [
      ...(rule.event_types?.length === 1 ? rule.event_types : []),
      ...(status ? [status] : []),
    ].join(' ')
    const nth = rule.occurrence === undefined ? '' : `, number ${occurrence},`
    return [[at, `the event ${what}${nth} never comes in this scenario, so this rule has no effect`]]
  })
}

/** Each step must be possible for the appointment as the steps before leave it. */
function checkAppointments(method: Method, planned: readonly PlannedStep[]): Violation[] {
  if (!(method in bookedLows)) return []
  return planned.flatMap(({ step, at, visit }) => {
    const violations: Violation[] = []
    if (dependsOnVisit(step) && visit === 'not booked')
      violations.push({
        step: at,
        message: 'no appointment is booked by then; legal before it: await: appointment',
      })
    if (step.kind === 'appointment' && !canHappen(step.word, visit))
      violations.push({ step: at, ...illegalVisit(visit, step.word) })
    return violations
  })
}

function illegalVisit(state: VisitState, word: string) {
  const legal = appointmentWords.filter((each) => canHappen(each, state))
  return {
    message: `an appointment that is ${state} cannot get ${word}; legal: ${legal.join(', ') || 'nothing, it is over'}`,
    legal,
  }
}

const dependsOnVisit = (step: ScenarioStep): boolean =>
  step.kind !== 'await' && step.beforeVisitMs !== undefined

/** Orders of the method must have such a step. */
function checkMethod(method: Method, step: ScenarioStep): string[] {
  if (step.only !== undefined && !workflowsOf(method).includes(step.only))
    return [`only: ${step.only} does not occur with method ${method}`]
  if (step.kind === 'move' && step.isInParts && !topStatusOf(method, 'partial_results'))
    return [`in_parts: orders of ${method} have no partial_results`]
  return statusesOf(step, method) ? [] : [notOfMethod(step, method)]
}

const checkTime = (method: Method, step: ScenarioStep): string[] =>
  dependsOnVisit(step) && !(method in bookedLows) ? [`orders of ${method} have no appointments`] : []

/** Continues after an invalid step if the next step shows the status from which it starts. */
function checkHistory(planned: readonly PlannedStep[], workflow: Workflow): Violation[] {
  const violations: Violation[] = []
  const steps = planned.flatMap(({ step, at, lows }) => lows.map((to) => ({ step, at, to })))
  let history = initialStatuses(workflow)
  for (const [place, { step, at, to }] of steps.entries()) {
    if (step.kind === 'await' && isSkipped(workflow, history, to)) continue
    const isForced = step.kind === 'move' && step.isForced
    const found =
      isForced || canMove(workflow, history, to)
        ? registeredEarly(step, workflow, history)
        : illegal(workflow, history, to)
    if (found) violations.push({ step: at, ...found })
    const next = steps[place + 1]
    const possible = [[...history, to], history]
    const after = found && next ? possible.find((one) => canMove(workflow, one, next.to)) : possible[0]
    if (!after) return violations
    history = after
  }
  return violations
}

/** Whether a booking leaves out a status, because it can only bring the order to the next one. */
const isSkipped = (workflow: Workflow, history: readonly LowStatus[], to: LowStatus): boolean =>
  to === 'appointment_pending' &&
  !canMove(workflow, history, to) &&
  canMove(workflow, history, 'appointment_scheduled')

/** A patient may register before the scenario waits for it; the next step must then still be reachable. */
function registeredEarly(
  step: ScenarioStep,
  workflow: Workflow,
  history: readonly LowStatus[],
): Omit<Violation, 'step'> | undefined {
  if (workflow !== 'registrable_kit' || step.kind !== 'move' || step.isForced) return undefined
  if (!canMove(workflow, history, 'registered')) return undefined
  const { to } = step.step
  const early: LowStatus[] = [...history, 'registered']
  if (early.includes(to) || pathTo(workflow, early, to, isBridge)) return undefined
  const { message, legal } = illegal(workflow, early, to)
  return { message: `${message} (if the kit is registered before)`, legal }
}

function illegal(workflow: Workflow, history: readonly LowStatus[], to: LowStatus) {
  const legal = legalMoves(workflow, history)
  const where = `${history.at(-1)} (${workflow.replaceAll('_', ' ')})`
  const message = `an order that is ${where} cannot become ${to}; legal: ${legal.join(', ') || 'nothing, it is final'}`
  return { message, legal }
}
