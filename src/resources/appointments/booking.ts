import { feature } from '../../api/features.ts'
import { toWire } from '../../kernel/instant.ts'
import { localDate } from '../../kernel/local-day.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { bookableLabs, placeOfZip } from '../areas/service.ts'
import { getOrder } from '../orders/service.ts'
import { currentStatusOf, methodOf, type OrderRow } from '../orders/table.ts'
import { assertSchedulingEnabled, siteAddress } from './availability.ts'
import { readKey } from './booking-keys.ts'
import { type AppointmentDraft, activeAppointment, lacksRequisition } from './course.ts'
import { type Kind, psc } from './kinds.ts'
import { isOver } from './lifecycle.ts'
import { findSlot, freePlaces, type Slot, type SlotPlace, zoneOf } from './slots.ts'
import {
  type AppointmentRow,
  appointments,
  bookingOutcomes,
  bookings,
  spentKeys,
  takenSlots,
} from './table.ts'

/** A slot and its booking key. */
export interface ChosenSlot {
  readonly slot: Slot
  readonly place: SlotPlace
}

/** A Problem from a kind's table of errors. */
export const problemOf = ([kind, text]: readonly [ConstructorParameters<typeof Problem>[0], string]) =>
  new Problem(kind, text)

const NO_SUCH_ORDER = "This order doesn't exist."
const SLOT_TAKEN = 'This appointment slot is no longer available. Please select a new time.'
const ADULT_YEARS = 18

/** The order of the appointment in a request. */
export function orderFor(world: World, kind: Kind, orderId: string): OrderRow {
  if (kind === psc) assertSchedulingEnabled(world)
  const order = getOrder(world, orderId, NO_SUCH_ORDER)
  if (methodOf(order) !== kind.method) throw problemOf(kind.errors.wrongMethod)
  return order
}

/** Statuses in which an order can get an appointment. */
const bookable: ReadonlySet<string> = new Set([
  'requisition_created',
  'requisition_bypassed',
  'appointment_pending',
  'appointment_scheduled',
  'appointment_cancelled',
])

/** The order to book for. Throws if it cannot get an appointment. Source: contract/lab-testing.md §13, §14. */
export function orderToBook(world: World, kind: Kind, orderId: string): OrderRow {
  if (kind === psc) assertSchedulingEnabled(world)
  const order = getOrder(world, orderId, NO_SUCH_ORDER)
  const { errors } = kind
  if (methodOf(order) !== kind.method) throw problemOf(errors.bookingWrongMethod)
  const lab = order.lab_test.lab?.slug ?? ''
  if (kind === psc && !(bookableLabs as readonly string[]).includes(lab)) {
    throw new Problem('bad_request', 'This lab is not supported.')
  }
  if (activeAppointment(world, order)) {
    throw new Problem('bad_request', 'Appointment already booked for this order')
  }
  if (kind.adultsOnly && isMinor(world, order)) {
    throw new Problem('bad_request', 'Phlebotomy appointments are not available to patients under 18.')
  }
  const early = lacksRequisition(order)
  if (early && !feature(world, 'booking_before_requisition'))
    throw problemOf(errors.noRequisition(currentStatusOf(order)))
  if (!early && !bookable.has(currentStatusOf(order))) throw wrongState(order, 'booking')
  if (!early && kind === psc && order.sample_id === null) {
    throw new Problem('bad_request', 'Order does not have a sample ID yet.')
  }
  return order
}

export const wrongState = (order: OrderRow, doing: 'booking' | 'cancelling' | 'rescheduling') =>
  new Problem('bad_request', `Order is not in a state that allows ${doing}: ${currentStatusOf(order)}`)

function isMinor(world: World, order: OrderRow): boolean {
  const birthDate = order.patient_details?.dob.slice(0, 10)
  if (!birthDate) return false
  const today = localDate('UTC', world.clock.now())
  return `${Number(birthDate.slice(0, 4)) + ADULT_YEARS}${birthDate.slice(4)}` > today
}

/** Throws if the patient has another active appointment with the provider. Source: contract/lab-testing.md §13. */
export function assertOnlyAppointment(world: World, kind: Kind, userId: string, provider: string): void {
  if (!kind.onePerPatient) return
  const other = world.db
    .by(appointments, 'userId', userId)
    .find((appointment) => appointment.provider === provider && !isOver(appointment))
  if (other) {
    throw new Problem(
      'bad_request',
      `The patient already has an appointment with ${provider} for another order`,
    )
  }
}

/** The slot of a booking key. Throws if it cannot be booked. `own` is the slot the order already holds. */
export function chosenSlot(world: World, kind: Kind, order: OrderRow, key: string, own?: string): ChosenSlot {
  const read = readKey(world, key)
  if (read === 'malformed') throw problemOf(kind.errors.malformedKey)
  const isValid = read !== 'forged' && read.kind === kind.name && read.expiresAt > world.clock.now()
  const chosen = isValid ? findSlot(world, read.slot) : undefined
  if (!chosen || !isOfLab(chosen.place, order)) throw invalidKey()
  const { slot } = chosen
  const isFree = slot.id === own || freePlaces(world, slot) > 0
  if (isFree && world.db.has(spentKeys, key)) throw invalidKey()
  if (slot.startAt <= world.clock.now()) throw new Problem('bad_request', SLOT_TAKEN)
  if (hasPreparedOutcome(world, order.id, 'slot_gone')) {
    // The slot is taken by somebody else, and stays taken although this call fails.
    world.db.put(takenSlots, { slot: slot.id, taken_at: world.clock.now() })
    world.db.delete(bookingOutcomes, order.id)
    throw slotTaken(world)
  }
  if (!isFree) throw slotTaken(world)
  return chosen
}

const invalidKey = () => new Problem('bad_request', 'Invalid or expired booking key')

const slotTaken = (world: World) =>
  new Problem(feature(world, 'parity') === 'production' ? 'not_found' : 'bad_request', SLOT_TAKEN)

const isOfLab = (place: SlotPlace, order: OrderRow) =>
  'area' in place || place.site.lab === order.lab_test.lab?.slug

export const hasPreparedOutcome = (
  world: World,
  orderId: string,
  outcome: 'slot_gone' | 'provider_silent',
): boolean => world.db.find(bookingOutcomes, orderId)?.fate === outcome

/** An unconfirmed appointment at a slot. */
export function draftAppointment(
  world: World,
  kind: Kind,
  order: OrderRow,
  { slot, place }: ChosenSlot,
  notes: string | null,
): AppointmentDraft {
  const where =
    'site' in place ? place.site : (placeOfZip(world, order.patient_address?.zip ?? '') ?? place.area)
  return {
    ...emptyAppointment(world, kind, order, notes),
    address: 'site' in place ? siteAddress(place.site) : patientAddress(order),
    location: { lng: where.lng, lat: where.lat },
    ...timeOf(world, { slot, place }),
    provider: 'site' in place ? (place.site.lab as AppointmentRow['provider']) : place.area.provider,
  }
}

/** The time and the time zone of an appointment. */
export const timeOf = (world: World, { slot, place }: ChosenSlot) => ({
  start_at: toWire(slot.startAt),
  end_at: toWire(slot.endAt),
  iana_timezone: 'site' in place ? zoneOf(world, place.site) : place.area.iana_timezone,
})

export function emptyAppointment(world: World, kind: Kind, order: OrderRow, notes: string | null) {
  const id = world.newId('appointment')
  return {
    id,
    user_id: order.user_id,
    order_id: order.id,
    order_transaction_id: order.order_transaction?.id ?? null,
    type: kind.type,
    provider_id: world.random.uuid(`appointment/${id}/provider`),
    external_id: null,
    appointment_notes: notes,
  }
}

function patientAddress({ patient_address: address }: OrderRow): AppointmentRow['address'] {
  return {
    first_line: address?.first_line ?? '',
    second_line: address?.second_line ?? null,
    city: address?.city ?? '',
    state: address?.state ?? '',
    zip_code: address?.zip ?? '',
    country: address?.country ?? 'United States',
    unit: null,
    access_notes: address?.access_notes ?? null,
  }
}

/** The slot an appointment holds. */
export const heldSlot = (world: World, { id }: AppointmentRow): string | undefined =>
  world.db.find(bookings, id)?.slot ?? undefined
