import {
  canMove,
  detailsOf,
  type LowStatus,
  legalMoves,
  type Method,
  type Road,
  roadsOf,
  topOf,
  wayTo,
} from '../resources/orders/lifecycle.ts'
import { appointmentVerbs, bookedLows } from './appointment-steps.ts'
import type { Awaited, Scenario, ScenarioStep } from './file.ts'

/** Why a scenario cannot happen. `step` counts from 0; absent when it concerns the whole. */
export interface Complaint {
  readonly step?: number
  readonly message: string
  /** The statuses the order could become instead. */
  readonly legal?: readonly LowStatus[]
}

/** The statuses an order has had when a scenario begins. */
export const beginningOf = (road: Road): LowStatus[] =>
  road === 'registrable_kit' ? ['ordered', 'awaiting_registration'] : ['ordered']

/** Whether a step is for orders on this road. */
export const concerns = (step: ScenarioStep, road: Road): boolean =>
  step.only === undefined || step.only === road

/** What is wrong with a scenario: any trail it can take must keep to the lifecycle tables. */
export function checkScenario(scenario: Scenario): Complaint[] {
  const complaints = scenario.steps.flatMap((step, at) =>
    checkStep(scenario, step).map((message) => ({ step: at, message })),
  )
  if (complaints.length > 0) return complaints
  return roadsOf(scenario.method).flatMap((road) => checkTrail(scenario, road))
}

function checkStep({ method }: Scenario, step: ScenarioStep): string[] {
  if (step.only !== undefined && !roadsOf(method).includes(step.only)) {
    return [`only: ${step.only} does not occur with method ${method}`]
  }
  if (step.kind === 'await') return awaitable(method, step.what)
  if (step.kind === 'appointment') {
    return lowsOf(step, method) ? [] : [`appointment: orders of ${method} have no appointments`]
  }
  const { to, detail } = step.step
  if (!topOf(method, to)) return [`${to} is no status of ${method}`]
  const details: readonly string[] = detailsOf[to] ?? []
  if (detail && !details.includes(detail)) {
    return [
      `status_detail ${detail} does not go with ${to}${details.length ? `; ${details.join(', ')} do` : ''}`,
    ]
  }
  return []
}

const awaitable = (method: Method, what: Awaited): string[] =>
  lowsOf({ kind: 'await', what, only: undefined }, method)
    ? []
    : [`await: ${what} does not happen to ${method}`]

/** The statuses a step takes an order through; undefined when the method has no such step. */
export function lowsOf(step: ScenarioStep, method: Method): readonly LowStatus[] | undefined {
  if (step.kind === 'move') return [step.step.to]
  if (step.kind === 'appointment') return (appointmentVerbs[step.word].lows as typeof bookedLows)[method]
  if (step.what === 'appointment') return bookedLows[method]
  return method === 'testkit' ? ['registered'] : undefined
}

function checkTrail(scenario: Scenario, road: Road): Complaint[] {
  const trail = beginningOf(road)
  for (const [at, step] of scenario.steps.entries()) {
    if (!concerns(step, road)) continue
    for (const to of lowsOf(step, scenario.method) ?? []) {
      if (!canMove(road, trail, to)) return [{ step: at, ...illegal(road, trail, to) }]
      const early = registeredEarly(scenario, road, trail, at)
      if (early) return [early]
      trail.push(to)
    }
  }
  return []
}

/** A patient may register before the scenario waits for it; the rest of the scenario must still be reachable. */
function registeredEarly(
  scenario: Scenario,
  road: Road,
  trail: readonly LowStatus[],
  at: number,
): Complaint | undefined {
  const next = scenario.steps[at]
  if (road !== 'registrable_kit' || next?.kind !== 'move' || !canMove(road, trail, 'registered'))
    return undefined
  const early: LowStatus[] = [...trail, 'registered']
  if (early.includes(next.step.to) || wayTo(road, early, next.step.to, isBridge)) return undefined
  const { message, legal } = illegal(road, early, next.step.to)
  return { step: at, message: `${message} (if the kit is registered before)`, legal }
}

/** Statuses the engine passes through by itself when the customer was quicker than the scenario tells, or did something else. */
export const isBridge = (status: LowStatus): boolean => bridges.includes(status)

const bridges: readonly LowStatus[] = [
  'requisition_created',
  'transit_customer',
  'out_for_delivery',
  'appointment_pending',
  'appointment_scheduled',
]

function illegal(road: Road, trail: readonly LowStatus[], to: LowStatus) {
  const legal = legalMoves(road, trail)
  const where = `${trail.at(-1)} (${road.replace('_', ' ')})`
  const message = `an order that is ${where} cannot become ${to}; legal: ${legal.join(', ') || 'nothing, it is final'}`
  return { message, legal }
}

/** One line of a scenario's trail, for people to read. */
export interface TrailLine {
  readonly low: LowStatus
  /** Since the line before; null when the customer decides. */
  readonly afterMs: number | null
  readonly detail: string | null
}

/** The statuses a scenario takes an order through. */
export function plannedHistory(scenario: Scenario, road: Road): TrailLine[] {
  const lines: TrailLine[] = beginningOf(road).map((low) => ({ low, afterMs: 0, detail: null }))
  let waitedMs = 0
  for (const step of scenario.steps.filter((one) => concerns(one, road))) {
    const lows = lowsOf(step, scenario.method) ?? []
    const afterMs = step.kind === 'await' ? null : step.afterMs + waitedMs
    const detail = step.kind === 'move' ? (step.step.detail ?? null) : null
    waitedMs = lows.length > 0 ? 0 : (afterMs ?? 0)
    for (const [at, low] of lows.entries()) lines.push({ low, afterMs: at === 0 ? afterMs : 0, detail })
  }
  return lines
}
