import type { World } from '../world/world.ts'

/** Instants in milliseconds since 1970. */
interface Stretch {
  readonly from: number
  readonly until: number
}

/** What a scenario may alter about a sample. */
interface Measured {
  readonly start: number
  readonly end: number
  readonly value: number | string | null
}

/** Samples that come in beside a series' own, in one stretch of time. */
export interface FeedBeside extends Stretch {
  /** The device they are from; null for the series' own, which then sends all twice. */
  readonly type: string | null
  /** What the values are multiplied by. */
  readonly by: number
}

/** What goes wrong with the data of one connection. All of it follows from the scenario and the instants asked for; `asOf` is when somebody looks. */
export interface FeedEffects {
  /** Stretches that overlap `within` and of which there is nothing to be seen. */
  hidden(within: Stretch, asOf: number): Stretch[]
  /** A sample of a series as it stands. */
  altered<Sample extends Measured>(series: string, sample: Sample, asOf: number): Sample
  /** What comes in beside a series. */
  beside(series: string): readonly FeedBeside[]
  /** Stretches whose samples came late or changed after `since` and by `until`. */
  changedIn(since: number, until: number): Stretch[]
  /** When what happened at an instant was first to be seen. */
  cameAt(instant: number): number
  /** When the data of a stretch last came late or changed, looked at from `asOf`; undefined when they did not. */
  touchedAt(stretch: Stretch, asOf: number): number | undefined
  /** Where the wearer spends a local date; undefined for home. */
  zoneOn(date: string): string | undefined
  /** The local date at an instant. */
  dateAt(instant: number): string
  /** Whether the provider hands over nothing at an instant. */
  isDown(instant: number): boolean
}

/** What tells a connection's feed scenario apart. */
export interface FeedOf {
  readonly user_id: string
  readonly provider: string
  /** Where its wearer is at home. */
  readonly time_zone: string
}

/** How connections and their scenarios speak to each other; the scenarios themselves live above, in `scenarios/feeds/`. */
export interface FeedScenarios {
  /** Every scenario the connections of this world can follow. */
  names(world?: World): readonly string[]
  /** Resolves once the scenario that a new connection of a user will follow can be read; undefined when nothing needs reading. */
  prepare(world: World, userId: string, requested: string | undefined): Promise<void> | undefined
  /** The scenario a new connection follows: the one asked for, the user's, the world's. Throws when it is unknown. */
  choose(world: World, userId: string, requested: string | undefined): string
  /** Lets a connection follow a scenario from now on; a first connection's history belongs to it as well. */
  begin(world: World, feed: FeedOf, scenario: string, isFirst: boolean): void
  /** What the scenario of a connection does; undefined where nothing goes wrong. */
  effectsOf(world: World, feed: FeedOf): FeedEffects | undefined
  /** Drops all that is known of a connection whose user is gone. */
  forget(world: World, feed: Pick<FeedOf, 'user_id' | 'provider'>): void
}
