import type { Parsed } from '../../api/schema.ts'
import { compare } from '../../kernel/compare.ts'
import { DAY_MS, HOUR_MS, toDate } from '../../kernel/instant.ts'
import { datesBetween } from '../../kernel/local-day.ts'
import { orNotFound } from '../../kernel/problem.ts'
import { runAtOnce } from '../../kernel/slices.ts'
import type { World } from '../../world/world.ts'
import { type Connection, connections, viewOf } from '../connections/table.ts'
import { findProvider } from '../providers/service.ts'
import type { WindowQuery } from '../timeseries/schema.ts'
import { collectedWithin, dateOf } from '../timeseries/service.ts'
import { getUser } from '../users/service.ts'
import { getSummary, type Summary, summaryTable } from './catalogue.ts'
import { type Item, itemsOf, makingOf } from './making.ts'
import { storedSummariesOf } from './table.ts'

export { findSummary, getSummary, type Summary } from './catalogue.ts'

/** The names of all summaries, as in events. */
export const summaryResources: readonly string[] = summaryTable.map(({ resource }) => resource)

/** A user's summaries between two instants. Workouts are selected by their start, all others by their local date. Yields between days. */
export function* readSummaries(
  world: World,
  summary: Summary,
  userId: string,
  { start_date, end_date, provider }: Parsed<typeof WindowQuery>,
): Generator<void, Dated[]> {
  getUser(world, userId)
  const until = end_date ?? world.clock.now()
  const isByStart = summary.resource === 'workouts'
  // The local date of a workout can be the day before or after its date in UTC.
  const away = isByStart ? DAY_MS : 0
  // Without an end, up to tomorrow, because of time zones ahead of UTC.
  const last = end_date === undefined || end_date === null ? until + DAY_MS : until + away
  const found = yield* listInSteps(world, summary, userId, {
    first: toDate(start_date - away),
    last: toDate(last),
    provider,
  })
  if (!isByStart) return found
  return found.filter(({ item }) => {
    const at = Date.parse(String(item.time_start))
    return at >= start_date && at <= until
  })
}

/** The profile of a user at the provider that was connected first. */
export function getProfile(world: World, userId: string, provider: string): Dated {
  getUser(world, userId)
  const wanted = { first: '0000-01-01', last: '9999-12-31', provider }
  return orNotFound(listSummaries(world, getSummary('profile'), userId, wanted)[0], 'Not found')
}

/** A summary with its local date and provider. */
export interface Dated {
  readonly date: string
  readonly provider: string
  readonly item: Item
}

/** Local dates, both included. */
export interface Dates {
  readonly first: string
  readonly last: string
}

export interface SummaryFilter extends Dates {
  /** All providers by default. */
  readonly provider?: string | undefined
}

/** A user's summaries of one kind, by date, for a few days. Stored summaries replace generated ones. */
export const listSummaries = (...wanted: Parameters<typeof listInSteps>): Dated[] =>
  runAtOnce(listInSteps(...wanted))

/** The same, yielding between days. */
export function* listInSteps(
  world: World,
  summary: Summary,
  userId: string,
  filter: SummaryFilter,
): Generator<void, Dated[]> {
  const found: Dated[] = []
  for (const dated of eachSummary(world, summary, userId, filter)) {
    if (dated) found.push(dated)
    else yield
  }
  return found.sort((a, b) => compare(a.date, b.date))
}

/** The same one by one, unordered; yields undefined after each day, so that callers can work in slices. */
export function* eachSummary(
  world: World,
  summary: Summary,
  userId: string,
  { first, last, provider = '' }: SummaryFilter,
): Generator<Dated | undefined> {
  const stored = storedSummariesOf(world, userId, summary.resource).filter(
    (row) => row.date >= first && row.date <= last && (provider === '' || row.provider === provider),
  )
  const storedIds = new Set(stored.map(({ id }) => id))
  const connections = connectionsWith(world, summary, userId).filter(
    (connection) => provider === '' || connection.provider === provider,
  )
  for (const connection of connections)
    for (const dated of generatedRows(world, summary, connection, { first, last }))
      if (!dated || !storedIds.has(summary.idOf(dated.item))) yield dated
  for (const { date, provider, item } of stored) if (item) yield { date, provider, item }
}

const connectionsWith = (world: World, { resource }: Summary, userId: string): Connection[] =>
  world.db
    .by(connections, 'user', userId)
    .filter(({ provider }) => findProvider(provider)?.resources.includes(resource))

/** Limits the days to the collected period. */
function* generatedRows(
  world: World,
  summary: Summary,
  connection: Connection,
  dates: Dates,
): Generator<Dated | undefined> {
  const only = summary.onlyOn?.(connection)
  const { first, last } = only === undefined ? dates : { first: only, last: only }
  const now = world.clock.now()
  const own = viewOf(connection, summary.resource)
  const spans = collectedWithin(world, own, { from: Number.NEGATIVE_INFINITY, until: now })
  const oldest = spans[0]?.from
  const newest = spans.at(-1)?.until
  if (oldest === undefined || newest === undefined) return
  const { provider } = connection
  // A night that ended on the first day began the day before.
  const from = dateOf(world, connection, oldest - 12 * HOUR_MS)
  const until = only ?? dateOf(world, connection, newest)
  for (const date of datesBetween(first > from ? first : from, last < until ? last : until)) {
    yield undefined
    if (summary.mayBeOn?.(world, connection, date) === false) continue
    const making = makingOf(world, summary, connection, date, Math.min(now, newest))
    for (const item of itemsOf(summary, making)) yield { date, provider, item }
  }
}
