/** Responses that only the page reads, as their operations declare them. */

import type { Parsed } from '../api/schema.ts'
import type { ScenarioInFull } from '../client/responses.ts'
import type { FeedView } from '../control/feeds/schema.ts'
import type { ScenarioRefusal } from '../control/scenarios/schema.ts'

export type * from '../client/responses.ts'

export interface Page<Item> {
  readonly data: readonly Item[]
  readonly next_cursor: string | null
}

export type TrailStep = ScenarioInFull['trails'][string][number]

export type ScenarioIssue = Parsed<typeof ScenarioRefusal>

/** What a scenario is followed by: orders, or connections. */
export type ScenarioKind = 'orders' | 'feeds'

export type FeedInFull = Parsed<typeof FeedView>
export type FeedStep = FeedInFull['steps'][number]

/** The result of checking a scenario, with trails of orders or steps of a connection. */
export interface ScenarioCheck {
  readonly valid: boolean
  readonly name: string | null
  readonly refusals: readonly ScenarioIssue[]
  readonly trails?: ScenarioInFull['trails']
  readonly steps?: readonly FeedStep[]
}
