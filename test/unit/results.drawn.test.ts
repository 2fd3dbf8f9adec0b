import { describe, expect, it } from 'vitest'
import type { ConditionState } from '../../src/people/person.ts'
import { type DrawnSample, drawOf, usualLevel } from '../../src/resources/results/levels.ts'
import { isCritical, rangeFor, sideOf } from '../../src/resources/results/ranges.ts'
import { familyValues, type Goal, targetOf, withConditions } from '../../src/resources/results/values.ts'
import { analyteOf, patient, personOf, sampleOf } from '../support/results.ts'

const people = Array.from({ length: 30 }, (_, nth) => personOf(`person ${nth}`))
const inRange = (slug: string, value: number) =>
  sideOf(value, rangeFor(analyteOf(slug), patient)) === undefined
const rounded = (slug: string, value: number) => Number(value.toFixed(analyteOf(slug).decimals ?? 0))

/** A sample whose drawn value of an analyte is this one. */
function sampleWith(slug: string, value: number): DrawnSample {
  const drawn = drawOf(sampleOf(), slug)(0)
  return sampleOf({ effects: new Map([[slug, value / drawn]]) })
}

describe('a result that is to be out of range', () => {
  // Potassium: 3.5 to 5.2, phoned below 2.8 and above 6.2. TSH: 0.45 to 4.5.
  it.each([
    ['potassium', 5.6, 'above', 'abnormal'],
    ['potassium', 6.8, 'above', 'critical'],
    ['potassium', 3.2, 'below', 'abnormal'],
    ['potassium', 2.4, 'below', 'critical'],
    ['tsh', 8, 'above', 'abnormal'],
  ] as const)('%s stays at %d, which is %s and %s', (slug, value, side, level) => {
    expect(familyValues(sampleWith(slug, value), slug, [{ slug, side, level }]).get(slug)).toBe(value)
  })

  it.each([
    ['potassium', 4.2, 'above', 'abnormal'],
    ['potassium', 3.2, 'above', 'abnormal'],
    ['potassium', 6.8, 'above', 'abnormal'],
    ['potassium', 5.6, 'above', 'critical'],
    ['potassium', 2.4, 'above', 'critical'],
    ['potassium', 4.2, 'below', 'abnormal'],
    ['potassium', 2.4, 'below', 'abnormal'],
    ['potassium', 3.2, 'below', 'critical'],
    ['tsh', 50, 'above', 'critical'],
    ['tsh', 2, 'above', 'abnormal'],
  ] as const)('%s does not stay at %d, which is not %s and %s', (slug, value, side, level) => {
    const sample = sampleWith(slug, value)
    const goal: Goal = { slug, side, level }
    const found = Number(familyValues(sample, slug, [goal]).get(slug))
    expect(found).toBe(targetOf(sample, goal)?.value)
    expect(sideOf(found, rangeFor(analyteOf(slug), patient))).toBe(side)
    expect(found).not.toBe(value)
  })

  it('is none of another family', () => {
    const goal: Goal = { slug: 'tsh', side: 'above', level: 'abnormal' }
    const sample = sampleWith('potassium', 4.2)
    expect(familyValues(sample, 'potassium', [goal])).toEqual(familyValues(sample, 'potassium'))
  })
})

describe('a value that is drawn', () => {
  it('is what it is in a natural sample, in range or not', () => {
    for (const person of people) {
      const effects = new Map([['potassium', 1.45]])
      const sample = sampleOf({ person, effects })
      const drawn = drawOf(sample, 'potassium')(0)
      expect(familyValues(sample, 'potassium').get('potassium')).toBe(rounded('potassium', drawn))
    }
  })

  it('is moved to the mean until it is in range, where nothing changes it', () => {
    for (const person of people) {
      const sample = sampleOf({ person, isNatural: false })
      expect(inRange('potassium', Number(familyValues(sample, 'potassium').get('potassium')))).toBe(true)
    }
  })

  it('is not moved back where a condition changes it, unless laboratories would phone', () => {
    let moved = 0
    for (const person of people) {
      const sample = sampleOf({ person, isNatural: false, effects: new Map([['potassium', 1.42]]) })
      const drawn = [0, 0.15, 0.3, 0.5, 0.75, 1].map((pull) =>
        rounded('potassium', drawOf(sample, 'potassium')(pull)),
      )
      const first = drawn.find((value) => !isCritical(value, analyteOf('potassium')))
      expect(familyValues(sample, 'potassium').get('potassium')).toBe(first)
      if (first !== drawn[0]) moved++
    }
    expect(moved).toBeGreaterThan(0)
    expect(moved).toBeLessThan(people.length)
  })
})

describe('a given value', () => {
  /** What differs from the values without it. */
  const changedBy = (given: Readonly<Record<string, number>>) => {
    const [slug = ''] = Object.keys(given)
    const values = (map: ReadonlyMap<string, number>) => familyValues(sampleOf(), slug, [], new Map(), map)
    const plain = values(new Map())
    const changed = values(new Map(Object.entries(given)))
    return [...changed]
      .flatMap(([each, value]) => (plain.get(each) === value ? [] : [each]))
      .filter((each) => each !== 'osmolality-serum')
      .sort()
  }

  it.each([
    [{ egfr: 45 }, ['bun', 'bun-creatinine-ratio', 'creatinine', 'egfr']],
    [{ egfr: 45, creatinine: 1.5 }, ['bun', 'bun-creatinine-ratio', 'creatinine', 'egfr']],
    [
      { 'ldl-cholesterol-calc': 190 },
      [
        'apolipoprotein-b',
        'apolipoprotein-b-100',
        'cholesterol-hdl-ratio',
        'cholesterol-total',
        'ldl-cholesterol-calc',
        'ldl-cholesterol-direct',
        'non-hdl-cholesterol',
      ],
    ],
    [{ tibc: 420 }, ['iron-saturation', 'tibc', 'transferrin', 'uibc']],
    [{ 'globulin-total': 3.4 }, ['ag-ratio', 'globulin-total', 'protein-total']],
    [{ transferrin: 330 }, ['iron-saturation', 'tibc', 'transferrin', 'uibc']],
    [{ 'estimated-average-glucose': 180 }, null],
  ])('%j changes only %j', (given, changed) => {
    const found = changedBy(given)
    if (changed) expect(found).toEqual(changed)
    else expect(found).toContain('hemoglobin-a1c')
  })
})

describe('the effect of a condition', () => {
  const effectsOf = (slug: string, side: Goal['side'], times: number, more: Partial<DrawnSample> = {}) => {
    const sign = { slug, side, mild: times, severe: times }
    const state: ConditionState = { name: 'other_finding', degree: 0.5, control: 0, sign }
    return withConditions(sampleOf({ isNatural: false, ...more }), [state]).effects
  }
  const usual = rounded('potassium', usualLevel(sampleOf({ isNatural: false }), 'potassium'))

  it.each([
    ['above', 1.1, 5.2 * 1.1],
    ['above', 1.4, 6.2 * 0.95],
    ['below', 0.9, 3.5 * 0.9],
    ['below', 0.7, 2.8 * 1.05],
  ] as const)('%s by %d times leads the usual potassium to its bound', (side, times, target) => {
    expect(effectsOf('potassium', side, times).get('potassium')).toBeCloseTo(target / usual, 10)
  })

  it('is none on what the catalogue does not have, and beyond no bound', () => {
    expect(effectsOf('potassium', 'above', 1.2, { analytes: new Map() })).toEqual(new Map())
    expect(effectsOf('triglycerides', 'below', 0.5)).toEqual(new Map())
    expect(effectsOf('hdl-cholesterol', 'above', 1.5)).toEqual(new Map())
    expect(effectsOf('neutrophils', 'above', 1.5)).toEqual(new Map())
  })
})
