import { table } from '../../world/table.ts'
import type { World } from '../../world/world.ts'
import { users } from '../users/table.ts'

/** A stretch of time; instants in milliseconds since 1970. */
export interface Span {
  readonly from: number
  readonly until: number
}

/** A stretch of time in which data were collected; instants in milliseconds since 1970. */
export interface Period {
  readonly from: number
  /** Null while it goes on. */
  readonly until: number | null
}

/** A user's tie to a provider, kept when it is cut, since what was collected stays readable. */
export interface Connection {
  readonly user_id: string
  readonly provider: string
  readonly created_on: string
  readonly external_user_id: string | null
  /** Where the wearer's days begin and end; fixed by the first connection, so that the past never shifts. */
  readonly time_zone: string
  readonly periods: readonly Period[]
  /** Up to which instant its data have been announced; null until the backfill is done. */
  readonly synced_until: number | null
  /** The latest local day that has an activity summary, and when that was first announced. */
  readonly summary_day: { readonly date: string; readonly created_at: string } | null
}

export const connectionId = (userId: string, provider: string): string => `${userId}/${provider}`

export const connections = table<Connection, 'user'>(
  'connections',
  ({ user_id, provider }) => connectionId(user_id, provider),
  { indexes: { user: ({ user_id }) => user_id } },
)

/** Whether data still come in: the connection was not cut, and neither was its user. */
export const isLive = (world: World, { user_id, provider, periods }: Connection): boolean =>
  periods.at(-1)?.until === null &&
  (world.db.find(users, user_id)?.connected_sources.some((source) => source.source.slug === provider) ??
    false)

/** When data were collected, as bounds; what goes on ends now. */
export function collectedSpans(world: World, connection: Connection): Span[] {
  const open = isLive(world, connection) ? world.clock.now() : connection.synced_until
  return connection.periods.flatMap(({ from, until }) => {
    const end = until ?? open
    return end === null ? [] : [{ from, until: end }]
  })
}
