import * as z from 'zod'
import { type Parsed, type Row, unnamed } from '../../api/schema.ts'
import { table } from '../../storage/table.ts'
import type { AoeAnswer } from './aoe.ts'
import type { Order } from './schema.ts'

/** Stored in wire format: the JSON of a row is the response and the body of its events. */
export type OrderRow = Parsed<typeof Order>

/** Orders by id. `OrderDirectory` finds them by other fields. */
export const orders = table<OrderRow>('orders', (order) => order.id)

/** The plan of an order's results, which are generated later. */
export interface ResultPlan {
  readonly interpretation?: OrderRow['interpretation'] & string
  /** Slugs of missing results, or true for some. */
  readonly missing?: readonly string[] | boolean
  readonly types?: readonly string[]
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

/** Whether the patient gets text messages; a row exists once it has been set. */
export const CommunicationRow = unnamed(() => z.object({ order_id: z.string(), sms_enabled: z.boolean() }))
export type CommunicationRow = Row<typeof CommunicationRow>

export const communications = table<CommunicationRow>('communication_settings', ({ order_id }) => order_id)
