import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { pauseConnection } from '../../src/resources/connecting/service.ts'
import { seriesUploads } from '../../src/resources/mobile/samples.ts'
import { field } from '../support/field.ts'
import { changeUser, createUser } from '../support/orders.ts'
import { forEachTest, startTestPetri } from '../support/petri.ts'
import { makeStepsSlow } from '../support/timing.ts'
import { advance, told, toldOf } from '../support/wearables.ts'

const PROVIDER = 'apple_health_kit'
const SDK = { 'x-vital-ios-sdk-version': '1.8.8' }
const DAY = 86_400_000

const petri = forEachTest(startTestPetri)
let userId: string
beforeEach(async () => {
  userId = await createUser(petri)
})

const connect = () =>
  petri.post(`/v2/link/provider/manual/${PROVIDER}`, { user_id: userId.toUpperCase() }, SDK)
const syncState = (provider = PROVIDER) =>
  petri.post(`/v2/user/${userId.toUpperCase()}/sdk_sync_state/${provider}`, { tzinfo: 'Europe/Berlin' }, SDK)

interface Upload {
  readonly stage?: 'daily' | 'historical'
  readonly provider?: string
  readonly is_final_chunk?: boolean
}

const bodyOf = (data: unknown, { stage = 'daily', ...rest }: Upload = {}) => ({
  stage,
  ...(stage === 'historical' && { start_date: '2025-12-01T00:00:00Z', end_date: '2026-01-05T09:00:00Z' }),
  time_zone: 'Europe/Berlin',
  provider: PROVIDER,
  data,
  ...rest,
})
const sendSeries = (name: string, data: unknown, options?: Upload) =>
  petri.post(`/v2/timeseries/${userId.toUpperCase()}/${name}`, bodyOf(data, options), SDK)
const sendSummary = (name: string, data: unknown, options?: Upload) =>
  petri.post(`/v2/summary/${name}/${userId.toUpperCase()}`, bodyOf(data, options), SDK)

const sample = (value: number, start: string, end = start, more: object = {}) => ({
  value,
  start_date: start,
  end_date: end,
  unit: 'count',
  source_bundle: 'com.apple.health.1234',
  product_type: 'Watch6,1',
  ...more,
})
const grouped = async (name: string) =>
  (await petri.read(`/v2/timeseries/${userId}/${name}/grouped?start_date=2025/12/01&end_date=2026/01/06`))
    .groups
const listed = async (name: string, key = name) =>
  (await petri.read(`/v2/summary/${name}/${userId}?start_date=2025-12-01&end_date=2026-01-06`))[key]

it('samples that are sent twice at once are announced once', { tags: 'slow' }, async () => {
  await connect()
  const at = (index: number) => new Date(Date.parse('2026-01-03T00:00:00Z') + index * 20_000).toISOString()
  const samples = Array.from({ length: 2500 }, (_, index) => sample(60, at(index)))
  makeStepsSlow()
  await Promise.all([sendSeries('heartrate', samples), sendSeries('heartrate', samples)])
  vi.restoreAllMocks()
  const sizes = told(petri)
    .filter(({ event_type }) => event_type.startsWith('daily.data.'))
    .map(({ event_type, data }) => [event_type, data.data.length])
  expect(sizes).toEqual([1000, 1000, 500].map((size) => ['daily.data.heartrate.created', size]))
})

describe('the connection of a phone', () => {
  it('is made once, and repeats are answered like the first call', async () => {
    expect(await connect()).toAnswer(200, { success: true })
    expect(await connect()).toAnswer(200, { success: true })
    expect(toldOf(petri, 'provider.connection.created')).toHaveLength(1)
  })

  it('is still refused twice without an SDK, as older back ends expect', async () => {
    const plain = () => petri.post(`/v2/link/provider/manual/${PROVIDER}`, { user_id: userId })
    expect(await plain()).toAnswer(200)
    expect(await plain()).toAnswer(409)
  })

  it('has no generated data, whatever time passes', async () => {
    await connect()
    await advance(petri, 3 * DAY)
    expect(told(petri).filter(({ event_type }) => event_type.includes('.data.'))).toEqual([])
    expect(await grouped('steps')).toEqual({})
    expect(await listed('activity')).toEqual([])
  })
})

describe('the sync state', () => {
  it('is active for a connection, with instants of whole seconds', async () => {
    await changeUser(petri, userId, {
      ingestion_start: '2025-06-01',
      ingestion_end: '2026-06-01',
    })
    await connect()
    expect((await syncState()).body).toEqual({
      status: 'active',
      request_start_date: null,
      request_end_date: '2026-06-02T00:00:00Z',
      ingestion_start: '2025-06-01T00:00:00Z',
      per_device_activity_ts: false,
      expires_in: 14_400,
      pull_preferences: { historical_days_to_pull: 30, backfill_type_overrides: {} },
      reporting_interval: 3600,
      health_kit_params: null,
    })
  })

  it('is an error without a connection, and paused for a paused one', async () => {
    expect((await syncState()).body.status).toBe('error')
    await connect()
    pauseConnection(petri.world(), userId, PROVIDER)
    expect((await syncState()).body.status).toBe('paused')
    await connect()
    expect((await syncState()).body.status).toBe('active')
  })

  it('is paused a week after the end of ingestion', async () => {
    await connect()
    await changeUser(petri, userId, { ingestion_end: '2025-12-30' })
    expect((await syncState()).body.status).toBe('active')
    await changeUser(petri, userId, { ingestion_end: '2025-12-29' })
    expect((await syncState()).body.status).toBe('paused')
  })

  it('is refused for another provider and an unknown zone', async () => {
    expect(await syncState('fitbit')).toAnswer(422)
    const path = `/v2/user/${userId}/sdk_sync_state/${PROVIDER}`
    expect(await petri.post(path, { tzinfo: 'Mars/Base' }, SDK)).toAnswer(422)
  })
})

describe('an upload of samples', () => {
  beforeEach(async () => {
    await connect()
    await syncState()
  })

  it('is read by device, with the offset of the phone', async () => {
    const { status, body } = await sendSeries('heartrate', [
      sample(61, '2026-01-05T07:00:00Z', undefined, { unit: 'bpm' }),
      sample(64, '2026-01-05T07:05:00Z', undefined, { unit: 'bpm', type: 'phone' }),
    ])
    expect({ status, body }).toEqual({ status: 200, body: { success: true } })
    const [first, second] = (await grouped('heartrate')).apple_health_kit
    expect(first.source.type).toBe('watch')
    expect(first.data).toEqual([
      {
        id: null,
        timezone_offset: 3600,
        type: null,
        unit: 'bpm',
        timestamp: '2026-01-05T07:00:00+00:00',
        value: 61,
      },
    ])
    expect(second).toMatchObject({ source: { type: 'phone' }, data: [{ value: 64 }] })
  })

  it('causes an event for new and one for changed samples, and none for the same', async () => {
    const steps = (value: number) => [
      sample(value, '2026-01-05T07:00:00Z', '2026-01-05T08:00:00Z', { type: 'multiple_sources' }),
    ]
    const events = () =>
      told(petri)
        .filter(({ event_type }) => event_type.startsWith('daily.data.steps'))
        .map(field('event_type'))
    await sendSeries('steps', steps(100))
    await sendSeries('steps', steps(100))
    expect(events()).toEqual(['daily.data.steps.created'])
    await sendSeries('steps', steps(140))
    expect(events()).toEqual(['daily.data.steps.created', 'daily.data.steps.updated'])
    expect((await grouped('steps')).apple_health_kit[0].data).toMatchObject([{ value: 140 }])
  })

  it('announces a history once, at its last chunk, without the samples', async () => {
    const send = (minute: number, is_final_chunk?: boolean) =>
      sendSeries('heartrate', [sample(60, `2025-12-20T07:0${minute}:00Z`)], {
        stage: 'historical',
        ...(is_final_chunk !== undefined && { is_final_chunk }),
      })
    await send(1, false)
    expect(toldOf(petri, 'historical.data.heartrate.created')).toEqual([])
    await send(2, true)
    expect(toldOf(petri, 'historical.data.heartrate.created').map(field('data'))).toEqual([
      {
        user_id: userId,
        start_date: '2025-12-01T00:00:00+00:00',
        end_date: '2026-01-05T09:00:00+00:00',
        provider: PROVIDER,
        is_final: true,
      },
    ])
    // Android sends no `is_final_chunk`.
    await send(3)
    expect(toldOf(petri, 'historical.data.heartrate.created')).toHaveLength(2)
    expect(toldOf(petri, 'daily.data.heartrate.created')).toEqual([])
    expect((await grouped('heartrate')).apple_health_kit[0].data).toHaveLength(3)
  })

  it('announces an empty history', async () => {
    await sendSeries('water', [], { stage: 'historical', is_final_chunk: true })
    expect(toldOf(petri, 'historical.data.water.created')).toHaveLength(1)
    await sendSeries('caffeine', [])
    expect(told(petri).filter(({ event_type }) => event_type.includes('caffeine'))).toEqual([])
  })

  it('of blood pressure has two values', async () => {
    const at = '2026-01-05T07:00:00Z'
    await sendSeries('blood_pressure', [
      { systolic: sample(121, at), diastolic: sample(79, at), pulse: null },
    ])
    expect((await grouped('blood_pressure')).apple_health_kit[0].data).toMatchObject([
      { systolic: 121, diastolic: 79 },
    ])
  })

  it('of each kind that SDKs send can be stored and read', { tags: 'slow' }, async () => {
    const at = '2026-01-05T07:00:00Z'
    const metadata = { type: 'low_heart_rate', category: 'elevated', _DMO: 'Watch6,1', _DMA: 'Apple Inc.' }
    for (const { path, resources } of seriesUploads.filter((each) => each.path !== 'blood_pressure')) {
      expect(await sendSeries(path, [sample(1, at, at, { metadata })]), path).toAnswer(200)
      expect(Object.keys(await grouped(resources[0] ?? '')), path).toEqual([PROVIDER])
    }
    const body = await petri.read(`/v2/user/${userId}/device`)
    expect(body).toMatchObject([{ device_model: 'Watch6,1', device_manufacturer: 'Apple Inc.' }])
  })

  it('outside of the ingestion bounds is dropped', async () => {
    await changeUser(petri, userId, {
      ingestion_start: '2026-01-01',
      ingestion_end: '2026-01-03',
    })
    const times = [
      '2025-12-30T23:00:00Z',
      '2025-12-31T01:00:00Z',
      '2026-01-04T23:00:00Z',
      '2026-01-05T00:00:00Z',
    ]
    await sendSeries(
      'heartrate',
      times.map((time) => sample(60, time)),
    )
    const kept = (await grouped('heartrate')).apple_health_kit[0].data.map(field('timestamp'))
    expect(kept).toEqual(['2025-12-31T01:00:00+00:00', '2026-01-04T23:00:00+00:00'])
  })

  it('with an invalid item is refused as a whole', async () => {
    const at = '2026-01-05T07:00:00Z'
    const refused = await sendSeries('heartrate', [sample(60, at), { ...sample(61, at), value: 'high' }])
    expect(refused).toRefuse(422, [{ loc: ['body', 'data', 1, 'value'] }])
    expect(await sendSeries('heartrate', { value: 1 })).toAnswer(422)
    expect(await grouped('heartrate')).toEqual({})
    expect(toldOf(petri, 'daily.data.heartrate.created')).toEqual([])
  })
})

describe('a compressed upload', { tags: 'slow' }, () => {
  const send = async (bytes: Uint8Array) => {
    const response = await petri.petri.app.request(`/v2/timeseries/${userId}/heartrate`, {
      method: 'POST',
      headers: {
        'x-service-api-key': 'sk_us_test',
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        ...SDK,
      },
      body: bytes as Uint8Array<ArrayBuffer>,
    })
    return response.status
  }

  it('of ten thousand samples is stored', async () => {
    const data = Array.from({ length: 10_000 }, (_, at) =>
      sample(60, new Date(Date.parse('2026-01-01T00:00:00Z') + at * 5000).toISOString()),
    )
    expect(await send(gzipSync(JSON.stringify(bodyOf(data))))).toBe(200)
    expect(toldOf(petri, 'daily.data.heartrate.created')).toHaveLength(10)
  })

  it('is refused when it is not gzip, or too large once inflated', async () => {
    expect(await send(Buffer.from('{}'))).toBe(400)
    expect(await send(gzipSync(Buffer.alloc(33 * 1024 * 1024, ' ')))).toBe(413)
    expect(await send(gzipSync('{"stage":'))).toBe(422)
  })
})

describe('an upload of summaries', () => {
  beforeEach(connect)

  it('of a body, with its series', async () => {
    const at = '2026-01-05T06:30:00Z'
    const scale = { type: 'scale' }
    await sendSummary('body', {
      body_mass: [sample(80.2, at, at, scale), sample(80.4, '2026-01-05T06:00:00Z', undefined, scale)],
      body_fat_percentage: [sample(21.5, at, at, scale)],
    })
    expect(await listed('body')).toMatchObject([
      { weight: 80.2, fat: 21.5, calendar_date: '2026-01-05', source: { type: 'scale' } },
    ])
    expect((await grouped('body_weight')).apple_health_kit[0].data).toHaveLength(2)
    expect(toldOf(petri, 'daily.data.weight.created')).toHaveLength(1)
  })

  it('of an activity, which is sent again and again', async () => {
    const day = (steps_sum: number) => [
      {
        day_summary: {
          calendar_date: '2026-01-05',
          active_energy_burned_sum: 300,
          basal_energy_burned_sum: 1500.5,
          steps_sum,
        },
      },
    ]
    await sendSummary('activity', day(900))
    await sendSummary('activity', day(900))
    await sendSummary('activity', day(1200))
    expect(await listed('activity')).toMatchObject([
      {
        calories_active: 300,
        calories_total: 1800.5,
        steps: 1200,
        calendar_date: '2026-01-05',
        time_zone: 'Europe/Berlin',
      },
    ])
    expect(toldOf(petri, 'daily.data.activity.created')).toHaveLength(1)
    expect(toldOf(petri, 'daily.data.activity.updated')).toHaveLength(1)
  })

  const night = {
    start_date: '2026-01-04T22:00:00Z',
    end_date: '2026-01-05T06:00:00Z',
    source_bundle: 'com.apple.health.1',
    product_type: 'Watch6,1',
    heart_rate_minimum: 48,
    heart_rate_mean: 55,
    hrv_mean_sdnn: 60.5,
    respiratory_rate_mean: 14.2,
    wrist_temperature: [],
  }
  const stage = (from: string, until: string) =>
    sample(0, `2026-01-05T${from}:00Z`, `2026-01-05T${until}:00Z`)

  it.each([
    [
      'iOS',
      {
        light_sleep_samples: [stage('00:00', '03:00'), stage('02:00', '04:00')],
        deep_sleep_samples: [stage('04:00', '05:00')],
        awake_sleep_samples: [stage('05:00', '05:30')],
      },
    ],
    [
      'Android',
      {
        lightSleepSamples: [stage('00:00', '04:00')],
        deepSleepSamples: [stage('04:00', '05:00')],
        awakeSleepSamples: [stage('05:00', '05:30')],
      },
    ],
  ])('of a night from %s', async (_, sleep_stages) => {
    await sendSummary('sleep', [{ ...night, sleep_stages }])
    expect(await listed('sleep')).toMatchObject([
      {
        calendar_date: '2026-01-05',
        bedtime_start: '2026-01-04T22:00:00+00:00',
        duration: 28_800,
        light: 14_400,
        deep: 3600,
        rem: 0,
        total: 18_000,
        awake: 1800,
        latency: 7200,
        hr_lowest: 48,
        type: 'long_sleep',
        state: 'confirmed',
        source: { type: 'watch' },
      },
    ])
  })

  it('of a night with the mean of its temperatures', async () => {
    const at = '2026-01-05T01:00:00Z'
    await sendSummary('sleep', [{ ...night, wrist_temperature: [sample(35, at), sample(36, at)] }])
    expect(await listed('sleep')).toMatchObject([{ skin_temperature: 35.5 }])
  })

  it.each([
    [
      'two kinds at once',
      { light_sleep_samples: [stage('00:00', '06:00')], deep_sleep_samples: [stage('00:00', '06:00')] },
      { light: 0, deep: 21_600, total: 21_600, awake: 7200, efficiency: 75 },
    ],
    [
      'a night asleep and awake',
      { deep_sleep_samples: [stage('00:00', '06:00')], awake_sleep_samples: [stage('00:00', '06:00')] },
      { deep: 21_600, total: 21_600, awake: 7200, efficiency: 75 },
    ],
    [
      'an unspecified night with stages',
      {
        unspecified_sleep_samples: [stage('00:00', '04:00')],
        rem_sleep_samples: [stage('01:00', '02:00')],
        awake_sleep_samples: [stage('02:00', '02:30')],
      },
      { light: 9000, rem: 3600, total: 12_600, awake: 1800 },
    ],
    [
      'more than the night',
      {
        light_sleep_samples: [sample(0, '2026-01-01T00:00:00Z', '2026-01-09T00:00:00Z')],
        rem_sleep_samples: [sample(0, '2026-01-01T00:00:00Z', '2026-01-09T00:00:00Z')],
      },
      { rem: 28_800, light: 0, total: 28_800, awake: 0, efficiency: 100, latency: 0 },
    ],
  ])('of stages that overlap count once: %s', async (_, sleep_stages, expected) => {
    await sendSummary('sleep', [{ ...night, sleep_stages }])
    expect(await listed('sleep')).toMatchObject([{ duration: 28_800, ...expected }])
  })

  it('of workouts, under their own id', async () => {
    const id = '11111111-1111-4111-8111-111111111111'
    const workout = {
      id,
      start_date: '2026-01-05T06:00:00Z',
      end_date: '2026-01-05T06:40:00Z',
      sport: 'Running',
      calories: 210,
      heart_rate_mean: 120,
      heart_rate_maximum: 160,
    }
    await sendSummary('workouts', [workout])
    await sendSummary('workouts', [{ ...workout, calories: 220 }])
    expect(await listed('workouts')).toMatchObject([
      {
        provider_id: id,
        calories: 220,
        average_hr: 120,
        max_hr: 160,
      },
    ])
  })

  const recording = {
    id: '22222222-2222-4222-8222-222222222222',
    session_start: '2026-01-05T07:00:00Z',
    session_end: '2026-01-05T07:00:30Z',
    voltage_sample_count: 2,
  }

  it('of electrocardiograms, with their series', { tags: 'slow' }, async () => {
    await sendSummary('electrocardiogram', [
      {
        electrocardiogram: { ...recording, classification: 'sinus_rhythm' },
        voltage_data: { session_start_offset_millisecond: [0, 1000, 2000], lead1: [0.1, null, 0.3] },
      },
    ])
    expect(await listed('electrocardiogram')).toMatchObject([
      { voltage_sample_count: 2, classification: 'sinus_rhythm' },
    ])
    expect((await grouped('electrocardiogram_voltage')).apple_health_kit[0].data).toMatchObject([
      { type: 'lead_1', value: 0.1, timestamp: '2026-01-05T07:00:00+00:00', timezone_offset: 3600 },
      { type: 'lead_1', value: 0.3, timestamp: '2026-01-05T07:00:02+00:00' },
    ])
  })

  it('that the read model cannot show is refused as a whole', async () => {
    const good = { day_summary: { calendar_date: '2026-01-05', steps_sum: 1 } }
    expect(await sendSummary('activity', [good, { day_summary: { calendar_date: '2026-13-05' } }])).toAnswer(
      422,
    )
    const wrong = { electrocardiogram: { ...recording, classification: 'nice' } }
    expect(await sendSummary('electrocardiogram', [wrong])).toAnswer(422)
    expect(await listed('activity')).toEqual([])
  })
})

it('stages and progress of uploads are shown by the control API', async () => {
  await connect()
  await petri.post(
    `/v2/user/${userId}/sdk_start_historical_stage/${PROVIDER}`,
    { range_start: '2025-12-01T00:00:00Z', range_end: '2026-01-05T09:00:00Z', backfill_type: 'heartrate' },
    SDK,
  )
  const stageOf = async () => (await petri.read(`/_petri/users/${userId}/mobile`)).syncs[0].stages
  expect(await stageOf()).toMatchObject([{ resource: 'heartrate', ended_at: null }])
  await sendSeries('heartrate', [], { stage: 'historical' })
  expect(await stageOf()).toMatchObject([{ resource: 'heartrate', ended_at: '2026-01-05T09:00:00+00:00' }])
  const report = {
    sync_progress: { backfill_types: { heartrate: { syncs: [] } } },
    device_info: { os_version: '18.0' },
  }
  expect(await petri.post(`/v2/user/${userId}/sdk_sync_progress/${PROVIDER}`, report, SDK)).toAnswer(200)
  expect((await petri.read(`/_petri/users/${userId}/mobile`)).syncs[0]).toMatchObject({
    report,
    reported_at: '2026-01-05T09:00:00+00:00',
  })
})

it('uploads are counted by the control API, beside what the SDK is told', async () => {
  const syncs = async () => (await petri.read(`/_petri/users/${userId}/mobile`)).syncs
  expect(await syncs()).toEqual([])
  await connect()
  expect(await syncs()).toMatchObject([{ provider: PROVIDER, status: 'active', uploads: [], stages: [] }])
  const steps = [sample(5, '2026-01-05T07:00:00Z'), sample(6, '2026-01-05T08:00:00Z')]
  await sendSeries('steps', steps)
  await advance(petri, 3_600_000)
  await sendSeries('steps', steps.slice(1))
  expect(await sendSeries('steps', [{}])).toAnswer(422)
  expect((await syncs())[0].uploads).toEqual([
    { resource: 'steps', items: 3, last_at: '2026-01-05T10:00:00+00:00' },
  ])
  await petri.delete(`/v2/user/${userId}/${PROVIDER}`)
  expect((await syncs())[0].status).toBe('error')
})
