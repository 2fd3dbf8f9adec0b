import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import { type ConditionState, type Course, conditionsOn, makePerson } from '../../src/people/person.ts'
import { familyOf, formulas } from '../../src/resources/results/derived.ts'
import type { DrawnSample } from '../../src/resources/results/levels.ts'
import { lipidsOf } from '../../src/resources/results/lipids.ts'
import { isCritical } from '../../src/resources/results/ranges.ts'
import { familyValues, type Goal, type Value, withConditions } from '../../src/resources/results/values.ts'
import { nothing } from '../support/lives.ts'
import { analyteOf, analytes, patient, sampleOf } from '../support/results.ts'

const DATE = '2026-01-05'

const given = (slug: string, values: Readonly<Record<string, Value>>, more: Partial<DrawnSample> = {}) =>
  new Map(familyValues(sampleOf(more), slug, [], new Map(), new Map(Object.entries(values))))

/** What a formula gives at these values, and the step in which a report prints it. */
function recomputed(slug: string, values: ReadonlyMap<string, Value>) {
  const of = (name: string) => Number(values.get(name))
  return Number(formulas[slug]?.compute({ of, patient, noise: 0.5, analyte: analyteOf(slug) }))
}

describe('a calculated result that is given', () => {
  it.each([
    ['ldl-cholesterol-calc', 190, 2],
    ['vldl-cholesterol-calc', 30, 2],
    ['non-hdl-cholesterol', 180, 1],
    ['cholesterol-hdl-ratio', 6, 0.2],
    ['egfr', 45, 3],
    ['bun-creatinine-ratio', 25, 3],
    ['globulin-total', 3.4, 0.1],
    ['ag-ratio', 1.2, 0.1],
    ['mcv', 75, 2],
    ['mch', 25, 1],
    ['mchc', 31, 1],
    ['neutrophils', 75, 1],
    ['neutrophils-absolute', 9, 0.3],
    ['lymphocytes-absolute', 3.2, 0.3],
    ['estimated-average-glucose', 180, 2],
    ['tibc', 420, 2],
    ['iron-saturation', 12, 1],
    ['transferrin', 330, 2],
    ['testosterone-free', 3, 0.2],
    ['albumin-creatinine-ratio', 120, 3],
    ['c-reactive-protein', 40, 1],
    ['inr', 3, 0.1],
  ])('%s of %d is reported so, and the measured ones lead to it', (slug, value, step) => {
    for (const key of ['one', 'two', 'three']) {
      const values = given(slug, { [slug]: value }, { key })
      expect(values.get(slug)).toBe(value)
      expect(
        Math.abs(recomputed(slug, values) - value),
        `${key}: ${recomputed(slug, values)}`,
      ).toBeLessThanOrEqual(step)
      for (const member of familyOf(slug)) if (analytes.has(member)) expect(values.has(member)).toBe(true)
    }
  })

  it('is reached by another measured one where the usual one is given, too', () => {
    const values = given('ldl-cholesterol-calc', { 'ldl-cholesterol-calc': 160, 'cholesterol-total': 245 })
    expect([values.get('ldl-cholesterol-calc'), values.get('cholesterol-total')]).toEqual([160, 245])
    expect(Math.abs(recomputed('ldl-cholesterol-calc', values) - 160)).toBeLessThanOrEqual(2)
    const counts = given('neutrophils', { neutrophils: 75, lymphocytes: 10 })
    expect([counts.get('neutrophils'), counts.get('lymphocytes')]).toEqual([75, 10])
    expect(Math.abs(recomputed('neutrophils', counts) - 75)).toBeLessThanOrEqual(1)
  })

  it('is reported as it is where nothing that occurs leads to it', () => {
    const values = given('egfr', { egfr: 45, creatinine: 0.5 })
    expect([values.get('egfr'), values.get('creatinine')]).toEqual([45, 0.5])
    const far = given('mchc', { mchc: 100 })
    expect(far.get('mchc')).toBe(100)
    for (const slug of ['hemoglobin', 'hematocrit', 'rbc']) {
      const possible = analyteOf(slug).possible as { low: number; high: number }
      expect(Number(far.get(slug)), slug).toBeLessThanOrEqual(possible.high)
      expect(Number(far.get(slug)), slug).toBeGreaterThanOrEqual(possible.low)
    }
  })
})

describe('measured results that are given', () => {
  it('are reported with all their digits, and the calculated ones follow in those of the laboratory', () => {
    const values = given('non-hdl-cholesterol', { 'cholesterol-total': 200.25, 'hdl-cholesterol': 50 })
    expect(values.get('cholesterol-total')).toBe(200.25)
    expect(values.get('non-hdl-cholesterol')).toBe(150)
    expect(values.get('cholesterol-hdl-ratio')).toBe(4)
  })

  it('that contradict each other leave nothing calculated from them', () => {
    const contradiction = 'Not calculated: the measured values contradict each other'
    const values = given('non-hdl-cholesterol', { 'cholesterol-total': 100, 'hdl-cholesterol': 120 })
    expect(values.get('non-hdl-cholesterol')).toBe(contradiction)
    expect(values.get('cholesterol-hdl-ratio')).toBe(0.8)
    const none = given('bun-creatinine-ratio', { creatinine: 0, bun: 10 })
    expect(none.get('bun-creatinine-ratio')).toBe(contradiction)
    expect(none.get('creatinine')).toBe(0)
    const equal = given('non-hdl-cholesterol', { 'cholesterol-total': 50, 'hdl-cholesterol': 50 })
    expect(equal.get('non-hdl-cholesterol')).toBe(0)
    expect(given('egfr', { egfr: 60, creatinine: 1 }).get('egfr')).toBe(60)
  })

  it('that are words stay words', () => {
    expect(given('urine-glucose', { 'urine-glucose': '3+' }).get('urine-glucose')).toBe('3+')
  })
})

describe('a result that was reported', () => {
  it('stays, and others are calculated from it', () => {
    const before = familyValues(sampleOf(), 'cholesterol-total')
    const reported = new Map<string, Value>([['cholesterol-total', 300]])
    const after = familyValues(sampleOf({ key: 'another' }), 'hdl-cholesterol', [], reported)
    expect(after.get('cholesterol-total')).toBe(300)
    expect(after.get('non-hdl-cholesterol')).toBe(300 - Number(after.get('hdl-cholesterol')))
    expect(before.get('cholesterol-total')).not.toBe(300)
  })

  it('is not made out of range any more', () => {
    const goal: Goal = { slug: 'potassium', level: 'critical', side: 'above' }
    const values = (reported: ReadonlyMap<string, Value>, entered: ReadonlyMap<string, Value> = new Map()) =>
      familyValues(sampleOf(), 'potassium', [goal], reported, entered).get('potassium')
    expect(isCritical(Number(values(new Map())), analyteOf('potassium'))).toBe(true)
    expect(values(new Map([['potassium', 4.1]]))).toBe(4.1)
    expect(values(new Map(), new Map([['potassium', 4.2]]))).toBe(4.2)
  })
})

describe('values', () => {
  it('are rounded as the laboratory rounds, and quantities of the body alone are left out', () => {
    for (const key of ['one', 'two', 'three', 'four']) {
      const values = familyValues(sampleOf({ key }), 'creatinine')
      expect([...values.keys()].filter((slug) => slug.startsWith('~'))).toEqual([])
      for (const [slug, value] of values)
        if (typeof value === 'number')
          expect(value, slug).toBe(Number(Number(value).toFixed(analyteOf(slug).decimals ?? 0)))
      const ph = Number(familyValues(sampleOf({ key }), 'urine-ph').get('urine-ph'))
      expect(ph * 2).toBe(Math.round(ph * 2))
      expect([5, 5.5, 6, 6.5, 7, 7.5, 8, 8.5]).toContain(ph)
    }
  })

  it('do not depend on the analyte of a family that is asked for, but on the sample', () => {
    const lipids = (slug: string, key = 'one') => new Map(familyValues(sampleOf({ key }), slug))
    expect(lipids('triglycerides')).toEqual(lipids('ldl-cholesterol-direct'))
    const direct = ['one', 'two'].map((key) => {
      const values = lipids('ldl-cholesterol-direct', key)
      return Number(values.get('ldl-cholesterol-direct')) / Number(values.get('ldl-cholesterol-calc'))
    })
    expect(direct[0]).not.toBe(direct[1])
  })

  it('beyond the triglycerides for calculated lipids are words, and the rest stays measured', () => {
    const values = given('triglycerides', { triglycerides: 1200 })
    for (const slug of ['ldl-cholesterol-calc', 'vldl-cholesterol-calc'])
      expect(values.get(slug)).toBe('Not calculated: triglycerides above 800 mg/dL')
    expect(values.get('ldl-calc-comment')).toBe('LDL cannot be calculated: triglycerides are too high')
    expect(values.get('cholesterol-total')).toEqual(expect.any(Number))
  })
})

describe('a condition', () => {
  const personWith = (course: Partial<Course>) =>
    makePerson(createRandom('seed'), 'patient', {
      sex: 'female',
      birthDate: '1980-06-01',
      course: { ...nothing, ...course },
    })
  const effectsOf = (states: readonly Partial<ConditionState>[], more: Partial<DrawnSample> = {}) =>
    withConditions(
      sampleOf({ person: personWith({}), ...more }),
      states.map((state) => ({ degree: 0.5, control: 0, ...state }) as ConditionState),
    ).effects
  const sign = (slug: string, side: Goal['side'], mild: number) => ({ slug, side, mild, severe: mild })
  const finding = (...args: Parameters<typeof sign>) =>
    ({ name: 'other_finding', sign: sign(...args) }) as const

  const valueAt = (slug: string, states: readonly Partial<ConditionState>[]) => {
    const sample = sampleOf({ person: personWith({}), isNatural: false, effects: effectsOf(states) })
    return Number(familyValues(sample, slug).get(slug))
  }

  it.each([
    ['tsh', 'above', 3, 13.5],
    ['urine-ph', 'above', 3, 8.3],
  ] as const)(
    'moves the usual level of %s %s its range, short of what a laboratory phones',
    (slug, side, times, target) => {
      const found = valueAt(slug, [finding(slug, side, times)])
      expect(found / target).toBeGreaterThan(0.85)
      expect(found / target).toBeLessThan(1.15)
    },
  )

  it('moves no level back to where the person is beyond it already', () => {
    expect(effectsOf([finding('potassium', 'above', 0.5)]).get('potassium')).toBe(1)
    expect(effectsOf([finding('potassium', 'below', 2)]).get('potassium')).toBe(1)
  })

  it('changes what drives a calculated result, the other way where that falls as it rises', () => {
    const filtered = effectsOf([finding('egfr', 'below', 0.5)])
    expect([...filtered.keys()]).toEqual(['creatinine'])
    expect(filtered.get('creatinine')).toBeGreaterThan(1.4)
    expect(effectsOf([finding('ldl-cholesterol-calc', 'above', 1.5)]).get('~ldl')).toBeGreaterThan(1.2)
  })

  it('has the effect of its degree, less what is controlled', () => {
    const severe: Partial<ConditionState> = { name: 'hypothyroidism', degree: 1 }
    const times = (state: Partial<ConditionState>) => effectsOf([state]).get('tsh') as number
    expect(times(severe)).toBeGreaterThan(times({ ...severe, degree: 0.2 }) * 2)
    expect(times({ ...severe, control: 0.5 })).toBeCloseTo(times(severe) ** 0.5, 6)
    expect(times({ ...severe, control: 1 })).toBe(1)
    expect(effectsOf([severe]).get('~ldl')).toBeCloseTo(1.5, 6)
    expect(effectsOf([{ ...severe, degree: 0.5, control: 0.5 }]).get('~ldl')).toBeCloseTo(1.125, 6)
  })

  it('beside treatment, an episode and a meal has the effects of all of them', () => {
    const statin = personWith({ treatments: [{ name: 'statin', since: '2020-01-01', until: null }] })
    expect(effectsOf([], { person: statin }).get('~ldl')).toBeCloseTo(0.6, 3)
    expect(effectsOf([{ name: 'hypothyroidism', degree: 1 }], { person: statin }).get('~ldl')).toBeCloseTo(
      0.9,
      3,
    )
    const illness = { name: 'illness', since: '2026-01-03', until: '2026-01-09', degree: 1 } as const
    const ill = { person: personWith({ episodes: [illness] }) }
    expect(effectsOf([], ill).get('crp-high-sensitivity')).toBe(12)
    expect(effectsOf([], { ...ill, isNatural: false }).get('crp-high-sensitivity')).toBeUndefined()
    const ate = { draw: { hour: 8, isFasting: false } }
    expect(effectsOf([], ate).get('insulin')).toBe(2)
    expect(effectsOf([], { ...ate, isNatural: false }).get('insulin')).toBeUndefined()
    expect(effectsOf([]).size).toBe(0)
  })

  it('in lipids of a sample is a level of LDL, and total cholesterol follows', () => {
    const dyslipidemia = personWith({
      conditions: [{ name: 'dyslipidemia', since: '2000-01-01', until: null, degree: 1, isDiagnosed: true }],
    })
    expect(conditionsOn(dyslipidemia, DATE)).toHaveLength(1)
    const [sick, healthy] = [dyslipidemia, personWith({})].map((person) =>
      lipidsOf(person, 'one', DATE, patient),
    )
    expect(sick?.ldl).toBeGreaterThan(190)
    expect(healthy?.ldl).toBeLessThan(170)
    // Wearables report the same.
    const values = familyValues(sampleOf({ person: personWith({}) }), 'cholesterol-total')
    expect(values.get('hdl-cholesterol')).toBe(Math.round(Number(healthy?.hdl)))
    expect(Math.abs(Number(values.get('cholesterol-total')) - Number(healthy?.total))).toBeLessThanOrEqual(1)
    for (const lipids of [sick, healthy]) {
      const { total, ldl, hdl, triglycerides } = lipids as ReturnType<typeof lipidsOf>
      // The rule of thumb of Friedewald.
      expect(Math.abs(total - ldl - hdl - triglycerides / 5)).toBeLessThan(20)
    }
  })
})
