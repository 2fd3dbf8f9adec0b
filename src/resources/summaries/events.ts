import { HOUR_MS, type TimeRange } from '../../kernel/instant.ts'
import { append } from '../../kernel/list.ts'
import { datesBetween } from '../../kernel/local-day.ts'
import { daysLater } from '../../people/dates.ts'
import type { NewEvent } from '../../world/events.ts'
import type { World } from '../../world/world.ts'
import { type Connection, isDenied, viewOf } from '../connections/table.ts'
import { findProvider } from '../providers/service.ts'
import { type Change, collectedUntil, dateOf } from '../timeseries/service.ts'
import { type Summary, summaryTable } from './catalogue.ts'
import { type Item, itemsOf, makingOf } from './making.ts'
import { storedSummaries } from './table.ts'

/** The events of the summaries that were created or changed between two instants. Yields between its steps. */
export function* eventsOfSummaries(
  world: World,
  connection: Connection,
  change: Change,
): Generator<void, NewEvent[]> {
  const found: NewEvent[] = []
  const { provider } = connection
  const { resources, arriving: { from, until } = change } = change
  const last = dateOf(world, connection, until)
  const late = lateDates(world, connection, { from, until })
  for (const summary of summaryTable) {
    if (resources && !resources.includes(summary.resource)) continue
    if (!findProvider(provider)?.resources.includes(summary.resource)) continue
    if (isDenied(connection, summary.resource)) continue
    const first = daysLater(dateOf(world, connection, from), -summary.changesFor)
    const dates = late.filter((one) => one < first)
    append(dates, datesBetween(first, last))
    const now = knownAt(world, summary, connection, change.until)
    const before = knownAt(world, summary, change.before ?? connection, change.from)
    for (const date of dates) {
      if (summary.mayBeOn?.(world, connection, date) === false) continue
      for (const event of eventsOfDay(world, summary, now(date), () => before(date))) {
        if (event) found.push(event)
        yield
      }
    }
  }
  return found
}

/** The days with late or changed data in a period, in order; a night belongs to the day it ends on. */
function lateDates(world: World, connection: Connection, { from, until }: TimeRange): string[] {
  const effects = world.services.feedScenarios.effectsOf(world, connection)
  const dates = new Set<string>()
  for (const range of effects?.changedIn(from, until) ?? []) {
    const last = dateOf(world, connection, Math.min(range.until, until) + 12 * HOUR_MS)
    for (const date of datesBetween(dateOf(world, connection, range.from), last)) dates.add(date)
  }
  return [...dates].sort()
}

/** The summaries of a day that a connection had collected at an instant. */
function knownAt(
  world: World,
  summary: Summary,
  connection: Connection,
  instant: number,
): (date: string) => Item[] {
  const until = collectedUntil(world, viewOf(connection, summary.resource))
  if (until === undefined) return () => []
  return (date) => itemsOf(summary, makingOf(world, summary, connection, date, Math.min(instant, until)))
}

function* eventsOfDay(
  world: World,
  summary: Summary,
  now: readonly Item[],
  earlier: () => Item[],
): Generator<NewEvent | undefined> {
  yield undefined
  if (now.length === 0) return
  const before = new Map(earlier().map((item) => [summary.idOf(item), item]))
  for (const item of now) {
    const id = summary.idOf(item)
    if (world.db.has(storedSummaries, id)) continue
    const known = before.get(id)
    if (!known) yield eventOf(summary, 'created', item)
    else if (contentOf(known) !== contentOf(item)) yield eventOf(summary, 'updated', item)
  }
}

/** What makes a summary another one. */
export const contentOf = (item: Item) => JSON.stringify({ ...item, created_at: null, updated_at: null })

export const eventOf = ({ resource }: Summary, what: 'created' | 'updated', data: Item): NewEvent => ({
  type: `daily.data.${resource}.${what}`,
  data,
})
