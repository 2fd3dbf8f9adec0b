import { feature } from '../../api/features.ts'
import { DAY_MS } from '../../kernel/instant.ts'
import { runInSlices } from '../../kernel/slices.ts'
import type { World } from '../../world/world.ts'
import type { SourceType } from '../catalogue/schema.ts'
import { announceWithheld, putDevice, receiveUploads } from '../connecting/service.ts'
import { connectionId, connections } from '../connections/table.ts'
import { getSummary } from '../summaries/service.ts'
import { type PreparedSummary, prepareSummary, putSummary } from '../summaries/storing.ts'
import { type EventsOfStored, getSeries, putSamples, type Sample } from '../timeseries/service.ts'
import { getUser, ingestionRange } from '../users/service.ts'
import type { UserRow } from '../users/table.ts'
import type { Upload, UploadedSeries, UploadedSummary, UploadKind } from './kind.ts'
import { sourceTypeOf, type UploadedSample } from './samples.ts'
import type { UploadBody } from './schema.ts'
import { countUpload, endStage } from './sync.ts'

/**
 * Stores an upload with its events: those of new and changed data, and for a history the one of its end. Whatever is
 * stored in one write is announced in it, and a repeated upload announces only the rest.
 */
export const receiveUpload = (
  world: World,
  userId: string,
  kind: UploadKind,
  body: UploadBody,
): Promise<void> => runInSlices(storeUpload(world, userId, kind, body))

function* storeUpload(
  world: World,
  userId: string,
  kind: UploadKind,
  { provider, stage, time_zone: timeZone, data, ...body }: UploadBody,
): Generator<void, void> {
  const user = getUser(world, userId)
  const upload = { world, userId, provider, timeZone }
  const summaries: PreparedSummary[] = []
  const samples: UploadedSeries[] = []
  const device = new Map<string, UploadedSample['metadata']>()
  for (const item of data.list) {
    const stored = kind.store(item as never, upload)
    for (const summary of stored.summaries ?? []) {
      summaries.push(prepare(upload, summary))
      yield
    }
    for (const one of stored.samples ?? []) if (isWithinIngestion(user, one.sample.start)) samples.push(one)
    noteDevice(device, item)
    yield
  }
  const connection = world.db.find(connections, connectionId(userId, provider))
  if (connection) yield* announceWithheld(world, receiveUploads(world, connection, timeZone))
  const events = stage === 'daily' || feature(world, 'push_historical_data') ? 'changes' : 'none'
  for (const summary of summaries) {
    putSummary(world, summary, events)
    yield
  }
  yield* putAll(upload, samples, events)
  for (const [type, metadata] of device) recordDevice(upload, type as SourceType, metadata)
  countUpload(world, userId, provider, kind.path, data.list.length)
  if (stage === 'daily' || !body.is_final_chunk) return
  const now = world.clock.now()
  const [from, until] = [body.start_date ?? now, body.end_date ?? now]
  endStage(world, userId, provider, { name: kind.path, resources: kind.resources, from, until })
}

function prepare({ world, userId, provider }: Upload, { resource, sourceType, key, item }: UploadedSummary) {
  const id = world.ids.uuid(`upload/${resource}/${userId}/${provider}/${sourceType}/${key}`)
  return prepareSummary(world, {
    userId,
    summary: getSummary(resource),
    provider,
    sourceType,
    item: { ...item, id },
  })
}

/** The samples of each series and device together. */
function* putAll(
  { world, userId, provider }: Upload,
  all: readonly UploadedSeries[],
  events: EventsOfStored,
): Generator<void, void> {
  const groups = new Map<string, { series: string; type: string; samples: Sample[] }>()
  for (const { series, sourceType: type, sample } of all) {
    const group = groups.get(`${series}/${type}`) ?? { series, type, samples: [] }
    groups.set(`${series}/${type}`, group)
    group.samples.push(sample)
    yield
  }
  for (const { series, type, samples } of groups.values())
    yield* putSamples(world, { userId, series: getSeries(series), provider, type, samples, events })
}

/** Data from more than a day outside of the user's ingestion bounds are dropped. Source: docs/contract/phones.md#uploads. */
function isWithinIngestion(
  { ingestion_start: start, ingestion_end: end }: UserRow,
  instant: number,
): boolean {
  const { from, until } = ingestionRange({ start, end }, 'UTC')
  return instant >= from - DAY_MS && instant < until + DAY_MS
}

/** The first device that each type of source names. */
function noteDevice(devices: Map<string, UploadedSample['metadata']>, item: unknown): void {
  const origin = item as Partial<UploadedSample>
  if (typeof origin.metadata?._DMO !== 'string') return
  const type = sourceTypeOf(origin)
  if (!devices.has(type)) devices.set(type, origin.metadata)
}

function recordDevice(
  { world, userId, provider }: Upload,
  type: SourceType,
  metadata: UploadedSample['metadata'],
) {
  const textOf = (name: string) => (typeof metadata?.[name] === 'string' ? metadata[name] : null)
  putDevice(world, userId, provider, type, {
    device_model: textOf('_DMO'),
    device_manufacturer: textOf('_DMA'),
    device_version: textOf('_DSV') ?? textOf('_DHV'),
  })
}
