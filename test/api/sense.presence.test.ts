import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../src/kernel/instant.ts'
import { type Connection, connections } from '../../src/resources/connections/table.ts'
import { always, type Window } from '../../src/resources/sense/calendar.ts'
import { reliabilityOf } from '../../src/resources/sense/reliability.ts'
import { connection, connectionOf } from '../support/made-day.ts'
import { startTestWorld } from '../support/petri.ts'
import { put } from '../support/wearables.ts'

const TODAY = Date.parse('2026-01-05T00:00:00Z')
/** Days that end before the given one, today being the first. */
const days = (from: number, until: number): Window => ({
  from: TODAY + from * DAY_MS,
  until: TODAY + until * DAY_MS,
})

/** A connection that has ended before it collected anything, with measurements of these days. */
async function wearing(present: readonly number[], more: Partial<Connection> = {}) {
  const petri = await startTestWorld()
  const own = await connection(petri, 'fitbit')
  const known_since = TODAY - 30 * DAY_MS
  petri.world().db.put(connections, { ...own, known_since, periods: [], synced_until: null, ...more })
  const samples = present.map((day) => ({
    timestamp: new Date(TODAY + (day + 0.5) * DAY_MS).toISOString(),
    value: 60,
  }))
  await put(petri, own.user_id, { resource: 'heartrate', provider: 'fitbit', samples })
  const rows = (window: Window, resource = 'heartrate') =>
    [...reliabilityOf(petri.world(), own.user_id, window)].filter((row) => row?.item.resource === resource)
  return { petri, own, rows, row: (window: Window, resource?: string) => rows(window, resource)[0]?.item }
}

describe('the reliability of a source', () => {
  it.each([
    ['each of its days', [-4, -3, -2, -1, 0], [0, null, 0, null, null], [1, 'reliable']],
    ['four of five', [-4, -3, -2, -1], [1, 1, 1, 1, 0], [0.8, 'reliable']],
    ['the first and the last', [-4, 0], [1, 3, 0, 3, 0], [0.4, 'intermittent']],
    ['the one in the middle', [-2], [2, 2, 2, 2, 0], [0.2, 'unreliable']],
    ['the second', [-3], [2, 3, 3, 2, 1], [0.2, 'unreliable']],
    ['none of them', [], [1, 5, null, 5, 0], [0, 'no_data']],
    ['others alone', [-5, 1], [1, 5, null, 5, 0], [0, 'no_data']],
  ])('is told by its days and their gaps: data of %s', async (_, present, gaps, [coverage, status]) => {
    const { row } = await wearing(present)
    const [count, maximum, recency, mean, deviation] = gaps
    expect(row(days(-4, 1))).toEqual({
      ...{ source_provider: 'fitbit', source_type: 'watch', resource: 'heartrate' },
      ...{ window_start_date: '2026-01-01', window_end_date: '2026-01-05', window_duration_day: 5 },
      presence_day_count: Number(coverage) * 5,
      presence_coverage: coverage,
      presence_gap_count: count,
      presence_gap_maximum_day: maximum,
      presence_recency_day: recency,
      presence_gap_mean_day: mean,
      presence_gap_standard_deviation_day: deviation,
      reliability_status: status,
      connection_status: 'disconnected',
    })
  })

  it('is intermittent from three days of ten on', async () => {
    const { row } = await wearing([-8, -5, -2])
    expect(row(days(-9, 1))).toMatchObject({ presence_coverage: 0.3, reliability_status: 'intermittent' })
    expect(row(days(-10, 1))).toMatchObject({ reliability_status: 'unreliable' })
  })

  it.each([
    ['up to today, which is one of its days', days(-1, 9), '2026-01-04', '2026-01-05'],
    ['up to a day before', days(-2, -1), '2026-01-03', '2026-01-03'],
    ['of whole days', { from: TODAY - 1, until: TODAY + 1 }, '2026-01-04', '2026-01-05'],
    ['since the connection without a limit', always, '2025-12-06', '2026-01-05'],
  ])('is of days %s', async (_, window, from, until) => {
    const { row } = await wearing([0])
    expect(row(window)).toMatchObject({ window_start_date: from, window_end_date: until })
  })

  it('has no row of days to come', async () => {
    const { rows } = await wearing([0])
    expect(rows(days(1, 3))).toEqual([])
    expect(rows(days(0, 0))).toEqual([])
  })

  it('is at the first of its days, and not before the time that is asked for', async () => {
    const { rows } = await wearing([0])
    expect(rows(days(-1, 1))[0]?.at).toBe(TODAY - DAY_MS)
    expect(rows({ from: TODAY - 5, until: TODAY })[0]?.at).toBe(TODAY - 5)
  })

  it('is of each of its devices, and of the provider alone', async () => {
    const { petri, own, rows } = await wearing([-1])
    const sample = { timestamp: '2026-01-05T08:00:00Z', value: 60 }
    const body = { resource: 'heartrate', samples: [sample] }
    await put(petri, own.user_id, { ...body, provider: 'fitbit', source_type: 'scale' })
    await put(petri, own.user_id, { ...body, provider: 'oura' })
    expect(rows(days(-4, 1)).map((row) => [row?.item.source_type, row?.item.presence_day_count])).toEqual([
      ['watch', 1],
      ['scale', 1],
    ])
  })

  it('of summaries is told by their dates', async () => {
    const { petri, own, row } = await wearing([])
    for (const calendar_date of ['2026-01-02', '2026-01-04'])
      await put(petri, own.user_id, {
        resource: 'activity',
        provider: 'fitbit',
        summary: { calendar_date, steps: 5 },
      })
    await put(petri, own.user_id, {
      ...{ resource: 'activity', provider: 'oura' },
      summary: { calendar_date: '2026-01-03', steps: 5 },
    })
    expect(row(days(-4, 1), 'activity')).toMatchObject({
      ...{
        presence_day_count: 2,
        presence_gap_count: 3,
        presence_gap_maximum_day: 1,
        presence_recency_day: 1,
      },
    })
    expect(row(days(-3, -1), 'activity')).toMatchObject({ presence_day_count: 1, presence_recency_day: 1 })
  })

  it.each([
    ['error', { error: { message: 'no', error_type: 'token_refresh_failed' } as never }],
    ['paused', { paused: true }],
    ['disconnected', {}],
  ])('says that its connection is %s', async (status, more) => {
    const { row } = await wearing([0], more)
    expect(row(days(0, 1))).toMatchObject({ connection_status: status })
  })

  it('says that its connection is there', async () => {
    const { petri, own, row } = await wearing([0])
    petri.world().db.put(connections, {
      ...connectionOf(petri, own.user_id, 'fitbit'),
      periods: [{ from: petri.world().clock.now(), until: null }],
    })
    expect(row(days(0, 1))).toMatchObject({ connection_status: 'connected' })
  })
})
