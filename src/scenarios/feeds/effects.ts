import type { FeedEffects } from '../../api/scenarios.ts'
import { HOUR_MS, type TimeRange } from '../../kernel/instant.ts'
import { append, compact, largest } from '../../kernel/list.ts'
import { datesBetween, localDate, localDay, nextDate } from '../../kernel/local-day.ts'
import type { Random } from '../../kernel/random.ts'
import { MAX_SAMPLE_MS } from '../../resources/timeseries/service.ts'
import type { World } from '../../world/world.ts'
import { type EffectStep, isAct, type StepOf } from './steps.ts'
import type { Chapter, ConnectionFeed } from './table.ts'

/** A step and the period it applies to. */
type Placed<Step> = Step extends unknown ? Step & TimeRange : never

/** The effects of a connection's feed scenarios on its data, computed from their steps. */
export function feedEffects(
  { user_id, provider, chapters }: ConnectionFeed,
  home: string,
  { random, drawKey }: Pick<World, 'random' | 'drawKey'>,
): FeedEffects | undefined {
  const placed = chapters.flatMap(placedSteps)
  if (placed.length === 0) return undefined
  const zones = zonesOf(chapters, home)
  const late = compact(placed.map((step) => lateRange(step)))
  const key = `feed/${drawKey('user', user_id)}/${provider}`
  const byDay = placed.filter((step) => step.verb === 'skip_days' || step.verb === 'worn')
  const incomplete = placed.filter((step) => step.verb === 'incomplete')
  return {
    hidden: (within, asOf) => [
      ...placed.filter((step) => overlaps(step, within) && isHeldBack(step, asOf)).map(rangeOf),
      ...byDay.flatMap((step) => offSpansIn(step, within, { key, random, ...zones })),
    ],
    altered: alteredBy(placed),
    beside: besideOf(placed),
    changedIn: (since, until) => [
      ...late.filter(({ at }) => at > since && at <= until).map(rangeOf),
      ...incomplete.flatMap((step) => completedIn(step, since, until)),
    ],
    arrivalOf(instant) {
      const held = placed.filter((step) => isHolding(step) && step.from < instant && instant <= step.until)
      return Math.max(instant, largest(held.map((step) => lateRange(step)?.at ?? instant)))
    },
    touchedAt(range, asOf) {
      const instants = [
        ...late.filter((one) => overlaps(one, range)).map(({ at }) => at),
        ...incomplete
          .filter((step) => overlaps(step, range))
          .map((step) => Math.min(step.until, range.until) + step.arrivesMs),
      ].filter((at) => at <= asOf)
      return instants.length > 0 ? largest(instants) : undefined
    },
    ...zones,
    historyOf: (consent) =>
      placed.findLast((step) => step.verb === 'history' && step.from <= consent && consent < step.until) as
        | Placed<StepOf<'history'>>
        | undefined,
    isDown: (instant) =>
      placed.some((step) => step.verb === 'outage' && step.from <= instant && instant < step.until),
  }
}

/** A period whose data differ from what was measured, as shown to people. */
export interface FeedMark extends TimeRange {
  readonly does: 'held_back' | 'changed' | 'doubled'
  /** Null for all series. */
  readonly series: readonly string[] | null
  /** When the data came, or became right; null for never. */
  readonly settledAt: number | null
}

const marked: Readonly<Partial<Record<EffectStep['verb'], FeedMark['does']>>> = {
  gap: 'held_back',
  outage: 'held_back',
  change: 'changed',
  incomplete: 'changed',
  duplicate: 'doubled',
  second_source: 'doubled',
}

/** The periods in which scenarios hold back, change or double the data of a connection. */
export const feedMarks = ({ chapters }: ConnectionFeed): FeedMark[] =>
  chapters.flatMap(placedSteps).flatMap((step) => {
    const does = marked[step.verb]
    if (!does) return []
    const { from, until } = step
    return {
      does,
      from,
      until,
      series: 'of' in step ? step.of : null,
      settledAt: step.verb === 'incomplete' ? until + step.arrivesMs : (lateRange(step)?.at ?? null),
    }
  })

/** Steps that began before the scenario ended, cut at its end. Steps without end at the start of a first connection also apply to its history. */
function placedSteps({ began, ended, whole, steps }: Chapter): Placed<EffectStep>[] {
  return steps.flatMap((step): Placed<EffectStep>[] => {
    const at = began + step.atMs
    if (isAct(step) || (ended !== null && at >= ended)) return []
    const length = 'forMs' in step ? step.forMs : null
    const until = Math.min(
      length === null ? Number.POSITIVE_INFINITY : at + length,
      ended ?? Number.POSITIVE_INFINITY,
    )
    const holdsBefore = whole && step.atMs === 0 && length === null
    return [{ ...step, from: holdsBefore ? Number.NEGATIVE_INFINITY : at, until }]
  })
}

const overlaps = (a: TimeRange, b: TimeRange) => a.from < b.until && b.from < a.until
const rangeOf = ({ from, until }: TimeRange): TimeRange => ({ from, until })

const isHolding = (step: Placed<EffectStep>): step is Placed<StepOf<'gap' | 'outage'>> =>
  step.verb === 'gap' || step.verb === 'outage'

const isHeldBack = (step: Placed<EffectStep>, asOf: number) =>
  isHolding(step) && !((lateRange(step)?.at ?? Number.POSITIVE_INFINITY) <= asOf)

/** The period whose data arrives late, and when it arrives. */
function lateRange(step: Placed<EffectStep>): (TimeRange & { readonly at: number }) | undefined {
  const { from, until } = step
  if (step.verb === 'outage') return { from, until, at: until }
  if ((step.verb !== 'gap' && step.verb !== 'change') || step.arrivesMs === null) return undefined
  return { from, until, at: until + step.arrivesMs }
}

/** The parts of an incomplete period that became complete after `since` and by `until`. */
function completedIn(step: Placed<StepOf<'incomplete'>>, since: number, until: number): TimeRange[] {
  const from = Math.max(step.from, since - step.arrivesMs - MAX_SAMPLE_MS)
  const end = Math.min(step.until, until)
  return from < end ? [{ from, until: end }] : []
}

function alteredBy(placed: readonly Placed<EffectStep>[]): FeedEffects['altered'] {
  const steps = placed.filter((step) => step.verb === 'change' || step.verb === 'incomplete')
  return (series, sample, asOf) => {
    let by = 1
    for (const step of steps) {
      if (sample.start < step.from || sample.start >= step.until || !concerns(step, series)) continue
      if (isAltered(step, sample.end, asOf)) by *= step.by
    }
    return by === 1 ? sample : { ...sample, value: multiplied(sample.value, by) }
  }
}

function isAltered(step: Placed<StepOf<'change' | 'incomplete'>>, end: number, asOf: number): boolean {
  if (step.verb === 'incomplete') return asOf < end + step.arrivesMs
  return step.arrivesMs === null || asOf >= step.until + step.arrivesMs
}

const concerns = ({ of }: { readonly of: readonly string[] | null }, series: string) =>
  of === null || of.includes(series)

/** Whole numbers stay whole, others keep two decimals. */
function multiplied<Value extends number | string | null>(value: Value, by: number): Value | number {
  if (typeof value !== 'number') return value
  return Number.isInteger(value) ? Math.round(value * by) : Math.round(value * by * 100) / 100
}

function besideOf(placed: readonly Placed<EffectStep>[]): FeedEffects['beside'] {
  const steps = placed.filter(
    (step): step is Placed<StepOf<'duplicate' | 'second_source'>> =>
      step.verb === 'duplicate' || step.verb === 'second_source',
  )
  return (series) =>
    steps
      .filter((step) => concerns(step, series))
      .map((step) => ({
        ...rangeOf(step),
        ...(step.verb === 'duplicate' ? { type: null, by: 1 } : { type: step.sourceType, by: step.by }),
      }))
}

interface Calendar extends Pick<FeedEffects, 'zoneOn' | 'dateAt'> {
  readonly key: string
  readonly random: Random
}

/** The periods in which a device is not worn, by local day. */
function offSpansIn(
  step: Placed<StepOf<'skip_days' | 'worn'>>,
  within: TimeRange,
  { key, random, zoneOn, dateAt }: Calendar,
): TimeRange[] {
  const from = Math.max(step.from, within.from)
  const until = Math.min(step.until, within.until)
  const offSpans: TimeRange[] = []
  if (from >= until) return offSpans
  const last = dateAt(until - 1)
  for (const date of datesBetween(dateAt(from), last)) {
    const day = localDay(zoneOn(date), date)
    const next = localDay(zoneOn(nextDate(date)), nextDate(date))
    const whole = { from: day.start, until: Math.max(day.start, next.start) }
    const chance = random.noise(`${key}/${step.verb}/${date}`)
    if (step.verb === 'worn') append(offSpans, offTimes(whole, step.wornMs, chance))
    else if (chance < step.share) offSpans.push(whole)
  }
  return offSpans
    .map((one) => ({ from: Math.max(one.from, step.from), until: Math.min(one.until, step.until) }))
    .filter((one) => one.from < one.until)
}

/** Worn from a full hour between eight in the morning and nine at night. */
function offTimes({ from, until }: TimeRange, wornMs: number, chance: number): TimeRange[] {
  const latest = Math.max(8, 21 - Math.ceil(wornMs / HOUR_MS))
  const on = from + (8 + Math.floor(chance * (latest - 7))) * HOUR_MS
  return [
    { from, until: Math.min(on, until) },
    { from: Math.min(on + wornMs, until), until },
  ]
}

/** Where a wearer is after a date, the last before any. */
interface Stay {
  readonly zone: string
  /** The last local date spent elsewhere; empty for none. */
  readonly after: string
  /** The first instant spent there, in milliseconds since 1970. */
  readonly from: number
}

/** Where a wearer spends which days: one travels between two local days. */
function zonesOf(chapters: readonly Chapter[], home: string): Pick<FeedEffects, 'zoneOn' | 'dateAt'> {
  const stays = staysOf(chapters, home)
  return {
    zoneOn: (date) => stays.findLast(({ after }) => after < date)?.zone ?? home,
    dateAt(instant) {
      const at = stays.findLastIndex(({ from }) => from <= instant)
      const date = localDate(stays[at]?.zone ?? home, instant)
      // After a day's midnight and before the next day begins elsewhere, it is still that day.
      const next = stays[at + 1]
      return next && date > next.after ? next.after : date
    },
  }
}

function staysOf(chapters: readonly Chapter[], home: string): Stay[] {
  const stays: Stay[] = [{ zone: home, after: '', from: Number.NEGATIVE_INFINITY }]
  for (const { began, ended, whole, steps } of chapters) {
    for (const step of steps) {
      const at = began + step.atMs
      if (step.verb !== 'time_zone' || (ended !== null && at >= ended)) continue
      if (whole && step.atMs === 0) {
        stays.splice(0, stays.length, { zone: step.zone, after: '', from: Number.NEGATIVE_INFINITY })
        continue
      }
      const after = localDate(stays.at(-1)?.zone ?? home, at)
      stays.push({ zone: step.zone, after, from: localDay(step.zone, nextDate(after)).start })
    }
  }
  return stays
}
