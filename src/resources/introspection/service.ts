import { pageAfter } from '../../api/pagination.ts'
import type { Parsed } from '../../api/schema.ts'
import { toWire } from '../../kernel/instant.ts'
import { runInSlices } from '../../kernel/slices.ts'
import type { World } from '../../world/world.ts'
import { collectedResources, historyStart } from '../connections/service.ts'
import { type Connection, connections } from '../connections/table.ts'
import { getProvider } from '../providers/service.ts'
import { users } from '../users/table.ts'
import { daysWithData } from './days.ts'
import type { PullsQuery, ResourcesQuery, UserPullsPage, UserResourcesPage } from './schema.ts'
import { type SentRow, sent, sentId } from './table.ts'

type Query = Parsed<typeof ResourcesQuery> | Parsed<typeof PullsQuery>
type Statistics = Parsed<typeof UserResourcesPage>['data'][number]['provider'][string][string]
type Pulls = Parsed<typeof UserPullsPage>['data'][number]['provider'][string]
type Pull = Pulls['pulled'][string]

/** The last pull of each resource of each connection, and its result. Source: contract/wearables.md §5. */
export const inspectResources = (
  world: World,
  query: Parsed<typeof ResourcesQuery>,
): Promise<Parsed<typeof UserResourcesPage>> =>
  runInSlices(inspect(world, query, (connection) => resourcesOf(world, connection)))

/** The progress of each connection's backfill. Source: contract/wearables.md §5. */
export const inspectPulls = (
  world: World,
  query: Parsed<typeof PullsQuery>,
): Promise<Parsed<typeof UserPullsPage>> =>
  runInSlices(inspect(world, query, (connection) => pullsOf(world, connection)))

/** A page of users who ever had a connection, with a description of each connection. */
function* inspect<Description>(
  world: World,
  query: Query,
  describe: (connection: Connection) => Generator<void, Description>,
): Generator<void, InspectedPage<Description>> {
  const { user_id, provider, user_limit, next_cursor, cursor } = query
  const all = yield* usersWithConnections(world, user_id ? [user_id] : world.db.ids(users), provider)
  const { items, nextCursor } = pageAfter(all, (id) => id, next_cursor ?? cursor, user_limit)
  const data: InspectedPage<Description>['data'][number][] = []
  for (const id of items) {
    const descriptions: Record<string, Description> = {}
    for (const connection of world.db.by(connections, 'user', id)) {
      if (provider && connection.provider !== provider) continue
      descriptions[connection.provider] = yield* describe(connection)
      yield
    }
    data.push({ user_id: id, provider: descriptions })
  }
  return { data, next: nextCursor, next_cursor: nextCursor }
}

interface InspectedPage<Description> {
  readonly data: { readonly user_id: string; readonly provider: Record<string, Description> }[]
  readonly next: string | null
  readonly next_cursor: string | null
}

function* usersWithConnections(
  world: World,
  ids: readonly string[],
  provider: string | null | undefined,
): Generator<void, string[]> {
  const found: string[] = []
  for (const id of ids) {
    const own = world.db.has(users, id) ? world.db.by(connections, 'user', id) : []
    if (own.some((known) => !provider || known.provider === provider)) found.push(id)
    yield
  }
  return found
}

const findSent = (world: World, { user_id, provider }: Connection, resource: string) =>
  world.db.find(sent, sentId(user_id, provider, resource))

function* resourcesOf(world: World, connection: Connection): Generator<void, Record<string, Statistics>> {
  const descriptions: Record<string, Statistics> = {}
  for (const resource of getProvider(connection.provider).resources) {
    descriptions[resource] = statisticsOf(connection, findSent(world, connection, resource))
    yield
  }
  return descriptions
}

function statisticsOf(connection: Connection, row: SentRow | undefined): Statistics {
  const error = connection.error
  const triedAt = Math.max(connection.synced_until ?? 0, row?.last_at ?? 0)
  const success = triedAt > 0 ? { timestamp: toWire(triedAt), status: 'success' as const } : null
  return {
    last_attempt: error ? { timestamp: error.errored_at, status: 'failure' } : success,
    oldest_data: row?.oldest_data ?? null,
    newest_data: row?.newest_data ?? null,
    sent_count: row?.sent_count ?? 0,
  }
}

function* pullsOf(world: World, connection: Connection): Generator<void, Pulls> {
  const pulled: Pulls['pulled'] = {}
  const not_pulled: string[] = []
  for (const resource of getProvider(connection.provider).resources) {
    const from = canBePulled(resource) ? historyStart(connection, resource) : null
    if (from === null) not_pulled.push(resource)
    else pulled[resource] = yield* pullOf(world, connection, resource, from)
  }
  return { pulled, not_pulled }
}

/** Whether a resource has a history of its own; devices and workout streams arrive with other data. */
const canBePulled = (resource: string) => collectedResources.includes(resource)

function* pullOf(
  world: World,
  connection: Connection,
  resource: string,
  from: number,
): Generator<void, Pull> {
  const { backfill, error } = connection
  const { scheduled_at, ended_at } = backfill
  const isBroken = ended_at === null && error !== null
  return {
    status: ended_at !== null ? 'success' : isBroken ? 'failure' : 'in_progress',
    range_start: toWire(from),
    range_end: toWire(ended_at ?? scheduled_at),
    timeline: {
      scheduled_at: toWire(scheduled_at),
      started_at: toWire(scheduled_at),
      ended_at: ended_at === null ? null : toWire(ended_at),
    },
    days_with_data:
      ended_at === null ? 0 : yield* daysWithData(world, connection, resource, { from, until: scheduled_at }),
    release: 'petri',
    trace_id: null,
    error_details: isBroken ? 'non_retriable_error' : null,
  }
}
