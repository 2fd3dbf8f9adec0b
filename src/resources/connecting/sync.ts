import { isDeepStrictEqual } from 'node:util'
import { feature } from '../../api/features.ts'
import type { JobKinds } from '../../api/resource.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, type TimeRange, toWire } from '../../kernel/instant.ts'
import { localDate, localDay } from '../../kernel/local-day.ts'
import { runAtOnce } from '../../kernel/slices.ts'
import type { NewEvent } from '../../world/events.ts'
import type { History } from '../../world/settings.ts'
import type { World } from '../../world/world.ts'
import type { SourceType } from '../catalogue/schema.ts'
import {
  beginningOf,
  type CollectedPeriod,
  type Connection,
  connectionId,
  connections,
  type Device,
  devices,
  isDenied,
  isLive,
  type PullPreference,
  pullPreferences,
} from '../connections/table.ts'
import { deviceId, findProvider, getProvider } from '../providers/service.ts'
import { eventsOfSummaries } from '../summaries/events.ts'
import {
  dateOf,
  eventsOfSamples,
  putSamples,
  readSamples,
  type SamplesToStore,
} from '../timeseries/service.ts'
import { eventSubject } from '../users/service.ts'
import { collectedResources } from './events.ts'

/** The device name of a source type, if it is a device. */
const models: Partial<Record<SourceType, string>> = {
  watch: 'Watch',
  phone: 'Phone',
  ring: 'Ring',
  scale: 'Scale',
  cuff: 'Blood pressure cuff',
  automatic: 'Glucose sensor',
  fingerprick: 'Glucose meter',
  insulin_pump: 'Insulin pump',
  chest_strap: 'Chest strap',
  exercise_machine: 'Exercise machine',
}

/** The main device of a provider, if there is one. */
const usualType = (provider: string): SourceType | undefined =>
  findProvider(provider)?.source_types.find((one) => models[one])

/** Records the device of the data, and announces a new one. */
function recordDevice(world: World, { user_id, provider }: Connection): void {
  const type = usualType(provider)
  if (type && !world.db.has(devices, deviceId(world, user_id, provider, type)))
    putDevice(world, user_id, provider, type, {})
}

/** The fields of a device that can change. */
export type DeviceChange = Partial<
  Pick<Device, 'app_id' | 'device_manufacturer' | 'device_model' | 'device_version' | 'device_id'>
>

/** Records a user's device, and announces it if it is new or has changed. */
export function putDevice(
  world: World,
  userId: string,
  provider: string,
  sourceType: SourceType | undefined,
  change: DeviceChange,
): { id: string; what: 'created' | 'updated' | null } {
  const source_type = sourceType ?? usualType(provider) ?? 'unknown'
  const id = deviceId(world, userId, provider, source_type)
  const known = world.db.find(devices, id)
  const device = { ...(known ?? newDevice(world, id, userId, provider, source_type)), ...change }
  if (known && JSON.stringify(known) === JSON.stringify(device)) return { id, what: null }
  const what = known ? 'updated' : 'created'
  world.db.put(devices, device)
  world.emit(`provider.device.${what}`, eventSubject(world, userId), device)
  return { id, what }
}

const newDevice = (
  world: World,
  id: string,
  user_id: string,
  provider: string,
  source_type: SourceType,
): Device => ({
  id,
  user_id,
  provider,
  source_type,
  app_id: null,
  device_manufacturer: findProvider(provider)?.name ?? null,
  device_model: models[source_type] ?? null,
  device_version: '1.0',
  device_id: world.random.letters(`device/serial/${id}`, '0123456789ABCDEF', 12),
})

/** A user's devices, the longest known first. */
export const listDevices = (world: World, userId: string): Device[] => world.db.by(devices, 'user', userId)

/** Days of history if a provider publishes no number, and for demo connections. Source: docs/contract/connections.md#connections. */
const DEFAULT_DAYS = 30

/** The maximum number of days of history. Source: docs/contract/connections.md#connections. */
export const MAX_HISTORY_DAYS = 365

/**
 * The period a connection collects data for: from the team's preferred days in the past onward. That of a demo connection
 * begins with a whole day in its time zone.
 */
export function newPeriod(
  world: World,
  { provider, demo, time_zone: zone }: Pick<Connection, 'provider' | 'demo' | 'time_zone'>,
): CollectedPeriod {
  const now = world.clock.now()
  const preference = world.db.find(pullPreferences, provider)
  const { days, days_by_resource = {} } = preference ?? (demo ? demoDays : usualDays(provider))
  const most = MAX_DAYS[feature(world, 'history')]
  const begin = (wanted: number): number => {
    const ago = Math.min(wanted, most)
    const instant = now - ago * DAY_MS
    return demo && ago > 0 ? localDay(zone, localDate(zone, instant)).start : instant
  }
  const others = Object.entries(days_by_resource).map(([resource, other]) => [resource, begin(other)])
  return {
    from: begin(days),
    from_by_resource: others.length > 0 ? Object.fromEntries(others) : undefined,
    until: null,
  }
}

/** The most days of history in a world. */
const MAX_DAYS: Readonly<Record<History, number>> = { full: MAX_HISTORY_DAYS, '3d': 3, none: 0 }

const demoDays: Pick<PullPreference, 'days'> & Partial<PullPreference> = { days: DEFAULT_DAYS }

/** The days of history of a provider, for a team without preferences. */
function usualDays(provider: string): typeof demoDays {
  const { backfill_days, backfill_days_by_resource = {} } = getProvider(provider)
  return { days: backfill_days ?? DEFAULT_DAYS, days_by_resource: backfill_days_by_resource }
}

/** A period extended to the beginning of another one. */
export function widened(
  period: CollectedPeriod,
  { from, from_by_resource = {} }: CollectedPeriod,
): CollectedPeriod {
  const resources = new Set([...Object.keys(period.from_by_resource ?? {}), ...Object.keys(from_by_resource)])
  const other = { from, from_by_resource, until: null }
  const byResource = [...resources].map((resource) => [
    resource,
    Math.min(beginningOf(period, resource), beginningOf(other, resource)),
  ])
  return {
    ...period,
    from: Math.min(period.from, from),
    from_by_resource: byResource.length > 0 ? Object.fromEntries(byResource) : undefined,
  }
}

/** The beginning of a resource's history; null if none is pulled. */
export function historyStart(connection: Connection, resource: string): number | null {
  const { periods, backfill } = connection
  const period = periods.at(-1)
  const from = period && beginningOf(period, resource)
  return from === undefined || from >= backfill.scheduled_at || isDenied(connection, resource) ? null : from
}

const BACKFILL = 'connections.backfill'
const SYNC = 'connections.sync'

/** How long a backfill takes; the live service needs minutes to hours. */
const BACKFILL_MS = MINUTE_MS
/** Source: docs/contract/connections.md#connections. */
const SYNC_EVERY_MS = 2 * HOUR_MS

export function beginBackfill(world: World, connection: Connection): void {
  world.agenda.cancel(SYNC, connections.idOf(connection))
  world.agenda.schedule({
    afterScenarioMs: BACKFILL_MS,
    kind: BACKFILL,
    subject: connections.idOf(connection),
  })
}

/** Announces from now on what a feed scenario has withheld of the uploads of a phone. */
export function* announceWithheld(world: World, connection: Connection): Generator<void, void> {
  const id = connections.idOf(connection)
  if (connection.synced_until !== null && isLive(world, connection))
    yield* collect(world, connection, connection.synced_until)
  if (!world.agenda.find(SYNC, id)) world.agenda.scheduleNext(SYNC, id)
}

/**
 * Stores samples of a control call, replacing those with the same key, and emits their events, after those of what a feed
 * scenario has withheld. Throws if one is invalid. Yields between steps.
 */
export function* storeSamples(
  world: World,
  input: SamplesToStore,
): Generator<void, { created: number; updated: number }> {
  const samples = yield* readSamples(world, input)
  const connection = world.db.find(connections, connectionId(input.userId, input.provider))
  if (connection?.uploads) yield* announceWithheld(world, connection)
  return yield* putSamples(world, samples)
}

export function stopCollecting(world: World, connection: Connection): void {
  world.agenda.cancel(BACKFILL, connections.idOf(connection))
  world.agenda.cancel(SYNC, connections.idOf(connection))
}

/** Collects new data immediately; false if the history is not complete yet. */
export function fetchNow(world: World, connection: Connection): boolean {
  if (connection.synced_until === null || !isLive(world, connection)) return false
  runAtOnce(collect(world, connection, connection.synced_until))
  return true
}

/** The next even hour of UTC. */
const nextEvenHour = (now: number) => (Math.floor(now / SYNC_EVERY_MS) + 1) * SYNC_EVERY_MS

export const connectionJobs: JobKinds = {
  [BACKFILL]: {
    about: 'user',
    does: 'the historical data of a connection arrive',
    // It does not recur, unless it fails.
    nextDue: nextEvenHour,
    run: (world, { subject }) => world.agenda.runSteps(finishBackfill(world, subject)),
  },
  [SYNC]: {
    about: 'user',
    does: 'the connection is refreshed',
    nextDue: nextEvenHour,
    run: (world, { subject }) => world.agenda.runSteps(sync(world, subject)),
  },
}

/** Announces the history, then the data of today. Source: docs/contract/webhooks.md#events. */
function* finishBackfill(world: World, id: string): Generator<void, void> {
  const connection = world.db.find(connections, id)
  if (!connection) return
  if (isLive(world, connection)) {
    const today = beginningOfToday(world, connection)
    const now = world.clock.now()
    const done = { ...connection, backfill: { ...connection.backfill, ended_at: now }, synced_until: now }
    // Rows of the backfill itself are sent up to today. Source: docs/contract/webhooks.md#events.
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
  world.agenda.scheduleNext(SYNC, id)
}

function* eventsIn(world: World, connection: Connection, span: TimeRange): Generator<void, NewEvent[]> {
  const ofSamples = yield* eventsOfSamples(world, connection, span)
  if (connection.uploads) return ofSamples
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
  const zone = world.services.feedScenarios.effectsOf(world, connection)?.zoneOn(date) ?? connection.time_zone
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

/** Announces new data and schedules the next sync, until the user is erased. */
function* sync(world: World, id: string): Generator<void, void> {
  const connection = world.db.find(connections, id)
  if (!connection) return
  if (isLive(world, connection)) {
    const since = connection.synced_until ?? world.clock.now()
    if (!(yield* collect(world, connection, since))) return yield* sync(world, id)
  }
  world.agenda.scheduleNext(SYNC, id)
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
