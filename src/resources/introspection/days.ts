import { DAY_MS } from '../../kernel/instant.ts'
import type { World } from '../../world/world.ts'
import { type Connection, connectionId, type Span } from '../connections/table.ts'
import { findSummary, readSummaries } from '../summaries/service.ts'
import { connectionSamples, findSeries, type Series } from '../timeseries/service.ts'

/** A series with more samples than this on its first day is assumed to have some every day, to save counting them. */
const DENSE = 12

/** Cached counts; the history of a backfill does not change. */
const counted = new WeakMap<World, Map<string, number>>()

/** Counts the days with data of a resource in the history of a connection. Yields between days. */
export function* daysWithData(
  world: World,
  connection: Connection,
  resource: string,
  span: Span,
): Generator<void, number> {
  const memo = counted.get(world) ?? new Map<string, number>()
  counted.set(world, memo)
  const key = `${connectionId(connection.user_id, connection.provider)}/${resource}/${span.until}`
  const days = memo.get(key) ?? (yield* countDays(world, connection, resource, span))
  memo.set(key, days)
  return days
}

function* countDays(
  world: World,
  connection: Connection,
  resource: string,
  span: Span,
): Generator<void, number> {
  const series = findSeries(resource)
  if (series) return yield* daysOfSeries(world, connection, series, span)
  const summary = findSummary(resource)
  if (!summary) return 0
  const { user_id, provider } = connection
  const query = { start_date: span.from, end_date: span.until, provider }
  const found = yield* readSummaries(world, summary, user_id, query)
  return new Set(found.map(({ date }) => date)).size
}

function* daysOfSeries(
  world: World,
  connection: Connection,
  series: Series,
  { from, until }: Span,
): Generator<void, number> {
  const samplesFrom = (start: number) =>
    connectionSamples(world, series, connection, { from: start, until: Math.min(start + DAY_MS, until) - 1 })
  const isSteady = world.parts.feedScenarios.effectsOf(world, connection) === undefined
  if (isSteady && [...samplesFrom(from)].length > DENSE) return Math.ceil((until - from) / DAY_MS)
  let days = 0
  for (let start = from; start < until; start += DAY_MS) {
    if (!samplesFrom(start)[Symbol.iterator]().next().done) days++
    yield
  }
  return days
}
