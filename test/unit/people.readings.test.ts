import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
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
import { makePerson } from '../../src/people/person.ts'
import { movingSeconds, progressOf, routeOf } from '../../src/people/routes.ts'

// What devices read from a body on some days of the seed `one life`: see people.one-life.test.ts.

const dayFor = (nth: number, date: string) =>
  dayOf(makePerson(createRandom('one life'), `user-${nth}`, {}), 'UTC', date)

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
  it('is followed by no workout indoors', () => {
    const day = dayFor(6, '2026-01-10')
    const [workout] = day.workouts
    expect(workout?.sport.slug).toBe('strength_training')
    expect(workout && routeOf(day, workout)).toBeNull()
    expect(workout && [metresOf(day, workout), progressOf(day, workout).at(-1)]).toEqual([0, 1])
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
