import { table } from '../storage/table.ts'

/** Faults of deliveries. A missing value is inherited: by an order's scenario from the endpoint, by that from the world. */
export interface DeliveryFaults {
  /** How many extra times a message that was delivered is delivered again, under the same id. */
  readonly duplicate?: number | undefined
  /** Messages wait for each other in windows of so many, which are sent from the last to the first. */
  readonly reorder?: number | undefined
  /** Milliseconds of simulated time a message waits before its first attempt. */
  readonly delay_ms?: number | undefined
  /** How many of a message's first attempts are dropped. */
  readonly drop_first?: number | undefined
  /** Signed for another body. */
  readonly bad_signature?: boolean | undefined
  /** Signed with a timestamp that is too old for verifiers. */
  readonly stale_timestamp?: boolean | undefined
  /** Messages wait until so many are there, and are sent one right after the other. */
  readonly burst?: number | undefined
}

/** Delivery faults of an order's scenario. */
export interface OrderDelivery {
  readonly order_id: string
  readonly rules: DeliveryFaults
}

export const orderDelivery = table<OrderDelivery>('order_delivery', ({ order_id }) => order_id)

/** The most extra deliveries of a message, and the most messages that wait for each other. */
export const MAX_REPEATED = 100
/** As many as a message has attempts. Source: contract/webhooks.md §7. */
export const MAX_DROPPED = 8
