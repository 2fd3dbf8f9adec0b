import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../src/kernel/instant.ts'
import { connection } from '../support/made-day.ts'
import { forEachTest, startTestWorld, type TestPetri } from '../support/petri.ts'
import { type Item, listSummaries, workout } from '../support/summaries.ts'
import { advance, put, wearer } from '../support/wearables.ts'

const petri = forEachTest()

const datesOf = (items: Item[]) => items.map(({ calendar_date }) => calendar_date)

describe('a list of summaries', () => {
  it('without an end has the day that has begun elsewhere', async () => {
    const petri = await startTestWorld({ world: { now: Date.parse('2026-01-05T20:00:00Z') } })
    const userId = await wearer(petri, ['fitbit'], { fallback_time_zone: 'Asia/Tokyo' })
    await advance(petri, 2 * HOUR_MS)
    const dates = async (query: string) => datesOf(await listSummaries(petri, userId, 'activity', query))
    expect(await dates('start_date=2026-01-05')).toEqual(['2026-01-05', '2026-01-06'])
    expect(await dates('start_date=2026-01-05&end_date=2026-01-05')).toEqual(['2026-01-05'])
    expect(await dates('start_date=2026-01-06&end_date=2026-01-06')).toEqual(['2026-01-06'])
  })

  it('has workouts by their start, whatever their local date, both ends included', async () => {
    const userId = await wearer(petri, [], { fallback_time_zone: 'Asia/Tokyo' })
    const starts = ['2026-01-02T23:30:00+00:00', '2026-01-03T10:00:00+00:00', '2026-01-04T10:00:00+00:00']
    for (const start of starts) {
      // The local date of each is the next day.
      const summary = {
        ...workout(start),
        calendar_date: new Date(Date.parse(start) + 15 * HOUR_MS).toISOString().slice(0, 10),
      }
      await put(petri, userId, { resource: 'workouts', provider: 'strava', summary })
    }
    const found = async (query: string) =>
      (await listSummaries(petri, userId, 'workouts', query)).map(({ time_start }) => time_start)
    expect(await found('start_date=2026-01-02')).toEqual(starts)
    expect(await found('start_date=2026-01-02&end_date=2026-01-02')).toEqual(starts.slice(0, 1))
    expect(await found('start_date=2026-01-03&end_date=2026-01-04')).toEqual(starts.slice(1))
    const within = (from: string, until: string) => found(`start_date=${from}&end_date=${until}`)
    expect(await within('2026-01-03T10:00:00Z', '2026-01-04T10:00:00Z')).toEqual(starts.slice(1))
    expect(await within('2026-01-03T10:00:01Z', '2026-01-04T10:00:00Z')).toEqual(starts.slice(2))
    expect(await within('2026-01-03T10:00:00Z', '2026-01-04T09:59:59Z')).toEqual(starts.slice(1, 2))
    // The local date of a workout may be the day before its date in UTC as well.
    const west = { ...workout('2026-01-05T02:00:00+00:00'), calendar_date: '2026-01-04' }
    await put(petri, userId, { resource: 'workouts', provider: 'strava', summary: west })
    expect(await within('2026-01-05T01:00:00Z', '2026-01-05T03:00:00Z')).toEqual([west.time_start])
  })

  it('is in the order of dates, with what was put in among the rest, of one provider or of all', async () => {
    const userId = await wearer(petri, ['fitbit', 'oura'])
    for (const date of ['2026-01-04', '2026-01-02'])
      await put(petri, userId, { resource: 'activity', provider: 'garmin', summary: { calendar_date: date } })
    const told = async (query = '', from = '02', until = '04') => {
      const window = `start_date=2026-01-${from}&end_date=2026-01-${until}`
      const listed = await listSummaries(petri, userId, 'activity', window + query)
      return listed.map(({ calendar_date, source }) => `${calendar_date.slice(8)} ${source.provider}`)
    }
    expect(await told()).toEqual([
      '02 fitbit',
      '02 oura',
      '02 garmin',
      '03 fitbit',
      '03 oura',
      '04 fitbit',
      '04 oura',
      '04 garmin',
    ])
    expect(await told('&provider=oura')).toEqual(['02 oura', '03 oura', '04 oura'])
    expect(await told('&provider=garmin')).toEqual(['02 garmin', '04 garmin'])
    expect(await told('&provider=garmin', '03', '04')).toEqual(['04 garmin'])
    expect(await told('&provider=garmin', '02', '03')).toEqual(['02 garmin'])
  })

  it('begins with the night that had begun when the data begin, and ends with them', {
    tags: 'slow',
  }, async () => {
    const own = await connection(petri, 'apple_health_kit')
    await advance(petri, 30 * HOUR_MS)
    await petri.delete(`/v2/user/${own.user_id}/apple_health_kit`)
    await advance(petri, 72 * HOUR_MS)
    const activities = await listSummaries(petri, own.user_id, 'activity', 'start_date=2025-01-01')
    const dates = datesOf(activities)
    expect(activities.at(-1).updated_at).toBe('2026-01-06T15:00:00+00:00')
    const from = own.periods[0]?.from ?? 0
    expect(dates[0]).toBe(new Date(from).toISOString().slice(0, 10))
    expect(dates.at(-1)).toBe('2026-01-06')
  })

  it('has nothing of a kind that the provider does not send', async () => {
    const { user_id } = await connection(petri, 'whoop')
    const window = 'start_date=2026-01-04&end_date=2026-01-04'
    expect(await listSummaries(petri, user_id, 'sleep', window)).toHaveLength(1)
    for (const resource of ['activity', 'body', 'workouts', 'meal'])
      expect(await listSummaries(petri, user_id, resource, window), resource).toEqual([])
  })

  it.each([
    ['sleep_cycle', 'sleep_cycle'],
    ['electrocardiogram', 'electrocardiogram'],
    ['menstrual_cycle', 'menstrual_cycle'],
    ['meal', 'meals'],
    ['workouts', 'workouts'],
    ['activity', 'activity'],
    ['sleep', 'sleep'],
    ['body', 'body'],
  ])('of %s is named %s, and refuses a malformed date', async (resource, key) => {
    const userId = await wearer(petri, [])
    expect(await petri.read(`/v2/summary/${resource}/${userId}?start_date=2026-01-01`)).toEqual({
      [key]: [],
    })
    expect(await petri.get(`/v2/summary/${resource}/${userId}?start_date=soon`)).toAnswer(422)
  })

  it('that takes dates alone has the days from the first to the last', async () => {
    const userId = await wearer(petri, ['oura'])
    const days = async (query: string) =>
      (await listSummaries(petri, userId, 'sleep_cycle', query))
        .map(({ session_end }) => session_end.slice(0, 10))
        .filter((date, nth, all) => date !== all[nth - 1])
    expect(await days('start_date=2026-01-02&end_date=2026-01-04')).toEqual([
      '2026-01-02',
      '2026-01-03',
      '2026-01-04',
    ])
    expect(await days('start_date=2026-01-03&end_date=2026-01-03')).toEqual(['2026-01-03'])
    expect(await days('start_date=2026-01-04')).toEqual(['2026-01-04', '2026-01-05'])
    expect(await days('start_date=2026-01-04&provider=fitbit')).toEqual([])
  })

  it('that was put in replaces the other', async () => {
    const userId = await wearer(petri, ['oura'])
    const answer = await put(petri, userId, {
      resource: 'profile',
      provider: 'oura',
      summary: { height: 201 },
    })
    expect(answer.body).toMatchObject({ updated: 1 })
    expect(await petri.read(`/v2/summary/profile/${userId}`)).toMatchObject({
      id: answer.body.id,
      height: 201,
    })
  })
})

describe('what providers sent', () => {
  const raw = async (petri: TestPetri, userId: string, resource: string) => {
    const body = await petri.read(
      `/v2/summary/${resource}/${userId}/raw?start_date=2026-01-04&end_date=2026-01-04`,
    )
    return (Object.values(body)[0] as Item[])[0]
  }

  it.each([
    ['activity', ({ calendar_date }: Item) => `${calendar_date}T00:00:00+00:00`, []],
    ['body', ({ calendar_date }: Item) => `${calendar_date}T00:00:00+00:00`, []],
    ['sleep', ({ bedtime_start }: Item) => bedtime_start, ['sleep_stream']],
    ['workouts', ({ time_start }: Item) => time_start, ['provider_id', 'user_key']],
  ] as const)('of %s is the summary without what the service adds', async (resource, timestamp, more) => {
    const userId = await wearer(petri)
    const [item] = await listSummaries(petri, userId, resource, 'start_date=2026-01-04&end_date=2026-01-04')
    const added = ['id', 'user_id', 'source', 'created_at', 'updated_at', ...more]
    const isWorkout = resource === 'workouts'
    expect(await raw(petri, userId, resource)).toEqual({
      timestamp: timestamp(item),
      data: Object.fromEntries(Object.entries(item).filter(([name]) => !added.includes(name))),
      user_id: userId,
      provider_id: isWorkout ? item.provider_id : item.id,
      source_id: 2,
      priority_id: 1,
      id: item.id,
      source_device_id: null,
      created_at: '0001-01-01T00:00:00Z',
      updated_at: '0001-01-01T00:00:00Z',
      source: { name: 'Fitbit', slug: 'fitbit', logo: item.source.logo },
      ...(isWorkout && { sport_id: item.sport.id, sport: item.sport }),
    })
    for (const name of added) expect(item, name).toHaveProperty(name)
  })

  it('of devices is of all, or of one provider', async () => {
    const userId = await wearer(petri, [])
    const summary = {
      device_manufacturer: 'Acme',
      device_model: 'One',
      device_version: '3',
      device_id: 'acme-1',
    }
    await put(petri, userId, { resource: 'device', provider: 'oura', summary })
    await put(petri, userId, { resource: 'device', provider: 'withings', source_type: 'scale', summary: {} })
    const devices = async (query = '') =>
      (await petri.read(`/v2/summary/devices/${userId}/raw${query}`)).devices
    const [ring, scale] = await devices()
    expect(ring).toEqual({
      data: { manufacturer: 'Acme', model: 'One', version: '3', type: 'ring' },
      provider_id: 'acme-1',
      user_id: userId,
      source_id: 1,
      id: ring.id,
      source: expect.objectContaining({ slug: 'oura' }),
    })
    expect(scale).toMatchObject({ provider_id: expect.any(String), source_id: 15, data: { type: 'scale' } })
    expect(await devices('?provider=oura')).toEqual([ring])
    expect(await devices('?provider=withings')).toEqual([scale])
    expect(await devices('?provider=polar')).toEqual([])
  })
})
