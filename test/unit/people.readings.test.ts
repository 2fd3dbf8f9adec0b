import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import {
  bodyTemperature,
  breathing,
  type Curve,
  drift,
  glucose,
  heartRate,
  heartRateVariability,
  oxygen,
  type Recording,
  recordingOf,
  stress,
  voltageAt,
} from '../../src/people/curves.ts'
import { dayOf, metresOf, restingBeats } from '../../src/people/day.ts'
import { STAGES } from '../../src/people/night.ts'
import { round } from '../../src/people/noise.ts'
import { makePerson } from '../../src/people/person.ts'
import { pointsOf, progressOf, routeOf } from '../../src/people/routes.ts'

// What devices read from a body on some days of the seed `one life`: see people.one-life.test.ts.

const dayFor = (nth: number, date: string) =>
  dayOf(makePerson(createRandom('one life'), `user-${nth}`, {}), 'UTC', date)

describe('what a device reads', () => {
  // At 3:20 asleep, at 8:30, at 12:30, at 18:05 and at 23:50.
  const minutes = [200, 510.5, 750, 1085, 1430]

  it.each<[string, Curve, cyclist: number[], runner: number[]]>([
    [
      'heart rate',
      heartRate,
      [49.909, 52.971, 59.243, 137.187, 56.331],
      [56.342, 59.869, 75.035, 74.257, 85.352],
    ],
    [
      'heart rate variability',
      heartRateVariability,
      [39.405, 35.272, 28.983, 6.588, 32.548],
      [64.013, 56.843, 38.296, 25.935, 20.201],
    ],
    ['breathing', breathing, [10.92, 10.92, 10.92, 9.725, 9.725], [15.262, 15.262, 15.262, 14.607, 14.607]],
    ['oxygen', oxygen, [94.954, 94.954, 95.754, 95.754, 95.754], [95.225, 95.225, 96.025, 96.025, 96.025]],
    ['stress', stress, [7.274, 10.141, 27.675, 75, 25.054], [7.793, 11.268, 36.617, 35.916, 45.902]],
    ['glucose', glucose, [4.912, 4.553, 5.873, 4.439, 5.309], [4.626, 5.15, 5.685, 5.365, 5.072]],
    [
      'temperature',
      bodyTemperature,
      [36.901, 36.975, 37.286, 37.314, 36.723],
      [36.222, 36.363, 36.733, 36.929, 36.51],
    ],
  ])('is the same %s at each instant', (_, curve, cyclist, runner) => {
    const readings = (nth: number, date: string) => {
      const day = dayFor(nth, date)
      return minutes.map((minute) => round(curve(day, day.instantAt(minute), 0.25), 3))
    }
    expect(readings(6, '2026-01-05')).toEqual(cyclist)
    expect(readings(3, '2026-01-09')).toEqual(runner)
  })

  it.each<[string, Curve, spread: number]>([
    ['heart rate', heartRate, 1],
    ['breathing', breathing, 1.4],
    ['oxygen', oxygen, 2.4],
    ['stress', stress, 12],
    ['glucose', glucose, 0.06],
    ['temperature', bodyTemperature, 0.2],
  ])('spreads by chance: %s', (_, curve, spread) => {
    const day = dayFor(6, '2026-01-05')
    const noon = day.instantAt(750)
    expect(curve(day, noon, 0.75) - curve(day, noon, 0.25)).toBeCloseTo(spread / 2, 9)
  })

  it('stays within what a device can show', () => {
    const day = dayFor(6, '2026-01-05')
    expect([-99, 99].map((chance) => oxygen(day, day.start, chance))).toEqual([84, 100])
    expect([-99, 99].map((chance) => stress(day, day.start, chance))).toEqual([5, 75])
    expect([-99, 99].map((chance) => heartRateVariability(day, day.start, chance))).toEqual([4, 220])
    expect(glucose(day, day.start, -99)).toBe(2.2)
  })

  it('counts as many beats too many as the device does, in each minute and at rest', () => {
    const [day, watch] = [undefined, 'fitbit'].map((device) =>
      dayOf(makePerson(createRandom('one life'), 'user-6', {}), 'UTC', '2026-01-05', device),
    )
    if (!day || !watch) throw new Error('no day')
    const noon = day.instantAt(750)
    expect(heartRate(watch, noon, 0.5) - heartRate(day, noon, 0.5)).toBeCloseTo(1.17, 1)
    expect([restingBeats(day), restingBeats(watch)]).toEqual([54, 55])
  })

  it('breathes a little faster in REM sleep', () => {
    const day = dayFor(6, '2026-01-05')
    const rem = day.nights[0].stages.find(({ stage }) => stage === STAGES.rem)?.start ?? 0
    expect(breathing(day, rem, 0.5) - breathing(day, day.instantAt(750), 0.5)).toBeCloseTo(0.9, 9)
  })

  it('beyond the ends of a day is that of its first and last minute', () => {
    const day = dayFor(6, '2026-01-05')
    expect(stress(day, day.start - 60_000, 0.5)).toBe(stress(day, day.start, 0.5))
    expect(stress(day, day.end + 60_000, 0.5)).toBe(stress(day, day.end - 1, 0.5))
  })
})

describe('an electrocardiogram', () => {
  it('is taken on some mornings, for half a minute', () => {
    const dates = Array.from({ length: 7 }, (_, nth) => `2026-01-0${nth + 1}`)
    const taken = dates.map((date) => recordingOf(dayFor(3, date)))
    expect(
      taken.map(
        (recording) =>
          recording && `${new Date(recording.start).toISOString().slice(11, 16)} ${recording.beatsPerMinute}`,
      ),
    ).toEqual(['08:49 69', '08:37 64', '08:52 63', undefined, undefined, '08:49 57', '08:38 59'])
    expect(taken[0]).toMatchObject({
      end: (taken[0]?.start ?? 0) + 30_000,
      hertz: 512,
      count: 15_360,
      isClear: true,
      isFibrillating: false,
    })
  })

  it('shows fibrillation in some of those who have it, with a faster heart, and is sometimes not clear', () => {
    const date = (nth: number) => new Date(Date.UTC(2025, 0, 1 + nth)).toISOString().slice(0, 10)
    const course = { traits: { fibrillationBurden: 50 }, conditions: [], treatments: [], episodes: [] }
    const ill = makePerson(createRandom('one life'), 'user-3', { course })
    const recordings = Array.from({ length: 60 }, (_, nth) =>
      recordingOf(dayOf(ill, 'UTC', date(nth))),
    ).filter((recording) => recording !== undefined)
    const count = (is: (recording: Recording) => boolean) => recordings.filter(is).length
    expect([
      recordings.length,
      count(({ isFibrillating }) => isFibrillating),
      count(({ isClear }) => !isClear),
    ]).toEqual([19, 9, 4])
  })

  const steady = {
    ...{ start: 0, end: 30_000, hertz: 512, count: 15_360, beatsPerMinute: 60 },
    ...{ isClear: true, isFibrillating: false },
  }
  const ordinals = [0, 92, 184, 200, 215, 317, 400]

  it('has five waves in each beat', () => {
    const beat = ordinals.map((ordinal) => voltageAt(steady, ordinal, 0.5))
    expect(beat).toEqual([0, 0.14, -0.077, 1.095, -0.213, 0.29, 0])
    expect(ordinals.map((ordinal) => voltageAt(steady, ordinal + 512, 0.5))).toEqual(beat)
    expect(
      ordinals.map((ordinal) => voltageAt({ ...steady, beatsPerMinute: 120 }, ordinal / 2, 0.5)),
    ).toEqual(beat)
    expect(voltageAt(steady, 400, 1)).toBe(0.01)
  })

  it('has uneven beats and no first wave in fibrillation', () => {
    const fibrillating = { ...steady, isFibrillating: true }
    expect([30, 90, 120, 150, 180, 700, 900].map((ordinal) => voltageAt(fibrillating, ordinal, 0.5))).toEqual(
      [0, -0.003, 0.152, 0.096, 0, 0.002, 0.283],
    )
  })
})

describe('a route', () => {
  // biome-ignore format: a table is read by its columns.
  it.each([
{sport: 'walking',nth: 2,date: '2026-01-06',metres: 2689.9,gain: 8.59,heights: [147.98,153.99,153.27,153.99,147.98],places: [[41.01047,-100.39516],[41.01505,-100.39213],[41.01575,-100.38715],[41.01505,-100.39213],[41.01047,-100.39516]],points: 385,progress: [0,0.00233,0.25207,0.51974,1]},
{sport: 'road_biking',nth: 6,date: '2026-01-05',metres: 38720.5,gain: 431.23,heights: [278.23,466.29,570.39,411.19,278.23],places: [[42.16018,-98.91649],[42.18124,-98.93971],[42.14264,-99.02589],[42.12599,-99.01997],[42.16018,-98.91649]],points: 1177,progress: [0,0.00082,0.07843,0.16223,1]},
{sport: 'road_biking',nth: 6,date: '2026-01-11',metres: 31185.6,gain: 250.17,heights: [278.23,385.04,314.5,200.68,278.23],places: [[42.16018,-98.91649],[42.11959,-98.87815],[42.09751,-98.95492],[42.13528,-99.00017],[42.16018,-98.91649]],points: 853,progress: [0,0.0012,0.11489,0.23103,1]},
{sport: 'running',nth: 3,date: '2026-01-09',metres: 4069.4,gain: 29.69,heights: [154.73,149.16,128.3,149.16,154.73],places: [[42.77424,-100.10424],[42.77851,-100.10773],[42.78599,-100.10806],[42.77851,-100.10773],[42.77424,-100.10424]],points: 289,progress: [0,0.00332,0.35603,0.70177,1]},
{sport: 'walking',nth: 10,date: '2026-01-05',metres: 2821,gain: 28.97,heights: [229.67,225.29,222.43,225.29,229.67],places: [[40.42002,-98.02733],[40.42145,-98.03249],[40.42514,-98.03317],[40.42145,-98.03249],[40.42002,-98.02733]],points: 409,progress: [0,0.0025,0.25281,0.50107,1]},
  ])('of the $sport on $date is always the same', ({ nth, date, metres, gain, heights, places, points, progress }) => {
    const day = dayFor(nth, date)
    const [workout] = day.workouts
    const route = workout && routeOf(day, workout)
    if (!route) throw new Error('no route')
    const shares = [0, 0.25, 0.5, 0.75, 1]
    expect(round(metresOf(day, workout), 1)).toBe(metres)
    expect(round(route.gain, 2)).toBe(gain)
    expect(shares.map((share) => round(route.heightAt(share), 2))).toEqual(heights)
    expect(shares.map((share) => route.placeAt(share).map((angle) => round(angle, 5)))).toEqual(places)
    const passed = progressOf(day, workout)
    expect([pointsOf(workout), passed.length]).toEqual([points, points])
    expect([0, 1, 100, 200, points - 1].map((point) => round(passed[point] ?? 0, 5))).toEqual(progress)
  })

  it('is followed by no workout indoors', () => {
    const day = dayFor(6, '2026-01-10')
    const [workout] = day.workouts
    expect(workout?.sport.slug).toBe('strength_training')
    expect(workout && routeOf(day, workout)).toBeNull()
    expect(workout && [metresOf(day, workout), progressOf(day, workout).at(-1)]).toEqual([0, 1])
  })
})

it('a drift passes through a draw every so many days', () => {
  const noise = (at: number) => (((at % 7) + 7) % 7) / 7
  // The 1st of January 2026 is day 20,454 since 1970: 2,922 weeks.
  expect(['2026-01-01', '2026-01-04', '2026-01-10'].map((date) => round(drift(noise, date, 7), 3))).toEqual([
    -0.071, -0.01, 0.112,
  ])
})
