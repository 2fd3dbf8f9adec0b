import { pageInSteps } from '../../api/pagination.ts'
import type { Parsed } from '../../api/schema.ts'
import { DAY_MS, type TimeRange, toWire } from '../../kernel/instant.ts'
import { perOwner } from '../../kernel/kept.ts'
import { append, compact } from '../../kernel/list.ts'
import { runInSlices, Slices } from '../../kernel/slices.ts'
import { payloadText } from '../../world/append-event.ts'
import type { EventHead } from '../../world/events.ts'
import type { World } from '../../world/world.ts'
import { collectedResources, pullOf, syncedAtOf } from '../connecting/service.ts'
import { type Connection, collectedSpans, connectionId, connections, viewOf } from '../connections/table.ts'
import { findStage } from '../mobile/service.ts'
import { getProvider } from '../providers/service.ts'
import { findSummary, listSummaries, readSummaries, type Summary } from '../summaries/service.ts'
import {
  connectionSamples,
  feedsOf,
  findSeries,
  hiddenSpans,
  type Series,
  samplesOf,
  sourceTypeOf,
} from '../timeseries/service.ts'
import { users, usersById } from '../users/table.ts'
import type { PullsQuery, ResourcesQuery, UserPullsPage, UserResourcesPage } from './schema.ts'
import { type SentRow, sent, sentId } from './table.ts'

type Query = Parsed<typeof ResourcesQuery> | Parsed<typeof PullsQuery>
type Statistics = Parsed<typeof UserResourcesPage>['data'][number]['provider'][string][string]
type Pulls = Parsed<typeof UserPullsPage>['data'][number]['provider'][string]
type Pull = Pulls['pulled'][string]
type PullTimes = Pick<NonNullable<ReturnType<typeof pullOf>>, 'started_at' | 'ended_at'>

/** The last pull of each resource of each connection, and its result. Source: docs/contract/health-data.md#introspection-and-sense. */
export const inspectResources = (
  world: World,
  query: Parsed<typeof ResourcesQuery>,
): Promise<Parsed<typeof UserResourcesPage>> =>
  inspect(world, query, (connection) => runInSlices(resourcesOf(world, connection)))

/** The progress of each connection's backfill. Source: docs/contract/health-data.md#introspection-and-sense. */
export const inspectPulls = (
  world: World,
  query: Parsed<typeof PullsQuery>,
): Promise<Parsed<typeof UserPullsPage>> =>
  inspect(world, query, (connection) => runInSlices(pullsOf(world, connection)))

/** A page of users who ever had a connection, with a description of each connection. */
async function inspect<Description>(
  world: World,
  query: Query,
  describe: (connection: Connection) => Description | Promise<Description>,
): Promise<InspectedPage<Description>> {
  const { user_id, provider, user_limit, next_cursor, cursor } = query
  const connectionsOf = (id: string) =>
    world.db.by(connections, 'user', id).filter((known) => !provider || known.provider === provider)
  const list = {
    of: ['introspection', world.identity.teamId, user_id, provider],
    ...usersById(world, user_id ? [user_id] : undefined),
    isWanted: (id: string) => world.db.has(users, id) && connectionsOf(id).length > 0,
  }
  const { items, nextCursor } = await runInSlices(pageInSteps(list, next_cursor ?? cursor, user_limit))
  const data: InspectedPage<Description>['data'][number][] = []
  const slices = new Slices()
  for (const id of items) {
    const descriptions: Record<string, Description> = {}
    for (const connection of connectionsOf(id)) {
      descriptions[connection.provider] = await describe(connection)
      if (slices.isOver) await slices.next()
    }
    data.push({ user_id: id, provider: descriptions })
  }
  return { data, next: nextCursor, next_cursor: nextCursor }
}

interface InspectedPage<Description> {
  readonly data: { readonly user_id: string; readonly provider: Record<string, Description> }[]
  readonly next: string | null
  readonly next_cursor: string | null
}

const findSent = (world: World, { user_id, provider }: Connection, resource: string) =>
  world.db.find(sent, sentId(user_id, provider, resource))

function* resourcesOf(world: World, connection: Connection): Generator<void, Record<string, Statistics>> {
  const found: Record<string, Statistics> = {}
  for (const resource of getProvider(connection.provider).resources)
    found[resource] = yield* statisticsOf(world, connection, resource)
  return found
}

function* statisticsOf(world: World, connection: Connection, resource: string): Generator<void, Statistics> {
  const row = findSent(world, connection, resource)
  const error = connection.error
  const hasArrived = collectedSpans(world, viewOf(connection, resource)).length > 0 || connection.uploads
  const syncedAt = connection.synced_until !== null && hasArrived ? syncedAtOf(world, connection) : 0
  const triedAt = Math.max(syncedAt, row?.last_at ?? 0)
  const success = triedAt > 0 ? { timestamp: toWire(triedAt), status: 'success' as const } : null
  const ofHistory = yield* momentsOfHistory(world, connection, resource)
  return {
    last_attempt: error ? { timestamp: error.errored_at, status: 'failure' } : success,
    ...bounds(compact([row?.oldest_data, row?.newest_data, ...ofHistory])),
    sent_count: row?.sent_count ?? 0,
  }
}

/** When the history of a resource was pulled, or uploaded by a phone, and the range of its data. */
function historyOf(world: World, connection: Connection, resource: string) {
  if (!connection.uploads) {
    const pull = pullOf(world, connection, resource)
    return pull && { ...pull, span: { from: pull.from, until: pull.scheduled_at } }
  }
  const stage = findStage(world, connection.user_id, connection.provider, resource)
  return stage && { ...stage, scheduled_at: stage.started_at, span: { from: stage.from, until: stage.until } }
}

/** The first and the last moment of the data that came with a history. */
function* momentsOfHistory(
  world: World,
  connection: Connection,
  resource: string,
): Generator<void, readonly string[]> {
  const pull = historyOf(world, connection, resource)
  if (!pull || pull.ended_at === null) return []
  const { span } = pull
  return yield* known(world, connection, `moments/${resource}`, span.until, () =>
    findMoments(world, connection, resource, span),
  )
}

function* findMoments(
  world: World,
  connection: Connection,
  resource: string,
  { from, until }: TimeRange,
): Generator<void, readonly string[]> {
  const { user_id, provider } = connection
  const series = findSeries(resource)
  if (series) {
    const found: number[] = []
    for (const feed of feedsOf(world, series, user_id, provider)) {
      const within = (start: number, end: number) =>
        [...samplesOf(world, feed, { from: Math.max(start, from), until: Math.min(end, until) - 1 })].map(
          ({ start }) => start,
        )
      let first: number[] = []
      for (let at = from; at < until && first.length === 0; at += DAY_MS, yield)
        first = within(at, at + DAY_MS)
      let last: number[] = []
      for (let at = until; first.length > 0 && last.length === 0; at -= DAY_MS, yield)
        last = within(at - DAY_MS, at)
      append(found, [...first.slice(0, 1), ...last.slice(-1)])
    }
    return found.map(toWire)
  }
  const summary = findSummary(resource)
  if (!summary) return []
  const dates = yield* datesOf(world, connection, summary, { from, until })
  const edges = compact([dates[0], dates.at(-1)])
  const items = edges.flatMap((date) =>
    listSummaries(world, summary, user_id, { first: date, last: date, provider }),
  )
  return items.flatMap(({ item }) => momentsIn(JSON.stringify(item)))
}

function* pullsOf(world: World, connection: Connection): Generator<void, Pulls> {
  const pulled: Record<string, Pulls['pulled'][string]> = {}
  const not_pulled: string[] = []
  for (const resource of getProvider(connection.provider).resources) {
    const pull = canBePulled(resource) ? yield* describe(world, connection, resource) : undefined
    if (pull) pulled[resource] = pull
    else not_pulled.push(resource)
  }
  return { pulled, not_pulled }
}

/** Whether a resource has a history of its own; devices arrive with other data. */
const canBePulled = (resource: string) => collectedResources.includes(resource)

function* describe(
  world: World,
  connection: Connection,
  resource: string,
): Generator<void, Pull | undefined> {
  const pull = historyOf(world, connection, resource)
  if (!pull) return undefined
  const { from, until, scheduled_at, started_at, ended_at, span } = pull
  const status = statusOf(connection, pull)
  return {
    status,
    range_start: toWire(from),
    range_end: toWire(until),
    timeline: {
      scheduled_at: toWire(scheduled_at),
      started_at: started_at === null ? null : toWire(started_at),
      ended_at: ended_at === null ? null : toWire(ended_at),
    },
    days_with_data:
      ended_at === null
        ? 0
        : yield* known(world, connection, resource, span.until, () =>
            countDays(world, connection, resource, span),
          ),
    release: 'petri',
    trace_id: null,
    error_details: status === 'failure' ? 'non_retriable_error' : null,
  }
}

function statusOf({ error }: Connection, pull: PullTimes): Pull['status'] {
  if (pull.ended_at !== null) return 'success'
  if (error) return 'failure'
  return pull.started_at === null ? 'scheduled' : 'in_progress'
}

/** A series with more samples than this on its last day is assumed to have some on every day that the device was worn. */
const DENSE = 12

/** What has been found in the histories of backfills, which do not change. */
const foundOf = perOwner<World, Map<string, unknown>>(() => new Map())

/** Finds something once in the history of a connection, unless a phone uploads it. */
function* known<Found>(
  world: World,
  connection: Connection,
  what: string,
  until: number,
  find: () => Generator<void, Found>,
): Generator<void, Found> {
  if (connection.uploads) return yield* find()
  const memo = foundOf(world)
  const arrived = connection.periods.at(-1)?.arrivals?.length ?? 0
  const key = `${connectionId(connection.user_id, connection.provider)}/${what}/${until}/${arrived}`
  const found = memo.has(key) ? (memo.get(key) as Found) : yield* find()
  memo.set(key, found)
  return found
}

function* countDays(
  world: World,
  connection: Connection,
  resource: string,
  span: TimeRange,
): Generator<void, number> {
  const series = findSeries(resource)
  if (series) return yield* daysOfSeries(world, connection, series, span)
  const summary = findSummary(resource)
  if (!summary) return 0
  return new Set(yield* datesOf(world, connection, summary, span)).size
}

/** The dates of the summaries in a range, in their order. */
function* datesOf(
  world: World,
  { user_id, provider }: Connection,
  summary: Summary,
  { from, until }: TimeRange,
): Generator<void, string[]> {
  const query = { start_date: from, end_date: until, provider }
  const outline = { ...summary, make: summary.outline ?? summary.make }
  return (yield* readSummaries(world, outline, user_id, query)).map(({ date }) => date)
}

function* daysOfSeries(
  world: World,
  connection: Connection,
  series: Series,
  { from, until }: TimeRange,
): Generator<void, number> {
  if (connection.uploads) return yield* daysOfUploads(world, connection, series, { from, until })
  const samplesFrom = (start: number) =>
    connectionSamples(world, series, connection, { from: start, until: Math.min(start + DAY_MS, until) - 1 })
  const type = sourceTypeOf(series, connection.provider)
  const isSteady = world.services.feedScenarios.effectsOf(world, connection) === undefined
  const isDense = isSteady && [...samplesFrom(until - DAY_MS)].length > DENSE
  let days = 0
  for (let start = from; start < until; start += DAY_MS) {
    const isWorn =
      hiddenSpans(world, connection, type, { from: start, until: start + DAY_MS, asOf: until }).length === 0
    if ((isDense && isWorn) || !samplesFrom(start)[Symbol.iterator]().next().done) days++
    yield
  }
  return days
}

const DATA_EVENT = /^(daily|historical)\.data\.(\w+)\.(created|updated)$/
const PROVIDER = /"provider":"([a-z0-9_]+)"/
/** The instant of a sample and the date of a summary in the JSON of an event. */
const SAMPLE_AT = /"timestamp":"([^"]+)"/g
const SUMMARY_AT = /"(?:time_start|bedtime_start|session_start|measured_at|date)":"([^"]+)"/

/** Counts announced data, because events are not kept forever. */
export function countSent(world: World, { id, event_type, user_id, at }: EventHead): void {
  const [, kind, resource, what] = DATA_EVENT.exec(event_type) ?? []
  if (!resource || user_id === null) return
  const text = payloadText(world, id)
  const provider = PROVIDER.exec(text)?.[1]
  if (!provider) return
  const isBackfill = kind === 'historical'
  const moments = isBackfill ? [] : momentsIn(text)
  const before = world.db.find(sent, sentId(user_id, provider, resource))
  world.db.put(sent, {
    user_id,
    provider,
    resource,
    last_at: at,
    ...bounds(compact([before?.oldest_data, before?.newest_data, ...moments])),
    sent_count:
      (before?.sent_count ?? 0) + (isBackfill || what === 'updated' ? 0 : Math.max(1, moments.length)),
  })
}

function momentsIn(text: string): string[] {
  const samples = [...text.matchAll(SAMPLE_AT)].map(([, moment = '']) => moment)
  if (samples.length > 0) return samples
  const [, summary] = SUMMARY_AT.exec(text) ?? []
  return summary ? [summary] : []
}

function bounds(moments: readonly string[]): Pick<SentRow, 'oldest_data' | 'newest_data'> {
  let oldest = Number.POSITIVE_INFINITY
  let newest = Number.NEGATIVE_INFINITY
  for (const moment of moments) {
    const instant = Date.parse(moment)
    oldest = Math.min(oldest, instant)
    newest = Math.max(newest, instant)
  }
  const isAny = Number.isFinite(oldest)
  return {
    oldest_data: isAny ? toWire(oldest) : null,
    newest_data: isAny ? toWire(newest) : null,
  }
}

/** The days with uploaded samples of any device. Yields between samples. */
function* daysOfUploads(
  world: World,
  { user_id, provider }: Connection,
  series: Series,
  { from, until }: TimeRange,
): Generator<void, number> {
  const days = new Set<number>()
  for (const feed of feedsOf(world, series, user_id, provider)) {
    for (const { start } of samplesOf(world, feed, { from, until })) {
      days.add(Math.floor(start / DAY_MS))
      yield
    }
  }
  return days.size
}
