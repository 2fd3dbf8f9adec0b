import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../src/kernel/instant.ts'
import { connect } from '../../src/resources/connecting/service.ts'
import { forEachTest, startTestWorld, type TestPetri } from '../support/petri.ts'
import { type Item, listSummaries } from '../support/summaries.ts'
import { advance, openData, put, told, toldOf, wearer } from '../support/wearables.ts'

const petri = forEachTest()

/** The workouts of somebody who trains much. */
async function trained(petri: TestPetri, provider: string) {
  const userId = await wearer(petri, [], { client_user_id: 'ada#athlete' })
  connect(petri.world(), userId, provider)
  openData(petri, userId)
  return listSummaries(petri, userId, 'workouts')
}

describe('a workout', () => {
  it.each([
    ['strava', /^(Morning|Lunch|Afternoon|Evening) (Run|Walk|Ride|Swim|Weight Training|Yoga)$/],
    ['fitbit', /^(Run|Walk|Bike|Swim|Weights|Yoga)$/],
    ['google_health', /^(Running|Walking|Road Biking|Swimming|Strength Training|Yoga)$/],
  ])(
    'has the title that %s gives it, and the sport by one name',
    { tags: 'slow' },
    async (provider, title) => {
      const workouts = await trained(petri, provider)
      expect(workouts.length).toBeGreaterThan(3)
      for (const workout of workouts) {
        expect(workout.title).toMatch(title)
        expect(workout.sport.name).toMatch(/^(Running|Walking|Road Biking|Swimming|Strength Training|Yoga)$/)
      }
    },
  )

  it('of the morning is called so', async () => {
    const workouts = await trained(petri, 'strava')
    const hourOf = ({ time_start }: Item) => new Date(time_start).getUTCHours()
    for (const workout of workouts) expect(workout.title.startsWith('Morning')).toBe(hourOf(workout) < 11)
  })
})

describe('a sleep', () => {
  it('is tentative for two hours after getting up, and then confirmed, where the provider corrects it', {
    tags: 'slow',
  }, async () => {
    const now = Date.parse('2026-01-05T00:30:00Z')
    const petri = await startTestWorld({ world: { now, history: 'none' } })
    const userId = await wearer(petri, [])
    connect(petri.world(), userId, 'garmin')
    await advance(petri, 14 * HOUR_MS)
    const [created, ...more] = toldOf(petri, 'daily.data.sleep.created')
    const updated = toldOf(petri, 'daily.data.sleep.updated')
    expect(more).toEqual([])
    expect(created?.data).toMatchObject({ state: 'tentative', calendar_date: '2026-01-05' })
    expect(updated.map(({ data }) => [data.id, data.state])).toEqual([[created?.data.id, 'confirmed']])
  })

  it('keeps its length on the clocks of nights in which they change', async () => {
    const petri = await startTestWorld({ world: { now: Date.parse('2026-04-02T12:00:00Z') } })
    const userId = await wearer(petri, ['oura'], { fallback_time_zone: 'Europe/Berlin' })
    const sleeps = await listSummaries(petri, userId, 'sleep', 'start_date=2026-03-28&end_date=2026-03-30')
    const nights = sleeps.filter(({ type }) => type === 'long_sleep')
    expect(nights.map(({ timezone_offset }) => timezone_offset)).toEqual([3600, 7200, 7200])
    for (const { bedtime_stop, timezone_offset } of nights) {
      const hour = new Date(Date.parse(bedtime_stop) + timezone_offset * 1000).getUTCHours()
      expect(hour).toBeGreaterThanOrEqual(5)
      expect(hour).toBeLessThanOrEqual(9)
    }
  })
})

describe('other summaries', () => {
  it('come from devices that can measure them', async () => {
    const ringed = await wearer(petri, ['oura'])
    const weighings = await listSummaries(petri, ringed, 'body')
    expect(weighings.length).toBeGreaterThan(10)
    for (const { fat, water_percentage, source } of weighings)
      expect({ fat, water_percentage, type: source.type }).toEqual({
        fat: null,
        water_percentage: null,
        type: 'app',
      })
    const phoned = await wearer(petri, ['apple_health_kit'], { client_user_id: 'ben#type-2-diabetes' })
    for (const slug of ['glucose', 'blood_pressure']) {
      const body = await petri.read(`/v2/timeseries/${phoned}/${slug}/grouped?start_date=2025-12-28`)
      expect(body.groups.apple_health_kit[0].source.type).toBe('app')
    }
    const body = await petri.read(`/v2/timeseries/${phoned}/blood_pressure/grouped?start_date=2025-12-06`)
    const hours = body.groups.apple_health_kit[0].data.map(({ timestamp }: Item) => timestamp.slice(11, 13))
    expect(new Set(hours).size).toBeGreaterThan(5)
  })

  it('need a date, and a profile a connection', async () => {
    const userId = await wearer(petri, [])
    expect(await petri.get(`/v2/summary/profile/${userId}`)).toRefuse(404, 'Not found')
    expect(await petri.get(`/v2/summary/sleep/${userId}`)).toRefuse(422, [
      { type: 'missing', loc: ['query', 'start_date'] },
    ])
    expect(await petri.get(`/v2/summary/sleep_cycle/${userId}?start_date=2026-01-01T10:00:00Z`)).toRefuse(
      422,
      [{ loc: ['query', 'start_date'] }],
    )
  })
})

describe('summaries that are put in', () => {
  it('may be of a device, whose changes are told of', async () => {
    const userId = await wearer(petri, ['oura'])
    await advance(petri, HOUR_MS)
    const device = { resource: 'device', provider: 'oura' }
    const change = { device_version: '2.1' }
    expect((await put(petri, userId, { ...device, summary: change })).body).toMatchObject({ updated: 1 })
    expect((await put(petri, userId, { ...device, summary: change })).body).toMatchObject({ event_types: [] })
    const scale = { device_model: 'Old scale' }
    const added = await put(petri, userId, { ...device, source_type: 'scale', summary: scale })
    expect(added.body).toMatchObject({ created: 1, event_types: ['provider.device.created'] })
    expect(await put(petri, userId, { ...device, summary: { model: 'x' } })).toAnswer(422)
    const types = told(petri).map(({ event_type }) => event_type)
    expect(types.filter((type) => type.startsWith('provider.device.'))).toEqual([
      'provider.device.created',
      'provider.device.updated',
      'provider.device.created',
    ])
    expect(await petri.read(`/v2/user/${userId}/device`)).toMatchObject([
      { source_type: 'ring', ...change },
      { source_type: 'scale', ...scale },
    ])
  })
})
