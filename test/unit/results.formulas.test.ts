import { describe, expect, it } from 'vitest'
import type { AnalyteSeed } from '../../src/resources/catalogue/schema.ts'
import { familyOf, formulas, freeTestosterone, notApplicable } from '../../src/resources/results/derived.ts'
import { multiplesAt } from '../../src/resources/results/levels.ts'
import { driverOf, models, totalCholesterol } from '../../src/resources/results/models.ts'
import type { Patient } from '../../src/resources/results/ranges.ts'

const man: Patient = { sex: 'male', age: 50 }
const woman: Patient = { sex: 'female', age: 50 }

/** What a report has for an analyte at these values of others. */
function computed(
  slug: string,
  values: Readonly<Record<string, number>>,
  { patient = man, noise = 0.5 }: { patient?: Patient; noise?: number } = {},
) {
  const texts = { normal: 'as usual', abnormal: 'not as usual' }
  const known = {
    of: (name: string) => values[name] ?? Number.NaN,
    patient,
    noise,
    analyte: texts as unknown as AnalyteSeed,
  }
  return formulas[slug]?.unless?.(known) ?? formulas[slug]?.compute(known) ?? models[slug]?.compute(known)
}

const lipids = (total: number, hdl: number, triglycerides: number) => ({
  'cholesterol-total': total,
  'hdl-cholesterol': hdl,
  triglycerides,
})
const cells = { lymphocytes: 30, monocytes: 7, eosinophils: 3, basophils: 1 }

describe('a calculated result', () => {
  it.each([
    ['ldl-cholesterol-calc', lipids(200, 50, 150), 123.4],
    ['ldl-cholesterol-calc', lipids(200, 50, 800), 40.26],
    ['ldl-cholesterol-direct', lipids(200, 50, 150), 123.4],
    ['ldl-cholesterol-direct', lipids(200, 50, 2000), 40.26],
    ['vldl-cholesterol-calc', { ...lipids(200, 50, 150), 'ldl-cholesterol-calc': 123 }, 27],
    ['non-hdl-cholesterol', lipids(200, 50, 150), 150],
    ['cholesterol-hdl-ratio', lipids(200, 50, 150), 4],
    ['bun-creatinine-ratio', { bun: 14, creatinine: 0.7 }, 20],
    ['globulin-total', { 'protein-total': 7.1, albumin: 4.4 }, 2.7],
    ['ag-ratio', { albumin: 4.5, 'globulin-total': 2.5 }, 1.8],
    ['bilirubin-direct', { 'bilirubin-total': 0.8 }, 0.18],
    ['mcv', { hematocrit: 45, rbc: 5 }, 90],
    ['mch', { hemoglobin: 15, rbc: 5 }, 30],
    ['mchc', { hemoglobin: 15, hematocrit: 45 }, 33.33],
    ['neutrophils', cells, 59],
    ['lymphocytes-absolute', { wbc: 6, ...cells }, 1.8],
    ['estimated-average-glucose', { 'hemoglobin-a1c': 6 }, 125.5],
    ['tibc', { iron: 90, uibc: 240 }, 330],
    ['iron-saturation', { iron: 90, tibc: 300 }, 30],
    ['transferrin', { tibc: 300 }, 216],
    ['testosterone-free', { 'testosterone-total': 500, shbg: 40 }, 11.65],
    ['psa-free-percent', { 'psa-free': 0.3, 'psa-total': 1.2 }, 25],
    ['albumin-creatinine-ratio', { 'urine-albumin': 12, 'urine-creatinine': 120 }, 10],
    ['inr', { 'prothrombin-time': 10.4 }, 1],
    ['c-reactive-protein', { 'crp-high-sensitivity': 2.4 }, 2.4],
  ] as const)('%s of %o is %d', (slug, values, result) => {
    expect(computed(slug, values)).toBeCloseTo(result, 1)
  })

  it.each([
    [1, man, 91.7],
    [1, woman, 68.6],
    [0.6, { sex: 'female', age: 25 }, 127.7],
    [0.6, { sex: 'unknown', age: 25 }, 137.4],
    [2.5, { sex: 'male', age: 70 }, 27],
  ] as const)(
    'eGFR at a creatinine of %d (%o) is that of CKD-EPI 2021: %d',
    (creatinine, patient, result) => {
      expect(computed('egfr', { creatinine }, { patient })).toBeCloseTo(result, 1)
    },
  )

  it.each([
    ['ldl-cholesterol-calc', lipids(200, 50, 801), man, 'Not calculated: triglycerides above 800 mg/dL'],
    ['vldl-cholesterol-calc', lipids(200, 50, 801), man, 'Not calculated: triglycerides above 800 mg/dL'],
    ['ldl-calc-comment', lipids(200, 50, 801), man, 'not as usual'],
    ['ldl-calc-comment', lipids(200, 50, 800), man, 'as usual'],
    ['egfr', { creatinine: 1 }, { sex: 'male', age: 17 }, 'Not calculated: patient is under 18 years'],
    ['psa-free-percent', { 'psa-free': 0, 'psa-total': 0 }, man, 'Not calculated: PSA not detected'],
  ] as const)('%s of %o is words where the formula does not hold', (slug, values, patient, words) => {
    expect(computed(slug, values, { patient })).toBe(words)
  })

  it('is a number from the age of 18, and from the first PSA that is detected', () => {
    expect(computed('egfr', { creatinine: 1 }, { patient: { sex: 'male', age: 18 } })).toBeGreaterThan(100)
    expect(computed('psa-free-percent', { 'psa-free': 0.1, 'psa-total': 0.1 })).toBe(100)
  })

  it('differs a little from sample to sample where a method measures it, by at most 4 %', () => {
    const direct = (noise: number) => computed('ldl-cholesterol-direct', lipids(200, 50, 150), { noise })
    expect([0, 1].map((noise) => Number(direct(noise)) / Number(direct(0.5)))).toEqual([
      expect.closeTo(0.96, 5),
      expect.closeTo(1.04, 5),
    ])
    const bilirubin = (noise: number) => computed('bilirubin-direct', { 'bilirubin-total': 1 }, { noise })
    expect([bilirubin(0), bilirubin(1)]).toEqual([0.15, 0.3])
  })

  it('free testosterone is what the law of mass action leaves unbound, in pg/mL', () => {
    // Solved by bisection from the same affinities.
    expect(freeTestosterone(500, 40)).toBeCloseTo(93.176, 2)
    expect(freeTestosterone(500, 80)).toBeCloseTo(55.204, 2)
    expect(freeTestosterone(30, 60)).toBeCloseTo(3.628, 2)
  })

  it.each(['psa-total', 'psa-free', 'psa-free-percent'])('%s is not performed in women', (slug) => {
    expect(notApplicable(slug, woman)).toBe('Not performed: patient has no prostate')
    for (const sex of ['male', 'unknown'] as const)
      expect(notApplicable(slug, { ...woman, sex })).toBe(undefined)
    expect(notApplicable('tsh', woman)).toBeUndefined()
  })
})

describe('a result that depends on others in the body', () => {
  it.each([
    ['cholesterol-total', { '~ldl': 123.4, 'hdl-cholesterol': 50, triglycerides: 150 }, 200],
    ['cholesterol-total', { '~ldl': 100, 'hdl-cholesterol': 50, triglycerides: 1500 }, 455.95],
    ['cholesterol-total', { '~ldl': 100, 'hdl-cholesterol': 50, triglycerides: 3000 }, 455.95],
    ['apolipoprotein-b', { '~ldl': 100, triglycerides: 150 }, 88],
    ['apolipoprotein-a1', { 'hdl-cholesterol': 49 }, 141.4],
    ['ast', { '~ast': 20, alt: 20 }, 20],
    ['ast', { '~ast': 20, alt: 5 }, 10],
    ['ast', { '~ast': 20, alt: 40 }, 28.3],
    ['ast', { '~ast': 20, alt: 80 }, 52.8],
    ['glucose', { 'hemoglobin-a1c': 6, '~glucose': 0.8 }, 100.4],
    ['sodium', { '~sodium': 140, glucose: 90 }, 140],
    ['sodium', { '~sodium': 140, glucose: 600 }, 132],
    ['chloride', { sodium: 140, 'carbon-dioxide-total': 25, '~gap': 11 }, 104],
    ['chloride', { sodium: 140, 'carbon-dioxide-total': 10, '~gap': 11 }, 113],
    ['chloride', { sodium: 140, 'carbon-dioxide-total': 30, '~gap': 11 }, 101],
    ['chloride', { sodium: 140, 'carbon-dioxide-total': 40, '~gap': 11 }, 91],
    ['calcium', { '~calcium': 9.4, albumin: 4.4 }, 9.4],
    ['calcium', { '~calcium': 9.4, albumin: 2.4 }, 7.8],
    ['bun', { '~bun': 14, creatinine: 1.3 }, 14],
    ['bun', { '~bun': 14, creatinine: 3.3 }, 30],
    ['c-peptide', { '~c-peptide': 2, insulin: 8.5 }, 2],
    ['c-peptide', { '~c-peptide': 2, insulin: 34 }, 4.29],
    ['uibc', { '~tibc': 330, iron: 90 }, 240],
    ['uibc', { '~tibc': 330, iron: 320 }, 15],
    ['hematocrit', { hemoglobin: 15, '~mchc': 33.3 }, 45.05],
    ['rbc', { hematocrit: 45, '~mcv': 90 }, 5],
    ['protein-total', { albumin: 4.4, '~globulin': 2.7 }, 7.1],
    ['psa-free', { 'psa-total': 2, '~psa-free': 0.25 }, 0.5],
    ['urine-albumin', { '~acr': 6, 'urine-creatinine': 150 }, 9],
    ['~pyuria', { '~urine-leukocytes': 2, wbc: 5 }, 2],
    ['~pyuria', { '~urine-leukocytes': 2, wbc: 12 }, 8],
    ['~ketosis', { '~ketones': 0.25, glucose: 250, 'carbon-dioxide-total': 10 }, 0.25],
    ['~ketosis', { '~ketones': 0.25, glucose: 251, 'carbon-dioxide-total': 25 }, 0.5],
    ['~ketosis', { '~ketones': 0.25, glucose: 251, 'carbon-dioxide-total': 10 }, 3],
  ] as const)('%s at %o is %d', (slug, values, result) => {
    expect(computed(slug, values)).toBeCloseTo(result, 1)
  })

  it.each([
    ['urine-glucose', 'glucose', 180, 'as usual'],
    ['urine-glucose', 'glucose', 181, 'Trace'],
    ['urine-glucose', 'glucose', 201, '1+'],
    ['urine-glucose', 'glucose', 900, '3+'],
    ['urine-protein', '~acr', 151, '1+'],
    ['urine-nitrite', '~pyuria', 40, 'as usual'],
    ['urine-nitrite', '~pyuria', 41, 'Positive'],
    ['urine-appearance', '~pyuria', 121, 'Cloudy'],
  ])('%s is what a strip shows at %s %d: %s', (slug, of, value, text) => {
    expect(computed(slug, { [of]: value })).toBe(text)
  })

  it('varies by a few percent from sample to sample where an assay measures it', () => {
    const share = (slug: string, values: Readonly<Record<string, number>>, noise: number) =>
      Number(computed(slug, values, { noise })) / Number(computed(slug, values))
    const b = { '~ldl': 100, triglycerides: 150 }
    const a = { 'hdl-cholesterol': 49 }
    expect(share('apolipoprotein-b', b, 1)).toBeCloseTo(1.04, 5)
    expect(share('apolipoprotein-a1', a, 1)).toBeCloseTo(1.03, 5)
  })

  it('cholesterol is what the equation of LDL cholesterol takes for it', () => {
    for (const [total, hdl, triglycerides] of [
      [200, 50, 150],
      [310, 35, 420],
    ] as const) {
      const ldl = Number(computed('ldl-cholesterol-calc', lipids(total, hdl, triglycerides)))
      expect(totalCholesterol(ldl, hdl, triglycerides)).toBeCloseTo(total, 6)
    }
  })

  it('is changed by what drives it, or by itself', () => {
    expect(['egfr', 'non-hdl-cholesterol', 'tsh'].map(driverOf)).toEqual(['creatinine', '~ldl', 'tsh'])
  })
})

describe('a family of results', () => {
  it('has what depends on each other, inputs before what is computed from them', () => {
    const family = familyOf('egfr')
    expect(familyOf('creatinine')).toEqual(family)
    expect(family).toEqual(
      expect.arrayContaining(['creatinine', '~bun', 'bun', 'bun-creatinine-ratio', 'egfr']),
    )
    for (const [slug, { from }] of [...Object.entries(models), ...Object.entries(formulas)]) {
      const members = familyOf(slug)
      for (const each of from) expect(members.indexOf(each), slug).toBeLessThan(members.indexOf(slug))
      expect(Math.min(...from.map((each) => members.indexOf(each))), slug).toBeGreaterThanOrEqual(0)
    }
  })

  it('of a result that depends on nothing is that alone', () => {
    expect(familyOf('ferritin')).toEqual(['ferritin'])
  })
})

describe('the hour of a draw', () => {
  const at = (hour: number, isFasting: boolean) =>
    Object.fromEntries(multiplesAt({ hour, isFasting }).map(({ slug, times }) => [slug, times]))

  it('halves cortisol from eight to four, and changes nothing before', () => {
    expect([6, 8, 12, 16].map((hour) => at(hour, true).cortisol)).toEqual([
      1,
      1,
      expect.closeTo(Math.SQRT1_2, 5),
      0.5,
    ])
    expect(at(16, true)).toEqual({ cortisol: 0.5, iron: 0.8, tsh: 0.85, 'testosterone-total': 0.85 })
    expect(at(23, true).cortisol).toBeCloseTo(0.5 ** 1.2, 5)
  })

  it('with a meal before it raises triglycerides, glucose and insulin beside', () => {
    const eaten = { triglycerides: 1.22, '~glucose': 1.07, insulin: 2, '~c-peptide': 1.1 }
    expect(at(16, false)).toEqual({ ...at(16, true), ...eaten })
  })
})
