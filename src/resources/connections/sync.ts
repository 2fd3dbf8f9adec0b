import { isDeepStrictEqual } from 'node:util'
import { feature } from '../../api/features.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, toWire } from '../../kernel/instant.ts'
import { localDay } from '../../kernel/local-day.ts'
import { runAtOnce } from '../../kernel/slices.ts'
import type { Job } from '../../scheduler/job.ts'
import type { NewEvent } from '../../world/events.ts'
import type { World } from '../../world/world.ts'
import { getProvider } from '../providers/service.ts'
import { dropStoredSummaries, eventsOfSummaries } from '../summaries/service.ts'
import { dateOf, dropStored, eventsOfSamples } from '../timeseries/service.ts'
import { deleteUser, eventSubject } from '../users/service.ts'
import { deletedUsers, users } from '../users/table.ts'
import { recordDevice } from './devices.ts'
import { collectedResources } from './events.ts'
import { historyStart } from './history.ts'
import { beginningOf, type Connection, connections, devices, isLive, type Span } from './table.ts'

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
  runAtOnce(collect(world, connection, connection.synced_until))
  return true
}

export const connectionJobs = {
  [BACKFILL]: (world: World, { subject }: Job) => world.agenda.runSteps(finishBackfill(world, subject)),
  [SYNC]: (world: World, { subject }: Job) => world.agenda.runSteps(sync(world, subject)),
  [EXPIRE]: (world: World, { subject }: Job) => {
    if (world.db.has(users, subject)) deleteUser(world, subject)
  },
}

/** Announces the history, then the data of today. Source: contract/webhooks.md §3. */
function* finishBackfill(world: World, id: string): Generator<void, void> {
  const connection = world.db.find(connections, id)
  if (!connection) return
  if (isLive(world, connection)) {
    const today = beginningOfToday(world, connection)
    const now = world.clock.now()
    const done = { ...connection, backfill: { ...connection.backfill, ended_at: now }, synced_until: now }
    // Rows of the backfill itself are sent up to today. Source: contract/webhooks.md §3.
    const period = connection.periods.at(-1)
    const past = { from: period ? beginningOf(period) : today, until: today }
    const pushed = feature(world, 'push_historical_data') ? yield* eventsIn(world, connection, past) : []
    const since = Math.max(today, connection.synced_until ?? 0)
    const recent = yield* eventsIn(world, done, { from: since, until: now })
    if (!isAsBefore(world, connection)) return yield* finishBackfill(world, id)
    recordDevice(world, connection)
    emitAll(world, connection, pushed)
    announceHistory(world, connection)
    emitAll(world, connection, recent)
    world.db.put(connections, done)
  }
  addNextSync(world, id)
}

function* eventsIn(world: World, connection: Connection, span: Span): Generator<void, NewEvent[]> {
  const ofSamples = yield* eventsOfSamples(world, connection, span)
  return [...ofSamples, ...(yield* eventsOfSummaries(world, connection, span))]
}

/** Whether a connection is unchanged since it was read. */
const isAsBefore = (world: World, connection: Connection): boolean =>
  isDeepStrictEqual(world.db.find(connections, connections.idOf(connection)), connection)

function emitAll(world: World, { user_id }: Connection, newEvents: readonly NewEvent[]): void {
  for (const { type, data } of newEvents) world.emit(type, eventSubject(world, user_id), data)
}

/** Midnight in the user's time zone. */
function beginningOfToday(world: World, connection: Connection): number {
  const date = dateOf(world, connection, world.clock.now())
  const zone = world.parts.feedScenarios.effectsOf(world, connection)?.zoneOn(date) ?? connection.time_zone
  return localDay(zone, date).start
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
function* sync(world: World, id: string): Generator<void, void> {
  const connection = world.db.find(connections, id)
  if (!connection) return
  if (!world.db.has(users, connection.user_id) && !world.db.has(deletedUsers, connection.user_id)) {
    forget(world, connection)
    return
  }
  if (isLive(world, connection)) {
    const since = connection.synced_until ?? world.clock.now()
    if (!(yield* collect(world, connection, since))) return yield* sync(world, id)
  }
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

/** Announces the samples and summaries of the time from `since` until now, unless the connection was changed meanwhile. */
function* collect(world: World, connection: Connection, since: number): Generator<void, boolean> {
  const until = world.clock.now()
  const newEvents = yield* eventsIn(world, connection, { from: since, until })
  if (!isAsBefore(world, connection)) return false
  emitAll(world, connection, newEvents)
  world.db.put(connections, { ...connection, synced_until: until })
  return true
}

/** Schedules the next sync at an even hour of UTC. */
function addNextSync(world: World, id: string): void {
  const due = (Math.floor(world.clock.now() / SYNC_EVERY_MS) + 1) * SYNC_EVERY_MS
  world.agenda.schedule({ due, kind: SYNC, subject: id, recurring: true })
}
