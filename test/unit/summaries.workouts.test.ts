import { describe, expect, it } from 'vitest'
import type { Day } from '../../src/people/day.ts'
import { deviceFactor } from '../../src/people/devices.ts'
import { highestHeart } from '../../src/people/person.ts'
import { routeOf } from '../../src/people/routes.ts'
import { beatsOf, streamOf } from '../../src/resources/summaries/workouts.ts'
import { dayOfConnection } from '../../src/resources/timeseries/service.ts'
import { workoutOf } from '../support/lives.ts'
import {
  at,
  connection,
  cycling,
  DATE,
  made,
  moving,
  noon,
  OVER,
  running,
  trained,
  yoga,
} from '../support/made-day.ts'
import { startTestWorld } from '../support/petri.ts'

describe('a workout', () => {
  it('of a runner has steps, metres, speed, climbing and a route', async () => {
    const { own, items, day } = await trained([noon(running)], {
      body: { fallback_time_zone: 'Europe/Lisbon' },
    })
    const [run] = items
    const stream = streamOf(day, noon(running))
    expect(run).toMatchObject({
      user_id: own.user_id,
      user_key: own.user_id,
      title: 'Running',
      sport: { id: 40, name: 'Running', slug: 'running' },
      calendar_date: DATE,
      time_start: `${DATE}T12:00:00+00:00`,
      time_end: `${DATE}T12:20:12+00:00`,
      timezone_offset: 0,
      distance: 1600,
      steps: Math.round(2000 * deviceFactor(day.person, day.device, 'steps')),
      moving_time: 1212,
      average_speed: 1.32,
      max_speed: Math.max(...stream.velocity_smooth),
      average_watts: null,
      device_watts: null,
      max_watts: null,
      weighted_average_watts: null,
      map: { id: run.id, polyline: expect.any(String), summary_polyline: expect.any(String) },
      provider_id: expect.stringMatching(/^\d{11}$/),
      source: { provider: 'garmin', type: 'watch' },
      created_at: '2026-01-05T09:00:00+00:00',
    })
    expect(run.elev_high).toBeCloseTo(Math.max(...stream.altitude), 0)
    expect(run.elev_low).toBeCloseTo(Math.min(...stream.altitude), 0)
    expect(run.total_elevation_gain).toBe(Math.round(routeOf(day, noon(running))?.gain ?? 0))
    // As the device counts all day: up to 6 % of the 2000 steps are missed or added.
    expect(run.steps).not.toBe(2000)
    // 20 minutes of 6 kilocalories, of which a device misses or adds up to 14 %.
    expect(Math.abs(run.calories - 120)).toBeLessThan(15)
    expect(run.calories).not.toBe(120)
  })

  it('of a cyclist has watts, and no steps', async () => {
    const ride = noon(cycling, { intensity: 1.2, pace: 1.1 })
    const { items } = await trained([ride], { provider: 'zwift' })
    // At other providers, it has them only with a power meter.
    expect((await trained([ride])).items).toMatchObject([{ average_watts: null, max_watts: null }])
    expect(items).toMatchObject([
      {
        // Six metres a second, a tenth faster.
        distance: 7999.2,
        average_speed: 6.6,
        steps: null,
        average_watts: 198,
        device_watts: 198,
        max_watts: 356,
        weighted_average_watts: 208,
      },
    ])
  })

  it('on the spot has neither metres nor a route', async () => {
    const { items } = await trained([noon(yoga)])
    expect(items).toMatchObject([
      {
        distance: null,
        moving_time: null,
        average_speed: null,
        max_speed: null,
        total_elevation_gain: null,
        elev_high: null,
        elev_low: null,
        average_watts: null,
        steps: null,
        map: null,
      },
    ])
  })

  it('is there with its stream once it is over, and each has ids of its own', async () => {
    const later = workoutOf(at(18), at(19), yoga, { index: 1 })
    const own = [noon(running), later]
    const asOf = at(19) - 1
    expect((await trained(own, { asOf: OVER - 1 })).items).toEqual([])
    expect((await trained(own, { asOf: OVER - 1 })).notices).toEqual([])
    expect((await trained(own, { asOf })).items).toHaveLength(1)
    const { items, notices } = await trained(own, { asOf: at(19) })
    expect(
      new Set([...items, ...items.map(({ provider_id }) => ({ id: provider_id }))].map(({ id }) => id)).size,
    ).toBe(4)
    expect(notices).toEqual(
      items.map(({ id, user_id, provider_id, source, sport }) => ({
        user_id,
        workout_id: id,
        provider_id,
        message: `Due to payload size limits, to access the workout stream, please use the /v2/timeseries/workouts/${id}/stream endpoint.`,
        source,
        sport,
      })),
    )
  })

  it('has a polyline that follows its route', async () => {
    const { items, day } = await trained([noon(running)])
    const route = routeOf(day, noon(running))
    for (const [name, points] of [
      ['polyline', 60],
      ['summary_polyline', 12],
    ] as const) {
      const places = decoded(items[0].map[name])
      expect(places).toHaveLength(points + 1)
      for (const [nth, place] of places.entries())
        for (const [axis, degrees] of (route?.placeAt(nth / points) ?? []).entries())
          expect(Math.abs((place[axis] ?? 0) - degrees)).toBeLessThan(0.51e-5)
    }
  })
})

/** Reads an encoded polyline: differences of 1e-5 degrees, zigzag, five bits a letter, the lowest first. */
function decoded(text: string): number[][] {
  const numbers: number[] = []
  let [value, shift] = [0, 0]
  for (const letter of text) {
    const bits = letter.charCodeAt(0) - 63
    value += (bits % 32) * 2 ** shift
    shift += 5
    if (bits >= 32) continue
    numbers.push(value % 2 === 1 ? -(value + 1) / 2 : value / 2)
    ;[value, shift] = [0, 0]
  }
  let [latitude, longitude] = [0, 0]
  return Array.from({ length: numbers.length / 2 }, (_, nth) => {
    latitude += numbers[2 * nth] ?? 0
    longitude += numbers[2 * nth + 1] ?? 0
    return [latitude / 1e5, longitude / 1e5]
  })
}

describe('the heart in a workout', () => {
  it('is told from its stream, whose points last until the next', async () => {
    const { items, day } = await trained([noon(running)])
    const beats = beatsOf(day, noon(running))
    // The last of them lasts two seconds.
    const weights = beats.map((_, nth) => (nth === beats.length - 1 ? 2 : 5))
    const sum = beats.reduce((total, rate, nth) => total + rate * (weights[nth] ?? 0), 0)
    const share = (rate: number) => rate / highestHeart(day.person, day.date)
    const zones = [0, 0.5, 0.6, 0.7, 0.8, 0.9].map((low, zone, lows) =>
      beats.reduce((total, rate, nth) => {
        const isIn = share(rate) >= low && share(rate) < (lows[zone + 1] ?? Number.POSITIVE_INFINITY)
        return total + (isIn ? (weights[nth] ?? 0) : 0)
      }, 0),
    )
    expect(items[0]).toMatchObject({
      average_hr: Math.round(sum / 1212),
      max_hr: Math.max(...beats),
      hr_zones: zones,
    })
    expect(zones.reduce((total, seconds) => total + seconds, 0)).toBe(1212)
  })

  it('counts a rate at the limit in the higher zone, and has six zones', async () => {
    const petri = await startTestWorld()
    const own = await connection(petri, 'garmin', { fallback_birth_date: '1995-06-01' })
    const real = dayOfConnection(petri.world(), own, DATE)
    const highest = highestHeart(real.person, DATE)
    // Each limit is a whole number of beats.
    expect(highest).toBe(190)
    /** Beats that are the same in each minute. */
    const zonesAt = (rate: number) => {
      const day = (of: Day): Partial<Day> => ({
        ...moving(noon(yoga))(of),
        deviceBeats: 0,
        minutes: {
          ...of.minutes,
          sums: moving()(of).minutes?.sums ?? of.minutes.sums,
          heart: () => new Float32Array(1440).fill(rate),
        },
      })
      return made(petri, 'workouts', own, { day })[0].hr_zones
    }
    for (const [zone, share] of [0.5, 0.6, 0.7, 0.8, 0.9].entries()) {
      const limit = Math.round(share * highest)
      expect(zonesAt(limit).indexOf(1212)).toBe(zone + 1)
      expect(zonesAt(limit - 1).indexOf(1212)).toBe(zone)
    }
  })

  it('is not known of a workout without a sample', async () => {
    const { items } = await trained([workoutOf(at(12, 1), at(12, 2), running)], { provider: 'ultrahuman' })
    expect(items).toMatchObject([{ average_hr: null, max_hr: null, hr_zones: null }])
  })
})

describe('a workout at a provider', () => {
  it('with machines has no route, and is of a sport that they are for', async () => {
    const swimming = { ...yoga, id: 47, name: 'Swimming', slug: 'swimming' }
    const { items, notices, day } = await trained([noon(running), { ...noon(swimming), index: 1 }], {
      provider: 'peloton',
    })
    expect(
      [items, notices].map((all) => all.map(({ sport: { slug } }: { sport: { slug: string } }) => slug)),
    ).toEqual([['running'], ['running']])
    expect(items[0]).toMatchObject({
      map: null,
      total_elevation_gain: null,
      elev_high: null,
      steps: null,
      distance: 1600,
    })
    const { lat, altitude, distance } = streamOf(day, noon(running), ['map'])
    expect([lat.length, altitude.length]).toEqual([0, 0])
    expect(distance.length).toBeGreaterThan(0)
  })

  it('that measures no power has none, in its stream neither', async () => {
    const { items, day } = await trained([noon(cycling)], { provider: 'fitbit' })
    expect(items[0]).toMatchObject({ average_watts: null, max_watts: null, device_watts: null })
    expect(streamOf(day, noon(cycling), ['average_watts']).power).toEqual([])
    expect(streamOf(day, noon(cycling)).power.length).toBeGreaterThan(0)
  })
})
