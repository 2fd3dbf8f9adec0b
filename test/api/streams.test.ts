import { expect, it } from 'vitest'
import { DAY_MS } from '../../src/kernel/instant.ts'
import { forEachTest, startTestWorld } from '../support/petri.ts'
import { advance, toldOf, wearer } from '../support/wearables.ts'

const petri = forEachTest(startTestWorld)

it('a workout is streamed in rows of equal length that agree with its summary', {
  tags: 'slow',
}, async () => {
  const userId = await wearer(petri)
  const { workouts } = await petri.read(`/v2/summary/workouts/${userId}?start_date=2025-12-01`)
  for (const workout of workouts) {
    const { body, status } = await petri.get(`/v2/timeseries/workouts/${workout.id}/stream`)
    expect(status).toBe(200)
    expect(body.time[0]).toBe(Date.parse(workout.time_start) / 1000)
    // A row each five seconds, so that the last one may be up to four before the end.
    const rest = Date.parse(workout.time_end) / 1000 - body.time.at(-1)
    expect([0, 1, 2, 3, 4]).toContain(rest)
    const lengths = Object.values(body as Record<string, unknown[]>).map((row) => row.length)
    expect(lengths.filter((length) => length !== 0 && length !== body.time.length)).toEqual([])
    if (workout.distance !== null) expect(body.distance.at(-1)).toBeCloseTo(workout.distance, 0)
    expect(body.lat.length > 0).toBe(workout.map !== null)
  }
})

it('a night is streamed with its stages, beats, breaths and variability', async () => {
  const userId = await wearer(petri)
  const { sleep } = await petri.read(`/v2/summary/sleep/${userId}?start_date=2026-01-02`)
  const body = await petri.read(`/v2/timeseries/sleep/${sleep[0].id}/stream`)
  const seconds = body.hypnogram.reduce(
    (total: number, { start, end }: { start: string; end: string }) =>
      total + (Date.parse(end) - Date.parse(start)) / 1000,
    0,
  )
  expect(seconds).toBe(sleep[0].duration)
  expect(body.hypnogram[0].start).toBe(sleep[0].bedtime_start)
  for (const row of [body.heartrate, body.hrv]) expect(row.length).toBeGreaterThan(50)
  expect(body.respiratory_rate).toHaveLength(body.hypnogram.length)
})

it('what is no workout or sleep of this world is not found', async () => {
  const other = await startTestWorld({ world: { seed: '2' } })
  const userId = await wearer(other)
  await wearer(petri)
  const { workouts } = await other.read(`/v2/summary/workouts/${userId}?start_date=2025-12-28`)
  const { sleep } = await other.read(`/v2/summary/sleep/${userId}?start_date=2026-01-03`)
  for (const path of [`workouts/${workouts[0].id}`, `workouts/${sleep[0].id}`, `sleep/${sleep[0].id}`])
    expect(await petri.get(`/v2/timeseries/${path}/stream`)).toAnswer(404)
  expect(await petri.get('/v2/timeseries/sleep/none/stream')).toAnswer(422)
})

it('a finished workout is announced once, when its stream is available', { tags: 'slow' }, async () => {
  await wearer(petri)
  await advance(petri, 5 * DAY_MS)
  const workouts = toldOf(petri, 'daily.data.workouts.created')
  const streams = toldOf(petri, 'daily.data.workout_stream.created')
  for (const { data } of streams) expect(data.message).toContain(`/workouts/${data.workout_id}/stream`)
  expect(workouts.length).toBeGreaterThan(1)
  expect(streams.map(({ data }) => data.workout_id)).toEqual(workouts.map(({ data }) => data.id))
  for (const { data } of streams) {
    expect(data.message).toContain('/v2/timeseries/workouts/')
    expect(await petri.get(`/v2/timeseries/workouts/${data.workout_id}/stream`)).toAnswer(200)
  }
})

it('the zones, the mean and the maximum of a workout are those of its own stream', {
  tags: 'slow',
}, async () => {
  const userId = await wearer(petri)
  const { workouts } = await petri.read(`/v2/summary/workouts/${userId}?start_date=2025-12-01`)
  const profile = await petri.read(`/v2/summary/profile/${userId}`)
  expect(workouts.length).toBeGreaterThan(10)
  for (const workout of workouts) {
    const { heartrate, time } = await petri.read(`/v2/timeseries/workouts/${workout.id}/stream`)
    expect(workout.max_hr).toBe(Math.max(...heartrate))
    const mean = heartrate.reduce((sum: number, beats: number) => sum + beats, 0) / heartrate.length
    expect(Math.abs(workout.average_hr - mean)).toBeLessThanOrEqual(1)
    const days = (Date.parse(workout.calendar_date) - Date.parse(profile.birth_date)) / 86_400_000
    const highest = 220 - Math.floor(days / 365.25)
    const zones = [0, 0, 0, 0, 0, 0]
    const end = Date.parse(workout.time_end) / 1000
    for (const [at, beats] of heartrate.entries()) {
      const zone = [0.5, 0.6, 0.7, 0.8, 0.9].filter((share) => beats >= share * highest).length
      zones[zone] = (zones[zone] ?? 0) + (time[at + 1] ?? end) - time[at]
    }
    expect(workout.hr_zones).toEqual(zones)
  }
})
