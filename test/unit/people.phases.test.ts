import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import { daysLater } from '../../src/people/dates.ts'
import {
  effectsOfLife,
  hasPregnancyOrPill,
  inCourse,
  isWithoutPeriods,
  type Life,
  type Living,
  lifeOn,
  pillOn,
} from '../../src/people/life.ts'
import { round } from '../../src/people/noise.ts'

// Where in life somebody is: in childhood, in a pregnancy and after it, and after the menopause.

const BEGINS = '2025-01-01'
const BORN = '2025-10-08'
const pregnancy = { name: 'pregnancy', since: BEGINS, until: BORN } as const
const living = (more: Partial<Living> = {}): Living => ({
  ...{ userId: 'user-1', random: createRandom('one life'), sex: 'female', birthDate: '1990-01-01' },
  ...{ menopause: '2041-06-01', conditions: [pregnancy], treatments: [] },
  ...more,
})
const usual: Life = {
  pregnantWeeks: undefined,
  birth: undefined,
  isOnPill: false,
  yearsAfterMenopause: undefined,
  maturity: 1,
}

describe('a life', () => {
  it.each([
    ['2024-12-31', undefined, undefined],
    ['2025-01-01', 0, undefined],
    ['2025-10-07', 39 + 6 / 7, undefined],
    ['2025-10-08', undefined, 0],
    ['2026-10-06', undefined, 51 + 6 / 7],
    ['2026-10-07', undefined, undefined],
  ])('on %s is in week %s of a pregnancy, or %s after it', (date, pregnant, after) => {
    const { pregnantWeeks, birth } = lifeOn(living(), date)
    expect([pregnantWeeks, birth?.weeksAgo]).toEqual([pregnant, after])
  })

  it('counts from the latest birth, and lets a new pregnancy begin in the year after it', () => {
    const second = { ...pregnancy, since: '2026-03-01', until: null }
    const twice = living({ conditions: [pregnancy, second, { name: 'liver', since: BEGINS, until: null }] })
    expect(lifeOn(twice, '2026-03-15')).toMatchObject({
      pregnantWeeks: 2,
      birth: { weeksAgo: 22 + 4 / 7, carried: 40 },
    })
    // Without another end it lasts 280 days.
    expect(lifeOn(twice, '2026-12-05').pregnantWeeks).toBeCloseTo(39 + 6 / 7)
    expect(lifeOn(twice, '2026-12-06')).toMatchObject({
      pregnantWeeks: undefined,
      birth: { weeksAgo: 0, carried: 40 },
    })
  })

  it('has nursing after some births, and none after those that came too early', () => {
    const nursing = Array.from(
      { length: 40 },
      (_, nth) => lifeOn(living({ userId: `user-${nth}` }), BORN).birth?.nursing ?? -1,
    )
    expect(nursing.slice(0, 8).map((weeks) => round(weeks, 1))).toEqual([
      0, 61.7, 0, 57.6, 60.6, 4.9, 75.7, 11.7,
    ])
    const early = Array.from({ length: 40 }, (_, nth) =>
      lifeOn(
        living({ userId: `user-${nth}`, conditions: [{ ...pregnancy, until: daysLater(BEGINS, 195) }] }),
        daysLater(BEGINS, 195),
      ),
    )
    expect(new Set(early.map(({ birth }) => birth?.nursing))).toEqual(new Set([0]))
  })

  it.each([
    [{ pregnantWeeks: 10 }, true],
    [{}, false],
    [{ birth: { weeksAgo: 5.9, carried: 40, nursing: 0 } }, true],
    [{ birth: { weeksAgo: 6, carried: 40, nursing: 0 } }, false],
    [{ birth: { weeksAgo: 19.9, carried: 40, nursing: 25 } }, true],
    [{ birth: { weeksAgo: 20, carried: 40, nursing: 25 } }, false],
  ])('with %o is without periods: %s', (phase, isWithout) => {
    expect(isWithoutPeriods({ ...usual, ...phase })).toBe(isWithout)
  })

  it('has a pill from its first day to the day before its last, except in a pregnancy', () => {
    const pill = { name: 'contraceptive_pill', since: '2024-11-01', until: '2025-02-01' } as const
    const statin = { ...pill, name: 'statin', since: '2020-01-01' } as const
    const taker = living({ treatments: [statin, pill] })
    const days = ['2024-10-31', '2024-11-01', '2024-12-31', '2025-01-01', '2025-01-31', '2025-02-01']
    expect(days.map((date) => pillOn(taker, date) === pill)).toEqual([false, true, true, true, true, false])
    expect(days.map((date) => lifeOn(taker, date).isOnPill)).toEqual([false, true, true, false, false, false])
    const stays = living({ treatments: [{ ...pill, until: null }], conditions: [] })
    expect(lifeOn(stays, '2030-01-01').isOnPill).toBe(true)
  })

  it('has years since the menopause, negative before it, and none in men', () => {
    expect(lifeOn(living(), '2040-06-01').yearsAfterMenopause).toBeCloseTo(-1, 2)
    expect(lifeOn(living({ menopause: null }), '2040-06-01').yearsAfterMenopause).toBeUndefined()
  })

  it('has a puberty, which boys have later', () => {
    const maturity = (sex: 'female' | 'male') =>
      [9, 12, 14, 16, 18, 25].map((age) =>
        round(
          lifeOn(living({ sex, birthDate: '2000-01-01', conditions: [] }), `${2000 + age}-01-01`).maturity,
          2,
        ),
      )
    expect(maturity('female')).toEqual([0, 0.1, 0.43, 0.77, 1, 1])
    expect(maturity('male')).toEqual([0, 0, 0.18, 0.52, 0.85, 1])
  })
})

describe('the effects of a life', () => {
  const effectsOf = (phase: Partial<Life>) => {
    const effects = Object.entries(Object.fromEntries(effectsOfLife({ ...usual, ...phase })))
    return Object.fromEntries(
      effects.map(([trait, { add = 0, times = 1 }]) => [
        trait,
        times === 1 ? round(add, 3) : `× ${round(times, 3)}`,
      ]),
    )
  }

  it('are none outside of a pregnancy and the year after it', () => {
    expect(effectsOf({})).toEqual({})
    expect(effectsOf({ birth: { weeksAgo: 52, carried: 40, nursing: 0 } })).toMatchObject({
      restingHeart: 0,
      hrv: 0,
      systolic: 0,
    })
  })

  it('are those of the week', () => {
    expect(effectsOf({ pregnantWeeks: 24 })).toEqual({
      restingHeart: 8.241,
      hrv: '× 0.781',
      temperature: 0,
      breathsPerMinute: 0.72,
      bodyMassIndex: '× 1.094',
      usualSteps: '× 0.885',
      workoutsPerWeek: '× 0.614',
      sleepHours: 0.1,
      sleepEfficiency: -2.5,
      napsPerWeek: 1.055,
      systolic: -3,
      diastolic: -3.8,
    })
    expect(effectsOf({ birth: { weeksAgo: 4, carried: 40, nursing: 0 } })).toEqual({
      restingHeart: -0.667,
      hrv: '× 1.013',
      temperature: 0,
      breathsPerMinute: 0,
      bodyMassIndex: '× 1.077',
      usualSteps: '× 0.7',
      workoutsPerWeek: '× 0.067',
      sleepHours: -1.133,
      sleepEfficiency: -13.333,
      napsPerWeek: 3,
      systolic: 1,
      diastolic: 1,
    })
  })

  it('of a birth are less after a short pregnancy, and not more after a long one', () => {
    const course = { pregnant: [], after: [[0, 5] as const] }
    const after = (carried: number) =>
      inCourse(course, { ...usual, birth: { weeksAgo: 0, carried, nursing: 0 } }, 1)
    expect([20, 40, 42].map(after)).toEqual([3, 5, 5])
    expect(inCourse(course, usual, 1)).toBe(1)
  })
})

describe('what may interrupt the cycles of a woman', () => {
  const without = living({ conditions: [] })
  const pill = { name: 'contraceptive_pill', since: '2025-03-01', until: '2025-06-01' } as const
  const both = (from: string, until: string) =>
    [living(), living({ conditions: [], treatments: [pill] })].map((each) =>
      hasPregnancyOrPill(each, from, until),
    )

  it.each([
    ['2024-11-01', '2024-12-31', false, false],
    ['2024-12-05', '2025-01-01', true, false],
    ['2025-02-01', '2025-03-01', true, true],
    ['2025-05-31', '2025-06-15', true, true],
    ['2025-06-01', '2025-06-15', true, false],
    // 658 days after the birth a pregnancy is over for good.
    ['2027-07-28', '2027-08-20', true, false],
    ['2027-07-29', '2027-08-20', false, false],
  ])('between %s and %s is a pregnancy: %s, and a pill: %s', (from, until, pregnant, taking) => {
    expect(both(from, until)).toEqual([pregnant, taking])
    expect(hasPregnancyOrPill(without, from, until)).toBe(false)
  })

  it('is a pill that is not stopped, and no other treatment', () => {
    const treated = (name: 'statin' | 'contraceptive_pill') =>
      living({ conditions: [], treatments: [{ name, since: '2025-03-01', until: null }] })
    expect(hasPregnancyOrPill(treated('contraceptive_pill'), '2030-01-01', '2030-01-28')).toBe(true)
    expect(hasPregnancyOrPill(treated('statin'), '2030-01-01', '2030-01-28')).toBe(false)
  })
})
