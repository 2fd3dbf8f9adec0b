import { feature } from '../../api/features.ts'
import type { JobKinds } from '../../api/resource.ts'
import { SECOND_MS } from '../../kernel/instant.ts'
import { append } from '../../kernel/list.ts'
import { badRequest, liveFailure } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import {
  canMove,
  happyPaths,
  type LowStatus,
  type Method,
  pathTo,
  topStatusOf,
  type Workflow,
} from '../orders/lifecycle.ts'
import { canBeRedrawn } from '../orders/redraws.ts'
import { getOrder, moveOrder, type Step } from '../orders/service.ts'
import {
  currentStatusOf,
  methodOf,
  type OrderRow,
  orderMetadata,
  orders,
  type ResultPlan,
  statusHistoryOf,
  workflowOf,
} from '../orders/table.ts'
import { moveWithResults } from '../results/exact.ts'

const STEP = 'orders.simulate'

interface Simulation {
  readonly to?: TargetStatus | undefined
  /** Seconds between two steps; with 0 all are done immediately. */
  readonly delaySeconds: number
  readonly results: ResultPlan
}

/** The remaining steps of a simulation, and its options. */
interface RemainingSimulation extends Omit<Simulation, 'to'> {
  readonly way: readonly LowStatus[]
  /** Whether a final status was requested. */
  readonly exact: boolean
  /** Whether it goes as in the live sandbox. */
  readonly asLive: boolean
}

/** Simulates the progress of an order, to a status or to the end of its happy path. Source: docs/contract/simulation.md. */
export function simulateOrder(world: World, orderId: string, simulation: Simulation): void {
  const order = getOrder(world, orderId, "Order doesn't exist")
  if (feature(world, 'simulation') === 'live') simulateAsLive(world, order, simulation)
  else simulateAsDocumented(world, order, simulation)
}

/** Whether an order of a workflow can be taken to a status by legal steps as soon as it is placed. */
export function isReachable(workflow: Workflow, to: LowStatus): boolean {
  if (to === 'redraw_available' || to === 'registered') return false
  const mayPass = (low: LowStatus) => low !== 'cancelled' && low !== 'registered'
  return to === 'ordered' || pathTo(workflow, ['ordered'], to, mayPass) !== undefined
}

/** Takes an order to a status by legal steps, whatever the feature `simulation` says. */
export function simulateAsDocumented(world: World, order: OrderRow, { to, ...how }: Simulation): void {
  if (currentStatusOf(order) === 'cancelled') {
    throw badRequest('The order is cancelled; it cannot be simulated')
  }
  const way = to ? pathToStatus(world, order, to) : pathToEnd(order)
  begin(world, order, { ...how, way, exact: to !== undefined, asLive: false })
}

/** Simulates as observed in the live sandbox, where no target is refused. Source: docs/contract/simulation.md#as-observed. */
function simulateAsLive(world: World, order: OrderRow, { to, ...how }: Simulation): void {
  const isKit = methodOf(order) === 'testkit'
  if (isKit && currentStatusOf(order) === 'cancelled') throw liveFailure()
  const way = livePathOf(world, order, to, how.delaySeconds > 0)
  if (way.length === 0) return
  const isGiven = world.db.find(orderMetadata, order.id)?.given_results !== undefined
  const usual: ResultPlan = { types: [...liveTypes], interpretation: isKit ? 'abnormal' : 'normal' }
  const results = isGiven ? how.results : { ...usual, ...how.results }
  begin(world, order, { ...how, results, way, exact: to !== undefined, asLive: true })
}

function begin(world: World, { id }: OrderRow, simulation: RemainingSimulation): void {
  world.services.scenarios.leave(world, id, 'the order was simulated')
  world.agenda.cancel(STEP, id)
  if (simulation.delaySeconds > 0) wait(world, id, simulation)
  else proceed(world, id, simulation, simulation.way.length)
}

/** The path to the requested status. A simulation cannot register a kit, and cancels only when asked to. */
function pathToStatus(world: World, order: OrderRow, { low, method }: TargetStatus): LowStatus[] {
  const way = findPath(world, order, { low, method })
  if (way) return way
  throw badRequest(`The order is ${order.last_event.status}; it cannot be simulated to ${low}`)
}

function findPath(world: World, order: OrderRow, { low, method }: TargetStatus): LowStatus[] | undefined {
  const workflow = workflowOf(order)
  const history = statusHistoryOf(order)
  const ofOther = method !== undefined && method !== methodOf(order)
  if (!ofOther && low === currentStatusOf(order) && !canMove(workflow, history, low)) return []
  const mayReach = (status: LowStatus) => status !== 'registered' || order.patient_details !== null
  const mayPass = (status: LowStatus) => status !== 'cancelled' && mayReach(status)
  const way = ofOther ? undefined : (pathAlong(order, low) ?? pathTo(workflow, history, low, mayPass))
  const isOpen = mayReach(low) && (low !== 'redraw_available' || canBeRedrawn(world, order))
  return isOpen ? way : undefined
}

/** The path to a status along the happy path; undefined if there is none. */
function pathAlong(order: OrderRow, to: LowStatus): LowStatus[] | undefined {
  const path = happyPaths.get(workflowOf(order))
  if (!path.includes(to) || statusHistoryOf(order).includes(to)) return undefined
  const way = pathToEnd(order, path.slice(0, path.indexOf(to) + 1))
  return way.at(-1) === to ? way : undefined
}

/** The rest of the happy path, up to the registration of the kit. */
function pathToEnd(order: OrderRow, path = happyPaths.get(workflowOf(order))): LowStatus[] {
  const workflow = workflowOf(order)
  const before = statusHistoryOf(order)
  const history = [...before]
  for (const target of path) {
    if (history.includes(target)) continue
    if (target === 'registered') break
    const way = pathTo(
      workflow,
      history,
      target,
      (status) => path.includes(status) && status !== 'registered',
    )
    append(history, way ?? [])
  }
  return history.slice(before.length)
}

/** Runs a number of steps; in the live sandbox, those before the laboratory has the results. The rest waits. */
function proceed(world: World, orderId: string, simulation: RemainingSimulation, most: number): void {
  const { way, asLive } = simulation
  const atLaboratory = way.indexOf('delivered_to_lab') + 1
  const rest = takeSteps(world, orderId, simulation, asLive ? atLaboratory || way.length : most)
  if (rest.length === 0) return
  const remaining = { ...simulation, way: rest }
  if (asLive) awaitLaboratory(world, orderId, remaining)
  else wait(world, orderId, remaining)
}

/** Runs a number of steps, skipping those that are already done. Returns the remaining steps. */
function takeSteps(
  world: World,
  orderId: string,
  { way, results, exact, asLive }: RemainingSimulation,
  most: number,
): LowStatus[] {
  let rest = [...way]
  for (let taken = 0; taken < most && rest.length > 0; taken++) {
    const [to, ...next] = rest as [LowStatus, ...LowStatus[]]
    rest = next
    const order = world.db.find(orders, orderId)
    if (!order || currentStatusOf(order) === 'cancelled') return []
    if (!canMove(workflowOf(order), statusHistoryOf(order), to)) continue
    // A correction keeps the interpretation of the results before it.
    const isUsual = asLive || to === 'corrected'
    const step: Step = { to, results: isUsual ? results : { interpretation: 'normal', ...results }, asLive }
    const moved = moveWithResults(world, order, step, undefined, (each) =>
      moveOrder(world, order, each, { exact }),
    )
    const ahead = statusHistoryOf(moved).slice(order.events.length + 1)
    rest = rest.filter((low) => !ahead.includes(low))
  }
  return rest
}

function wait(world: World, orderId: string, simulation: RemainingSimulation): void {
  if (simulation.way.length === 0) return
  const afterScenarioMs = simulation.delaySeconds * SECOND_MS
  world.agenda.schedule({ afterScenarioMs, kind: STEP, subject: orderId, data: simulation })
}

/** The time from the arrival of a kit to its results. The live sandbox takes less than 15 seconds; this figure is assumed. */
const LABORATORY_MS = 5 * SECOND_MS

/** Waits on the clock, also where scenario time passes faster, so that the order is seen without results. */
function awaitLaboratory(world: World, orderId: string, simulation: RemainingSimulation): void {
  const due = world.clock.now() + LABORATORY_MS
  world.agenda.schedule({ due, kind: STEP, subject: orderId, data: simulation })
}

export const simulateJobs: JobKinds = {
  [STEP]: {
    about: 'order',
    does: 'the next step of the simulation',
    run(world, { subject, data }) {
      const continueRun = () => proceed(world, subject, data as RemainingSimulation, 1)
      return world.services.scenarios.ready()?.then(continueRun) ?? continueRun()
    },
  },
}

/** The requested final status of a simulation. */
interface TargetStatus {
  readonly low: LowStatus
  readonly method?: Method | undefined
}

/** The steps of a call in the live sandbox, where one with a delay goes the whole way. Source: docs/contract/simulation.md#as-observed. */
function livePathOf(
  world: World,
  order: OrderRow,
  to: TargetStatus | undefined,
  hasDelay: boolean,
): LowStatus[] {
  if (hasDelay) return wholeLivePath(world, order, to)
  return methodOf(order) === 'testkit' ? livePathOfKit(order, to) : livePath(order, to)
}

/** The path to the target, or to the end if the live sandbox does not reach that target. A visit at home has to be booked before. */
function wholeLivePath(world: World, order: OrderRow, to: TargetStatus | undefined): LowStatus[] {
  const status = currentStatusOf(order)
  if (status === 'cancelled') return []
  const history = statusHistoryOf(order)
  if (methodOf(order) === 'at_home_phlebotomy' && !history.includes('appointment_scheduled'))
    return status === 'ordered' ? ['requisition_created'] : []
  const isPassedOver = to && (to.low === 'cancelled' || to.low === 'redraw_available' || isBooking(to.low))
  return (to && !isPassedOver && findPath(world, order, to)) || pathToEnd(order)
}

const isBooking = (low: LowStatus) => low.startsWith('appointment_')

/** Statuses of walk-in orders that the live sandbox never reaches by a simulation. */
const neverReached: readonly LowStatus[] = [
  'appointment_pending',
  'appointment_scheduled',
  'appointment_cancelled',
  'requisition_created',
  'requisition_bypassed',
  'redraw_available',
]

/** The steps of a call for an order without a kit. */
function livePath(order: OrderRow, to: TargetStatus | undefined): LowStatus[] {
  const method = methodOf(order)
  if (currentStatusOf(order) === 'ordered') return ['requisition_created']
  if (method !== 'walk_in_test' || currentStatusOf(order) === 'cancelled') return []
  const end: LowStatus[] =
    currentStatusOf(order) === 'partial_results' ? ['completed'] : ['partial_results', 'completed']
  if (!to || (to.method ?? method) !== method) return end
  if (neverReached.includes(to.low)) return []
  if (to.low === 'partial_results') return ['partial_results']
  return topStatusOf(method, to.low) === 'failed' ? [to.low] : end
}

/** The steps of a call for a kit, which the customer has to register if it was ordered without a patient. */
function livePathOfKit(order: OrderRow, to: TargetStatus | undefined): LowStatus[] {
  if (to && to.low !== 'completed') {
    return currentStatusOf(order) === 'ordered' ? ['requisition_created'] : []
  }
  return statusHistoryOf(order).includes('delivered_to_lab') ? [] : pathToEnd(order)
}

/** The types of results in the live sandbox by default, in turn. Source: docs/contract/results.md. */
const liveTypes = ['numeric', 'comment', 'range'] as const
