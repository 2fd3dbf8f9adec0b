/** Providers by sign-in method, with their regions. Source: contract/wearables.md §3.3, §4.3. */

export const oauthSlugs = [
  ...(['oura', 'fitbit', 'garmin', 'strava', 'wahoo', 'ihealth', 'withings', 'google_fit'] as const),
  ...(['dexcom_v3', 'polar', 'cronometer', 'omron', 'whoop_v2', 'my_fitness_pal_v2'] as const),
  ...(['ultrahuman', 'runkeeper', 'google_health'] as const),
] as const

export const passwordSlugs = [
  ...(['whoop', 'renpho', 'peloton', 'zwift', 'eight_sleep', 'beurer_api', 'dexcom'] as const),
  ...(['hammerhead', 'my_fitness_pal', 'kardia', 'abbott_libreview', 'tandem_source'] as const),
] as const

export const emailSlugs = ['freestyle_libre'] as const

/** Providers that are connected by the customer's own app, without a sign-in. */
export const manualSlugs = [
  ...(['beurer_ble', 'omron_ble', 'accuchek_ble', 'contour_ble', 'freestyle_libre_ble'] as const),
  ...(['onetouch_ble', 'apple_health_kit', 'manual', 'health_connect'] as const),
] as const

export const regions = [
  ...(['us', 'eu', 'de', 'fr', 'ca', 'br', 'ar', 'cl', 'co', 'mx', 'gb', 'ie', 'au', 'nz', 'nl'] as const),
  ...(['at', 'be', 'bh', 'ch', 'cz', 'dk', 'eg', 'es', 'fi', 'gr', 'hr', 'il', 'it', 'jo', 'kw'] as const),
  ...(['lb', 'lu', 'no', 'om', 'pl', 'pt', 'qa', 'sa', 'se', 'si', 'sk', 'tr', 'za', 'in', 'sg'] as const),
  ...(['hk', 'kr', 'ph', 'tw'] as const),
] as const

export type OAuthSlug = (typeof oauthSlugs)[number]
export type PasswordSlug = (typeof passwordSlugs)[number]
export type EmailSlug = (typeof emailSlugs)[number]

export const isOAuthSlug = (slug: string): slug is OAuthSlug => oauthSlugs.some((known) => known === slug)
export const isPasswordSlug = (slug: string): slug is PasswordSlug =>
  passwordSlugs.some((known) => known === slug)
export const isEmailSlug = (slug: string): slug is EmailSlug => emailSlugs.some((known) => known === slug)
