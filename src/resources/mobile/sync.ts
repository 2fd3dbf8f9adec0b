import type { Parsed } from '../../api/schema.ts'
import { DAY_MS, toDate } from '../../kernel/instant.ts'
import type { World } from '../../world/world.ts'
import { receiveUploads } from '../connecting/service.ts'
import { findConnected, historyOf, isLive, pullPreferences } from '../connections/table.ts'
import { profileOf } from '../team/service.ts'
import { eventSubject, getUser, isPastIngestion } from '../users/service.ts'
import { NO_INGESTION_END, type UserRow } from '../users/table.ts'
import type { HistoricalStage, SyncProgress, SyncState, SyncStateInput } from './schema.ts'
import { type PhoneSync, phoneSyncs } from './table.ts'

/** How long an SDK keeps the state, and how often it reports, in seconds. Source: docs/contract/phones.md#synchronising. */
const STATE_SECONDS = 14_400
const REPORT_SECONDS = 3600
/** The days of history of a team without preferences. */
const USUAL_DAYS = 30

/** Tells an SDK whether and from when it uploads data. */
export function syncState(
  world: World,
  userId: string,
  provider: string,
  { tzinfo }: Parsed<typeof SyncStateInput>,
): Parsed<typeof SyncState> {
  const user = getUser(world, userId)
  const connection = findConnected(world, userId, provider)
  if (connection) receiveUploads(world, connection, tzinfo)
  const preference = world.db.find(pullPreferences, provider)
  const overrides = Object.entries(preference?.days_by_resource ?? {})
  return {
    status: syncStatus(world, user, provider),
    // Android counts back the days from it once more.
    request_start_date: null,
    request_end_date: ingestionEnd(user),
    ingestion_start: user.ingestion_start === null ? null : startOf(user.ingestion_start),
    per_device_activity_ts: profileOf(world).sdk_per_device_activity_timeseries,
    expires_in: STATE_SECONDS,
    pull_preferences: {
      historical_days_to_pull: preference?.days ?? USUAL_DAYS,
      backfill_type_overrides: Object.fromEntries(
        overrides.map(([resource, days]) => [resource, { historical_days_to_pull: days }]),
      ),
    },
    reporting_interval: REPORT_SECONDS,
    health_kit_params: null,
  }
}

/** Whether the SDK of a user uploads data of a provider. */
export function syncStatus(world: World, user: UserRow, provider: string): 'active' | 'paused' | 'error' {
  if (isPastIngestion(world, user)) return 'paused'
  const connection = findConnected(world, user.user_id, provider)
  if (!connection || connection.error) return 'error'
  return isLive(world, connection) ? 'active' : 'paused'
}

const ingestionEnd = ({ ingestion_end: end }: UserRow) =>
  end === null || end === NO_INGESTION_END ? null : startOf(toDate(Date.parse(end) + DAY_MS))

const startOf = (date: string) => `${date}T00:00:00Z`

/** Records that an SDK begins to upload the history of a resource. */
export function startStage(
  world: World,
  userId: string,
  provider: string,
  { range_start, range_end, backfill_type }: Parsed<typeof HistoricalStage>,
): void {
  getUser(world, userId)
  const sync = syncOf(world, userId, provider)
  const stage = { from: range_start, until: range_end, started_at: world.clock.now(), ended_at: null }
  world.db.put(phoneSyncs, { ...sync, stages: { ...sync.stages, [backfill_type]: stage } })
}

/** Records the end of a resource's history, and announces it. */
export function endStage(
  world: World,
  userId: string,
  provider: string,
  { name, resources, from, until }: EndedStage,
): void {
  const sync = syncOf(world, userId, provider)
  const now = world.clock.now()
  const started_at = sync.stages[name]?.started_at ?? now
  const stage = { from, until, started_at, ended_at: now }
  world.db.put(phoneSyncs, { ...sync, stages: { ...sync.stages, [name]: stage } })
  for (const resource of resources) {
    const data = historyOf({ user_id: userId, provider }, { from, until })
    world.emit(`historical.data.${resource}.created`, eventSubject(world, userId), data)
  }
}

interface EndedStage {
  /** The SDK's name of the resource. */
  readonly name: string
  /** The names of its events. */
  readonly resources: readonly string[]
  /** The range of the history, in milliseconds since 1970. */
  readonly from: number
  readonly until: number
}

/** Counts the items of an upload. */
export function countUpload(
  world: World,
  userId: string,
  provider: string,
  resource: string,
  items: number,
): void {
  const sync = syncOf(world, userId, provider)
  const before = sync.uploads?.[resource]?.items ?? 0
  const upload = { items: before + items, last_at: world.clock.now() }
  world.db.put(phoneSyncs, { ...sync, uploads: { ...sync.uploads, [resource]: upload } })
}

/** Keeps the last report of an SDK. */
export function recordProgress(
  world: World,
  userId: string,
  provider: string,
  report: Parsed<typeof SyncProgress>,
): void {
  getUser(world, userId)
  const sync = syncOf(world, userId, provider)
  world.db.put(phoneSyncs, { ...sync, report, reported_at: world.clock.now() })
}

export const syncOf = (world: World, user_id: string, provider: string): PhoneSync =>
  world.db.find(phoneSyncs, phoneSyncs.idOf({ user_id, provider } as PhoneSync)) ?? {
    user_id,
    provider,
    stages: {},
    report: null,
    reported_at: null,
  }
