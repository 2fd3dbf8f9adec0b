import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import { type Condition, type Course, makePerson, type Treatment } from '../../src/people/person.ts'
import { chooseFirst, type Level } from '../../src/resources/results/goals.ts'
import { type Goal, targetOf } from '../../src/resources/results/values.ts'
import { field } from '../support/field.ts'
import { nothing } from '../support/lives.ts'
import { analytes, expectedOf, patient, personOf } from '../support/results.ts'

const DATE = '2026-01-05'
const ids = Array.from({ length: 120 }, (_, nth) => `person ${nth}`)

interface Wish {
  readonly id?: string
  readonly age?: number
  readonly sex?: 'female' | 'male'
  readonly course?: Partial<Course>
}

/** What is made out of range in results of these analytes. */
function goalOf(slugs: readonly string[], level: Level, wish: Wish = {}): Goal | undefined {
  const { id = 'somebody', age = 45, sex = 'female', course } = wish
  const known = { sex, birthDate: `${2025 - age}-06-01`, course: { ...nothing, ...course } }
  const person = makePerson(createRandom('seed'), id, known)
  return chooseFirst([slugs.map((slug) => expectedOf(slug))], level, {
    person,
    date: DATE,
    patient: { sex, age },
  })
}
const goalsOf = (slugs: readonly string[], level: Level, wish: Wish = {}) =>
  ids.flatMap((id) => goalOf(slugs, level, { ...wish, id }) ?? [])

const condition = (name: Condition['name'], degree: number): Condition => ({
  name,
  degree,
  since: '2020-01-01',
  until: null,
  isDiagnosed: true,
})

describe('the result that is to be out of range', () => {
  const sick = (degree: number, treatments: readonly Treatment[] = []) => ({
    course: {
      conditions: [condition('hypothyroidism', 0.6), condition('vitamin_d_deficiency', degree)],
      treatments,
    },
  })
  const slugs = ['potassium', 'tsh', 'vitamin-d-25-hydroxy', 'hbsag']

  it('shows the condition that the person has, the most severe one first', () => {
    for (const id of ids.slice(0, 10)) {
      expect(goalOf(slugs, 'abnormal', { id, ...sick(0.7) })).toMatchObject({
        slug: 'vitamin-d-25-hydroxy',
        side: 'below',
        level: 'abnormal',
        cause: { name: 'vitamin_d_deficiency', degree: 0.7, control: 0 },
      })
      expect(goalOf(slugs, 'abnormal', { id, ...sick(0.5) })).toMatchObject({
        slug: 'tsh',
        side: 'above',
        cause: { name: 'hypothyroidism', degree: expect.any(Number) },
      })
      expect(goalOf(['tsh', 't4-free'], 'abnormal', { id, ...sick(0.5) })?.slug).toBe('tsh')
      expect(goalOf(['t4-free'], 'abnormal', { id, ...sick(0.5) })).toMatchObject({ side: 'below' })
    }
  })

  it('shows none that treatment controls', () => {
    const treated = sick(0.7, [{ name: 'vitamin_d_supplement', since: '2020-01-01', until: null }])
    expect(goalOf(slugs, 'abnormal', treated)).toMatchObject({ slug: 'tsh' })
    const half = {
      course: {
        conditions: [condition('type_2_diabetes', 1)],
        treatments: [{ name: 'metformin', since: '2020-01-01', until: null } as const],
      },
    }
    expect(goalOf(['hemoglobin-a1c', 'potassium'], 'abnormal', half)).toMatchObject({
      slug: 'hemoglobin-a1c',
      cause: { name: 'type_2_diabetes', control: expect.closeTo(0.45, 2) },
    })
  })

  it('is one of the first list that has any', () => {
    const about = { person: personOf(), date: DATE, patient }
    const lists = [['abo-grouping'], ['psa-total', 'hbsag'], ['tsh']].map((list) =>
      list.map((slug) => expectedOf(slug)),
    )
    expect(chooseFirst(lists, 'abnormal', about)).toMatchObject({ slug: 'hbsag', side: 'above' })
    expect(chooseFirst([], 'abnormal', about)).toBeUndefined()
  })

  it.each(['abo-grouping', 'psa-total', 'ldl-calc-comment', 'neutrophils', 'egfr of a child'])(
    'is never %s in a girl',
    (slug) => {
      expect(goalOf([slug.replace(' of a child', '')], 'abnormal', { age: 10 })?.side).toBe(
        slug.startsWith('egfr') ? 'below' : undefined,
      )
    },
  )

  it.each([
    ['triglycerides', 'abnormal', ['above']],
    ['hdl-cholesterol', 'abnormal', ['below']],
    ['urine-ph', 'abnormal', ['above']],
    ['potassium', 'abnormal', ['above', 'below']],
    ['potassium', 'critical', ['above', 'below']],
    ['creatinine', 'abnormal', ['above', 'below']],
    ['creatinine', 'critical', ['above']],
    ['phosphorus', 'critical', ['below']],
    ['hbsag', 'abnormal', ['above']],
    ['cancer-signal', 'critical', ['above']],
    ['cancer-signal', 'abnormal', []],
  ] as const)('%s can be %s %o', (slug, level, sides) => {
    expect(new Set(goalsOf([slug], level).map(field('side')))).toEqual(new Set(sides))
  })

  it('is below its range in three of ten people, where both sides occur', () => {
    const below = goalsOf(['magnesium'], 'abnormal').filter(({ side }) => side === 'below')
    expect(below.length / ids.length).toBeGreaterThan(0.2)
    expect(below.length / ids.length).toBeLessThan(0.4)
  })

  it.each([
    ['potassium', 'tsh'],
    ['tsh', undefined],
    ['peanut-ige', undefined],
    ['urine-ph', undefined],
    ['hbsag', undefined],
    ['potassium', 'inr'],
  ])('if critical is %s rather than %s, and abnormal where no laboratory phones', (first, second) => {
    const slugs = second === undefined ? [first] : [second, first]
    const goals = goalsOf(slugs, 'critical')
    expect(new Set(goals.map(field('slug')))).toEqual(new Set([first]))
    const level = second === undefined ? 'abnormal' : 'critical'
    expect(new Set(goals.map((each) => each.level))).toEqual(new Set([level]))
  })

  it('is a condition in at least half of the people, if one can show itself', () => {
    const found = goalsOf(['vitamin-d-25-hydroxy', 'prolactin', 'magnesium', 'ldh', 'zinc'], 'abnormal')
    const conditions = found.filter(({ slug }) => slug === 'vitamin-d-25-hydroxy')
    expect(conditions.length / ids.length).toBeGreaterThan(0.45)
    expect(conditions.length / ids.length).toBeLessThan(0.8)
    expect(new Set(found.map(field('slug'))).size).toBe(5)
  })

  it('does not depend on what else is ordered where the same one is drawn', () => {
    for (const id of ids) {
      const all = goalOf(['potassium', 'magnesium', 'zinc'], 'abnormal', { id })
      expect(goalOf(['zinc', 'potassium', 'magnesium'], 'abnormal', { id })).toEqual(all)
      expect(goalOf([all?.slug ?? ''], 'abnormal', { id })).toEqual(all)
    }
  })

  it.each([
    ['creatinine', 'above', 19, 'other_finding'],
    ['creatinine', 'above', 20, 'chronic_kidney_disease'],
    ['hemoglobin-a1c', 'above', 10, 'type_2_diabetes'],
    ['fsh', 'above', 48, 'other_finding'],
    ['hbsag', 'above', 45, 'other_finding'],
  ] as const)('%s %s its range at %d is caused by %s', (slug, side, age, name) => {
    const causes = goalsOf([slug], 'abnormal', { age }).filter((goal) => goal.side === side)
    const names = new Set(causes.map(({ cause }) => cause?.name))
    if (slug === 'hemoglobin-a1c') expect(names).toContain(name)
    else expect(names).toEqual(new Set([name]))
  })

  it('that no condition explains has the sign of its side', () => {
    for (const { side, cause } of goalsOf(['magnesium'], 'abnormal')) {
      const [mild, severe] = side === 'above' ? [1.05, 1.6] : [0.96, 0.65]
      expect(cause).toMatchObject({
        name: 'other_finding',
        control: 0,
        sign: { slug: 'magnesium', side, mild, severe },
      })
    }
    const degrees = goalsOf(['magnesium'], 'abnormal').map(({ cause }) => cause?.degree)
    expect(new Set(degrees).size).toBe(ids.length)
  })

  it('comes of a severe condition if it is critical, of a mild one too if not', () => {
    const degrees = (level: Level) => goalsOf(['potassium'], level).map(({ cause }) => cause?.degree ?? 0)
    expect(Math.min(...degrees('critical'))).toBeGreaterThanOrEqual(0.7)
    expect(Math.max(...degrees('critical'))).toBeLessThanOrEqual(1)
    expect(Math.min(...degrees('abnormal'))).toBeLessThan(0.1)
    const own = { course: { conditions: [condition('iron_deficiency_anemia', 0.2)] } }
    expect(goalOf(['hemoglobin'], 'critical', own)?.cause?.degree).toBeCloseTo(0.7 + 0.3 * 0.2, 1)
    const severe = { course: { conditions: [condition('vitamin_d_deficiency', 1)] } }
    expect(goalOf(['vitamin-d-25-hydroxy'], 'critical', severe)?.cause?.degree).toBe(1)
  })
})

describe('a value out of range', () => {
  const target = (slug: string, side: Goal['side'], level: Level, noise: number) => {
    const person = { ...personOf(), random: { ...createRandom('seed'), noise: () => noise } }
    return targetOf({ analytes, patient, person }, { slug, side, level })?.value
  }

  it.each([
    // Between the range and the limit at which laboratories phone, and beyond that limit.
    ['potassium', 'above', 'abnormal', 0, 5.3],
    ['potassium', 'above', 'abnormal', 1, 5.8],
    ['potassium', 'below', 'abnormal', 1, 3.1],
    ['potassium', 'above', 'critical', 0, 6.3],
    ['potassium', 'above', 'critical', 1, 6.5],
    ['potassium', 'below', 'critical', 0, 2.7],
    ['potassium', 'below', 'critical', 1, 1.9],
    ['sodium', 'below', 'critical', 1, 105],
    ['tsh', 'above', 'abnormal', 0.5, 5.445],
    // Without a limit eight times the bound, or an eighth of it.
    ['cea', 'above', 'abnormal', 1, 6.4],
    // Not beyond what occurs.
    ['hdl-cholesterol', 'below', 'abnormal', 1, 25],
  ] as const)('%s is %s, %s (%d): %d', (slug, side, level, noise, value) => {
    expect(target(slug, side, level, noise)).toBe(value)
  })

  it('is none without a range', () => {
    expect(target('neutrophils', 'above', 'abnormal', 0.5)).toBeUndefined()
    expect(target('no analyte', 'above', 'abnormal', 0.5)).toBeUndefined()
  })
})
