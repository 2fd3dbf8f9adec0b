import * as z from 'zod'
import { maybe, text } from '../../api/fields.ts'
import { nullableText, schema, unnamed } from '../../api/schema.ts'
import { authTypes, sendingLabs } from '../catalogue/schema.ts'

/** Every provider. Source of the lists: docs/contract/connections.md#connections. */
// biome-ignore format: a list that is read by lines.
export const providerSlugs = [
  'oura', 'fitbit', 'garmin', 'whoop', 'strava', 'renpho', 'peloton', 'wahoo', 'zwift', 'freestyle_libre',
  'abbott_libreview', 'tandem_source', 'freestyle_libre_ble', 'eight_sleep', 'withings', 'apple_health_kit',
  'manual', 'ihealth', 'google_fit', 'beurer_api', 'beurer_ble', 'omron', 'omron_ble', 'onetouch_ble',
  'accuchek_ble', 'contour_ble', 'dexcom', 'dexcom_v3', 'hammerhead', 'my_fitness_pal', 'health_connect',
  'samsung_health', 'polar', 'cronometer', 'kardia', 'whoop_v2', 'ultrahuman', 'my_fitness_pal_v2',
  'map_my_fitness', 'runkeeper', 'google_health',
] as const

/** Providers that demo users can be connected to. */
export const demoSlugs = ['apple_health_kit', 'fitbit', 'freestyle_libre', 'oura'] as const

/** Everything that can send data: providers and laboratories. */
export const sourceSlugs = [...new Set([...providerSlugs, ...sendingLabs])]

const resourceNames =
  'profile activity sleep body workouts workout_stream connection order result match_review appointment result_table ' +
  'glucose heartrate hrv ige igg blood_oxygen blood_pressure cholesterol device device_legacy weight fat ' +
  'body_temperature body_temperature_delta meal water caffeine mindfulness_minutes steps calories_active distance ' +
  'floors_climbed respiratory_rate vo2_max calories_basal stress_level menstrual_cycle sleep_cycle electrocardiogram ' +
  'electrocardiogram_voltage afib_burden heart_rate_alert stand_hour stand_duration sleep_apnea_alert ' +
  'sleep_breathing_disturbance wheelchair_push forced_expiratory_volume_1 forced_vital_capacity ' +
  'peak_expiratory_flow_rate inhaler_usage fall uv_exposure daylight_exposure handwashing basal_body_temperature ' +
  'heart_rate_recovery_one_minute body_mass_index lean_body_mass waist_circumference workout_distance ' +
  'workout_swimming_stroke workout_duration insulin_injection carbohydrates note sleep_stream hypnogram'

/** All resources with data. */
export const resourceSlugs = resourceNames.split(' ')

/** The source of health data. Source: docs/contract/health-data.md#summaries. */
export const Source = schema('Source', () => ({
  provider: z.string(),
  type: z.string(),
  app_id: nullableText(),
  device_id: z.uuid().nullable(),
  sport: nullableText(),
  workout_id: z.uuid().nullable(),
  name: z.string().optional().meta({ deprecated: true }),
  slug: z.string().optional().meta({ deprecated: true }),
  logo: z.string().optional().meta({ deprecated: true }),
}))

export const ProviderDetailed = schema('ProviderDetailed', () => ({
  name: z.string(),
  slug: z.string(),
  description: z.string(),
  logo: nullableText(),
  auth_type: z.enum(authTypes).nullable(),
  supported_resources: z.array(z.enum(resourceSlugs)),
}))

export const ProviderList = unnamed(() => z.array(ProviderDetailed()))
export const ProviderQuery = unnamed(() => ({ source_type: maybe(text()) }))
