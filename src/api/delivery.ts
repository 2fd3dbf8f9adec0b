import * as z from 'zod'
import { count, instantMs, table } from '../storage/table.ts'
import { type Parsed, unnamed } from './schema.ts'

/** Faults of deliveries. A missing value is inherited: by an order's scenario from the endpoint, by that from the world. */
export const DeliveryFaults = unnamed(() =>
  z.object({
    /** How many extra times a message that was delivered is delivered again, under the same id. */
    duplicate: count().exactOptional(),
    /** Messages wait for each other in windows of so many, which are sent from the last to the first. */
    reorder: count().exactOptional(),
    /** Milliseconds of simulated time a message waits before its first attempt. */
    delay_ms: instantMs().min(0).exactOptional(),
    /** How many of a message's first attempts are dropped. */
    drop_first: count().exactOptional(),
    /** Signed for another body. */
    bad_signature: z.boolean().exactOptional(),
    /** Signed with a timestamp that is too old for verifiers. */
    stale_timestamp: z.boolean().exactOptional(),
    /** Messages wait until so many are there, and are sent one right after the other. */
    burst: count().exactOptional(),
  }),
)
export type DeliveryFaults = Parsed<typeof DeliveryFaults>

/** Delivery faults of an order's scenario. */
export const orderDelivery = table(
  'order_delivery',
  () => z.object({ order_id: z.string(), rules: DeliveryFaults() }),
  ({ order_id }) => order_id,
)

/** The most extra deliveries of a message, and the most messages that wait for each other. */
export const MAX_REPEATED = 100
/** As many as a message has attempts. Source: contract/webhooks.md §7. */
export const MAX_DROPPED = 8
