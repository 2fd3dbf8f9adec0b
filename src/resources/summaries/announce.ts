import { HOUR_MS } from '../../kernel/instant.ts'
import { nextDate } from '../../kernel/local-day.ts'
import type { NewEvent } from '../../world/events.ts'
import type { World } from '../../world/world.ts'
import { type Connection, isDenied, type Span } from '../connections/table.ts'
import { findProvider } from '../providers/service.ts'
import { dateOf, daysLater } from '../timeseries/service.ts'
import { eventSubject } from '../users/service.ts'
import { type Summary, summaryTable } from './catalogue.ts'
import { type Item, makingOf } from './make.ts'
import { storedSummaries } from './stored.ts'

/** The events of the summaries that were created or changed between two instants. Yields between its steps. */
export function* eventsOfSummaries(
  world: World,
  connection: Connection,
  { from, until }: Span,
): Generator<void, NewEvent[]> {
  const found: NewEvent[] = []
  const { provider } = connection
  const last = dateOf(world, connection, until)
  const late = lateDates(world, connection, { from, until })
  for (const summary of summaryTable) {
    if (!findProvider(provider)?.resources.includes(summary.resource)) continue
    if (isDenied(connection, summary.resource)) continue
    const first = daysLater(dateOf(world, connection, from), -summary.changesFor)
    const dates = late.filter((one) => one < first)
    for (let date = first; date <= last; date = nextDate(date)) dates.push(date)
    for (const date of dates) {
      if (summary.mayBeOn?.(world, connection, date) === false) continue
      for (const event of eventsOfDay(world, summary, connection, date, { from, until })) {
        if (event) found.push(event)
        yield
      }
    }
  }
  return found
}

/** The days with late or changed data in a period, in order; a night belongs to the day it ends on. */
function lateDates(world: World, connection: Connection, { from, until }: Span): string[] {
  const effects = world.parts.feedScenarios.effectsOf(world, connection)
  const dates = new Set<string>()
  for (const stretch of effects?.changedIn(from, until) ?? []) {
    const last = dateOf(world, connection, Math.min(stretch.until, until) + 12 * HOUR_MS)
    for (let date = dateOf(world, connection, stretch.from); date <= last; date = nextDate(date))
      dates.add(date)
  }
  return [...dates].sort()
}

function* eventsOfDay(
  world: World,
  summary: Summary,
  connection: Connection,
  date: string,
  { from, until }: Span,
): Generator<NewEvent | undefined> {
  const now = summary.make(makingOf(world, summary.resource, connection, date, until))
  yield undefined
  if (now.length === 0) return
  const before = new Map(
    summary
      .make(makingOf(world, summary.resource, connection, date, from))
      .map((item) => [summary.idOf(item), item]),
  )
  for (const item of now) {
    const id = summary.idOf(item)
    if (world.db.has(storedSummaries, id)) continue
    const known = before.get(id)
    if (!known) yield eventOf(summary, 'created', item)
    else if (contentOf(known) !== contentOf(item)) yield eventOf(summary, 'updated', item)
  }
}

const contentOf = (item: Item) => JSON.stringify({ ...item, updated_at: null })

const eventOf = ({ resource }: Summary, what: 'created' | 'updated', data: Item): NewEvent => ({
  type: `daily.data.${resource}.${what}`,
  data,
})

export function emitSummary(
  world: World,
  summary: Summary,
  userId: string,
  what: 'created' | 'updated',
  item: Item,
): void {
  const { type, data } = eventOf(summary, what, item)
  world.emit(type, eventSubject(world, userId), data)
}
