import * as z from 'zod'
import { instant, type Parsed, unnamed } from '../../api/schema.ts'
import type { TimeRange } from '../../kernel/instant.ts'
import { smallest } from '../../kernel/list.ts'
import { isTimeZone } from '../../kernel/local-day.ts'
import { count, instantMs, type RowOf, table } from '../../storage/table.ts'
import type { World } from '../../world/world.ts'
import { providerSlugs } from '../providers/schema.ts'
import { scopeFor } from '../providers/service.ts'
import { users } from '../users/table.ts'
import { ConnectionError, Device as DeviceView } from './schema.ts'

/** Why a connection does not work. */
export type ConnectionTrouble = Parsed<typeof ConnectionError>

/** A period in which data were collected. */
const PeriodRow = unnamed(() =>
  z.object({
    from: instantMs(),
    /** By resource, for those whose history begins at another instant. */
    from_by_resource: z.record(z.string(), instantMs()).optional(),
    /** Null while it is running. */
    until: instantMs().nullable(),
  }),
)
export type CollectedPeriod = Parsed<typeof PeriodRow>

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
      external_user_id: z.string().nullable(),
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

/** Whether it collects data. */
export const isLive = (world: World, connection: Connection): boolean =>
  connection.periods.at(-1)?.until === null && isConnected(world, connection)

/** The bounds of all periods with generated data; a running period ends now. */
export const collectedSpans = (world: World, connection: Connection): TimeRange[] =>
  connection.uploads
    ? []
    : endedPeriods(world, connection).map((period) => ({ from: beginningOf(period), until: period.until }))

/** Its periods with ends; a running period ends now. */
export function endedPeriods(world: World, connection: Connection): (CollectedPeriod & TimeRange)[] {
  const open = isLive(world, connection) ? world.clock.now() : connection.synced_until
  return connection.periods.flatMap((period) => {
    const until = period.until ?? open
    return until === null ? [] : [{ ...period, until }]
  })
}

/** A connection with the periods of one resource; without periods if the permission is denied. */
export function viewOf(connection: Connection, resource: string): Connection {
  const { periods, denied_scopes, ...rest } = connection
  if (!denied_scopes && !periods.some(({ from_by_resource }) => from_by_resource)) return connection
  const own = periods.map((period) => ({ from: beginningOf(period, resource), until: period.until }))
  return { ...rest, periods: isDenied(connection, resource) ? [] : own }
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
export const devices = table('devices', DeviceView, ({ id }) => id, {
  owner: 'user',
  indexes: { user: ({ user_id }) => user_id },
})
export type Device = RowOf<typeof devices>

/** The refreshes of a user within the last hour, in milliseconds since 1970. May include older ones. */
export const refreshes = table(
  'refreshes',
  () => z.object({ user_id: z.string(), at: z.array(instantMs()) }),
  ({ user_id }) => user_id,
  { owner: 'user' },
)
