import { beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import { type ConditionName, conditionNames } from '../../src/people/conditions.ts'
import { lifeOn } from '../../src/people/life.ts'
import { type ConditionState, conditionsOn, makePerson, type Person } from '../../src/people/person.ts'
import type { AnalyteSeed } from '../../src/resources/catalogue/schema.ts'
import { type Catalogue, createCatalogue, type Marker } from '../../src/resources/catalogue/service.ts'
import { sampsonLdl } from '../../src/resources/results/derived.ts'
import type { Expected } from '../../src/resources/results/expected.ts'
import { failureOf, remarkOn } from '../../src/resources/results/failures.ts'
import { chooseFirst } from '../../src/resources/results/goals.ts'
import type { DrawnSample } from '../../src/resources/results/levels.ts'
import { linesOf } from '../../src/resources/results/lines.ts'
import { lipidsOf } from '../../src/resources/results/lipids.ts'
import { isCritical, type Patient, rangeFor, sideOf } from '../../src/resources/results/ranges.ts'
import {
  familyValues,
  type Goal,
  signsOf,
  type Value,
  withConditions,
} from '../../src/resources/results/values.ts'

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
  readonly date?: string
  readonly patient?: Patient
  readonly goals?: readonly Goal[]
  /** Levels of the population with the person's conditions, or with these. */
  readonly isNatural?: boolean
  readonly conditions?: readonly ConditionState[]
}

const DATE = '2026-01-05'
const people = new Map<string, Person>()
const samples = new Map<string, DrawnSample>()

function personOf(nth: number, { sex, age }: Patient = patientOf(nth)): Person {
  const key = `${nth}/${sex}/${age}`
  const birthDate = `${2025 - age}-06-01`
  const person =
    people.get(key) ?? makePerson(random, `${nth}`, { birthDate, ...(sex !== 'unknown' && { sex }) })
  people.set(key, person)
  return person
}

/** The values of these analytes and of those that depend on them; each family once. */
function measure(sample: DrawnSample, slugs: readonly string[], goals: readonly Goal[]): Map<string, Value> {
  const values = new Map<string, Value>()
  for (const slug of slugs) {
    if (!values.has(slug)) for (const each of familyValues(sample, slug, goals)) values.set(...each)
  }
  return values
}

/** What is measured in a person's sample. */
function valuesOf(nth: number, slugs: readonly string[], wish: Wish = {}): Map<string, Value> {
  const { sample: key = 'one', date = DATE, patient = patientOf(nth), goals = [], isNatural = false } = wish
  const person = personOf(nth, patient)
  const base: DrawnSample = {
    ...{ person, key: `${nth}/${key}`, date, patient, analytes, isNatural },
    effects: new Map(),
  }
  const plain = JSON.stringify([nth, patient, key, date, isNatural, wish.conditions])
  const sample =
    samples.get(plain) ??
    withConditions(base, wish.conditions ?? (isNatural ? conditionsOn(person, date) : []))
  samples.set(plain, sample)
  const causes = goals.flatMap(({ cause }) => cause ?? [])
  return measure(causes.length > 0 ? withConditions(base, causes) : sample, slugs, goals)
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
  chooseFirst([expectedOf(panel)], level, { person: personOf(nth, patient), date: DATE, patient })

/** The rank correlation of two results over people. */
function rho(one: string, other: string, wish: Wish = { isNatural: true }): number {
  const pairs = nths.map((nth) => {
    const values = valuesOf(nth, [one, other], wish)
    return [Number(values.get(one)), Number(values.get(other))] as const
  })
  const ranksOf = (values: readonly number[]) => {
    const sorted = values.toSorted((a, b) => a - b)
    return values.map((value) => sorted.indexOf(value))
  }
  const [a, b] = [ranksOf(pairs.map(([first]) => first)), ranksOf(pairs.map(([, second]) => second))]
  const [meanA, meanB] = [meanOf(a), meanOf(b)]
  const covariance = meanOf(a.map((value, nth) => (value - meanA) * ((b[nth] ?? 0) - meanB)))
  return covariance / (deviationOf(a) * deviationOf(b))
}

describe('one person stays one person', () => {
  it.each([
    ['creatinine', 0.04, 0.06],
    ['hdl-cholesterol', 0.05, 0.08],
    ['hemoglobin', 0.022, 0.035],
    ['tsh', 0.15, 0.23],
    ['triglycerides', 0.15, 0.23],
    ['hemoglobin-a1c', 0.012, 0.025],
    ['ldl-cholesterol-calc', 0.045, 0.1],
    ['sodium', 0.004, 0.012],
  ])(
    '%s varies within a person by the biological and analytical variation',
    { tags: 'slow' },
    (slug, least, most) => {
      const dates = ['2026-01-05', '2026-07-20']
      // A pregnancy between two samples changes more than that.
      const unchanged = nths.filter((nth) =>
        dates.every((date) => {
          const { pregnantWeeks, weeksAfterBirth } = lifeOn(personOf(nth), date)
          return pregnantWeeks === undefined && weeksAfterBirth === undefined
        }),
      )
      for (const isNatural of [false, true]) {
        const squares = unchanged.map((nth) => {
          const [a = 0, b = 0] = dates.map((date) =>
            Number(valuesOf(nth, [slug], { sample: date, date, isNatural, conditions: [] }).get(slug)),
          )
          return (2 * (a - b) ** 2) / (a + b) ** 2
        })
        const variation = Math.sqrt(meanOf(squares))
        expect(variation, `${slug} ${isNatural}`).toBeGreaterThan(least)
        expect(variation, `${slug} ${isNatural}`).toBeLessThan(most)
      }
    },
  )

  it('results drift slowly: those of neighbouring weeks are nearer than those of a half-year', {
    tags: 'slow',
  }, () => {
    const distance = (slug: string, date: string) =>
      meanOf(
        nths.map((nth) => {
          const [a, b] = [DATE, date].map((each) =>
            Number(valuesOf(nth, [slug], { sample: each, date: each, isNatural: true }).get(slug)),
          ) as [number, number]
          return ((a - b) / (a + b)) ** 2
        }),
      )
    for (const slug of ['creatinine', 'hdl-cholesterol', 'hemoglobin'])
      expect(distance(slug, '2026-01-19'), slug).toBeLessThan(distance(slug, '2026-07-06') * 0.85)
  })

  it('and people differ more from each other than one does from day to day', { tags: 'slow' }, () => {
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

  it('also in their conditions: the same panel finds the same again', { tags: 'slow' }, () => {
    for (const nth of nths) {
      const [goal, again] = [
        chosenFor(nth, 'comp-metabolic-panel-14', 'abnormal'),
        chosenFor(nth, 'comp-metabolic-panel-14', 'abnormal'),
      ]
      expect(again).toEqual(goal)
    }
  })
})

describe('results that belong together', () => {
  it.each([
    ['alt', 'ast', 0.5, 0.9],
    ['alt', 'ggt', 0.3, 0.7],
    ['alt', 'triglycerides', 0.12, 0.5],
    ['hdl-cholesterol', 'triglycerides', -0.65, -0.3],
    ['tsh', 't4-free', -0.45, -0.05],
    ['t4-free', 't4-total', 0.45, 0.9],
    ['insulin', 'c-peptide', 0.6, 0.95],
    ['calcium', 'albumin', 0.3, 0.7],
    ['ferritin', 'tibc', -0.65, -0.2],
    ['vitamin-b12', 'methylmalonic-acid', -0.55, -0.1],
    ['crp-high-sensitivity', 'sed-rate', 0.2, 0.7],
    ['glucose', 'hemoglobin-a1c', 0.45, 0.9],
  ])('%s and %s vary together', (one, other, least, most) => {
    const found = rho(one, other)
    expect(found).toBeGreaterThan(least)
    expect(found).toBeLessThan(most)
  })

  it('also when all are in range, and others do not', () => {
    expect(rho('alt', 'ast', {})).toBeGreaterThan(0.4)
    expect(rho('hdl-cholesterol', 'triglycerides', {})).toBeLessThan(-0.2)
    expect(Math.abs(rho('platelets', 'uric-acid', {}))).toBeLessThan(0.2)
  })

  it('the anion gap stays narrow, also in a critical sample', { tags: 'slow' }, () => {
    const panel = ['sodium', 'chloride', 'carbon-dioxide-total']
    const naturalChloride: number[] = []
    for (const nth of nths.slice(0, 120)) {
      const goal = chosenFor(nth, 'comp-metabolic-panel-14', 'critical') as Goal
      const wishes: Wish[] = [{}, { isNatural: true }, { goals: [goal] }]
      for (const wish of wishes) {
        const values = valuesOf(nth, panel, wish)
        const [sodium = 0, chloride = 0, bicarbonate = 0] = panel.map((slug) => Number(values.get(slug)))
        expect(sodium - chloride - bicarbonate).toBeGreaterThanOrEqual(3)
        expect(sodium - chloride - bicarbonate).toBeLessThanOrEqual(25)
        if (wish.isNatural) naturalChloride.push(chloride)
      }
    }
    const mean = meanOf(naturalChloride)
    const spread = Math.sqrt(meanOf(naturalChloride.map((value) => (value - mean) ** 2)))
    expect([mean, spread]).toEqual([expect.closeTo(103.7, 0), expect.closeTo(3, 0)])
  })
})

describe('natural results', () => {
  const natural: Wish = { isNatural: true }
  const shareOf = (slug: string, test: (value: number) => boolean) =>
    numbersOf(slug, natural).filter(test).length / PEOPLE

  it('show the conditions of the population, more of them with age', () => {
    const sick = nths.filter(
      (nth) => Number(valuesOf(nth, ['hemoglobin-a1c'], natural).get('hemoglobin-a1c')) >= 6.5,
    )
    expect(sick.length / PEOPLE).toBeGreaterThan(0.03)
    expect(sick.length / PEOPLE).toBeLessThan(0.25)
    expect(meanOf(sick.map((nth) => patientOf(nth).age))).toBeGreaterThan(50)
    expect(shareOf('egfr', (value) => value < 60)).toBeGreaterThan(0.02)
    expect(shareOf('vitamin-d-25-hydroxy', (value) => value < 20)).toBeGreaterThan(0.1)
    expect(shareOf('crp-high-sensitivity', (value) => value > 3)).toBeGreaterThan(0.15)
  })

  it('follow treatment, illness and season', { tags: 'slow' }, () => {
    const person = personOf(1)
    const sampleOn = (date: string, more: Partial<Person> = {}): DrawnSample =>
      withConditions(
        {
          ...{ person: { ...person, ...more }, key: 'same', date, patient: patientOf(1), analytes },
          ...{ isNatural: true, effects: new Map() },
        },
        [],
      )
    const numberOf = (slug: string, sample: DrawnSample) => Number(familyValues(sample, slug).get(slug))
    const statin = { name: 'statin', since: '2025-01-01', until: null } as const
    const before = numberOf('ldl-cholesterol-calc', sampleOn(DATE, { treatments: [] }))
    const after = numberOf('ldl-cholesterol-calc', sampleOn(DATE, { treatments: [statin] }))
    expect(after / before).toBeGreaterThan(0.5)
    expect(after / before).toBeLessThan(0.7)
    const illness = { name: 'illness', since: '2026-01-03', until: '2026-01-09', degree: 1 } as const
    const course = { traits: {}, conditions: [], treatments: [], episodes: [illness] }
    const well = numberOf('crp-high-sensitivity', sampleOn(DATE))
    expect(numberOf('crp-high-sensitivity', sampleOn(DATE, { course }))).toBeGreaterThan(well * 3)
    const winter = meanOf(numbersOf('vitamin-d-25-hydroxy', { ...natural, date: '2026-01-20' }))
    const summer = meanOf(numbersOf('vitamin-d-25-hydroxy', { ...natural, date: '2026-07-20' }))
    expect(summer / winter).toBeGreaterThan(1.1)
  })

  it('have the lipids that wearables report', () => {
    for (const nth of nths.slice(0, 100)) {
      const values = valuesOf(nth, ['cholesterol-total'], natural)
      const lipids = lipidsOf(personOf(nth), `${nth}/one`, DATE, patientOf(nth))
      expect(Math.abs(lipids.total - Number(values.get('cholesterol-total')))).toBeLessThanOrEqual(3)
      expect(Math.round(lipids.hdl)).toBe(values.get('hdl-cholesterol'))
    }
  })
})

describe('normal results', () => {
  it('are not cut to the middle of their range', () => {
    const totals = numbersOf('cholesterol-total')
    expect(meanOf(totals)).toBeGreaterThan(148)
    expect(meanOf(totals)).toBeLessThan(190)
    expect(deviationOf(totals)).toBeGreaterThan(13)
    expect(Math.max(...totals)).toBeLessThanOrEqual(199)
  })
})

const causeOf = (name: ConditionName, degree: number): ConditionState => ({ name, degree, control: 0 })

describe('abnormal', () => {
  it.each(['comp-metabolic-panel-14', 'lipid-panel', 'cbc-with-differential-platelet', 'thyroid-panel'])(
    'can be any analyte of the panel: %s',
    { tags: 'slow' },
    (panel) => {
      const found = new Set(Array.from({ length: 900 }, (_, nth) => chosenFor(nth, panel, 'abnormal')?.slug))
      const open = expectedOf(panel).flatMap(({ result: { analyte } }) => {
        const range = rangeFor(analyte, patientOf(0))
        return range && (range.high || range.low) ? [analyte.slug] : []
      })
      expect([...found].sort()).toEqual(open.sort())
    },
  )

  it('shows a condition that the person has already', () => {
    let shown = 0
    for (const nth of nths) {
      const goal = chosenFor(nth, 'comp-metabolic-panel-14', 'abnormal')
      const own = conditionsOn(personOf(nth), DATE).filter(({ control }) => control < 0.5)
      const isOwn = own.some(({ name }) => name === goal?.cause?.name)
      const slugs = catalogue.panels().get('comp-metabolic-panel-14')?.analytes ?? []
      if (own.some((each) => signsOf(each).some(({ slug }) => slugs.includes(slug)))) {
        expect(isOwn, `${nth}`).toBe(true)
        shown++
      }
    }
    expect(shown).toBeGreaterThan(20)
  })

  it('comes as a condition whose results agree with one another, by its degree', { tags: 'slow' }, () => {
    const names = conditionNames.filter((name) => signsOf({ name }).length > 1)
    for (const name of names) {
      const signs = signsOf({ name })
      const [lead] = signs
      if (!lead) continue
      const { slug, side } = lead
      const outside = [0.1, 0.9].map((degree) => {
        let count = 0
        for (const nth of nths.slice(0, 60)) {
          const patient = patientOf(nth)
          const goal: Goal = { slug, side, level: 'abnormal', cause: causeOf(name, degree) }
          const found = signs.map((sign) => sign.slug)
          const values = valuesOf(nth, found, { goals: [goal] })
          expect(sideOf(Number(values.get(slug)), rangeFor(analytes.get(slug) as AnalyteSeed, patient))).toBe(
            side,
          )
          for (const sign of signs) {
            const analyte = analytes.get(sign.slug) as AnalyteSeed
            const value = Number(values.get(sign.slug))
            const found = sideOf(value, rangeFor(analyte, patient))
            expect(found, `${name}: ${sign.slug} ${value}`).not.toBe(
              sign.side === 'above' ? 'below' : 'above',
            )
            if (found === sign.side) count++
          }
        }
        return count / (60 * signs.length)
      })
      expect(outside[1], name).toBeGreaterThan(0.6)
      expect(outside[1], name).toBeGreaterThanOrEqual(outside[0] ?? 0)
    }
  })

  it('differs by degree and person, and is not a constant', { tags: 'slow' }, () => {
    for (const [name, slug, side] of [
      ['chronic_kidney_disease', 'creatinine', 'above'],
      ['liver', 'alt', 'above'],
      ['hyperthyroidism', 'tsh', 'below'],
      ['inflammation', 'crp-high-sensitivity', 'above'],
    ] as const) {
      const values = nths.map((nth) => {
        const cause = causeOf(name, random.noise(`degree/${nth}`))
        return valuesOf(nth, [slug], { goals: [{ slug, side, level: 'abnormal', cause }] }).get(slug)
      })
      const most = Math.max(...values.map((value) => values.filter((each) => each === value).length))
      expect(most / PEOPLE, slug).toBeLessThan(0.2)
    }
  })

  it('in severe iron deficiency is microcytic and hypochromic, and kidney disease filters little', {
    tags: 'slow',
  }, () => {
    for (const nth of nths) {
      const anemia: Goal = {
        ...({ slug: 'ferritin', side: 'below', level: 'abnormal' } as const),
        cause: causeOf('iron_deficiency_anemia', 0.9),
      }
      const blood = valuesOf(nth, ['hemoglobin', 'ferritin', 'iron'], { goals: [anemia] })
      expect(Number(blood.get('mcv'))).toBeLessThan(80)
      expect(Number(blood.get('mch'))).toBeLessThan(26.6)
      expect(Number(blood.get('iron-saturation'))).toBeLessThan(16)
      const kidney: Goal = {
        ...({ slug: 'creatinine', side: 'above', level: 'abnormal' } as const),
        cause: causeOf('chronic_kidney_disease', 0.5),
      }
      expect(Number(valuesOf(nth, ['creatinine'], { goals: [kidney] }).get('egfr'))).toBeLessThan(75)
      const lipids: Goal = {
        ...({ slug: 'ldl-cholesterol-calc', side: 'above', level: 'abnormal' } as const),
        cause: causeOf('dyslipidemia', 0.2),
      }
      const panel = valuesOf(nth, ['cholesterol-total'], { goals: [lipids] })
      expect(Number(panel.get('non-hdl-cholesterol'))).toBeGreaterThan(
        Number(panel.get('ldl-cholesterol-calc')),
      )
      expect(Number(panel.get('ldl-cholesterol-calc'))).toBeGreaterThan(99)
    }
  })
})

describe('critical', () => {
  it('is what a body can have: the results that depend on it follow', { tags: 'slow' }, () => {
    const critical = (nth: number, slug: string, side: 'above' | 'below', name: ConditionName) =>
      valuesOf(nth, [slug, 'bun', 'ast', 'hemoglobin-a1c', 'sodium'], {
        goals: [{ slug, side, level: 'critical', cause: causeOf(name, 0.85) }],
      })
    for (const nth of nths.slice(0, 100)) {
      const kidney = critical(nth, 'creatinine', 'above', 'chronic_kidney_disease')
      expect(Number(kidney.get('creatinine'))).toBeGreaterThan(7.5)
      expect(Number(kidney.get('bun'))).toBeGreaterThan(40)
      const sugar = critical(nth, 'glucose', 'above', 'type_2_diabetes')
      expect(Number(sugar.get('glucose'))).toBeGreaterThan(450)
      expect(Number(sugar.get('hemoglobin-a1c'))).toBeGreaterThan(7)
      expect(Number(sugar.get('sodium'))).toBeLessThan(139.5)
    }
  })
})

describe('age and sex', () => {
  it('after menopause FSH and LH are high and estradiol is low', { tags: 'slow' }, () => {
    const wish = (age: number): Wish => ({ patient: { sex: 'female', age } })
    expect(Math.min(...numbersOf('fsh', wish(60)))).toBeGreaterThan(25)
    expect(Math.min(...numbersOf('lh', wish(60)))).toBeGreaterThan(14)
    expect(Math.max(...numbersOf('estradiol', wish(60)))).toBeLessThan(35)
    expect(meanOf(numbersOf('fsh', wish(30)))).toBeLessThan(12)
    expect(meanOf(numbersOf('estradiol', wish(30)))).toBeGreaterThan(40)
  })

  it('children have ranges of their own and no hormones of adults', { tags: 'slow' }, () => {
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

  it('there is PSA only where there is a prostate, and more of it in the old', { tags: 'slow' }, () => {
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
            drawKey: 'somebody',
            patient: { sex, age: 60 },
            isUnknown: false,
            at: '',
            sampleId: null,
          },
          ...{
            type: 'numeric',
            isMeasured: false,
            of: () => undefined,
            value: undefined,
            note: undefined,
            origins: [...catalogue.cancerSignalOrigins().values()],
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
    const wish: Wish = { isNatural: true }
    const within = (value: number, low: number, high: number, what: string) => {
      expect(value, what).toBeGreaterThanOrEqual(low)
      expect(value, what).toBeLessThanOrEqual(high)
    }
    const totals = numbersOf('cholesterol-total', wish)
    within(meanOf(totals), 178, 202, 'total')
    within(totals.filter((total) => total >= 240).length / totals.length, 0.08, 0.18, 'total of 240 and more')
    within(meanOf(numbersOf('ldl-cholesterol-calc', wish)), 103, 120, 'LDL')
    within(meanOf(numbersOf('hdl-cholesterol', wish)), 50, 58, 'HDL')
    within(meanOf(numbersOf('triglycerides', wish)), 95, 140, 'triglycerides')
  })

  it('LDL is calculated by the equation of Sampson, and direct LDL differs from it a little', () => {
    // The article's own example, and a calculator of the National Institutes of Health.
    expect(sampsonLdl(200, 50, 150)).toBeCloseTo(123.4, 0)
    const shares = nths.map((nth) => {
      const values = valuesOf(nth, ['ldl-cholesterol-direct'], { isNatural: true })
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

  it('withholds for hemolysis only what leaks from red cells, and remarks on what it reports of that', () => {
    const reasonsOf = (slug: string) =>
      nths.map((nth) =>
        failureOf(analytes.get(slug) as AnalyteSeed, { random, key: `${nth}`, specimen: 'serum' }),
      )
    expect(reasonsOf('tsh').map(({ note }) => note)).not.toContain('Sample hemolyzed')
    const hemolyzed = reasonsOf('potassium').filter(({ note }) => note === 'Sample hemolyzed')
    expect(hemolyzed.length).toBeGreaterThan(0)
    const missing = [
      { name: 'Potassium', note: 'Sample hemolyzed' },
      { name: 'AST', note: 'Sample hemolyzed' },
      { name: 'AST/ALT', note: 'Cannot be calculated' },
    ]
    expect(remarkOn(missing)).toBe('Sample hemolyzed; not performed: Potassium, AST.')
    expect(remarkOn([])).toBeNull()
  })

  it('is what a test strip shows of it: white cells in some, more often in women, and ketones at high glucose', () => {
    const strips = ['urine-leukocyte-esterase', 'urine-nitrite', 'urine-ketones']
    const found = nths.map((nth) => valuesOf(nth, [...strips, 'wbc', 'glucose'], { isNatural: true }))
    const share = (passes: (values: (typeof found)[number]) => boolean) =>
      found.filter(passes).length / found.length
    const hasCells = share((values) => values.get('urine-leukocyte-esterase') !== 'Negative')
    expect(hasCells).toBeGreaterThan(0.005)
    expect(hasCells).toBeLessThan(0.2)
    for (const values of found)
      if (values.get('urine-nitrite') === 'Positive')
        expect(values.get('urine-leukocyte-esterase')).toMatch(/[123]\+/)
    for (const nth of nths.slice(0, 100)) {
      const values = valuesOf(nth, strips, {})
      for (const slug of strips) expect([slug, values.get(slug)]).toEqual([slug, 'Negative'])
    }
  })

  it('critical is what laboratories phone, and nothing where they phone nothing', { tags: 'slow' }, () => {
    for (const slug of ['cholesterol-total', 'triglycerides', 'hemoglobin-a1c', 'ferritin', 'alt', 'tsh'])
      expect(isCritical(100_000, analytes.get(slug) as AnalyteSeed), slug).toBe(false)
    for (const nth of nths.slice(0, 150)) {
      expect(chosenFor(nth, 'tsh', 'critical')).toMatchObject({ level: 'abnormal' })
      for (const panel of ['comp-metabolic-panel-14', 'cbc-with-differential-platelet']) {
        const goal = chosenFor(nth, panel, 'critical') as Goal
        const value = Number(valuesOf(nth, [goal.slug], { goals: [goal] }).get(goal.slug))
        expect(isCritical(value, analytes.get(goal.slug) as AnalyteSeed), `${goal.slug} ${value}`).toBe(true)
      }
    }
  })
})
