/** Responses that only the page reads, as their operations declare them. */

import type { Parsed } from '../api/schema.ts'
import type { Order, ScenarioCheck, ScenarioInFull } from '../client/responses.ts'
import type { ConnectionFeedView } from '../control/feed-scenarios.ts'
import type * as health from '../control/health.ts'
import type * as mobile from '../control/mobile.ts'
import type * as personas from '../control/personas.ts'
import type * as refused from '../control/refused-calls.ts'
import type * as snapshots from '../control/snapshots.ts'
import type * as userList from '../control/users.ts'
import type * as webhooks from '../control/webhooks/schema.ts'
import type * as appointments from '../resources/appointments/schema.ts'
import type { BiomarkerResult, LabResultsRaw } from '../resources/results/schema.ts'
import type * as summaries from '../resources/summaries/schema.ts'

export type * from '../client/responses.ts'

export interface ListPage<Item> {
  readonly data: readonly Item[]
  readonly next_cursor: string | null
}

/** A call without a valid key. */
export type RefusedCall = refused.RefusedCall
/** The number of messages that are sent again, and the reason if there are none. */
export type Resent = Parsed<typeof webhooks.Resent>

export type SnapshotList = Parsed<typeof snapshots.Snapshots>
export type Health = Parsed<typeof health.Health>
/** Users, each with a name. */
export type UserSummaries = Parsed<typeof userList.UserSummaries>
export type UserSummary = UserSummaries['data'][number]

export type Availability = Parsed<typeof appointments.Availability>
export type CancellationReason = Parsed<typeof appointments.CancellationReasons>[number]

export type InterpretationName = NonNullable<Order['interpretation']>
export type Results = Parsed<typeof LabResultsRaw>
export type ResultLine = Parsed<typeof BiomarkerResult>

export interface ConnectedProvider {
  readonly slug: string
  readonly name: string
  readonly status: string
  readonly created_on: string
}

export type ConnectionFeed = Parsed<typeof ConnectionFeedView>
export type FeedMark = ConnectionFeed['marks'][number]

export type UserTruth = Parsed<typeof personas.UserTruth>

export type MobileState = Parsed<typeof mobile.MobileState>

export type SleepCycle = Parsed<typeof summaries.SleepCycle>
export type ActivitySummary = Parsed<typeof summaries.Activity>

/** A timeseries of numbers, by provider. */
export interface GroupedSeries {
  readonly groups: Readonly<
    Record<
      string,
      readonly { readonly data: readonly { readonly timestamp: string; readonly value: number }[] }[]
    >
  >
}

export type ScenarioStatus = ScenarioInFull['statuses'][string][number]

export type ScenarioIssue = ScenarioCheck['refusals'][number]

export type ScenarioKind = ScenarioInFull['kind']
export type FeedStep = ScenarioInFull['steps'][number]
