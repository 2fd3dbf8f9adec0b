import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import { conditionsOn, makePerson } from '../../src/people/person.ts'
import { createCatalogue } from '../../src/resources/catalogue/service.ts'
import { biology } from '../../src/resources/results/biology.ts'
import { formulas } from '../../src/resources/results/derived.ts'
import { models } from '../../src/resources/results/models.ts'
import { familyValues, type Value, withConditions } from '../../src/resources/results/values.ts'
import { nothing } from '../support/lives.ts'

// Two orders of one person, a month apart, for every analyte of every laboratory.

const analytes = createCatalogue().analytes()
const numeric = [...analytes.values()].filter(({ kind }) => kind === 'numeric').map(({ slug }) => slug)
const people = Array.from({ length: 12 }, (_, nth) =>
  makePerson(createRandom('stable'), `user-${nth}`, {
    sex: nth % 2 === 0 ? 'male' : 'female',
    course: nothing,
  }),
)

function valuesOf(nth: number, date: string): ReadonlyMap<string, Value> {
  const person = people[nth] ?? expect.fail()
  const drawn = { person, date, key: `sample/${date}`, patient: { sex: person.sex, age: 40 }, analytes }
  const sample = withConditions({ ...drawn, isNatural: true, effects: new Map() }, conditionsOn(person, date))
  const reported = new Map<string, Value>()
  for (const slug of numeric)
    for (const each of familyValues(sample, slug, [], reported)) reported.set(...each)
  return reported
}

const reports = people.map((_, nth) => ['2026-03-01', '2026-04-01'].map((date) => valuesOf(nth, date)))

describe('results of one person a month apart', () => {
  const isFixed = (slug: string) => !biology.has(slug) && !formulas[slug] && !models[slug]
  const disagrees = (slug: string) =>
    reports.some(([first, second]) => {
      const a = first?.get(slug)
      const b = second?.get(slug)
      if (isFixed(slug) || typeof a !== 'number' || typeof b !== 'number') return a !== b
      return Math.abs(Math.log((b + STEP) / (a + STEP))) > MOST
    })

  it('are the same where nothing is known of an analyte, and agree for every other', () => {
    expect(numeric.length).toBeGreaterThan(280)
    expect(numeric.filter(disagrees).filter((slug) => !hormones.includes(slug))).toEqual([])
  })

  it('differ between people', () => {
    const values = (slug: string) => new Set(reports.map(([first]) => first?.get(slug))).size
    expect(['copper', 'leptin', 'complement-c3', 'selenium'].map(values).every((count) => count > 8)).toBe(
      true,
    )
  })

  it('keep what adds up', () => {
    for (const report of reports.flat()) {
      const of = (slug: string) => Number(report.get(slug))
      expect(of('25-hydroxyvitamin-d2') + of('25-hydroxyvitamin-d3')).toBeCloseTo(
        of('vitamin-d-25-hydroxy'),
        0,
      )
      expect(of('osmolality-serum')).toBeCloseTo(
        2 * of('sodium') + of('glucose') / 18 + of('bun') / 2.8,
        -0.5,
      )
      expect(of('dihydrotestosterone')).toBeLessThan(of('testosterone-total'))
      expect(of('apolipoprotein-b-100')).toBe(of('apolipoprotein-b'))
      expect(of('afp-tumor-marker')).toBe(of('alpha-fetoprotein'))
      expect(['hiv-1-rna-quant', 'hbv-dna-quant', 'hcv-rna-quant'].map(of)).toEqual([0, 0, 0])
    }
  })
})

/** Follow the phase of a cycle. */
const hormones = ['estradiol', 'progesterone', 'fsh', 'lh']
/** The logarithm of the greatest change, three deviations of a difference where one person varies by half. */
const MOST = Math.log(10)
/** Values near 0 are rounded. */
const STEP = 0.2
