import { pageAfter } from '../../api/pagination.ts'
import type { Parsed } from '../../api/schema.ts'
import { MAX_HISTORY_DAYS } from '../../resources/connections/service.ts'
import { type PullPreference, pullPreferences } from '../../resources/connections/table.ts'
import type { World } from '../../world/world.ts'
import { filterTeams, getTeams, stored } from '../parts.ts'
import type { PreferencesFilter, PreferencesInput, PreferencesPage, PreferencesQuery } from './schema.ts'

type Filter = Parsed<typeof PreferencesFilter>

/** The teams' settings, paginated by team; teams without settings are left out. */
export function listPreferences(
  managed: readonly World[],
  { limit, next_cursor, ...filter }: Parsed<typeof PreferencesQuery>,
): Parsed<typeof PreferencesPage> {
  const teams = filterTeams(managed, filter.team_id)
  const all = teams.filter((team) => preferencesOf(team, filter).length > 0)
  const { items, nextCursor } = pageAfter(all, ({ identity }) => identity.teamId, next_cursor, limit)
  return {
    data_pull_preferences: items.map((team) => present(team, preferencesOf(team, filter))),
    next_cursor: nextCursor,
  }
}

/** Sets the preferences of the given providers for the given teams. They apply to new connections. */
export async function setPreferences(
  managed: readonly World[],
  { team_ids, providers }: Parsed<typeof PreferencesInput>,
): Promise<Parsed<typeof PreferencesPage>> {
  const teams = getTeams(managed, team_ids)
  const rows = Object.entries(providers).map(([provider, { default: usual, resource_overrides }]) => ({
    provider,
    days: usual.historical_days_to_pull,
    days_by_resource: Object.fromEntries(
      Object.entries(resource_overrides ?? {}).map(([resource, { historical_days_to_pull }]) => [
        resource,
        historical_days_to_pull,
      ]),
    ),
  }))
  for (const { db } of teams) for (const row of rows) db.put(pullPreferences, row)
  await stored(teams)
  return {
    data_pull_preferences: teams.map((team) => present(team, [...team.db.all(pullPreferences)])),
    next_cursor: null,
  }
}

/** Restores the defaults. */
export async function clearPreferences(managed: readonly World[], filter: Filter): Promise<null> {
  const teams = filterTeams(managed, filter.team_id)
  for (const team of teams) {
    for (const { provider } of preferencesOf(team, filter)) team.db.delete(pullPreferences, provider)
  }
  await stored(teams)
  return null
}

const preferencesOf = ({ db }: World, { provider }: Pick<Filter, 'provider'>): PullPreference[] =>
  [...db.all(pullPreferences)].filter(
    (row) => provider.length === 0 || provider.some((one) => one === row.provider),
  )

const present = ({ identity }: World, rows: readonly PullPreference[]) => ({
  team_id: identity.teamId,
  providers: Object.fromEntries(
    rows.map(({ provider, days, days_by_resource }) => {
      const overrides = Object.entries(days_by_resource).map(([resource, other]) => [
        resource,
        limited(other),
      ])
      return [
        provider,
        {
          default: limited(days),
          resource_overrides: overrides.length > 0 ? Object.fromEntries(overrides) : null,
        },
      ]
    }),
  ),
})

const limited = (days: number) => ({
  historical_days_to_pull: days,
  historical_days_to_pull_limit: MAX_HISTORY_DAYS,
})
