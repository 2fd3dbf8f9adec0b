import { beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import type { AnalyteSeed } from '../../src/resources/catalogue/schema.ts'
import { type Catalogue, createCatalogue, type Marker } from '../../src/resources/catalogue/service.ts'
import { sampsonLdl } from '../../src/resources/results/derived.ts'
import type { Expected } from '../../src/resources/results/expected.ts'
import { failureOf } from '../../src/resources/results/failures.ts'
import { chooseFirst } from '../../src/resources/results/goals.ts'
import { linesOf } from '../../src/resources/results/lines.ts'
import { patterns } from '../../src/resources/results/patterns.ts'
import { isCritical, type Patient, rangeFor, sideOf } from '../../src/resources/results/ranges.ts'
import { familyValues, type Goal, type Value } from '../../src/resources/results/values.ts'

const PEOPLE = 300
const random = createRandom('a clinician looks')

let catalogue: Catalogue
let analytes: ReadonlyMap<string, AnalyteSeed>
beforeAll(() => {
  catalogue = createCatalogue()
  analytes = catalogue.analytes()
})

const nths = Array.from({ length: PEOPLE }, (_, nth) => nth)
const patientOf = (nth: number): Patient => ({ sex: nth % 2 ? 'female' : 'male', age: 20 + (nth % 60) })

interface Wish {
  readonly sample?: string
  readonly patient?: Patient
  readonly goals?: readonly Goal[]
  readonly mayBeAbnormal?: boolean
}

/** What is measured in a person's sample. */
function valuesOf(nth: number, slugs: readonly string[], wish: Wish = {}): Map<string, Value> {
  const { sample = 'one', patient = patientOf(nth), goals = [], mayBeAbnormal = false } = wish
  const about = { random, person: `person/${nth}`, key: `${nth}/${sample}`, patient, analytes, mayBeAbnormal }
  return new Map(slugs.flatMap((slug) => [...familyValues(about, slug, goals)]))
}

const numbersOf = (slug: string, wish: Wish = {}) =>
  nths.map((nth) => Number(valuesOf(nth, [slug], wish).get(slug)))
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const deviationOf = (values: readonly number[]) => {
  const mean = meanOf(values)
  return Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)))
}

/** The panel's results, as an order expects them. */
const expectedOf = (panel: string): Expected[] =>
  (catalogue.panels().get(panel)?.analytes ?? [panel]).map((slug, id) => {
    const analyte = analytes.get(slug) as AnalyteSeed
    const marker = { id: 1, name: panel, slug: panel, lab: { name: 'Lab' } } as Marker
    return {
      result: { id, name: slug, slug, provider_id: slug, analyte },
      markers: [marker],
    } as unknown as Expected
  })

const chosenFor = (nth: number, panel: string, level: Goal['level'], patient = patientOf(nth)) =>
  chooseFirst([expectedOf(panel)], level, { random, person: `person/${nth}`, patient })

describe('one person stays one person', () => {
  it.each([
    ['creatinine', 0.04, 0.06],
    ['hdl-cholesterol', 0.055, 0.08],
    ['hemoglobin', 0.022, 0.035],
    ['tsh', 0.16, 0.23],
    ['triglycerides', 0.16, 0.23],
    ['hemoglobin-a1c', 0.012, 0.025],
    ['ldl-cholesterol-calc', 0.05, 0.1],
    ['sodium', 0.004, 0.012],
  ])('%s varies within a person by the biological and analytical variation', (slug, least, most) => {
    for (const mayBeAbnormal of [false, true]) {
      const squares = nths.map((nth) => {
        const [a = 0, b = 0] = ['first', 'second'].map((sample) =>
          Number(valuesOf(nth, [slug], { sample, mayBeAbnormal }).get(slug)),
        )
        return (2 * (a - b) ** 2) / (a + b) ** 2
      })
      const variation = Math.sqrt(meanOf(squares))
      expect(variation, `${slug} ${mayBeAbnormal}`).toBeGreaterThan(least)
      expect(variation, `${slug} ${mayBeAbnormal}`).toBeLessThan(most)
    }
  })

  it('and people differ more from each other than one does from day to day', () => {
    for (const slug of [
      'creatinine',
      'hdl-cholesterol',
      'hemoglobin',
      'tsh',
      'alt',
      'ferritin',
      'platelets',
    ]) {
      const [first, second] = [numbersOf(slug), numbersOf(slug, { sample: 'two' })]
      const within = Math.sqrt(meanOf(first.map((value, nth) => (value - (second[nth] ?? 0)) ** 2 / 2)))
      expect(deviationOf(first), slug).toBeGreaterThan(within * 1.2)
    }
  })

  it('also in their conditions: the same panel finds the same again', () => {
    for (const nth of nths) {
      const [goal, again] = [
        chosenFor(nth, 'comp-metabolic-panel-14', 'abnormal'),
        chosenFor(nth, 'comp-metabolic-panel-14', 'abnormal'),
      ]
      expect(again).toEqual(goal)
    }
  })
})

describe('abnormal', () => {
  it.each(['comp-metabolic-panel-14', 'lipid-panel', 'cbc-with-differential-platelet', 'thyroid-panel'])(
    'can be any analyte of the panel: %s',
    (panel) => {
      const found = new Set(nths.map((nth) => chosenFor(nth, panel, 'abnormal')?.slug))
      const open = expectedOf(panel).flatMap(({ result: { analyte } }) => {
        const range = rangeFor(analyte, patientOf(0))
        return range && (range.high || range.low) ? [analyte.slug] : []
      })
      expect([...found].sort()).toEqual(open.sort())
    },
  )

  it('comes as a pattern whose results agree with one another', () => {
    const seen = new Map<string, number>()
    const some = nths.slice(0, 200)
    for (const nth of some) {
      for (const [pattern, signs] of Object.entries(patterns)) {
        const [{ slug, side }] = signs
        const patient = patientOf(nth)
        const goal: Goal = { slug, side, level: 'abnormal', pattern }
        const found = signs.map((sign) => sign.slug)
        const values = valuesOf(nth, found, { goals: [goal] })
        for (const sign of signs) {
          const analyte = analytes.get(sign.slug) as AnalyteSeed
          const value = Number(values.get(sign.slug))
          const isOther =
            sideOf(value, rangeFor(analyte, patient)) === (sign.side === 'above' ? 'below' : 'above')
          expect(isOther, `${pattern}: ${sign.slug} ${value}`).toBe(false)
          expect(isCritical(value, analyte), `${pattern}: ${sign.slug} ${value}`).toBe(false)
          if (sideOf(value, rangeFor(analyte, patient)) === sign.side)
            seen.set(`${pattern}/${sign.slug}`, (seen.get(`${pattern}/${sign.slug}`) ?? 0) + 1)
        }
      }
    }
    for (const [pattern, signs] of Object.entries(patterns))
      for (const { slug } of signs)
        expect(seen.get(`${pattern}/${slug}`) ?? 0, `${pattern}: ${slug}`).toBeGreaterThan(some.length * 0.6)
  })

  it('iron deficiency is microcytic and hypochromic with little ferritin, and kidney disease filters little', () => {
    for (const nth of nths) {
      const anemia: Goal = {
        slug: 'ferritin',
        side: 'below',
        level: 'abnormal',
        pattern: 'iron_deficiency_anemia',
      }
      const blood = valuesOf(nth, ['hemoglobin', 'ferritin', 'iron'], { goals: [anemia] })
      expect(Number(blood.get('mcv'))).toBeLessThan(79)
      expect(Number(blood.get('mch'))).toBeLessThan(26.6)
      expect(Number(blood.get('iron-saturation'))).toBeLessThan(15)
      const kidney: Goal = {
        slug: 'creatinine',
        side: 'above',
        level: 'abnormal',
        pattern: 'chronic_kidney_disease',
      }
      expect(Number(valuesOf(nth, ['creatinine'], { goals: [kidney] }).get('egfr'))).toBeLessThan(75)
      const lipids: Goal = {
        slug: 'ldl-cholesterol-calc',
        side: 'above',
        level: 'abnormal',
        pattern: 'dyslipidemia',
      }
      const panel = valuesOf(nth, ['cholesterol-total'], { goals: [lipids] })
      expect(Number(panel.get('non-hdl-cholesterol'))).toBeGreaterThan(
        Number(panel.get('ldl-cholesterol-calc')),
      )
      expect(Number(panel.get('ldl-cholesterol-calc'))).toBeGreaterThan(99)
    }
  })
})

describe('age and sex', () => {
  it('after menopause FSH and LH are high and estradiol is low', () => {
    const wish = (age: number): Wish => ({ patient: { sex: 'female', age } })
    expect(Math.min(...numbersOf('fsh', wish(60)))).toBeGreaterThan(25)
    expect(Math.min(...numbersOf('lh', wish(60)))).toBeGreaterThan(14)
    expect(Math.max(...numbersOf('estradiol', wish(60)))).toBeLessThan(35)
    expect(meanOf(numbersOf('fsh', wish(30)))).toBeLessThan(12)
    expect(meanOf(numbersOf('estradiol', wish(30)))).toBeGreaterThan(40)
  })

  it('children have ranges of their own and no hormones of adults', () => {
    for (const sex of ['female', 'male'] as const) {
      const wish: Wish = { patient: { sex, age: 7 } }
      expect(Math.max(...numbersOf('testosterone-total', wish)), sex).toBeLessThanOrEqual(10)
      expect(Math.max(...numbersOf('estradiol', wish)), sex).toBeLessThan(15)
      expect(Math.max(...numbersOf('lh', wish)), sex).toBeLessThan(1)
      expect(Math.max(...numbersOf('fsh', wish)), sex).toBeLessThan(5)
      expect(Math.max(...numbersOf('creatinine', wish)), sex).toBeLessThanOrEqual(0.7)
      expect(Math.min(...numbersOf('alkaline-phosphatase', wish)), sex).toBeGreaterThanOrEqual(140)
      expect(rangeFor(analytes.get('ldl-cholesterol-calc') as AnalyteSeed, { sex, age: 7 })?.text).toBe(
        '0-109',
      )
    }
  })

  it('there is PSA only where there is a prostate, and more of it in the old', () => {
    for (const slug of ['psa-total', 'psa-free', 'psa-free-percent']) {
      for (const nth of nths) {
        const value = valuesOf(nth, [slug], { patient: { sex: 'female', age: 50 } }).get(slug)
        expect(value, slug).toMatch(/^Not performed/)
      }
    }
    for (const nth of nths)
      expect(chosenFor(nth, 'psa-total-and-free', 'abnormal', { sex: 'female', age: 50 })).toBeUndefined()
    const at = (age: number) => meanOf(numbersOf('psa-total', { patient: { sex: 'male', age } }))
    expect(at(75)).toBeGreaterThan(at(45))
  })

  it('a cancer signal comes from an organ the patient has', () => {
    const [expected] = expectedOf('galleri') as [Expected]
    const origins = { male: new Set<string>(), female: new Set<string>() }
    for (const nth of nths) {
      for (const sex of ['male', 'female'] as const) {
        const lines = linesOf(expected, {
          ...{
            random,
            key: `origin/${nth}`,
            patient: { sex, age: 60 },
            isUnknown: false,
            at: '',
            sampleId: null,
          },
          ...{
            type: 'numeric',
            value: undefined,
            isExact: false,
            note: undefined,
            origins: catalogue.cancerSignalOrigins(),
          },
          goal: { slug: 'cancer-signal', level: 'critical', side: 'above' },
        })
        origins[sex].add(lines[1]?.result ?? '')
      }
    }
    for (const organ of ['OVARY', 'UTERUS', 'CERVIX']) {
      expect(origins.male).not.toContain(organ)
      expect(origins.female).toContain(organ)
    }
    expect(origins.female).not.toContain('PROSTATE')
    expect(origins.male).toContain('PROSTATE')
  })
})

describe('lipids', () => {
  it('of a random population are those of adults of the United States', () => {
    const wish: Wish = { mayBeAbnormal: true }
    const within = (value: number, low: number, high: number, what: string) => {
      expect(value, what).toBeGreaterThanOrEqual(low)
      expect(value, what).toBeLessThanOrEqual(high)
    }
    within(meanOf(numbersOf('cholesterol-total', wish)), 185, 200, 'total')
    within(meanOf(numbersOf('ldl-cholesterol-calc', wish)), 110, 115, 'LDL')
    within(meanOf(numbersOf('hdl-cholesterol', wish)), 50, 55, 'HDL')
    within(meanOf(numbersOf('triglycerides', wish)), 95, 140, 'triglycerides')
  })

  it('LDL is calculated by the equation of Sampson, and direct LDL differs from it a little', () => {
    // The article's own example, and a calculator of the National Institutes of Health.
    expect(sampsonLdl(200, 50, 150)).toBeCloseTo(123.4, 0)
    const shares = nths.map((nth) => {
      const values = valuesOf(nth, ['ldl-cholesterol-direct'], { mayBeAbnormal: true })
      const [total, hdl, fat] = ['cholesterol-total', 'hdl-cholesterol', 'triglycerides'].map((slug) =>
        Number(values.get(slug)),
      )
      const ldl = Number(values.get('ldl-cholesterol-calc'))
      expect(ldl).toBe(Math.round(sampsonLdl(total ?? 0, hdl ?? 0, fat ?? 0)))
      return Number(values.get('ldl-cholesterol-direct')) / ldl
    })
    expect(Math.max(...shares)).toBeLessThan(1.07)
    expect(Math.min(...shares)).toBeGreaterThan(0.93)
    expect(deviationOf(shares)).toBeGreaterThan(0.01)
  })

  it('CRP and hs-CRP of one sample agree', () => {
    for (const nth of nths) {
      for (const goals of [[], [{ slug: 'c-reactive-protein', level: 'abnormal', side: 'above' }] as const]) {
        const values = valuesOf(nth, ['c-reactive-protein'], { goals })
        expect(values.get('c-reactive-protein')).toBe(Math.round(Number(values.get('crp-high-sensitivity'))))
      }
    }
  })
})

describe('what a laboratory says of a sample', () => {
  it('fits it: a dried blood spot does not clot, urine does not either', () => {
    const notesOf = (slug: string, specimen: string) =>
      new Set(
        nths.map(
          (nth) => failureOf(analytes.get(slug) as AnalyteSeed, { random, key: `${nth}`, specimen }).note,
        ),
      )
    const clotted = ['dried_blood_spot', 'arm_collector', 'serum', 'saliva', 'urine', 'stool'].filter(
      (specimen) => notesOf('tsh', specimen).has('Sample clotted'),
    )
    expect(clotted).toEqual([])
    expect(notesOf('hemoglobin', 'serum')).toContain('Sample clotted')
    expect(notesOf('tsh', 'dried_blood_spot')).toContain('Spots not saturated')
    expect(notesOf('urine-ph', 'serum')).not.toContain('Sample hemolyzed')
  })

  it('critical limits differ by analyte: a TSH of 10 is not critical', () => {
    const tsh = analytes.get('tsh') as AnalyteSeed
    expect(isCritical(10, tsh)).toBe(false)
    for (const nth of nths) {
      for (const panel of [
        'tsh',
        'thyroid-panel',
        'comp-metabolic-panel-14',
        'cbc-with-differential-platelet',
      ]) {
        const goal = chosenFor(nth, panel, 'critical') as Goal
        const value = Number(valuesOf(nth, [goal.slug], { goals: [goal] }).get(goal.slug))
        expect(isCritical(value, analytes.get(goal.slug) as AnalyteSeed), `${goal.slug} ${value}`).toBe(true)
        if (goal.slug === 'tsh') expect(value).toBeGreaterThan(100)
      }
    }
  })
})
