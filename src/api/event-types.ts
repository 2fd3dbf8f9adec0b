import { once } from '../kernel/once.ts'

/** What data are collected of, by the names events use. Source: contract/webhooks.md §2. */
export const collected: readonly string[] = [
  // Summaries
  ...'activity body electrocardiogram meal menstrual_cycle profile sleep sleep_cycle workouts workout_stream'.split(
    ' ',
  ),
  // Timeseries
  ...(
    'afib_burden basal_body_temperature blood_oxygen blood_pressure body_mass_index body_temperature ' +
    'body_temperature_delta caffeine calories_active calories_basal carbohydrates cholesterol daylight_exposure ' +
    'distance electrocardiogram_voltage fall fat floors_climbed forced_expiratory_volume_1 forced_vital_capacity ' +
    'glucose handwashing heart_rate_alert heart_rate_recovery_one_minute heartrate hrv ige igg inhaler_usage ' +
    'insulin_injection lean_body_mass mindfulness_minutes note peak_expiratory_flow_rate respiratory_rate ' +
    'sleep_apnea_alert sleep_breathing_disturbance stand_duration stand_hour steps stress_level uv_exposure ' +
    'vo2_max waist_circumference water weight wheelchair_push workout_distance workout_duration ' +
    'workout_swimming_stroke'
  ).split(' '),
]

/** Every event type a customer can choose: 194. Source: contract/webhooks.md §2. */
export const eventTypeNames: readonly string[] = [
  ...collected.flatMap((resource) => [
    `daily.data.${resource}.created`,
    `daily.data.${resource}.updated`,
    `historical.data.${resource}.created`,
  ]),
  'provider.connection.created',
  'provider.connection.error',
  'provider.device.created',
  'provider.device.updated',
  'labtest.order.created',
  'labtest.order.updated',
  'labtest.appointment.created',
  'labtest.appointment.updated',
  'labtest.result.critical',
  'labtest.match_review.created',
  'labtest.match_review.updated',
  'lab_report.parsing_job.created',
  'lab_report.parsing_job.updated',
  'continuous_query.result_table.changed',
]

/** The same, to be looked up. */
export const knownEventTypes = once((): ReadonlySet<string> => new Set(eventTypeNames))
