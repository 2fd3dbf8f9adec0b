import { atLocal, localDate, nextDate } from '../kernel/local-day.ts'
import { isWorkday } from '../kernel/workdays.ts'
import { zoneOfZip } from '../resources/catalogue/homes.ts'
import type { LowStatus } from '../resources/orders/lifecycle.ts'
import type { OrderRow } from '../resources/orders/table.ts'
import type { World } from '../world/world.ts'

type Hours = readonly [from: number, to: number]

/** The local hours at which a courier comes by, once a day, by the status that is set then. Assumed. */
const routes: Partial<Record<LowStatus, Hours>> = {
  transit_customer: [15, 20],
  problem_in_transit_customer: [8, 19],
  out_for_delivery: [7, 9.5],
  with_customer: [10, 17],
  failure_to_deliver_to_customer: [10, 17],
  transit_lab: [14, 19],
  problem_in_transit_lab: [8, 19],
  delivered_to_lab: [8.5, 11.5],
  failure_to_deliver_to_lab: [8.5, 17],
}

/** The local hours during which laboratories report and phlebotomists draw. Assumed. */
const LAB: Hours = [7, 21]
const openHours: Partial<Record<LowStatus, Hours>> = {
  draw_completed: [7.5, 16.5],
  lab_processing_blocked: LAB,
  sample_error: LAB,
  partial_results: LAB,
  redraw_available: LAB,
  completed: LAB,
  corrected: LAB,
}

/** The share of the open hours in which what waits for the morning is done. */
const MORNING = 0.2

/**
 * When an order gets a status that is due at an instant. A courier comes by on that day, or the next day of work if that
 * is not after the status before; a laboratory or a phlebotomist acts at once while open. Other statuses are set at any time.
 */
export function instantOfWork(
  world: World,
  { id, patient_address }: OrderRow,
  low: LowStatus,
  { from, due }: { readonly from: number; readonly due: number },
): number {
  const route = routes[low]
  const hours = route ?? openHours[low]
  if (!hours) return due
  const zone = zoneOfZip(patient_address?.zip ?? '')
  const share = world.random.noise(`working-hours/${world.drawKey('order', id)}/${low}`)
  for (let date = localDate(zone, due); ; date = nextDate(date)) {
    if (!isWorkday(date)) continue
    const instant = (of: number) => atLocal(zone, date, hours[0] + (hours[1] - hours[0]) * of)
    if (!route && instant(0) <= due && due <= instant(1)) return due
    const at = instant(route ? share : share * MORNING)
    if (at > (route ? from : due)) return at
  }
}
