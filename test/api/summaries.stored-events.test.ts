import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../src/kernel/instant.ts'
import { devices } from '../../src/resources/connections/table.ts'
import { getSummary } from '../../src/resources/summaries/service.ts'
import { prepareSummary, putSummary } from '../../src/resources/summaries/storing.ts'
import { storedSummaries } from '../../src/resources/summaries/table.ts'
import { storedFeeds, storedSamples } from '../../src/resources/timeseries/table.ts'
import { field } from '../support/field.ts'
import { deleteUser } from '../support/orders.ts'
import { forEachTest, startTestWorld } from '../support/petri.ts'
import { type Item, night, sport, storeSummary } from '../support/summaries.ts'
import { advance, put, told, toldOf, wearer } from '../support/wearables.ts'

const petri = forEachTest()

describe('an event of a summary that is put in', () => {
  it('has the summary, and is sent again if nothing has changed', async () => {
    const userId = await wearer(petri, [])
    const body = { resource: 'activity', provider: 'garmin', summary: { calendar_date: '2026-01-03' } }
    const { row } = await storeSummary(petri, userId, body)
    await storeSummary(petri, userId, body)
    expect(told(petri).map(field('event_type'))).toEqual([
      'daily.data.activity.created',
      'daily.data.activity.updated',
    ])
    expect(told(petri)[0]).toMatchObject({ user_id: userId, client_user_id: 'ada', data: row.item })
  })

  it('of a workout comes with the one of its stream', async () => {
    const userId = await wearer(petri, [])
    const summary = { time_start: '2026-01-03T08:00:00+00:00', time_end: '2026-01-03T08:30:00+00:00', sport }
    const { id, row } = await storeSummary(petri, userId, {
      resource: 'workouts',
      provider: 'strava',
      summary,
    })
    expect(told(petri).map(field('event_type'))).toEqual([
      'daily.data.workouts.created',
      'daily.data.workout_stream.created',
    ])
    expect(toldOf(petri, 'daily.data.workout_stream.created')[0]?.data).toEqual({
      user_id: userId,
      workout_id: id,
      provider_id: id,
      message: `The stream is read with GET /v2/timeseries/workouts/${id}/stream.`,
      source: row.item.source,
      sport,
    })
    await storeSummary(petri, userId, {
      resource: 'workouts',
      provider: 'strava',
      summary: { ...summary, id, title: 'Run' },
    })
    expect(toldOf(petri, 'daily.data.workout_stream.updated')).toHaveLength(1)
  })
})

describe('a summary that is stored with events of changes alone, or with none', () => {
  /** Stores activities of one day, and tells of which steps an event came. */
  async function storing(kind: 'changes' | 'none', ...steps: number[]) {
    const petri = await startTestWorld()
    const userId = await wearer(petri, [])
    const prepared = steps.map((count) =>
      prepareSummary(petri.world(), {
        userId,
        summary: getSummary('activity'),
        provider: 'garmin',
        item: { id: '5e0ac2f4-8d0e-4a55-9a38-0f2a3bfa1e11', calendar_date: '2026-01-03', steps: count },
      }),
    )
    for (const one of prepared) putSummary(petri.world(), one, kind)
    const [row] = petri.world().db.all(storedSummaries)
    return {
      kept: row?.item?.steps,
      events: told(petri).map(({ event_type, data }) => [event_type.split('.').at(-1), data.steps]),
    }
  }

  it('is announced once, and again when it differs from what is stored by then', async () => {
    expect(await storing('changes', 5, 5, 6)).toEqual({
      kept: 6,
      events: [
        ['created', 5],
        ['updated', 6],
      ],
    })
    expect(await storing('none', 5, 6)).toEqual({ kept: 6, events: [] })
  })

  it('is no change if it is what was known before', async () => {
    const userId = await wearer(petri, [])
    const item = { calendar_date: '2026-01-03', steps: 5 }
    const prepare = (steps: number) =>
      prepareSummary(petri.world(), {
        userId,
        summary: getSummary('activity'),
        provider: 'garmin',
        item: { ...item, steps },
      })
    expect(prepare(5)).toMatchObject({ what: 'created', isChange: true })
    putSummary(petri.world(), prepare(5), 'changes')
    expect(prepare(5)).toMatchObject({ what: 'updated', isChange: false })
    expect(prepare(6)).toMatchObject({ what: 'updated', isChange: true })
  })
})

describe('a summary is refused', () => {
  const refused = async (resource: string, summary: object) => {
    const userId = await wearer(petri, [])
    const { status, body } = await put(petri, userId, { resource, provider: 'google_health', summary })
    expect(status).toBe(422)
    expect(told(petri)).toEqual([])
    return body.detail as Item[]
  }

  it.each([
    ['workouts', 'time_start', 'time_end', { sport }],
    ['sleep', 'bedtime_start', 'bedtime_stop', night],
    ['electrocardiogram', 'session_start', 'session_end', { voltage_sample_count: 1 }],
  ])('whose end is before its start: %s', async (resource, start, end, more) => {
    const from = '2026-01-03T08:00:00+00:00'
    const until = '2026-01-03T07:59:59+00:00'
    expect(await refused(resource, { ...more, [start]: from, [end]: until })).toEqual([
      expect.objectContaining({ type: 'value_error', loc: ['body', 'summary', end], input: until }),
    ])
    const userId = await wearer(petri, [])
    await storeSummary(petri, userId, {
      resource,
      provider: 'google_health',
      summary: { ...more, [start]: from, [end]: from },
    })
  })

  it('whose period ends before it starts', async () => {
    const detail = await refused('menstrual_cycle', { period_start: '2026-01-03', period_end: '2026-01-02' })
    expect(detail).toMatchObject([{ loc: ['body', 'summary', 'period_end'] }])
    expect(detail[0].msg).toContain('period_end is before period_start')
  })

  it('with a field that it does not have, one that is missing, and one of another kind', async () => {
    expect(await refused('activity', { calendar_date: '2026-01-03', paces: 3 })).toMatchObject([
      { type: 'value_error', loc: ['body', 'summary'], msg: expect.stringContaining('paces'), input: null },
    ])
    expect(await refused('meal', { timestamp: '2026-01-03T08:00:00+00:00' })).toMatchObject([
      { loc: ['body', 'summary', 'name'], input: null },
    ])
    expect(await refused('activity', { calendar_date: '2026-01-03', steps: 'many' })).toEqual([
      { type: 'value_error', loc: ['body', 'summary', 'steps'], msg: expect.any(String), input: 'many' },
    ])
  })
})

it('summaries, samples and devices of a user without a connection are erased with the user', async () => {
  const ada = await wearer(petri, [])
  const bob = await wearer(petri, [], { client_user_id: 'bob' })
  const samples = [{ timestamp: '2026-01-03T08:00:00Z', start: '2026-01-03T08:00:00Z', value: 60 }]
  for (const userId of [ada, bob]) {
    await storeSummary(petri, userId, {
      resource: 'activity',
      provider: 'garmin',
      summary: { calendar_date: '2026-01-03' },
    })
    await put(petri, userId, { resource: 'heartrate', provider: 'garmin', samples })
    await put(petri, userId, { resource: 'device', provider: 'garmin', summary: {} })
  }
  const { db } = petri.world()
  const ownersOf = (rows: Iterable<{ readonly user_id: string }>) => [...rows].map(field('user_id'))
  const owners = () => [db.all(storedSummaries), db.all(storedFeeds), db.all(devices)].map(ownersOf)
  expect(owners()).toEqual(Array(3).fill([ada, bob]))
  await deleteUser(petri, ada)
  expect(owners()).toEqual(Array(3).fill([ada, bob]))
  await advance(petri, 8 * DAY_MS)
  expect(owners()).toEqual(Array(3).fill([bob]))
  expect(db.count(storedSamples)).toBe(1)
})
