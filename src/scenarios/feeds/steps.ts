import type { JsonObject } from '../../kernel/json.ts'
import { compact } from '../../kernel/list.ts'
import { readableDuration } from '../../kernel/readable.ts'
import type { ProviderTraits, SourceType } from '../../resources/catalogue/schema.ts'
import type { DeviceChange } from '../../resources/connecting/service.ts'

/** Milliseconds since the scenario began. */
interface At {
  readonly atMs: number
}

/** A step with a duration. */
interface Lasting extends At {
  /** Milliseconds; null until the end of the scenario. */
  readonly forMs: number | null
}

/** Series by their slugs; null for all. */
interface OfSeries {
  readonly of: readonly string[] | null
}

/** Data of a period is hidden, and arrives some time after the end of the period, or never. */
export interface Gap extends Lasting {
  readonly verb: 'gap'
  readonly arrivesMs: number | null
}

/** The provider returns nothing for a period, and then all of it. */
export interface Outage extends Lasting {
  readonly verb: 'outage'
}

/** Every sample arrives twice. */
export interface Duplicate extends Lasting, OfSeries {
  readonly verb: 'duplicate'
}

/** Values are multiplied from the start, or some time after the end of the period. */
export interface Change extends Lasting, OfSeries {
  readonly verb: 'change'
  readonly by: number
  readonly arrivesMs: number | null
}

/** Each sample first has a part of its value, and the full value some time after its end. */
export interface Incomplete extends Lasting, OfSeries {
  readonly verb: 'incomplete'
  readonly by: number
  readonly arrivesMs: number
}

/** A second device of the provider measures the same. */
export interface SecondSource extends Lasting, OfSeries {
  readonly verb: 'second_source'
  readonly sourceType: SourceType
  readonly by: number
}

/** The user is in another time zone from the next local day on. */
interface Travel extends At {
  readonly verb: 'time_zone'
  readonly zone: string
}

/** Some local days have no data at all. */
export interface SkipDays extends Lasting {
  readonly verb: 'skip_days'
  /** The share of all days. */
  readonly share: number
}

/** The device is worn for this time each local day, between 08:00 and 21:00. */
export interface Worn extends Lasting {
  readonly verb: 'worn'
  readonly wornMs: number
}

/** Consents from now on are followed by another history than the provider's. */
export interface HistoryStep extends At {
  readonly verb: 'history'
  /** Milliseconds until all of it has come; null for the provider's time. */
  readonly takesMs: number | null
  /** Null for the provider's way. */
  readonly comes: ProviderTraits['history'] | null
}

interface Break extends At {
  readonly verb: 'error'
  readonly errorType: string
  readonly message: string
}

/** The user disconnects, the ingestion has ended, or the user consents once more. */
interface Switch extends At {
  readonly verb: 'disconnect' | 'pause' | 'reconnect'
}

interface DeviceStep extends At {
  readonly verb: 'device'
  readonly sourceType: SourceType | null
  readonly change: DeviceChange
}

/** One unexpected sample; it ends at the time of the step. */
export interface SampleStep extends At {
  readonly verb: 'sample'
  readonly series: string
  readonly value: number
  readonly type: string | null
  readonly lastsMs: number
}

/** A summary of a day, which the provider edits. */
interface OfSummary extends At {
  /** As in events: `sleep`. */
  readonly resource: string
  /** Days from that of the step: -1 is the day before. */
  readonly day: number
}

/** Fields of a night, a workout or a day are replaced. */
interface Correct extends OfSummary {
  readonly verb: 'correct'
  readonly values: JsonObject
}

/** A night or workout loses time at its start or end. */
interface Trim extends OfSummary {
  readonly verb: 'trim'
  readonly startMs: number
  readonly endMs: number
}

/** Two nights or workouts of a day become one, or a summary goes away. */
interface MergeOrDelete extends OfSummary {
  readonly verb: 'merge' | 'delete'
}

export type EditStep = Correct | Trim | MergeOrDelete

/** A step that runs once at its time. */
export type Act = Break | Switch | DeviceStep | SampleStep | EditStep

const acts: readonly FeedStep['verb'][] = [
  'error',
  'disconnect',
  'pause',
  'reconnect',
  'device',
  'sample',
  'correct',
  'trim',
  'merge',
  'delete',
]

/** A step that changes the data, computed for the requested period. */
export type EffectStep =
  | Gap
  | Outage
  | Duplicate
  | Change
  | Incomplete
  | SecondSource
  | Travel
  | SkipDays
  | Worn
  | HistoryStep

/** A parsed step of a feed scenario. */
export type FeedStep = EffectStep | Act

export const isAct = (step: FeedStep): step is Act => acts.includes(step.verb)

/** A parsed feed scenario. */
export interface FeedScenario {
  readonly name: string
  readonly summary: string
  readonly steps: readonly FeedStep[]
  /** The source text. */
  readonly source: string
  /** The subfolder of the user's folder it lies in, such as `incidents`. */
  readonly group?: string
}

/** The series or summary that a step is about; none for a step about all. */
export function resourcesOf(step: FeedStep): readonly string[] {
  if ('series' in step) return [step.series]
  if ('resource' in step) return [step.resource]
  return ('of' in step && step.of) || []
}

const during = (ms: number | null) => (ms === null ? 'from then on' : `for ${readableDuration(ms)}`)
const seriesText = (of: readonly string[] | null) => (of === null ? 'all series' : of.join(', '))
function later(ms: number | null): string {
  if (ms === null) return 'never arrives'
  return ms === 0 ? 'arrives at its end' : `arrives ${readableDuration(ms)} after its end`
}

const historyTexts: Readonly<Record<ProviderTraits['history'], string>> = {
  pull: 'is pulled, resource by resource',
  announce_first: 'is announced before it comes as daily events',
  daily: 'comes as daily events alone',
}

/** A step as a phrase. */
export function inWords(step: FeedStep): string {
  switch (step.verb) {
    case 'gap':
      return `nothing is seen ${during(step.forMs)}; it ${later(step.arrivesMs)}`
    case 'outage':
      return `the provider hands over nothing ${during(step.forMs)}, then all of it`
    case 'duplicate':
      return `${seriesText(step.of)} come twice ${during(step.forMs)}`
    case 'change':
      return `${seriesText(step.of)} are ${step.by} times what they were ${during(step.forMs)}${
        step.arrivesMs === null ? '' : `; the correction ${later(step.arrivesMs)}`
      }`
    case 'incomplete':
      return `${seriesText(step.of)} come with ${step.by} of their values ${during(step.forMs)}; the rest of each ${later(step.arrivesMs)}`
    case 'second_source':
      return `a ${step.sourceType} sends ${seriesText(step.of)} as well ${during(step.forMs)}`
    case 'time_zone':
      return `the wearer spends the next local day in ${step.zone}`
    case 'skip_days':
      return `${step.share} of the days have no data ${during(step.forMs)}`
    case 'worn':
      return `the device is worn ${readableDuration(step.wornMs)} a day ${during(step.forMs)}`
    case 'history':
      return `the history ${compact([
        step.comes && historyTexts[step.comes],
        step.takesMs !== null && `takes ${readableDuration(step.takesMs)}`,
      ]).join(' and ')}`
    case 'disconnect':
      return 'the user disconnects'
    case 'pause':
      return 'the connection is paused, without an event'
    case 'error':
      return `the connection breaks: ${step.errorType}`
    case 'reconnect':
      return 'the user connects again'
    case 'device':
      return `the ${step.sourceType ?? 'usual'} device is another: ${Object.values(step.change).join(', ')}`
    case 'correct':
      return `${step.resource} of day ${step.day} is corrected: ${Object.keys(step.values).join(', ')}`
    case 'trim':
      return `${step.resource} of day ${step.day} loses ${readableDuration(step.startMs)} at its start and ${readableDuration(step.endMs)} at its end`
    case 'merge':
      return `the first two ${step.resource} of day ${step.day} become one`
    case 'delete':
      return `${step.resource} of day ${step.day} is deleted`
    case 'sample':
      return `one ${step.series}${step.type === null ? '' : ` (${step.type})`} of ${step.value}`
  }
}
