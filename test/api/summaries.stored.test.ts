import { describe, expect, it } from 'vitest'
import { storedSummaries } from '../../src/resources/summaries/table.ts'
import { forEachTest } from '../support/petri.ts'
import { type Item, night, sport, storeSummary } from '../support/summaries.ts'
import { put, wearer } from '../support/wearables.ts'

const petri = forEachTest()

const noStages = { stage_start_offset_second: [], stage_end_offset_second: [], stage_type: [] }
const NOW = '2026-01-05T09:00:00+00:00'

describe('a summary that is put in', () => {
  it('is refused with the id of a summary of another kind or user', async () => {
    const userId = await wearer(petri, [])
    const otherId = await wearer(petri, [], { client_user_id: 'other' })
    const summary = { id: '5e0ac2f4-8d0e-4a55-9a38-0f2a3bfa1e11', ...night }
    const { row } = await storeSummary(petri, userId, { resource: 'sleep', provider: 'oura', summary })
    const cycle = {
      id: summary.id,
      session_start: night.bedtime_start,
      session_end: night.bedtime_stop,
      sleep_id: null,
      ...noStages,
    }
    for (const answer of [
      await put(petri, otherId, { resource: 'sleep', provider: 'oura', summary }),
      await put(petri, userId, { resource: 'sleep_cycle', provider: 'oura', summary: cycle }),
    ]) {
      expect(answer).toAnswer(422)
      expect(answer.body.detail).toMatchObject([{ loc: ['body', 'summary', 'id'], input: summary.id }])
    }
    expect(petri.world().db.find(storedSummaries, summary.id)).toEqual(row)
  })

  it('has all its fields: those that are not given are null, false or empty', async () => {
    const userId = await wearer(petri, [])
    const source = (provider: string, type: string) =>
      expect.objectContaining({ provider, type, device_id: null })
    const activity = await storeSummary(petri, userId, {
      resource: 'activity',
      provider: 'garmin',
      summary: { calendar_date: '2026-01-03', steps: 12 },
    })
    expect(activity.row).toEqual({
      id: activity.id,
      user_id: userId,
      resource: 'activity',
      provider: 'garmin',
      date: '2026-01-03',
      item: {
        id: activity.id,
        user_id: userId,
        date: '2026-01-03T00:00:00+00:00',
        calendar_date: '2026-01-03',
        steps: 12,
        calories_total: null,
        calories_active: null,
        daily_movement: null,
        distance: null,
        low: null,
        medium: null,
        high: null,
        floors_climbed: null,
        heart_rate: null,
        time_zone: null,
        timezone_offset: null,
        wheelchair_use: null,
        wheelchair_push: null,
        source: source('garmin', 'watch'),
        created_at: NOW,
        updated_at: NOW,
      },
    })
    const meal = await storeSummary(petri, userId, {
      resource: 'meal',
      provider: 'cronometer',
      summary: { name: 'Soup', timestamp: '2026-01-03T12:00:00+00:00', calendar_date: '2026-01-03' },
    })
    expect(meal.row.item).toMatchObject({
      provider_id: meal.id,
      source_id: 34,
      priority_id: 1,
      energy: null,
      macros: null,
      data: {},
      source: source('cronometer', 'app'),
    })
    const cycle = await storeSummary(petri, userId, {
      resource: 'menstrual_cycle',
      provider: 'apple_health_kit',
      source_type: 'phone',
      summary: { period_start: '2026-01-03' },
    })
    expect(cycle.row).toMatchObject({
      date: '2026-01-03',
      item: {
        source_provider: 'apple_health_kit',
        source_type: 'phone',
        source_app_id: null,
        is_predicted: false,
        period_end: null,
        menstrual_flow: [],
        source: source('apple_health_kit', 'phone'),
      },
    })
    for (const field of ['date', 'calendar_date', 'provider_id', 'source_id', 'user_key'])
      expect(cycle.row.item).not.toHaveProperty(field)
    for (const field of ['provider_id', 'source_id', 'source_provider', 'user_key'])
      expect(activity.row.item).not.toHaveProperty(field)
  })

  it('of a workout names its user and provider', async () => {
    const userId = await wearer(petri, [])
    const summary = { time_start: '2026-01-03T08:00:00+00:00', time_end: '2026-01-03T08:30:00+00:00', sport }
    const { id, row } = await storeSummary(petri, userId, {
      resource: 'workouts',
      provider: 'withings',
      summary,
    })
    expect(row).toMatchObject({
      date: '2026-01-03',
      item: { provider_id: id, user_key: userId, calendar_date: '2026-01-03', title: null, hr_zones: null },
    })
    expect(row.item).not.toHaveProperty('source_id')
    const { workouts } = await petri.read(`/v2/summary/workouts/${userId}?start_date=2026-01-03`)
    expect(workouts).toEqual([row.item])
  })

  it.each([
    ['activity', { calendar_date: '2026-01-02' }, '2026-01-02'],
    ['activity', { date: '2026-01-02T00:00:00+00:00' }, '2026-01-02'],
    ['activity', { calendar_date: '2026-01-02', date: '2026-01-01T00:00:00+00:00' }, '2026-01-02'],
    ['activity', {}, '2026-01-05'],
    [
      'workouts',
      { time_start: '2026-01-02T08:00:00+00:00', time_end: '2026-01-03T08:00:00+00:00', sport },
      '2026-01-02',
    ],
    ['meal', { name: 'Soup', timestamp: '2026-01-02T08:00:00+00:00' }, '2026-01-02'],
    ['sleep', night, '2026-01-03'],
    ['menstrual_cycle', { period_start: '2026-01-02' }, '2026-01-02'],
    [
      'electrocardiogram',
      {
        session_start: '2026-01-02T08:00:00+00:00',
        session_end: '2026-01-03T08:00:00+00:00',
        voltage_sample_count: 1,
      },
      '2026-01-02',
    ],
  ])('of %s with %j is of %s', async (resource, summary, date) => {
    const userId = await wearer(petri, [])
    const { row } = await storeSummary(petri, userId, { resource, provider: 'google_health', summary })
    expect(row.date).toBe(date)
    if ('calendar_date' in row.item) expect(row.item.calendar_date).toBe(date)
  })

  it.each([
    ['activity', { calendar_date: '2026-01-03' }, true],
    ['body', { calendar_date: '2026-01-03' }, true],
    ['sleep', night, true],
    ['profile', {}, true],
    ['meal', { name: 'Soup', timestamp: '2026-01-03T08:00:00+00:00' }, false],
    [
      'workouts',
      { time_start: '2026-01-03T08:00:00+00:00', time_end: '2026-01-03T09:00:00+00:00', sport },
      false,
    ],
  ])('a second time, of %s: %j replaces the first: %s', async (resource, summary, replaces) => {
    const userId = await wearer(petri, [])
    const body = { resource, provider: 'google_health', summary }
    const first = await storeSummary(petri, userId, body)
    expect(first).toMatchObject({ created: 1, updated: 0, event_types: [`daily.data.${resource}.created`] })
    const again = await storeSummary(petri, userId, body)
    expect(again).toMatchObject({ created: replaces ? 0 : 1, updated: replaces ? 1 : 0 })
    expect(again.id === first.id).toBe(replaces)
    // Another provider has its own.
    expect(await storeSummary(petri, userId, { ...body, provider: 'samsung_health' })).toMatchObject({
      created: 1,
    })
    // One with an id replaces the one with that id, and no other.
    const named = { ...body, summary: { ...summary, id: first.id } }
    expect(await storeSummary(petri, userId, named)).toMatchObject({ updated: 1, id: first.id })
    const id = '5e0ac2f4-8d0e-4a55-9a38-0f2a3bfa1e11'
    expect(await storeSummary(petri, userId, { ...body, summary: { ...summary, id } })).toMatchObject({
      created: 1,
      id,
    })
  })

  it('keeps what it does not change, but for when it was updated', async () => {
    const userId = await wearer(petri, [])
    const body = { resource: 'activity', provider: 'garmin' }
    const first = await storeSummary(petri, userId, {
      ...body,
      summary: { calendar_date: '2026-01-03', steps: 12, low: 3 },
    })
    await petri.world().agenda.advanceTo(Date.parse('2026-01-05T10:00:00Z'))
    const second = await storeSummary(petri, userId, {
      ...body,
      summary: { calendar_date: '2026-01-03', steps: 13 },
    })
    expect(second.row.item).toEqual({ ...first.row.item, steps: 13, updated_at: '2026-01-05T10:00:00+00:00' })
    expect(second.row.item.created_at).toBe(NOW)
  })

  it('replaces the night rather than a nap, and the longest of several', async () => {
    const userId = await wearer(petri, [])
    const ids = ['5e0ac2f4-8d0e-4a55-9a38-0f2a3bfa1e11', '5e0ac2f4-8d0e-4a55-9a38-0f2a3bfa1e12']
    const nap = {
      ...night,
      bedtime_start: '2026-01-03T13:00:00+00:00',
      bedtime_stop: '2026-01-03T14:00:00+00:00',
    }
    const sleep = (summary: object) =>
      storeSummary(petri, userId, { resource: 'sleep', provider: 'oura', summary })
    await sleep({ ...night, id: ids[0] })
    await sleep({ ...nap, id: ids[1], calendar_date: '2026-01-03' })
    expect(await sleep({ calendar_date: '2026-01-03', score: 50 })).toMatchObject({ updated: 1, id: ids[0] })
    const cycles = ['5e0ac2f4-8d0e-4a55-9a38-0f2a3bfa1e13', '5e0ac2f4-8d0e-4a55-9a38-0f2a3bfa1e14']
    const session = (start: string, end: string) => ({
      session_start: start,
      session_end: end,
      sleep_id: ids[0],
      ...noStages,
    })
    const cycle = (summary: object) =>
      storeSummary(petri, userId, { resource: 'sleep_cycle', provider: 'oura', summary })
    await cycle({ ...session('2026-01-03T01:00:00+00:00', '2026-01-03T06:00:00+00:00'), id: cycles[0] })
    await cycle({ ...session('2026-01-03T13:00:00+00:00', '2026-01-03T14:00:00+00:00'), id: cycles[1] })
    const { id } = await cycle(session('2026-01-03T00:00:00+00:00', '2026-01-03T06:00:00+00:00'))
    expect(id).toBe(cycles[0])
  })

  it('replaces what was generated for its day', async () => {
    const userId = await wearer(petri)
    const read = async () =>
      (await petri.read(`/v2/summary/sleep/${userId}?start_date=2026-01-03&end_date=2026-01-03`)).sleep
    const before: Item[] = await read()
    const answer = await storeSummary(petri, userId, {
      resource: 'sleep',
      provider: 'fitbit',
      summary: { calendar_date: '2026-01-03', score: 7 },
    })
    expect(answer).toMatchObject({ updated: 1, id: before[0].id })
    expect(await read()).toEqual([...before.slice(1), { ...before[0], score: 7, updated_at: NOW }])
  })

  it('of a user that does not exist is refused', async () => {
    const body = { resource: 'activity', provider: 'garmin', summary: {} }
    expect(await put(petri, '2f1b5c9e-3d35-4b4e-8f43-6b1b7a3f0c11', body)).toAnswer(404)
  })
})
