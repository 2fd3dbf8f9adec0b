import { describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../src/kernel/instant.ts'
import { routeOf } from '../../src/people/routes.ts'
import { streamOf } from '../../src/resources/summaries/workouts.ts'
import { workoutOf } from '../support/lives.ts'
import { at, cycling, evenly, noon, running, trained, yoga } from '../support/made-day.ts'

describe('a stream', () => {
  it('of a runner has a point each five seconds, as the watch saw it', async () => {
    const { day } = await trained([noon(running, { intensity: 1.1 })])
    const run = noon(running, { intensity: 1.1 })
    const stream = streamOf(day, run)
    const columns = [
      'altitude',
      'cadence',
      'distance',
      'heartrate',
      'lat',
      'lng',
      'temperature',
      'time',
      'velocity_smooth',
    ]
    for (const column of columns) expect(stream[column as 'time'], column).toHaveLength(243)
    expect(stream).toMatchObject({ power: [], resistance: [] })
    expect(stream.time.slice(0, 2)).toEqual([at(12) / 1000, at(12) / 1000 + 5])
    expect(new Set(stream.cadence)).toEqual(new Set([176]))
    expect([stream.distance[0], stream.distance.at(-1)]).toEqual([0, 1600])
    const route = routeOf(day, run)
    for (const nth of [0, 100, 242]) {
      const share = (stream.distance[nth] ?? 0) / 1600
      expect(stream.altitude[nth]).toBeCloseTo(route?.heightAt(share) ?? 0, 0)
      const [latitude = 0, longitude = 0] = route?.placeAt(share) ?? []
      expect(stream.lat[nth]).toBeCloseTo(latitude, 5)
      expect(stream.lng[nth]).toBeCloseTo(longitude, 5)
    }
    for (const [nth, speed] of stream.velocity_smooth.entries()) {
      const metres =
        nth === 0 ? stream.distance[1] : (stream.distance[nth] ?? 0) - (stream.distance[nth - 1] ?? 0)
      expect(Math.abs(speed - (metres ?? 0) / 5)).toBeLessThan(0.03)
    }
    expect(new Set(stream.temperature).size).toBe(1)
    expect(stream.temperature[0]).toBeGreaterThanOrEqual(8)
    expect(stream.temperature[0]).toBeLessThanOrEqual(22)
  })

  it.each([
    [0, 155, 132],
    [0.5, 160, 165],
    [1, 165, 198],
  ])('varies by chance: at %s, %i steps a minute and %i watts', async (chance, cadence, power) => {
    const { day } = await trained([noon(running)])
    const varied = { ...day, noise: evenly(chance) }
    expect(streamOf(varied, noon(running)).cadence[7]).toBe(cadence)
    expect(streamOf(varied, noon(cycling)).power[7]).toBe(power)
  })

  it('has nulls between powers where the meter has gaps, and the resistance of a machine', async () => {
    const { day: made } = await trained([noon(cycling)])
    const day = { ...made, noise: () => (nth: number) => (nth * 0.618) % 1 }
    const of = (part: object) => streamOf(day, noon(cycling), [], part)
    const { power } = of({ gaps: true })
    const missing = power.filter((watts) => watts === null).length
    expect(missing).toBeGreaterThan(0)
    expect(missing / power.length).toBeLessThan(0.1)
    expect(of({ gaps: false }).power).not.toContain(null)
    expect(of({}).resistance).toEqual([])
    expect(of({ resistance: true }).resistance).toHaveLength(power.length)
    expect(streamOf(day, noon(cycling), ['average_watts'], { resistance: true })).toMatchObject({
      power: [],
      resistance: [],
    })
  })

  it('has the beats of each instant', async () => {
    const { day } = await trained([noon(running)])
    // A beat more each minute from noon.
    const heart = () => Float32Array.from({ length: 1441 }, (_, minute) => minute - 620)
    const { heartrate } = streamOf(
      { ...day, deviceBeats: 0, minutes: { ...day.minutes, heart } },
      noon(running),
    )
    expect([0, 12, 120, 240].map((point) => heartrate[point])).toEqual([100, 101, 110, 120])
  })

  it('of satellites is off by half a metre', async () => {
    const { day } = await trained([noon(running)])
    const noise = (chance: number) => (purpose: string) => () => (purpose.startsWith('stream') ? chance : 0.5)
    const places = (chance: number) => streamOf({ ...day, noise: noise(chance) }, noon(running))
    const west = places(0)
    const true_ = places(0.5)
    const east = places(1)
    for (const axis of ['lat', 'lng'] as const) {
      expect((east[axis][50] ?? 0) - (true_[axis][50] ?? 0)).toBeCloseTo(4e-6, 5.6)
      expect((east[axis][50] ?? 0) - (west[axis][50] ?? 0)).toBeCloseTo(8e-6, 5.6)
    }
  })

  it('of a cyclist has power and places, and no cadence', async () => {
    const { day } = await trained([noon(cycling)])
    const stream = streamOf(day, noon(cycling))
    expect(stream.cadence).toEqual([])
    expect(new Set(stream.power)).toEqual(new Set([165]))
    expect(stream.lat).toHaveLength(243)
    expect(stream.distance.at(-1)).toBe(7272)
  })

  it('on the spot has beats and instants alone', async () => {
    const { day } = await trained([noon(yoga)])
    const { time, heartrate, ...rest } = streamOf(day, noon(yoga))
    expect([time.length, heartrate.length]).toEqual([243, 243])
    for (const [column, points] of Object.entries(rest)) expect(points, column).toEqual([])
  })

  it('ends with a point if its length is a multiple of five seconds', async () => {
    const { day } = await trained([])
    const minute = workoutOf(at(12), at(12) + MINUTE_MS, yoga)
    expect(streamOf(day, minute).time.at(-1)).toBe(at(12, 1) / 1000)
  })
})
