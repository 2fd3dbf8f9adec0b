import { toWire } from '../../kernel/instant.ts'
import { localDate, nextDate } from '../../kernel/local-day.ts'
import type { World } from '../../world/world.ts'
import type { Connection, Span } from '../connections/table.ts'
import { getProvider } from '../providers/service.ts'
import { eventSubject } from '../users/service.ts'
import { activityOfDay, stamped } from './activity.ts'
import { summaryTable } from './catalogue.ts'

/** What there are summaries of, by the names events use. */
export const summaryResources: readonly string[] = summaryTable.map(({ resource }) => resource)

/** Tells how far each local day between two instants has come: first `created`, then `updated`. Answers the latest day told of. */
export function announceActivity(
  world: World,
  connection: Connection,
  { from, until }: Span,
): Connection['summary_day'] {
  const { provider, time_zone, user_id } = connection
  let latest = connection.summary_day
  if (!getProvider(provider).resources.includes('activity')) return latest
  const last = localDate(time_zone, until)
  for (let date = localDate(time_zone, from); date <= last; date = nextDate(date)) {
    const activity = activityOfDay(world, connection, date)
    if (!activity) continue
    const known: Connection['summary_day'] = latest?.date === date ? latest : null
    const createdAt = known?.created_at ?? toWire(world.clock.now())
    world.emit(
      `daily.data.activity.${known ? 'updated' : 'created'}`,
      eventSubject(world, user_id),
      stamped(activity, createdAt, world.clock.now()),
    )
    latest = { date, created_at: createdAt }
  }
  return latest
}
