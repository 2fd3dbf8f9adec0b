import { MINUTE_MS, toWire } from '../../kernel/instant.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { Day } from '../../people/day.ts'
import type { World } from '../../world/world.ts'
import type { SourceType } from '../catalogue/schema.ts'
import { type Connection, deviceIdOf, ingestedWithHistory, viewOf } from '../connections/table.ts'
import { deviceTypeFor, isMeasured, sourceOf, traitsOf } from '../providers/service.ts'
import { dayOfConnection, readableSpans, type Sample } from '../timeseries/service.ts'

/** A summary in wire format. */
export type Item = JsonObject

/** The input of a generated summary: connection, day and the time up to which the day is known. */
export interface Making {
  readonly world: World
  readonly resource: string
  readonly connection: Connection
  /** The type of the device that the summary comes from. */
  readonly type: SourceType
  readonly day: Day
  /** Milliseconds since 1970. */
  readonly asOf: number
}

/** The generated summaries of one kind on a day, as of an instant. A pure function. */
export type Make = (making: Making) => Item[]

/** What a summary comes from. */
export interface Origin {
  /** The name in paths, event types and availability. */
  readonly resource: string
  /** The type of its device, if the provider has one: the first of these. */
  readonly from?: readonly SourceType[]
}

export const makingOf = (
  world: World,
  { resource, from }: Origin,
  connection: Connection,
  date: string,
  asOf: number,
): Making => ({
  world,
  resource,
  connection: viewOf(connection, resource),
  type: deviceTypeFor(connection.provider, from),
  day: dayOfConnection(world, connection, date),
  asOf,
})

/** The generated summaries of a day as their provider sends them: without the fields that it does not have. */
export function itemsOf(
  { make, from }: Pick<Origin, 'from'> & { readonly make: Make },
  making: Making,
): Item[] {
  const { connection, day, world } = making
  const traits = traitsOf(world, connection)
  const { provider } = connection
  if (!isMeasured(day, { provider, traits }, making.resource, from)) return []
  const missing = Object.fromEntries((traits.nulls[making.resource] ?? []).map((field) => [field, null]))
  return make(making).map((item) => ({ ...item, ...missing }))
}

/** Whether data of an instant was collected. */
export const isKnown = ({ world, connection, type, asOf }: Making, at: number): boolean =>
  at <= asOf &&
  readableSpans(world, connection, {
    span: { from: at - 1, until: asOf },
    near: { from: at - 1, until: at },
    type,
  }).some(({ from, until }) => at > from && at <= until)

/** When data was first and last announced: live, with the history, or by the feed scenario. */
export function stampsOf({ world, connection, day, asOf }: Making, createdAt: number, updatedAt = createdAt) {
  const effects = world.services.feedScenarios.effectsOf(world, connection)
  const arrived =
    ingestedWithHistory(connection, createdAt) ?? deliveredAt(world, connection, createdAt, asOf)
  const created = Math.max(effects?.arrivalOf(createdAt) ?? createdAt, arrived, connection.known_since)
  const touched = effects?.touchedAt({ from: day.start, until: day.end }, asOf) ?? created
  return {
    created_at: toWire(created),
    updated_at: toWire(Math.max(created, updatedAt, touched)),
  }
}

/** When live data of an instant arrive: with the next delivery, or with an earlier refresh. */
function deliveredAt(world: World, connection: Connection, instant: number, asOf: number): number {
  if (!connection.periods.some(({ arrivals }) => arrivals)) return instant
  const { every_minutes, late_minutes } = traitsOf(world, connection)
  const [every, late] = [every_minutes * MINUTE_MS, late_minutes * MINUTE_MS]
  return Math.min(Math.ceil((instant + late) / every) * every, Math.max(asOf, instant) + late)
}

export const sourceFor = ({ world, resource, connection, type }: Making) => ({
  ...sourceOf(world, connection.provider, type),
  app_id: traitsOf(world, connection).app_id,
  device_id: deviceIdOf(world, connection, resource, type),
})

/** The flat form of the source that some summaries have in addition. */
export function flatSource(making: Making) {
  const { app_id, device_id } = sourceFor(making)
  return {
    source_provider: making.connection.provider,
    source_type: making.type,
    source_app_id: app_id,
    source_device_id: device_id,
  }
}

export const idFor = ({ world, connection, type }: Making, kind: string, key: string): string =>
  world.ids.uuid(`${kind}/${connection.user_id}/${connection.provider}/${type}/${key}`)

export const hundredths = (value: number): number => Math.round(value * 100) / 100

/** The maximum weight of a sample, in milliseconds. */
const MAX_MS = 15 * MINUTE_MS

/** The mean of samples (oldest first), each weighted by the time until the next. */
export function meanOverTime(samples: readonly Sample[]): number {
  let sum = 0
  let time = 0
  for (const [at, { start, value }] of samples.entries()) {
    const next = samples[at + 1] ?? samples[at - 1]
    const lasts = next ? Math.min(Math.abs(next.start - start), MAX_MS) : MAX_MS
    sum += Number(value) * lasts
    time += lasts
  }
  return time > 0 ? sum / time : Number(samples[0]?.value)
}
