import { describe, expect, it } from 'vitest'
import {
  bodyTemperature,
  breathing,
  type Curve,
  glucose,
  heartRate,
  heartRateVariability,
  oxygen,
  type Recording,
  recordingOf,
  stress,
  voltageAt,
} from '../../src/people/curves.ts'
import { dayOf, metresOf } from '../../src/people/day.ts'
import { STAGES } from '../../src/people/night.ts'
import { round } from '../../src/people/noise.ts'
import { movingSeconds, progressOf, routeOf } from '../../src/people/routes.ts'
import type { Trait } from '../../src/people/traits.ts'
import { nothing, someone } from '../support/lives.ts'

// What devices read from a body on some days of the seed `one life`.

const dayFor = (nth: number, date: string) => dayOf(someone(nth), 'UTC', date)

describe('what a device reads', () => {
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
    expect(glucose(day, day.start, -99)).toBe(1.6)
  })

  // biome-ignore format: a table is read by its columns.
  it.each<[string, Partial<Record<Trait, number>>, ...values: number[]]>([
    ['after meals', {}, 3.97, 4.5, 4.14, 5.48, 4.82, 3.98, 7.48, 6.15, 5.37, 4.41, 6.67, 4.99],
    ['in swings', { glucoseSwing: 3 }, 2.85, 4.39, 3.26, 7.26, 5.22, 2.62, 13.2, 9.19, 6.85, 3.94, 10.85, 5.81],
    ['low at night', { nightLowsPerWeek: 7 }, 3.97, 4.5, 2.94, 5.16, 4.82, 3.98, 7.48, 6.15, 5.37, 4.41, 6.67, 4.99],
    ['low by day', { lowsPerWeek: 14 }, 3.97, 4.5, 4.14, 5.48, 4.82, 3.98, 3.91, 6.15, 3.14, 4.41, 6.67, 4.99],
  ])('has a level of glucose by the hour: %s', (_, traits, ...values) => {
    const course = { ...nothing, traits }
    const day = dayOf(someone(6, { course }), 'UTC', '2026-01-05')
    const hours = [0, 2, 4, 6, 8, 9, 11, 15, 16, 18, 20, 23]
    expect(hours.map((hour) => round(glucose(day, day.instantAt(60 * hour), 0.5), 2))).toEqual(values)
  })

  it.each<[string, Curve]>([
    ['glucose', glucose],
    ['temperature', bodyTemperature],
  ])('has no step at midnight: %s', (_, curve) => {
    const day = dayFor(6, '2026-01-05')
    const next = dayFor(6, '2026-01-06')
    expect(curve(next, next.start, 0.5)).toBeCloseTo(curve(day, next.start - 1, 0.5), 2)
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
    ).toEqual(
      [/^08:49/, /^08:37/, /^08:52/, undefined, undefined, /^08:49/, /^08:38/].map(
        (start) => start && expect.stringMatching(start),
      ),
    )
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
    const course = { ...nothing, traits: { fibrillationBurden: 50 } }
    const ill = someone(3, { course })
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
    start: 0,
    end: 30_000,
    hertz: 512,
    count: 15_360,
    beatsPerMinute: 60,
    isClear: true,
    isFibrillating: false,
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
  it('is followed by no workout indoors', () => {
    const day = dayFor(6, '2026-01-10')
    const [workout] = day.workouts
    expect(workout?.sport.slug).toBe('strength_training')
    expect(workout && routeOf(day, workout)).toBeNull()
    expect(workout && [metresOf(day, workout), progressOf(day, workout).at(-1)]).toEqual([0, 1])
  })

  it('leads out and home again, over the same hills', () => {
    const day = dayFor(5, '2026-01-07')
    const [run = expect.fail()] = day.workouts
    const { gain, heightAt, placeAt } = routeOf(day, run) ?? expect.fail()
    const shares = [0, 0.25, 0.5, 0.75, 1]
    expect(shares.map((share) => round(heightAt(share), 1))).toEqual([144.9, 154, 148.2, 154, 144.9])
    expect(shares.map((share) => placeAt(share).map((degrees) => round(degrees, 5)))).toEqual([
      [39.83, -98.58],
      [39.83339, -98.59087],
      [39.83077, -98.6002],
      [39.83339, -98.59087],
      [39.83, -98.58],
    ])
    const heights = Array.from({ length: 241 }, (_, nth) => heightAt(nth / 240))
    const rises = heights.slice(1).map((height, before) => Math.max(0, height - (heights[before] ?? height)))
    expect(rises.reduce((sum, rise) => sum + rise, 0)).toBeCloseTo(gain, 6)
  })
})

describe('a pause', () => {
  const [workout = expect.fail()] = dayFor(6, '2026-01-10').workouts
  const run = (isOutdoors: boolean) => ({
    ...workout,
    end: workout.start + 600_000,
    sport: { ...workout.sport, isOutdoors, speed: 3 },
  })
  const day = (chance: number) => ({
    ...dayFor(6, '2026-01-10'),
    noise: (purpose: string) => (part: number) => (purpose.startsWith('pause') && part === 3 ? chance : 0.5),
  })

  it.each([
    [true, 0.059, 570],
    [true, 0.06, 600],
    [false, 0, 600],
  ])(
    'of half a minute is made outdoors (%s), by a draw of %s: %s seconds are moved',
    (isOutdoors, chance, seconds) => {
      expect(movingSeconds(day(chance), run(isOutdoors))).toBe(seconds)
    },
  )

  it('is a time in which nothing is covered', () => {
    const progress = progressOf(day(0), run(true))
    expect([progress[18], progress[23]]).toEqual([progress[17], progress[17]])
    expect(progress[24]).toBeGreaterThan(progress[23] ?? 1)
  })
})
