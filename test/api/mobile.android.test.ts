import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { advance, createUser } from '../support/orders.ts'
import { forEachTest, KEY, startTestPetri } from '../support/petri.ts'
import { toldOf } from '../support/wearables.ts'

// The traffic of the Android SDK 5.0.2. Source: docs/contract/phones.md.

const VERSION = { 'x-vital-android-sdk-version': '5.0.2' }
const JSON_TYPE = { 'content-type': 'application/json' }

/** The upload of `sport` that the SDK reads; it fails without these fields. */
const Workouts = z.object({
  workouts: z.array(
    z.object({
      user_key: z.string(),
      provider_id: z.string(),
      map: z.object({ id: z.string() }).nullable(),
    }),
  ),
})

const petri = forEachTest(startTestPetri)
let userId: string
let token: string
beforeEach(async () => {
  userId = await createUser(petri)
  const { body } = await petri.post(`/v2/user/${userId}/sign_in_token`)
  const { user_token } = JSON.parse(Buffer.from(body.sign_in_token, 'base64').toString())
  const form = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token_type: 'urn:junction:sign-in-token',
    subject_token: user_token,
  })
  token = (await send('/v1/token', form.toString(), { 'content-type': 'application/x-www-form-urlencoded' }))
    .access_token
})

/** Sends a request of the SDK, which succeeds. */
async function send(
  path: string,
  body?: string | Buffer,
  headers: Record<string, string> = {},
  // biome-ignore lint/suspicious/noExplicitAny: replies of every shape.
): Promise<any> {
  const response = await petri.petri.app.request(path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...VERSION, ...(token && { authorization: `Bearer ${token}` }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
  })
  const text = await response.text()
  expect(response.status, `${path}: ${text}`).toBe(200)
  return JSON.parse(text)
}
const post = (path: string, body: object) => send(path, JSON.stringify(body), JSON_TYPE)

type Stage = 'daily' | 'historical'
const RANGE = { start_date: '2025-12-06T09:00:00.123Z', end_date: '2026-01-05T09:00:00.456Z' }

/** An upload; the SDK sends all chunks at once and never says which is the last. */
function upload(path: string, data: unknown, stage: Stage, provider = 'health_connect') {
  const range = stage === 'historical' ? RANGE : {}
  const body = { stage, ...range, time_zone: 'America/New_York', provider, data }
  return send(path, gzipSync(JSON.stringify(body)), { ...JSON_TYPE, 'content-encoding': 'gzip' })
}
const sendSeries = (name: string, data: unknown, stage: Stage, provider?: string) =>
  upload(`/v2/timeseries/${userId}/${name}`, data, stage, provider)

const sample = (value: number, unit: string, at = '2026-01-05T07:00:00.250Z') => ({
  id: 'b7c9f0a2-record',
  value,
  unit,
  start_date: at,
  end_date: at,
  source_bundle: 'com.google.android.apps.fitness',
  type: 'watch',
  metadata: {},
})
const night = (start: string, end: string) => ({
  id: '',
  start_date: start,
  end_date: end,
  source_bundle: 'com.sec.android.app.shealth',
  source_type: 'watch',
  heart_rate_mean: 52,
  score: 80,
  sleep_stages: {
    awakeSleepSamples: [sample(4, '', start)],
    deepSleepSamples: [{ ...sample(1, '', start), end_date: end }],
    lightSleepSamples: [],
    remSleepSamples: [],
    outOfBedSleepSamples: [],
    unknownSleepSamples: [],
  },
})
const workout = (index: number) => ({
  id: `c2f1a9e0:${index}:running`,
  start_date: `2026-01-0${index + 1}T06:00:00Z`,
  end_date: `2026-01-0${index + 1}T06:30:00Z`,
  source_bundle: 'com.sec.android.app.shealth',
  sport: 'running',
  calories: 240,
  distance: 5000,
  heart_rate_zone_1: 600,
})

const summaries: Readonly<Record<string, unknown>> = {
  activity: [{ day_summary: { calendar_date: '2026-01-05', steps_sum: 800, exercise_time: 20 } }],
  body: { body_mass: [sample(70.5, 'kg')], body_fat_percentage: [] },
  menstrual_cycle: [
    {
      source_bundle: 'app',
      cycle: {
        period_start: '2025-12-20',
        period_end: null,
        source: { provider: 'health_connect', type: 'app', app_id: 'app' },
      },
    },
  ],
  profile: { biological_sex: 'not_set', height: 0 },
  sleep: [
    night('2026-01-03T23:00:00Z', '2026-01-04T06:00:00Z'),
    night('2026-01-04T23:00:00.5Z', '2026-01-05T06:00:00.5Z'),
  ],
  meal: [
    {
      health_connect: {
        source_bundle: 'app',
        nutrition_records: [
          {
            start_time: '2026-01-05T07:00:00Z',
            start_zone_offset: '-05:00',
            end_time: '2026-01-05T07:10:00Z',
            end_zone_offset: '-05:00',
            nutrients: { energy_total: 300 },
            name: null,
            meal_type: 1,
            metadata: { dataOrigin: { packageName: 'app' } },
          },
        ],
      },
    },
  ],
  workouts: [workout(0), workout(1)],
}
const units: Readonly<Record<string, string>> = {
  glucose: 'mg/dL',
  water: 'ml',
  steps: '',
  floors_climbed: '',
  calories_active: 'kJ',
  calories_basal: 'kJ',
  distance: 'm',
  temperature: '°C',
}
const uploaded = [
  'glucose',
  'heartrate_variability',
  'vo2_max',
  'water',
  'respiratory_rate',
  'temperature',
  'blood_oxygen',
  'steps',
  'distance',
  'floors_climbed',
  'heartrate',
  'calories_active',
  'calories_basal',
]
const dataOf = (name: string) => [sample(5, units[name] ?? 'bpm')]

describe('a session of the Android SDK', () => {
  it.each(['health_connect', 'samsung_health'])(
    'has no call refused: %s',
    { tags: 'slow' },
    async (provider) => {
      for (let time = 0; time < 2; time++)
        await post(`/v2/link/provider/manual/${provider}`, {
          user_id: userId,
          granted_permissions: ['android.permission.health.READ_STEPS'],
        })
      const state = await post(`/v2/user/${userId}/sdk_sync_state/${provider}`, {
        tzinfo: 'America/New_York',
        request_start_date: RANGE.start_date,
        request_end_date: RANGE.end_date,
      })
      expect(state).toMatchObject({ status: 'active', request_start_date: null })
      for (const stage of ['historical', 'daily', 'daily'] as const) {
        for (const [name, data] of Object.entries(summaries)) {
          const empty = Array.isArray(data) ? [] : data
          await upload(
            `/v2/summary/${name}/${userId}`,
            stage === 'historical' ? empty : data,
            stage,
            provider,
          )
        }
        for (const name of uploaded) await sendSeries(name, dataOf(name), stage, provider)
        const pressure = { systolic: sample(120, 'mmHg'), diastolic: sample(80, 'mmHg') }
        await sendSeries('blood_pressure', [pressure], stage, provider)
      }
      await post(`/v2/user/${userId}/sdk_sync_progress/${provider}`, {
        sync_progress: { backfill_types: { steps: { syncs: [], system_events: [], data_count: 1 } } },
        device_info: {
          os_version: '15',
          model: 'Pixel',
          app_bundle: 'app',
          app_version: '1',
          app_build: '1',
        },
      })
      const { workouts } = Workouts.parse(await send(`/v2/summary/workouts/${userId}?start_date=2026-01-01`))
      expect(workouts.map(({ provider_id }) => provider_id).sort()).toEqual(
        [workout(0), workout(1)].map(({ id }) => id),
      )
      const { sleep } = await send(`/v2/summary/sleep/${userId}?start_date=2026-01-01`)
      expect(sleep).toHaveLength(2)
      expect(toldOf(petri, 'daily.data.workouts.created')).toHaveLength(2)
      expect(toldOf(petri, 'daily.data.sleep.created')).toHaveLength(2)
      expect(toldOf(petri, 'daily.data.sleep.updated')).toEqual([])
    },
  )

  it('takes the measurements of a device over Bluetooth', async () => {
    await post('/v2/link/provider/manual/accuchek_ble', { user_id: userId })
    await sendSeries('glucose', [sample(99, 'mg/dL')], 'daily', 'accuchek_ble')
    expect(toldOf(petri, 'daily.data.glucose.created')).toHaveLength(1)
  })

  it('reads the map of a generated workout by its id', { tags: 'slow' }, async () => {
    const demo = { 'x-vital-api-key': KEY, ...JSON_TYPE }
    await send('/v2/link/connect/demo', JSON.stringify({ user_id: userId, provider: 'fitbit' }), demo)
    await advance(petri, '1d')
    const { workouts } = Workouts.parse(await send(`/v2/summary/workouts/${userId}?start_date=2025-12-01`))
    expect(workouts.some(({ map }) => map !== null)).toBe(true)
  })
})
