import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import { daysLater } from '../../src/people/dates.ts'
import { lifeOn } from '../../src/people/life.ts'
import { makePerson } from '../../src/people/person.ts'
import { multiplesOf } from '../../src/resources/results/phases.ts'

const BEGINS = '2025-03-01'
const woman = makePerson(createRandom('phases'), 'woman', {
  sex: 'female',
  birthDate: '1994-05-05',
  course: {
    traits: {},
    treatments: [],
    episodes: [],
    conditions: [
      { name: 'pregnancy', since: BEGINS, until: daysLater(BEGINS, 280), degree: 1, isDiagnosed: true },
    ],
  },
})
const timesIn = (week: number) =>
  new Map(multiplesOf(lifeOn(woman, daysLater(BEGINS, 7 * week))).map(({ slug, times }) => [slug, times]))

describe('results in a pregnancy', () => {
  it('change with it: blood, kidneys, albumin, lipids, thyroid', () => {
    expect(Object.fromEntries(timesIn(36))).toMatchObject({
      hemoglobin: 0.9,
      ferritin: 0.35,
      creatinine: 0.8,
      albumin: 0.74,
      'alkaline-phosphatase': 2.08,
      '~ldl': 1.5,
      triglycerides: 2.77,
      't4-total': 1.46,
      't4-free': 0.8,
      shbg: 5.8,
      prolactin: 20,
    })
    expect(timesIn(22).get('~tibc')).toBe(1.21)
    expect(timesIn(43).get('wbc')).toBeCloseTo(1.27)
  })

  it('are those of others before it, and three months after the birth', () => {
    expect([-1, 40 + 12].map((week) => timesIn(week).size)).toEqual([0, 0])
  })
})
