import { describe, expect, it } from 'vitest'
import { HOUR_MS, SECOND_MS } from '../../src/kernel/instant.ts'
import type { Day } from '../../src/people/day.ts'
import type { Meal } from '../../src/people/food.ts'
import { workoutOf } from '../support/lives.ts'
import { at, DATE, evenly, running, sleepOf, yoga } from '../support/made-day.ts'
import { briefly, drawn, lasting, lunch, madeDay, rising } from '../support/made-samples.ts'

const swimming = { id: 47, name: 'Swimming', slug: 'swimming', speed: 1, effort: 0.58 }

describe('a meal', () => {
  const day = (...meals: Partial<Meal>[]) =>
    madeDay(() => ({ meals: () => meals.map((meal) => ({ ...lunch, ...meal })) }))

  it('has carbohydrates, at the time it is eaten', () => {
    const samples = drawn('carbohydrates', day({}))
    expect(briefly(samples)).toEqual([['12:20:00', 64]])
    expect(lasting(samples)).toEqual([1])
  })

  /** Meals of somebody who is treated with insulin, and whose glucose is normal. */
  const treated = (...meals: Partial<Meal>[]) => {
    const made = day(...meals)
    const treatments = [{ name: 'insulin' as const, since: '2010-01-01', until: null }]
    return { ...made, person: { ...made.person, treatments } }
  }
  const meal = { delivery_mode: 'bolus', delivery_form: 'standard', bolus_purpose: 'meal' }
  const basal = { delivery_mode: 'basal', delivery_form: 'standard', bolus_purpose: null }

  it('needs a unit of insulin for ten grams, five minutes before it, and a long-acting dose at ten', () => {
    const doses = drawn('insulin_injection', treated({}, { at: at(16), foods: [] }))
    expect(doses).toEqual([
      { ...dose(at(12, 15), 6, 'rapid_acting', meal), end: at(12, 16) },
      { ...dose(at(15, 55), 1, 'rapid_acting', meal), end: at(15, 56) },
      { ...dose(at(22), 20, 'long_acting', basal), end: at(22, 1) },
    ])
  })

  it('is covered by a pump with rapid-acting insulin only, next to a rate for each hour', () => {
    const doses = drawn('insulin_injection', treated({}), { provider: 'tandem_source' })
    const rates = doses.filter(({ more }) => more?.delivery_mode === 'basal')
    expect(rates).toHaveLength(24)
    expect(rates[3]).toEqual({ ...dose(at(3), 0.83, 'rapid_acting', basal), end: at(4) })
    expect(doses.filter((each) => !rates.includes(each))).toEqual([
      { ...dose(at(12, 15), 6.4, 'rapid_acting', meal), end: at(12, 16) },
    ])
    expect(doses.map(({ start }) => start)).toEqual(doses.map(({ start }) => start).sort())
    expect(drawn('insulin_injection', day({}), { provider: 'tandem_source' })).toEqual(doses)
  })

  it('is corrected for with more insulin where glucose is high', () => {
    const made = treated({})
    const high = { ...made, body: { ...made.body, fastingGlucose: 15 } }
    const [bolus] = drawn('insulin_injection', high)
    expect(bolus?.more).toMatchObject({ bolus_purpose: 'mixed' })
    expect(Number(bolus?.value)).toBeGreaterThan(7)
  })

  it('is noted with its foods on the hour, as is training, once an hour', () => {
    const made = day({}, { at: at(9, 50), name: 'Breakfast' })
    const workouts = [workoutOf(at(9, 10), at(9, 40), yoga), workoutOf(at(18, 5), at(19), running)]
    const notes = drawn('note', { ...made, workouts })
    expect(notes.map(({ start, end, value, more }) => [start, (end - start) / 60_000, value, more])).toEqual([
      [at(9), 1, 'Yoga today', { tags: ['exercise'] }],
      [at(12), 1, 'Lunch: rice, apple', { tags: ['food'] }],
      [at(18), 1, 'Running today', { tags: ['exercise'] }],
    ])
  })
})

const dose = (start: number, value: number, type: string, more: object) => ({
  start,
  offsetSeconds: 0,
  value,
  type,
  more,
})

/** A day with workouts, on which every minute has 80 metres. */
const training = (...workouts: Day['workouts'][number][]) =>
  madeDay(({ minutes }) => ({ minutes: { ...minutes, sums: rising(80) }, workouts }))

describe('a workout', () => {
  it.each([
    [0.61, 'high'],
    [0.6, 'medium'],
    [0.41, 'medium'],
    [0.4, 'low'],
  ])('with an effort of %s has an intensity of %s', (effort, intensity) => {
    const samples = drawn('workout_duration', training(workoutOf(at(12), at(12, 45), { effort })))
    expect(samples).toMatchObject([{ start: at(12), end: at(12, 45), value: 45, more: { intensity } }])
  })

  it.each([
    [20, 45.3],
    [0, 45],
  ])('of 45 minutes and %i seconds lasts %d', (seconds, value) => {
    const lasts = workoutOf(at(12), at(12, 45) + seconds * SECOND_MS, {})
    expect(drawn('workout_duration', training(lasts))).toMatchObject([{ value }])
  })

  it('is told in metres every ten seconds, which add up', () => {
    const run = workoutOf(at(12), at(12, 20) + 4000, { ...running })
    const samples = drawn('workout_distance', training(run))
    expect(samples).toHaveLength(120)
    expect(samples[0]).toMatchObject({ start: at(12), end: at(12) + 10 * SECOND_MS, workout: run })
    expect(samples.at(-1)?.start).toBe(at(12, 20) - 10 * SECOND_MS)
    const sum = samples.reduce((total, { value }) => total + Number(value), 0)
    expect(sum).toBeCloseTo(1600, 1)
    for (const { value } of samples) expect(Math.abs(Number(value) - 13.3)).toBeLessThan(6)
    expect(drawn('workout_distance', training(workoutOf(at(12), at(13), yoga)))).toEqual([])
  })

  it('of a swimmer has strokes for each length of 25 metres', () => {
    const swim = workoutOf(at(12), at(12, 20), swimming)
    const samples = drawn('workout_swimming_stroke', training(workoutOf(at(8), at(9), running), swim))
    // 1200 metres in 1200 seconds.
    expect(samples).toHaveLength(48)
    expect(samples.slice(0, 2).map(({ start, end, value }) => [start, end - start, value])).toEqual([
      [at(12), 25 * SECOND_MS, 17],
      [at(12) + 25 * SECOND_MS, 25 * SECOND_MS, 17],
    ])
    expect(samples[0]?.workout).toBe(swim)
    const short = drawn('workout_swimming_stroke', training(workoutOf(at(12), at(12) + 5000, swimming)))
    expect(short).toMatchObject([{ end: at(12) + 5000 }])
    const strokes = (chance: number) =>
      drawn('workout_swimming_stroke', { ...training(swim), noise: evenly(chance) })[0]?.value
    expect([strokes(0), strokes(0.99)]).toEqual([14, 20])
  })

  it('of some effort is followed by a recovery of the heart', () => {
    const heart = Float32Array.from({ length: 1440 }, (_, minute) => (minute < 765 ? 150 : 110))
    const of = (effort: number, beats: Float32Array) => {
      const day = training(workoutOf(at(12), at(12, 45), { effort }))
      return drawn('heart_rate_recovery_one_minute', {
        ...day,
        minutes: { ...day.minutes, heart: () => beats },
      })
    }
    expect(of(0.5, heart)).toMatchObject([{ start: at(12, 45), end: at(12, 46), value: 40 }])
    expect(of(0.4, heart)).toEqual([])
    expect(of(0.5, new Float32Array(1440).fill(100))).toMatchObject([{ value: 12 }])
  })

  it('on foot tells the uptake of oxygen, and so does a Sunday', () => {
    const of = (date: string, ...workouts: Day['workouts'][number][]) =>
      drawn(
        'vo2_max',
        madeDay(({ body }) => ({ body: { ...body, vo2Max: 40 }, workouts }), { date }),
      )
    expect(of(DATE)).toMatchObject([{ start: at(12), end: at(12, 1) }])
    expect(of(DATE, workoutOf(at(8), at(9), running))).toMatchObject([{ start: at(9) }])
    expect(of('2026-01-05')).toEqual([])
    expect(of('2026-01-05', workoutOf(at(32), at(33), yoga))).toEqual([])
    const [walk] = of('2026-01-05', workoutOf(at(32), at(33), running))
    expect(walk?.start).toBe(at(33))
    expect(Math.abs(Number(walk?.value) - 40)).toBeLessThanOrEqual(1.2)
    expect(Number(walk?.value) * 10).toBeCloseTo(Math.round(Number(walk?.value) * 10), 6)
  })
})

describe('stages of sleep', () => {
  it('are of the night, of naps and of the next evening, as far as they begin on the day', () => {
    const day = madeDay((real) => ({
      nights: [
        sleepOf(real, at(-1), [
          ['awake', 30],
          ['light', 30],
          ['deep', 60],
        ]),
        sleepOf(real, at(23), [
          ['awake', 30],
          ['light', 30],
          ['rem', 60],
        ]),
      ],
      naps: [sleepOf(real, at(13), [['light', 20]], 'nap')],
    }))
    const samples = drawn('hypnogram', day)
    expect(briefly(samples)).toEqual([
      ['00:00:00', 1],
      ['13:00:00', 2],
      ['23:00:00', 4],
      ['23:30:00', 2],
    ])
    expect(lasting(samples)).toEqual([60, 20, 30, 30])
  })
})

describe('an electrocardiogram', () => {
  const day = (draw = 0.1) =>
    madeDay(() => ({ noise: () => (ordinal) => ({ 0: draw, 1: 0, 2: 0.5, 3: 0.5 })[ordinal] ?? 0.5 }))
  const start = at(8, 30)
  const end = at(8, 30) + 30 * SECOND_MS

  it('has 512 points a second of one lead', () => {
    const samples = drawn('electrocardiogram_voltage', day())
    expect(samples).toHaveLength(15_360)
    expect(samples[0]).toMatchObject({ start, end: start, type: 'lead_1' })
    expect(samples[512]?.start).toBe(start + SECOND_MS)
    expect((samples[1]?.start ?? 0) - start).toBe(SECOND_MS / 512)
    const volts = samples.map(({ value }) => Number(value))
    expect(Math.max(...volts)).toBeGreaterThan(0.8)
    expect(Math.min(...volts)).toBeLessThan(-0.1)
  })

  it('is read where the time meets it', () => {
    const count = (from: number, until: number) =>
      drawn('electrocardiogram_voltage', day(), { from, until }).length
    expect(count(start - HOUR_MS, start - 1)).toBe(0)
    expect(count(start - HOUR_MS, start)).toBe(15_360)
    expect(count(end, end + HOUR_MS)).toBe(15_360)
    expect(count(end + 1, end + HOUR_MS)).toBe(0)
    expect(drawn('electrocardiogram_voltage', day(0.9))).toEqual([])
  })
})
