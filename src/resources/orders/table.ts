import * as z from 'zod'
import { count, instantMs, type RowOf, table } from '../../storage/table.ts'
import type { World } from '../../world/world.ts'
import { type LowStatus, type Method, readStatus, type Workflow } from './lifecycle.ts'
import { interpretations, Order, OrderTransaction } from './schema.ts'

/** The longest sample id that has room in the barcode of a label. */
export const MAX_SAMPLE_ID_LENGTH = 64
/** Each order of a transaction stores all its orders. */
const MAX_ORDERS_OF_TRANSACTION = 1000

/** An order, with the bounds that an imported one has to keep. */
const StoredOrder = () => {
  const { orders: lines } = OrderTransaction().shape
  const transaction = OrderTransaction().extend({ orders: lines.max(MAX_ORDERS_OF_TRANSACTION) })
  return Order().extend({
    sample_id: z.string().max(MAX_SAMPLE_ID_LENGTH).nullable(),
    order_transaction: transaction.nullable(),
  })
}

/** Orders in wire format: the JSON of a row is the response and the body of its events. The directory finds them by other fields. */
export const orders = table('orders', StoredOrder, ({ id }) => id, {
  owner: 'user',
  owns: 'order',
  indexes: { user: ({ user_id }) => user_id },
})
export type OrderRow = RowOf<typeof orders>

export const methodOf = (order: Pick<OrderRow, 'details'>): Method => order.details.type

/** The laboratory; empty if there is none. */
export const labOf = ({ lab_test }: Pick<OrderRow, 'lab_test'>): string => lab_test.lab?.slug ?? ''

/** The low-level status of an event. */
export const lowStatusOf = ({ status }: OrderRow['last_event']): LowStatus =>
  readStatus(status)?.low ?? 'ordered'

export const statusHistoryOf = (order: OrderRow): LowStatus[] => order.events.map(lowStatusOf)

export const currentStatusOf = (order: OrderRow): LowStatus => lowStatusOf(order.last_event)

/** A kit that was ordered without a patient is registrable, also after the registration. */
export function workflowOf(order: OrderRow): Workflow {
  const method = methodOf(order)
  if (method !== 'testkit') return method
  return order.events.some((event) => lowStatusOf(event) === 'awaiting_registration')
    ? 'registrable_kit'
    : 'registered_kit'
}

/** The tracking numbers of a kit's shipments so far. */
export function trackingNumbersOf({ details }: OrderRow): string[] {
  const shipment = details.type === 'testkit' ? details.data?.shipment : undefined
  const numbers = [shipment?.outbound_tracking_number, shipment?.inbound_tracking_number]
  return numbers.filter((number) => typeof number === 'string')
}

/** The plan of an order's results, which are generated later. */
const ResultPlan = () =>
  z.object({
    /** Without one, results are those of the person as they are on the day. */
    interpretation: z.enum(interpretations).exactOptional(),
    /** Slugs of missing results, or true for some. */
    missing: z.union([z.boolean(), z.array(z.string())]).exactOptional(),
    types: z.array(z.string()).exactOptional(),
    /** Exact values by slug, LOINC or provider code. */
    values: z.record(z.string(), Value()).exactOptional(),
    /** For a correction: the values by slug that are not drawn again. */
    unchanged: z.record(z.string(), Value()).exactOptional(),
    /** For a correction: the lines of the former edition by slug. */
    former: z.record(z.string(), FormerLine()).exactOptional(),
    /** Comments of the laboratory on single results, by name. */
    notes: z.record(z.string(), z.string()).exactOptional(),
    /** The laboratory's comment on all results of the report without a note. */
    comment: z.string().exactOptional(),
  })

const FormerLine = () =>
  z.object({
    /** The result with its unit. */
    text: z.string(),
    timestamp: z.string().nullable(),
    /** What the line had replaced in an earlier correction. */
    replaced: z.string().exactOptional(),
  })

/** A number, or the text of a result in words. */
const Value = () => z.union([z.number(), z.string()])

/** Data about an order that the service does not show. */
export const orderMetadata = table(
  'order_metadata',
  () =>
    z.object({
      order_id: z.string(),
      lab_account_id: z.string().exactOptional(),
      /** When the sample was taken. */
      collected_at: instantMs().exactOptional(),
      /** Whether reports do not say when the sample was collected and received. */
      is_undated: z.boolean().exactOptional(),
      results: ResultPlan().exactOptional(),
      /** Plans of earlier reports since the last correction, earliest first. */
      earlier_results: z.array(ResultPlan()).exactOptional(),
      /** Exact results that were given before the laboratory reports. */
      given_results: ResultPlan().exactOptional(),
      /** How many findings of the user there were before the first report. */
      known_findings: count().exactOptional(),
      /** Answers to the laboratory's questions, including those of the lab test itself. */
      aoe_answers: z
        .array(z.object({ marker_id: z.number(), question_id: z.number(), answer: z.string() }))
        .exactOptional(),
      /** What the customer's answers say of the draw: whether the patient fasts, and the minute of the day. */
      draw: z
        .object({ is_fasting: z.boolean().exactOptional(), minute: count().exactOptional() })
        .exactOptional(),
      /** What the patient agreed to. */
      consents: z
        .array(
          z.object({ consentType: z.string(), version: z.string(), timeOfConsent: instantMs().nullish() }),
        )
        .exactOptional(),
    }),
  ({ order_id }) => order_id,
  { owner: 'order' },
)
export type OrderMetadata = RowOf<typeof orderMetadata>
export type ResultPlan = NonNullable<OrderMetadata['results']>
/** An answer to a question the laboratory asks when a marker is ordered. */
export type AoeAnswer = NonNullable<OrderMetadata['aoe_answers']>[number]

export const metadataOf = (world: World, orderId: string): OrderMetadata =>
  world.db.find(orderMetadata, orderId) ?? { order_id: orderId }

export function updateOrderMetadata(world: World, orderId: string, more: Partial<OrderMetadata>): void {
  world.db.put(orderMetadata, { ...metadataOf(world, orderId), ...more })
}

/** Whether the patient gets text messages; a row exists once it has been set. */
export const communications = table(
  'communication_settings',
  () => z.object({ order_id: z.string(), sms_enabled: z.boolean() }),
  ({ order_id }) => order_id,
  { owner: 'order' },
)
export type CommunicationRow = RowOf<typeof communications>
