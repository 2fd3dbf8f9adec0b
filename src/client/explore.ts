import type { PetriWorld, Receiver, RunningPetri } from './kit.ts'
import type { Order } from './responses.ts'

/** A part of histories. */
export type ExplorePart =
  | 'orders'
  | 'times'
  | 'users'
  | 'cancellations'
  | 'feeds'
  | 'webhook_faults'
  | 'resends'
  | 'outages'
  | 'bodies'
  | 'faults'
  | 'futures'
  | 'unmatched'
  | 'looks'

export interface ExploreOptions {
  /** The number of histories; 300 by default. */
  readonly runs?: number | undefined
  /** The same seed tries the same histories on the same program; 1 by default. */
  readonly seed?: number | undefined
  /** The parts that histories consist of; all by default. */
  readonly only?: readonly ExplorePart[] | undefined
  readonly without?: readonly ExplorePart[] | undefined
  /** A URL or a function that receives the webhooks, if the property does not call `world.webhooks.deliverTo`. */
  readonly webhook?: string | Receiver | undefined
  /** Ends after this number of findings; 1 by default. */
  readonly maxFindings?: number | undefined
  /** Called after each history that was played, also while a finding is made smaller. */
  readonly onProgress?: ((progress: ExploreProgress) => void | Promise<void>) | undefined
  /** Ends the exploration; what was found is kept. */
  readonly signal?: AbortSignal | undefined
}

/** Called with a fresh world and a history to play in it. Throws if the program under test is wrong afterwards. */
export type ExploreProperty = (run: {
  readonly world: PetriWorld
  readonly history: PlayableHistory
}) => Promise<void> | void

/** What is to be placed: an order of a user, for a lab test. */
export interface OrderToPlace {
  readonly user_id: string
  readonly lab_test_id: string
  /** Whether it is a kit that the patient registers later. */
  readonly registrable: boolean
  /** Counts from 1. */
  readonly ordinal: number
}

/** A user who looks at the program in the middle of a history. */
export interface LookingUser {
  readonly user_id: string
  /** The user's orders, as Petri has them; empty while a webhook is pending, since the program has not received it. */
  readonly orders: readonly Order[]
}

export interface PlayOptions {
  /** Places an order by the program under test and returns its id; by default Petri places it. Undefined if it was refused. */
  readonly place?: ((order: OrderToPlace) => Promise<string | undefined>) | undefined
  /** Called when a user looks at the program. Throws if it shows something wrong, which ends the history. */
  readonly look?: ((user: LookingUser) => Promise<void>) | undefined
}

/** A sequence of what may legally happen. */
export interface PlayableHistory {
  /** The text of the file that plays it again. */
  readonly source: string
  /** The orders at the end, as Petri has them. */
  readonly orders: readonly Order[]
  readonly userIds: readonly string[]
  /** Plays it until all is quiet. Returns the first order; throws if that was never placed. */
  play(options?: PlayOptions): Promise<Order>
  /**
   * Instead of `play`, for tests that place orders and move the clock themselves: all orders of the world follow the first
   * one of the history, with its deliveries and faults.
   */
  prepare(): Promise<void>
}

/** The coverage of a history. */
export interface ExploreCoverage {
  /** Edges of the lifecycles, such as `walk_in_test: ordered > cancelled`. */
  readonly edges: {
    readonly covered: number
    readonly of: number
    readonly never: readonly string[]
    /** How often orders came along each. */
    readonly met: Readonly<Record<string, number>>
  }
  /** Event types and how often each was sent. */
  readonly events: Readonly<Record<string, number>>
  /** Anomalies with the event types they hit, such as `duplicate labtest.order.updated`. */
  readonly pairs: Readonly<Record<string, number>>
}

export interface ExploreProgress {
  /** The number of histories so far, and of how many. */
  readonly runs: number
  readonly of: number
  /** Histories played, those of shrinking included. */
  readonly plays: number
  readonly perSecond: number
  readonly coverage: ExploreCoverage
  readonly findings: readonly Finding[]
}

/** A webhook of a history, as the program under test got it. */
export interface DeliveredWebhook {
  /** Since the history began, such as `3 d 4 h`. */
  readonly after: string
  readonly type: string
  /** The low-level status in its body; empty without one. */
  readonly status: string
  /** What was unusual about the delivery, such as `duplicate`. */
  readonly marks: readonly string[]
  /** The status that the program answered; null without an answer. */
  readonly answer: number | null
}

/** A history in which the program under test goes wrong, as small as possible. */
export interface Finding {
  /** That of its file. */
  readonly name: string
  /** What is wrong, in one sentence. */
  readonly problem: string
  /** What the program showed and what it should have shown, where the check compares the two. */
  readonly actual?: unknown
  readonly expected?: unknown
  /** Which check found it. */
  readonly oracle: string
  /** What happened, in at most ten lines. */
  readonly story: readonly string[]
  /** Its webhooks in the order of their arrival. */
  readonly webhooks: readonly DeliveredWebhook[]
  /** The text of its file. */
  readonly source: string
  /** What its history adds to the happy path. */
  readonly anomalies: readonly string[]
  /** The number of the history that found it, and the seed and path of fast-check. */
  readonly run: number
  readonly seed: number
  readonly path: string
  /** How many plays of its history failed. Unless all did, it has no file. */
  readonly plays: { readonly failed: number; readonly of: number }
  /** Whether a file of it was there before. */
  readonly known: boolean
  /** How many more histories went wrong in the same way; their histories contain this one. */
  readonly again: number
}

export interface Explored {
  readonly runs: number
  readonly plays: number
  readonly seed: number
  readonly perSecond: number
  readonly coverage: ExploreCoverage
  readonly findings: readonly Finding[]
  /** Whether it was ended by the signal. */
  readonly stopped: boolean
  /** The finding with which it ended early, because that alone was found in the last 20 histories. */
  readonly endedBy: Finding | undefined
}

/** A Petri that looks for histories that break the program under test. */
export interface ExploringPetri extends RunningPetri {
  /**
   * Plays random legal histories, each in a world that was reset. Rejects with an `ExploreFailure` for one after which the
   * property throws, a webhook was refused, or a call was wrong; it is made as small as possible before.
   */
  explore(options: ExploreOptions, property: ExploreProperty): Promise<Explored>
  /** Plays the file of a finding, as `explore` has written it. Rejects like `explore`. */
  replay(source: string, property: ExploreProperty, options?: Pick<ExploreOptions, 'webhook'>): Promise<void>
}

/** The program under test went wrong: the story as message, and all about it. */
export interface ExploreFailure extends Error {
  readonly name: 'ExploreFailure'
  readonly findings: readonly Finding[]
  /** Those of the first finding; test runners show their difference. */
  readonly actual: unknown
  readonly expected: unknown
}
