import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import { daysLater } from '../../src/people/dates.ts'
import { lifeOn } from '../../src/people/life.ts'
import { type Course, conditionsOn, makePerson, type Person } from '../../src/people/person.ts'
import { createCatalogue } from '../../src/resources/catalogue/service.ts'
import { freeTestosterone } from '../../src/resources/results/derived.ts'
import type { Draw, DrawnSample } from '../../src/resources/results/levels.ts'
import { multiplesOf } from '../../src/resources/results/phases.ts'
import { familyValues, type Value, withConditions } from '../../src/resources/results/values.ts'

const random = createRandom('phases')
const analytes = createCatalogue().analytes()
const BEGINS = '2025-03-01'
const noCourse: Course = { traits: {}, conditions: [], treatments: [], episodes: [] }
const woman = (nth: number, course: Partial<Course>) =>
  makePerson(random, `woman-${nth}`, {
    sex: 'female',
    birthDate: '1994-05-05',
    course: { ...noCourse, ...course },
  })
const pregnant = Array.from({ length: 30 }, (_, nth) =>
  woman(nth, {
    conditions: [
      { name: 'pregnancy', since: BEGINS, until: daysLater(BEGINS, 280), degree: 1, isDiagnosed: true },
    ],
  }),
)

function valuesOf(person: Person, date: string, slugs: readonly string[], draw?: Draw): Map<string, Value> {
  const drawn: DrawnSample = {
    person,
    date,
    key: `sample/${person.drawKey}/${date}`,
    patient: { sex: person.sex, age: 30 },
    analytes,
    isNatural: true,
    effects: new Map(),
    ...(draw && { draw }),
  }
  const sample = withConditions(drawn, conditionsOn(person, date))
  const found = new Map<string, Value>()
  for (const slug of slugs) for (const each of familyValues(sample, slug)) found.set(...each)
  return found
}

function median(slug: string, week: number): number {
  const date = daysLater(BEGINS, 7 * week)
  const found = pregnant.map((person) => Number(valuesOf(person, date, [slug]).get(slug)))
  return found.sort((a, b) => a - b)[Math.floor(found.length / 2)] ?? Number.NaN
}

describe('results in a pregnancy', () => {
  it('have the hormones of its week, and lose them in the weeks after the birth', () => {
    const hcg = (week: number) => median('hcg-beta-quantitative', week)
    expect(hcg(-4)).toBeLessThan(3)
    expect(hcg(4)).toBeGreaterThan(20)
    expect(hcg(4)).toBeLessThan(500)
    expect(hcg(10)).toBeGreaterThan(30_000)
    expect(hcg(30)).toBeGreaterThan(3000)
    expect(hcg(30)).toBeLessThan(hcg(10) / 3)
    expect(hcg(46)).toBeLessThan(3)
    expect(median('progesterone', 30)).toBeGreaterThan(60)
    expect(median('estradiol', 30)).toBeGreaterThan(5000)
    expect(median('fsh', 30)).toBeLessThan(1)
    expect(median('estradiol', 44)).toBeLessThan(100)
  })

  it('change with it: blood, kidneys, albumin, lipids, thyroid', () => {
    const times = (slug: string, week = 32) => median(slug, week) / median(slug, -4)
    expect(times('hemoglobin')).toBeGreaterThan(0.82)
    expect(times('hemoglobin')).toBeLessThan(0.95)
    expect(times('creatinine')).toBeLessThan(0.88)
    expect(times('albumin')).toBeLessThan(0.82)
    expect(times('alkaline-phosphatase')).toBeGreaterThan(1.4)
    expect(times('cholesterol-total')).toBeGreaterThan(1.2)
    expect(times('triglycerides')).toBeGreaterThan(2)
    expect(times('t4-total')).toBeGreaterThan(1.3)
    expect(times('albumin', 60)).toBeGreaterThan(0.95)
  })

  it('are those of others before it, and three months after the birth', () => {
    const person = pregnant[0] as Person
    const timesOf = (week: number) => {
      const found = multiplesOf(lifeOn(person, daysLater(BEGINS, 7 * week)))
      return new Map(found.map(({ slug, times }) => [slug, times]))
    }
    expect([-1, 40 + 12].map((week) => timesOf(week).size)).toEqual([0, 0])
    expect(timesOf(22).get('~tibc')).toBe(1.21)
    expect(timesOf(43).get('wbc')).toBeCloseTo(1.27)
  })
})

it('a pill keeps the hormones of the ovaries low', () => {
  const found = Array.from({ length: 20 }, (_, nth) => {
    const person = woman(nth, {
      treatments: [{ name: 'contraceptive_pill', since: '2020-01-01', until: null }],
    })
    return valuesOf(person, BEGINS, ['progesterone', 'lh'])
  })
  for (const values of found) {
    expect(Number(values.get('progesterone'))).toBeLessThan(1.5)
    expect(Number(values.get('lh'))).toBeLessThan(9)
  }
})

it('cortisol halves until the afternoon, and a meal raises triglycerides and insulin', () => {
  const at = (slug: string, draw: Draw) => {
    const person = woman(1, {})
    return Number(valuesOf(person, BEGINS, [slug], draw).get(slug))
  }
  const [morning, afternoon] = [8, 16].map((hour) => at('cortisol', { hour, isFasting: true })) as [
    number,
    number,
  ]
  expect(afternoon / morning).toBeCloseTo(0.5, 1)
  for (const slug of ['triglycerides', 'insulin'])
    expect(at(slug, { hour: 8, isFasting: false })).toBeGreaterThan(
      1.15 * at(slug, { hour: 8, isFasting: true }),
    )
})

it('a test strip shows the glucose and the albumin of the body', () => {
  for (let nth = 0; nth < 40; nth++) {
    const person = woman(nth, {
      conditions:
        nth % 2 === 0
          ? [{ name: 'type_1_diabetes', since: '2010-01-01', until: null, degree: 1, isDiagnosed: true }]
          : [],
    })
    const values = valuesOf(person, BEGINS, ['glucose', 'urine-protein'])
    expect(values.get('urine-glucose') === 'Negative').toBe(Number(values.get('glucose')) <= 180)
    if (Number(values.get('albumin-creatinine-ratio')) < 30)
      expect(values.get('urine-protein')).toBe('Negative')
  }
})

it('free testosterone is what the equation of Vermeulen leaves unbound', () => {
  // 17.35 nmol/L with SHBG 40 nmol/L: 1.8 to 2 % is free.
  const free = freeTestosterone(500, 40)
  expect(free).toBeGreaterThan(85)
  expect(free).toBeLessThan(105)
  expect(freeTestosterone(500, 80)).toBeLessThan(0.7 * free)
})
