import * as z from 'zod'
import { instant, nullableText, type Parsed, unnamed } from '../../api/schema.ts'
import { type TimeRange, toWire } from '../../kernel/instant.ts'
import { smallest } from '../../kernel/list.ts'
import { isTimeZone } from '../../kernel/local-day.ts'
import { count, instantMs, ofUser, type RowOf, table } from '../../storage/table.ts'
import type { World } from '../../world/world.ts'
import { providerSlugs } from '../providers/schema.ts'
import { scopeFor, traitsOf } from '../providers/service.ts'
import { users } from '../users/table.ts'
import { ConnectionError, Device as DeviceView } from './schema.ts'

/** Why a connection does not work. */
export type ConnectionTrouble = Parsed<typeof ConnectionError>

/** A period in which data were collected: a pull of history, and what came after it. */
const PeriodRow = unnamed(() => ({
  from: instantMs(),
  /** By resource, for those whose history begins at another instant. */
  from_by_resource: z.record(z.string(), instantMs()).optional(),
  /** Null while it is running. */
  until: instantMs().nullable(),
  /** When the user gave consent; what was measured before is history. */
  since: instantMs().optional(),
  /** The parts of the history that have arrived, earliest first; without the list, all of it. */
  arrivals: z.array(Arrival()).optional(),
}))

/** A part of a history: from then on, its resources can be read. */
const Arrival = () =>
  z.object({
    at: instantMs(),
    /** All by default. */
    resources: z.array(z.string()).optional(),
    /** Its beginning if it is not that of the period. */
    from: instantMs().optional(),
  })
export type CollectedPeriod = Parsed<typeof PeriodRow>

/** What the event says that ends the history of a resource. */
export const historyOf = (
  { user_id, provider }: Pick<Connection, 'user_id' | 'provider'>,
  { from, until }: TimeRange,
) => ({ user_id, start_date: toWire(from), end_date: toWire(until), is_final: true, provider })

export const connectionId = (userId: string, provider: string): string => `${userId}/${provider}`

/** The value by which the connections of an account at a provider are found. */
export const accountKey = (provider: string, account: string): string => `${provider}/${account}`

/** A connection of a user to a provider. It is kept after a disconnect, because collected data stays readable. */
export const connections = table(
  'connections',
  () =>
    z.object({
      user_id: z.string(),
      provider: z.enum(providerSlugs) as z.ZodType<string>,
      /** The number of the connection in its world, from 1; part of the ids of sleeps and workouts. */
      ordinal: count(),
      created_on: instant(),
      /** When user and provider were first connected. */
      known_since: instantMs(),
      external_user_id: nullableText(),
      /** Permissions the user did not grant; their resources are not collected. */
      denied_scopes: z.array(z.string()).optional(),
      /** Whether it is a demo connection. */
      demo: z.boolean(),
      /** Whether a phone uploads its data; then none are generated. */
      uploads: z.boolean().optional(),
      /** Set while it is in an error. */
      error: ConnectionError().nullable(),
      /** Whether it is paused. */
      paused: z.boolean(),
      /** When the pull of its history was scheduled and finished. */
      backfill: z.object({ scheduled_at: instantMs(), ended_at: instantMs().nullable() }),
      /** The user's time zone; fixed by the first connection, so that past data does not change. */
      time_zone: z.string().refine(isTimeZone, 'Input should be the name of a time zone'),
      periods: z.array(PeriodRow()),
      /** The instant up to which its data have been announced; null until the backfill is done. */
      synced_until: instantMs().nullable(),
    }),
  ({ user_id, provider }) => connectionId(user_id, provider),
  {
    owner: 'user',
    indexes: {
      user: ({ user_id }) => user_id,
      ordinal: ({ ordinal }) => String(ordinal),
      account: ({ provider, external_user_id: account }) =>
        account === null ? null : accountKey(provider, account),
    },
  },
)
export type Connection = RowOf<typeof connections>

/** Whether it is connected in any state and its user exists. */
export const isConnected = (world: World, { user_id, provider }: Connection): boolean =>
  world.db.find(users, user_id)?.connected_sources.some(({ source }) => source.slug === provider) ?? false

/** The connection of a user to a provider, in any state. */
export function findConnected(world: World, userId: string, provider: string): Connection | undefined {
  const connection = world.db.find(connections, connectionId(userId, provider))
  return connection && isConnected(world, connection) ? connection : undefined
}

/** Whether it collects data. */
export const isLive = (world: World, connection: Connection): boolean =>
  connection.periods.at(-1)?.until === null && isConnected(world, connection)

/** Rows that were ingested at one instant, or, without it, each soon after it was measured. */
export interface Ingested extends TimeRange {
  readonly at?: number | undefined
}

/** The periods of the generated data that have arrived. */
export function collectedSpans(world: World, connection: Connection): Ingested[] {
  if (connection.uploads) return []
  return endedPeriods(world, connection).flatMap((period): Ingested[] => {
    const { arrivals, since = period.until, until } = period
    const start = beginningOf(period)
    if (!arrivals) return [{ from: start, until }]
    const [first] = arrivals
    if (!first) return []
    const history = arrivals.map(({ at, from = start }) => ({
      at,
      from: Math.max(from, start),
      until: Math.min(since, until),
    }))
    return [...history, { from: since, until }]
  })
}

/** Its periods with ends; a running period ends with the last sync. */
export function endedPeriods(world: World, connection: Connection): (CollectedPeriod & TimeRange)[] {
  const { synced_until } = connection
  return connection.periods.flatMap((period) => {
    const isWhole = !period.arrivals && isLive(world, connection)
    const until = period.until ?? (isWhole ? world.clock.now() : (synced_until ?? period.since ?? null))
    return until === null ? [] : [{ ...period, until }]
  })
}

/** A connection with the periods of one resource; without periods if the permission is denied. */
export function viewOf(connection: Connection, resource: string): Connection {
  const { periods, denied_scopes, ...rest } = connection
  const isSame = periods.every(
    ({ from_by_resource, arrivals }) => !from_by_resource && !arrivals?.some(({ resources }) => resources),
  )
  if (!denied_scopes && isSame) return connection
  const own = periods.map(({ from_by_resource, ...period }) => ({
    ...period,
    from: beginningOf({ ...period, from_by_resource }, resource),
    ...(period.arrivals && { arrivals: arrivalsOf(period.arrivals, resource) }),
  }))
  return { ...rest, periods: isDenied(connection, resource) ? [] : own }
}

const arrivalsOf = (arrivals: NonNullable<CollectedPeriod['arrivals']>, resource: string) =>
  arrivals
    .filter(({ resources }) => !resources || resources.includes(resource))
    .map(({ resources: _, ...arrival }) => arrival)

/** When a row that ends at an instant was first ingested; undefined for one that came live. */
export function ingestedWithHistory({ periods }: Connection, end: number): number | undefined {
  for (const period of periods) {
    const { arrivals = [], since = period.from, until } = period
    if (end > since && (until === null || end <= until)) return undefined
    const start = beginningOf(period)
    const found = arrivals.find(({ from = start }) => Math.max(from, start) < end) ?? arrivals.at(-1)
    if (found && end <= since) return found.at
  }
  return undefined
}

/** Whether the user has denied the permission that a resource needs. */
export const isDenied = ({ provider, denied_scopes }: Connection, resource: string): boolean =>
  denied_scopes?.includes(scopeFor(provider, resource)) ?? false

/** The beginning of a resource's data in a period; of the earliest without a resource. */
export function beginningOf({ from, from_by_resource = {} }: CollectedPeriod, resource?: string): number {
  if (resource !== undefined) return from_by_resource[resource] ?? from
  return Math.min(from, smallest(Object.values(from_by_resource)))
}

/** The days of history a team pulls from a provider. Source: docs/contract/management.md. */
export const pullPreferences = table(
  'data_pull_preferences',
  () =>
    z.object({
      provider: z.string(),
      days: count(),
      /** By resource, for those with another number. */
      days_by_resource: z.record(z.string(), count()),
    }),
  ({ provider }) => provider,
)
export type PullPreference = RowOf<typeof pullPreferences>

/** Devices in wire format. Source: docs/contract/connections.md#connections. */
export const devices = table('devices', DeviceView, ({ id }) => id, ofUser)
export type Device = RowOf<typeof devices>

/** Devices that measure what no other device does. */
export const otherDevices: readonly string[] = ['scale', 'cuff', 'fingerprick', 'insulin_pump']

/** The device of data; null where the provider does not name it, or it is not known which one it is. */
export function deviceIdOf(
  world: World,
  { user_id, provider }: Pick<Connection, 'user_id' | 'provider'>,
  resource: string,
  type: string,
): string | null {
  const { device_id, device_id_always, device_id_if_one } = traitsOf(world, { provider })
  const rule = device_id_always.includes(resource) ? 'always' : device_id
  if (rule === 'never') return null
  const own = world.db.by(devices, 'user', user_id).filter((device) => device.provider === provider)
  const isNamed = rule === 'always' && !device_id_if_one.includes(resource)
  const found = isNamed ? own.find(({ source_type }) => source_type === type) : undefined
  const [only] = own
  const isOther = only && otherDevices.includes(type) && only.source_type !== type
  return (found ?? (own.length === 1 && !isOther ? only : undefined))?.id ?? null
}

/** The refreshes of a user within the last hour, in milliseconds since 1970. May include older ones. */
export const refreshes = table(
  'refreshes',
  () => z.object({ user_id: z.string(), at: z.array(instantMs()) }),
  ({ user_id }) => user_id,
  { owner: 'user' },
)
