import { DAY_MS } from '../../kernel/instant.ts'
import type { World } from '../../world/world.ts'
import { getProvider } from '../providers/service.ts'
import {
  beginningOf,
  type Connection,
  isDenied,
  type Period,
  type PullPreference,
  pullPreferences,
} from './table.ts'

/** Days of history if a provider publishes no number, and for demo connections. Source: contract/wearables.md §2.3. */
const DEFAULT_DAYS = 30

/** The maximum number of days of history. Source: contract/wearables.md §4.2. */
export const MAX_HISTORY_DAYS = 365

/** The period a connection collects data for: from the team's preferred days in the past onward. */
export function newPeriod(world: World, provider: string, demo: boolean): Period {
  const now = world.clock.now()
  const preference = world.db.find(pullPreferences, provider)
  const { days, days_by_resource = {} } = preference ?? (demo ? demoDays : usualDays(provider))
  const others = Object.entries(days_by_resource).map(([resource, other]) => [resource, now - other * DAY_MS])
  return {
    from: now - days * DAY_MS,
    ...(others.length > 0 && { from_by_resource: Object.fromEntries(others) }),
    until: null,
  }
}

const demoDays: Pick<PullPreference, 'days'> & Partial<PullPreference> = { days: DEFAULT_DAYS }

/** The days of history of a provider, for a team without preferences. */
function usualDays(provider: string): typeof demoDays {
  const { backfill_days, backfill_days_by_resource = {} } = getProvider(provider)
  return { days: backfill_days ?? DEFAULT_DAYS, days_by_resource: backfill_days_by_resource }
}

/** A period extended to the beginning of another one. */
export function widened(period: Period, { from, from_by_resource = {} }: Period): Period {
  const resources = new Set([...Object.keys(period.from_by_resource ?? {}), ...Object.keys(from_by_resource)])
  const other = { from, from_by_resource, until: null }
  const byResource = [...resources].map((resource) => [
    resource,
    Math.min(beginningOf(period, resource), beginningOf(other, resource)),
  ])
  return {
    ...period,
    from: Math.min(period.from, from),
    ...(byResource.length > 0 && { from_by_resource: Object.fromEntries(byResource) }),
  }
}

/** The beginning of a resource's history; null if none is pulled. */
export function historyStart(connection: Connection, resource: string): number | null {
  const { periods, backfill } = connection
  const period = periods.at(-1)
  const from = period && beginningOf(period, resource)
  return from === undefined || from >= backfill.scheduled_at || isDenied(connection, resource) ? null : from
}
