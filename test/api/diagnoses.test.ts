import { describe, expect, it } from 'vitest'
import { checkIcdCodes } from '../../src/resources/diagnoses/service.ts'
import { field } from '../support/field.ts'
import { forEachTest } from '../support/petri.ts'

const petri = forEachTest()

const codesFor = async (query: string) =>
  (await petri.read(`/v3/insurance/search/diagnosis?diagnosis_query=${encodeURIComponent(query)}`)).map(
    field('diagnosis_code'),
  )
const check = async (...codes: string[]) =>
  (await petri.post('/v3/insurance/validate_icd_codes', { codes })).body

describe('a diagnosis', () => {
  it('is found by words of its description, in any order and written out', async () => {
    expect((await codesFor('glucose')).slice(0, 4)).toEqual(['D55.0', 'D75.A', 'E74.810', 'E74.818'])
    expect(await codesFor('complications type 2 without')).toContain('E11.9')
    expect(await codesFor('type 2 diabetes mellitus with hyperglycemia')).toContain('E11.65')
    expect(await codesFor('unspecified fatigue zebra')).toEqual([])
    expect(await codesFor('  ')).toEqual([])
    expect(await petri.get('/v3/insurance/search/diagnosis')).toAnswer(422)
  })

  it('is found by the beginning of its code, with or without the point', async () => {
    expect(await codesFor('e119')).toEqual(['E11.9'])
    expect(await codesFor('e6681')).toEqual(['E66.811', 'E66.812', 'E66.813'])
    expect(await codesFor('E78.0')).toEqual(['E78.00', 'E78.01'])
    expect(await codesFor(' e780 ')).toEqual(['E78.00', 'E78.01'])
  })

  it('is among the first fifty by code', async () => {
    const codes = await codesFor('e')
    expect(codes).toHaveLength(50)
    expect(codes).toEqual([...codes].sort())
  })

  it('says whether it is a manifestation code', async () => {
    const body = await petri.read('/v3/insurance/search/diagnosis?diagnosis_query=Z79.4')
    expect(body).toEqual([
      { diagnosis_code: 'Z79.4', description: expect.stringMatching(/INSULIN/), is_secondary: true },
    ])
  })
})

describe('diagnosis codes', () => {
  it('are valid when they exist and may be combined', async () => {
    const right = { valid: true, errors: [], violations: [], warnings: [] }
    expect(await check('E11.9', 'I10', 'Z00.00')).toEqual(right)
    expect(await check(' e119 ', 'E11.9')).toEqual(right)
    expect(await check()).toEqual(right)
  })

  it('violate an excludes-1 note, and only overlap under an excludes-2 note', async () => {
    expect(await check('E10.9', 'E11.9')).toEqual({
      valid: false,
      errors: [],
      violations: [{ code: 'E10.9', conflicts_with: 'E11.9', type: 'excludes1' }],
      warnings: [],
    })
    expect(await check('J45.909', 'J44.9')).toEqual({
      valid: true,
      errors: [],
      violations: [],
      warnings: [{ code: 'J45.909', overlaps_with: 'J44.9', type: 'excludes2' }],
    })
  })

  it('are compared in pairs, in the order in which they are given', async () => {
    const { violations } = await check('I10', 'E13.9', 'E10.9', 'E11.9')
    const pair = (code: string, conflicts_with: string) => ({ code, conflicts_with, type: 'excludes1' })
    expect(violations).toEqual([pair('E13.9', 'E10.9'), pair('E13.9', 'E11.9'), pair('E10.9', 'E11.9')])
    expect((await check('P70.2', 'E10.9')).violations).toEqual([pair('P70.2', 'E10.9')])
  })

  it('need not be in the catalogue if they are well formed', async () => {
    for (const code of ['Q99.1234', 'Q9A', 'Q99.ABCD', 'Q991'])
      expect(await check(code), code).toMatchObject({ valid: true, errors: [] })
    for (const code of ['Q99.12345', '9Q9', 'QQ9', 'Q9', 'Q99.', 'Q99 1', 'A Q99.1', 'Q99-1'])
      expect((await check(code)).valid, code).toBe(code === 'Q99.')
  })

  it('are refused when malformed, or a heading only', async () => {
    const { valid, errors } = await check('nonsense', 'E11', 'I10')
    expect(valid).toBe(false)
    expect(errors).toEqual(['Invalid ICD-10 code: NONSENSE', 'ICD-10 code E11 is not specific enough'])
    expect(checkIcdCodes(petri.world(), ['E11.9']).valid).toBe(true)
  })
})
