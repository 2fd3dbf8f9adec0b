import * as z from 'zod'
import { unnamed } from '../../api/schema.ts'
import { parseDuration } from '../../kernel/duration.ts'
import { keysOf } from '../../kernel/fields.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { compact } from '../../kernel/list.ts'
import { isTimeZone } from '../../kernel/local-day.ts'
import { didYouMean } from '../../kernel/nearest.ts'
import { historyWays, type SourceType, sourceTypes } from '../../resources/catalogue/schema.ts'
import type { DeviceChange } from '../../resources/connecting/service.ts'
import { connectionErrors } from '../../resources/connections/schema.ts'
import { summaryResources } from '../../resources/summaries/service.ts'
import { findSeries, seriesResources } from '../../resources/timeseries/service.ts'
import { duration, scenarioName } from '../steps.ts'
import type { FeedScenario, FeedStep } from './steps.ts'

/** A duration above zero. */
const lasting = () => duration().refine((text) => parseDuration(text) !== 0, { error: 'is zero' })

const seriesName = () =>
  z.string().superRefine((name, ctx) => {
    const message = whyNoSeries(name)
    if (message) ctx.addIssue({ code: 'custom', message })
  })

const seriesNames = () =>
  z
    .array(z.string())
    .min(1)
    .superRefine((names, ctx) => {
      for (const message of compact(names.map((name) => whyNoSeries(name))))
        ctx.addIssue({ code: 'custom', message })
    })

const whyNoSeries = (name: string): string | undefined =>
  findSeries(name)
    ? undefined
    : `names "${name}", which is not a timeseries.${didYouMean(name, seriesResources)}`

const factor = () => z.number().gt(0, 'must be above 0').max(100, 'must be 100 at the most')
const text = () => z.string().max(200).nullable().optional()

const DeviceSketch = unnamed(() =>
  z.strictObject({
    app_id: text(),
    device_manufacturer: text(),
    device_model: text(),
    device_version: text(),
    device_id: text(),
  }),
)

const SampleSketch = unnamed(() =>
  z.strictObject({
    resource: seriesName(),
    value: z.number(),
    type: z.string().optional(),
    lasts: duration().optional(),
  }),
)

/** A summary that the provider edits: the main one of a day. */
const ofSummary = (editable: readonly string[]) => ({
  resource: z.string().refine((name) => editable.includes(name), {
    error: ({ input }) => `is not a summary that can be edited so.${didYouMean(String(input), editable)}`,
  }),
  day: z.int().min(-30).max(0),
})

const HistorySketch = unnamed(() =>
  z
    .strictObject({ takes: lasting().optional(), comes: z.enum(historyWays).optional() })
    .refine(({ takes, comes }) => takes !== undefined || comes !== undefined, {
      error: 'needs takes, comes or both',
    }),
)

const TrimSketch = unnamed(() =>
  z
    .strictObject({ ...ofSummary(sessions), start: lasting().optional(), end: lasting().optional() })
    .refine(({ start, end }) => start !== undefined || end !== undefined, {
      error: 'needs start, end or both',
    }),
)

const CorrectSketch = unnamed(() =>
  z.strictObject({
    ...ofSummary(correctable),
    values: z.record(z.string(), z.unknown()).refine((values) => Object.keys(values).length > 0, {
      error: 'names no field',
    }),
  }),
)

const correctable = summaryResources.filter((name) => name !== 'profile' && name !== 'workout_stream')
/** The summaries that have a start and an end. */
const sessions = ['sleep', 'workouts']

/** The other fields of each step; `!` marks required ones. */
const companions = {
  gap: ['arrives'],
  outage: [],
  duplicate: ['of'],
  change: ['by!', 'of', 'arrives'],
  incomplete: ['by!', 'arrives!', 'of'],
  second_source: ['source_type!', 'of', 'by'],
  time_zone: [],
  skip_days: ['for'],
  worn: ['for'],
  history: [],
  disconnect: [],
  pause: [],
  error: ['message'],
  reconnect: [],
  device: ['source_type'],
  sample: [],
  correct: [],
  trim: [],
  merge: [],
  delete: [],
} as const satisfies Record<FeedStep['verb'], readonly string[]>

const feedVerbs = keysOf(companions)

const Step = unnamed(() =>
  z
    .strictObject({
      after: duration(),
      gap: lasting().optional(),
      outage: lasting().optional(),
      duplicate: lasting().optional(),
      change: lasting().optional(),
      incomplete: lasting().optional(),
      second_source: lasting().optional(),
      time_zone: z.string().refine(isTimeZone, { error: 'is not an IANA time zone' }).optional(),
      skip_days: z.number().gt(0, 'must be above 0').max(1, 'must be 1 at the most').optional(),
      worn: lasting()
        .refine((time) => (parseDuration(time) ?? 0) <= 13 * 3_600_000, { error: 'is longer than 13h' })
        .optional(),
      history: HistorySketch().optional(),
      disconnect: z.literal(true).optional(),
      pause: z.literal(true).optional(),
      error: z.enum(connectionErrors).optional(),
      reconnect: z.literal(true).optional(),
      device: DeviceSketch().optional(),
      sample: SampleSketch().optional(),
      correct: CorrectSketch().optional(),
      trim: TrimSketch().optional(),
      merge: z.strictObject(ofSummary(sessions)).optional(),
      delete: z.strictObject(ofSummary(correctable)).optional(),
      of: seriesNames().optional(),
      by: factor().optional(),
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
  const allowed: readonly string[] = companions[verb]
  const needed = allowed.filter((word) => word.endsWith('!')).map((word) => word.slice(0, -1))
  const missing = needed
    .filter((word) => step[word] === undefined)
    .map((word) => ({ path: [verb], message: `needs ${word}` }))
  const odd = Object.keys(step)
    .filter((word) => word !== 'after' && word !== verb && step[word] !== undefined)
    .filter((word) => !allowed.some((one) => one.replace('!', '') === word))
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

type FileStep = z.output<ReturnType<typeof Step>>

export function toFeedScenario(file: z.output<ReturnType<typeof FeedFile>>, source: string): FeedScenario {
  let atMs = 0
  const steps = file.steps.map((step) => {
    atMs += msOf(step.after) ?? 0
    return toStep(step, atMs)
  })
  return { name: file.name, summary: file.summary, steps, source }
}

const msOf = (written: string | undefined): number | null =>
  written === undefined ? null : (parseDuration(written) ?? null)

function toStep(step: FileStep, atMs: number): FeedStep {
  const of = step.of?.map((name) => findSeries(name)?.slug ?? name) ?? null
  const arrivesMs = msOf(step.arrives)
  const by = step.by ?? 1
  if (step.gap !== undefined) return { verb: 'gap', atMs, forMs: msOf(step.gap), arrivesMs }
  if (step.outage !== undefined) return { verb: 'outage', atMs, forMs: msOf(step.outage) }
  if (step.duplicate !== undefined) return { verb: 'duplicate', atMs, forMs: msOf(step.duplicate), of }
  if (step.change !== undefined) return { verb: 'change', atMs, forMs: msOf(step.change), of, by, arrivesMs }
  if (step.incomplete !== undefined)
    return { verb: 'incomplete', atMs, forMs: msOf(step.incomplete), of, by, arrivesMs: arrivesMs ?? 0 }
  if (step.second_source !== undefined) {
    const sourceType = step.source_type ?? 'unknown'
    return { verb: 'second_source', atMs, forMs: msOf(step.second_source), of, by, sourceType }
  }
  if (step.time_zone !== undefined) return { verb: 'time_zone', atMs, zone: step.time_zone }
  if (step.skip_days !== undefined)
    return { verb: 'skip_days', atMs, forMs: msOf(step.for), share: step.skip_days }
  if (step.worn !== undefined)
    return { verb: 'worn', atMs, forMs: msOf(step.for), wornMs: msOf(step.worn) ?? 0 }
  if (step.history !== undefined) {
    const { takes, comes = null } = step.history
    return { verb: 'history', atMs, takesMs: msOf(takes), comes }
  }
  return toAct(step, atMs)
}

function toAct(step: FileStep, atMs: number): FeedStep {
  if (step.error !== undefined)
    return { verb: 'error', atMs, errorType: step.error, message: step.message ?? messages[step.error] }
  if (step.device !== undefined) {
    const sourceType: SourceType | null = step.source_type ?? null
    return { verb: 'device', atMs, sourceType, change: step.device as DeviceChange }
  }
  if (step.sample !== undefined) {
    const { resource, value, type = null, lasts } = step.sample
    const series = findSeries(resource)?.slug ?? resource
    return { verb: 'sample', atMs, series, value, type, lastsMs: msOf(lasts) ?? 0 }
  }
  if (step.correct !== undefined) return { verb: 'correct', atMs, ...step.correct }
  if (step.trim !== undefined) {
    const { start, end, ...ofDay } = step.trim
    return { verb: 'trim', atMs, ...ofDay, startMs: msOf(start) ?? 0, endMs: msOf(end) ?? 0 }
  }
  if (step.merge !== undefined) return { verb: 'merge', atMs, ...step.merge }
  if (step.delete !== undefined) return { verb: 'delete', atMs, ...step.delete }
  const acts = ['disconnect', 'pause', 'reconnect'] as const
  return { verb: acts.find((verb) => step[verb]) ?? 'reconnect', atMs }
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
