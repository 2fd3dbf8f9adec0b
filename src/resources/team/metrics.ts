import type { Parsed } from '../../api/schema.ts'
import { DAY_MS, toWire } from '../../kernel/instant.ts'
import { filterInSlices } from '../../kernel/slices.ts'
import type { World } from '../../world/world.ts'
import { connections, isConnected } from '../connections/table.ts'
import { orders } from '../orders/table.ts'
import { users } from '../users/table.ts'
import type { Metrics } from './schema.ts'

const WEEK_MS = 7 * DAY_MS
/** The first Monday of 1970. */
const FIRST_MONDAY_MS = 4 * DAY_MS
/** The maximum number of weeks in an answer. */
const MAX_WEEKS = 52

/** Usage figures of a team. Source: docs/contract/users.md. */
export async function measure(world: World): Promise<Parsed<typeof Metrics>> {
  const connected = await filterInSlices(world.db.all(connections), (connection) =>
    isConnected(world, connection),
  )
  return {
    team_id: world.identity.teamId,
    number_of_connected_sources: connected.length,
    number_of_users: world.db.count(users),
    number_of_errored_connected_sources: connected.filter(({ error }) => error).length,
    number_of_connected_sources_by_week: byWeek(
      connected.map(({ created_on }) => Date.parse(created_on)),
      world.clock.now(),
    ),
    number_of_ordered_tests: world.db.count(orders),
  }
}

/** New and total connections for each week since the first connection. */
function byWeek(
  instants: readonly number[],
  now: number,
): Parsed<typeof Metrics>['number_of_connected_sources_by_week'] {
  const weeks = []
  const first = mondayOf(instants.reduce((earliest, instant) => Math.min(earliest, instant), now))
  for (let monday = mondayOf(now); instants.length > 0 && monday >= first; monday -= WEEK_MS) {
    if (weeks.length === MAX_WEEKS) break
    const before = instants.filter((instant) => instant < monday).length
    const all = instants.filter((instant) => instant < monday + WEEK_MS).length
    weeks.unshift({ date: toWire(monday), value: all - before, all })
  }
  return weeks
}

const mondayOf = (instant: number) =>
  Math.floor((instant - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS
