import { badRequest } from '../../kernel/problem.ts'
import type { World } from '../../world/world.ts'
import type { OrderRow } from '../orders/table.ts'
import { assertSchedulingEnabled, type ChosenSlot, findSlot, freePlaces, slotOfKey } from './availability.ts'
import { draftAppointment, invalidKey, reserve, SLOT_TAKEN } from './booking.ts'
import { psc } from './kinds.ts'
import { type AppointmentRow, bookings } from './table.ts'

interface HoldRules {
  /** The laboratories that have the slot; any, if it is empty. */
  readonly labs: readonly string[]
  /** The slot begins after this instant. */
  readonly after: number
}

/** The slot of a booking key, if it can be held. Nothing is stored. */
export function chooseHold(world: World, key: string, { labs, after }: HoldRules): ChosenSlot {
  assertSchedulingEnabled(world)
  const chosen = slotOfKey(world, psc, key)
  if (!chosen || chosen === 'malformed' || !('site' in chosen.place)) throw invalidKey()
  if (labs.length > 0 && !labs.includes(chosen.place.site.lab))
    throw badRequest(`The appointment must be at ${labs.join(' or ')}`)
  if (chosen.slot.startAt <= after) throw badRequest('The appointment must start after the payment deadline')
  if (freePlaces(world, chosen.slot) === 0) throw badRequest(SLOT_TAKEN)
  return chosen
}

/** Takes a place of a slot for something that may become an appointment. */
export function takeHold(world: World, holderId: string, { slot }: ChosenSlot): void {
  world.db.put(bookings, {
    appointment_id: holderId,
    slot: slot.id,
    taken_at: world.clock.now(),
    waits: null,
  })
}

/** Gives the place back. */
export function releaseHold(world: World, holderId: string): void {
  if (world.db.has(bookings, holderId)) world.db.delete(bookings, holderId)
}

/** Makes a held place the appointment of an order; it is confirmed when the requisition exists. */
export function attachHold(
  world: World,
  holderId: string,
  order: OrderRow,
  notes: string | null,
): AppointmentRow {
  const chosen = findSlot(world, world.db.get(bookings, holderId).slot ?? '')
  if (!chosen) throw new Error(`${holderId} holds no slot`)
  releaseHold(world, holderId)
  return reserve(world, order, draftAppointment(world, psc, order, chosen, notes), chosen)
}
