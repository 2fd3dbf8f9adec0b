import * as z from 'zod'
import { instantMs, type Parsed, type Row, unnamed } from '../../api/schema.ts'
import { table } from '../../storage/table.ts'
import type { Appointment } from './schema.ts'

/** Stored in wire format: the JSON of a row is the response and the body of its events. */
export type AppointmentRow = Parsed<typeof Appointment>

export const appointments = table<AppointmentRow, 'orderId' | 'userId'>('appointments', ({ id }) => id, {
  indexes: { orderId: ({ order_id }) => order_id, userId: ({ user_id }) => user_id },
})

/** Data about an appointment that the service does not show. */
export const Booking = unnamed(() =>
  z.object({
    appointment_id: z.string(),
    /** The booked slot; null if there is none. */
    slot: z.string().nullable(),
    /** When the slot was taken. */
    taken_at: instantMs(),
    /** What it waits for. */
    waits: z.enum(['provider', 'requisition', 'time']).nullable(),
  }),
)
export type Booking = Row<typeof Booking>

export const bookings = table<Booking, 'slot'>('appointment_bookings', (booking) => booking.appointment_id, {
  indexes: { slot: ({ slot }) => slot },
})

/** A slot that is taken by another patient. */
export const TakenSlot = unnamed(() => z.object({ slot: z.string(), taken_at: instantMs() }))

export const takenSlots = table<Row<typeof TakenSlot>>('appointment_taken_slots', ({ slot }) => slot)

/** A booking key that has been used. */
export const SpentKey = unnamed(() => z.object({ key: z.string() }))

export const spentKeys = table<Row<typeof SpentKey>>('appointment_spent_keys', ({ key }) => key)

/** The prepared outcome of an order's next booking. */
export const BookingOutcome = unnamed(() =>
  z.object({ order_id: z.string(), fate: z.enum(['slot_gone', 'provider_silent']) }),
)
export type BookingOutcome = Row<typeof BookingOutcome>

export const bookingOutcomes = table<BookingOutcome>('appointment_booking_outcomes', (row) => row.order_id)
