import type { TimeRange } from '../kernel/instant.ts'
import type { World } from '../world/world.ts'

/** The input from which an order's scenario is chosen. */
export interface ScenarioSelection {
  /** The name in the request that creates the order. */
  readonly requested: string | undefined
  readonly method: string
  readonly zip: string | undefined
  readonly userId: string
}

/** The interface between orders and their scenarios, implemented in `scenarios/`. */
export interface OrderScenarios {
  /** Resolves once the scenarios are loaded. */
  ready(): Promise<void> | undefined
  /** All scenarios of a world; without a world, those of every new world. */
  names(world?: World): readonly string[]
  /** Says which scenarios of a method pass through a status; undefined if none does. */
  passingThrough(world: World, status: string, method: string): string | undefined
  /** The name of an order's scenario. Throws when the requested one is unknown or of another method. */
  choose(world: World, selection: ScenarioSelection): string
  begin(world: World, orderId: string, scenario: string): void
  /** Continues a scenario that was waiting for this action of the customer. */
  resume(world: World, orderId: string, after: 'registration' | 'appointment'): void
  /** Moves the next step along with the appointment it depends on. */
  appointmentChanged(world: World, orderId: string): void
  /** Ends an order's scenario; its remaining steps are dropped. */
  leave(world: World, orderId: string, because: string): void
}

declare module '../world/services.ts' {
  interface Services {
    readonly scenarios: OrderScenarios
  }
}

/** The fields of a sample that a scenario may change. */
interface Measured {
  readonly start: number
  readonly end: number
  readonly value: number | string | null
}

/** Additional samples of a series within a period. */
export interface FeedBeside extends TimeRange {
  /** Their device; null for the series' own, whose samples are then duplicated. */
  readonly type: string | null
  /** Factor for the values. */
  readonly by: number
}

/**
 * The effects of a scenario on the data of one connection. They depend only on the scenario and on instants; `asOf`
 * is the time of reading.
 */
export interface FeedEffects {
  /** Periods within `within` whose data are hidden. */
  hidden(within: TimeRange, asOf: number): TimeRange[]
  /** A sample with the changes that apply. */
  altered<Sample extends Measured>(series: string, sample: Sample, asOf: number): Sample
  /** Additional samples of a series. */
  beside(series: string): readonly FeedBeside[]
  /** Periods whose samples arrived late or changed after `since` and by `until`. */
  changedIn(since: number, until: number): TimeRange[]
  /** When data of an instant became visible. */
  arrivalOf(instant: number): number
  /** When the data of a period last arrived late or changed, as of `asOf`; undefined when they did not. */
  touchedAt(range: TimeRange, asOf: number): number | undefined
  /** The user's time zone on a local date. */
  zoneOn(date: string): string
  /** The local date at an instant. */
  dateAt(instant: number): string
  /** How the history of a consent comes, where that is not as the provider's traits say. */
  historyOf(consent: number): { readonly takesMs: number | null; readonly comes: string | null } | undefined
  /** Whether the provider sends nothing at an instant. */
  isDown(instant: number): boolean
}

/** Identifies a connection's feed scenario. */
export interface FeedOf {
  readonly user_id: string
  readonly provider: string
  /** The user's usual time zone. */
  readonly time_zone: string
}

/** The interface between connections and their scenarios, implemented in `scenarios/feeds/`. */
export interface FeedScenarios {
  /** All feed scenarios of this world. */
  names(world?: World): readonly string[]
  /** Resolves once all scenarios are loaded; undefined when they already are. */
  ready(): Promise<void> | undefined
  /** Resolves once the scenario of a user's new connection is loaded; undefined when it already is. */
  prepare(world: World, userId: string, requested: string | undefined): Promise<void> | undefined
  /** The scenario of a new connection: the requested one, the user's, or the world's. Throws when it is unknown. */
  choose(world: World, userId: string, requested: string | undefined): string
  /** Starts a scenario for a connection; for a first connection it covers the history as well. */
  begin(world: World, feed: FeedOf, scenario: string, isFirst: boolean): void
  /** The effects of a connection's scenario; undefined without any. */
  effectsOf(world: World, feed: FeedOf): FeedEffects | undefined
}

declare module '../world/services.ts' {
  interface Services {
    readonly feedScenarios: FeedScenarios
  }
}
