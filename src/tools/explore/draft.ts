import type { WebhookFaultsInput } from '../../client/inputs.ts'
import type { Outage } from '../../scenarios/finding.ts'

/** A move off the usual way of an order. */
export interface Detour {
  /** How many usual moves come before it. */
  readonly after: number
  /** Chooses one of the legal moves. */
  readonly pick: number
}

/** The life of one order. Without anything it is the happy path. */
export interface OrderDraft {
  /** An index of the workflows. */
  readonly workflow: number
  /** Chooses an edge of the lifecycle that the order goes to first. */
  readonly aim: number | undefined
  readonly detours: readonly Detour[]
  /** The positions of moves that are left out, if the others are legal without them. */
  readonly omitted?: readonly number[]
  /** Other times between steps: the index of a step, and that of a time. */
  readonly waits: readonly { readonly step: number; readonly wait: number }[]
  readonly result: number
  readonly webhookFaults: WebhookFaultsInput | undefined
  /** The customer cancels it after this number of steps. */
  readonly cancelAfter: number | undefined
}

export interface FurtherDraft extends OrderDraft {
  readonly isSameUser: boolean
  /** An index of the times after which it is placed. */
  readonly placed: number
}

export interface FaultDraft {
  readonly operation: string
  readonly kind: number
  readonly times: number
}

/** The acts on the connection of a history. */
export type FeedAct = 'data' | 'connect' | 'other' | 'disconnect' | 'break' | 'end' | 'look'

export interface FeedActDraft {
  /** An index of the times since the act before. */
  readonly after: number
  readonly act: FeedAct
  /** Chooses a variant. */
  readonly pick: number
}

/** A history as it is generated and shrunk: choices, which are read along the lifecycle tables. */
export interface Draft {
  readonly first: OrderDraft
  readonly others: readonly FurtherDraft[]
  readonly faults: readonly FaultDraft[]
  readonly resend:
    | { readonly order: number; readonly event: number | undefined; readonly later: number }
    | undefined
  readonly outage: { readonly kind: Outage; readonly step: number; readonly length: number } | undefined
  /** A connection, after all orders. */
  readonly feed: { readonly provider: number; readonly acts: readonly FeedActDraft[] } | undefined
  readonly hasUnmatched: boolean
  /** Whether users look at the program after each event of their orders. */
  readonly isLooked: boolean
  readonly isSpaced: boolean
  readonly hasFutures: boolean
}

/** The happy path of one order, looked at after each event. */
export const happyDraft = (workflow: number): Draft => ({
  first: {
    workflow,
    aim: undefined,
    detours: [],
    waits: [],
    result: 0,
    webhookFaults: undefined,
    cancelAfter: undefined,
  },
  others: [],
  faults: [],
  resend: undefined,
  outage: undefined,
  feed: undefined,
  hasUnmatched: false,
  isLooked: true,
  isSpaced: false,
  hasFutures: false,
})
