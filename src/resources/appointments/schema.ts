import * as z from 'zod'
import { schema, unnamed } from '../../api/schema.ts'
import { LngLat, phlebotomyProviders } from '../areas/schema.ts'

const instant = () => z.iso.datetime({ offset: true })

export const appointmentTypes = ['phlebotomy', 'patient_service_center'] as const
export const appointmentEvents = [
  'pending',
  'reserved',
  'scheduled',
  'completed',
  'cancelled',
  'in_progress',
] as const
export const appointmentStatuses = [
  'confirmed',
  'pending',
  'reserved',
  'in_progress',
  'completed',
  'cancelled',
] as const

export const UsAddress = schema('USAddress', () =>
  z.object({
    first_line: z.string(),
    second_line: z.string().nullable(),
    city: z.string(),
    state: z.string(),
    zip_code: z.string(),
    country: z.string(),
    unit: z.string().nullable(),
    access_notes: z.string().max(1000).nullable(),
  }),
)

const AppointmentEvent = schema('AppointmentEvent', () =>
  z.object({
    created_at: instant(),
    status: z.enum(appointmentEvents),
    data: z.record(z.string(), z.unknown()).nullable(),
  }),
)

/** An appointment at home or at a patient service center, in wire format. */
export const Appointment = schema('Appointment', () =>
  z.object({
    id: z.uuid(),
    user_id: z.uuid(),
    order_id: z.uuid(),
    order_transaction_id: z.uuid().nullable(),
    address: UsAddress(),
    location: LngLat(),
    start_at: instant().nullable(),
    end_at: instant().nullable(),
    iana_timezone: z.string().nullable(),
    type: z.enum(appointmentTypes),
    provider: z.enum(phlebotomyProviders),
    status: z.enum(appointmentStatuses),
    provider_id: z.string(),
    external_id: z.string().nullable(),
    can_reschedule: z.boolean(),
    appointment_notes: z.string().max(1000).nullable(),
    event_status: z.enum(appointmentEvents),
    event_data: z.record(z.string(), z.unknown()).nullable(),
    events: z.array(AppointmentEvent()),
  }),
)

const TimeSlot = schema('TimeSlot', () =>
  z.object({
    booking_key: z.string().nullable(),
    start: instant(),
    end: instant(),
    expires_at: instant().nullable(),
    price: z.number(),
    is_priority: z.boolean(),
    num_appointments_available: z.int(),
  }),
)

const SlotLocation = schema('SlotLocation', () =>
  z.object({
    code: z.string(),
    name: z.string(),
    iana_timezone: z.string().nullable(),
    address: UsAddress(),
    location: LngLat(),
    /** Miles; null if the site was requested by its code. */
    distance: z.int().nullable(),
  }),
)

const DaySlots = schema('DaySlots', () =>
  z.object({
    date: z.iso.date(),
    location: SlotLocation().nullable(),
    slots: z.array(TimeSlot()),
  }),
)

export const Availability = schema('Availability', () =>
  z.object({ timezone: z.string().nullable(), slots: z.array(DaySlots()) }),
)

const CancellationReason = schema('CancellationReason', () =>
  z.object({ id: z.uuid(), name: z.string(), is_refundable: z.boolean() }),
)

export const CancellationReasons = unnamed(() => z.array(CancellationReason()))

export const NotFoundDetail = unnamed(() => z.object({ detail: z.string() }))
