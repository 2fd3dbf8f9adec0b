import type { JobKinds } from '../../api/resource.ts'
import { toDate, toWire } from '../../kernel/instant.ts'
import { badRequest } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { putOrder } from './directory.ts'
import { getOrder } from './service.ts'
import { currentStatusOf, methodOf, type OrderRow, orders } from './table.ts'

const ACTIVATE = 'orders.activate'

/** What a scheduled order waits for. */
interface ActivationData {
  readonly scenario: string
}

const today = (world: World) => toDate(world.clock.now())

export function assertNotInPast(world: World, activateBy: string | null): void {
  if (activateBy !== null && activateBy < today(world)) {
    throw badRequest('activate_by must not be in the past')
  }
}

/** Begins an order's scenario: immediately, or on the scheduled day. */
export function beginWhenDue(world: World, { id, activate_by }: OrderRow, scenario: string): void {
  world.agenda.cancel(ACTIVATE, id)
  if (activate_by === null || activate_by <= today(world)) {
    world.services.scenarios.begin(world, id, scenario)
    return
  }
  world.agenda.schedule({
    due: Date.parse(activate_by),
    kind: ACTIVATE,
    subject: id,
    data: { scenario },
  })
}

/** Changes or removes the date of a scheduled order. Source: docs/contract/placing.md#scheduled-orders. */
export function reschedule(world: World, orderId: string, activateBy: string | null): OrderRow {
  const order = getOrder(world, orderId)
  const low = currentStatusOf(order)
  if (low !== 'ordered' && low !== 'awaiting_registration') {
    throw badRequest(`The order cannot be updated, it is in state ${low}`)
  }
  if (order.activate_by === null) {
    throw badRequest('The order was not created with activate_by and cannot be scheduled')
  }
  assertNotInPast(world, activateBy)
  const scenario = scenarioOf(world, order)
  world.services.scenarios.leave(world, orderId, 'the order was rescheduled')
  const changed = putOrder(world, {
    ...order,
    activate_by: activateBy,
    updated_at: toWire(world.clock.now()),
  })
  beginWhenDue(world, changed, scenario)
  return changed
}

/** The scenario of a scheduled order, or if it has begun the one that would be chosen now. */
function scenarioOf(world: World, order: OrderRow): string {
  const waiting = world.agenda.find(ACTIVATE, order.id)?.data as ActivationData | undefined
  if (waiting) return waiting.scenario
  const { zip } = order.patient_address ?? {}
  return world.services.scenarios.choose(world, {
    requested: undefined,
    method: methodOf(order),
    zip,
    userId: order.user_id,
  })
}

export const scheduleJobs: JobKinds = {
  [ACTIVATE]: {
    about: 'order',
    does: 'the scheduled order becomes active',
    run(world, { subject, data }) {
      const scenarios = world.services.scenarios
      const begin = () => {
        const order = world.db.find(orders, subject)
        if (order && currentStatusOf(order) === 'ordered')
          scenarios.begin(world, subject, (data as ActivationData).scenario)
      }
      return scenarios.ready()?.then(begin) ?? begin()
    },
  },
}
