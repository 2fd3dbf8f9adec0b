import * as z from 'zod'
import { accessNotes } from '../../api/address.ts'
import { boolean, date, integer, maybe, oneOf, orNull, text, uuid } from '../../api/fields.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { isObject } from '../../kernel/json.ts'
import { phlebotomyProviders, radii, zip } from '../areas/schema.ts'
import { bookableLabs } from '../areas/service.ts'

const ZIP = /^\d{5}(-\d{4})?$/
const notes = () => orNull(text().max(1000))

export const OrderPath = unnamed(() => z.object({ order_id: uuid() }))

export const UsAddressInput = schema('USAddressInput', () =>
  z.object({
    first_line: text(),
    second_line: orNull(text()),
    city: text(),
    state: text(),
    zip_code: text().regex(ZIP),
    unit: orNull(text()),
    access_notes: accessNotes(),
  }),
)

export const StartDateQuery = unnamed(() => z.object({ start_date: maybe(date()) }))

/** An empty value becomes null, which is rejected later with the service's message. */
const radiusOrEmpty = () =>
  z
    .preprocess((input) => (input === '' ? null : input), oneOf(radii).nullish())
    .meta({
      type: ['string', 'null'],
      enum: [...radii, null],
      default: '25',
      allowEmptyValue: true,
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

export const PscAvailabilityQuery = unnamed(() =>
  z.object({ lab: requiredLab(), ...pscSearch(), allow_stale: boolean().default(false) }),
)

/** The body in older samples. */
export const PscAvailabilityBody = schema('PscAvailabilityRequest', () =>
  z.object({ lab: maybe(oneOf(bookableLabs)), ...pscSearch(), allow_stale: maybe(boolean()) }).nullable(),
)

export const BookingRequest = schema('AppointmentBookingRequest', () =>
  z.object({
    booking_key: text(),
    appointment_notes: notes(),
    async_confirmation: boolean().default(false),
    sync_confirmation_timeout_millisecond: orNull(integer({ ge: 1000, le: 10_000 })),
    async_confirmation_timeout_millisecond: orNull(integer({ ge: 60_000, le: 172_800_000 })),
  }),
)

export const RescheduleRequest = schema('AppointmentRescheduleRequest', () =>
  z.object({ booking_key: text(), appointment_notes: notes() }),
)

export const VisitRequest = schema('AppointmentVisitRequest', () =>
  z.object({
    address: UsAddressInput(),
    provider: oneOf(phlebotomyProviders),
    appointment_notes: notes(),
  }),
)

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
export const IdempotencyHeaders = unnamed(() =>
  z.object({ 'x-idempotency-key': maybe(text()), 'x-idempotency-error': maybe(oneOf(['no-cache'])) }),
)
