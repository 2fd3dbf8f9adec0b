import type { Parsed } from '../../api/schema.ts'
import { Problem } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import { phlebotomyArea } from '../areas/service.ts'
import type { OrderRow } from '../orders/table.ts'
import {
  assertOnlyAppointment,
  type ChosenSlot,
  chosenSlot,
  draftAppointment,
  emptyAppointment,
  hasPreparedOutcome,
  orderToBook,
} from './booking.ts'
import { type AppointmentDraft, begin, lacksRequisition, moveAlong } from './course.ts'
import { home, type Kind, psc } from './kinds.ts'
import type { BookingRequest, VisitRequest } from './requests.ts'
import { type AppointmentRow, bookingOutcomes, spentKeys } from './table.ts'
import { awaitProvider, awaitRequisition, awaitTime, confirmedFields } from './waiting.ts'

/** The provider did not answer a synchronous booking. */
export const NOT_CONFIRMED = 'The provider did not confirm the appointment in time. Please try again.'

/** Books the slot of a booking key; undefined if the provider does not answer. Source: contract/lab-testing.md §13, §14. */
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
  const isAsync = kind === psc && (body.async_confirmation || draft.provider === 'sonora_quest')
  const early = lacksRequisition(order)
  if (silent && !isAsync && !early) return undefined
  world.db.put(spentKeys, { key: body.booking_key })
  if (early) return reserve(world, order, draft, chosen)
  if (!isAsync) {
    const appointment = bookNow(world, draft, chosen)
    moveAlong(world, orderId, kind.orderMoves)
    return appointment
  }
  const to = draft.provider === 'sonora_quest' ? 'reserved' : 'pending'
  const appointment = begin(world, draft, { to }, { slot: chosen.slot.id, waits: 'provider' })
  const timeoutMs = body.async_confirmation ? body.async_confirmation_timeout_millisecond : null
  awaitProvider(world, appointment, { timeoutMs, silent })
  return appointment
}

/** Confirmed immediately. */
export function bookNow(world: World, draft: AppointmentDraft, { slot }: ChosenSlot): AppointmentRow {
  const confirmed = { ...draft, ...confirmedFields(world, draft) }
  return begin(world, confirmed, { to: 'scheduled' }, { slot: slot.id, waits: null })
}

/** Reserved until the requisition exists. */
function reserve(
  world: World,
  order: OrderRow,
  draft: AppointmentDraft,
  { slot }: ChosenSlot,
): AppointmentRow {
  const appointment = begin(world, draft, { to: 'reserved' }, { slot: slot.id, waits: 'requisition' })
  awaitRequisition(world, appointment, order)
  return appointment
}

/** Requests an appointment whose time the phlebotomist chooses. Source: contract/lab-testing.md §13. */
export function requestVisit(
  world: World,
  orderId: string,
  body: Parsed<typeof VisitRequest>,
): AppointmentRow {
  const { address, provider, appointment_notes: notes } = body
  const order = orderToBook(world, home, orderId)
  assertOnlyAppointment(world, home, order.user_id, provider)
  const area = phlebotomyArea(world, address.zip_code)
  if (area?.provider !== provider || !area.service_types.includes('appointment-request')) {
    throw new Problem(
      'bad_request',
      `${provider} does not take appointment requests for zip code ${address.zip_code}`,
    )
  }
  if (!/\d/.test(address.first_line)) {
    throw new Problem('bad_request', 'The address must have a street number')
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
  const appointment = begin(world, draft, { to: 'pending' }, { slot: null, waits })
  awaitTime(world, appointment)
  if (early) awaitRequisition(world, appointment, order)
  else moveAlong(world, order.id, ['appointment_pending'])
  return appointment
}
