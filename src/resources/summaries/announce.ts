import { localDate, nextDate } from '../../kernel/local-day.ts'
import type { World } from '../../world/world.ts'
import type { Connection, Span } from '../connections/table.ts'
import { findProvider } from '../providers/service.ts'
import { daysLater } from '../timeseries/service.ts'
import { eventSubject } from '../users/service.ts'
import { type Summary, summaryTable } from './catalogue.ts'
import { type Item, makingOf } from './make.ts'
import { storedSummaries } from './stored.ts'

/** Tells of every summary that came to be between two instants, and of those that changed. */
export function announceSummaries(world: World, connection: Connection, { from, until }: Span): void {
  const { time_zone, provider } = connection
  const last = localDate(time_zone, until)
  for (const summary of summaryTable) {
    if (!findProvider(provider)?.resources.includes(summary.resource)) continue
    const first = daysLater(localDate(time_zone, from), -summary.changesFor)
    for (let date = first; date <= last; date = nextDate(date))
      announceDay(world, summary, connection, date, { from, until })
  }
}

function announceDay(
  world: World,
  summary: Summary,
  connection: Connection,
  date: string,
  { from, until }: Span,
): void {
  const now = summary.make(makingOf(world, connection, date, until))
  if (now.length === 0) return
  const before = new Map(
    summary.make(makingOf(world, connection, date, from)).map((item) => [summary.idOf(item), item]),
  )
  for (const item of now) {
    const id = summary.idOf(item)
    if (world.db.has(storedSummaries, id)) continue
    const known = before.get(id)
    if (!known) emitSummary(world, summary, connection.user_id, 'created', item)
    else if (contentOf(known) !== contentOf(item))
      emitSummary(world, summary, connection.user_id, 'updated', item)
  }
}

const contentOf = (item: Item) => JSON.stringify({ ...item, updated_at: null })

export const emitSummary = (
  world: World,
  { resource }: Summary,
  userId: string,
  what: 'created' | 'updated',
  item: Item,
): void => world.emit(`daily.data.${resource}.${what}`, eventSubject(world, userId), item)
