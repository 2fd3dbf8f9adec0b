import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, toDate } from '../../kernel/instant.ts'
import { offsetSeconds } from '../../kernel/local-day.ts'
import type { World } from '../../world/world.ts'
import { connections } from '../connections/table.ts'
import { findProvider, listProviders } from '../providers/service.ts'
import { type Dated, type Dates, eachSummary, findSummary } from '../summaries/service.ts'
import { priorities, priorityId } from '../team/table.ts'
import {
  feedsOf,
  findSeries,
  isFloating,
  type Sample,
  type Series,
  samplesOf,
} from '../timeseries/service.ts'
import { users } from '../users/table.ts'
import { floatingText, type Window } from './calendar.ts'
import { findColumn, type Item, type LocalTime, type Value } from './columns.ts'
import { LimitExceeded, MAX_ROWS, type RowSource, type SenseData, type SenseRow } from './engine.ts'
import type { Plan } from './plan.ts'

/** The user's time zone by provider. */
type Zones = (provider: string) => string

/** The summaries and samples of a user in local time. `overrides` are the preferred providers. */
export function senseData(world: World, userId: string, overrides: readonly string[]): SenseData {
  const zones = zonesOf(world, userId)
  const read = new Map<string, readonly Dated[]>()
  let left = MAX_ROWS
  const now = world.clock.now()
  return {
    now: now + offsetSeconds(zones(''), now) * SECOND_MS,
    *rows(plan, window) {
      const instants = toInstants(window)
      const series = plan.series === null ? undefined : findSeries(plan.series)
      const reading = { world, userId, plan, zones, instants }
      const rows = series ? sampleRows(reading, series) : summaryRows(reading, read)
      for (const row of rows) {
        if (row && --left < 0)
          throw new LimitExceeded(`more than ${MAX_ROWS} rows are read; ask for a shorter time`)
        yield row
      }
    },
    rank: ranking(world, overrides),
  }
}

/** The user's time zone: that of the connection, otherwise the user's fallback. */
function zonesOf(world: World, userId: string): Zones {
  const fallback = world.db.find(users, userId)?.fallback_time_zone?.id ?? 'UTC'
  const known = new Map(
    world.db.by(connections, 'user', userId).map(({ provider, time_zone }) => [provider, time_zone]),
  )
  return (provider) => (isFloating(world, provider) ? 'UTC' : (known.get(provider) ?? fallback))
}

/** The largest time zone offsets, ahead of and behind UTC. */
const AHEAD_MS = 14 * HOUR_MS
const BEHIND_MS = 12 * HOUR_MS

const toInstants = ({ from, until }: Window): Window => ({
  from: from - AHEAD_MS,
  until: until + BEHIND_MS,
})

/** The resource a plan reads, as named in events. */
export const resourceOf = ({ table, series }: Plan): string =>
  series ?? (table === 'workout' ? 'workouts' : table)

/** What is read of a user. */
interface Reading {
  readonly world: World
  readonly userId: string
  readonly plan: Plan
  readonly zones: Zones
  /** Bounds as instants, wide enough for every time zone. */
  readonly instants: Window
}

/** Summaries as rows. `read` are those that earlier queries of the call have read, by resource and dates. */
function* summaryRows(
  { world, userId, plan, zones, instants: { from, until } }: Reading,
  read: Map<string, readonly Dated[]>,
): Generator<SenseRow | undefined> {
  const summary = findSummary(resourceOf(plan))
  const { table } = plan
  if (!summary) return
  const dates: Dates = { first: toDate(from - DAY_MS), last: toDate(until + DAY_MS) }
  const key = `${table}/${dates.first}/${dates.last}`
  const fresh: Dated[] = []
  for (const dated of read.get(key) ?? eachSummary(world, summary, userId, dates)) {
    if (!dated) {
      yield undefined
      continue
    }
    fresh.push(dated)
    const { item, provider, date } = dated
    const localTime = localTimeOf(item, zones(provider))
    const instant = table === 'sleep' ? item.bedtime_stop : table === 'workout' ? item.time_start : null
    const at = Date.parse(`${localTime.local(instant) ?? `${date}T00:00:00`}Z`)
    const values: Record<string, Value> = {}
    for (const name of plan.columns) values[name] = findColumn(table, name)?.read(item, localTime) ?? null
    yield { at, source: sourceOf(item, provider), values }
  }
  read.set(key, fresh)
}

function localTimeOf(item: Item, timeZone: string): LocalTime {
  const given = typeof item.timezone_offset === 'number' ? item.timezone_offset : undefined
  return {
    timeZone,
    local(instant) {
      const at = typeof instant === 'string' ? Date.parse(instant) : Number.NaN
      if (Number.isNaN(at)) return null
      return floatingText(at + (given ?? offsetSeconds(timeZone, at)) * SECOND_MS)
    },
  }
}

function sourceOf(item: Item, provider: string): RowSource {
  const source = item.source as { readonly type?: unknown } | undefined
  return { provider, type: typeof source?.type === 'string' ? source.type : 'unknown' }
}

/** The order of sources: requested providers, then the team's ranking; main devices first. */
function ranking(world: World, overrides: readonly string[]): SenseData['rank'] {
  const slugs = listProviders(world).map(({ slug }) => slug)
  // Sources that are not listed come last.
  const usual = (slug: string) => (slugs.includes(slug) ? slugs.length - slugs.indexOf(slug) : 0)
  return ({ table }, { provider, type }) => {
    const kind = table === 'workout' ? 'workouts' : table
    const given = world.db.find(priorities, priorityId(kind, provider))?.priority
    const first = overrides.indexOf(provider)
    const order = first >= 0 ? first - 1e9 : -(given ?? usual(provider))
    const device =
      (findProvider(provider)?.source_types as readonly string[] | undefined)?.indexOf(type) ?? -1
    return order + (device < 0 ? 99 : device) / 1000
  }
}

type Feed = ReturnType<typeof feedsOf>[number]

/** The samples of a series as rows, in their local times. */
function* sampleRows({ world, userId, plan, zones, instants }: Reading, series: Series): Generator<SenseRow> {
  for (const feed of feedsOf(world, series, userId)) {
    const source = { provider: feed.provider, type: feed.type }
    const zone = zones(feed.provider)
    const offsetAt = zone === 'UTC' || isFloating(world, feed.provider) ? () => 0 : offsetsOf(zone)
    for (const sample of samplesOf(world, feed, { from: instants.from, until: instants.until - 1 })) {
      const offset = sample.offsetSeconds ?? offsetAt(sample.start)
      const values: Record<string, Value> = {}
      for (const name of plan.columns) values[name] = cellOf(feed, sample, name)
      yield { at: sample.start + offset * SECOND_MS, source, values }
    }
  }
}

/** Time zone changes occur on quarters of an hour. */
function offsetsOf(zone: string): (instant: number) => number {
  let quarter = Number.NaN
  let offset = 0
  return (instant) => {
    const current = Math.floor(instant / (15 * MINUTE_MS))
    if (current !== quarter) {
      quarter = current
      offset = offsetSeconds(zone, instant)
    }
    return offset
  }
}

function cellOf({ provider, type }: Feed, { value, more }: Sample, field: string): Value {
  if (field === 'value') return typeof value === 'number' ? value : null
  if (field === 'source_provider') return provider
  if (field === 'source_type') return type
  return (more?.[field] as Value | undefined) ?? null
}
