import { isDeepStrictEqual } from 'node:util'
import { feature } from '../../api/features.ts'
import type { JobKinds } from '../../api/resource.ts'
import { withoutUndefined } from '../../kernel/fields.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/instant.ts'
import { compact } from '../../kernel/list.ts'
import { localDate, localDay } from '../../kernel/local-day.ts'
import { runAtOnce } from '../../kernel/slices.ts'
import type { History } from '../../world/choices.ts'
import type { NewEvent } from '../../world/events.ts'
import type { World } from '../../world/world.ts'
import type { ProviderTraits, SourceType } from '../catalogue/schema.ts'
import {
  beginningOf,
  type CollectedPeriod,
  type Connection,
  connectionId,
  connections,
  type Device,
  devices,
  endedPeriods,
  historyOf,
  isDenied,
  isLive,
  otherDevices,
  pullPreferences,
} from '../connections/table.ts'
import { personOf } from '../personas/service.ts'
import { deviceId, findProvider, getProvider, isMeasured, traitsOf } from '../providers/service.ts'
import { eventsOfSummaries } from '../summaries/events.ts'
import { summaryResources } from '../summaries/service.ts'
import {
  type Change,
  dateOf,
  eventsOfSamples,
  hasSeries,
  putSamples,
  readSamples,
  type SamplesToStore,
  seriesTable,
  sourceTypeOf,
} from '../timeseries/service.ts'
import { eventSubject, getUser, ingestionRangeAt, isPastIngestion } from '../users/service.ts'
import { collectedResources } from './events.ts'

/** The devices of providers whose models are not known. */
const usualModels = (world: World) => traitsOf(world, { provider: 'default' }).models

/** The main device of a provider, if there is one. */
const usualType = (world: World, provider: string): SourceType | undefined =>
  findProvider(provider)?.source_types.find((one) => usualModels(world)[one])

/** Records the devices of the data, and announces new ones. */
function recordDevices(world: World, connection: Connection): void {
  const { user_id, provider } = connection
  const { devices: own } = traitsOf(world, connection)
  const usual = own.length > 0 ? own : compact([usualType(world, provider)])
  for (const type of [...usual, ...otherDevicesOf(world, connection)])
    if (!world.db.has(devices, deviceId(world, user_id, provider, type)))
      putDevice(world, user_id, provider, type, {})
}

/** The devices of a connection's user that not all users of the provider have, such as a scale. */
export function otherDevicesOf(world: World, connection: Connection): SourceType[] {
  const { provider, user_id } = connection
  const today = {
    person: personOf(world, user_id),
    date: dateOf(world, connection, world.clock.now()),
  }
  const life = { provider, traits: traitsOf(world, connection) }
  return seriesTable.flatMap((series) => {
    const type = sourceTypeOf(series, provider)
    if (!otherDevices.includes(type) || !hasSeries(provider, series)) return []
    return isMeasured(today, life, series.slug, series.from) ? [type] : []
  })
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
  const source_type = sourceType ?? usualType(world, provider) ?? 'unknown'
  const id = deviceId(world, userId, provider, source_type)
  const known = world.db.find(devices, id)
  const device = { ...(known ?? newDevice(world, id, userId, provider, source_type)), ...change }
  if (known && JSON.stringify(known) === JSON.stringify(device)) return { id, what: null }
  const what = known ? 'updated' : 'created'
  world.db.put(devices, device)
  world.emit(`provider.device.${what}`, eventSubject(world, userId), device)
  return { id, what }
}

function newDevice(
  world: World,
  id: string,
  user_id: string,
  provider: string,
  source_type: SourceType,
): Device {
  const { models, app_id } = traitsOf(world, { provider })
  const known = models[source_type] ?? usualModels(world)[source_type] ?? []
  const key = `device/${provider}/${source_type}/${world.drawKey('user', user_id)}`
  const { manufacturer, model, version } = world.random.pick(key, known) ?? {}
  return {
    id,
    user_id,
    provider,
    source_type,
    app_id,
    device_manufacturer: manufacturer ?? findProvider(provider)?.name ?? null,
    device_model: model ?? null,
    device_version: version ?? '1.0',
    device_id: world.ids.letters(`device/serial/${id}`, '0123456789ABCDEF', 12),
  }
}

/** A user's devices, the longest known first. */
export const listDevices = (world: World, userId: string): Device[] => world.db.by(devices, 'user', userId)

/** The maximum number of days of history. Source: docs/contract/connections.md#connections. */
export const MAX_HISTORY_DAYS = 365

/**
 * The period a connection collects data for: from the team's preferred days in the past onward, within the bounds of
 * ingestion. That of a demo connection begins with a whole day in its time zone.
 */
export function newPeriod(
  world: World,
  {
    user_id,
    provider,
    demo,
    time_zone: zone,
  }: Pick<Connection, 'user_id' | 'provider' | 'demo' | 'time_zone'>,
): CollectedPeriod {
  const now = world.clock.now()
  const bounds = ingestionRangeAt(world, user_id, zone, now)
  const preference = world.db.find(pullPreferences, provider)
  const { history_days, history_days_by_resource } = traitsOf(world, { provider, demo })
  const { days, days_by_resource } = preference ?? {
    days: history_days,
    days_by_resource: history_days_by_resource,
  }
  const most = MAX_DAYS[feature(world, 'history')]
  const begin = (wanted: number): number => {
    const ago = Math.min(wanted, most)
    const instant = now - ago * DAY_MS
    const whole = demo && ago > 0 ? localDay(zone, localDate(zone, instant)).start : instant
    const from = Math.max(whole, bounds.from)
    return from < Math.min(bounds.until, now) ? from : now
  }
  const others = Object.entries(days_by_resource).map(([resource, other]) => [resource, begin(other)])
  return {
    from: begin(days),
    from_by_resource: others.length > 0 ? Object.fromEntries(others) : undefined,
    until: null,
    since: now,
    arrivals: [],
  }
}

/** The most days of history in a world. */
const MAX_DAYS: Readonly<Record<History, number>> = { full: MAX_HISTORY_DAYS, '3d': 3, none: 0 }

/** The beginning of a resource's history; null if none is pulled. */
export function historyStart(connection: Connection, resource: string): number | null {
  const { periods, backfill } = connection
  const period = periods.at(-1)
  const from = period && beginningOf(period, resource)
  return from === undefined || from >= backfill.scheduled_at || isDenied(connection, resource) ? null : from
}

/** The end of the range that a pull asks for: an instant, or the end of the bounds of ingestion at its beginning. */
const endOfPull = (world: World, { user_id, time_zone, backfill }: Connection, instant: number): number =>
  Math.min(instant, ingestionRangeAt(world, user_id, time_zone, backfill.scheduled_at).until)

const BACKFILL = 'connections.backfill'
const SYNC = 'connections.sync'

/** Starts or continues the pull of a connection's history. */
export function beginBackfill(world: World, connection: Connection): void {
  world.agenda.cancel(SYNC, connections.idOf(connection))
  const [next, previous] = nextStages(world, connection)
  if (!next) {
    scheduleSync(world, connection)
    return
  }
  world.agenda.schedule({
    afterScenarioMs: Math.round((next.afterMinutes - (previous?.afterMinutes ?? 0)) * MINUTE_MS),
    kind: BACKFILL,
    subject: connections.idOf(connection),
  })
}

/** A part of a history that arrives at once. */
export interface Stage {
  /** Since the consent. */
  readonly afterMinutes: number
  /** All by default. */
  readonly resources?: readonly string[]
  /** The beginning of what arrives, if it is not all. */
  readonly from?: number
  /** Whether the ends of the pulls are announced. */
  readonly isAnnounced: boolean
  /** Whether the rows come as daily events. */
  readonly isSent: boolean
}

/** How the history of a connection arrives: as its provider's does, unless its scenario says otherwise. */
export function stagesOf(world: World, connection: Connection): Stage[] {
  const effects = world.services.feedScenarios.effectsOf(world, connection)
  const { comes = null, takesMs = null } = effects?.historyOf(connection.backfill.scheduled_at) ?? {}
  const stages = usualStages(world, connection, comes)
  const lasts = (stages.at(-1)?.afterMinutes ?? 0) * MINUTE_MS
  if (takesMs === null || lasts === 0) return stages
  return stages.map((stage) => ({ ...stage, afterMinutes: (stage.afterMinutes * takesMs) / lasts }))
}

function usualStages(world: World, connection: Connection, comes: string | null): Stage[] {
  const traits = traitsOf(world, connection)
  const { pull_minutes, parts } = traits
  const history = comes ?? traits.history
  const { profile, summaries, timeseries } = pull_minutes
  if (history === 'daily') return [{ afterMinutes: timeseries, isAnnounced: false, isSent: true }]
  if (history === 'announce_first') return partsOf(connection, parts)
  const kinds = new Map<number, string[]>()
  for (const resource of getProvider(connection.provider).resources) {
    const isSummary = summaryResources.includes(resource)
    const isProfile = resource === 'profile' || resource === 'body'
    const minutes = isProfile ? profile : isSummary ? summaries : timeseries
    kinds.set(minutes, [...(kinds.get(minutes) ?? []), resource])
  }
  const isSent = feature(world, 'push_historical_data')
  const stages = [...kinds].map(([afterMinutes, resources]) => ({
    afterMinutes,
    resources,
    isAnnounced: true,
    isSent,
  }))
  return stages.sort((a, b) => a.afterMinutes - b.afterMinutes)
}

/** The announcement of all, then parts of whole days, the newest first. */
function partsOf(
  { periods, time_zone: zone }: Connection,
  { first, last, count }: ProviderTraits['parts'],
): Stage[] {
  const period = periods.at(-1)
  const { since = 0 } = period ?? {}
  const days = period ? (since - beginningOf(period)) / DAY_MS : 0
  const most = Math.min(count, Math.ceil(days))
  const parts = Array.from({ length: most }, (_, at) => ({
    afterMinutes: Math.round(first + (at * (last - first)) / Math.max(1, most - 1)),
    ...(at < most - 1 && {
      from: localDay(zone, localDate(zone, since - ((at + 1) * days * DAY_MS) / most)).start,
    }),
    isAnnounced: false,
    isSent: true,
  }))
  return [{ afterMinutes: 0, from: since, isAnnounced: true, isSent: false }, ...parts]
}

/** When the pull of a resource's history began and ended, null for not yet; undefined without one. */
export function pullOf(world: World, connection: Connection, resource: string) {
  const from = historyStart(connection, resource)
  if (from === null) return undefined
  const { scheduled_at, ended_at } = connection.backfill
  const arrivals = connection.periods.at(-1)?.arrivals
  const ending = (end: number | null) => ({
    until: endOfPull(world, connection, end ?? scheduled_at),
    ended_at: end,
  })
  if (!arrivals) return { from, scheduled_at, started_at: scheduled_at, ...ending(ended_at) }
  const at = stagesOf(world, connection).findIndex(
    ({ resources }) => !resources || resources.includes(resource),
  )
  const started_at = at === 0 ? scheduled_at : (arrivals[at - 1]?.at ?? null)
  return { from, scheduled_at, started_at, ...ending(arrivals[at]?.at ?? null) }
}

/** The next stage of a history, and the one before it. */
function nextStages(world: World, connection: Connection): (Stage | undefined)[] {
  const arrived = connection.periods.at(-1)?.arrivals?.length ?? 0
  const stages = stagesOf(world, connection)
  return [stages[arrived], stages[arrived - 1]]
}

/** The next of the times at which data of a provider arrive. */
function scheduleSync(world: World, connection: Connection): void {
  const every = traitsOf(world, connection).every_minutes * MINUTE_MS
  world.agenda.schedule({
    due: (Math.floor(world.clock.now() / every) + 1) * every,
    kind: SYNC,
    subject: connections.idOf(connection),
    recurring: true,
  })
}

/** When data were last fetched. */
export const syncedAtOf = (world: World, connection: Connection): number =>
  (connection.synced_until ?? 0) + traitsOf(world, connection).late_minutes * MINUTE_MS

/** The instant up to which data have reached Petri now. */
const reachedUntil = (world: World, connection: Connection): number =>
  world.clock.now() - traitsOf(world, connection).late_minutes * MINUTE_MS

/** Announces from now on what a feed scenario has withheld of the uploads of a phone. */
export function* announceWithheld(world: World, connection: Connection): Generator<void, void> {
  const id = connections.idOf(connection)
  if (connection.synced_until !== null && isLive(world, connection))
    yield* collect(world, connection, connection.synced_until)
  if (!world.agenda.find(SYNC, id)) scheduleSync(world, connection)
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
  const isPulling = connection.backfill.ended_at === null && !connection.uploads
  if (connection.synced_until === null || isPulling || !isLive(world, connection)) return false
  runAtOnce(collect(world, connection, connection.synced_until))
  return true
}

/** A stage or a sync that failed is tried again at the next even hour. */
const tryAgain = (now: number) => (Math.floor(now / (2 * HOUR_MS)) + 1) * 2 * HOUR_MS

export const connectionJobs: JobKinds = {
  [BACKFILL]: {
    about: 'user',
    does: 'the historical data of a connection arrive',
    // It does not recur, unless it fails.
    nextDue: tryAgain,
    run: (world, { subject }) => world.agenda.runSteps(receiveStage(world, subject)),
  },
  [SYNC]: {
    about: 'user',
    does: 'the connection is refreshed',
    nextDue: tryAgain,
    run: (world, { subject }) => world.agenda.runSteps(sync(world, subject)),
  },
}

/**
 * Lets the next part of the history arrive: announces it, then the data of today, as well as what has come live of the parts
 * before. Source: docs/contract/webhooks.md#events.
 */
function* receiveStage(world: World, id: string): Generator<void, void> {
  const connection = world.db.find(connections, id)
  if (!connection) return
  const [stage] = nextStages(world, connection)
  if (!isLive(world, connection) || !stage) return scheduleSync(world, connection)
  const until = reachedUntil(world, connection)
  const done = withArrival(world, connection, stage)
  const known = { ...connection, synced_until: until }
  const live = yield* eventsIn(world, known, { from: connection.synced_until ?? until, until })
  const came = yield* eventsOfStage(world, connection, done, stage, until)
  if (!isAsBefore(world, connection)) return yield* receiveStage(world, id)
  recordDevices(world, connection)
  emitAll(world, connection, live)
  if (stage.isSent) emitAll(world, connection, came)
  if (stage.isAnnounced) announceHistory(world, connection, stage)
  if (!stage.isSent) emitAll(world, connection, came)
  beginBackfill(world, world.db.put(connections, done))
}

function withArrival(
  world: World,
  connection: Connection,
  { resources, from, isAnnounced }: Stage,
): Connection {
  const { periods, backfill } = connection
  const at = world.clock.now()
  const arrival = withoutUndefined({ at, resources: resources && [...resources], from })
  const changed = withLastPeriod(connection, (period) => ({
    ...period,
    arrivals: [...(period.arrivals ?? []), arrival],
  }))
  const done = { ...connection, periods: changed, synced_until: reachedUntil(world, connection) }
  const isOver = !nextStages(world, done)[0] || (isAnnounced && from !== undefined)
  const ended_at = backfill.ended_at ?? (isOver ? at : null)
  return { ...done, periods: periods.length > 0 ? changed : periods, backfill: { ...backfill, ended_at } }
}

/** The rows that arrive with a stage and are sent: all of it, or those of today. */
function* eventsOfStage(
  world: World,
  connection: Connection,
  done: Connection,
  { resources, from, isSent, isAnnounced }: Stage,
  until: number,
): Generator<void, NewEvent[]> {
  if (isAnnounced && from !== undefined) return []
  const period = connection.periods.at(-1)
  if (isSent && period) {
    const earlier = period.arrivals?.at(-1)?.from ?? until
    const span = { from: from ?? beginningOf(period), until: earlier }
    const before = { ...connection, synced_until: until, periods: [period] }
    return yield* eventsIn(world, done, { before, from: until, until, arriving: span, resources })
  }
  const since = Math.max(beginningOfToday(world, connection), connection.synced_until ?? 0)
  return yield* eventsIn(world, done, { from: since, until, resources })
}

function* eventsIn(world: World, connection: Connection, change: Change): Generator<void, NewEvent[]> {
  if (change.from >= change.until && !change.arriving) return []
  const ofSamples = yield* eventsOfSamples(world, connection, change)
  if (connection.uploads) return ofSamples
  return [...ofSamples, ...(yield* eventsOfSummaries(world, connection, change))]
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
function announceHistory(world: World, connection: Connection, { resources }: Stage): void {
  const { user_id, provider } = connection
  const pulled = resources ?? getProvider(provider).resources
  for (const resource of collectedResources) {
    const from = historyStart(connection, resource)
    if (!pulled.includes(resource) || from === null) continue
    const data = historyOf(connection, { from, until: endOfPull(world, connection, world.clock.now()) })
    world.emit(`historical.data.${resource}.created`, eventSubject(world, user_id), data)
  }
}

/** Announces new data and schedules the next sync, until the user is erased. */
function* sync(world: World, id: string): Generator<void, void> {
  const connection = world.db.find(connections, id)
  if (!connection) return
  if (isLive(world, connection) && isPastIngestion(world, getUser(world, connection.user_id)))
    world.db.put(connections, { ...connection, paused: true, periods: endedPeriods(world, connection) })
  else if (isLive(world, connection)) {
    const since = connection.synced_until ?? reachedUntil(world, connection)
    if (!(yield* collect(world, connection, since))) return yield* sync(world, id)
  }
  scheduleSync(world, connection)
}

/** Announces the samples and summaries of the time from `since` until now, unless the connection was changed meanwhile. */
function* collect(world: World, connection: Connection, since: number): Generator<void, boolean> {
  const until = connection.uploads ? world.clock.now() : reachedUntil(world, connection)
  const known = { ...connection, synced_until: until }
  const newEvents = yield* eventsIn(world, known, { from: since, until })
  if (!isAsBefore(world, connection)) return false
  if (!connection.uploads) recordDevices(world, connection)
  emitAll(world, connection, newEvents)
  world.db.put(connections, known)
  return true
}

/** The periods of a connection, with a change of the last one. */
export const withLastPeriod = (
  { periods }: Pick<Connection, 'periods'>,
  change: (last: CollectedPeriod) => CollectedPeriod,
): CollectedPeriod[] => periods.map((period, at) => (at === periods.length - 1 ? change(period) : period))
