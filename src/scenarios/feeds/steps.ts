import * as z from 'zod'
import { anyObject, texts, unnamed } from '../../api/schema.ts'
import { parseDuration } from '../../kernel/duration.ts'
import { entriesOf, keysOf } from '../../kernel/fields.ts'
import { HOUR_MS } from '../../kernel/instant.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { compact } from '../../kernel/list.ts'
import { isTimeZone } from '../../kernel/local-day.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import { readableDuration } from '../../kernel/readable.ts'
import {
  historyWays,
  type ProviderTraits,
  type SourceType,
  sourceTypes,
} from '../../resources/catalogue/schema.ts'
import type { DeviceChange } from '../../resources/connecting/service.ts'
import { connectionErrors } from '../../resources/connections/schema.ts'
import { summaryResources } from '../../resources/summaries/service.ts'
import { problemsOfValues } from '../../resources/summaries/storing.ts'
import { findSeries, seriesResources } from '../../resources/timeseries/service.ts'
import { duration, scenarioName } from '../steps.ts'

/** The fields that several verbs take, parsed. */
interface Companions {
  /** Series by their slugs; null for all. */
  readonly of: readonly string[] | null
  readonly by: number
  /** Milliseconds after the end of the period; null for never. */
  readonly arrivesMs: number | null
  /** Milliseconds; null until the end of the scenario. */
  readonly forMs: number | null
  readonly sourceType: SourceType | null
  readonly message: string | undefined
}

/** What a step of a feed scenario does. */
interface Verb<Value, Fields> {
  /** The value of the verb in a file. */
  value(): z.ZodType<Value>
  /** The other fields of the step in a file; `!` marks required ones. */
  readonly takes?: readonly string[]
  /** The fields of the parsed step. */
  read(value: Value, companions: Companions): Fields
  /** The step as a phrase. */
  inWords(step: Fields): string
}

const verb = <Value, Fields>(declared: Verb<Value, Fields>): Verb<Value, Fields> => declared

/** A duration above zero. */
const lasting = () => duration().refine((text) => parseDuration(text) !== 0, { error: 'is zero' })

/** Milliseconds; null for none. */
const msOf = (written = ''): number | null => parseDuration(written) ?? null

const seriesName = () =>
  z.string().superRefine((name, ctx) => {
    const message = whyNoSeries(name)
    if (message) ctx.addIssue({ code: 'custom', message })
  })

const seriesNames = () =>
  texts()
    .min(1)
    .superRefine((names, ctx) => {
      for (const message of compact(names.map((name) => whyNoSeries(name))))
        ctx.addIssue({ code: 'custom', message })
    })

const whyNoSeries = (name: string): string | undefined =>
  findSeries(name)
    ? undefined
    : `names "${name}", which is not a timeseries.${didYouMean(name, seriesResources)}`

const slugOf = (name: string): string => findSeries(name)?.slug ?? name

/** A summary that the provider edits: the main one of a day, which counts from that of the step. */
const ofSummary = (editable: readonly string[]) => ({
  resource: z.string().refine((name) => editable.includes(name), {
    error: ({ input }) => `is not a summary that can be edited so.${didYouMean(String(input), editable)}`,
  }),
  day: z.int().min(-30).max(0),
})

const correctable = summaryResources.filter((name) => name !== 'profile' && name !== 'workout_stream')
/** The summaries that have a start and an end. */
const sessions = ['sleep', 'workouts']

const text = () => z.string().max(200).nullable().optional()

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

/** Verbs that change the data, computed for the requested period. */
const effects = {
  /** Data of a period is hidden, and arrives some time after the end of the period, or never. */
  gap: verb({
    value: lasting,
    takes: ['arrives'],
    read: (time, { arrivesMs }) => ({ forMs: msOf(time), arrivesMs }),
    inWords: ({ forMs, arrivesMs }) => `nothing is seen ${during(forMs)}; it ${later(arrivesMs)}`,
  }),
  /** The provider returns nothing for a period, and then all of it. */
  outage: verb({
    value: lasting,
    read: (time) => ({ forMs: msOf(time) }),
    inWords: ({ forMs }) => `the provider hands over nothing ${during(forMs)}, then all of it`,
  }),
  /** Every sample arrives twice. */
  duplicate: verb({
    value: lasting,
    takes: ['of'],
    read: (time, { of }) => ({ forMs: msOf(time), of }),
    inWords: ({ forMs, of }) => `${seriesText(of)} come twice ${during(forMs)}`,
  }),
  /** Values are multiplied from the start, or some time after the end of the period. */
  change: verb({
    value: lasting,
    takes: ['by!', 'of', 'arrives'],
    read: (time, { of, by, arrivesMs }) => ({ forMs: msOf(time), of, by, arrivesMs }),
    inWords: ({ forMs, of, by, arrivesMs }) =>
      `${seriesText(of)} are ${by} times what they were ${during(forMs)}${
        arrivesMs === null ? '' : `; the correction ${later(arrivesMs)}`
      }`,
  }),
  /** Each sample first has a part of its value, and the full value some time after its end. */
  incomplete: verb({
    value: lasting,
    takes: ['by!', 'arrives!', 'of'],
    read: (time, { of, by, arrivesMs }) => ({ forMs: msOf(time), of, by, arrivesMs: arrivesMs ?? 0 }),
    inWords: ({ forMs, of, by, arrivesMs }) =>
      `${seriesText(of)} come with ${by} of their values ${during(forMs)}; the rest of each ${later(arrivesMs)}`,
  }),
  /** A second device of the provider measures the same. */
  second_source: verb({
    value: lasting,
    takes: ['source_type!', 'of', 'by'],
    read: (time, { of, by, sourceType }) => ({
      forMs: msOf(time),
      of,
      by,
      sourceType: sourceType ?? 'unknown',
    }),
    inWords: ({ forMs, of, sourceType }) =>
      `a ${sourceType} sends ${seriesText(of)} as well ${during(forMs)}`,
  }),
  /** The user is in another time zone from the next local day on. */
  time_zone: verb({
    value: () => z.string().refine(isTimeZone, { error: 'is not an IANA time zone' }),
    read: (zone) => ({ zone }),
    inWords: ({ zone }) => `the wearer spends the next local day in ${zone}`,
  }),
  /** A share of all local days has no data at all. */
  skip_days: verb({
    value: () => z.number().gt(0).max(1),
    takes: ['for'],
    read: (share, { forMs }) => ({ forMs, share }),
    inWords: ({ forMs, share }) => `${share} of the days have no data ${during(forMs)}`,
  }),
  /** The device is worn for this time each local day, between 08:00 and 21:00. */
  worn: verb({
    value: () =>
      lasting().refine((time) => (parseDuration(time) ?? 0) <= 13 * HOUR_MS, { error: 'is longer than 13h' }),
    takes: ['for'],
    read: (time, { forMs }) => ({ forMs, wornMs: msOf(time) ?? 0 }),
    inWords: ({ forMs, wornMs }) => `the device is worn ${readableDuration(wornMs)} a day ${during(forMs)}`,
  }),
  /** Consents from now on are followed by another history than the provider's: null for its time, or its way. */
  history: verb({
    value: () =>
      z
        .strictObject({ takes: lasting().optional(), comes: z.enum(historyWays).optional() })
        .refine(({ takes, comes }) => takes !== undefined || comes !== undefined, {
          error: 'needs takes, comes or both',
        }),
    read: ({ takes, comes = null }) => ({ takesMs: msOf(takes), comes }),
    inWords: ({ takesMs, comes }) =>
      `the history ${compact([
        comes && historyTexts[comes],
        takesMs !== null && `takes ${readableDuration(takesMs)}`,
      ]).join(' and ')}`,
  }),
}

/** A verb that says all by itself. */
const plain = (words: string) =>
  verb({ value: () => z.literal(true), read: () => ({}), inWords: () => words })

/** Verbs that run once at their time. */
const acts = {
  disconnect: plain('the user disconnects'),
  /** The ingestion has ended. */
  pause: plain('the connection is paused, without an event'),
  error: verb({
    value: () => z.enum(connectionErrors),
    takes: ['message'],
    read: (errorType, { message = messages[errorType] }) => ({ errorType, message }),
    inWords: ({ errorType }) => `the connection breaks: ${errorType}`,
  }),
  /** The user consents once more. */
  reconnect: plain('the user connects again'),
  device: verb({
    value: () =>
      z.strictObject({
        app_id: text(),
        device_manufacturer: text(),
        device_model: text(),
        device_version: text(),
        device_id: text(),
      }),
    takes: ['source_type'],
    read: (change, { sourceType }) => ({ sourceType, change: change as DeviceChange }),
    inWords: ({ sourceType, change }) =>
      `the ${sourceType ?? 'usual'} device is another: ${Object.values(change).join(', ')}`,
  }),
  /** One unexpected sample; it ends at the time of the step. */
  sample: verb({
    value: () =>
      z.strictObject({
        resource: seriesName(),
        value: z.number(),
        type: z.string().optional(),
        lasts: duration().optional(),
      }),
    read: ({ resource, value, type = null, lasts }) => ({
      series: slugOf(resource),
      value,
      type,
      lastsMs: msOf(lasts) ?? 0,
    }),
    inWords: ({ series, value, type }) => `one ${series}${type === null ? '' : ` (${type})`} of ${value}`,
  }),
  /** Fields of a night, a workout or a day are replaced. */
  correct: verb({
    value: () =>
      z
        .strictObject({
          ...ofSummary(correctable),
          values: anyObject().refine((values) => Object.keys(values).length > 0, {
            error: 'names no field',
          }),
        })
        .superRefine(({ resource, values }, ctx) => {
          if (!correctable.includes(resource)) return
          for (const message of problemsOfValues(resource, values))
            ctx.addIssue({ code: 'custom', message, path: ['values'] })
        }),
    read: (correction) => correction,
    inWords: ({ resource, day, values }) =>
      `${resource} of day ${day} is corrected: ${Object.keys(values).join(', ')}`,
  }),
  /** A night or workout loses time at its start or end. */
  trim: verb({
    value: () =>
      z
        .strictObject({ ...ofSummary(sessions), start: lasting().optional(), end: lasting().optional() })
        .refine(({ start, end }) => start !== undefined || end !== undefined, {
          error: 'needs start, end or both',
        }),
    read: ({ start, end, ...ofDay }) => ({ ...ofDay, startMs: msOf(start) ?? 0, endMs: msOf(end) ?? 0 }),
    inWords: ({ resource, day, startMs, endMs }) =>
      `${resource} of day ${day} loses ${readableDuration(startMs)} at its start and ${readableDuration(endMs)} at its end`,
  }),
  /** Two nights or workouts of a day become one. */
  merge: verb({
    value: () => z.strictObject(ofSummary(sessions)),
    read: (ofDay) => ofDay,
    inWords: ({ resource, day }) => `the first two ${resource} of day ${day} become one`,
  }),
  delete: verb({
    value: () => z.strictObject(ofSummary(correctable)),
    read: (ofDay) => ofDay,
    inWords: ({ resource, day }) => `${resource} of day ${day} is deleted`,
  }),
}

/** The default messages of a provider. */
const messages: Readonly<Record<(typeof connectionErrors)[number], string>> = {
  token_refresh_failed: 'The access token could not be refreshed.',
  webhook_registration_failed: 'The provider did not accept the subscription.',
  user_not_found: 'The provider does not know the user any more.',
  deregistered_per_provider: 'The user has taken back the consent at the provider.',
  required_scopes_not_granted: 'The user has not granted what is needed.',
  provider_credential_error: 'The provider did not accept the credentials.',
  provider_password_expired: 'The password at the provider has expired.',
  unknown: 'The provider gave no reason.',
}

/** What a feed scenario can do, by the names in a file. */
const verbs = { ...effects, ...acts }
type FeedVerb = keyof typeof verbs
const feedVerbs = keysOf(verbs)

/** A parsed step with one of these verbs. `atMs` is in milliseconds since the scenario began. */
export type StepOf<Name extends FeedVerb> = Name extends unknown
  ? { readonly verb: Name; readonly atMs: number } & Readonly<ReturnType<(typeof verbs)[Name]['read']>>
  : never

export type EffectStep = StepOf<keyof typeof effects>
export type Act = StepOf<keyof typeof acts>
export type EditStep = StepOf<'correct' | 'trim' | 'merge' | 'delete'>
export type FeedStep = StepOf<FeedVerb>

export const isAct = (step: FeedStep): step is Act => step.verb in acts

const Step = unnamed(() =>
  z
    .strictObject({
      after: duration(),
      ...Object.fromEntries(entriesOf(verbs).map(([name, { value }]) => [name, value().optional()])),
      of: seriesNames().optional(),
      by: z.number().gt(0).max(100).optional(),
      arrives: duration().optional(),
      for: lasting().optional(),
      source_type: z.enum(sourceTypes).optional(),
      message: z.string().min(1).optional(),
    })
    .superRefine((step, ctx) => {
      // A misspelt field already explains why the step is invalid.
      if (ctx.issues.length > 0) return
      for (const { path, message } of whyNoStep(step)) ctx.addIssue({ code: 'custom', path, message })
    }),
)

/** Why a step is invalid: it must have exactly one verb and the fields of that verb. */
function whyNoStep(step: JsonObject): { path: string[]; message: string }[] {
  const [verb, another] = feedVerbs.filter((word) => step[word] !== undefined)
  if (!verb) return [{ path: ['after'], message: `needs an action: one of ${feedVerbs.join(', ')}` }]
  if (another) return [{ path: [another], message: `cannot be combined with ${verb}; write two steps` }]
  const { takes = [] } = verbs[verb]
  const needed = takes.filter((word) => word.endsWith('!')).map((word) => word.slice(0, -1))
  const missing = needed
    .filter((word) => step[word] === undefined)
    .map((word) => ({ path: [verb], message: `needs ${word}` }))
  const odd = Object.keys(step)
    .filter((word) => word !== 'after' && word !== verb && step[word] !== undefined)
    .filter((word) => !takes.some((one) => one.replace('!', '') === word))
    .map((word) => ({ path: [word], message: `does not go with ${verb}` }))
  return [...missing, ...odd]
}

/** A feed scenario file, version 1. */
export const FeedFile = unnamed(() =>
  z.strictObject({
    name: scenarioName(),
    summary: z.string().min(1),
    kind: z.literal('feed'),
    steps: z.array(Step()).max(100),
  }),
)

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

export function toFeedScenario(file: z.output<ReturnType<typeof FeedFile>>, source: string): FeedScenario {
  let atMs = 0
  const steps = file.steps.map((step) => {
    atMs += msOf(step.after) ?? 0
    return toStep(step, atMs)
  })
  return { name: file.name, summary: file.summary, steps, source }
}

function toStep(step: z.output<ReturnType<typeof Step>> & JsonObject, atMs: number): FeedStep {
  const verb = feedVerbs.find((word) => step[word] !== undefined) ?? 'reconnect'
  const companions: Companions = {
    of: step.of?.map(slugOf) ?? null,
    by: step.by ?? 1,
    arrivesMs: msOf(step.arrives),
    forMs: msOf(step.for),
    sourceType: step.source_type ?? null,
    message: step.message,
  }
  return { verb, atMs, ...verbs[verb].read(step[verb] as never, companions) } as FeedStep
}

/** The series or summary that a step is about; none for a step about all. */
export function resourcesOf(step: FeedStep): readonly string[] {
  if ('series' in step) return [step.series]
  if ('resource' in step) return [step.resource]
  return ('of' in step && step.of) || []
}

/** A step as a phrase. */
export const inWords = (step: FeedStep): string => (verbs[step.verb] as Verb<unknown, FeedStep>).inWords(step)
