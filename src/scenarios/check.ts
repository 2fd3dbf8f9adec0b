import {
  canMove,
  detailsOf,
  hasReport,
  type LowStatus,
  legalMoves,
  type Method,
  pathTo,
  topStatusOf,
  type Workflow,
  workflowsOf,
} from '../resources/orders/lifecycle.ts'
import { appointmentVerbs, appointmentWords, bookedLows, type VisitState } from './appointment-steps.ts'
import type { Scenario } from './file.ts'
import type { Awaited, ScenarioStep } from './steps.ts'

/** Why a scenario is invalid. `step` counts from 0; absent if it concerns the whole scenario. */
interface Violation {
  readonly step?: number
  readonly message: string
  /** The allowed statuses, or for an appointment what can happen to it. */
  readonly legal?: readonly string[]
}

/** The status history of an order when its scenario begins. */
export const initialStatuses = (workflow: Workflow): LowStatus[] =>
  workflow === 'registrable_kit' ? ['ordered', 'awaiting_registration'] : ['ordered']

/** Whether a step applies to orders of this workflow. */
export const appliesTo = (step: ScenarioStep, workflow: Workflow): boolean =>
  step.only === undefined || step.only === workflow

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
    [
      ...checkStatus(method, step),
      ...checkDetail(step),
      ...checkResults(step),
      ...checkPatient(steps, at),
    ].map((message) => ({
      step: at,
      message,
    })),
  )
  const strange = steps.findIndex((step) => checkStatus(method, step).length > 0)
  const known = { ...scenario, steps: strange === -1 ? steps : steps.slice(0, strange) }
  return [
    ...violations,
    ...checkAppointments(known),
    ...workflowsOf(method).flatMap((workflow) => checkHistory(known, workflow)),
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

/** The states in which a status leaves the appointment. */
export const visitAfter: Partial<Record<LowStatus, VisitState>> = {
  appointment_scheduled: 'booked',
  appointment_cancelled: 'not booked',
  draw_completed: 'completed',
  partial_results: 'completed',
  completed: 'completed',
  redraw_available: 'completed',
  sample_error: 'completed',
}

/** Each step must be possible for the appointment as the steps before leave it. */
function checkAppointments({ method, steps }: Pick<Scenario, 'method' | 'steps'>): Violation[] {
  const violations: Violation[] = []
  let state: VisitState = 'not booked'
  for (const [at, step] of steps.entries()) {
    const needsVisit = step.kind !== 'await' && step.beforeVisitMs !== undefined
    if (needsVisit && !(method in bookedLows))
      violations.push({ step: at, message: `orders of ${method} have no appointments` })
    else if (needsVisit && state === 'not booked')
      violations.push({
        step: at,
        message: 'no appointment is booked by then; legal before it: await: appointment',
      })
    if (step.kind === 'await') state = step.what === 'appointment' ? 'booked' : state
    else if (step.kind === 'move') state = visitAfter[step.step.to] ?? state
    else {
      const { from, to } = appointmentVerbs[step.word]
      if (!from.some((each) => each === state))
        violations.push({ step: at, ...illegalVisit(state, step.word) })
      state = to
    }
  }
  return violations
}

function illegalVisit(state: VisitState, word: string) {
  const legal = appointmentWords.filter((each) => appointmentVerbs[each].from.some((one) => one === state))
  return {
    message: `an appointment that is ${state} cannot get ${word}; legal: ${legal.join(', ') || 'nothing, it is over'}`,
    legal,
  }
}

function checkStatus(method: Method, step: ScenarioStep): string[] {
  if (step.only !== undefined && !workflowsOf(method).includes(step.only)) {
    return [`only: ${step.only} does not occur with method ${method}`]
  }
  if (step.kind === 'await') return awaitable(method, step.what)
  if (step.kind === 'appointment') {
    return statusesOf(step, method) ? [] : [`appointment: orders of ${method} have no appointments`]
  }
  const { to } = step.step
  return topStatusOf(method, to) ? [] : [`${to} is not a status of ${method}`]
}

function checkDetail(step: ScenarioStep): string[] {
  if (step.kind !== 'move') return []
  const { to, detail } = step.step
  const details: readonly string[] = detailsOf[to] ?? []
  if (detail && !details.includes(detail)) {
    return [
      `status_detail ${detail} does not go with ${to}${details.length ? `; ${details.join(', ')} do` : ''}`,
    ]
  }
  return []
}

/** Exact results need a status with which the laboratory reports. */
function checkResults(step: ScenarioStep): string[] {
  if (step.kind !== 'move') return []
  const { to, results } = step.step
  const isExact = step.pdf !== undefined || results?.values !== undefined || results?.comment !== undefined
  return isExact && !hasReport(to) ? [`an order that becomes ${to} gets no results with it`] : []
}

/** A patient registers the kit, once. */
function checkPatient(steps: readonly ScenarioStep[], at: number): string[] {
  const step = steps[at]
  if (step?.kind !== 'move' || !step.step.patient) return []
  if (step.step.to !== 'registered') return [`patient goes with registered, not with ${step.step.to}`]
  const isRegistered = steps
    .slice(0, at)
    .some((one) =>
      one.kind === 'await'
        ? one.what === 'registration'
        : one.kind === 'move' && one.step.to === 'registered',
    )
  return isRegistered ? ['the kit is registered already, by another step; it has one patient'] : []
}

const awaitable = (method: Method, what: Awaited): string[] =>
  statusesOf({ kind: 'await', what, only: undefined }, method)
    ? []
    : [`await: ${what} does not happen to ${method}`]

/** The statuses a step brings an order to; undefined if the method has no such step. */
export function statusesOf(step: ScenarioStep, method: Method): readonly LowStatus[] | undefined {
  if (step.kind === 'move') return [step.step.to]
  if (step.kind === 'appointment') return (appointmentVerbs[step.word].lows as typeof bookedLows)[method]
  if (step.what === 'appointment') return bookedLows[method]
  return method === 'testkit' ? ['registered'] : undefined
}

/** Continues after an invalid step if the next step shows the status from which it starts. */
function checkHistory(scenario: Pick<Scenario, 'method' | 'steps'>, workflow: Workflow): Violation[] {
  const violations: Violation[] = []
  const steps = [...scenario.steps.entries()].flatMap(([at, step]) =>
    appliesTo(step, workflow) ? (statusesOf(step, scenario.method) ?? []).map((to) => ({ at, to })) : [],
  )
  let history = initialStatuses(workflow)
  for (const [place, { at, to }] of steps.entries()) {
    if (scenario.steps[at]?.kind === 'await' && isSkipped(workflow, history, to)) continue
    const step = scenario.steps[at]
    const isForced = step?.kind === 'move' && step.isForced
    const found =
      isForced || canMove(workflow, history, to)
        ? registeredEarly(scenario, workflow, history, at)
        : { step: at, ...illegal(workflow, history, to) }
    if (found) violations.push(found)
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
  scenario: Pick<Scenario, 'steps'>,
  workflow: Workflow,
  history: readonly LowStatus[],
  at: number,
): Violation | undefined {
  const next = scenario.steps[at]
  if (
    workflow !== 'registrable_kit' ||
    next?.kind !== 'move' ||
    next.isForced ||
    !canMove(workflow, history, 'registered')
  )
    return undefined
  const early: LowStatus[] = [...history, 'registered']
  if (early.includes(next.step.to) || pathTo(workflow, early, next.step.to, isBridge)) return undefined
  const { message, legal } = illegal(workflow, early, next.step.to)
  return { step: at, message: `${message} (if the kit is registered before)`, legal }
}

/** Statuses the engine inserts when the customer's actions differ from the scenario. */
export const isBridge = (status: LowStatus): boolean => bridges.includes(status)

const bridges: readonly LowStatus[] = [
  'requisition_created',
  'transit_customer',
  'out_for_delivery',
  'appointment_pending',
  'appointment_scheduled',
]

function illegal(workflow: Workflow, history: readonly LowStatus[], to: LowStatus) {
  const legal = legalMoves(workflow, history)
  const where = `${history.at(-1)} (${workflow.replaceAll('_', ' ')})`
  const message = `an order that is ${where} cannot become ${to}; legal: ${legal.join(', ') || 'nothing, it is final'}`
  return { message, legal }
}

/** A status that a scenario brings an order to. */
interface PlannedStatus {
  readonly low: LowStatus
  /** Since the status before; null when the customer decides. */
  readonly afterMs: number | null
  /** Before the start of the appointment, negative after it; null for a step that follows the one before. */
  readonly beforeVisitMs: number | null
  readonly detail: string | null
  /** The action of the customer that it waits for. */
  readonly waitsFor: Awaited | null
}

/** The statuses a scenario brings an order to. */
export function plannedHistory(
  scenario: Pick<Scenario, 'method' | 'steps'>,
  workflow: Workflow,
): PlannedStatus[] {
  const lines: PlannedStatus[] = initialStatuses(workflow).map((low) => ({
    low,
    afterMs: 0,
    beforeVisitMs: null,
    detail: null,
    waitsFor: null,
  }))
  let waitedMs = 0
  let visitMs: number | null = null
  for (const step of scenario.steps.filter((one) => appliesTo(one, workflow))) {
    const lows = statusesOf(step, scenario.method) ?? []
    const afterMs = step.kind === 'await' ? null : step.afterMs + waitedMs
    const beforeVisitMs: number | null =
      step.kind === 'await'
        ? null
        : (step.beforeVisitMs ?? (visitMs === null ? null : visitMs - step.afterMs))
    visitMs = lows.length > 0 ? null : beforeVisitMs
    const detail = step.kind === 'move' ? (step.step.detail ?? null) : null
    waitedMs = lows.length > 0 ? 0 : (afterMs ?? 0)
    const waitsFor = step.kind === 'await' ? step.what : null
    for (const [at, low] of lows.entries()) {
      const isFirst = at === 0
      const when = isFirst
        ? { afterMs, beforeVisitMs, waitsFor }
        : { afterMs: 0, beforeVisitMs: null, waitsFor: null }
      lines.push({ low, detail, ...when })
    }
  }
  return lines
}
