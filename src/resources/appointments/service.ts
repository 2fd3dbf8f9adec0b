import { byName } from '../../kernel/fields.ts'
import { localDate, localTime } from '../../kernel/local-day.ts'
import { isWorkday } from '../../kernel/workdays.ts'
import type { World } from '../../world/world.ts'
import { sitesNear, visitArea } from '../areas/service.ts'
import type { LowStatus } from '../orders/lifecycle.ts'
import { getOrder } from '../orders/service.ts'
import { labOf, methodOf, type OrderRow } from '../orders/table.ts'
import {
  BOOKABLE_HERE,
  type Calendar,
  type ChosenSlot,
  daysFrom,
  findSlot,
  freePlaces,
  homeCalendar,
  isBookableHere,
  siteCalendar,
} from './availability.ts'
import { bookNow, draftAppointment, heldSlot, moveTo } from './booking.ts'
import { home, type Kind, kindOf, VISIT_HOURS } from './kinds.ts'
import { canBecome } from './lifecycle.ts'
import { type AppointmentRow, bookingOutcomes, takenSlots } from './table.ts'
import {
  activeAppointment,
  applyStep,
  bookedMoves,
  cancellationData,
  confirmTime,
  moveAlong,
  requisitionCame,
} from './transition.ts'

export type { ChosenSlot } from './availability.ts'
export { attachHold, chooseHold, releaseHold, takeHold } from './holds.ts'

/** Actions of providers and patients on an appointment, for scenarios, simulations and control calls. */

/** The statuses that a booking brings an order to; none if it can have no appointment. */
export function bookingMoves(world: World, order: OrderRow): readonly LowStatus[] {
  const kind = kindOf(methodOf(order))
  return kind ? bookedMoves(world, kind) : []
}

/** Books the first free slot for an order that has its status already, if there is one. */
function bookFirstFree(world: World, order: OrderRow, kind: Kind) {
  const chosen = firstFree(world, order)
  return chosen && bookNow(world, kind, draftAppointment(world, kind, order, chosen, null), chosen)
}

function firstFree(world: World, order: OrderRow, after = world.clock.now()): ChosenSlot | undefined {
  const calendar = calendarFor(world, order)
  if (!calendar) return undefined
  const slot = daysFrom(calendar, localDate(calendar.timeZone, after))
    .flatMap(({ date, slots }) => (isWorkday(date) ? slots : []))
    .filter(({ startAt }) => localTime(calendar.timeZone, startAt)[0] >= VISIT_HOURS[0])
    .find((free) => free.startAt > after && freePlaces(world, free) > 0)
  return slot && findSlot(world, slot.id)
}

/** The calendar of the phlebotomists or of the site nearest to the patient, or anywhere if there is none. */
function calendarFor(world: World, order: OrderRow): Calendar | undefined {
  const catalogue = world.services.catalogue
  const zip = order.patient_address?.zip ?? ''
  if (methodOf(order) === home.method) {
    const areas = [visitArea(world, zip), ...catalogue.phlebotomyAreas().values()]
    const area = areas.find((each) => each?.service_types.includes('appointment-ready'))
    return area && homeCalendar(world, area)
  }
  const lab = labOf(order)
  const [near] = sitesNear(world, { lab, zip, capabilities: [BOOKABLE_HERE] }, 1)
  const anywhere = [...catalogue.pscSites().values()].find(
    (site) => site.lab === lab && site.is_active && isBookableHere(site),
  )
  const site = near?.site ?? anywhere
  return site && siteCalendar(world, site)
}

/** When the order's appointment begins; undefined without one, or before its time is set. */
export function visitStart(world: World, order: OrderRow): number | undefined {
  const startAt = activeAppointment(world, order)?.start_at
  return startAt ? Date.parse(startAt) : undefined
}

export const appointmentStatusOf = (world: World, order: OrderRow) =>
  activeAppointment(world, order)?.event_status

/** Starts the appointment. */
export function startAppointment(world: World, orderId: string): AppointmentRow | undefined {
  const appointment = activeAppointment(world, getOrder(world, orderId))
  return appointment && applyStep(world, appointment, { to: 'in_progress' })
}

/** Completes the appointment. An order of a visit becomes `draw_completed`, which others have not. */
export function completeAppointment(world: World, orderId: string): AppointmentRow | undefined {
  const appointment = activeAppointment(world, getOrder(world, orderId))
  const completed = appointment && applyStep(world, appointment, { to: 'completed' })
  if (completed) moveAlong(world, orderId, ['draw_completed'])
  return completed
}

/** Moves the appointment to the next free slot after its own, for the patient. */
export function moveAppointment(world: World, orderId: string): AppointmentRow | undefined {
  const order = getOrder(world, orderId)
  const appointment = activeAppointment(world, order)
  const kind = kindOf(methodOf(order))
  if (!appointment?.start_at || !kind || !canBecome(appointment, appointment.event_status)) return undefined
  const chosen = firstFree(world, order, Math.max(Date.parse(appointment.start_at), world.clock.now()))
  return chosen && moveTo(world, kind, appointment, chosen)
}

/** Cancels for the provider, or because the patient did not appear (`no_show`). */
export const cancelByProvider = (world: World, orderId: string, because: string) =>
  callOff(world, orderId, cancellationData('provider', because))

/** Cancels for the patient, without an API call. */
export const cancelByPatient = (world: World, orderId: string) =>
  callOff(world, orderId, cancellationData('patient', 'no_longer_interested'))

function callOff(
  world: World,
  orderId: string,
  data: AppointmentRow['event_data'],
): AppointmentRow | undefined {
  const appointment = activeAppointment(world, getOrder(world, orderId))
  const cancelled = appointment && applyStep(world, appointment, { to: 'cancelled', data })
  if (cancelled) moveAlong(world, orderId, ['appointment_cancelled'])
  return cancelled
}

/** Marks the order's slot as taken by another patient, which cancels its appointment; without one, the next slot it tries to book. */
export function takeSlot(world: World, orderId: string) {
  const appointment = activeAppointment(world, getOrder(world, orderId))
  const slot = appointment && heldSlot(world, appointment)
  if (!slot) {
    return world.db.put(bookingOutcomes, { order_id: orderId, fate: 'slot_gone' })
  }
  world.db.put(takenSlots, { slot, taken_at: world.clock.now() })
  return cancelByProvider(world, orderId, 'slot_no_longer_available')
}

/** Makes the order's next booking time out: it fails, or with asynchronous confirmation ends at its deadline. */
export const makeNextBookingTimeOut = (world: World, orderId: string) =>
  world.db.put(bookingOutcomes, { order_id: orderId, fate: 'provider_silent' })

type UpdateAppointment = (world: World, appointment: AppointmentRow) => void

const endWithOrder: UpdateAppointment = (world, appointment) => {
  const kept = appointment.event_status === 'scheduled' || appointment.event_status === 'in_progress'
  applyStep(
    world,
    appointment,
    kept ? { to: 'completed' } : { to: 'cancelled', data: cancellationData('provider') },
  )
}

/** The status of the appointment when the order is moved without it, by order status. */
const accompanies = byName<UpdateAppointment>({
  appointment_scheduled: (world, appointment) => {
    if (appointment.event_status !== 'scheduled') confirmTime(world, appointment)
  },
  appointment_cancelled: (world, appointment) =>
    void applyStep(world, appointment, { to: 'cancelled', data: cancellationData('provider') }),
  draw_completed: endWithOrder,
  partial_results: endWithOrder,
  completed: endWithOrder,
  redraw_available: endWithOrder,
  sample_error: endWithOrder,
  // An appointment at a site stays. Source: docs/contract/orders.md#cancelling.
  cancelled(world, appointment) {
    if (appointment.type !== home.type) return
    applyStep(world, appointment, { to: 'cancelled', data: cancellationData('patient', 'order_cancelled') })
  },
})

/** Updates an order's appointment to the order's status. An order that is scheduled or drawn without one gets one. */
export function updateAppointment(world: World, orderId: string, low: string): void {
  const update = accompanies[low]
  if (!update) return
  const order = getOrder(world, orderId)
  const kind = kindOf(methodOf(order))
  const appointment = activeAppointment(world, order)
  if (appointment) update(world, appointment)
  else if (kind && low === 'appointment_scheduled') bookFirstFree(world, order, kind)
  else if (kind && low === 'draw_completed') {
    const held = bookFirstFree(world, order, kind)
    if (held) update(world, held)
  }
}

/** Continues an appointment that waited for the requisition; this may move the order. */
export function resumeWaitingAppointment(world: World, orderId: string, low: string): void {
  if (low !== 'requisition_created' && low !== 'requisition_bypassed') return
  const appointment = activeAppointment(world, getOrder(world, orderId))
  if (appointment) requisitionCame(world, appointment)
}
