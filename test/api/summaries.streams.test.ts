import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../src/kernel/instant.ts'
import { sessionId } from '../../src/resources/timeseries/service.ts'
import { connection } from '../support/made-day.ts'
import { deleteUser } from '../support/orders.ts'
import { forEachTest, startTestWorld } from '../support/petri.ts'
import { listSummaries, workout } from '../support/summaries.ts'
import { advance, put, wearer } from '../support/wearables.ts'

const petri = forEachTest()

describe('a stream', () => {
  it('of a summary that was put in is empty', async () => {
    const userId = await wearer(petri, [])
    const { id } = (
      await put(petri, userId, {
        resource: 'workouts',
        provider: 'strava',
        summary: workout('2026-01-03T10:00:00+00:00'),
      })
    ).body
    const body = await petri.read(`/v2/timeseries/workouts/${id}/stream`)
    const columns = [
      'cadence',
      'time',
      'altitude',
      'velocity_smooth',
      'heartrate',
      'lat',
      'lng',
      'distance',
      'power',
      'resistance',
      'temperature',
    ]
    expect(body).toEqual(Object.fromEntries(columns.map((column) => [column, []])))
    expect(await petri.read(`/v2/timeseries/sleep/${id}/stream`)).toEqual({
      hrv: [],
      heartrate: [],
      hypnogram: [],
      respiratory_rate: [],
    })
  })

  it('has the samples of its night', async () => {
    const userId = await wearer(petri)
    const [night] = await listSummaries(petri, userId, 'sleep', 'start_date=2026-01-04&end_date=2026-01-04')
    const body = await petri.read(`/v2/timeseries/sleep/${night.id}/stream`)
    const until = new Date(Date.parse(night.bedtime_stop) - 1).toISOString()
    for (const slug of ['hrv', 'heartrate', 'hypnogram', 'respiratory_rate']) {
      const query = `start_date=${night.bedtime_start.replace('+', '%2B')}&end_date=${until}`
      const { groups } = await petri.read(`/v2/timeseries/${userId}/${slug}/grouped?${query}`)
      expect(body[slug], slug).toEqual(groups.fitbit[0].data)
    }
  })

  it('is found of sessions that are over, by the id of one that there is', { tags: 'slow' }, async () => {
    const own = await connection(petri, 'oura')
    const world = petri.world()
    const status = async (kind: 'workout' | 'sleep', ordinal: number, date: string, index: number) => {
      const path = kind === 'workout' ? 'workouts' : 'sleep'
      const id = sessionId(world.random, { kind, ordinal, date, index })
      return (await petri.get(`/v2/timeseries/${path}/${id}/stream`)).status
    }
    const { ordinal } = own
    expect(await status('sleep', ordinal, '2026-01-04', 0)).toBe(200)
    expect(await status('sleep', ordinal, '2026-01-06', 0)).toBe(404)
    expect(await status('sleep', ordinal, '2026-01-04', 7)).toBe(404)
    expect(await status('sleep', ordinal + 1, '2026-01-04', 0)).toBe(404)
    expect(await status('workout', ordinal, '2026-01-04', 0)).toBe(200)
    expect(await status('workout', ordinal, '2026-01-04', 7)).toBe(404)
    expect(await status('workout', ordinal + 1, '2026-01-04', 0)).toBe(404)
    await advance(petri, 30 * HOUR_MS)
    expect(await status('sleep', ordinal, '2026-01-06', 0)).toBe(200)
    await deleteUser(petri, own.user_id)
    expect(await status('sleep', ordinal, '2026-01-04', 0)).toBe(404)
  })

  it('of a workout that has not ended is not found', { tags: 'slow' }, async () => {
    const userId = await wearer(petri)
    await advance(petri, 96 * HOUR_MS)
    const [first] = await listSummaries(petri, userId, 'workouts', 'start_date=2026-01-05T12:00:00Z')
    const before = await startTestWorld({ world: { now: petri.world().clock.now() - 96 * HOUR_MS } })
    await wearer(before)
    const stream = () => before.get(`/v2/timeseries/workouts/${first.id}/stream`)
    const end = Date.parse(first.time_end)
    await before.world().agenda.advanceTo(end - 1)
    expect(await stream()).toRefuse(404, 'Not found')
    // It can be read with the next sync, at an even hour.
    await before.world().agenda.advanceTo(Math.ceil(end / (2 * HOUR_MS)) * 2 * HOUR_MS)
    expect(await stream()).toAnswer(200)
  })
})
