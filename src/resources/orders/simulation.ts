import { feature } from '../../api/features.ts'
import { SECOND_MS } from '../../kernel/instant.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Job } from '../../scheduler/job.ts'
import type { World } from '../../world/world.ts'
import { canMove, happyPaths, type LowStatus, type Method, pathTo, topStatusOf } from './lifecycle.ts'
import { canBeRedrawn } from './redraws.ts'
import { getOrder, moveOrder } from './service.ts'
import {
  currentStatusOf,
  methodOf,
  type OrderRow,
  orders,
  type ResultPlan,
  statusHistoryOf,
  workflowOf,
} from './table.ts'

const STEP = 'orders.simulate'

interface Simulation {
  readonly to?: TargetStatus | undefined
  /** Seconds between two steps; with 0 all are done immediately. */
  readonly delaySeconds: number
  readonly results: ResultPlan
}

/** The remaining steps of a simulation, and its options. */
interface RemainingSimulation {
  readonly way: readonly LowStatus[]
  readonly delaySeconds: number
  readonly results: ResultPlan
  /** Whether a final status was requested. */
  readonly exact: boolean
  /** Whether to wait once before all steps instead of before each. */
  readonly together: boolean
}

/** Simulates the progress of an order, to a status or to the end of its happy path. Source: contract/lab-testing.md §3. */
export function simulateOrder(world: World, orderId: string, { to, ...how }: Simulation): void {
  const order = getOrder(world, orderId, "Order doesn't exist")
  if (currentStatusOf(order) === 'cancelled') return
  const isLive = feature(world, 'simulation') === 'live'
  const documented = () => (to ? pathToStatus(world, order, to) : pathToEnd(order))
  const way = (isLive ? livePath(order, to) : undefined) ?? documented()
  world.parts.scenarios.leave(world, orderId, 'the order was simulated')
  world.agenda.cancel(STEP, orderId)
  const results = isLive ? { types: liveTypes, ...how.results } : how.results
  const simulation = { ...how, results, way, exact: to !== undefined, together: isLive }
  if (how.delaySeconds > 0) wait(world, orderId, simulation)
  else takeSteps(world, orderId, simulation)
}

/** The path to the requested status. A simulation cannot register a kit, and cancels only when asked to. */
function pathToStatus(world: World, order: OrderRow, { low, method }: TargetStatus): LowStatus[] {
  const workflow = workflowOf(order)
  const history = statusHistoryOf(order)
  const ofOther = method !== undefined && method !== methodOf(order)
  if (!ofOther && low === currentStatusOf(order) && !canMove(workflow, history, low)) return []
  const mayReach = (status: LowStatus) => status !== 'registered' || order.patient_details !== null
  const mayPass = (status: LowStatus) => status !== 'cancelled' && mayReach(status)
  const way = ofOther ? undefined : (pathAlong(order, low) ?? pathTo(workflow, history, low, mayPass))
  const isOpen = mayReach(low) && (low !== 'redraw_available' || canBeRedrawn(world, order))
  if (way && isOpen) return way
  throw new Problem(
    'bad_request',
    `The order is ${order.last_event.status}; it cannot be simulated to ${low}`,
  )
}

/** The path to a status along the happy path; undefined if there is none. */
function pathAlong(order: OrderRow, to: LowStatus): LowStatus[] | undefined {
  const path = happyPaths[workflowOf(order)]
  if (!path.includes(to) || statusHistoryOf(order).includes(to)) return undefined
  const way = pathToEnd(order, path.slice(0, path.indexOf(to) + 1))
  return way.at(-1) === to ? way : undefined
}

/** The rest of the happy path, up to the registration of the kit. */
function pathToEnd(order: OrderRow, path = happyPaths[workflowOf(order)]): LowStatus[] {
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
    history.push(...(way ?? []))
  }
  return history.slice(before.length)
}

/** Runs a number of steps, skipping those that are already done. Returns the remaining steps. */
function takeSteps(
  world: World,
  orderId: string,
  { way, results, exact }: RemainingSimulation,
  most = way.length,
): LowStatus[] {
  let rest = [...way]
  for (let taken = 0; taken < most && rest.length > 0; taken++) {
    const [to, ...next] = rest as [LowStatus, ...LowStatus[]]
    rest = next
    const order = world.db.find(orders, orderId)
    if (!order || currentStatusOf(order) === 'cancelled') return []
    if (!canMove(workflowOf(order), statusHistoryOf(order), to)) continue
    const moved = moveOrder(world, order, { to, results }, { exact })
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

export const simulateJobs = {
  [STEP](world: World, { subject, data }: Job): void | Promise<void> {
    const simulation = data as RemainingSimulation
    const continueRun = () => {
      const way = takeSteps(world, subject, simulation, simulation.together ? undefined : 1)
      wait(world, subject, { ...simulation, way })
    }
    return world.parts.scenarios.ready()?.then(continueRun) ?? continueRun()
  },
}

/** The requested final status of a simulation. */
interface TargetStatus {
  readonly low: LowStatus
  readonly method?: Method
}

/** Statuses of walk-in orders that the live sandbox never reaches by a simulation. */
const neverReached: readonly LowStatus[] = [
  'appointment_pending',
  'appointment_scheduled',
  'appointment_cancelled',
  'requisition_created',
  'requisition_bypassed',
  'redraw_available',
]

/** The observed steps of the live sandbox; undefined where it behaves as documented. Source: contract/lab-testing.md §3. */
function livePath(order: OrderRow, to: TargetStatus | undefined): LowStatus[] | undefined {
  const low = currentStatusOf(order)
  const method = methodOf(order)
  if (low === 'ordered') return ['requisition_created']
  if (method === 'at_home_phlebotomy') return []
  if (method !== 'walk_in_test' || !statusHistoryOf(order).some((had) => had.startsWith('requisition_')))
    return undefined
  const end: LowStatus[] = low === 'partial_results' ? ['completed'] : ['partial_results', 'completed']
  if (!to || (to.method ?? method) !== method) return end
  if (neverReached.includes(to.low)) return []
  if (to.low === 'partial_results') return ['partial_results']
  return topStatusOf(method, to.low) === 'failed' ? [to.low] : end
}

/** The types of results in the live sandbox by default, in turn. Source: contract/lab-testing.md §11. */
const liveTypes = ['numeric', 'comment', 'range'] as const
