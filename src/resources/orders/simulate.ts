import { SECOND_MS } from '../../kernel/instant.ts'
import { Problem } from '../../kernel/problem.ts'
import type { Job } from '../../world/agenda.ts'
import type { World } from '../../world/world.ts'
import { canMove, type LowStatus, type Method, successPaths, wayTo } from './lifecycle.ts'
import { getOrder, moveOrder } from './moves.ts'
import { lowOf, methodOf, roadOf, trailOf } from './progress.ts'
import { type OrderRow, orders, type ResultPlan } from './table.ts'

const STEP = 'orders.simulate'

export interface Simulation {
  readonly to?: { readonly low: LowStatus; readonly method?: Method } | undefined
  /** Seconds between two steps; 0 takes them all at once. */
  readonly delaySeconds: number
  readonly results: ResultPlan
}

/** Walks an order on, to a status or to the end of its success path. Source: contract/lab-testing.md §3. */
export function simulateOrder(
  world: World,
  orderId: string,
  { to, delaySeconds, results }: Simulation,
): void {
  const order = getOrder(world, orderId, "Order doesn't exist")
  if (lowOf(order) === 'cancelled') return
  const way = to ? wayToStatus(order, to) : wayToEnd(order)
  world.parts.stories.leave(world, orderId, 'the order was simulated')
  world.agenda.remove(STEP, orderId)
  if (delaySeconds > 0) waitForNext(world, orderId, { way, delaySeconds, results })
  else takeSteps(world, order, way, results)
}

function wayToStatus(order: OrderRow, { low, method }: NonNullable<Simulation['to']>): LowStatus[] {
  const way =
    method === undefined || method === methodOf(order) ? wayTo(roadOf(order), trailOf(order), low) : undefined
  if (way) return way
  if (low === lowOf(order)) return []
  throw new Problem(
    'bad_request',
    `The order is ${order.last_event.status}; it cannot be simulated to ${low}`,
  )
}

/** What is left of the success path; it stops where the customer has to register the kit. */
function wayToEnd(order: OrderRow): LowStatus[] {
  const road = roadOf(order)
  const path = successPaths[road]
  const before = trailOf(order)
  const trail = [...before]
  for (const target of path) {
    if (trail.includes(target)) continue
    const way = wayTo(road, trail, target, (status) => path.includes(status) && status !== 'registered')
    if (target === 'registered' || !way) break
    trail.push(...way)
  }
  return trail.slice(before.length)
}

function takeSteps(world: World, order: OrderRow, way: readonly LowStatus[], results: ResultPlan): void {
  let current = order
  for (const to of way) current = moveOrder(world, current, { to, results })
}

interface Walk {
  readonly way: readonly LowStatus[]
  readonly delaySeconds: number
  readonly results: ResultPlan
}

function waitForNext(world: World, orderId: string, walk: Walk): void {
  if (walk.way.length === 0) return
  const due = world.clock.now() + world.paced(walk.delaySeconds * SECOND_MS)
  world.agenda.add({ due, kind: STEP, subject: orderId, paced: true, data: walk })
}

export const simulateJobs = {
  [STEP](world: World, { subject, data }: Job) {
    const { way, delaySeconds, results } = data as Walk
    const [to, ...rest] = way
    const order = world.db.find(orders, subject)
    if (!order || !to || !canMove(roadOf(order), trailOf(order), to)) return
    moveOrder(world, order, { to, results })
    waitForNext(world, subject, { way: rest, delaySeconds, results })
  },
}
