import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/kernel/instant.ts'
import { connect } from '../../src/resources/connecting/service.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'
import { advance, openData, put, told, toldOf, wearer } from '../support/wearables.ts'

const list = async (petri: TestPetri, userId: string, resource: string, query = 'start_date=2025-12-01') => {
  const { status, body } = await petri.get(`/v2/summary/${resource}/${userId}?${query}`)
  expect(status).toBe(200)
  return Object.values(body)[0] as Item[]
}
// biome-ignore lint/suspicious/noExplicitAny: tests look into summaries of every shape.
type Item = any

const series = async (petri: TestPetri, userId: string, slug: string, from: string, until: string) => {
  const query = `start_date=${from.replace('+', '%2B')}&end_date=${until.replace('+', '%2B')}`
  const { body } = await petri.get(`/v2/timeseries/${userId}/${slug}/grouped?${query}`)
  return (Object.values(body.groups)[0] as Item)?.[0].data ?? []
}
const sum = (samples: Item[]) => samples.reduce((total, { value }) => total + value, 0)
const mean = (samples: Item[]) => sum(samples) / samples.length

describe('an activity', () => {
  it('is the sum of the local day, in the zone the day is lived in', async () => {
    const petri = await startTestWorld()
    const userId = await wearer(petri, ['apple_health_kit'], { fallback_time_zone: 'America/New_York' })
    const [day] = await list(petri, userId, 'activity', 'start_date=2026-01-03&end_date=2026-01-03')
    const of = (slug: string) =>
      series(petri, userId, slug, '2026-01-03T05:00:00+00:00', '2026-01-04T04:59:59+00:00')
    expect(day.steps).toBe(sum(await of('steps')))
    expect(day.floors_climbed).toBe(sum(await of('floors_climbed')))
    expect(day.distance).toBeCloseTo(sum(await of('distance')), 1)
    expect(day.calories_total).toBeCloseTo(
      sum(await of('calories_active')) + sum(await of('calories_basal')),
      1,
    )
    const beats = (await of('heartrate')).map(({ value }: Item) => value)
    expect(day.heart_rate).toMatchObject({ min_bpm: Math.min(...beats), max_bpm: Math.max(...beats) })
    expect(day).toMatchObject({ timezone_offset: -5 * 3600, time_zone: 'America/New_York' })
    expect(day.low + day.medium + day.high).toBeLessThan(1440)
  })

  it('comes once a day, the oldest first, between dates that are both included', async () => {
    const petri = await startTestWorld()
    const userId = await wearer(petri)
    const dates = (await list(petri, userId, 'activity')).map(({ calendar_date }) => calendar_date)
    expect(dates.length).toBeGreaterThan(24)
    expect(dates.slice(-4)).toEqual(['2026-01-02', '2026-01-03', '2026-01-04', '2026-01-05'])
    expect(dates).toEqual([...new Set(dates)].sort())
    const two = await list(petri, userId, 'activity', 'start_date=2026-01-01&end_date=2026-01-02')
    expect(two.map(({ calendar_date }) => calendar_date)).toEqual(['2026-01-01', '2026-01-02'])
    expect(await list(petri, userId, 'activity', 'start_date=2025-12-01&provider=oura')).toEqual([])
    expect(await list(petri, userId, 'activity', 'start_date=2020-01-01&end_date=2020-02-01')).toEqual([])
  })
})

/** The workouts of somebody who trains much. */
async function trained(petri: TestPetri, provider: string) {
  const userId = await wearer(petri, [], { client_user_id: 'ada#athlete' })
  connect(petri.world(), userId, provider)
  openData(petri, userId)
  return list(petri, userId, 'workouts')
}

describe('a workout', () => {
  it.each([
    ['strava', /^(Morning|Lunch|Afternoon|Evening) (Run|Walk|Ride|Swim|Weight Training|Yoga)$/],
    ['fitbit', /^(Run|Walk|Bike|Swim|Weights|Yoga)$/],
    ['google_health', /^(Running|Walking|Road Biking|Swimming|Strength Training|Yoga)$/],
  ])('has the title that %s gives it, and the sport by one name', async (provider, title) => {
    const petri = await startTestWorld()
    const workouts = await trained(petri, provider)
    expect(workouts.length).toBeGreaterThan(3)
    for (const workout of workouts) {
      expect(workout.title).toMatch(title)
      expect(workout.sport.name).toMatch(/^(Running|Walking|Road Biking|Swimming|Strength Training|Yoga)$/)
    }
  })

  it('of the morning is called so', async () => {
    const petri = await startTestWorld()
    const workouts = await trained(petri, 'strava')
    const hourOf = ({ time_start }: Item) => new Date(time_start).getUTCHours()
    for (const workout of workouts) expect(workout.title.startsWith('Morning')).toBe(hourOf(workout) < 11)
  })
})

describe('a sleep', () => {
  it('has the averages of what was measured in it, and stages that add up', { tags: 'slow' }, async () => {
    const petri = await startTestWorld()
    const userId = await wearer(petri, ['oura'], { fallback_time_zone: 'Europe/Berlin' })
    const nights = (await list(petri, userId, 'sleep')).filter(({ type }: Item) => type === 'long_sleep')
    expect(nights.length).toBeGreaterThanOrEqual(29)
    for (const night of nights.slice(0, 5)) {
      const { bedtime_start, bedtime_stop } = night
      const beats = await series(petri, userId, 'heartrate', bedtime_start, bedtime_stop)
      expect(Math.abs(night.hr_average - mean(beats))).toBeLessThan(1)
      expect(night.hr_lowest).toBeGreaterThanOrEqual(Math.min(...beats.map(({ value }: Item) => value)))
      const variability = await series(petri, userId, 'hrv', bedtime_start, bedtime_stop)
      expect(night.average_hrv).toBeCloseTo(mean(variability), 0)
      expect(night.duration).toBe((Date.parse(bedtime_stop) - Date.parse(bedtime_start)) / 1000)
      expect(night.total).toBe(night.light + night.rem + night.deep)
      expect(night).toMatchObject({
        stage_asleep_second: night.total,
        stage_awake_second: night.awake,
        stage_light_second: night.light,
        stage_rem_second: night.rem,
        stage_deep_second: night.deep,
      })
      expect(night.awake).toBe(night.duration - night.total)
      expect(night.efficiency).toBeGreaterThan(75)
      expect(night.recovery_readiness_score).not.toBeNull()
    }
  })

  it('has a readiness that follows variability, and a score that follows its length', {
    tags: 'slow',
  }, async () => {
    const petri = await startTestWorld()
    const nights: Item[] = []
    for (const name of ['a', 'b', 'c']) {
      const userId = await wearer(petri, ['oura'], { client_user_id: name })
      const own = await list(petri, userId, 'sleep')
      const usual = mean(own.map(({ average_hrv }) => ({ value: average_hrv })))
      nights.push(...own.map((night) => ({ ...night, relative: night.average_hrv / usual })))
    }
    const averageOf = (some: Item[], field: string) => mean(some.map((night) => ({ value: night[field] })))
    const third = Math.floor(nights.length / 3)
    const byVariability = nights.toSorted((a, b) => a.relative - b.relative)
    const rise = (sorted: Item[], field: string) =>
      averageOf(sorted.slice(-third), field) - averageOf(sorted.slice(0, third), field)
    expect(rise(byVariability, 'recovery_readiness_score')).toBeGreaterThan(5)
    const byLength = nights.toSorted((a, b) => a.total - b.total)
    expect(rise(byLength, 'score')).toBeGreaterThan(5)
  })

  it('is told in stages by its cycle and by its stream', async () => {
    const petri = await startTestWorld()
    const userId = await wearer(petri)
    const nights = await list(petri, userId, 'sleep')
    const cycles = await list(petri, userId, 'sleep_cycle')
    expect(cycles.map(({ sleep_id }) => sleep_id)).toEqual(nights.map(({ id }) => id))
    const [cycle, night] = [cycles[0], nights[0]]
    const seconds = (stage: number) =>
      cycle.stage_type.reduce(
        (total: number, type: number, at: number) =>
          total +
          (type === stage ? cycle.stage_end_offset_second[at] - cycle.stage_start_offset_second[at] : 0),
        0,
      )
    expect([seconds(1), seconds(2), seconds(3), seconds(4)]).toEqual([
      night.deep,
      night.light,
      night.rem,
      night.awake,
    ])
  })

  it('is tentative for two hours after getting up, and then confirmed, where the provider corrects it', async () => {
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
    const sleeps = await list(petri, userId, 'sleep', 'start_date=2026-03-28&end_date=2026-03-30')
    const nights = sleeps.filter(({ type }) => type === 'long_sleep')
    expect(nights.map(({ timezone_offset }) => timezone_offset)).toEqual([3600, 7200, 7200])
    for (const { bedtime_stop, timezone_offset } of nights) {
      const hour = new Date(Date.parse(bedtime_stop) + timezone_offset * 1000).getUTCHours()
      expect(hour).toBeGreaterThanOrEqual(5)
      expect(hour).toBeLessThanOrEqual(9)
    }
  })
})

describe('a workout', () => {
  it('agrees with the heart rate, steps and metres measured in it', { tags: 'slow' }, async () => {
    const petri = await startTestWorld()
    const userId = await wearer(petri)
    const workouts = await list(petri, userId, 'workouts')
    expect(workouts.length).toBeGreaterThan(10)
    for (const workout of workouts) {
      const last = new Date(Date.parse(workout.time_end) - 1000).toISOString()
      const beats = await series(petri, userId, 'heartrate', workout.time_start, last)
      // The mean of the stream, which has twelve points for each sample here.
      expect(Math.abs(workout.average_hr - mean(beats))).toBeLessThanOrEqual(1.5)
      const seconds = (Date.parse(workout.time_end) - Date.parse(workout.time_start)) / 1000
      expect(workout.hr_zones).toHaveLength(6)
      expect(workout.hr_zones.reduce((total: number, zone: number) => total + zone, 0)).toBe(seconds)
      if (workout.steps) expect(workout.distance / workout.steps).toBeGreaterThan(0.5)
    }
  })

  it('is chosen by when it began', async () => {
    const petri = await startTestWorld()
    const userId = await wearer(petri)
    const [first, second] = await list(petri, userId, 'workouts')
    const query = `start_date=${first.time_start.replace('+00:00', 'Z')}&end_date=${second.time_start.replace('+00:00', 'Z')}`
    expect((await list(petri, userId, 'workouts', query)).map(({ id }) => id)).toEqual([first.id, second.id])
    const ever = await list(petri, userId, 'workouts', 'start_date=0001-01-01&end_date=9999-12-31')
    expect(ever).toEqual(await list(petri, userId, 'workouts'))
  })
})

describe('other summaries', () => {
  it('tell of body, meals, profile, devices, hearts and cycles', { tags: 'slow' }, async () => {
    const petri = await startTestWorld()
    const userId = await wearer(petri, ['apple_health_kit'], { fallback_birth_date: '1990-02-03' })
    await advance(petri, HOUR_MS)
    const [weighing] = (await list(petri, userId, 'body')).slice(-1)
    const weights = await series(petri, userId, 'body_weight', '2025-12-01', '2026-01-05')
    expect(weighing.weight).toBe(weights.at(-1).value)
    expect(weighing.lean_body_mass_kilogram).toBeCloseTo(weighing.weight * (1 - weighing.fat / 100), 1)
    const meals = await list(petri, userId, 'meal')
    expect(meals.length).toBeGreaterThan(80)
    for (const { energy, macros, data } of meals) {
      // An egg has 0.2 g.
      expect(macros.cholesterol).toBeLessThan(1)
      const foods = Object.values(data) as Item[]
      expect(energy.value).toBeCloseTo(
        foods.reduce((total, food) => total + food.energy.value, 0),
        5,
      )
    }
    const profile = (await petri.get(`/v2/summary/profile/${userId}`)).body
    expect(profile).toMatchObject({ user_id: userId, birth_date: '1990-02-03', wheelchair_use: null })
    expect((await petri.get(`/v2/summary/profile/${userId}/raw`)).body.profile.id).toBe(profile.id)
    const { devices } = (await petri.get(`/v2/summary/devices/${userId}/raw`)).body
    const device = { user_id: userId, source_id: 16, source: { slug: 'apple_health_kit' } }
    expect(devices).toMatchObject([device, device])
    expect(toldOf(petri, 'provider.device.created').map(({ data }) => data.id)).toEqual(
      devices.map(({ id }: { id: string }) => id),
    )
    const [recording] = await list(petri, userId, 'electrocardiogram')
    expect(recording).toMatchObject({ voltage_sample_count: 15_360, sampling_frequency_hz: 512 })
  })

  it('come from devices that can measure them', async () => {
    const petri = await startTestWorld()
    const ringed = await wearer(petri, ['oura'])
    const weighings = await list(petri, ringed, 'body')
    expect(weighings.length).toBeGreaterThan(10)
    for (const { fat, water_percentage, source } of weighings)
      expect({ fat, water_percentage, type: source.type }).toEqual({
        fat: null,
        water_percentage: null,
        type: 'app',
      })
    const phoned = await wearer(petri, ['apple_health_kit'], { client_user_id: 'ben#type-2-diabetes' })
    for (const slug of ['glucose', 'blood_pressure']) {
      const { body } = await petri.get(`/v2/timeseries/${phoned}/${slug}/grouped?start_date=2025-12-28`)
      expect(body.groups.apple_health_kit[0].source.type).toBe('app')
    }
    const { body } = await petri.get(`/v2/timeseries/${phoned}/blood_pressure/grouped?start_date=2025-12-06`)
    const hours = body.groups.apple_health_kit[0].data.map(({ timestamp }: Item) => timestamp.slice(11, 13))
    expect(new Set(hours).size).toBeGreaterThan(5)
  })

  it('tell of cycles of those who have them, one after the other', async () => {
    const petri = await startTestWorld()
    let found = 0
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const userId = await wearer(petri, ['apple_health_kit'], { client_user_id: name })
      const cycles = await list(petri, userId, 'menstrual_cycle')
      const { sex, birth_date } = (await petri.get(`/v2/summary/profile/${userId}`)).body
      if (sex === 'male' || birth_date < '1965') expect(cycles).toEqual([])
      if (sex === 'female' && birth_date > '1985') expect(cycles.length).toBeGreaterThan(0)
      for (const { period_start, cycle_end } of cycles)
        if (cycle_end) expect(Date.parse(cycle_end) - Date.parse(period_start)).toBeGreaterThan(15 * DAY_MS)
      found += cycles.length
    }
    expect(found).toBeGreaterThan(0)
  })

  it('come raw as their provider sent them', { tags: 'slow' }, async () => {
    const petri = await startTestWorld()
    const userId = await wearer(petri)
    for (const resource of ['activity', 'sleep', 'workouts', 'body']) {
      const whole = await list(petri, userId, resource)
      const { body } = await petri.get(`/v2/summary/${resource}/${userId}/raw?start_date=2025-12-01`)
      const raw = Object.values(body)[0] as Item[]
      expect(raw.map(({ id }) => id)).toEqual(whole.map(({ id }) => id))
      expect(raw[0]).toMatchObject({
        source_id: 2,
        created_at: '0001-01-01T00:00:00Z',
        source: { slug: 'fitbit' },
      })
    }
  })

  it('are empty, and a profile is missing, where nobody is connected', async () => {
    const petri = await startTestWorld()
    const userId = await wearer(petri, [])
    for (const resource of ['activity', 'sleep', 'workouts', 'body', 'meal', 'sleep_cycle'])
      expect(await list(petri, userId, resource)).toEqual([])
    expect(await petri.get(`/v2/summary/profile/${userId}`)).toMatchObject({
      status: 404,
      body: { detail: 'Not found' },
    })
    expect(await petri.get(`/v2/summary/sleep/${userId}`)).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'missing', loc: ['query', 'start_date'] }] },
    })
    expect(
      await petri.get(`/v2/summary/sleep_cycle/${userId}?start_date=2026-01-01T10:00:00Z`),
    ).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['query', 'start_date'] }] },
    })
  })
})

describe('summaries that are put in', () => {
  it('replace the one of their day, or stand beside the others, and are told of', async () => {
    const petri = await startTestWorld()
    const userId = await wearer(petri)
    const [before] = await list(petri, userId, 'activity', 'start_date=2026-01-03&end_date=2026-01-03')
    const summary = { calendar_date: '2026-01-03', steps: 12 }
    expect(
      (await put(petri, userId, { resource: 'activity', provider: 'fitbit', summary })).body,
    ).toMatchObject({
      updated: 1,
      id: before.id,
      event_types: ['daily.data.activity.updated'],
    })
    const [after] = await list(petri, userId, 'activity', 'start_date=2026-01-03&end_date=2026-01-03')
    expect(after).toEqual({ ...before, steps: 12, updated_at: after.updated_at })
    expect(toldOf(petri, 'daily.data.activity.updated').at(-1)?.data).toEqual(after)
    const workout = {
      time_start: '2026-01-03T20:00:00+00:00',
      time_end: '2026-01-03T20:30:00+00:00',
      sport: { id: 57, name: 'Other', slug: 'other' },
    }
    const answer = await put(petri, userId, { resource: 'workouts', provider: 'strava', summary: workout })
    expect(answer.body).toMatchObject({ created: 1 })
    expect(await list(petri, userId, 'workouts', 'start_date=2026-01-03&provider=strava')).toMatchObject([
      workout,
    ])
    expect(toldOf(petri, 'daily.data.workout_stream.created').at(-1)?.data.workout_id).toBe(answer.body.id)
    const stream = await petri.get(`/v2/timeseries/workouts/${answer.body.id}/stream`)
    expect(stream.body.time).toEqual([])
  })

  it('may be of a device, whose changes are told of', async () => {
    const petri = await startTestWorld()
    const userId = await wearer(petri, ['oura'])
    await advance(petri, HOUR_MS)
    const device = { resource: 'device', provider: 'oura' }
    const change = { device_version: '2.1' }
    expect((await put(petri, userId, { ...device, summary: change })).body).toMatchObject({ updated: 1 })
    expect((await put(petri, userId, { ...device, summary: change })).body).toMatchObject({ event_types: [] })
    const scale = { device_model: 'Old scale' }
    const added = await put(petri, userId, { ...device, source_type: 'scale', summary: scale })
    expect(added.body).toMatchObject({ created: 1, event_types: ['provider.device.created'] })
    expect((await put(petri, userId, { ...device, summary: { model: 'x' } })).status).toBe(422)
    const types = told(petri).map(({ event_type }) => event_type)
    expect(types.filter((type) => type.startsWith('provider.device.'))).toEqual([
      'provider.device.created',
      'provider.device.updated',
      'provider.device.created',
    ])
    expect((await petri.get(`/v2/user/${userId}/device`)).body).toMatchObject([
      { source_type: 'ring', ...change },
      { source_type: 'scale', ...scale },
    ])
  })

  it('are refused when a field is missing or wrong', async () => {
    const petri = await startTestWorld()
    const userId = await wearer(petri, [])
    const count = told(petri).length
    for (const [resource, summary, field] of [
      ['workouts', { time_start: '2026-01-03T20:00:00+00:00' }, 'time_end'],
      ['activity', { calendar_date: '2026-01-03', steps: 'many' }, 'steps'],
      ['sleep', { calendar_date: '2026-01-03' }, 'bedtime_start'],
    ] as const) {
      const answer = await put(petri, userId, { resource, provider: 'fitbit', summary })
      expect(answer.status).toBe(422)
      const fields = answer.body.detail.map(({ loc }: { loc: string[] }) => loc.at(-1))
      expect(fields).toContain(field)
    }
    expect((await put(petri, userId, { resource: 'sleep', provider: 'fitbit', samples: [] })).status).toBe(
      422,
    )
    expect((await put(petri, userId, { resource: 'steps', provider: 'fitbit', summary: {} })).status).toBe(
      422,
    )
    expect(told(petri)).toHaveLength(count)
  })
})
