import { feature } from '../../api/features.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, toWire } from '../../kernel/instant.ts'
import { localDay } from '../../kernel/local-day.ts'
import type { Job } from '../../scheduler/job.ts'
import type { World } from '../../world/world.ts'
import { getProvider } from '../providers/service.ts'
import { announceSummaries, dropStoredSummaries } from '../summaries/service.ts'
import { announceSamples, dateOf, dropStored } from '../timeseries/service.ts'
import { deleteUser, eventSubject } from '../users/service.ts'
import { deletedUsers, users } from '../users/table.ts'
import { noteDevice } from './devices.ts'
import { collectedResources } from './events.ts'
import { historyStart } from './history.ts'
import { beginningOf, type Connection, connections, devices, isLive } from './table.ts'

const BACKFILL = 'connections.backfill'
const SYNC = 'connections.sync'
const EXPIRE = 'connections.expire_demo'

/** How long a sandbox keeps demo users. Source: contract/wearables.md §2.3. */
const DEMO_MS = 7 * DAY_MS

/** How long a backfill takes; the live service needs minutes to hours. */
const BACKFILL_MS = MINUTE_MS
/** Source: contract/wearables.md §2.3. */
const SYNC_EVERY_MS = 2 * HOUR_MS

export function beginBackfill(world: World, connection: Connection): void {
  world.agenda.cancel(SYNC, connections.idOf(connection))
  world.agenda.schedule({
    due: world.clock.now() + world.paced(BACKFILL_MS),
    kind: BACKFILL,
    subject: connections.idOf(connection),
    paced: true,
  })
}

export function stopCollecting(world: World, connection: Connection): void {
  world.agenda.cancel(BACKFILL, connections.idOf(connection))
  world.agenda.cancel(SYNC, connections.idOf(connection))
}

/** Sets the deletion date of a demo user, if it is not set. */
export function expireDemo(world: World, userId: string): void {
  if (world.agenda.find(EXPIRE, userId)) return
  world.agenda.schedule({ due: world.clock.now() + DEMO_MS, kind: EXPIRE, subject: userId })
}

/** Collects new data immediately; false if the history is not complete yet. */
export function fetchNow(world: World, connection: Connection): boolean {
  if (connection.synced_until === null || !isLive(world, connection)) return false
  collect(world, connection, connection.synced_until)
  return true
}

export const connectionJobs = {
  [BACKFILL]: (world: World, { subject }: Job) => finishBackfill(world, subject),
  [SYNC]: (world: World, { subject }: Job) => sync(world, subject),
  [EXPIRE]: (world: World, { subject }: Job) => {
    if (world.db.has(users, subject)) deleteUser(world, subject)
  },
}

/** Announces the history, then the data of today. Source: contract/webhooks.md §3. */
function finishBackfill(world: World, id: string): void {
  const connection = world.db.find(connections, id)
  if (!connection) return
  if (isLive(world, connection)) {
    const { synced_until } = connection
    noteDevice(world, connection)
    if (feature(world, 'push_historical_data')) pushHistory(world, connection)
    announceHistory(world, connection)
    const backfill = { ...connection.backfill, ended_at: world.clock.now() }
    const done = world.db.put(connections, { ...connection, backfill })
    collect(world, done, Math.max(beginningOfToday(world, connection), synced_until ?? 0))
  }
  addNextSync(world, id)
}

/** Midnight in the user's time zone. */
function beginningOfToday(world: World, connection: Connection): number {
  const date = dateOf(world, connection, world.clock.now())
  const zone = world.parts.feedScenarios.effectsOf(world, connection)?.zoneOn(date) ?? connection.time_zone
  return localDay(zone, date).start
}

/** Sends the rows of the backfill themselves, up to today. Source: contract/webhooks.md §3. */
function pushHistory(world: World, connection: Connection): void {
  const today = beginningOfToday(world, connection)
  const period = connection.periods.at(-1)
  const span = { from: period ? beginningOf(period) : today, until: today }
  announceSamples(world, connection, span)
  announceSummaries(world, connection, span)
}

/** One event for each resource whose history was pulled. */
function announceHistory(world: World, connection: Connection): void {
  const { user_id, provider } = connection
  const { resources } = getProvider(provider)
  for (const resource of collectedResources) {
    const from = historyStart(connection, resource)
    if (!resources.includes(resource) || from === null) continue
    const data = {
      user_id,
      start_date: toWire(from),
      end_date: toWire(world.clock.now()),
      is_final: true,
      provider,
    }
    world.emit(`historical.data.${resource}.created`, eventSubject(world, user_id), data)
  }
}

/** Announces new data and schedules the next sync, until the user is deleted. */
function sync(world: World, id: string): void {
  const connection = world.db.find(connections, id)
  if (!connection) return
  if (!world.db.has(users, connection.user_id) && !world.db.has(deletedUsers, connection.user_id)) {
    forget(world, connection)
    return
  }
  if (isLive(world, connection)) collect(world, connection, connection.synced_until ?? world.clock.now())
  addNextSync(world, id)
}

/** Deletes all data of a deleted user. */
function forget(world: World, connection: Connection): void {
  world.db.delete(connections, connections.idOf(connection))
  world.parts.feedScenarios.forget(world, connection)
  dropStored(world, connection.user_id)
  dropStoredSummaries(world, connection.user_id)
  for (const id of world.db.idsBy(devices, 'user', connection.user_id)) world.db.delete(devices, id)
}

/** Announces the samples and summaries of the time from `since` until now. */
function collect(world: World, connection: Connection, since: number): void {
  const until = world.clock.now()
  announceSamples(world, connection, { from: since, until })
  announceSummaries(world, connection, { from: since, until })
  world.db.put(connections, { ...connection, synced_until: until })
}

/** On the even hours of UTC. */
function addNextSync(world: World, id: string): void {
  const due = (Math.floor(world.clock.now() / SYNC_EVERY_MS) + 1) * SYNC_EVERY_MS
  world.agenda.schedule({ due, kind: SYNC, subject: id, recurring: true })
}
