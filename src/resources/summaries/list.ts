import { HOUR_MS } from '../../kernel/instant.ts'
import { nextDate } from '../../kernel/local-day.ts'
import { runAtOnce } from '../../kernel/slices.ts'
import type { World } from '../../world/world.ts'
import { type Connection, connections, viewOf } from '../connections/table.ts'
import { findProvider } from '../providers/service.ts'
import { collectedWithin, dateOf } from '../timeseries/service.ts'
import type { Summary } from './catalogue.ts'
import { type Item, makingOf } from './make.ts'
import { storedSummariesOf } from './stored.ts'

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

/** A user's summaries of one kind, by date, for a few days. Stored summaries replace generated ones. */
export const listSummaries = (...wanted: Parameters<typeof listInSteps>): Dated[] =>
  runAtOnce(listInSteps(...wanted))

/** The same, yielding between days. */
export function* listInSteps(
  world: World,
  summary: Summary,
  userId: string,
  dates: Dates,
  provider = '',
): Generator<void, Dated[]> {
  const found: Dated[] = []
  for (const dated of eachSummary(world, summary, userId, dates, provider)) {
    if (dated) found.push(dated)
    else yield
  }
  return found.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
}

/** The same one by one, unordered; yields undefined after each day, so that callers can work in slices. */
export function* eachSummary(
  world: World,
  summary: Summary,
  userId: string,
  { first, last }: Dates,
  provider = '',
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
  for (const row of stored) yield { date: row.date, provider: row.provider, item: row.item }
}

export const connectionsWith = (world: World, { resource }: Summary, userId: string): Connection[] =>
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
  const [oldest, newest] = [spans[0]?.from, spans.at(-1)?.until]
  if (oldest === undefined || newest === undefined) return
  const { provider } = connection
  // A night that ended on the first day began the day before.
  const from = dateOf(world, connection, oldest - 12 * HOUR_MS)
  const until = only ?? dateOf(world, connection, newest)
  for (let date = first > from ? first : from; date <= last && date <= until; date = nextDate(date)) {
    yield undefined
    if (summary.mayBeOn?.(world, connection, date) === false) continue
    const making = makingOf(world, summary.resource, connection, date, Math.min(now, newest))
    for (const item of summary.make(making)) yield { date, provider, item }
  }
}
