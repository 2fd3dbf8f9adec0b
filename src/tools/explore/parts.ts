import type { ExplorePart } from '../../client/explore.ts'
import { keysOf } from '../../kernel/fields.ts'

/** Why the live service may do something, and where it is written. */
interface Reason {
  readonly why: string
  readonly source: string
}

/** The parts of histories. */
export const parts: Readonly<Record<ExplorePart, Reason>> = {
  orders: {
    why: 'An order moves along any edge of its lifecycle: problems in transit, redraws, partial, corrected and critical results, no-shows.',
    source: 'docs/contract/orders.md#transitions',
  },
  times: {
    why: 'Laboratories, carriers and patients take from no time to weeks, also over midnight and between two attempts of a delivery.',
    source: 'docs/contract/webhooks.md#delivery',
  },
  users: {
    why: 'A team has several users, and a user several orders at the same time.',
    source: 'docs/contract/placing.md#orders-for-a-patient',
  },
  cancellations: {
    why: 'The customer may cancel an order until it is shipped or has results; the service answers 400 afterwards.',
    source: 'docs/contract/orders.md#cancelling',
  },
  feeds: {
    why: 'A user consents to a provider, again or to another, disconnects, or is no longer ingested; the provider ends the connection. Each provider sends its history and new data in its own way.',
    source: 'docs/contract/providers.md',
  },
  deliveries: {
    why: 'The order of webhooks is not guaranteed, duplicates occur, and attempts are lost.',
    source: 'docs/contract/webhooks.md#delivery',
  },
  redeliveries: {
    why: 'A message can be resent manually, days later.',
    source: 'docs/contract/webhooks.md#delivery',
  },
  outages: {
    why: 'A receiver is down, busy, or its answer is lost; the service then tries up to eight times.',
    source: 'docs/contract/webhooks.md#delivery',
  },
  bodies: {
    why: 'The bytes of a body are signed, and the same JSON can be spelled with spaces and escapes.',
    source: 'docs/contract/webhooks.md#signatures',
  },
  faults: {
    why: 'A call may answer 429 or 5xx, get no answer, or lose its answer after it took effect.',
    source: 'docs/contract/errors.md#errors',
  },
  futures: {
    why: 'The service adds fields and values that clients of today do not know.',
    source: 'docs/contract/orders.md#statuses',
  },
  unmatched: {
    why: 'A laboratory sends results that match no order; they wait for a review.',
    source: 'docs/contract/unmatched-results.md',
  },
}

export const partNames: readonly ExplorePart[] = keysOf(parts)
