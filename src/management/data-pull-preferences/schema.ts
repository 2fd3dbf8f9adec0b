import * as z from 'zod'
import { integer, mapOf, maybe, oneOf, text, uuid } from '../../api/fields.ts'
import { schema, unnamed } from '../../api/schema.ts'
import { MAX_HISTORY_DAYS } from '../../resources/connections/service.ts'
import { resourceSlugs } from '../../resources/providers/schema.ts'

/** Providers whose number of days of history can be set. Source: contract/management.json. */
export const pulledSlugs = [
  ...(['oura', 'fitbit', 'garmin', 'strava', 'withings', 'peloton', 'wahoo', 'zwift'] as const),
  ...(['freestyle_libre', 'abbott_libreview', 'eight_sleep', 'renpho', 'omron', 'dexcom_v3'] as const),
  ...(['hammerhead', 'polar', 'cronometer', 'kardia', 'whoop_v2', 'my_fitness_pal_v2'] as const),
  ...(['map_my_fitness', 'runkeeper', 'apple_health_kit', 'google_fit', 'beurer_api'] as const),
  ...(['ultrahuman', 'google_health'] as const),
] as const

const Days = schema('HistoricalDays', () =>
  z.object({ historical_days_to_pull: integer({ ge: 0, le: MAX_HISTORY_DAYS }) }),
)

const LimitedDays = schema('HistoricalDaysWithLimit', () =>
  z.object({ historical_days_to_pull: z.int(), historical_days_to_pull_limit: z.int() }),
)

const ProviderInput = schema('ProviderPullPreferenceInput', () =>
  z.object({ default: Days(), resource_overrides: maybe(mapOf(resourceSlugs, Days())) }),
)

const ProviderPreference = schema('ProviderPullPreference', () =>
  z.object({
    default: LimitedDays(),
    resource_overrides: z.record(z.string(), LimitedDays()).nullable(),
  }),
)

export const PreferencesInput = schema('DataPullPreferencesInput', () =>
  z.object({ team_ids: z.array(uuid()), providers: mapOf(pulledSlugs, ProviderInput()) }),
)

export const PreferencesPage = schema('DataPullPreferencesPage', () =>
  z.object({
    data_pull_preferences: z.array(
      z.object({ team_id: z.uuid(), providers: z.record(z.string(), ProviderPreference()) }),
    ),
    next_cursor: z.string().nullable(),
  }),
)

const choice = () => ({
  provider: z.array(oneOf(pulledSlugs)).default([]),
  team_id: z.array(uuid()).default([]),
})

/** Selects preferences; all by default. */
export const PreferencesFilter = unnamed(() => z.object(choice()))

export const PreferencesQuery = unnamed(() =>
  z.object({ ...choice(), limit: integer({ ge: 1, le: 250 }).default(5), next_cursor: maybe(text()) }),
)
