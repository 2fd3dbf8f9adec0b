import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createUser } from '../support/orders.ts'
import { forEachTest, startTestPetri } from '../support/petri.ts'
import { told } from '../support/wearables.ts'

/** The first session of the iOS SDK, call by call; what its parser requires is a schema here. */
const wholeSeconds = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/)
const source = z.object({ provider: z.string(), type: z.string() })
const parsers = {
  token: z.object({ access_token: z.string(), refresh_token: z.string(), expires_in: z.int() }),
  state: z.object({
    status: z.enum(['active', 'paused', 'error']),
    request_end_date: wholeSeconds.nullish(),
    ingestion_start: wholeSeconds.nullish(),
    per_device_activity_ts: z.boolean().nullish(),
    expires_in: z.int().nullish(),
    pull_preferences: z.object({ historical_days_to_pull: z.int() }).nullish(),
    reporting_interval: z.number().nullish(),
  }),
  connections: z.object({
    providers: z.array(
      z.object({
        name: z.string(),
        slug: z.string(),
        logo: z.string(),
        status: z.string(),
        created_on: wholeSeconds,
        resource_availability: z.record(
          z.string(),
          z.object({ status: z.enum(['available', 'unavailable']) }),
        ),
      }),
    ),
  }),
  sleep: z.object({
    sleep: z.array(
      z.object({
        id: z.uuid(),
        bedtime_start: wholeSeconds,
        bedtime_stop: wholeSeconds,
        duration: z.int(),
        total: z.int(),
        awake: z.int(),
        light: z.int(),
        rem: z.int(),
        deep: z.int(),
        score: z.int().nullish(),
        hr_lowest: z.int().nullish(),
        latency: z.int().nullish(),
        source,
      }),
    ),
  }),
  activity: z.object({
    activity: z.array(z.object({ steps: z.int().nullish(), floors_climbed: z.int().nullish(), source })),
  }),
  workouts: z.object({
    workouts: z.array(
      z
        .object({
          sport: z.object({ id: z.int(), name: z.string(), slug: z.string() }),
          provider_id: z.string(),
          average_hr: z.int().nullish(),
          moving_time: z.int().nullish(),
          hr_zones: z.array(z.int()).nullish(),
          total_elevation_gain: z.int().nullish(),
          map: z.unknown(),
        })
        .refine((workout) => 'map' in workout),
    ),
  }),
  grouped: z.object({
    groups: z.record(
      z.string(),
      z.array(z.object({ data: z.array(z.object({ timestamp: wholeSeconds, unit: z.string() })) })),
    ),
  }),
  link: z.object({ link_token: z.string() }),
  oauth: z.object({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    logo: z.string(),
    description: z.string(),
    auth_type: z.string(),
    oauth_url: z.string(),
  }),
} as const

const SDK = { 'x-vital-ios-sdk-version': '1.8.8', accept: 'application/json' }
const PROVIDER = 'apple_health_kit'
const RANGE = { start_date: '2025-10-07T09:00:00Z', end_date: '2026-01-05T09:00:00Z' }
const AT = '2026-01-05T07:00:00Z'
const sample = {
  value: 1,
  unit: 'count',
  start_date: AT,
  end_date: AT,
  source_bundle: 'com.apple.health.A',
  product_type: 'Watch6,1',
}

/** What the SDK uploads first, by priority. */
const summaries: Readonly<Record<string, unknown>> = {
  activity: [
    {
      day_summary: {
        calendar_date: '2026-01-05',
        active_energy_burned_sum: 10.5,
        basal_energy_burned_sum: 500,
        steps_sum: 800,
      },
    },
  ],
  body: { body_mass: [{ ...sample, value: 70 }] },
  profile: { biological_sex: 'female', height: 168 },
  sleep: [{ start_date: '2026-01-04T22:00:00Z', end_date: '2026-01-05T06:00:00Z', wrist_temperature: [] }],
  menstrual_cycle: [{ source_bundle: 'app', cycle: { period_start: '2025-12-20' } }],
  meal: [{ healthkit: { energy_total: [{ ...sample, value: 300 }] } }],
  workouts: [
    {
      id: '11111111-1111-4111-8111-111111111111',
      start_date: AT,
      end_date: '2026-01-05T07:30:00Z',
      sport: 'Running',
      ascent_elevation: 12.4,
    },
  ],
}
const series = [
  'vo2_max',
  'water',
  'caffeine',
  'blood_oxygen',
  'glucose',
  'heartrate_variability',
  'respiratory_rate',
  'steps',
  'heartrate',
]

const petri = forEachTest(startTestPetri)
let userId: string
beforeEach(async () => {
  userId = await createUser(petri)
})

async function signIn(): Promise<Record<string, string>> {
  const { body } = await petri.post(`/v2/user/${userId}/sign_in_token`)
  const { user_token } = JSON.parse(Buffer.from(body.sign_in_token, 'base64').toString())
  const fields = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token_type: 'urn:junction:sign-in-token',
    subject_token: user_token,
  }
  const response = await petri.petri.app.request('/auth/v1/token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })
  const { access_token } = parsers.token.parse(await response.json())
  return { authorization: `Bearer ${access_token}` }
}

describe.each([
  ['an access token', signIn],
  ['the API key', async () => ({ 'x-vital-api-key': 'sk_us_test' })],
])('the first session of a mobile SDK with %s', (_, credentials) => {
  it('succeeds, call by call', { tags: 'slow' }, async () => {
    const headers: Record<string, string> = { ...SDK, ...(await credentials()) }
    const ID = userId.toUpperCase()
    const send = async (method: string, path: string, body?: unknown, gzip = false) => {
      const json = JSON.stringify(body)
      const response = await petri.petri.app.request(path, {
        method,
        headers: {
          ...headers,
          'content-type': 'application/json',
          ...(gzip && { 'content-encoding': 'gzip' }),
        },
        ...(body !== undefined && { body: gzip ? gzipSync(json) : json }),
      })
      const text = await response.text()
      expect(response.status, `${method} ${path}: ${text}`).toBe(200)
      return JSON.parse(text)
    }
    const connect = () =>
      send('POST', `/v2/link/provider/manual/${PROVIDER}`, {
        user_id: ID,
        granted_permissions: ['HKQuantityTypeIdentifierStepCount'],
      })
    const state = async () =>
      parsers.state.parse(
        await send('POST', `/v2/user/${ID}/sdk_sync_state/${PROVIDER}`, {
          tzinfo: 'America/New_York',
          request_start_date: RANGE.start_date,
          request_end_date: RANGE.end_date,
        }),
      )
    const upload = (path: string, data: unknown, stage: 'historical' | 'daily') =>
      send(
        'POST',
        path,
        {
          stage,
          ...(stage === 'historical' && RANGE),
          time_zone: 'America/New_York',
          provider: PROVIDER,
          data,
          is_final_chunk: true,
        },
        true,
      )

    await connect()
    await connect()
    expect((await state()).status).toBe('active')
    const paths = [
      ...Object.entries(summaries).map(([name, data]) => ({ name, path: `/v2/summary/${name}/${ID}`, data })),
      ...series.map((name) => ({ name, path: `/v2/timeseries/${ID}/${name}`, data: [sample] })),
    ]
    for (const { name, path, data } of paths) {
      if (name !== 'profile') {
        const stage = { range_start: RANGE.start_date, range_end: RANGE.end_date, backfill_type: name }
        await send('POST', `/v2/user/${ID}/sdk_start_historical_stage/${PROVIDER}`, stage)
      }
      await upload(path, data, name === 'profile' ? 'daily' : 'historical')
    }
    await send(
      'POST',
      `/v2/user/${ID}/sdk_sync_progress/${PROVIDER}`,
      { sync_progress: { backfill_types: {} }, device_info: {} },
      true,
    )
    await upload(`/v2/timeseries/${ID}/steps`, [{ ...sample, value: 9 }], 'daily')

    const connected = parsers.connections.parse(await send('GET', `/v2/user/providers/${ID}`))
    expect(connected.providers).toMatchObject([{ slug: PROVIDER, status: 'connected' }])
    const query = 'start_date=2025/10/07&end_date=2026/01/06'
    const read = (path: string) => send('GET', `${path}?${query}`)
    expect(parsers.sleep.parse(await read(`/v2/summary/sleep/${ID}`)).sleep).toHaveLength(1)
    expect(parsers.activity.parse(await read(`/v2/summary/activity/${ID}`)).activity).toHaveLength(1)
    expect(parsers.workouts.parse(await read(`/v2/summary/workouts/${ID}`)).workouts).toMatchObject([
      { total_elevation_gain: 12 },
    ])
    for (const name of ['glucose', 'heartrate', 'blood_oxygen', 'steps'])
      expect(
        Object.keys(parsers.grouped.parse(await read(`/v2/timeseries/${ID}/${name}/grouped`)).groups),
      ).toEqual([PROVIDER])
    const { link_token } = parsers.link.parse(await send('POST', '/v2/link/token', { user_id: ID }))
    headers['x-vital-link-token'] = link_token
    parsers.oauth.parse(await send('GET', '/v2/link/provider/oauth/oura'))

    await send('DELETE', `/v2/user/${ID}/${PROVIDER}`)
    expect((await state()).status).toBe('error')
    await connect()
    expect((await state()).status).toBe('active')

    const types = told(petri).map(({ event_type }) => event_type)
    expect(types.filter((type) => type.startsWith('historical.data.'))).toHaveLength(paths.length - 1 + 2)
    expect(types.filter((type) => type.startsWith('daily.data.'))).toEqual([
      'daily.data.profile.created',
      'daily.data.steps.updated',
    ])
    const body = await petri.read(`/v2/introspect/historical_pull?user_id=${userId}`)
    expect(body.data[0].provider[PROVIDER].pulled).toMatchObject({
      hrv: { status: 'success', range_start: '2025-10-07T09:00:00+00:00', days_with_data: 1 },
      weight: { status: 'success' },
      sleep: { status: 'success', days_with_data: 1 },
    })
  })
})
