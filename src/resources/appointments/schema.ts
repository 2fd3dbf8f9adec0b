import * as z from 'zod'
import { accessNotes, streetFields } from '../../api/address.ts'
import { boolean, date, integer, maybe, oneOf, orNull, text, uuid, zipCode } from '../../api/fields.ts'
import { anyObject, instant, nullableText, schema, unnamed } from '../../api/schema.ts'
import { isObject } from '../../kernel/json.ts'
import { LngLat, zip } from '../areas/schema.ts'
import { bookableLabs } from '../areas/service.ts'
import { phlebotomyProviders, radii } from '../catalogue/schema.ts'

const appointmentTypes = ['phlebotomy', 'patient_service_center'] as const
export const appointmentEvents = [
  'pending',
  'reserved',
  'scheduled',
  'completed',
  'cancelled',
  'in_progress',
] as const
const appointmentStatuses = [
  'confirmed',
  'pending',
  'reserved',
  'in_progress',
  'completed',
  'cancelled',
] as const

const UsAddress = schema('USAddress', () => ({
  ...streetFields(),
  zip_code: z.string(),
  country: z.string(),
  unit: nullableText(),
  access_notes: z.string().max(1000).nullable(),
}))

const AppointmentEvent = schema('ClientFacingAppointmentEvent', () => ({
  created_at: instant(),
  status: z.enum(appointmentEvents),
  data: anyObject().nullable(),
}))

/** An appointment at home or at a patient service center, in wire format. */
export const Appointment = schema('Appointment', () => ({
  id: z.uuid(),
  user_id: z.guid(),
  order_id: z.guid(),
  order_transaction_id: z.uuid().nullable(),
  address: UsAddress(),
  location: LngLat(),
  start_at: instant().nullable(),
  end_at: instant().nullable(),
  iana_timezone: nullableText(),
  type: z.enum(appointmentTypes),
  provider: z.enum(phlebotomyProviders),
  status: z.enum(appointmentStatuses),
  provider_id: z.string(),
  external_id: nullableText(),
  can_reschedule: z.boolean(),
  appointment_notes: z.string().max(1000).nullable(),
  event_status: z.enum(appointmentEvents),
  event_data: anyObject().nullable(),
  events: z.array(AppointmentEvent()),
}))

const TimeSlot = schema('TimeSlot', () => ({
  booking_key: nullableText(),
  start: instant(),
  end: instant(),
  expires_at: instant().nullable(),
  price: z.number(),
  is_priority: z.boolean(),
  num_appointments_available: z.int(),
}))

const SlotLocation = schema('SlotLocation', () => ({
  code: z.string(),
  name: z.string(),
  iana_timezone: nullableText(),
  address: UsAddress(),
  location: LngLat(),
  /** Miles; null if the site was requested by its code. */
  distance: z.int().nullable(),
}))

const DaySlots = schema('DaySlots', () => ({
  date: z.iso.date(),
  location: SlotLocation().nullable(),
  slots: z.array(TimeSlot()),
}))

export const Availability = schema('Availability', () => ({
  timezone: nullableText(),
  slots: z.array(DaySlots()),
}))

const CancellationReason = schema('CancellationReason', () => ({
  id: z.uuid(),
  name: z.string(),
  is_refundable: z.boolean(),
}))

export const CancellationReasons = unnamed(() => z.array(CancellationReason()))

export const NotFoundDetail = unnamed(() => ({ detail: z.string() }))

const notes = () => orNull(text().max(1000))

export const UsAddressInput = schema('USAddressInput', () => ({
  first_line: text(),
  second_line: orNull(text()),
  city: text(),
  state: text(),
  zip_code: zipCode(),
  unit: orNull(text()),
  access_notes: accessNotes(),
}))

export const StartDateQuery = unnamed(() => ({ start_date: maybe(date()) }))

/** An empty value becomes null, which is rejected later with the service's message. */
const radiusOrEmpty = () =>
  z
    .preprocess((input) => (input === '' ? null : input), oneOf(radii).nullish())
    .meta({
      type: ['string', 'null'],
      enum: [...radii, null],
      default: '25',
      param: { allowEmptyValue: true },
    })

const pscSearch = () => ({
  zip_code: maybe(zip()),
  radius: radiusOrEmpty(),
  site_codes: maybe(z.array(text())),
  start_date: maybe(date()),
})

/** Documented as required; it may come in the body instead, so its absence is found later. */
const requiredLab = () => {
  const lab = maybe(oneOf(bookableLabs))
  return lab.meta({ ...lab.meta(), param: { required: true } })
}

export const PscAvailabilityQuery = unnamed(() => ({
  lab: requiredLab(),
  ...pscSearch(),
  allow_stale: boolean().default(false),
}))

/** The body in older samples. */
export const PscAvailabilityBody = schema('PscAvailabilityRequest', () =>
  z.object({ lab: maybe(oneOf(bookableLabs)), ...pscSearch(), allow_stale: maybe(boolean()) }).nullable(),
)

export const BookingRequest = schema('AppointmentBookingRequest', () => ({
  booking_key: text(),
  appointment_notes: notes(),
  async_confirmation: boolean().default(false),
  sync_confirmation_timeout_millisecond: orNull(integer({ ge: 1000, le: 10_000 })),
  async_confirmation_timeout_millisecond: orNull(integer({ ge: 60_000, le: 172_800_000 })),
}))

export const RescheduleRequest = schema('AppointmentRescheduleRequest', () => ({
  booking_key: text(),
  appointment_notes: notes(),
}))

export const VisitRequest = schema('AppointmentVisitRequest', () => ({
  address: UsAddressInput(),
  provider: oneOf(phlebotomyProviders),
  appointment_notes: notes(),
}))

/** Renames keys of older or newer samples to those of the schema. */
const renamed = (names: Readonly<Record<string, string>>) => (input: unknown) =>
  isObject(input)
    ? Object.fromEntries(
        Object.entries(input).map(([key, value]) => [Object.hasOwn(names, key) ? names[key] : key, value]),
      )
    : input

export const HomeCancelRequest = schema('PhlebotomyAppointmentCancelRequest', () =>
  z.preprocess(
    renamed({ cancellationReasonId: 'cancellation_reason_id', note: 'notes' }),
    z.object({ cancellation_reason_id: uuid(), notes: orNull(text()) }),
  ),
)

export const PscCancelRequest = schema('PscAppointmentCancelRequest', () =>
  z.preprocess(
    renamed({ cancellation_reason_id: 'cancellationReasonId', notes: 'note' }),
    z.object({ cancellationReasonId: uuid(), note: orNull(text()) }),
  ),
)
