/** The answers of the control API, in wire format. */

import type { FaultInput, MessageStatus } from './inputs.ts'

/** The clock of a world. */
export interface Clock {
  /** ISO 8601. */
  readonly now: string
  readonly frozen: boolean
  /** Factor by which simulated waits are shortened in a live world. */
  readonly pace: number
  /** The number of pending jobs. */
  readonly pending: number
  /** When the next job is due; null if there is none. */
  readonly next_due: string | null
  /** Whether a call is advancing the clock now. */
  readonly advancing: boolean
}

/** Something that happened during an advance. */
export interface Effect {
  readonly at: string
  /** Such as `order`, `event` or `delivery`. */
  readonly kind: string
  readonly order_id?: string | undefined
  readonly user_id?: string | undefined
  readonly event_type?: string | undefined
  readonly message_id?: string | undefined
  readonly status?: string | number | undefined
  readonly detail?: string | null | undefined
}

export interface Advanced {
  readonly now: string
  readonly effects: readonly Effect[]
  readonly pending: number
  readonly next_due: string | null
  /** The number of effects left out of the list. */
  readonly effects_dropped?: number | undefined
}

export type Features = Readonly<Record<string, boolean | string>>

export interface World {
  readonly team_id: string
  readonly name: string
  readonly api_key: string
  readonly webhook_secret: string
  readonly seed: string
  readonly scenario: string
  readonly clock: Clock
  readonly features: Features
  /** The number of users, orders, events and messages. */
  readonly counts: Readonly<Record<string, number>>
}

export interface User {
  readonly user_id: string
  readonly client_user_id: string
  readonly [field: string]: unknown
}

export interface OrderEvent {
  readonly id: number
  readonly created_at: string
  /** Dotted, such as `collecting_sample.testkit.transit_customer`. */
  readonly status: string
  readonly status_detail: string | null
}

/** An order as the service shows it; only the fields tests usually need are declared. */
export interface Order {
  readonly id: string
  readonly user_id: string
  /** The first part of the dotted status. */
  readonly status: string | null
  readonly last_event: OrderEvent
  readonly events: readonly OrderEvent[]
  readonly interpretation: string | null
  readonly [field: string]: unknown
}

/** The progress of an order in its scenario. */
export interface OrderScenario {
  readonly order_id: string
  readonly scenario: string | null
  /** The next status; null if there is none. */
  readonly next: string | null
  readonly next_due: string | null
  /** What the customer has to do before the next step. */
  readonly waits_for: string | null
  readonly left_because: string | null
  readonly dropped: readonly string[]
}

export interface Scenario {
  readonly name: string
  readonly summary: string
  readonly method: string
  /** The ZIP code that selects it. */
  readonly zip: string | null
  /** Whether it was uploaded to this world. */
  readonly uploaded: boolean
}

export interface ScenarioInFull extends Scenario {
  readonly trails: Readonly<
    Record<string, readonly { status: string; status_detail: string | null; after_ms: number | null }[]>
  >
  /** YAML or JSON. */
  readonly source: string
}

export interface Endpoint {
  readonly id: string
  readonly url: string
  readonly secret: string
  readonly description: string | null
  /** Null for all. */
  readonly event_types: readonly string[] | null
  readonly headers: Readonly<Record<string, string>>
  readonly disabled: boolean
  readonly failing_since: string | null
  readonly created_at: string
  readonly updated_at: string
}

export interface Attempt {
  readonly at: string
  /** Null when there was no answer. */
  readonly status: number | null
  readonly duration_ms: number
  /** As a sentence. */
  readonly error?: string | undefined
  readonly manual?: boolean | undefined
  /** The delivery faults that were applied. */
  readonly marks?: readonly string[] | undefined
  readonly request: { readonly headers: Readonly<Record<string, string>> }
  readonly response?:
    | { readonly headers: Readonly<Record<string, string>>; readonly body: string }
    | undefined
}

/** An event for one endpoint. */
export interface Message {
  readonly id: string
  /** The `svix-id` header; use it to detect duplicates. */
  readonly svix_id: string
  readonly event_type: string
  readonly user_id: string | null
  readonly order_id?: string | undefined
  readonly endpoint_id: string
  readonly created_at: string
  readonly status: MessageStatus
  readonly payload: Readonly<Record<string, unknown>> | null
  readonly attempts: readonly Attempt[]
  readonly marks: readonly string[]
  readonly next_attempt_at: string | null
}

export interface Fault extends FaultInput {
  readonly id: string
  readonly operation_id: string
  /** Calls of the operation, and calls it was applied to. */
  readonly seen: number
  readonly hits: number
}

/** A call of a client. */
export interface Call {
  readonly id: string
  readonly at: string
  /** Null if no operation has this path. */
  readonly operation: string | null
  readonly method: string
  readonly path: string
  readonly status: number
  readonly duration_ms: number
  readonly fault_id: string | null
}

export interface CallInFull extends Call {
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly response: unknown
  /** Fields and query parameters that Petri ignored, and those that may have been meant. */
  readonly unread: readonly string[]
  readonly nearest_fields: Readonly<Record<string, string>>
  readonly caused: readonly {
    readonly event_id: string
    readonly event_type: string
    readonly at: string
    readonly messages: readonly {
      readonly id: string
      readonly endpoint_id: string
      readonly status: string
    }[]
  }[]
  /** For an unknown path: the most similar operations. */
  readonly nearest: readonly string[]
}

export interface UserDataKept {
  readonly resource: string
  readonly created: number
  readonly updated: number
  /** Of a summary. */
  readonly id: string | null
  readonly event_types: readonly string[]
}

export interface Snapshot {
  readonly name: string
  /** The time of the world's clock. */
  readonly at: string
  readonly frozen: boolean
  readonly rows: number
}

/** The result of a triggered event. */
export interface Triggered {
  readonly event_id: string
  readonly event_type: string
  /** Whether an example was sent because the object had no data for this event. */
  readonly made_up: boolean
  /** One for each endpoint that is subscribed to it. */
  readonly messages: readonly Message[]
}

type Tally = Readonly<Record<string, number>>

/** What a world's clients have met since it was opened, and what they never have. */
export interface Coverage {
  readonly operations: {
    readonly met: readonly { readonly id: string; readonly route: string; readonly statuses: Tally }[]
    readonly never: readonly { readonly id: string; readonly route: string }[]
  }
  readonly order_statuses: { readonly met: Tally; readonly never: readonly string[] }
  readonly event_types: { readonly met: Tally; readonly delivered: Tally; readonly never: readonly string[] }
  readonly errors: { readonly met: Tally; readonly never: readonly string[] }
  /** Calls of paths that no operation has, by status. */
  readonly unknown_paths: Tally
}
