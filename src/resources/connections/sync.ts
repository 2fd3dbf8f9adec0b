import { HOUR_MS, MINUTE_MS, toWire } from '../../kernel/instant.ts'
import { localDate, localDay } from '../../kernel/local-day.ts'
import type { Job } from '../../world/agenda.ts'
import type { World } from '../../world/world.ts'
import { getProvider } from '../providers/service.ts'
import { announceActivity } from '../summaries/service.ts'
import { announceSamples } from '../timeseries/service.ts'
import { eventSubject } from '../users/service.ts'
import { deletedUsers, users } from '../users/table.ts'
import { collectedResources } from './events.ts'
import { type Connection, connections, isLive } from './table.ts'

const BACKFILL = 'connections.backfill'
const SYNC = 'connections.sync'

/** How long a backfill takes; the live service needs minutes to hours. */
const BACKFILL_MS = MINUTE_MS
/** Source: contract/wearables.md §2.3. */
const SYNC_EVERY_MS = 2 * HOUR_MS

export function beginBackfill(world: World, connection: Connection): void {
  world.agenda.remove(SYNC, connections.idOf(connection))
  world.agenda.add({
    due: world.clock.now() + world.paced(BACKFILL_MS),
    kind: BACKFILL,
    subject: connections.idOf(connection),
    paced: true,
  })
}

export function stopCollecting(world: World, connection: Connection): void {
  world.agenda.remove(BACKFILL, connections.idOf(connection))
  world.agenda.remove(SYNC, connections.idOf(connection))
}

export const connectionJobs = {
  [BACKFILL]: (world: World, { subject }: Job) => finishBackfill(world, subject),
  [SYNC]: (world: World, { subject }: Job) => sync(world, subject),
}

/** Tells that the history is there, then what there is of today. Source: contract/webhooks.md §3. */
function finishBackfill(world: World, id: string): void {
  const connection = world.db.find(connections, id)
  if (!connection) return
  if (isLive(world, connection)) {
    announceHistory(world, connection)
    const { time_zone } = connection
    const today = localDay(time_zone, localDate(time_zone, world.clock.now()))
    collect(world, connection, today.start)
  }
  addNextSync(world, id)
}

function announceHistory(world: World, { user_id, provider, periods }: Connection): void {
  const data = {
    user_id,
    start_date: toWire(periods.at(-1)?.from ?? world.clock.now()),
    end_date: toWire(world.clock.now()),
    is_final: true,
    provider,
  }
  const { resources } = getProvider(provider)
  for (const resource of collectedResources) {
    if (!resources.includes(resource)) continue
    world.emit(`historical.data.${resource}.created`, eventSubject(world, user_id), data)
  }
}

/** Announces what came in since the last time, and comes back for as long as the user is there. */
function sync(world: World, id: string): void {
  const connection = world.db.find(connections, id)
  if (!connection) return
  if (!world.db.has(users, connection.user_id) && !world.db.has(deletedUsers, connection.user_id)) {
    world.db.delete(connections, id)
    return
  }
  if (isLive(world, connection)) collect(world, connection, connection.synced_until ?? world.clock.now())
  addNextSync(world, id)
}

/** Announces the samples and summaries of the time from `since` until now. */
function collect(world: World, connection: Connection, since: number): void {
  const until = world.clock.now()
  announceSamples(world, connection, { from: since, until })
  const summary_day = announceActivity(world, connection, { from: since, until })
  world.db.put(connections, { ...connection, synced_until: until, summary_day })
}

/** On the even hours of UTC. */
function addNextSync(world: World, id: string): void {
  const due = (Math.floor(world.clock.now() / SYNC_EVERY_MS) + 1) * SYNC_EVERY_MS
  world.agenda.add({ due, kind: SYNC, subject: id, recurring: true })
}
