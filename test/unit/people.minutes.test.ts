import { describe, expect, it } from 'vitest'
import type { Amount, Minutes } from '../../src/people/minutes.ts'
import { STAGES } from '../../src/people/night.ts'
import type { Noise } from '../../src/people/noise.ts'
import { ageOn, strideOf, weightOf } from '../../src/people/person.ts'
import {
  DATE,
  day,
  type MadeMinutes,
  madeMinutes,
  napAt,
  person,
  training,
  workoutAt,
} from '../support/made-minutes.ts'

// What each minute of a day adds to its sums.

describe('the steps of a day', () => {
  /** Draws by quarter of an hour, of which the others are idle, and the same draw for each minute. */
  const steps = (slots: Readonly<Record<number, number>>, chance = 0.9): Readonly<Record<string, Noise>> => ({
    steps: (ordinal) => (ordinal < 2000 ? chance : (slots[ordinal - 2000] ?? 0)),
  })
  const stepsOf = (minutes: Minutes, from: number, until: number) => {
    const sums = minutes.sums('steps')
    return (sums[until] ?? 0) - (sums[from] ?? 0)
  }

  it.each<[string, Readonly<Record<number, number>>, number, number]>([
    ['are in the quarters that are not idle', { 48: 0.5 }, 0.9, 1500],
    ['are none in an idle quarter', { 48: 0.14 }, 0.9, 0],
    ['are some from a chance of', { 48: 0.15 }, 0.9, 1500],
    ['are in few minutes otherwise', { 48: 0.5 }, 0.69, 0],
    ['are in most minutes of a walk', { 48: 0.89 }, 0.2, 1500],
    ['are not in all minutes of a walk', { 48: 0.89 }, 0.19, 0],
    ['are none in the hours of sleep', { 12: 0.5 }, 0.9, 0],
  ])('%s: %j with %s, %s in all', (_, slots, chance, expected) => {
    const minutes = madeMinutes({ noise: steps(slots, chance) })
    expect(stepsOf(minutes, 0, 1440)).toBe(expected)
  })

  it('are at most 125 a minute', () => {
    const minutes = madeMinutes({ body: { usualSteps: 3000 }, noise: steps({ 48: 0.5 }) })
    expect([stepsOf(minutes, 720, 721), stepsOf(minutes, 720, 735)]).toEqual([125, 1875])
  })

  it('are more in a walk, and in a busy hour', () => {
    const walk = madeMinutes({ body: { usualSteps: 1000 }, noise: steps({ 48: 0.9, 49: 0.5 }) })
    const walked = 1.1 * 11 * (0.85 + 0.15 * 0.9)
    const other = 0.5 * 0.9 * 0.9 * 9 * 0.5
    expect(stepsOf(walk, 720, 735)).toBe(Math.round((1000 * walked) / (walked + other)))
    // At noon nine of all steps, at ten in the morning four.
    const hours = madeMinutes({ body: { usualSteps: 1300 }, noise: steps({ 40: 0.5, 48: 0.5 }) })
    expect(stepsOf(hours, 600, 615)).toBe(400)
  })

  it.each([
    [205, 6, 22],
    [130, 5, 21],
    [0, 5, 21],
    [280, 7, 23],
    [805, 14, 6],
    [2000, 14, 6],
  ])(
    'of somebody whose middle of sleep is at minute %s begin at %s and end after %s',
    (midSleepMinute, first, last) => {
      const all = { steps: (ordinal: number) => (ordinal < 2000 ? 0.9 : 0.5) }
      const minutes = madeMinutes({ body: { midSleepMinute, usualSteps: 100_000 }, noise: all })
      const has = (hour: number) => stepsOf(minutes, 60 * hour, 60 * hour + 60) > 0
      expect([(first + 23) % 24, first, last, (last + 1) % 24].map(has)).toEqual([false, true, true, false])
    },
  )

  it.each([
    [0.5, 176],
    [0, 169],
    [1, 183],
  ])(
    'of a workout are those of its cadence and its vigour: with a draw of %s %s a minute',
    (draw, expected) => {
      const workouts = [training(20, { cadence: 160 }, { intensity: 1.1 })]
      const minutes = madeMinutes({ workouts, noise: { 'cadence/0': () => draw, ...steps({ 49: 0.5 }) } })
      expect([stepsOf(minutes, 720, 721), stepsOf(minutes, 739, 740)]).toEqual([expected, expected])
      expect(stepsOf(minutes, 740, 1440)).toBeGreaterThan(0)
    },
  )

  it('are not taken asleep', () => {
    const naps = [napAt(720, 730, STAGES.awake)]
    const minutes = madeMinutes({ naps, noise: steps({ 48: 0.5 }) })
    expect([stepsOf(minutes, 720, 730), stepsOf(minutes, 730, 735)]).toEqual([0, 625])
  })
})

describe('a minute adds', () => {
  const sport = { cadence: 150, strideFactor: 1.2, kcal: 5, isOutdoors: true }
  const each = (amount: Amount, minute: number, of: MadeMinutes = {}) => {
    const sums = madeMinutes(of).sums(amount)
    return (sums[minute + 1] ?? 0) - (sums[minute] ?? 0)
  }
  const run = { workouts: [training(20, sport, { pace: 1.1 })] }
  /** A hundred steps in each minute from noon. */
  const walk = {
    noise: { steps: (ordinal: number) => (ordinal < 2000 ? 0.9 : Number(ordinal === 2048) / 2) },
  }
  const weightKg = weightOf(day.body)

  it('metres by the length of the person’s step', () => {
    expect(each('metres', 720, walk)).toBeCloseTo(100 * strideOf(day.body), 6)
    expect(each('metres', 725, run)).toBeCloseTo(150 * strideOf(day.body) * 1.2 * 1.1, 6)
  })

  it('kilocalories by weight', () => {
    expect(each('active', 720, walk)).toBeCloseTo((4 * weightKg) / 70, 6)
    expect(each('active', 725, run)).toBeCloseTo(((6 + 5.5) * weightKg) / 70, 6)
    const basal = (sex: number) =>
      (1.25 * (10 * weightKg + 6.25 * day.body.heightCm - 5 * ageOn(person, DATE) + sex)) / 1440
    expect(each('basal', 100, { who: { ...person, sex: 'male' } })).toBeCloseTo(basal(5), 6)
    expect(each('basal', 100, { who: { ...person, sex: 'female' } })).toBeCloseTo(basal(-161), 6)
  })

  it('floors on foot, and none in a workout', () => {
    expect([each('floors', 720, walk), each('floors', 725, run)]).toEqual([expect.closeTo(100 / 620, 9), 0])
  })

  it.each([
    [12, 0],
    [13, 1],
  ])('standing, from thirteen steps: %s', (steps, expected) => {
    expect(each('standing', 722, { ...walk, body: { usualSteps: 15 * steps } })).toBe(expected)
  })

  it.each([
    [45, 720, 0],
    [46, 720, 1],
  ])('daylight, on foot: %s', (steps, minute, expected) => {
    expect(each('daylight', minute, { ...walk, body: { usualSteps: 15 * steps } })).toBe(expected)
  })

  it.each([
    [479, 0],
    [480, 1],
    [1139, 1],
    [1140, 0],
  ])('daylight, outdoors at minute %s', (minute, expected) => {
    const workouts = [workoutAt(minute, minute + 1, { isOutdoors: true })]
    expect(each('daylight', minute, { workouts })).toBe(expected)
    expect(each('daylight', minute, { workouts: [workoutAt(minute, minute + 1)] })).toBe(0)
  })
})
