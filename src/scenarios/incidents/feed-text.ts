import { writeDuration } from '../../kernel/duration.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type TimeRange, toDate } from '../../kernel/instant.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { compact, groupBy, largest, smallest } from '../../kernel/list.ts'
import { isTimeZone, localDate, localDay, offsetSeconds } from '../../kernel/local-day.ts'
import { sourceTypes } from '../../resources/catalogue/schema.ts'
import { connectionErrors } from '../../resources/connections/schema.ts'
import { findProvider } from '../../resources/providers/service.ts'
import { findSeries, sourceTypeOf } from '../../resources/timeseries/service.ts'
import type { ConnectionAct, FeedRecord, RecordedSample, RecordedStream } from './feed-record.ts'
import { type WrittenScenario, writeSteps } from './scenario-text.ts'

/** A step with the instant at which it begins. */
interface FoundStep {
  readonly at: number
  readonly fields: JsonObject
}

/** A period with data, and when they came. */
type Covered = Pick<RecordedSample, 'start' | 'end' | 'firstAt'>

/** The most steps that a file may have. */
const MAX_STEPS = 100

/** Writes a feed scenario that repeats when the data of a connection came. */
export function writeFeed(record: FeedRecord, name: string): WrittenScenario {
  const { provider, began } = record
  const covered = coverageOf(record)
  const history = historySteps(record, covered)
  const found = [
    ...zoneSteps(record),
    ...history,
    ...actSteps(record),
    ...withinConnection(record, [
      ...(history.length > 0 ? [] : late(record, covered)),
      ...gaps(record, covered),
      ...copies(record),
      ...secondSources(record),
      ...corrections(record),
      ...singles(record),
      ...sports(record),
    ]),
  ].sort((a, b) => a.at - b.at)
  const kept = found.slice(0, MAX_STEPS)
  let last = began
  const steps = kept.map(({ at, fields }) => {
    const after = Math.max(0, at - last)
    last = Math.max(last, at)
    return { fields: { after: writeDuration(after), ...fields } }
  })
  const head = { name, summary: summaryOf(record, kept), kind: 'feed' }
  return {
    source: writeSteps(head, steps, 'feed.schema.json'),
    notes: compact([
      'Left out: values, ids, names and dates; the data are those of the user who is connected.',
      provider === undefined
        ? 'The record names no provider.'
        : `The data are of ${provider}; connect to it to see the same.`,
      !record.isTimed &&
        'The record has no times of receipt; all data are assumed to have arrived with the newest data before them.',
      found.length > kept.length &&
        `Left out ${found.length - kept.length} steps after the first ${MAX_STEPS}.`,
    ]),
  }
}

const verbs: Readonly<Record<string, string>> = {
  gap: 'gaps',
  history: 'a slow history',
  outage: 'an outage',
  duplicate: 'duplicates',
  second_source: 'a second source',
  change: 'corrections',
  incomplete: 'incomplete values',
  time_zone: 'other time zones',
  error: 'an error',
  device: 'other devices',
  sample: 'single samples',
  correct: 'corrected workouts',
}

function summaryOf({ provider = 'a provider' }: FeedRecord, steps: readonly FoundStep[]): string {
  const found = Object.keys(verbs).filter((verb) => steps.some(({ fields }) => verb in fields))
  return `Repeats the data of ${provider}: ${found.map((verb) => verbs[verb]).join(', ') || 'nothing unusual'}.`
}

/** Zones that stand for all others with the same offsets. */
const zones = [
  'UTC',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'Europe/London',
  'Europe/Berlin',
  'Asia/Tokyo',
  'Asia/Kolkata',
  'Asia/Shanghai',
  'Australia/Sydney',
  'America/Sao_Paulo',
]

/** A zone with these offsets; without a known one, a zone that always has the first of them. */
function zoneOf(samples: readonly (readonly [at: number, offset: number])[]): string | undefined {
  const [first] = samples
  if (!first) return undefined
  const known = zones.find((zone) => samples.every(([at, offset]) => offsetSeconds(zone, at) === offset))
  const hours = first[1] / 3600
  const fixed = `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
  return known ?? (isTimeZone(fixed) ? fixed : undefined)
}

/** Where the wearer was: the first place from the start, each other from the local day after the step. */
function zoneSteps({ offsets, began }: FeedRecord): FoundStep[] {
  const stays: { zone: string; samples: [number, number][] }[] = []
  for (const [at, offset] of offsets) {
    const stay = stays.at(-1)
    if (stay && offsetSeconds(stay.zone, at) === offset) {
      stay.samples.push([at, offset])
      continue
    }
    const together = stay && zoneOf([...stay.samples, [at, offset]])
    const isSame = together !== undefined && offsetSeconds(together, at) === offset
    if (stay && isSame) {
      stay.zone = together
      stay.samples.push([at, offset])
    } else {
      const zone = zoneOf([[at, offset]])
      if (zone !== undefined) stays.push({ zone, samples: [[at, offset]] })
    }
  }
  return stays.flatMap(({ zone, samples: [first] }, place) => {
    const before = stays[place - 1]
    if (!before) return zone === 'UTC' ? [] : { at: began, fields: { time_zone: zone } }
    const date = localDate(zone, first?.[0] ?? began)
    const eve = localDay(before.zone, toDate(Date.parse(date) - DAY_MS))
    return { at: Math.max(began, eve.start + DAY_MS / 2), fields: { time_zone: zone } }
  })
}

const errorTypes: readonly string[] = connectionErrors

/** Errors, connections after them, and changes of devices. */
function actSteps({ acts, provider = '' }: FeedRecord): FoundStep[] {
  const known = new Map<unknown, JsonObject>()
  const usual = findProvider(provider)?.source_types[0]
  let isBroken = false
  return acts.flatMap((act): FoundStep[] => {
    if (act.does === 'device') {
      const { device } = act
      const before = known.get(device.source_type)
      known.set(device.source_type, device)
      return isBroken ? [] : deviceStep(act, before, usual)
    }
    if (act.does === 'history' || isBroken === (act.does === 'error')) return []
    isBroken = act.does === 'error'
    if (act.does === 'connect') return [{ at: act.at, fields: { reconnect: true } }]
    const error = errorTypes.includes(act.errorType) ? act.errorType : 'unknown'
    return [{ at: act.at, fields: { error } }]
  })
}

const deviceFields = ['device_manufacturer', 'device_model', 'device_version'] as const

/** The first device of a connection comes with it. */
function deviceStep(
  { at, isNew, device }: Extract<ConnectionAct, { does: 'device' }>,
  before: JsonObject | undefined,
  usual: string | undefined,
): FoundStep[] {
  const type = sourceTypes.find((each) => each === device.source_type)
  if (isNew && (type === usual || type === undefined)) return []
  const changed = deviceFields.filter(
    (field) => typeof device[field] === 'string' && device[field] !== before?.[field],
  )
  const isOther = before !== undefined && device.device_id !== before.device_id
  const fields = {
    ...Object.fromEntries(changed.map((field) => [field, device[field]])),
    // Its own id is somebody's.
    ...(isOther && { device_id: `00000000${Math.floor(at / MINUTE_MS) % 10_000}` }),
  }
  if (Object.keys(fields).length === 0) return []
  return [{ at, fields: { device: fields, ...(type !== usual && { source_type: type }) } }]
}

/** Only what begins while the connection works. */
function withinConnection({ acts }: FeedRecord, steps: readonly FoundStep[]): FoundStep[] {
  const broken = brokenPeriods(acts)
  return steps.filter(({ at }) => !broken.some(({ from, until }) => at >= from && at < until))
}

function brokenPeriods(acts: readonly ConnectionAct[]): TimeRange[] {
  return acts.flatMap((act, place) => {
    if (act.does !== 'error') return []
    const again = acts.slice(place).find(({ does }) => does === 'connect')
    return { from: act.at, until: again?.at ?? Number.POSITIVE_INFINITY }
  })
}

/** The periods with data: the samples, by start; without any the days of the summaries. */
function coverageOf({ streams, arrivals }: FeedRecord): Covered[] {
  const samples = streams.flatMap((stream) => [...stream.samples.values()])
  const days = [...arrivals.values()].flatMap((dates) =>
    [...dates].map(([date, firstAt]) => ({
      start: Date.parse(date),
      end: Date.parse(date) + DAY_MS,
      firstAt,
    })),
  )
  return (samples.length > 0 ? samples : days).sort((a, b) => a.start - b.start)
}

/** The value below which this share of numbers lies. */
function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length * share)] ?? 0
}

/** Later than this is late, and so is what came later than most. */
const LATE_MS = 2.5 * HOUR_MS
/** A break between samples that come in one run. */
const RUN_MS = HOUR_MS
/** Data that end this long before they came were held back until then. */
const HELD_MS = 10 * MINUTE_MS

/** How the history came, if that was unusual. */
function historySteps({ isTimed, began, acts }: FeedRecord, covered: readonly Covered[]): FoundStep[] {
  if (!isTimed) return []
  const step = (until: number, comes?: string): FoundStep[] => [
    {
      at: began,
      fields: { history: { ...(comes && { comes }), takes: writeDuration(wholeMinutes(until - began)) } },
    },
  ]
  const timesOf = (does: ConnectionAct['does']) => acts.flatMap((act) => (act.does === does ? act.at : []))
  const announced = timesOf('history')
  const [connected] = timesOf('connect')
  const [error] = timesOf('error')
  const sent = covered
    .filter(({ end }) => end < (connected ?? end) - 2 * DAY_MS)
    .map(({ firstAt }) => firstAt)
  if (sent.length > 0 && announced.length === 0) return step(largest(sent), 'daily')
  if (sent.length > 0 && smallest(announced) - began < MINUTE_MS) return step(largest(sent), 'announce_first')
  if (announced.length + covered.length === 0 && error !== undefined) return step(2 * error - began)
  // Without announcements, the first data came with the history.
  const until = announced.length > 0 ? largest(announced) : smallest(covered.map(({ firstAt }) => firstAt))
  return until - began > SILENCE_MS && Number.isFinite(until) ? step(until) : []
}

/** Periods whose data came late, together. */
function late({ isTimed, began }: FeedRecord, covered: readonly Covered[]): FoundStep[] {
  if (!isTimed) return []
  const samples = covered.filter(({ start }) => start >= began)
  const lags = samples.map(({ end, firstAt }) => firstAt - end)
  const limit = Math.max(LATE_MS, 1.5 * quantile(lags, 0.75))
  const arrivals = groupBy(samples, ({ firstAt }) => Math.round(firstAt / HELD_MS))
  return [...arrivals.values()].flatMap((together) => {
    const first = together.findIndex(({ end, firstAt }) => firstAt - end > limit)
    if (first === -1) return []
    const run = runFrom(together, first)
    return heldBack(periodOf(run), together[0]?.firstAt ?? 0)
  })
}

/** The samples from one on without a break. */
function runFrom(samples: readonly Covered[], first: number): Covered[] {
  const rest = samples.slice(first)
  const end = rest.findIndex((sample, at) => at > 0 && sample.start - (rest[at - 1]?.end ?? 0) > RUN_MS)
  return end === -1 ? rest : rest.slice(0, end)
}

/** The minutes in which samples begin. */
function periodOf(samples: readonly Pick<Covered, 'start'>[]): TimeRange {
  const from = Math.floor((samples[0]?.start ?? 0) / MINUTE_MS) * MINUTE_MS
  const last = largest([from, ...samples.map(({ start }) => start)])
  return { from, until: (Math.floor(last / MINUTE_MS) + 1) * MINUTE_MS }
}

function heldBack({ from, until }: TimeRange, at: number): FoundStep {
  if (at - until <= HELD_MS) return { at: from, fields: { outage: writeDuration(at - from) } }
  return {
    at: from,
    fields: { gap: writeDuration(until - from), arrives: writeDuration(wholeMinutes(at - until)) },
  }
}

const wholeMinutes = (durationMs: number) => Math.floor(durationMs / MINUTE_MS) * MINUTE_MS

/** A shorter silence is none. */
const SILENCE_MS = 3 * HOUR_MS

/** Periods for which no data ever came. */
function gaps({ began, ended, isTimed, acts }: FeedRecord, covered: readonly Covered[]): FoundStep[] {
  const samples = covered.filter(({ end }) => end >= began)
  if (samples.length === 0) return []
  const breaks = samples.slice(1).map(({ start }, at) => Math.max(0, start - (samples[at]?.end ?? start)))
  const limit = Math.max(SILENCE_MS, 4 * quantile(breaks, 0.5))
  const broken = brokenPeriods(acts)
  const steps: FoundStep[] = []
  let heard = began
  const last = { start: isTimed ? ended : heard, end: ended }
  for (const { start, end } of [...samples, last]) {
    const isBroken = broken.some(({ from, until }) => from < start && until > heard)
    if (start - heard > limit && !isBroken)
      steps.push({ at: heard, fields: { gap: writeDuration(start - heard) } })
    heard = Math.max(heard, end)
  }
  return steps
}

/** A series and the samples to which something happened. */
interface Affected {
  readonly resource: string | undefined
  readonly samples: readonly RecordedSample[]
  readonly by: number
}

/** One step for all series to which the same happened at about the same time. */
function together(
  record: FeedRecord,
  affected: readonly Affected[],
  stepOf: (period: TimeRange, of: { of?: readonly string[] }, by: number) => FoundStep,
): FoundStep[] {
  const groups = groupBy(
    affected.filter(({ samples }) => samples.length > 0),
    ({ by }) => by,
  )
  return [...groups].map(([by, members]) => {
    const all = members.flatMap(({ samples }) => samples).sort((a, b) => a.start - b.start)
    const names = [...new Set(compact(members.map(({ resource }) => resource)))]
    const known = withFamily(
      record,
      names.filter((name) => findSeries(name)),
    )
    return stepOf(periodOf(all), known.length > 0 ? { of: known } : {}, by)
  })
}

/** The series that are added up in summaries of a day. */
const summed = ['steps', 'distance', 'calories_active', 'calories_basal', 'floors_climbed']

/** If all series that are added up are affected, so are those that only a summary mentions. */
function withFamily({ streams }: FeedRecord, names: readonly string[]): readonly string[] {
  const sent = summed.filter((name) => streams.some(({ resource }) => resource === name))
  const isWhole = sent.length > 0 && sent.every((name) => names.includes(name))
  return isWhole ? [...new Set([...names, ...summed])] : names
}

/** Samples that came twice. */
function copies(record: FeedRecord): FoundStep[] {
  const { streams, began } = record
  const affected = streams.map(({ resource, samples }) => ({
    resource,
    samples: [...samples.values()].filter((sample) => sample.copies > 0 && sample.start >= began),
    by: 1,
  }))
  return together(record, affected, ({ from, until }, of) => ({
    at: Math.max(began, from),
    fields: { duplicate: writeDuration(until - Math.max(began, from)), ...of },
  }))
}

/** Series that a second device measures as well. */
function secondSources(record: FeedRecord): FoundStep[] {
  const { streams, provider = '', began } = record
  const byType = new Map<string, Affected[]>()
  for (const [, devices] of groupBy(streams, ({ resource }) => resource)) {
    const [main] = devices.filter((device) => device.sourceType === usualTypeOf(device, provider))
    for (const other of devices) {
      if (other === (main ?? devices[0])) continue
      const of = (main ?? devices[0])?.samples
      const samples = [...other.samples.values()].filter(({ start }) => start >= began && of?.has(start))
      const pairs = samples.map((sample) => [sample.value ?? 0, of?.get(sample.start)?.value ?? 0] as const)
      const list = byType.get(other.sourceType) ?? []
      byType.set(other.sourceType, list)
      list.push({ resource: other.resource, samples, by: ratio(pairs) })
    }
  }
  return [...byType].flatMap(([type, affected]) =>
    together(record, affected, ({ from, until }, of, by) => {
      const source_type = sourceTypes.find((each) => each === type) ?? 'unknown'
      const at = Math.max(began, from)
      return { at, fields: { second_source: writeDuration(until - at), source_type, by, ...of } }
    }),
  )
}

function usualTypeOf({ resource }: RecordedStream, provider: string): string | undefined {
  const series = resource === undefined ? undefined : findSeries(resource)
  return series && sourceTypeOf(series, provider)
}

/** How many times as much the first numbers are as the second ones, to one decimal. */
function ratio(pairs: readonly (readonly [number, number])[]): number {
  const sum = (place: 0 | 1) => pairs.reduce((total, pair) => total + pair[place], 0)
  const exact = sum(1) > 0 ? sum(0) / sum(1) : 1
  return Math.min(100, Math.max(0.05, Math.round(exact * 20) / 20))
}

const correctionsOf = (samples: readonly RecordedSample[]) =>
  compact(samples.map(({ correction }) => correction))

/** Values that were corrected at once, or each some time after it was measured. */
function corrections(record: FeedRecord): FoundStep[] {
  const affected = record.streams.map(({ resource, samples }) => {
    const corrected = [...samples.values()].filter(({ correction }) => correction)
    const moments = new Set(correctionsOf(corrected).map(({ at }) => Math.round(at / HELD_MS)))
    const pairs = corrected.map(({ value = 0, correction }) => [correction?.from ?? 0, value] as const)
    return { resource, samples: corrected, isOnce: moments.size === 1, by: ratio(pairs) }
  })
  const once = affected
    .filter(({ isOnce }) => isOnce)
    .map(({ by, ...rest }) => ({ ...rest, by: Math.min(100, Math.round(20 / by) / 20) }))
  const each = affected.filter(({ isOnce }) => !isOnce)
  return [
    ...together(record, once, ({ from, until }, of, by) => {
      const corrected = once.flatMap(({ samples }) => correctionsOf(samples))
      const at = smallest(corrected.map((correction) => correction.at))
      return {
        at: from,
        fields: {
          change: writeDuration(until - from),
          by,
          ...of,
          arrives: writeDuration(wholeMinutes(Math.max(0, at - until))),
        },
      }
    }),
    ...together(record, each, ({ from, until }, of, by) => {
      const lags = each.flatMap(({ samples }) =>
        samples.flatMap(({ end, correction }) => (correction ? correction.at - end : [])),
      )
      return {
        at: from,
        fields: {
          incomplete: writeDuration(until - from),
          by,
          arrives: writeDuration(wholeMinutes(smallest(lags))),
          ...of,
        },
      }
    }),
  ]
}

/** Values of single samples that are nobody's; others are 1. */
const singleValues: Readonly<Record<string, number>> = { afib_burden: 5, glucose: 5.5 }
const alerts = ['heart_rate_alert', 'sleep_apnea_alert', 'fall', 'afib_burden']

/** Alerts, and samples of series that the provider does not send. */
function singles({ streams, began, provider = '' }: FeedRecord): FoundStep[] {
  const sent = findProvider(provider)?.resources
  return streams.flatMap(({ resource = '', samples }) => {
    const isUnusual = sent !== undefined && findSeries(resource) && !sent.includes(resource)
    if (!alerts.includes(resource) && !isUnusual) return []
    return [...samples.values()]
      .filter(({ end }) => end >= began)
      .map(({ start, end, type }) => ({
        at: end,
        fields: {
          sample: {
            resource,
            value: singleValues[resource] ?? 1,
            ...(type !== null && { type }),
            ...(end > start && { lasts: writeDuration(end - start) }),
          },
        },
      }))
  })
}

/** Workouts that became those of another sport. */
const sports = ({ sports: recorded, offsets }: FeedRecord): FoundStep[] =>
  recorded.map(({ at, date, sport }) => {
    const [, offset = 0] = [...offsets].findLast(([since]) => since <= at) ?? []
    const day = (Date.parse(date) - Date.parse(toDate(at + offset * SECOND_MS))) / DAY_MS
    return { at, fields: { correct: { resource: 'workouts', day, values: { sport } } } }
  })
