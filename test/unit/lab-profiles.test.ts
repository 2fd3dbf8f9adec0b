import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { createCatalogue } from '../../src/resources/catalogue/service.ts'
import { sideOf } from '../../src/resources/results/ranges.ts'
import { seedFolder } from '../support/seeds.ts'

const catalogue = createCatalogue()
const labs = ['labcorp', 'quest', 'bioreference', 'sonora_quest']
const resultOf = (lab: string, analyte: string) => {
  const result = catalogue.resultOf(lab, analyte)
  if (!result) throw new Error(`${lab} does not report ${analyte}.`)
  return result
}
const printed = (lab: string, analyte: string) => {
  const { name, slug, analyte: own } = resultOf(lab, analyte)
  const { text = null, low = null, high = null } = own.range ?? {}
  return [name, slug, own.unit, text, low, high]
}

describe('a laboratory', () => {
  it.each([
    ['labcorp', 'hdl-cholesterol', ['HDL Cholesterol', 'hdl-cholesterol', 'mg/dL', '>39', 39, null]],
    ['quest', 'hdl-cholesterol', ['HDL CHOLESTEROL', 'hdl-cholesterol', 'mg/dL', '> OR = 40', 40, null]],
    ['sonora_quest', 'hdl-cholesterol', ['HDL Cholesterol', 'hdl-cholesterol', 'mg/dL', '>=40', 40, null]],
    ['quest', 'triglycerides', ['TRIGLYCERIDES', 'triglycerides', 'mg/dL', '<150', null, 150]],
    ['sonora_quest', 'triglycerides', ['Triglycerides', 'triglycerides', 'mg/dL', '<=149', null, 149]],
    ['labcorp', 'triglycerides', ['Triglycerides', 'triglycerides', 'mg/dL', '0-149', 0, 149]],
    [
      'quest',
      'wbc',
      ['WHITE BLOOD CELL COUNT', 'white-blood-cell-count', 'Thousand/uL', '3.8-10.8', 3.8, 10.8],
    ],
    ['labcorp', 'wbc', ['WBC', 'wbc', 'x10E3/uL', '3.4-10.8', 3.4, 10.8]],
    ['bioreference', 'wbc', ['WBC', 'wbc', 'x10(3)/uL', '4.0-11.0', 4, 11]],
    ['quest', 'hemoglobin-a1c', ['HEMOGLOBIN A1C', 'hemoglobin-a1c', '% of total Hgb', '<5.7', null, 5.7]],
    ['quest', 'bilirubin-direct', ['BILIRUBIN, DIRECT', 'bilirubin-direct', 'mg/dL', '0.00-0.40', 0, 0.4]],
    ['bioreference', 'triglycerides', ['TRIGLYCERIDES', 'triglycerides', 'mg/dL', '<150', null, 150]],
    ['labcorp', 'hemoglobin-a1c', ['Hemoglobin A1c', 'hemoglobin-a1c', '%', '4.8-5.6', 4.8, 5.6]],
  ])('prints names, units and ranges in its own way: %s, %s', (lab, analyte, expected) => {
    expect(printed(lab, analyte)).toEqual(expected)
  })

  it('repeats shared results at BioReference alone', () => {
    const repeating = [...catalogue.labProfiles().values()].filter(({ repeats }) => repeats)
    expect(repeating.map(({ lab }) => lab)).toEqual(['bioreference'])
  })

  it('is bundled with analytes that are there', () => {
    for (const { reports, analytes, unsolicited } of catalogue.labProfiles().values()) {
      const named = [
        ...(reports?.analytes ?? []),
        ...Object.keys(analytes),
        ...Object.entries(unsolicited).flat(2),
      ]
      expect(named.filter((slug) => !catalogue.analytes().has(slug))).toEqual([])
    }
  })

  it('keeps its printed bounds: a value is within a restyled range exactly if it was before', () => {
    for (const { slug, range, decimals = 0 } of catalogue.analytes().values()) {
      const own = catalogue.labProfiles().get('quest')?.analytes[slug]
      const restyled = catalogue.analytesOf('quest').get(slug)?.range
      if (!range || !restyled || own) continue
      const step = 10 ** -decimals
      for (const bound of [range.low, range.high]) {
        if (!bound) continue
        for (const value of [bound - step, bound, bound + step].map((each) =>
          Number(each.toFixed(decimals)),
        )) {
          const inclusive = (each: typeof range) => {
            const isOpen = /^[<>](?!\s*(=|OR))/i.test(each.text)
            return {
              low: each.low === null ? null : each.low + (isOpen ? step / 2 : 0),
              high: each.high === null ? null : each.high - (isOpen ? step / 2 : 0),
            }
          }
          expect([slug, value, sideOf(value, inclusive(restyled))]).toEqual([
            slug,
            value,
            sideOf(value, inclusive(range)),
          ])
        }
      }
    }
  })

  it.each([
    [{ units: { 'mg/dL': 'furlong' } }, 'lab-profiles.json: quest: no unit is called furlong'],
    [{ analytes: { gold: { name: 'Gold' } } }, 'lab-profiles.json: quest: no analyte is called gold'],
    [{ unsolicited: { creatinine: ['gold'] } }, 'lab-profiles.json: quest: no analyte is called gold'],
    [{ bounds: { low: '>', high: '<{}' } }, 'bounds.low'],
  ])('is refused with what nobody knows: %o', (profile, message) => {
    const row = { lab: 'quest', known: 'assumed', source: 'a test', ...profile }
    expect(() => createCatalogue([seedFolder({ 'lab-profiles.json': [row] })])).toThrow(message)
  })
})

describe('a unit', () => {
  it('has a valid code of UCUM, or none', () => {
    // The package has no types.
    const ucum = createRequire(import.meta.url)('@lhncbc/ucum-lhc').UcumLhcUtils.getInstance()
    const codes = [...catalogue.units().values()].flatMap(({ unit, ucum: code }) =>
      code ? [[unit, code]] : [],
    )
    expect(codes.length).toBeGreaterThan(40)
    const invalid = codes.filter(([, code]) => ucum.validateUnitString(code ?? '').status !== 'valid')
    expect(invalid).toEqual([])
  })

  it('is listed if any laboratory prints it', () => {
    const units = labs.flatMap((lab) => [...catalogue.analytesOf(lab).values()].map(({ unit }) => unit))
    expect(units.filter((unit) => unit !== null && !catalogue.units().has(unit))).toEqual([])
  })
})
