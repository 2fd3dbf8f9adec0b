import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import { glucose } from '../../src/people/curves.ts'
import { daysLater } from '../../src/people/dates.ts'
import { dayOf } from '../../src/people/day.ts'
import { conditionsOn, makePerson } from '../../src/people/person.ts'
import type { Trait } from '../../src/people/traits.ts'
import { createCatalogue } from '../../src/resources/catalogue/service.ts'
import { familyValues, withConditions } from '../../src/resources/results/values.ts'

const FIRST = '2026-02-02'
const DAYS = 14
const since = '2010-01-01'
const random = createRandom('diabetes')

/** Somebody with type 1 diabetes, or without. */
const person = (nth: number, isIll: boolean, traits: Partial<Record<Trait, number>> = {}) =>
  makePerson(random, `user-${nth}`, {
    sex: 'female',
    birthDate: '1993-05-05',
    begins: FIRST,
    course: {
      traits,
      conditions: isIll
        ? [{ name: 'type_1_diabetes', since, until: null, degree: 0.6, isDiagnosed: true }]
        : [],
      treatments: isIll ? [{ name: 'insulin', since, until: null }] : [],
      episodes: [],
    },
  })

/** Glucose in mg/dL with its hour, each five minutes of two weeks. */
function readings(nth: number, isIll: boolean, traits?: Partial<Record<Trait, number>>) {
  const of = person(nth, isIll, traits)
  return Array.from({ length: DAYS }, (_, at) => dayOf(of, 'UTC', daysLater(FIRST, at))).flatMap((day) =>
    Array.from({ length: 288 }, (_, at) => ({
      hour: at / 12,
      value: glucose(day, day.start + at * 300_000, 0.5) * 18.018,
    })),
  )
}

function statistics(all: readonly { value: number }[]) {
  const mean = all.reduce((sum, { value }) => sum + value, 0) / all.length
  const variance = all.reduce((sum, { value }) => sum + (value - mean) ** 2, 0) / all.length
  const low = (100 * all.filter(({ value }) => value < 70).length) / all.length
  return { cv: (100 * Math.sqrt(variance)) / mean, low }
}

describe('glucose in type 1 diabetes', () => {
  it('varies by 36 percent and more, and is below 70 for 3 to 5 percent of the time', () => {
    const { cv, low } = statistics([0, 1, 2, 3].flatMap((nth) => readings(nth, true)))
    expect(cv).toBeGreaterThanOrEqual(36)
    expect(low).toBeGreaterThanOrEqual(3)
    expect(low).toBeLessThanOrEqual(5)
    const healthy = statistics(readings(0, false))
    expect(healthy.cv).toBeLessThan(25)
    expect(healthy.low).toBeLessThan(1)
  })

  it('is low at night in somebody who has lows at night', () => {
    const night = (all: ReturnType<typeof readings>) =>
      statistics(all.filter(({ hour }) => hour >= 1 && hour < 6)).low
    expect(night(readings(0, true, { nightLowsPerWeek: 6 }))).toBeGreaterThan(20)
    expect(night(readings(0, true))).toBeLessThan(10)
  })
})

it('C-peptide is at its lower limit in type 1 diabetes, and in its range without', () => {
  const analytes = createCatalogue().analytes()
  const cPeptide = (isIll: boolean) => {
    const of = person(0, isIll)
    const patient = { sex: of.sex, age: 32 }
    const effects = new Map<string, number>()
    const drawn = { person: of, date: FIRST, key: 'sample', patient, analytes, isNatural: true, effects }
    const sample = withConditions(drawn, conditionsOn(of, FIRST))
    return Number(new Map(familyValues(sample, 'c-peptide')).get('c-peptide'))
  }
  expect(cPeptide(true)).toBeLessThanOrEqual(0.1)
  expect(cPeptide(false)).toBeGreaterThan(1)
})
