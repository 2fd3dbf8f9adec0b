/** What Petri answers, as far as the page looks at it. */

import type { Call, CallInFull, Clock, Coverage, World } from '../client/answers.ts'

export type {
  Board,
  BoardRow,
  Lifecycle,
  OrderLife,
  PlannedStatus,
  Workflow,
} from '../client/order-answers.ts'
export type { Clock, Coverage, World }

export interface Message {
  readonly id: string
  readonly svix_id: string
  readonly event_type: string
  readonly user_id: string | null
  readonly order_id?: string
  readonly endpoint_id: string
  readonly created_at: string
  readonly status: 'pending' | 'delivered' | 'failed'
  readonly payload: unknown
  readonly attempts: readonly Attempt[]
  readonly attempt_count: number
  readonly last_status: number | null
  readonly last_error: string | null
  readonly request_id: string | null
  readonly marks: readonly string[]
  readonly next_attempt_at: string | null
}

export interface Attempt {
  readonly at: string
  readonly status: number | null
  readonly duration_ms: number
  readonly error?: string
  readonly manual?: boolean
  readonly marks?: readonly string[]
  readonly request: { readonly headers: Readonly<Record<string, string>> }
  readonly response?: { readonly headers: Readonly<Record<string, string>>; readonly body: string }
}

export interface Endpoint {
  readonly id: string
  readonly url: string
  readonly secret: string
  readonly description: string | null
  readonly event_types: readonly string[] | null
  readonly disabled: boolean
}

export interface RequestSummary extends Call {
  readonly from: string | null
  readonly unread_count: number
}

export interface RequestInFull extends CallInFull, RequestSummary {}

export interface Page<Item> {
  readonly data: readonly Item[]
  readonly next_cursor: string | null
}

export interface TrailStep {
  readonly status: string
  readonly status_detail: string | null
  readonly after_ms: number | null
}

export interface Scenario {
  readonly name: string
  readonly summary: string
  readonly method: string
  readonly zip: string | null
  readonly uploaded: boolean
}

export interface ScenarioInFull extends Scenario {
  readonly trails: Readonly<Record<string, readonly TrailStep[]>>
  readonly source: string
}

export interface ScenarioIssue {
  readonly line: number
  readonly step: number | null
  readonly message: string
  readonly legal: readonly string[] | null
}

/** What a scenario is followed by: orders, or connections. */
export type ScenarioKind = 'orders' | 'feeds'

export interface FeedStep {
  readonly at_ms: number
  readonly does: string
}

export interface FeedInFull extends Omit<Scenario, 'method' | 'zip'> {
  readonly steps: readonly FeedStep[]
  readonly source: string
}

export interface ScenarioCheck {
  readonly valid: boolean
  readonly name: string | null
  readonly refusals: readonly ScenarioIssue[]
  /** Of orders only. */
  readonly trails?: ScenarioInFull['trails']
  /** Of connections only. */
  readonly steps?: readonly FeedStep[]
}

export interface Fault {
  readonly id: string
  readonly operation: string
  readonly order_id: string | null
  readonly times: number | null
  readonly rate: number
  readonly after: number
  readonly respond: { readonly status: number } | null
  readonly latency: { readonly min: string; readonly max: string } | null
  readonly drop: string | null
  readonly seen: number
  readonly hits: number
}

export interface Snapshot {
  readonly name: string
  readonly at: string
  readonly frozen: boolean
  readonly rows: number
}
