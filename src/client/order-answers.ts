/** What the control API answers about orders as a whole, spelled as on the wire. */

import type { Order, OrderScenario } from './answers.ts'

/** An order on the board. */
export interface BoardRow {
  readonly id: string
  readonly user_id: string
  /** Null until a kit is registered. */
  readonly patient: string | null
  readonly recipient: string | null
  readonly lab_test: string
  readonly method: string
  /** Dotted. */
  readonly status: string
  readonly interpretation: string | null
  readonly since: string
  readonly scenario: string | null
  readonly next: string | null
  readonly next_due: string | null
  readonly waits_for: string | null
}

export interface Board {
  /** Newest first. */
  readonly data: readonly BoardRow[]
  readonly total: number
  readonly next_cursor: string | null
  /** How many orders have each dotted status. */
  readonly counts: Readonly<Record<string, number>>
  readonly attention: Readonly<Record<string, number>>
}

/** A status an order will come to if nobody interferes. */
export interface PlannedStatus {
  readonly status: string
  readonly status_detail: string | null
  /** Null for what waits for the customer, and for all that follows. */
  readonly due: string | null
  readonly waits_for: string | null
}

export interface AgendaItem {
  readonly due: string
  readonly kind: string
  readonly subject: string
  readonly order_id: string | null
  readonly user_id: string | null
  readonly does: string
  readonly recurring: boolean
}

export interface Agenda {
  readonly data: readonly AgendaItem[]
  readonly total: number
}

export interface OrderLife {
  readonly order: Order
  readonly workflow: string
  /** Dotted statuses it could become by a move without force. */
  readonly legal: readonly string[]
  readonly planned: readonly PlannedStatus[]
  readonly scenario: OrderScenario
  readonly agenda: readonly AgendaItem[]
  readonly messages: Readonly<Record<'total' | 'delivered' | 'pending' | 'failed', number>>
  readonly request_ids: readonly string[]
  readonly documents: readonly {
    readonly name: string
    readonly path: string
    readonly available: boolean
  }[]
}

export interface Workflow {
  readonly name: string
  readonly method: string
  readonly happy_path: readonly string[]
  readonly statuses: readonly {
    readonly name: string
    readonly status: string
    readonly phase: string
    readonly leads_to: readonly string[]
  }[]
}

export interface Lifecycle {
  readonly workflows: readonly Workflow[]
  readonly phases: readonly string[]
  readonly status_details: Readonly<Record<string, readonly string[]>>
}
