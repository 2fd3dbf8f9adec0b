import type { OrderHooks } from './api/order-hooks.ts'
import { resumeWaitingAppointment, updateAppointment } from './resources/appointments/service.ts'
import { queueEvent } from './resources/etl/service.ts'
import { countSent } from './resources/introspection/service.ts'
import { followOrder } from './resources/order-tracking/service.ts'
import { fillDirectory } from './resources/orders/directory.ts'
import { settleReport } from './resources/results/exact.ts'
import { scheduleQueries } from './resources/sense/continuous-queries.ts'
import { worldTables } from './tables.ts'
import { enqueueEvent, resumeDeliveries } from './webhooks/index.ts'
import type { EventHead } from './world/events.ts'
import type { World } from './world/world.ts'

/** Called with each event once it is stored. */
export function onEvent(world: World, event: EventHead): void {
  enqueueEvent(world, event)
  countSent(world, event)
  scheduleQueries(world, event)
  queueEvent(world, event)
}

/** Called when an order has reached a status. */
export const orderHooks: OrderHooks = {
  beforeAnnounce(world, orderId, low) {
    updateAppointment(world, orderId, low)
    settleReport(world, orderId)
  },
  afterCommit(world, orderId, low) {
    followOrder(world, orderId, low)
    resumeWaitingAppointment(world, orderId, low)
    if (low === 'appointment_scheduled') world.services.scenarios.resume(world, orderId, 'appointment')
  },
}

/** Called when a stored world is opened. */
export async function onOpen(world: World): Promise<void> {
  for (const table of worldTables) await world.db.buildIndexes(table)
  await resumeDeliveries(world)
  await fillDirectory(world)
}
