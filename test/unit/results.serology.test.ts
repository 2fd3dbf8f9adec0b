import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import { bundledTable } from '../../src/kernel/seed-table.ts'
import { createCatalogue } from '../../src/resources/catalogue/service.ts'
import type { DrawnSample } from '../../src/resources/results/levels.ts'
import { rangeFor, sideOf } from '../../src/resources/results/ranges.ts'
import { antibodyRow, hasAntibody, titreOf } from '../../src/resources/results/serology.ts'
import { familyValues } from '../../src/resources/results/values.ts'
import { personOf } from '../support/results.ts'

const analytes = createCatalogue().analytesOf('labcorp')
const analyteOf = (slug: string) => analytes.get(slug) ?? expect.fail(slug)

/** Somebody whose draws are these, by the end of their key; all others are the greatest. */
function donor(draws: Readonly<Record<string, number>>, age = 45) {
  const noise = (key: string) => draws[key.replace(`person/somebody/`, '')] ?? 0.999
  return {
    person: { ...personOf(), drawKey: 'somebody', random: { ...createRandom('seed'), noise } },
    patient: { sex: 'female', age } as const,
    isNatural: true,
  }
}

describe('an antibody', () => {
  it.each([
    ['hsv-1-igg', 45, 0.478],
    ['hsv-2-igg', 45, 0.119],
    ['cmv-igg', 9, 0.363],
    ['cmv-igg', 80, 0.908],
    ['measles-igg', 30, 0.92],
  ])('%s at %d years is found in a share of people: %d', (slug, age, share) => {
    const has = (draw: number) => hasAntibody(donor({ [`antibody/${slug}`]: draw }, age), analyteOf(slug))
    expect([share - 0.001, share].map(has)).toEqual([true, false])
  })

  it('is not asked of those who are to be normal, nor where no study says how many have it', () => {
    expect(hasAntibody({ ...donor({}), isNatural: false }, analyteOf('hsv-1-igg'))).toBeUndefined()
    expect(hasAntibody(donor({}), analyteOf('lyme-igg'))).toBeUndefined()
  })

  it.each([
    ['hsv-1-igg', 0, 0, 1.35],
    ['hsv-1-igg', 0, 1, 13.5],
    ['hsv-1-igg', 1, 0, undefined],
    ['measles-igg', 0, 0, undefined],
    ['measles-igg', 1, 0, 1.65],
    ['measles-igg', 1, 1, 13.2],
    ['cat-dander-ige', 0, 0, 0.35],
    ['cat-dander-ige', 0, 1, 100],
  ])('%s, drawn at %d, has a titre by a draw of %d: %d', (slug, has, share, titre) => {
    const draws = {
      [`antibody/${slug}`]: has,
      [`titre/${slug}`]: share,
      allergic: has,
      'allergic/first': 0.4,
    }
    const found = titreOf(donor(draws), analyteOf(slug))
    expect(found).toEqual(titre && expect.closeTo(titre, 6))
  })

  it('needs a source', () => {
    const rows = { 'a row': { share: [[0, 0.5]] } }
    expect(() => bundledTable('people/antibodies.json', rows, antibodyRow)).toThrow(/a row\.source/)
  })
})

describe('specific IgE', () => {
  const pets = { 'allergic/first': 0.4, 'allergic/dog-dander-ige': 0.5 }

  it.each<[string, slug: string, draws: Readonly<Record<string, number>>, boolean | undefined]>([
    ['the first allergen of the first cluster', 'cat-dander-ige', { allergic: 0.445, ...pets }, true],
    ['nobody who is not allergic', 'cat-dander-ige', { allergic: 0.446, ...pets }, false],
    ['another allergen of it', 'dog-dander-ige', { allergic: 0, ...pets }, true],
    ['not each of them', 'dog-dander-ige', { allergic: 0, ...pets, 'allergic/dog-dander-ige': 0.6 }, false],
    [
      'another cluster',
      'peanut-ige',
      { allergic: 0, ...pets, 'allergic/cluster/plants': 0.24, 'allergic/peanut-ige': 0.59 },
      true,
    ],
    [
      'not each cluster',
      'peanut-ige',
      { allergic: 0, ...pets, 'allergic/cluster/plants': 0.25, 'allergic/peanut-ige': 0.59 },
      false,
    ],
    ['nothing that no study names', 'beef-ige', { allergic: 0 }, undefined],
  ])('is found by person, cluster and allergen: %s', (_, slug, draws, has) => {
    expect(hasAntibody(donor(draws), analyteOf(slug))).toBe(has)
  })
})

describe('a result without a published distribution', () => {
  const sampleOf = (nth: number, more: Partial<DrawnSample> = {}): DrawnSample => ({
    person: personOf(`person ${nth}`),
    key: `${nth}`,
    date: '2026-01-05',
    patient: { sex: 'female', age: 45 },
    analytes,
    isNatural: true,
    effects: new Map(),
    ...more,
  })
  const levelOf = (sample: DrawnSample, slug: string) => familyValues(sample, slug).get(slug)
  const nths = Array.from({ length: 20 }, (_, nth) => nth)

  it.each(['troponin-t-high-sensitivity', 'nt-probnp', 'cea', 'ca-125', 'd-dimer'])(
    '%s is low, and the same at each draw',
    (slug) => {
      for (const nth of nths) {
        const level = levelOf(sampleOf(nth), slug)
        const { high } = rangeFor(analyteOf(slug), sampleOf(nth).patient) ?? expect.fail()
        expect(Number(level)).toBeLessThanOrEqual(Number(high) * 0.4)
        expect(levelOf(sampleOf(nth, { key: 'later', date: '2027-06-01' }), slug)).toBe(level)
      }
    },
  )

  it.each(['lithium', 'digoxin', 'tacrolimus', 'acetaminophen'])(
    'of a drug that nobody takes: %s',
    (slug) => {
      expect([analyteOf(slug).normal, levelOf(sampleOf(0), slug)]).toEqual(['Not Detected', 0])
    },
  )

  it('in words follows the number beside it', () => {
    const sideIn = (sample: DrawnSample, slug: string) =>
      sideOf(Number(levelOf(sample, slug)), rangeFor(analyteOf(slug), sample.patient))
    const found = nths.map((nth) => {
      const isHigh = sideIn(sampleOf(nth), 'h-pylori-igg-quant') === 'above'
      expect(levelOf(sampleOf(nth), 'h-pylori-igg-qual')).toBe(isHigh ? 'Positive' : 'Negative')
      const isImmune = sideIn(sampleOf(nth), 'hepatitis-b-surface-ab-quant') === undefined
      expect(levelOf(sampleOf(nth), 'hepatitis-b-surface-ab')).toBe(isImmune ? 'Reactive' : 'Non Reactive')
      return [isHigh, isImmune].join()
    })
    expect(new Set(found).size).toBeGreaterThan(2)
  })
})
