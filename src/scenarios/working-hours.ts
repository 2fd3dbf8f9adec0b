import * as z from 'zod'
import rows from '../../seeds/orders/working-hours.json' with { type: 'json' }
import { atLocal, localDate, nextDate } from '../kernel/local-day.ts'
import { bundledTable, type SeedRow } from '../kernel/seed-table.ts'
import { isWorkday } from '../kernel/workdays.ts'
import { zoneOfZip } from '../resources/catalogue/homes.ts'
import type { LowStatus } from '../resources/orders/lifecycle.ts'
import type { OrderRow } from '../resources/orders/table.ts'
import type { World } from '../world/world.ts'

const hours = () => z.tuple([z.number(), z.number()])
type Hours = ReadonlyMap<LowStatus, SeedRow<typeof hours>>

/** The local hours at which a courier comes by, once a day, by the status that is set then. Assumed. */
const routes: Hours = bundledTable('orders/working-hours.json', rows.couriers, hours)
/** The local hours during which laboratories report and phlebotomists draw. Assumed. */
const openHours: Hours = bundledTable('orders/working-hours.json', rows.open, hours)

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
  const route = routes.get(low)
  const span = route ?? openHours.get(low)
  if (!span) return due
  const zone = zoneOfZip(patient_address?.zip ?? '')
  const share = world.random.noise(`working-hours/${world.drawKey('order', id)}/${low}`)
  for (let date = localDate(zone, due); ; date = nextDate(date)) {
    if (!isWorkday(date)) continue
    const instant = (of: number) => atLocal(zone, date, span[0] + (span[1] - span[0]) * of)
    if (!route && instant(0) <= due && due <= instant(1)) return due
    const at = instant(route ? share : share * MORNING)
    if (at > (route ? from : due)) return at
  }
}
