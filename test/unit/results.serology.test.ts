import { describe, expect, it } from 'vitest'
import antibodies from '../../seeds/people/antibodies.json' with { type: 'json' }
import { createRandom } from '../../src/kernel/random.ts'
import { bundledTable } from '../../src/kernel/seed-table.ts'
import { makePerson, treatmentsOn } from '../../src/people/person.ts'
import { createCatalogue } from '../../src/resources/catalogue/service.ts'
import type { DrawnSample } from '../../src/resources/results/levels.ts'
import { rangeFor, sideOf } from '../../src/resources/results/ranges.ts'
import { antibodyRow } from '../../src/resources/results/serology.ts'
import { familyValues, type Value } from '../../src/resources/results/values.ts'

const analytes = createCatalogue().analytesOf('labcorp')
const random = createRandom('serology')
const PEOPLE = 500
const date = '2026-01-05'

const samples = Array.from({ length: PEOPLE }, (_, nth): DrawnSample => {
  const age = 20 + (nth % 60)
  const sex = nth % 2 === 0 ? 'female' : 'male'
  const person = makePerson(random, `${nth}`, { sex, birthDate: `${2026 - age}-01-01` })
  const patient = { sex, age } as const
  return { person, key: `${nth}`, date, patient, analytes, isNatural: true, effects: new Map() }
})
const levelOf = (sample: DrawnSample, slug: string): Value | undefined => familyValues(sample, slug).get(slug)
const shareOf = (test: (sample: DrawnSample) => boolean, of = samples) => of.filter(test).length / of.length

/** On which side of its range an analyte is in a sample. */
function sideIn(sample: DrawnSample, slug: string) {
  const analyte = analytes.get(slug)
  return analyte && sideOf(Number(levelOf(sample, slug)), rangeFor(analyte, sample.patient))
}

const isYoung = ({ patient }: DrawnSample) => patient.age < 50

describe('the share of people with an antibody', { tags: 'slow' }, () => {
  it.each([
    ['hsv-1-igg', 'above', 0.478],
    ['hsv-2-igg', 'above', 0.119],
    ['toxoplasma-igg', 'above', 0.111],
    ['tpo-antibodies', 'above', 0.113],
    ['thyroglobulin-antibody', 'above', 0.104],
    ['h-pylori-igg-quant', 'above', 0.212],
    ['ebv-vca-igg', 'above', 0.89],
    ['hepatitis-b-surface-ab-quant', 'below', 0.748],
    ['measles-igg', 'below', 0.08],
    ['mumps-igg', 'below', 0.124],
    ['1-3-beta-glucan', 'above', 0],
    ['lyme-igg', 'above', 0],
  ] as const)('%s %s its range is as published: %d', (slug, side, share) => {
    const found = shareOf((sample) => sideIn(sample, slug) === side)
    expect(Math.abs(found - share)).toBeLessThan(share === 0 ? 0.001 : 0.055)
  })

  it('rises with age where it does', () => {
    const young = shareOf((sample) => sideIn(sample, 'cmv-igg') === 'above', samples.filter(isYoung))
    const old = shareOf(
      (sample) => sideIn(sample, 'cmv-igg') === 'above',
      samples.filter((sample) => !isYoung(sample)),
    )
    expect(old - young).toBeGreaterThan(0.1)
  })

  it('is nobody in a report that is to be normal', () => {
    for (const sample of samples.slice(0, 100))
      for (const slug of Object.keys(antibodies))
        if (analytes.get(slug)?.kind === 'numeric')
          expect([slug, sideIn({ ...sample, isNatural: false }, slug)]).toEqual([slug, undefined])
  })

  it('needs a source', () => {
    const rows = { 'a row': { share: [[0, 0.5]] } }
    expect(() => bundledTable('people/antibodies.json', rows, antibodyRow)).toThrow(/a row\.source/)
  })
})

describe('specific IgE', { tags: 'slow' }, () => {
  const allergens = [...analytes.keys()].filter((slug) => slug.endsWith('-ige'))
  const levels = samples.map((sample) => allergens.map((slug) => Number(levelOf(sample, slug))))

  it('is found in 44.6 % of people, and in nobody else in traces', () => {
    const allergic = levels.filter((each) => each.some((level) => level >= 0.35))
    expect(Math.abs(allergic.length / PEOPLE - 0.446)).toBeLessThan(0.055)
    for (const each of levels) expect(each.filter((level) => level >= 0.1 && level < 0.35)).toEqual([])
    const counts = allergic.map((each) => each.filter((level) => level >= 0.35).length)
    expect(counts.reduce((sum, count) => sum + count, 0) / counts.length).toBeLessThan(7)
    expect(new Set(counts).size).toBeGreaterThan(4)
  })

  it('reaches 100, and nobody is allergic to what no study names', () => {
    expect(Math.max(...levels.flat())).toBeGreaterThan(70)
    expect(Math.max(...levels.flat())).toBeLessThanOrEqual(100)
    const at = allergens.indexOf('beef-ige')
    expect(Math.max(...levels.map((each) => each[at] ?? 0))).toBeLessThan(0.1)
  })
})

describe('a result without a published distribution', { tags: 'slow' }, () => {
  it.each(['troponin-t-high-sensitivity', 'nt-probnp', 'cea', 'ca-125', 'd-dimer'])(
    '%s is low, and the same at each draw',
    (slug) => {
      const analyte = analytes.get(slug)
      for (const sample of samples.slice(0, 60)) {
        const high = (analyte && rangeFor(analyte, sample.patient)?.high) ?? 0
        expect(Number(levelOf(sample, slug))).toBeLessThanOrEqual(high * 0.4)
        expect(levelOf({ ...sample, key: 'later', date: '2027-06-01' }, slug)).toBe(levelOf(sample, slug))
      }
    },
  )

  it('of a drug that nobody takes is that it was not detected', () => {
    const [sample] = samples
    for (const slug of ['lithium', 'digoxin', 'tacrolimus', 'acetaminophen']) {
      expect([slug, analytes.get(slug)?.normal]).toEqual([slug, 'Not Detected'])
      expect(sample && levelOf(sample, slug)).toBe(0)
    }
  })

  it('in words follows the number beside it', () => {
    for (const sample of samples) {
      const isHigh = sideIn(sample, 'h-pylori-igg-quant') === 'above'
      expect(levelOf(sample, 'h-pylori-igg-qual')).toBe(isHigh ? 'Positive' : 'Negative')
      const isImmune = sideIn(sample, 'hepatitis-b-surface-ab-quant') === undefined
      expect(levelOf(sample, 'hepatitis-b-surface-ab')).toBe(isImmune ? 'Reactive' : 'Non Reactive')
    }
  })
})

it('a quarter of people from 40 take a statin, more in age', { tags: 'slow' }, () => {
  const takes = ({ person }: DrawnSample) => treatmentsOn(person, date).some(({ name }) => name === 'statin')
  const aged = (from: number, to: number) =>
    samples.filter(({ patient }) => patient.age >= from && patient.age < to)
  expect(shareOf(takes, aged(40, 80))).toBeGreaterThan(0.2)
  expect(shareOf(takes, aged(40, 80))).toBeLessThan(0.33)
  expect(shareOf(takes, aged(20, 35))).toBeLessThan(0.04)
  expect(shareOf(takes, aged(65, 80))).toBeGreaterThan(shareOf(takes, aged(40, 55)) + 0.1)
})
