import type { ExplorePart } from '../../client/explore.ts'
import { keysOf } from '../../kernel/fields.ts'

/** The parts of histories, each with the place in the contract that shows why the live service may do so. */
export const parts: Readonly<Record<ExplorePart, string>> = {
  /** An order moves along any edge of its lifecycle: problems in transit, redraws, partial, corrected and critical results, no-shows. */
  orders: 'docs/contract/orders.md#transitions',
  /** Laboratories, carriers and patients take from no time to weeks, also over midnight and between two attempts of a delivery. */
  times: 'docs/contract/webhooks.md#delivery',
  /** A team has several users, and a user several orders at the same time. */
  users: 'docs/contract/placing.md#orders-for-a-patient',
  /** The customer may cancel an order until it is shipped or has results; the service answers 400 afterwards. */
  cancellations: 'docs/contract/orders.md#cancelling',
  /** A user consents to a provider, again or to another, disconnects, or is no longer ingested; the provider ends the connection. Each provider sends its history and new data in its own way. */
  feeds: 'docs/contract/providers.md',
  /** The order of webhooks is not guaranteed, duplicates occur, and attempts are lost. */
  webhook_faults: 'docs/contract/webhooks.md#delivery',
  /** A message can be resent manually, days later. */
  resends: 'docs/contract/webhooks.md#delivery',
  /** A receiver is down, busy, or its answer is lost; the service then tries up to eight times. */
  outages: 'docs/contract/webhooks.md#delivery',
  /** The bytes of a body are signed, and the same JSON can be spelled with spaces and escapes. */
  bodies: 'docs/contract/webhooks.md#signatures',
  /** A call may answer 429 or 5xx, get no answer, or lose its answer after it took effect. */
  faults: 'docs/contract/errors.md#errors',
  /** The service adds fields and values that clients of today do not know. */
  futures: 'docs/contract/orders.md#statuses',
  /** A laboratory sends results that match no order; they wait for a review. */
  unmatched: 'docs/contract/unmatched-results.md',
  /** A user looks at an order at any time, and every event was announced by a webhook. */
  looks: 'docs/contract/webhooks.md#delivery',
}

export const partNames: readonly ExplorePart[] = keysOf(parts)
