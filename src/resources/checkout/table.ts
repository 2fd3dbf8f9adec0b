import * as z from 'zod'
import { nullableText } from '../../api/schema.ts'
import { instantMs, type RowOf, table } from '../../storage/table.ts'
import { PatientAddressInput, PatientDetailsInput } from '../orders/requests.ts'
import { paymentMethods, Quote, Session } from './schema.ts'

/** Quotes in wire format. */
export const quotes = table('checkout_quotes', Quote, ({ id }) => id)
export type QuoteRow = RowOf<typeof quotes>

/** Sessions in wire format, and what becomes the order once they are paid. */
export const sessions = table(
  'checkout_sessions',
  () =>
    Session()
      .omit({ payment_resource_url: true, payment_resource_client_secret: true })
      .extend({
        quote_id: z.string(),
        user_id: z.string(),
        method: z.enum(paymentMethods),
        success_url: nullableText(),
        cancel_url: nullableText(),
        patient_details: PatientDetailsInput(),
        patient_address: PatientAddressInput(),
        /** The scenario of the order. */
        scenario: z.string(),
        appointment_notes: nullableText(),
        /** Opens the hosted page. */
        token: z.string(),
        idempotency_key: nullableText(),
        /** Fingerprint of the request. */
        request: z.string(),
        created_at: instantMs(),
      }),
  (session) => session.checkout_session_id,
  {
    owner: 'user',
    indexes: {
      key: (session) => session.idempotency_key,
      token: ({ token }) => token,
      user: ({ user_id }) => user_id,
      order: ({ order_id }) => order_id,
    },
  },
)
export type SessionRow = RowOf<typeof sessions>
