import { feature } from '../api/features.ts'
import type { JobKinds } from '../api/resource.ts'
import { orderWebhookFaults } from '../api/webhook-faults.ts'
import { armFaultsOfOrder } from '../faults/model.ts'
import { omit } from '../kernel/fields.ts'
import { compact } from '../kernel/list.ts'
import { visitStart } from '../resources/appointments/service.ts'
import { canMove, type LowStatus } from '../resources/orders/lifecycle.ts'
import {
  currentStatusOf,
  methodOf,
  type OrderRow,
  orders,
  statusHistoryOf,
  workflowOf,
} from '../resources/orders/table.ts'
import { unknownResults, waitForLateResults } from '../resources/results/service.ts'
import type { World } from '../world/world.ts'
import { whyWithoutSteps } from './check.ts'
import type { Scenario } from './file.ts'
import { appliesTo } from './planned-steps.ts'
import { onceReady } from './repository.ts'
import { runStep, statusesOf, upcomingOf } from './step-kinds.ts'
import type { Awaited, MoveStep, ScenarioStep, TimedStep } from './steps.ts'
import { type OrderScenarioRow, orderScenarios } from './table.ts'
import { instantOfWork } from './working-hours.ts'

/** The scenarios the jobs need. */
interface Scenarios {
  ready(): Promise<void> | undefined
  find(world: World, name: string): Scenario | undefined
  begin(world: World, orderId: string, scenario: string): void
}

export const STEP = 'scenarios.step'
/** A job that begins a scenario once the repository is ready. */
export const BEGIN = 'scenarios.begin'

export interface BeginData {
  readonly scenario: string
}

type FindScenario = (world: World, name: string) => Scenario | undefined

export function beginScenario(world: World, orderId: string, scenario: Scenario, from = 0): void {
  const order = world.db.get(orders, orderId)
  if (scenario.webhookFaults)
    world.db.put(orderWebhookFaults, { order_id: orderId, rules: scenario.webhookFaults })
  else world.db.delete(orderWebhookFaults, orderId)
  armFaultsOfOrder(world, orderId, scenario.faults)
  schedule(world, order, scenario, { order_id: orderId, scenario: scenario.name, next: from })
  const reason = whyMisfit(world, order, scenario)
  if (reason !== undefined)
    world.warn('A scenario does not fit an order', { order_id: orderId, scenario: scenario.name, reason })
}

/** Why a scenario does not move an order, or which of its results the order cannot have; undefined if it fits. */
export function whyMisfit(world: World, order: OrderRow, scenario: Scenario): string | undefined {
  const named = scenario.steps.flatMap((step) => {
    const { values = {}, missing } = (step.kind === 'move' && step.step.results) || {}
    return [...Object.keys(values), ...(Array.isArray(missing) ? missing : [])]
  })
  const unknown = named.length === 0 ? [] : [...new Set(unknownResults(world, order, named))]
  const lacks =
    unknown.length === 0
      ? undefined
      : `The lab test of this order has no result ${unknown.join(', ')}, which ${scenario.name} names; choose one that has.`
  const sentences = compact([lacks, whyReplaced(world, scenario)])
  return (
    whyWithoutSteps(scenario, workflowOf(order)) ?? (sentences.length > 0 ? sentences.join(' ') : undefined)
  )
}

/** A step that a switch of the world replaces. */
function whyReplaced(world: World, { name, steps }: Scenario): string | undefined {
  const asksForRedraw = steps.some((step) => step.kind === 'move' && step.step.to === 'redraw_available')
  if (!asksForRedraw || feature(world, 'redraws')) return undefined
  return `${name} ends with completed instead of redraw_available: the feature redraws is off.`
}

/** The scenario that an order follows, and how far it is; undefined if the order has none or has left it. */
function findProgress(world: World, orderId: string, findScenario: FindScenario) {
  const row = world.db.find(orderScenarios, orderId)
  const scenario = row && !row.left ? findScenario(world, row.scenario) : undefined
  return row && scenario && { row, scenario }
}

/** Continues a scenario that waits for this action of the customer. */
export function resumeScenario(
  world: World,
  orderId: string,
  what: Awaited,
  findScenario: FindScenario,
): void {
  const found = findProgress(world, orderId, findScenario)
  if (found?.row.waits !== what) return
  const { row, scenario } = found
  const next = row.next + (scenario.steps[row.next]?.kind === 'await' ? 1 : 0)
  schedule(world, world.db.get(orders, orderId), scenario, { ...row, next })
}

/** Moves the next step to the time of the appointment it depends on; it waits for another one if that was cancelled. */
export function followAppointment(world: World, orderId: string, findScenario: FindScenario): void {
  const found = findProgress(world, orderId, findScenario)
  const step = found?.scenario.steps[found.row.next]
  if (!found || !step || step.kind === 'await' || step.beforeVisitMs === undefined) return
  world.agenda.cancel(STEP, orderId)
  schedule(world, world.db.get(orders, orderId), found.scenario, found.row)
}

/** Takes an order out of its scenario, and records the remaining statuses as dropped. */
export function leaveScenario(
  world: World,
  orderId: string,
  because: string,
  findScenario: FindScenario,
): void {
  const row = world.db.find(orderScenarios, orderId)
  if (!row || row.left) return
  const scenario = findScenario(world, row.scenario)
  const order = world.db.get(orders, orderId)
  const dropped = scenario
    ? remaining(world, order, scenario, row.next).flatMap(
        ([, step]) => statusesOf(step, scenario.method) ?? [],
      )
    : []
  world.agenda.cancel(STEP, orderId)
  world.db.put(orderScenarios, { ...row, left: { because, dropped } })
  if (dropped.length > 0)
    world.agenda.record('scenario_left', { order_id: orderId, detail: because, dropped })
}

/** The steps from an index on that apply to an order, with their indices. */
const remaining = (
  world: World,
  order: OrderRow,
  { steps }: Scenario,
  from: number,
): [number, ScenarioStep][] =>
  [...steps.entries()]
    .slice(from)
    .filter(([, step]) => appliesTo(step, workflowOf(order)))
    .flatMap(([at, step]) => partsOf(world, order, step).map((part): [number, ScenarioStep] => [at, part]))

/** The parts of a step that an order has before it: two where slow tests come after the others, otherwise the step itself. */
function partsOf<Step extends ScenarioStep>(
  world: World,
  order: OrderRow,
  step: Step,
): readonly [Step | MoveStep, ...MoveStep[]] {
  const afterMs = step.kind === 'move' && step.isInParts ? waitForLateResults(world, order) : undefined
  if (step.kind !== 'move' || afterMs === undefined) return [step]
  const rest: MoveStep = { ...step, afterMs, beforeVisitMs: undefined }
  if (currentStatusOf(order) === 'partial_results') return [rest]
  return [{ ...step, step: { ...step.step, to: 'partial_results' }, pdf: undefined }, rest]
}

/** Job handlers: begin a scenario, and run its next step. They wait until the repository is ready. */
export const scenarioJobs = (scenarios: Scenarios): JobKinds => ({
  [STEP]: {
    about: 'order',
    does: 'the next step of the scenario',
    run(world, { subject }) {
      return onceReady(scenarios, () => runNextStep(world, subject, scenarios.find))
    },
  },
  [BEGIN]: {
    about: 'order',
    does: 'the scenario begins',
    run(world, { subject, data }) {
      return onceReady(scenarios, () => scenarios.begin(world, subject, (data as BeginData).scenario))
    },
  },
})

function runNextStep(world: World, orderId: string, findScenario: FindScenario): void {
  const found = findProgress(world, orderId, findScenario)
  if (!found) {
    leaveScenario(world, orderId, 'its scenario is missing or no longer valid', () => undefined)
    return
  }
  const { row, scenario } = found
  const { next } = row
  const step = scenario.steps[next]
  if (!step || step.kind === 'await') return
  const [part, rest] = partsOf(world, world.db.get(orders, orderId), step)
  const following = rest ? next : next + 1
  world.db.put(orderScenarios, { ...row, next: following })
  const dropped = runStep(world, orderId, part, isRepeated(scenario, next))
  if (dropped !== undefined) recordDropped(world, orderId, dropped)
  const now = world.db.find(orderScenarios, orderId)
  if (!now || now.left || now.next !== following) return
  const order = world.db.get(orders, orderId)
  // Where the first part cannot be, the rest cannot follow it.
  const isPartial = currentStatusOf(order) === 'partial_results'
  schedule(world, order, scenario, isPartial ? now : { ...now, next: next + 1 })
}

/** Records a step that could not be done, and why. */
function recordDropped(world: World, orderId: string, detail: string): void {
  const row = world.db.get(orderScenarios, orderId)
  world.db.put(orderScenarios, { ...row, dropped: [...(row.dropped ?? []), detail] })
  world.agenda.record('step_dropped', { order_id: orderId, detail })
}

/** Whether a step sets the status of the step before once more: a moved appointment. */
function isRepeated({ steps }: Scenario, at: number): boolean {
  const [before, step] = [steps[at - 1], steps[at]]
  return before?.kind === 'move' && step?.kind === 'move' && before.step.to === step.step.to
}

const hasHappened: Record<Awaited, (history: readonly LowStatus[]) => boolean> = {
  registration: (history) => history.includes('registered'),
  appointment: (history) => history.at(-1) === 'appointment_scheduled',
}

/** Milliseconds from an instant until a step is due; undefined while the appointment it depends on has no time. */
function timeUntil(
  world: World,
  order: OrderRow,
  { workdays }: Scenario,
  step: TimedStep,
  from = world.clock.now(),
): number | undefined {
  const { afterMs, beforeVisitMs } = step
  if (beforeVisitMs !== undefined) {
    const start = visitStart(world, order)
    return start === undefined ? undefined : Math.max(0, start - beforeVisitMs - from)
  }
  // Where scenario time does not pass with the clock, its days are not those of a calendar.
  const keepsHours = workdays && feature(world, 'working_hours') && world.agenda.scenarioTime.rate === 1
  if (!keepsHours || step.kind !== 'move') return afterMs
  return instantOfWork(world, order, step.step.to, { from, due: from + afterMs }) - from
}

/** Stores the progress of an order and schedules the next step. */
function schedule(world: World, order: OrderRow, scenario: Scenario, before: OrderScenarioRow): void {
  const workflow = workflowOf(order)
  const row = omit(before, 'waits')
  let next = row.next
  for (let step = scenario.steps[next]; step; step = scenario.steps[++next]) {
    if (
      !appliesTo(step, workflow) ||
      (step.kind === 'await' && hasHappened[step.what](statusHistoryOf(order)))
    )
      continue
    const [part] = partsOf(world, order, step)
    const afterScenarioMs = part.kind === 'await' ? undefined : timeUntil(world, order, scenario, part)
    if (afterScenarioMs === undefined) {
      const waits = step.kind === 'await' ? step.what : 'appointment'
      world.db.put(orderScenarios, { ...row, next, waits })
      return
    }
    world.db.put(orderScenarios, { ...row, next })
    world.agenda.schedule({ afterScenarioMs, kind: STEP, subject: order.id })
    return
  }
  world.db.put(orderScenarios, { ...row, next, is_over: true })
}

/** The first step an order can start from in its current status; undefined if there is none. */
export function findEntryStep(order: OrderRow, scenario: Scenario, from?: string): number | undefined {
  if (scenario.method !== methodOf(order) && scenario.steps.length > 0) return undefined
  const workflow = workflowOf(order)
  const history = statusHistoryOf(order)
  const reaches = (step: ScenarioStep) => {
    if (!appliesTo(step, workflow)) return false
    if (step.kind === 'move' && step.isForced) return true
    return (statusesOf(step, scenario.method) ?? []).some((to) => canMove(workflow, history, to))
  }
  if (scenario.steps.length === 0) return 0
  const wanted = scenario.steps.findIndex(
    (step) => reaches(step) && (from === undefined || (step.kind === 'move' && step.step.to === from)),
  )
  return wanted === -1 ? undefined : wanted
}

/** A status an order will get if nobody interferes. */
interface UpcomingStatus {
  readonly low: LowStatus
  readonly detail: string | null
  /** Milliseconds since 1970; null for what waits for the customer, and for all that follows. */
  readonly due: number | null
  /** The action of the customer it waits for. */
  readonly waitsFor: Awaited | null
}

/** The remaining steps of an order's scenario, with their instants. */
export function upcomingStatuses(world: World, order: OrderRow, scenario: Scenario): UpcomingStatus[] {
  const row = world.db.find(orderScenarios, order.id)
  const firstDue = world.agenda.find(STEP, order.id)?.due
  if (!row || row.left || (firstDue === undefined && row.waits === undefined)) return []
  const history = statusHistoryOf(order)
  const plan: UpcomingStatus[] = []
  let due = firstDue ?? null
  for (const [ordinal, [at, step]] of remaining(world, order, scenario, row.next).entries()) {
    const waitsFor = step.kind === 'await' ? step.what : null
    if (waitsFor && hasHappened[waitsFor](history)) continue
    if (step.kind === 'await') due = null
    else if (ordinal > 0 && due !== null) due = dueAfter(world, order, scenario, step, due)
    for (const low of upcomingOf(world, order, step, isRepeated(scenario, at), history)) {
      plan.push({ low, detail: detailOf(step, low), due, waitsFor })
      history.push(low)
    }
  }
  return plan
}

/** When a step is due that follows another one; null if it waits for an appointment that does not exist yet. */
function dueAfter(
  world: World,
  order: OrderRow,
  scenario: Scenario,
  step: TimedStep,
  due: number,
): number | null {
  const from = step.beforeVisitMs === undefined ? due : world.clock.now()
  const waitMs = timeUntil(world, order, scenario, step, from)
  return waitMs === undefined ? null : from + waitMs / world.agenda.scenarioTime.rate
}

const detailOf = (step: ScenarioStep, low: LowStatus) =>
  step.kind === 'move' && step.step.to === low ? (step.step.detail ?? null) : null
