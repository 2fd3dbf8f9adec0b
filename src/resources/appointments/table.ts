import * as z from 'zod'
import { nullableText } from '../../api/schema.ts'
import { instantMs, type RowOf, table } from '../../storage/table.ts'
import { Appointment } from './schema.ts'

/** Stored in wire format: the JSON of a row is the response and the body of its events. */
export const appointments = table('appointments', Appointment, ({ id }) => id, {
  owner: 'user',
  owns: 'appointment',
  indexes: {
    order: ({ order_id }) => order_id,
    user: ({ user_id }) => user_id,
  },
})
export type AppointmentRow = RowOf<typeof appointments>

/** Data about an appointment that the service does not show. */
export const bookings = table(
  'appointment_bookings',
  () =>
    z.object({
      appointment_id: z.string(),
      /** The booked slot; null if there is none. */
      slot: nullableText(),
      /** When the slot was taken. */
      taken_at: instantMs(),
      /** What it waits for. */
      waits: z.enum(['provider', 'requisition', 'time']).nullable(),
    }),
  (booking) => booking.appointment_id,
  { owner: 'appointment', indexes: { slot: ({ slot }) => slot } },
)
export type Booking = RowOf<typeof bookings>

/** A slot that is taken by another patient. */
export const takenSlots = table(
  'appointment_taken_slots',
  () => z.object({ slot: z.string(), taken_at: instantMs() }),
  ({ slot }) => slot,
)

/** The prepared outcome of an order's next booking. */
export const bookingOutcomes = table(
  'appointment_booking_outcomes',
  () => z.object({ order_id: z.string(), fate: z.enum(['slot_gone', 'provider_silent']) }),
  (row) => row.order_id,
  { owner: 'order' },
)
