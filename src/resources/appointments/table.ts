import type { Parsed } from '../../api/schema.ts'
import { table } from '../../storage/table.ts'
import type { Appointment } from './schema.ts'

/** Stored as the service shows it: the row's JSON is the answer and the body of its events. */
export type AppointmentRow = Parsed<typeof Appointment>

export const appointments = table<AppointmentRow, 'orderId' | 'userId'>('appointments', ({ id }) => id, {
  indexes: { orderId: ({ order_id }) => order_id, userId: ({ user_id }) => user_id },
})

/** Data about an appointment that the service does not show. */
export interface Booking {
  readonly appointment_id: string
  /** The slot it holds; null when it holds none. */
  readonly slot: string | null
  /** When the slot was taken, milliseconds since 1970. */
  readonly taken_at: number
  /** What it waits for. */
  readonly waits: 'provider' | 'requisition' | 'time' | null
}

export const bookings = table<Booking, 'slot'>('appointment_bookings', (booking) => booking.appointment_id, {
  indexes: { slot: ({ slot }) => slot },
})

/** A slot that was taken by somebody else. */
export interface TakenSlot {
  readonly slot: string
  readonly taken_at: number
}

export const takenSlots = table<TakenSlot>('appointment_taken_slots', ({ slot }) => slot)

/** A booking key that has been used. */
export const spentKeys = table<{ readonly key: string }>('appointment_spent_keys', ({ key }) => key)

/** The prepared outcome of an order's next booking. */
export interface BookingFate {
  readonly order_id: string
  readonly fate: 'slot_gone' | 'provider_silent'
}

export const bookingFates = table<BookingFate>('appointment_fates', (row) => row.order_id)
