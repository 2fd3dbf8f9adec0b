import * as z from 'zod'
import { type Parsed, type Row, unnamed } from '../../api/schema.ts'
import { table } from '../../storage/table.ts'
import type { World } from '../../world/world.ts'
import { type LowStatus, type Method, readStatus, type Workflow } from './lifecycle.ts'
import type { Order } from './schema.ts'

/** Stored in wire format: the JSON of a row is the response and the body of its events. */
export type OrderRow = Parsed<typeof Order>

/** Orders by id. `OrderDirectory` finds them by other fields. */
export const orders = table<OrderRow>('orders', (order) => order.id)

export const methodOf = (order: Pick<OrderRow, 'details'>): Method => order.details.type

export const statusHistoryOf = (order: OrderRow): LowStatus[] =>
  order.events.flatMap(({ status }) => readStatus(status)?.low ?? [])

export const currentStatusOf = (order: OrderRow): LowStatus =>
  readStatus(order.last_event.status)?.low ?? 'ordered'

/** A kit that was ordered without a patient is registrable, also after the registration. */
export function workflowOf(order: OrderRow): Workflow {
  const method = methodOf(order)
  if (method !== 'testkit') return method
  return order.events.some(({ status }) => readStatus(status)?.low === 'awaiting_registration')
    ? 'registrable_kit'
    : 'registered_kit'
}

/** The plan of an order's results, which are generated later. */
export interface ResultPlan {
  readonly interpretation?: OrderRow['interpretation'] & string
  /** Slugs of missing results, or true for some. */
  readonly missing?: readonly string[] | boolean
  readonly types?: readonly string[]
}

/** An answer to a question the laboratory asks when a marker is ordered. */
export interface AoeAnswer {
  readonly marker_id: number
  readonly question_id: number
  readonly answer: string
}

/** Data about an order that the service does not show. */
export interface OrderMetadata {
  readonly order_id: string
  readonly lab_account_id?: string
  /** When the sample was taken, milliseconds since 1970. */
  readonly collected_at?: number
  readonly results?: ResultPlan
  /** Plans of earlier reports since the last correction, earliest first. */
  readonly earlier_results?: readonly ResultPlan[]
  /** Answers to the laboratory's questions, including those of the lab test itself. */
  readonly aoe_answers?: readonly AoeAnswer[]
  /** What the patient agreed to; instants in milliseconds since 1970. */
  readonly consents?: readonly Consent[]
}

export interface Consent {
  readonly consentType: string
  readonly version: string
  readonly timeOfConsent?: number | null | undefined
}

export const orderMetadata = table<OrderMetadata>('order_metadata', (metadata) => metadata.order_id)

export function updateOrderMetadata(
  world: World,
  orderId: string,
  more: Partial<Omit<OrderMetadata, 'order_id'>>,
): void {
  const known = world.db.find(orderMetadata, orderId) ?? { order_id: orderId }
  world.db.put(orderMetadata, { ...known, ...more })
}

/** Whether the patient gets text messages; a row exists once it has been set. */
export const CommunicationRow = unnamed(() => z.object({ order_id: z.string(), sms_enabled: z.boolean() }))
export type CommunicationRow = Row<typeof CommunicationRow>

export const communications = table<CommunicationRow>('communication_settings', ({ order_id }) => order_id)
