import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import {
  effectsOfLife,
  inPregnancy,
  isWithoutPeriods,
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
  drawKey: 'user-1',
  random: createRandom('one life'),
  sex: 'female',
  birthDate: '1990-01-01',
  menopause: '2041-06-01',
  conditions: [pregnancy],
  treatments: [],
  ...more,
})
describe('a life', () => {
  it.each([
    ['2024-12-31', undefined, undefined],
    ['2025-01-01', 0, undefined],
    ['2025-10-07', 39 + 6 / 7, undefined],
    ['2025-10-08', undefined, 0],
    ['2025-12-30', undefined, 11 + 6 / 7],
    ['2025-12-31', undefined, undefined],
  ])('on %s is in week %s of a pregnancy, or %s after it', (date, pregnant, after) => {
    const life = lifeOn(living(), date)
    expect([life.pregnantWeeks, life.weeksAfterBirth]).toEqual([pregnant, after])
    expect(isWithoutPeriods(life)).toBe(pregnant !== undefined || after !== undefined)
  })

  it('counts from the latest birth, and lets a new pregnancy begin after it', () => {
    const second = { ...pregnancy, since: '2026-03-01', until: null }
    const twice = living({ conditions: [pregnancy, second, { name: 'liver', since: BEGINS, until: null }] })
    expect(lifeOn(twice, '2026-03-15')).toMatchObject({
      pregnantWeeks: 2,
      weeksAfterBirth: undefined,
    })
    // Without another end it lasts 280 days.
    expect(lifeOn(twice, '2026-12-05').pregnantWeeks).toBeCloseTo(39 + 6 / 7)
    expect(lifeOn(twice, '2026-12-06')).toMatchObject({
      pregnantWeeks: undefined,
      weeksAfterBirth: 0,
    })
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

describe('the effects of a pregnancy', () => {
  const at = (date: string) => lifeOn(living(), date)

  it('go through the values of its trimesters, and fade in six weeks after it', () => {
    const dates = [
      '2024-12-31',
      '2025-02-26',
      '2025-06-04',
      '2025-09-10',
      '2025-10-08',
      '2025-10-29',
      '2025-11-19',
    ]
    expect(dates.map((date) => round(inPregnancy([2, 3, 5], at(date), 1), 2))).toEqual([1, 2, 3, 5, 5, 3, 1])
  })

  it('make the heart faster and the body heavier, and are none at other times', () => {
    expect(effectsOfLife(at('2024-12-31'))).toEqual([])
    expect(Object.fromEntries(effectsOfLife(at('2025-09-10')))).toMatchObject({
      restingHeart: { add: 10, times: 1 },
      bodyMassIndex: { add: 0, times: 1.17 },
    })
  })
})
