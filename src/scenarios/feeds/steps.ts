import type { DeviceChange } from '../../resources/connections/service.ts'
import type { SourceType } from '../../resources/providers/schema.ts'

/** Milliseconds since the scenario began. */
interface At {
  readonly atMs: number
}

/** What goes on for a while. */
interface Lasting extends At {
  /** Milliseconds; null for as long as the scenario goes on. */
  readonly forMs: number | null
}

/** Series by their slugs; null for all. */
interface OfSeries {
  readonly of: readonly string[] | null
}

/** Nothing is seen of a while until it arrives, so long after its end, or never. */
export interface Gap extends Lasting {
  readonly verb: 'gap'
  readonly arrivesMs: number | null
}

/** The provider hands over nothing for a while, then all of it. */
export interface Outage extends Lasting {
  readonly verb: 'outage'
}

/** Everything comes twice. */
export interface Duplicate extends Lasting, OfSeries {
  readonly verb: 'duplicate'
}

/** Values are multiplied: from the first, or so long after the end of the while. */
export interface Change extends Lasting, OfSeries {
  readonly verb: 'change'
  readonly by: number
  readonly arrivesMs: number | null
}

/** Each sample has a part of its value at first, and all of it so long after its end. */
export interface Incomplete extends Lasting, OfSeries {
  readonly verb: 'incomplete'
  readonly by: number
  readonly arrivesMs: number
}

/** Another device of the provider measures the same. */
export interface SecondSource extends Lasting, OfSeries {
  readonly verb: 'second_source'
  readonly sourceType: SourceType
  readonly by: number
}

/** The wearer lives elsewhere from the next local day on. */
export interface Travel extends At {
  readonly verb: 'time_zone'
  readonly zone: string
}

/** Some local days have no data at all. */
export interface SkipDays extends Lasting {
  readonly verb: 'skip_days'
  /** Of all days. */
  readonly share: number
}

/** The device is worn for so long each local day, some time between eight and nine. */
export interface Worn extends Lasting {
  readonly verb: 'worn'
  readonly wornMs: number
}

export interface Break extends At {
  readonly verb: 'error'
  readonly errorType: string
  readonly message: string
}

export interface Reconnect extends At {
  readonly verb: 'reconnect'
}

export interface DeviceStep extends At {
  readonly verb: 'device'
  readonly sourceType: SourceType | null
  readonly change: DeviceChange
}

/** One sample that was not to be expected; it ends when it is told of. */
export interface SampleStep extends At {
  readonly verb: 'sample'
  readonly series: string
  readonly value: number
  readonly type: string | null
  readonly lastsMs: number
}

/** What is done at its instant. */
export type Act = Break | Reconnect | DeviceStep | SampleStep

/** What shows in the data, and is worked out from the instants asked for. */
export type Effect = Gap | Outage | Duplicate | Change | Incomplete | SecondSource | Travel | SkipDays | Worn

/** One thing that goes wrong with a connection, read. */
export type FeedStep = Effect | Act

export const isAct = (step: FeedStep): step is Act =>
  step.verb === 'error' || step.verb === 'reconnect' || step.verb === 'device' || step.verb === 'sample'

/** What goes wrong with a user's connection, and when. */
export interface FeedScenario {
  readonly name: string
  readonly summary: string
  readonly steps: readonly FeedStep[]
  /** The text it was read from. */
  readonly source: string
}
