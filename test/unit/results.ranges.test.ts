import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import type { AnalyteSeed } from '../../src/resources/catalogue/schema.ts'
import { failureOf, remarkOn } from '../../src/resources/results/failures.ts'
import {
  isCritical,
  judge,
  type Patient,
  rangeFor,
  sideOf,
  spanOf,
} from '../../src/resources/results/ranges.ts'
import { analyteOf } from '../support/results.ts'

const textFor = (slug: string, sex: Patient['sex'], age: number) =>
  rangeFor(analyteOf(slug), { sex, age })?.text

describe('a reference range', () => {
  it.each([
    ['hemoglobin', 'male', 5, '10.9-14.8'],
    ['hemoglobin', 'male', 6, '11.1-15.7'],
    ['hemoglobin', 'female', 12, '11.1-15.7'],
    ['hemoglobin', 'female', 13, '11.1-15.9'],
    ['hemoglobin', 'male', 13, '13.0-17.7'],
    ['hemoglobin', 'unknown', 13, '11.1-17.7'],
    ['creatinine', 'male', 12, '0.49-0.90'],
    ['creatinine', 'female', 17, '0.45-0.83'],
    ['fsh', 'female', 51, '1.7-21.5'],
    ['fsh', 'female', 52, '25.8-134.8'],
    ['psa-total', 'male', 69, '0.0-4.0'],
    ['psa-total', 'male', 70, '0.0-6.5'],
    ['psa-total', 'unknown', 60, '0.0-4.0'],
    ['psa-total', 'female', 60, undefined],
    ['amh', 'unknown', 30, '0.2-10.0'],
    ['neutrophils', 'male', 30, undefined],
    ['tsh', 'unknown', 30, '0.450-4.500'],
    ['igf-1', 'male', 60, '60-220'],
    ['ldl-cholesterol-calc', 'female', 7, '0-109'],
    ['testosterone-total', 'male', 7, '0-10'],
    ['estradiol', 'female', 7, '0.0-14.9'],
  ] as const)('of %s is, for a patient who is %s and %d years old: %s', (slug, sex, age, text) => {
    expect(textFor(slug, sex, age)).toBe(text)
  })

  const seed = (text: string, low: number | null, high: number | null) =>
    ({ slug: 'made-up', decimals: 1, range: { low, high, text } }) as unknown as AnalyteSeed
  const adult = { sex: 'male', age: 40 } as const

  it.each([
    ['<5.7', null, 5.7, 5.7, 'above'],
    ['<=5.7', null, 5.7, 5.7, undefined],
    ['< = 5.7', null, 5.7, 5.7, undefined],
    ['< OR = 5.7', null, 5.7, 5.7, undefined],
    ['<or=5.7', null, 5.7, 5.7, undefined],
    ['<=5.7', null, 5.7, 5.8, 'above'],
    ['>39', 39, null, 39, 'below'],
    ['>=39', 39, null, 39, undefined],
    ['>=39', 39, null, 38, 'below'],
    ['>39', 39, null, 40, undefined],
    ['1.0-5.7', 1, 5.7, 1, undefined],
    ['1.0-5.7', 1, 5.7, 5.7, undefined],
    ['1.0-5.7', 1, 5.7, 0.9, 'below'],
    ['1.0-5.7', 1, 5.7, 5.8, 'above'],
  ] as const)('%s: of %s to %s, %d is %s', (text, low, high, value, side) => {
    expect(sideOf(value, rangeFor(seed(text, low, high), adult))).toBe(side)
  })

  it('by age, and of both sexes, has its bounds included', () => {
    expect(sideOf(14.8, rangeFor(analyteOf('hemoglobin'), { sex: 'male', age: 5 }))).toBeUndefined()
    expect(sideOf(17.7, rangeFor(analyteOf('hemoglobin'), { sex: 'unknown', age: 30 }))).toBeUndefined()
    expect(sideOf(5, undefined)).toBeUndefined()
  })

  it('of both sexes is that of men where a bound is open', () => {
    const male = { low: null, high: 5, text: '<5' }
    const female = { low: 2, high: 9, text: '2-9' }
    const analyte = { slug: 'made-up', male, female } as unknown as AnalyteSeed
    expect(rangeFor(analyte, { sex: 'unknown', age: 40 })?.text).toBe('<5')
    const one = { slug: 'made-up', female } as unknown as AnalyteSeed
    expect(rangeFor(one, { sex: 'unknown', age: 40 })?.text).toBe('2-9')
    expect(rangeFor(one, { sex: 'male', age: 40 })).toBeUndefined()
  })
})

describe('a critical limit', () => {
  it.each([
    ['potassium', 2.7, true],
    ['potassium', 2.8, false],
    ['potassium', 6.2, false],
    ['potassium', 6.3, true],
    ['creatinine', 0, false],
    ['creatinine', 7.6, true],
    ['phosphorus', 100, false],
    ['phosphorus', 0.9, true],
    ['tsh', 400, false],
  ])('%s of %d is critical: %s', (slug, value, isBeyond) => {
    expect(isCritical(value, analyteOf(slug))).toBe(isBeyond)
  })
})

describe('a bound or a range', () => {
  const closed = { low: 3.5, high: 5.3, text: '3.5-5.3', isOpen: false }
  const below33 = { low: null, high: 33, text: '<33', isOpen: true }
  const above39 = { low: 39, high: null, text: '>39', isOpen: true }
  const upTo14 = { low: 0, high: 14, text: '0-14', isOpen: false }
  it.each([
    ['>5.3', closed, 'above', 'abnormal'],
    ['>=5.3', closed, undefined, 'unknown'],
    ['>5.2', closed, undefined, 'unknown'],
    ['<3.5', closed, 'below', 'abnormal'],
    ['<=3.5', closed, undefined, 'unknown'],
    ['3.5-5.3', closed, undefined, 'normal'],
    ['3.4-5.3', closed, undefined, 'unknown'],
    ['5.3-9', closed, undefined, 'unknown'],
    ['5.4-9', closed, 'above', 'abnormal'],
    ['1-3.4', closed, 'below', 'abnormal'],
    ['<33', below33, undefined, 'normal'],
    ['<=33', below33, undefined, 'unknown'],
    ['>=33', below33, 'above', 'abnormal'],
    ['>32', below33, undefined, 'unknown'],
    ['>39', above39, undefined, 'normal'],
    ['>=39', above39, undefined, 'unknown'],
    ['<=39', above39, 'below', 'abnormal'],
    ['<14', upTo14, undefined, 'normal'],
    ['<=14', upTo14, undefined, 'normal'],
    ['<15', upTo14, undefined, 'unknown'],
    ['<15', undefined, undefined, 'unknown'],
  ] as const)('%s is judged by %o: %s, %s', (text, range, side, interpretation) => {
    const span = spanOf(text)
    if (!span) throw new Error(`${text} is no bound or range.`)
    expect(judge(span, analyteOf('zinc'), range)).toEqual({ side, interpretation })
  })

  it.each([
    ['sodium', '>160', 'critical'],
    ['sodium', '>=160', 'abnormal'],
    ['sodium', '161-170', 'critical'],
    ['glucose', '<20', 'critical'],
    ['glucose', '<40', 'critical'],
    ['glucose', '<=40', 'abnormal'],
    ['platelets', '<10', 'critical'],
    ['tsh', '>1000', 'abnormal'],
  ])('%s of %s is %s, by the limits at which laboratories phone', (slug, text, interpretation) => {
    const analyte = analyteOf(slug)
    const range = rangeFor(analyte, { sex: 'female', age: 40 })
    expect(judge(spanOf(text) ?? 0, analyte, range).interpretation).toBe(interpretation)
  })

  it.each(['200-150', '5-5', '-5', '>', '1-', '>-1', '1e3', '5'])('is not %s', (text) => {
    expect(spanOf(text)).toBeUndefined()
  })
})

describe('why a result is missing', () => {
  const random = createRandom('seed')
  const reasonsOf = (slug: string, specimen: string | null) =>
    Array.from({ length: 80 }, (_, nth) => failureOf(analyteOf(slug), { random, key: `${nth}`, specimen }))
  const atLab = ['internal_lab_failure', 'Laboratory accident']
  const tooLittle = ['quantity_not_sufficient_failure', 'Quantity not sufficient']
  const tooSmall = ['insufficient_volume', 'Sample volume too small']
  const collected = (note: string) => ['collection_process_failure', note]
  const any = [atLab, tooLittle, tooSmall]

  it.each([
    ['tsh', 'serum', any],
    ['potassium', 'serum', [...any, collected('Sample hemolyzed')]],
    ['potassium', null, [...any, collected('Sample hemolyzed')]],
    ['potassium', 'a new kind', [...any, collected('Sample hemolyzed')]],
    ['hemoglobin', 'serum', [...any, collected('Sample clotted')]],
    ['prothrombin-time', 'serum', [...any, collected('Sample clotted')]],
    ['hemoglobin', 'arm_collector', [...any, collected('Device not filled to the mark')]],
    ['urine-ph', 'serum', [...any, collected('Sample leaked in transit')]],
    ['tsh', 'saliva', [...any, collected('Sample contaminated with food')]],
    ['tsh', 'stool', [atLab, tooLittle, collected('Sample leaked in transit')]],
    [
      'tsh',
      'dried_blood_spot',
      [atLab, tooLittle, collected('Spots not saturated'), collected('Spots layered or smeared')],
    ],
    ['egfr', 'serum', [['missing_result_calc_failure', 'Cannot be calculated']]],
  ])('of %s from %s is one of its specimen', (slug, specimen, reasons) => {
    const found = reasonsOf(slug, specimen).map(({ type, note }) => `${type}: ${note}`)
    expect(new Set(found)).toEqual(new Set(reasons.map(([type, note]) => `${type}: ${note}`)))
  })

  it('is the same for all results of one sample', () => {
    const [sodium, tsh] = ['urine-ph', 'urine-glucose'].map((slug) => reasonsOf(slug, 'urine'))
    expect(sodium).toEqual(tsh)
  })

  it('is in the remark on the sample, with the results that are missing for it', () => {
    const hemolyzed = 'Sample hemolyzed'
    const little = 'Quantity not sufficient'
    const line = (name: string, note: string) => ({ name, note })
    expect(remarkOn([])).toBeNull()
    expect(remarkOn([line('eGFR', 'Cannot be calculated')])).toBeNull()
    expect(
      remarkOn([
        line('Potassium', hemolyzed),
        line('AST/ALT', 'Cannot be calculated'),
        line('TSH', little),
        line('AST', hemolyzed),
      ]),
    ).toBe('Sample hemolyzed; not performed: Potassium, AST. Quantity not sufficient; not performed: TSH.')
  })
})
