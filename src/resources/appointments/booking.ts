import { feature } from '../../api/features.ts'
import type { Parsed } from '../../api/schema.ts'
import { isOneOf } from '../../kernel/compare.ts'
import { headerNames } from '../../kernel/headers.ts'
import { toWire } from '../../kernel/instant.ts'
import { localDate, localTime } from '../../kernel/local-day.ts'
import { badRequest, Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { bookableLabs, placeOfZip, visitArea } from '../areas/service.ts'
import type { PhlebotomyAreaSeed, Point } from '../catalogue/places.ts'
import { isMinor } from '../demographics/service.ts'
import type { LowStatus } from '../orders/lifecycle.ts'
import { getOrder } from '../orders/service.ts'
import { currentStatusOf, labOf, methodOf, type OrderRow } from '../orders/table.ts'
import {
  assertSchedulingEnabled,
  type ChosenSlot,
  freePlaces,
  type SlotPlace,
  siteAddress,
  slotOfKey,
  zoneOf,
} from './availability.ts'
import { CANCELLED_OR_COMPLETED, home, type Kind, OTHER, psc } from './kinds.ts'
import { isOver, isScheduledByLab } from './lifecycle.ts'
import type { BookingRequest, RescheduleRequest, VisitRequest } from './schema.ts'
import { type AppointmentRow, appointments, bookingOutcomes, bookings, takenSlots } from './table.ts'
import {
  type AppointmentDraft,
  activeAppointment,
  applyStep,
  awaitProvider,
  awaitRequisition,
  awaitTime,
  begin,
  bookedMoves,
  bookedStatuses,
  cancellationData,
  confirmedFields,
  lacksRequisition,
  moveAlong,
  updateBooking,
} from './transition.ts'

/** A Problem from a kind's table of errors. */
const problemOf = ([kind, text]: readonly [ConstructorParameters<typeof Problem>[0], string]) =>
  new Problem(kind, text)

const NO_SUCH_ORDER = "This order doesn't exist."
export const SLOT_TAKEN = 'This appointment slot is no longer available. Please select a new time.'

/** The order of a request. */
function orderFor(
  world: World,
  kind: Kind,
  orderId: string,
  wrongMethod = kind.errors.wrongMethod,
): OrderRow {
  if (kind === psc) assertSchedulingEnabled(world)
  const order = getOrder(world, orderId, NO_SUCH_ORDER)
  if (methodOf(order) !== kind.method) throw problemOf(wrongMethod)
  return order
}

/** The order of a request and its appointment. */
function appointmentFor(world: World, kind: Kind, orderId: string) {
  const order = orderFor(world, kind, orderId)
  const appointment = currentAppointment(world, order)
  if (!appointment) throw problemOf(kind.errors.nothingToChange)
  return { order, appointment }
}

/** Statuses in which an order can get an appointment. */
const bookable: ReadonlySet<string> = new Set([
  'requisition_created',
  'requisition_bypassed',
  'appointment_pending',
  'appointment_scheduled',
  'appointment_cancelled',
])

/** The order to book for. Throws if it cannot get an appointment. Source: docs/contract/appointments.md#at-home, docs/contract/appointments.md#at-a-site. */
function orderToBook(world: World, kind: Kind, orderId: string): OrderRow {
  const { errors } = kind
  const order = orderFor(world, kind, orderId, errors.bookingWrongMethod)
  if (kind === psc && !isOneOf(bookableLabs, labOf(order))) {
    const headers = { [headerNames.hint]: `appointments can be booked at ${bookableLabs.join(', ')}` }
    throw badRequest('This lab is not supported.', { headers })
  }
  if (activeAppointment(world, order)) {
    throw badRequest('Appointment already booked for this order')
  }
  if (kind.adultsOnly && order.patient_details && isMinor(world, order.patient_details.dob)) {
    throw badRequest('Phlebotomy appointments are not available to patients under 18.')
  }
  const early = lacksRequisition(order)
  if (early && !feature(world, 'booking_before_requisition'))
    throw problemOf(errors.noRequisition(currentStatusOf(order)))
  if (!early && !bookable.has(currentStatusOf(order))) throw wrongState(order, 'booking')
  if (!early && kind === psc && order.sample_id === null) {
    throw badRequest('Order does not have a sample ID yet.')
  }
  return order
}

const wrongState = (order: OrderRow, doing: 'booking' | 'cancelling' | 'rescheduling') =>
  badRequest(`Order is not in a state that allows ${doing}: ${currentStatusOf(order)}`)

/** Throws if the patient has another active appointment with the provider. Source: docs/contract/appointments.md#at-home. */
function assertOnlyAppointment(world: World, kind: Kind, userId: string, provider: string): void {
  if (!kind.onePerPatient) return
  const other = world.db
    .by(appointments, 'user', userId)
    .find((appointment) => appointment.provider === provider && !isOver(appointment))
  if (other) throw new Problem('invalid', alreadyBooked(other))
}

/** Source: docs/contract/appointments.md#at-home. */
function alreadyBooked({ provider, start_at, end_at, iana_timezone: zone }: AppointmentRow): string {
  const who = `${provider.slice(0, 1).toUpperCase()}${provider.slice(1)}`
  const when =
    start_at && end_at && zone
      ? ` on ${usDate(zone, start_at)} between ${hour(zone, start_at)} and ${hour(zone, end_at)}`
      : ''
  return `The patient already has an appointment with ${who}${when}. Please cancel or reschedule the appointment before booking another appointment.`
}

/** `06-15-2026`. */
function usDate(timeZone: string, instant: string): string {
  const [year, month, day] = localDate(timeZone, Date.parse(instant)).split('-')
  return `${month}-${day}-${year}`
}

/** `8 AM`, `10:30 AM`. */
function hour(timeZone: string, instant: string): string {
  const [hours, minutes] = localTime(timeZone, Date.parse(instant))
  const shown = minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`
  return `${hours % 12 || 12}${shown} ${hours < 12 ? 'AM' : 'PM'}`
}

/** The slot of a booking key. Throws if it cannot be booked. `own` is the slot the order already holds. */
function chosenSlot(world: World, kind: Kind, order: OrderRow, key: string, own?: string): ChosenSlot {
  const chosen = slotOfKey(world, kind, key)
  if (chosen === 'malformed') throw problemOf(kind.errors.malformedKey)
  if (!chosen || !isOfLab(chosen.place, order)) throw invalidKey()
  const { slot } = chosen
  const isFree = slot.id === own || freePlaces(world, slot) > 0
  if (slot.startAt <= world.clock.now()) throw badRequest(SLOT_TAKEN)
  if (hasPreparedOutcome(world, order.id, 'slot_gone')) {
    // The slot is taken by somebody else, and stays taken although this call fails.
    world.db.put(takenSlots, { slot: slot.id, taken_at: world.clock.now() })
    world.db.delete(bookingOutcomes, order.id)
    throw slotTaken(world)
  }
  if (!isFree) throw slotTaken(world)
  return chosen
}

export const invalidKey = () => badRequest('Invalid or expired booking key')

const slotTaken = (world: World) =>
  new Problem(feature(world, 'parity') === 'production' ? 'not_found' : 'bad_request', SLOT_TAKEN)

const isOfLab = (place: SlotPlace, order: OrderRow) => 'area' in place || place.site.lab === labOf(order)

const hasPreparedOutcome = (
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
  const address = 'site' in place ? siteAddress(place.site) : patientAddress(order)
  const where = 'site' in place ? place.site : visitPlace(world, address, place.area)
  return {
    ...emptyAppointment(world, kind, order, notes),
    address,
    location: { lng: where.lng, lat: where.lat },
    ...timeOf(world, { slot, place }),
    provider: 'site' in place ? (place.site.lab as AppointmentRow['provider']) : place.area.provider,
  }
}

/** Where the patient lives, as exactly as it is known. */
function visitPlace(
  world: World,
  { zip_code: zip, first_line }: AppointmentRow['address'],
  area: PhlebotomyAreaSeed,
): Point {
  const line = first_line.toLowerCase()
  const known = area.places?.find(({ street }) => ` ${line}`.endsWith(` ${street.toLowerCase()}`))
  return (zip.startsWith(area.zip_code) ? known : undefined) ?? placeOfZip(world, zip) ?? area
}

/** The time and the time zone of an appointment. */
const timeOf = (world: World, { slot, place }: ChosenSlot) => ({
  start_at: toWire(slot.startAt),
  end_at: toWire(slot.endAt),
  iana_timezone: 'site' in place ? zoneOf(world, place.site) : place.area.iana_timezone,
})

function emptyAppointment(world: World, kind: Kind, order: OrderRow, notes: string | null) {
  const id = world.newId('appointment')
  return {
    id,
    user_id: order.user_id,
    order_id: order.id,
    order_transaction_id: order.order_transaction?.id ?? null,
    type: kind.type,
    provider_id: world.ids.uuid(`appointment/${id}/provider`),
    external_id: null,
    appointment_notes: notes,
  }
}

function patientAddress({ patient_address: address }: OrderRow): AppointmentRow['address'] {
  const { first_line = '', second_line = null, city = '', state = '', zip = '' } = address ?? {}
  const { country = 'United States', access_notes = null } = address ?? {}
  return { first_line, second_line, city, state, zip_code: zip, country, unit: null, access_notes }
}

/** The slot an appointment holds. */
export const heldSlot = (world: World, { id }: AppointmentRow): string | undefined =>
  world.db.get(bookings, id).slot ?? undefined

/** The provider did not answer a synchronous booking. */
export const NOT_CONFIRMED = 'The provider did not confirm the appointment in time. Please try again.'

/** Books the slot of a booking key; undefined if the provider does not answer. Source: docs/contract/appointments.md#at-home, docs/contract/appointments.md#at-a-site. */
export function book(
  world: World,
  kind: Kind,
  orderId: string,
  body: Parsed<typeof BookingRequest>,
): AppointmentRow | undefined {
  const order = orderToBook(world, kind, orderId)
  assertOnlyAppointment(world, kind, order.user_id, 'getlabs')
  const chosen = chosenSlot(world, kind, order, body.booking_key)
  const silent = kind === psc && hasPreparedOutcome(world, orderId, 'provider_silent')
  if (silent) world.db.delete(bookingOutcomes, orderId)
  const draft = draftAppointment(world, kind, order, chosen, body.appointment_notes)
  const isByLab = isScheduledByLab(world, draft)
  const isAsync = kind === psc && (body.async_confirmation || isByLab)
  const early = lacksRequisition(order)
  if (silent && !isAsync && !early) return undefined
  if (early) return reserve(world, order, draft, chosen)
  if (!isAsync) return bookNow(world, kind, draft, chosen, bookedMoves(world, kind))
  const status = isByLab ? 'reserved' : 'pending'
  const appointment = begin(world, draft, [status], { slot: chosen.slot.id, waits: 'provider' })
  const timeoutMs = body.async_confirmation ? body.async_confirmation_timeout_millisecond : null
  awaitProvider(world, appointment, { timeoutMs, silent })
  return appointment
}

/** Scheduled immediately. */
export function bookNow(
  world: World,
  kind: Kind,
  draft: AppointmentDraft,
  { slot }: ChosenSlot,
  orderMoves: readonly LowStatus[] = [],
): AppointmentRow {
  const confirmed = { ...draft, ...confirmedFields(world, draft) }
  return begin(world, confirmed, bookedStatuses(world, kind), { slot: slot.id, waits: null }, orderMoves)
}

/** Reserved until the requisition exists. */
export function reserve(
  world: World,
  order: OrderRow,
  draft: AppointmentDraft,
  { slot }: ChosenSlot,
): AppointmentRow {
  const appointment = begin(world, draft, ['reserved'], { slot: slot.id, waits: 'requisition' })
  awaitRequisition(world, appointment, order)
  return appointment
}

/** Requests an appointment whose time the phlebotomist chooses. Source: docs/contract/appointments.md#at-home. */
export function requestVisit(
  world: World,
  orderId: string,
  body: Parsed<typeof VisitRequest>,
): AppointmentRow {
  const { address, provider, appointment_notes: notes } = body
  const order = orderToBook(world, home, orderId)
  assertOnlyAppointment(world, home, order.user_id, provider)
  const area = visitArea(world, address.zip_code)
  if (area?.provider !== provider || !area.service_types.includes('appointment-request')) {
    throw badRequest(`${provider} does not take appointment requests for zip code ${address.zip_code}`)
  }
  if (!/\d/.test(address.first_line)) {
    throw badRequest('The address must have a street number')
  }
  const draft: AppointmentDraft = {
    ...emptyAppointment(world, home, order, notes),
    address: {
      ...address,
      country: 'United States',
      access_notes: address.access_notes ?? order.patient_address?.access_notes ?? null,
    },
    location: { lng: area.lng, lat: area.lat },
    start_at: null,
    end_at: null,
    iana_timezone: area.iana_timezone,
    provider,
  }
  const early = lacksRequisition(order)
  const waits = early ? 'requisition' : 'time'
  const moves = early ? [] : (['appointment_pending'] as const)
  const appointment = begin(world, draft, ['pending'], { slot: null, waits }, moves)
  awaitTime(world, appointment)
  if (early) awaitRequisition(world, appointment, order)
  return appointment
}

/** The appointment an order has, or the last one it had. */
export function getAppointment(world: World, kind: Kind, orderId: string): AppointmentRow {
  const appointment = currentAppointment(world, orderFor(world, kind, orderId))
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

/** Reschedules an appointment. Source: docs/contract/appointments.md#at-home, docs/contract/appointments.md#at-a-site. */
export function rescheduleAppointment(
  world: World,
  kind: Kind,
  orderId: string,
  { booking_key: key, appointment_notes: notes }: Parsed<typeof RescheduleRequest>,
): AppointmentRow {
  const { order, appointment } = appointmentFor(world, kind, orderId)
  if (appointment.event_status === 'cancelled') throw problemOf(kind.errors.rescheduleCancelled)
  if (isOver(appointment)) throw badRequest(CANCELLED_OR_COMPLETED)
  if (!changeable.has(currentStatusOf(order))) throw wrongState(order, 'rescheduling')
  if (!appointment.can_reschedule) throw badRequest('This appointment cannot be rescheduled.')
  const chosen = chosenSlot(world, kind, order, key, heldSlot(world, appointment))
  return moveTo(world, kind, appointment, chosen, notes)
}

/** Moves an appointment to another slot, and its order if that gets an event. */
export function moveTo(
  world: World,
  kind: Kind,
  appointment: AppointmentRow,
  chosen: ChosenSlot,
  notes: string | null = null,
): AppointmentRow {
  const { place, slot } = chosen
  const site = 'site' in place ? place.site : undefined
  const order = getOrder(world, appointment.order_id)
  updateBooking(world, appointment.id, { slot: slot.id, taken_at: world.clock.now() })
  const moved = applyStep(world, appointment, {
    to: appointment.event_status,
    data: { origin: 'patient', is_reschedule: true },
    fields: {
      ...timeOf(world, chosen),
      address: site ? siteAddress(site) : appointment.address,
      location: site ? { lng: site.lng, lat: site.lat } : appointment.location,
      appointment_notes: notes ?? appointment.appointment_notes,
    },
  })
  if (!moved) throw new Error(`${appointment.event_status} cannot be rescheduled`)
  if (lacksRequisition(order)) awaitRequisition(world, moved, order)
  else if (kind.movesOrderAgain) moveAlong(world, order.id, ['appointment_scheduled'])
  return moved
}

interface Cancellation {
  readonly reasonId: string
  readonly notes: string | null
}

/** Cancels an appointment for the patient. Source: docs/contract/appointments.md#at-home, docs/contract/appointments.md#at-a-site. */
export function cancelAppointment(
  world: World,
  kind: Kind,
  orderId: string,
  cancellation: Cancellation,
): AppointmentRow {
  const { order, appointment } = appointmentFor(world, kind, orderId)
  const reason = reasonOf(kind, cancellation)
  if (appointment.event_status === 'cancelled') {
    throw badRequest('This appointment has already been cancelled.')
  }
  if (isOver(appointment)) throw badRequest(CANCELLED_OR_COMPLETED)
  const low = currentStatusOf(order)
  // An appointment at a site stays when its order is cancelled.
  if (!changeable.has(low) && low !== 'cancelled') throw wrongState(order, 'cancelling')
  if (isScheduledByLab(world, appointment)) {
    throw badRequest('This appointment cannot be cancelled through the API.')
  }
  const { notes } = cancellation
  const cancelled = applyStep(world, appointment, {
    to: 'cancelled',
    data: kind.showsReason ? cancellationData('patient', reason, notes) : null,
    fields: { appointment_notes: notes },
  })
  if (!cancelled) throw new Error(`${appointment.event_status} cannot be cancelled`)
  moveAlong(world, orderId, ['appointment_cancelled'])
  return cancelled
}

/** The name of a reason to cancel. */
function reasonOf(kind: Kind, { reasonId, notes }: Cancellation): string {
  const reason = kind.reasons.find(({ id }) => id === reasonId)
  if (!reason) throw badRequest('Invalid cancellation reason id')
  if (kind.otherNeedsNotes && reason.name === OTHER && !notes?.trim()) {
    throw badRequest(`notes is required for reason '${OTHER}'`)
  }
  return reason.name
}

/** The active appointment of an order, or its last one. */
const currentAppointment = (world: World, order: OrderRow): AppointmentRow | undefined =>
  activeAppointment(world, order) ?? world.db.by(appointments, 'order', order.id).at(-1)
