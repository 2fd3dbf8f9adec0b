/** The OAuth scopes of each provider, and the resources each allows. Source: docs/contract/management.md; the resources are inferred. */
export const scopeTable = {
  fitbit: {
    heartrate: 'heartrate hrv heart_rate_alert',
    oxygen_saturation: 'blood_oxygen',
    cardio_fitness: 'vo2_max',
    respiratory_rate: 'respiratory_rate',
    activity: 'activity workouts steps distance calories_active',
    location: 'workout_stream',
    nutrition: 'meal water',
    profile: 'profile',
    settings: 'device',
    sleep: 'sleep sleep_cycle',
    social: '',
    weight: 'body weight fat',
    temperature: 'body_temperature',
  },
  google_fit: {
    openid: '',
    email: '',
    'https://www.googleapis.com/auth/fitness.activity.read': 'activity workouts',
    'https://www.googleapis.com/auth/fitness.body.read': 'body',
    'https://www.googleapis.com/auth/fitness.sleep.read': 'sleep',
    'https://www.googleapis.com/auth/fitness.blood_glucose.read': '',
    'https://www.googleapis.com/auth/fitness.blood_pressure.read': '',
    'https://www.googleapis.com/auth/fitness.heart_rate.read': '',
    'https://www.googleapis.com/auth/fitness.nutrition.read': '',
    'https://www.googleapis.com/auth/fitness.location.read': '',
  },
  google_health: {
    openid: '',
    email: '',
    'https://www.googleapis.com/auth/googlehealth.activity_and_fitness.readonly':
      'activity workouts steps distance calories_active floors_climbed vo2_max',
    'https://www.googleapis.com/auth/googlehealth.sleep.readonly': 'sleep sleep_cycle',
    'https://www.googleapis.com/auth/googlehealth.health_metrics_and_measurements.readonly':
      'body weight fat heartrate hrv respiratory_rate blood_oxygen body_temperature glucose',
    'https://www.googleapis.com/auth/googlehealth.nutrition.readonly': 'meal water caffeine carbohydrates',
    'https://www.googleapis.com/auth/googlehealth.ecg.readonly':
      'electrocardiogram electrocardiogram_voltage',
    'https://www.googleapis.com/auth/googlehealth.irn.readonly': 'heart_rate_alert',
    'https://www.googleapis.com/auth/googlehealth.location.readonly': 'workout_stream',
    'https://www.googleapis.com/auth/googlehealth.profile.readonly': 'profile',
    'https://www.googleapis.com/auth/googlehealth.settings.readonly': 'device',
  },
  oura: {
    email: '',
    personal: 'profile body',
    daily: 'activity sleep sleep_cycle hrv respiratory_rate blood_oxygen body_temperature_delta',
    heartrate: 'heartrate',
    workout: 'workouts',
    tag: '',
    session: '',
  },
  strava: {
    'activity:read_all': 'workouts workout_stream',
    'activity:write': '',
    'profile:write': '',
    'profile:read_all': '',
  },
  withings: {
    'user.activity': 'activity',
    'user.metrics': 'body weight fat heartrate blood_pressure body_temperature',
    'user.sleepevents': 'sleep',
  },
  wahoo: { email: '', user_read: '', workouts_read: 'workouts', offline_data: '' },
  whoop_v2: {
    'read:recovery': '',
    'read:cycles': '',
    'read:workout': 'workouts',
    'read:sleep': 'sleep',
    'read:profile': 'profile',
    'read:body_measurement': 'body',
    offline: '',
  },
  my_fitness_pal_v2: { diary: 'meal', measurements: '', 'private-exercises': '', subscriptions: '' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

export type ScopedProvider = keyof typeof scopeTable

const rowsOf = (provider: string): Readonly<Record<string, string>> =>
  Object.hasOwn(scopeTable, provider) ? scopeTable[provider as ScopedProvider] : {}

/** All permissions a provider requests by default; none if not published. */
export const scopesOf = (provider: string): string[] => Object.keys(rowsOf(provider))

/** The permission a resource needs at a provider; a made-up name if not published. */
export const scopeFor = (provider: string, resource: string): string =>
  Object.entries(rowsOf(provider)).find(([, opens]) => opens.split(' ').includes(resource))?.[0] ??
  `read:${resource}`
