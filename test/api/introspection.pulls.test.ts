import { describe, expect, it } from 'vitest'
import { field } from '../support/field.ts'
import { browse, newToken } from '../support/link.ts'
import { advance, createUser, deleteUser } from '../support/orders.ts'
import { forEachTest, NOBODY, startTestWorld, type TestPetri } from '../support/petri.ts'

const petri = forEachTest()

const pulls = async (petri: TestPetri, query = '') =>
  (await petri.read(`/v2/introspect/historical_pull${query}`)).data
const pullsOf = async (petri: TestPetri, provider: string) => (await pulls(petri))[0].provider[provider]

async function connectTo(petri: TestPetri, provider: string, answer = 'code=1'): Promise<string> {
  const user_id = await createUser(petri)
  const state = await newToken(petri, user_id, { provider })
  await browse(petri, `/v2/link/connect/${provider}?state=${state}&${answer}`)
  return user_id
}

describe('what has no history to pull', () => {
  it('is a device, and what the provider gives from now on only', async () => {
    await connectTo(petri, 'fitbit')
    const { pulled, not_pulled } = await pullsOf(petri, 'fitbit')
    expect(not_pulled).toEqual(['device'])
    expect(Object.keys(pulled)).toHaveLength(21)
    const other = await startTestWorld()
    await connectTo(other, 'polar')
    const ofPolar = await pullsOf(other, 'polar')
    expect(ofPolar.not_pulled).toEqual(['activity', 'workouts', 'heartrate'])
    expect(Object.keys(ofPolar.pulled)).toEqual(['sleep'])
  })

  it('is what the user did not allow', async () => {
    await connectTo(petri, 'oura', 'code=1&scope=daily%20personal%20email')
    expect((await pullsOf(petri, 'oura')).not_pulled).toEqual(['workouts', 'heartrate'])
  })
})

describe('the pull of a history', () => {
  it('reaches up to its begin while it runs, and then up to its end', { tags: 'slow' }, async () => {
    const user_id = await connectTo(petri, 'polar')
    const ends = async () => {
      const { range_end, timeline, days_with_data } = (await pullsOf(petri, 'polar')).pulled.sleep
      return [range_end, timeline.ended_at, days_with_data]
    }
    expect(await ends()).toEqual(['2026-01-05T09:00:00+00:00', null, 0])
    await advance(petri, '1h')
    const [range_end, ended_at, days] = await ends()
    expect([range_end, ended_at]).toEqual(['2026-01-05T09:10:00+00:00', '2026-01-05T09:10:00+00:00'])
    const body = await petri.read(
      `/v2/summary/sleep/${user_id}?start_date=2025-12-08&end_date=2026-01-05T09:00:00Z`,
    )
    const dates = body.sleep.map(field('calendar_date'))
    expect(days).toBe(new Set(dates).size)
  })

  it('counts days of 24 hours from its begin', async () => {
    const petri = await startTestWorld({ world: { history: '3d' } })
    await connectTo(petri, 'oura')
    await advance(petri, '1h')
    expect((await pullsOf(petri, 'oura')).pulled.heartrate).toMatchObject({
      range_start: '2026-01-02T09:00:00+00:00',
      days_with_data: 3,
    })
  })

  it('is of nobody who was deleted, is not there or has no connection', async () => {
    const ada = await connectTo(petri, 'oura')
    const grace = await createUser(petri, 'grace')
    expect(await pulls(petri, `?user_id=${ada}`)).toHaveLength(1)
    expect(await pulls(petri, `?user_id=${ada}&provider=fitbit`)).toEqual([])
    expect(await pulls(petri, `?user_id=${grace}`)).toEqual([])
    expect(await pulls(petri, `?user_id=${NOBODY}`)).toEqual([])
    await deleteUser(petri, ada)
    expect(await pulls(petri, `?user_id=${ada}`)).toEqual([])
    expect(await pulls(petri)).toEqual([])
  })
})

const PHONE = 'apple_health_kit'
const SDK = { 'x-vital-ios-sdk-version': '1.8.8' }
const RANGE = { start_date: '2025-12-01T00:00:00Z', end_date: '2026-01-05T09:00:00Z' }

async function phoneUser(petri: TestPetri) {
  const user = await createUser(petri)
  await petri.post(`/v2/link/provider/manual/${PHONE}`, { user_id: user }, SDK)
  const begin = (backfill_type: string) =>
    petri.post(
      `/v2/user/${user}/sdk_start_historical_stage/${PHONE}`,
      { range_start: RANGE.start_date, range_end: RANGE.end_date, backfill_type },
      SDK,
    )
  const send = (path: string, data: unknown, is_final_chunk = true) =>
    petri.post(
      path.replace('USER', user),
      {
        stage: 'historical',
        ...RANGE,
        time_zone: 'America/New_York',
        provider: PHONE,
        data,
        is_final_chunk,
      },
      SDK,
    )
  return { begin, send }
}

const sample = (at: string, type = 'watch') => ({
  value: 60,
  start_date: at,
  end_date: at,
  unit: 'bpm',
  source_bundle: 'com.apple.health.1234',
  product_type: 'Watch6,1',
  type,
})

describe('the upload of a history by a phone', () => {
  it('is its pull, from its announcement to its last part', async () => {
    const { begin, send } = await phoneUser(petri)
    expect(Object.keys((await pullsOf(petri, PHONE)).pulled)).toEqual([])
    await begin('heartrate')
    await send('/v2/timeseries/USER/heartrate', [sample('2025-12-01T00:00:00Z')], false)
    const common = {
      range_start: '2025-12-01T00:00:00+00:00',
      range_end: '2026-01-05T09:00:00+00:00',
      release: 'petri',
      trace_id: null,
      error_details: null,
    }
    const times = { scheduled_at: '2026-01-05T09:00:00+00:00', started_at: '2026-01-05T09:00:00+00:00' }
    const begun = await pullsOf(petri, PHONE)
    expect(begun.pulled).toEqual({
      heartrate: {
        ...common,
        status: 'in_progress',
        timeline: { ...times, ended_at: null },
        days_with_data: 0,
      },
    })
    expect(begun.not_pulled).toHaveLength(51)
    expect(begun.not_pulled).not.toContain('heartrate')
    await advance(petri, '5m')
    await send('/v2/timeseries/USER/heartrate', [
      sample('2025-11-30T23:59:59Z'),
      sample('2025-12-02T00:00:00Z'),
      sample('2025-12-02T23:59:59Z', 'phone'),
      sample('2025-12-04T00:00:00Z', 'phone'),
      sample('2026-01-06T10:00:00Z'),
    ])
    expect((await pullsOf(petri, PHONE)).pulled).toEqual({
      heartrate: {
        ...common,
        status: 'success',
        timeline: { ...times, ended_at: '2026-01-05T09:05:00+00:00' },
        days_with_data: 3,
      },
    })
  })

  it('counts the days of the summaries of a resource', async () => {
    const { send } = await phoneUser(petri)
    const workout = (day: string) => ({
      id: null,
      start_date: `${day}T15:00:00Z`,
      end_date: `${day}T16:00:00Z`,
      source_bundle: 'com.apple.health.1234',
      product_type: 'Watch6,1',
      sport: 'running',
      calories: 100,
      distance: 1000,
      moving_time: 3600,
    })
    await send('/v2/summary/workouts/USER', [
      workout('2025-12-02'),
      workout('2025-12-04'),
      workout('2025-12-04'),
    ])
    const { workouts } = (await pullsOf(petri, PHONE)).pulled
    expect(workouts).toMatchObject({ status: 'success', days_with_data: 2 })
  })
})
