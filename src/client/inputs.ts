/** Input of the testing kit, spelled as on the wire where it is sent; inferred from the operations where it is their body. */

import type { OperationName, OrderStatus, ScenarioName } from '../../clients/typescript/names.ts'
import type { Sent } from '../api/schema.ts'
import type * as trigger from '../control/trigger/schema.ts'
import type * as webhooks from '../control/webhooks/schema.ts'
import type * as faults from '../faults/schema.ts'
import type * as catalogue from '../resources/catalogue/schema.ts'
import type * as orders from '../resources/orders/schema.ts'

/** Also `failing`: given up, or refused and pending; and `no_endpoint`: the events that were sent to none. */
export type MessageStatus = (typeof webhooks.askedStatuses)[number]
export type Interpretation = (typeof orders.interpretations)[number]
export type Method = (typeof catalogue.collectionMethods)[number]

/** A duration such as `90s`, `3d`, `1d12h`. */
export type Duration = string

/** How far the clock is advanced: by a duration, to an instant, or until something has happened. */
export type AdvanceInput =
  | Duration
  | Date
  | { readonly to: string | Date }
  | { readonly until: 'idle' | 'next' | { readonly order_id: string; readonly status: OrderStatus } }

export interface UserData {
  readonly resource: string
  readonly provider: string
  readonly source_type?: string | undefined
  readonly samples?: readonly Readonly<Record<string, unknown>>[] | undefined
  readonly summary?: Readonly<Record<string, unknown>> | undefined
}

/** A user; fields that are left out are generated. */
export interface UserInput {
  /** A UUID, for fixtures that name ids. */
  readonly user_id?: string | undefined
  readonly client_user_id?: string | undefined
}

/** A lab test of markers of one laboratory, by `marker_ids` or the laboratory's order codes. */
export interface LabTestInput {
  /** A UUID, for fixtures that name ids. */
  readonly id?: string | undefined
  readonly name: string
  readonly description: string
  readonly method: Method
  readonly marker_ids?: readonly number[] | undefined
  readonly provider_ids?: readonly string[] | undefined
  readonly lab_slug?: string | undefined
  readonly lab_account_id?: string | undefined
  readonly fasting?: boolean | undefined
}

/** An order; it is placed by the control API, and not recorded as a call of the program under test. */
export interface OrderInput {
  /** A UUID, for fixtures that name ids. */
  readonly id?: string | undefined
  /** The scenario it follows; the lab test is of the scenario's collection method. */
  readonly scenario?: ScenarioName | undefined
  /** ZIP code of the address; a magic one selects a scenario. */
  readonly zip?: string | undefined
  /** A new user by default. */
  readonly user_id?: string | undefined
  /** The first one of the collection method by default. */
  readonly lab_test_id?: string | undefined
  /** A kit that is shipped first and registered by the patient later. */
  readonly registrable?: boolean | undefined
  /** The redraw of an initial order, all of whose results are missing. */
  readonly redraw?: boolean | undefined
}

/** Exact results. Flags, interpretation and calculated values follow from them. */
export interface ExactResults {
  /** By slug, LOINC or provider code; a text for a result in words. */
  readonly values?: Readonly<Record<string, number | string>> | undefined
  /** A comment of the laboratory on these results; on all without values. */
  readonly comment?: string | undefined
  /** The PDF to serve instead of the generated one, in Base64. */
  readonly pdf?: string | undefined
}

export interface OrderMove {
  readonly status: OrderStatus
  readonly status_detail?: string | null | undefined
  readonly shipment?: Readonly<Record<string, string>> | undefined
  readonly results?: ExactResults & {
    readonly interpretation?: Interpretation | undefined
    readonly missing?: readonly string[] | boolean | undefined
  }
  /** Whether to allow a move that the lifecycle does not have. */
  readonly force?: boolean | undefined
}

export interface WaitOptions {
  /** Wall-clock time; ten seconds by default. */
  readonly timeout?: Duration | undefined
  /** The required number of matches. */
  readonly times?: number | undefined
}

export interface MessageFilter {
  readonly event_type?: string | undefined
  readonly order_id?: string | undefined
  readonly user_id?: string | undefined
  readonly status?: MessageStatus | undefined
}

/** The messages that are sent again; by default all that were given up or wait for their next attempt. */
export type ResendInput = Sent<typeof webhooks.Resend>

export interface EndpointOptions {
  readonly secret?: string | undefined
  readonly description?: string | null | undefined
  readonly event_types?: readonly string[] | null | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly disabled?: boolean | undefined
}

export interface CallFilter {
  /** An id or a route. */
  readonly operation?: OperationName | undefined
  /** Such as `404`, or `4xx`. */
  readonly status?: number | string | undefined
}

export type TriggerInput = Sent<typeof trigger.Trigger>

/** Webhook faults; all are off by default. */
export type WebhookFaultsInput = Sent<typeof webhooks.WebhookFaultsInput>

/** A fault that is injected into calls of the service. */
export type FaultInput = Sent<typeof faults.FaultFields>

/** Filters of the list of orders. */
export interface OrderFilter {
  /** Low-level, dotted, or the first part of a dotted status. */
  readonly status?: string | undefined
  readonly method?: string | undefined
  /** Part of an id, a sample, or the name of a patient or recipient. */
  readonly search?: string | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}
