import { beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '../../src/kernel/instant.ts'
import { startTestWorld, type TestPetri } from '../support/petri.ts'
import { advance, put, wearer } from '../support/wearables.ts'

let petri: TestPetri
beforeEach(async () => {
  petri = await startTestWorld()
})

const ask = (userId: string, query: object, timeframe: object) =>
  petri.post(`/aggregate/v1/user/${userId}/query`, { timeframe, queries: [query] })
const past = (days: number, anchor: string) => ({
  type: 'relative',
  anchor,
  past: { value: days, unit: 'day' },
})

const columns = [
  'source_provider',
  'source_type',
  'resource',
  'window_start_date',
  'window_end_date',
  'window_duration_day',
  'presence_day_count',
  'presence_coverage',
  'presence_gap_count',
  'presence_gap_maximum_day',
  'presence_recency_day',
  'presence_gap_mean_day',
  'presence_gap_standard_deviation_day',
  'reliability_status',
  'connection_status',
]

/** The row of one resource, by column. */
async function rowOf(userId: string, resource: string, timeframe: object) {
  const select = columns.map((column) => ({ reliability: column }))
  const { status, body } = await ask(userId, { select, where: `resource = '${resource}'` }, timeframe)
  expect(status, JSON.stringify(body)).toBe(200)
  const { table } = body.results[0]
  expect(Object.keys(table)).toEqual(columns)
  return Object.fromEntries(columns.map((column) => [column, table[column][0]]))
}

describe('the table of reliability', () => {
  it('says on how many days a source sent a resource', { tags: 'slow' }, async () => {
    const userId = await wearer(petri)
    await advance(petri, 10 * DAY_MS)
    expect(await rowOf(userId, 'activity', past(10, '2026-01-15'))).toMatchObject({
      source_provider: 'fitbit',
      window_end_date: '2026-01-15',
      window_duration_day: expect.any(Number),
      presence_gap_count: 0,
      presence_gap_maximum_day: null,
      presence_recency_day: 0,
      presence_coverage: 1,
      reliability_status: 'reliable',
      connection_status: 'connected',
    })
    const series = await rowOf(userId, 'heartrate', past(10, '2026-01-15'))
    expect(series.presence_day_count).toBe(series.window_duration_day)
  })

  it('measures the gaps, those before the first data and since the last included', async () => {
    const { body } = await petri.post('/v2/user', { client_user_id: 'rare' })
    const userId = body.user_id
    await petri.post('/v2/link/connect/demo', { user_id: userId, provider: 'fitbit' })
    await petri.call('DELETE', `/v2/user/${userId}/fitbit`)
    await advance(petri, 13 * DAY_MS)
    for (const day of ['2026-01-12', '2026-01-16']) {
      const samples = [{ timestamp: `${day}T12:00:00Z`, value: 60, unit: 'bpm' }]
      const answer = await put(petri, userId, { resource: 'heartrate', provider: 'fitbit', samples })
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    }
    const row = await rowOf(userId, 'heartrate', past(10, '2026-01-18'))
    const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY_MS
    const gaps = [
      daysBetween(row.window_start_date, '2026-01-12'),
      3,
      daysBetween('2026-01-16', row.window_end_date),
    ]
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / 3
    expect(row).toMatchObject({
      connection_status: 'disconnected',
      presence_day_count: 2,
      presence_coverage: 2 / row.window_duration_day,
      presence_gap_count: 3,
      presence_gap_maximum_day: Math.max(...gaps),
      presence_gap_mean_day: mean,
      presence_gap_standard_deviation_day: Math.sqrt(
        gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / 3,
      ),
      presence_recency_day: gaps[2],
      reliability_status: 'unreliable',
    })
  })

  it('can be aggregated, grouped and indexed, and knows its columns', { tags: 'slow' }, async () => {
    const userId = await wearer(petri, ['fitbit', 'oura'])
    await advance(petri, 3 * DAY_MS)
    const timeframe = past(3, '2026-01-08')
    const query = {
      select: [{ group_key: '*' }, { func: 'mean', arg: { reliability: 'presence_coverage' } }],
      group_by: [{ reliability: 'source_provider' }],
    }
    const grouped = (await ask(userId, query, timeframe)).body.results[0].table
    expect(grouped['group_key.0']).toEqual(['fitbit', 'oura'])
    expect(grouped['mean.presence_coverage'][0]).toBeGreaterThan(0)
    const { body } = await ask(userId, { select: [{ index: 'reliability' }] }, timeframe)
    expect(new Set(body.results[0].table.timestamp).size).toBe(1)
    expect((await ask(userId, { select: [{ reliability: 'mood' }] }, timeframe)).status).toBe(422)
    const mixed = { select: [{ reliability: 'resource' }, { sleep: 'score' }] }
    expect((await ask(userId, mixed, timeframe)).status).toBe(422)
  })

  it('has no row for a user without connections', async () => {
    const { body } = await petri.post('/v2/user', { client_user_id: 'nobody' })
    const answer = await ask(body.user_id, { select: [{ reliability: 'resource' }] }, past(3, '2026-01-05'))
    expect(answer.body.results[0].table).toEqual({ resource: [] })
  })
})
