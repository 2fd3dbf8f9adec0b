import { describe, expect, it } from 'vitest'
import type { AnalyteSeed } from '../../src/resources/catalogue/schema.ts'
import { createCatalogue } from '../../src/resources/catalogue/service.ts'
import { givenIn, planOf, whyImpossible } from '../../src/resources/results/given.ts'
import { analyteOf, expectedOf } from '../support/results.ts'

describe('the plan that exact results are', () => {
  it.each([
    [{}, {}],
    [{ values: {} }, {}],
    [{ values: { ferritin: 7 } }, { values: { ferritin: 7 } }],
    [{ comment: 'Repeat.' }, { comment: 'Repeat.' }],
    [{ comment: '' }, { comment: '' }],
    [{ values: {}, comment: 'Repeat.' }, { comment: 'Repeat.' }],
    [
      { values: { ferritin: 7, tsh: 2 }, comment: 'Repeat.' },
      { values: { ferritin: 7, tsh: 2 }, notes: { ferritin: 'Repeat.', tsh: 'Repeat.' } },
    ],
  ])('of %j is %j', (entered, plan) => {
    expect(planOf(entered)).toEqual(plan)
  })
})

describe('a number', () => {
  const without = { ...analyteOf('ferritin'), unit: null } as AnalyteSeed

  it.each([0, 7, 0.000001, 123.456789, 1_000_000_000])('can be %d', (value) => {
    expect(whyImpossible(analyteOf('ferritin'), 'ferritin', value)).toBeUndefined()
  })

  it.each<[number | string, string]>([
    [-0.1, '"2276-4" cannot be negative; it is -0.1'],
    [1_000_000_001, '"2276-4" cannot be more than 1000000000; it is 1000000001'],
    [0.1234567, '"2276-4" can have 6 digits after the point at most; it is 0.1234567'],
    ['7', '"2276-4" is measured as a number in ng/mL; it is "7"'],
    [Number.POSITIVE_INFINITY, '"2276-4" is measured as a number in ng/mL; it is null'],
    [Number.NaN, '"2276-4" is measured as a number in ng/mL; it is null'],
  ])('cannot be %j', (value, why) => {
    expect(whyImpossible(analyteOf('ferritin'), '2276-4', value)).toBe(why)
  })

  it('is named without a unit where it has none', () => {
    expect(whyImpossible(without, 'ratio', 'high')).toBe('"ratio" is measured as a number; it is "high"')
  })
})

describe('what is printed in place of a number', () => {
  it.each(['>2000', '<=5', '<0.1', 'TNP', 'See note'])('can be %j', (value) => {
    expect(whyImpossible(analyteOf('ferritin'), 'ferritin', value)).toBeUndefined()
  })

  it.each(['>', '> 2000', 'high', '2000<', 'tnp'])('cannot be %j', (value) => {
    expect(whyImpossible(analyteOf('ferritin'), 'ferritin', value)).toContain('is measured as a number')
  })

  it('cannot be that of a calculated result', () => {
    expect(whyImpossible(analyteOf('ldl-cholesterol-calc'), 'ldl', 'TNP')).toBe(
      '"ldl" is calculated, so it is a number; it is "TNP"',
    )
  })
})

describe('a result in words', () => {
  const worded = (slug: string, words: object = {}): AnalyteSeed => ({
    ...analyteOf('abo-grouping'),
    slug,
    ...words,
  })
  const analytes = {
    rpr: worded('rpr', { normal: 'Non Reactive', abnormal: 'Reactive' }),
    culture: worded('culture', { normal: undefined, abnormal: undefined }),
    group: worded('abo-grouping'),
    signal: worded('cancer-signal'),
  }

  it.each([
    ['rpr', 'Weakly reactive'],
    ['culture', 'x'.repeat(200)],
    ['group', 'AB'],
    ['signal', 'NOT_DETECTED'],
  ] as const)('of %s can be %j', (name, value) => {
    expect(whyImpossible(analytes[name], 'x', value)).toBeUndefined()
  })

  it.each([
    ['rpr', 7, '"x" is reported in words, such as "Non Reactive" or "Reactive"; it is 7'],
    ['rpr', '', '"x" is reported in words, such as "Non Reactive" or "Reactive"; it is ""'],
    ['culture', ' \t', '"x" is reported in words, such as "Negative" or "Positive"; it is " \\t"'],
    ['culture', 'x'.repeat(201), '"x" can have 200 characters at most; it has 201'],
    ['group', 'C', '"x" is "O" or "A" or "B" or "AB"; it is "C"'],
    ['signal', 'Detected', '"x" is "DETECTED" or "NOT_DETECTED"; it is "Detected"'],
    ['signal', 1, '"x" is reported in words, such as "DETECTED" or "NOT_DETECTED"; it is 1'],
  ] as const)('of %s cannot be %j', (name, value, why) => {
    expect(whyImpossible(analytes[name], 'x', value)).toBe(why)
  })
})

describe('what several plans give', () => {
  const catalogue = createCatalogue()
  const all = ['ferritin', 'tsh', 'iron'].map((slug, nth) => expectedOf(slug, { id: nth }))
  const given = (...plans: Parameters<typeof givenIn>[0]) => {
    const { entered, values, notes } = givenIn(plans, all, catalogue)
    return [entered, values, notes].map((map) => Object.fromEntries(map))
  }

  it('is nothing where they give nothing', () => {
    expect(given()).toEqual([{}, {}, {}])
    expect(given({}, { comment: 'Repeat.' })).toEqual([{}, {}, {}])
  })

  it('is by analyte, whatever names were used, and a later plan wins', () => {
    const plans = [
      { values: { ferritin: 7, 'P-tsh': 2 }, notes: { 'P-tsh': 'First.' } },
      { values: { '2276-4': 8 }, notes: { 'lab-tsh': 'Second.', '2276-4': 'Low.' } },
    ]
    const values = { ferritin: 8, tsh: 2 }
    expect(given(...plans)).toEqual([values, values, { tsh: 'Second.', ferritin: 'Low.' }])
  })

  it('counts before what a correction leaves as it was', () => {
    expect(given({ unchanged: { ferritin: 7, iron: 90 } }, { values: { ferritin: 8 } })).toEqual([
      { ferritin: 8 },
      { ferritin: 8, iron: 90 },
      {},
    ])
    expect(given({ values: { ferritin: 8 } }, { unchanged: { ferritin: 7 } })[1]).toEqual({ ferritin: 8 })
  })

  it('is not what no analyte can have, nor of analytes that nobody knows', () => {
    expect(given({ values: { ferritin: 'low', tsh: -1, iron: 90, unheard: 7, potassium: 4 } })).toEqual([
      { iron: 90, potassium: 4 },
      { iron: 90, potassium: 4 },
      {},
    ])
  })
})
