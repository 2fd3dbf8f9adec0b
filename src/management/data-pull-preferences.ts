import * as z from 'zod'
import { integer, mapOf, maybe, oneOf, text, uuid } from '../api/fields.ts'
import { pageAfter, pageOf } from '../api/pagination.ts'
import { type Parsed, schema, unnamed } from '../api/schema.ts'
import { MAX_HISTORY_DAYS } from '../resources/connecting/service.ts'
import { type PullPreference, pullPreferences } from '../resources/connections/table.ts'
import { resourceSlugs } from '../resources/providers/schema.ts'
import type { World } from '../world/world.ts'
import { Nothing } from './fields.ts'
import { managed } from './operation.ts'
import { filterTeams, getTeams, stored } from './teams-of-key.ts'

/** Providers whose number of days of history can be set. Source: docs/contract/management.md. */
// biome-ignore format: a table
const pulledSlugs = [
  'oura', 'fitbit', 'garmin', 'strava', 'withings', 'peloton', 'wahoo', 'zwift', 'freestyle_libre',
  'abbott_libreview', 'eight_sleep', 'renpho', 'omron', 'dexcom_v3', 'hammerhead', 'polar', 'cronometer',
  'kardia', 'whoop_v2', 'my_fitness_pal_v2', 'map_my_fitness', 'runkeeper', 'apple_health_kit', 'google_fit',
  'beurer_api', 'ultrahuman', 'google_health',
] as const

const Days = schema('HistoricalDays', () => ({
  historical_days_to_pull: integer({ ge: 0, le: MAX_HISTORY_DAYS }),
}))

const LimitedDays = schema('HistoricalDaysWithLimit', () => ({
  historical_days_to_pull: z.int(),
  historical_days_to_pull_limit: z.int(),
}))

const ProviderInput = schema('ProviderPullPreferenceInput', () => ({
  default: Days(),
  resource_overrides: maybe(mapOf(resourceSlugs, Days())),
}))

const ProviderPreference = schema('ProviderPullPreference', () => ({
  default: LimitedDays(),
  resource_overrides: z.record(z.string(), LimitedDays()).nullable(),
}))

const PreferencesInput = schema('DataPullPreferencesInput', () => ({
  team_ids: z.array(uuid()),
  providers: mapOf(pulledSlugs, ProviderInput()),
}))

const PreferencesPage = schema('DataPullPreferencesPage', () =>
  pageOf(
    z.object({ team_id: z.uuid(), providers: z.record(z.string(), ProviderPreference()) }),
    'data_pull_preferences',
  ),
)

/** Selects preferences; all by default. */
const PreferencesFilter = unnamed(() => ({
  provider: z.array(oneOf(pulledSlugs)).default([]),
  team_id: z.array(uuid()).default([]),
}))

const PreferencesQuery = unnamed(() =>
  PreferencesFilter().extend({
    limit: integer({ ge: 1, le: 250 }).default(5),
    next_cursor: maybe(text()),
  }),
)

export const dataPullPreferenceOperations = [
  managed({
    id: 'get_team_data_pull_preferences',
    route: 'GET /v1/org/{org_id}/team_data_pull_preferences/{env}/{region}',
    summary: 'List the days of history that teams pull from each provider',
    query: PreferencesQuery,
    returns: PreferencesPage,
    /** Paginated by team; teams without settings are left out. */
    async run(_, { params, query: { limit, next_cursor, ...filter } }, { worlds, teams }) {
      const holders = filterTeams(teams(), filter.team_id).filter((team) => team.count(pullPreferences) > 0)
      const all = await worlds.each(holders, (team) => present(team, preferencesOf(team, filter.provider)))
      const { items, nextCursor } = pageAfter(
        {
          of: ['data_pull_preferences', params, filter],
          rows: all.filter(({ providers }) => Object.keys(providers).length > 0),
          idOf: ({ team_id }) => team_id,
        },
        next_cursor,
        limit,
      )
      return { data_pull_preferences: items, next_cursor: nextCursor }
    },
  }),
  managed({
    id: 'upsert_team_data_pull_preferences',
    route: 'POST /v1/org/{org_id}/team_data_pull_preferences/{env}/{region}',
    summary: 'Set the days of history that teams pull from providers, and of single resources',
    body: PreferencesInput,
    returns: PreferencesPage,
    /** The preferences apply to new connections. */
    async run(_, { body: { team_ids, providers } }, { worlds, teams }) {
      const rows = Object.entries(providers).map(toRow)
      return worlds.useAll(getTeams(teams(), team_ids), async (chosen) => {
        for (const { db } of chosen) for (const row of rows) db.put(pullPreferences, row)
        await stored(chosen)
        return {
          data_pull_preferences: chosen.map((team) => present(team, preferencesOf(team, []))),
          next_cursor: null,
        }
      })
    },
  }),
  managed({
    id: 'delete_team_data_pull_preferences',
    route: 'DELETE /v1/org/{org_id}/team_data_pull_preferences/{env}/{region}',
    summary: "Delete the teams' settings; the default number of days applies again",
    query: PreferencesFilter,
    returns: Nothing,
    async run(_, { query: { team_id, provider } }, { worlds, teams }) {
      await worlds.useAll(filterTeams(teams(), team_id), (chosen) => {
        for (const team of chosen) {
          for (const row of preferencesOf(team, provider)) team.db.delete(pullPreferences, row.provider)
        }
        return stored(chosen)
      })
      return null
    },
  }),
]

const toRow = ([provider, wanted]: [string, Parsed<typeof ProviderInput>]): PullPreference => ({
  provider,
  days: wanted.default.historical_days_to_pull,
  days_by_resource: mapValues(wanted.resource_overrides ?? {}, ({ historical_days_to_pull: days }) => days),
})

const mapValues = <Value, Result>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Record<string, Result> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))

/** The preferences of a team for these providers; all if none are given. */
const preferencesOf = ({ db }: World, providers: readonly string[]): PullPreference[] =>
  [...db.all(pullPreferences)].filter((row) => providers.length === 0 || providers.includes(row.provider))

const present = ({ identity }: World, rows: readonly PullPreference[]) => ({
  team_id: identity.teamId,
  providers: Object.fromEntries(
    rows.map(({ provider, days, days_by_resource }) => {
      const overrides = mapValues(days_by_resource, limited)
      const resource_overrides = Object.keys(overrides).length > 0 ? overrides : null
      return [provider, { default: limited(days), resource_overrides }]
    }),
  ),
})

const limited = (days: number) => ({
  historical_days_to_pull: days,
  historical_days_to_pull_limit: MAX_HISTORY_DAYS,
})
