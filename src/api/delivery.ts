import { table } from '../storage/table.ts'

/** How deliveries misbehave. What is left out stays as what is further out says: an order's scenario, its endpoint, the world. */
export interface DeliveryFaults {
  /** How many extra times a message that was delivered is delivered again, under the same id. */
  readonly duplicate?: number | undefined
  /** Messages wait for each other in windows of so many, which are sent from the last to the first. */
  readonly reorder?: number | undefined
  /** Milliseconds of simulated time a message waits before its first attempt. */
  readonly delay_ms?: number | undefined
  /** How many of a message's first attempts are lost on the way. */
  readonly drop_first?: number | undefined
  /** Signed for another body. */
  readonly bad_signature?: boolean | undefined
  /** Signed for a moment longer ago than a verifier accepts. */
  readonly stale_timestamp?: boolean | undefined
  /** Messages wait until so many are there, and are sent one right after the other. */
  readonly burst?: number | undefined
}

/** What the scenario of an order says of the deliveries of its events. */
export interface OrderDelivery {
  readonly order_id: string
  readonly rules: DeliveryFaults
}

export const orderDelivery = table<OrderDelivery>('order_delivery', ({ order_id }) => order_id)

/** The most extra deliveries of a message, and the most messages that wait for each other. */
export const MAX_REPEATED = 100
/** As many as a message has attempts. Source: contract/webhooks.md §7. */
export const MAX_DROPPED = 8
