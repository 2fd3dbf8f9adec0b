import type { PaymentOutcome } from './schema.ts'

/** What a patient with this e-mail address does. */
export interface Payer {
  /** The outcome of each payment that names none. */
  readonly outcome: PaymentOutcome
  /** Whether it happens by itself, a minute after the session was created. */
  readonly isByItself?: boolean
  /** Why no place is held for the appointment. */
  readonly holdFails?: 'slot_gone' | 'no_answer'
  readonly summary: string
}

/** By the part of the e-mail address before the `@`. */
export const magicPayers = {
  'pays-at-once': {
    outcome: 'paid',
    isByItself: true,
    summary: 'The session is paid by itself, a minute after it was created.',
  },
  'payment-declined': {
    outcome: 'declined',
    summary: 'Every payment is declined: the session stays unpaid, and expires.',
  },
  'cancels-payment': {
    outcome: 'cancelled',
    isByItself: true,
    summary: 'The session is cancelled by itself, a minute after it was created.',
  },
  'slot-gone': {
    outcome: 'paid',
    holdFails: 'slot_gone',
    summary:
      'Somebody else takes the slot of the appointment: the hold fails, and the order has no appointment.',
  },
  'site-unreachable': {
    outcome: 'paid',
    holdFails: 'no_answer',
    summary: 'The site does not answer: the hold fails after `async_confirmation_timeout_millisecond`.',
  },
} as const satisfies Readonly<Record<string, Payer>>

const usual: Payer = { outcome: 'paid', summary: '' }

export function payerOf(email: string): Payer {
  const name = email.slice(0, email.indexOf('@'))
  return Object.hasOwn(magicPayers, name) ? magicPayers[name as keyof typeof magicPayers] : usual
}
