/** What Petri answers, as far as the page looks at it. */

import type * as client from '../client/answers.ts'

export type {
  Attempt,
  Clock,
  Coverage,
  Endpoint,
  Scenario,
  ScenarioInFull,
  Snapshot,
  World,
} from '../client/answers.ts'
export type {
  Board,
  BoardRow,
  Lifecycle,
  OrderLife,
  PlannedStatus,
  Workflow,
} from '../client/order-answers.ts'

export interface Message extends client.Message {
  readonly attempt_count: number
  readonly last_status: number | null
  readonly last_error: string | null
  readonly request_id: string | null
}

export interface RequestSummary extends client.Call {
  readonly from: string | null
  readonly unread_count: number
}

export interface RequestInFull extends client.CallInFull, RequestSummary {}

export interface Page<Item> {
  readonly data: readonly Item[]
  readonly next_cursor: string | null
}

export type TrailStep = client.ScenarioInFull['trails'][string][number]

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

export interface FeedInFull extends Omit<client.Scenario, 'method' | 'zip'> {
  readonly steps: readonly FeedStep[]
  readonly source: string
}

export interface ScenarioCheck {
  readonly valid: boolean
  readonly name: string | null
  readonly refusals: readonly ScenarioIssue[]
  /** Of orders only. */
  readonly trails?: client.ScenarioInFull['trails']
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
