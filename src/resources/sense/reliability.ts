import { DAY_MS, toDate } from '../../kernel/instant.ts'
import { largest } from '../../kernel/list.ts'
import type { World } from '../../world/world.ts'
import { collectedResources, historyStart } from '../connecting/service.ts'
import { type Connection, connections, isLive } from '../connections/table.ts'
import { getProvider } from '../providers/service.ts'
import { eachSummary, findSummary } from '../summaries/service.ts'
import { feedsOf, findSeries, samplesOf } from '../timeseries/service.ts'
import { always, type Window } from './calendar.ts'
import type { Item } from './columns.ts'

/** A row of the table `reliability`: how regularly a source sends one resource. */
export interface Reliability {
  /** The first day. */
  readonly at: number
  readonly item: Item
}

/** The rows of a user, one for each resource of each source; undefined for each step without a row. */
export function* reliabilityOf(
  world: World,
  userId: string,
  window: Window,
): Generator<Reliability | undefined> {
  for (const connection of world.db.by(connections, 'user', userId)) {
    const { provider } = connection
    for (const resource of getProvider(provider).resources) {
      if (!collectedResources.includes(resource)) continue
      const days = daysOf(world, connection, resource, window)
      if (days.until <= days.from) continue
      const [usual = 'unknown'] = getProvider(provider).source_types
      const present = yield* presence(world, connection, resource, days)
      if (present.size === 0) present.set(usual, new Set())
      for (const [type, on] of present) {
        const item = {
          source_provider: provider,
          source_type: type,
          resource,
          connection_status: statusOf(world, connection),
          ...statisticsOf(days, on),
        }
        yield { at: Math.max(days.from * DAY_MS, window.from), item }
      }
    }
  }
}

/** Days since 1970; the last is not included. */
interface Days {
  readonly from: number
  readonly until: number
  /** The first on which there can be data. */
  readonly since: number
}

/** The days of the query up to today; without a limit, those of the connection. */
function daysOf(world: World, connection: Connection, resource: string, window: Window): Days {
  const begin = historyStart(connection, resource) ?? connection.known_since
  const since = Math.floor(begin / DAY_MS)
  const from = window.from === always.from ? since : Math.floor(window.from / DAY_MS)
  const today = Math.floor(world.clock.now() / DAY_MS)
  return { from, until: Math.min(Math.ceil(window.until / DAY_MS), today + 1), since: Math.max(from, since) }
}

/** The days with data, by the type of the device. */
function* presence(
  world: World,
  { user_id, provider }: Connection,
  resource: string,
  { since, until }: Days,
): Generator<undefined, Map<string, Set<number>>> {
  const present = new Map<string, Set<number>>()
  const add = (type: string, day: number) => {
    const days = present.get(type) ?? new Set()
    present.set(type, days.add(day))
  }
  const series = findSeries(resource)
  for (const feed of series ? feedsOf(world, series, user_id) : []) {
    if (feed.provider !== provider || !series) continue
    for (let day = since; day < until; day++) {
      const span = { from: day * DAY_MS, until: (day + 1) * DAY_MS - 1 }
      if (!samplesOf(world, feed, span)[Symbol.iterator]().next().done) add(feed.type, day)
      yield undefined
    }
  }
  const summary = findSummary(resource)
  const wanted = { first: toDate(since * DAY_MS), last: toDate((until - 1) * DAY_MS), provider }
  for (const dated of summary ? eachSummary(world, summary, user_id, wanted) : []) {
    if (dated) add(typeOf(dated.item), Math.floor(Date.parse(dated.date) / DAY_MS))
    yield undefined
  }
  return present
}

function typeOf(item: Item): string {
  const source = item.source as { readonly type?: unknown } | undefined
  return typeof source?.type === 'string' ? source.type : 'unknown'
}

/** Shares of the days with data from which a source is called so. No source has these words. */
const levels = [
  ['reliable', 0.8],
  ['intermittent', 0.3],
] as const

function statisticsOf({ from, until }: Days, present: ReadonlySet<number>) {
  const all = until - from
  const gaps = gapsOf({ from, until }, present)
  const mean = gaps.length === 0 ? null : gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
  const variance = mean === null ? null : gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length
  const last = largest(present)
  const coverage = present.size / all
  return {
    window_start_date: toDate(from * DAY_MS),
    window_end_date: toDate((until - 1) * DAY_MS),
    window_duration_day: all,
    presence_day_count: present.size,
    presence_coverage: coverage,
    presence_gap_count: gaps.length,
    presence_gap_maximum_day: gaps.length === 0 ? null : largest(gaps),
    presence_recency_day: present.size === 0 ? null : until - 1 - last,
    presence_gap_mean_day: mean,
    presence_gap_standard_deviation_day: variance === null ? null : Math.sqrt(variance),
    reliability_status:
      levels.find(([, least]) => coverage >= least)?.[0] ?? (present.size > 0 ? 'unreliable' : 'no_data'),
  }
}

/** The lengths in days of the periods without data. */
function gapsOf({ from, until }: Pick<Days, 'from' | 'until'>, present: ReadonlySet<number>): number[] {
  const gaps: number[] = []
  let length = 0
  for (let day = from; day <= until; day++) {
    if (day < until && !present.has(day)) length++
    else if (length > 0) {
      gaps.push(length)
      length = 0
    }
  }
  return gaps
}

function statusOf(world: World, connection: Connection): string {
  if (connection.error) return 'error'
  if (connection.paused) return 'paused'
  return isLive(world, connection) ? 'connected' : 'disconnected'
}
