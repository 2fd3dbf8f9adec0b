import type { Parsed } from '../../api/schema.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { getOrder } from '../orders/service.ts'
import { currentStatusOf, type OrderRow } from '../orders/table.ts'
import { siteAddress } from './availability.ts'
import { chosenSlot, heldSlot, orderFor, problemOf, timeOf, wrongState } from './booking.ts'
import { activeAppointment, applyStep, lacksRequisition, moveAlong, updateBooking } from './course.ts'
import { type Kind, psc } from './kinds.ts'
import { isOver } from './lifecycle.ts'
import { OTHER } from './reasons.ts'
import type { RescheduleRequest } from './requests.ts'
import { type AppointmentRow, appointments, spentKeys } from './table.ts'
import { awaitRequisition } from './waiting.ts'

/** The appointment an order has. */
export function getAppointment(world: World, kind: Kind, orderId: string): AppointmentRow {
  const appointment = activeAppointment(world, orderFor(world, kind, orderId))
  if (!appointment) throw problemOf(kind.errors.nothingToShow)
  return appointment
}

/** Statuses after the sample was collected. */
const changeable: ReadonlySet<string> = new Set([
  'ordered',
  'requisition_created',
  'requisition_bypassed',
  'appointment_pending',
  'appointment_scheduled',
])

/** Reschedules an appointment. Source: contract/lab-testing.md §13, §14. */
export function rescheduleAppointment(
  world: World,
  kind: Kind,
  orderId: string,
  { booking_key: key, appointment_notes: notes }: Parsed<typeof RescheduleRequest>,
): AppointmentRow {
  const order = orderFor(world, kind, orderId)
  const appointment = activeAppointment(world, order) ?? lastAppointment(world, order)
  if (!appointment) throw problemOf(kind.errors.nothingToChange)
  if (isOver(appointment)) {
    throw new Problem('bad_request', 'This appointment has been cancelled or completed.')
  }
  if (!changeable.has(currentStatusOf(order))) throw wrongState(order, 'rescheduling')
  if (!appointment.can_reschedule) throw new Problem('bad_request', 'This appointment cannot be rescheduled.')
  const chosen = chosenSlot(world, kind, order, key, heldSlot(world, appointment))
  world.db.put(spentKeys, { key })
  const { place, slot } = chosen
  updateBooking(world, appointment.id, { slot: slot.id, taken_at: world.clock.now() })
  const moved = applyStep(world, appointment, {
    to: appointment.event_status,
    data: { origin: 'patient', is_reschedule: true },
    fields: {
      ...timeOf(world, chosen),
      ...('site' in place && {
        address: siteAddress(place.site),
        location: { lng: place.site.lng, lat: place.site.lat },
      }),
      ...('area' in place && { address: withAccessNotes(appointment, order) }),
      ...(notes !== null && { appointment_notes: notes }),
    },
  })
  if (!moved) throw new Error(`${appointment.event_status} cannot be rescheduled`)
  if (lacksRequisition(order)) awaitRequisition(world, moved, order)
  else moveAlong(world, orderId, kind.orderMoves)
  return moved
}

/** The access notes are required for each appointment. Source: spec.md, Address. */
const withAccessNotes = ({ address }: AppointmentRow, { patient_address: patient }: OrderRow) => ({
  ...address,
  access_notes: patient?.access_notes ?? address.access_notes,
})

export interface Cancellation {
  readonly reasonId: string
  readonly notes: string | null
}

/** Cancels an appointment for the patient. Source: contract/lab-testing.md §13, §14. */
export function cancelAppointment(
  world: World,
  kind: Kind,
  orderId: string,
  cancellation: Cancellation,
): AppointmentRow {
  const order = orderFor(world, kind, orderId)
  const appointment = activeAppointment(world, order) ?? lastAppointment(world, order)
  if (!appointment) throw problemOf(kind.errors.nothingToChange)
  const data = cancellationData(kind, cancellation)
  if (appointment.event_status === 'cancelled') {
    if (kind.cancelsTwice) return appointment
    throw new Problem('bad_request', 'This appointment has already been cancelled.')
  }
  if (isOver(appointment)) {
    throw new Problem('bad_request', 'This appointment has been cancelled or completed.')
  }
  const low = currentStatusOf(order)
  // An appointment at a site stays when its order is cancelled.
  if (!changeable.has(low) && low !== 'cancelled') throw wrongState(order, 'cancelling')
  if (kind === psc && appointment.provider === 'sonora_quest') {
    throw new Problem('bad_request', 'This appointment cannot be cancelled through the API.')
  }
  const cancelled = applyStep(world, appointment, { to: 'cancelled', data })
  if (!cancelled) throw new Error(`${appointment.event_status} cannot be cancelled`)
  moveAlong(world, orderId, ['appointment_cancelled'])
  return cancelled
}

function cancellationData(kind: Kind, { reasonId, notes }: Cancellation) {
  const reason = [...kind.reasons, ...kind.olderReasons].find(({ id }) => id === reasonId)
  if (!reason) throw new Problem('bad_request', 'Invalid cancellation reason id')
  if (kind.otherNeedsNotes && reason.name === OTHER && !notes?.trim()) {
    throw new Problem('bad_request', 'notes must be provided when the cancellation reason is Other')
  }
  return { origin: 'patient', cancellation_reason_id: reasonId, notes }
}

/** The last appointment of an order without an active one. */
const lastAppointment = (world: World, { id }: OrderRow): AppointmentRow | undefined =>
  world.db.by(appointments, 'orderId', id).at(-1)

/** Cancels the appointment of a cancelled order, unless it is at a site. Source: contract/lab-testing.md §7. */
export function cancelWithOrder(world: World, orderId: string): void {
  const appointment = activeAppointment(world, getOrder(world, orderId))
  if (appointment?.type !== 'phlebotomy') return
  applyStep(world, appointment, { to: 'cancelled', data: { origin: 'patient', reason: 'order_cancelled' } })
}
