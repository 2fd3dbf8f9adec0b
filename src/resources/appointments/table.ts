import type { Parsed } from '../../api/schema.ts'
import { table } from '../../storage/table.ts'
import type { Appointment } from './schema.ts'

/** Stored in wire format: the JSON of a row is the response and the body of its events. */
export type AppointmentRow = Parsed<typeof Appointment>

export const appointments = table<AppointmentRow, 'orderId' | 'userId'>('appointments', ({ id }) => id, {
  indexes: { orderId: ({ order_id }) => order_id, userId: ({ user_id }) => user_id },
})

/** Data about an appointment that the service does not show. */
export interface Booking {
  readonly appointment_id: string
  /** The booked slot; null if there is none. */
  readonly slot: string | null
  /** When the slot was taken, milliseconds since 1970. */
  readonly taken_at: number
  /** What it waits for. */
  readonly waits: 'provider' | 'requisition' | 'time' | null
}

export const bookings = table<Booking, 'slot'>('appointment_bookings', (booking) => booking.appointment_id, {
  indexes: { slot: ({ slot }) => slot },
})

/** A slot that is taken by another patient. */
export interface TakenSlot {
  readonly slot: string
  readonly taken_at: number
}

export const takenSlots = table<TakenSlot>('appointment_taken_slots', ({ slot }) => slot)

/** A booking key that has been used. */
export const spentKeys = table<{ readonly key: string }>('appointment_spent_keys', ({ key }) => key)

/** The prepared outcome of an order's next booking. */
export interface BookingOutcome {
  readonly order_id: string
  readonly fate: 'slot_gone' | 'provider_silent'
}

export const bookingOutcomes = table<BookingOutcome>('appointment_fates', (row) => row.order_id)
