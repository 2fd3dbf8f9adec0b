import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runAtOnce } from '../../src/kernel/slices.ts'
import { createCatalogue } from '../../src/resources/catalogue/service.ts'
import { readPdf } from '../../src/resources/report-parser/pdf.ts'
import { flagsOf, readRange, readReport, typeOfValue } from '../../src/resources/report-parser/read-report.ts'
import { pdfOf } from '../support/reports.ts'

const catalogue = createCatalogue()
const rowOf = (line: string) => runAtOnce(readReport(catalogue, [line])).results[0]

describe('the value of a result', () => {
  it.each([
    ['5.4', 'numeric'],
    ['-3', 'numeric'],
    ['5.4%', 'percentage'],
    ['>2000', 'range'],
    ['3-5', 'range'],
    ['1/160', 'ratio'],
    ['Positive', 'boolean'],
    ['12:30', 'duration'],
    ['8 h', 'duration'],
    ['clear yellow', 'comment'],
  ])('%s is a %s', (value, type) => expect(typeOfValue(value)).toBe(type))

  it('lies inside, above or below its range, or it cannot be said', () => {
    const flag = (value: string, range: string) =>
      flagsOf(value, typeOfValue(value), readRange(range) ?? { min: null, max: null })
    expect(flag('5', '1-9')).toMatchObject({ interpretation: 'normal', is_above_max_range: false })
    expect(flag('10', '1-9')).toMatchObject({ interpretation: 'abnormal', is_above_max_range: true })
    expect(flag('0.5', '>=1')).toMatchObject({ interpretation: 'abnormal', is_below_min_range: true })
    expect(flag('>2000', '0-1100')).toMatchObject({ is_above_max_range: true })
    expect(flag('>500', '0-1100')).toMatchObject({ interpretation: 'unknown', is_above_max_range: null })
    expect(flag('<5', '<10')).toMatchObject({ interpretation: 'normal' })
    expect(flag('Positive', '1-9')).toMatchObject({ interpretation: 'unknown' })
  })
})

describe('a line of a report', () => {
  it('is a result when a value, a unit and a range stand in it', () => {
    expect(rowOf('Omega 3 Index 5.4 % 4 - 8')).toMatchObject({ test_name: 'Omega 3 Index', value: '5.4' })
    expect(rowOf('BUN/Creatinine Ratio: 15 ratio 6-22')).toMatchObject({ measurement_kind: 'ratio' })
    expect(rowOf('TSH 0.2 uIU/mL 0.45-4.5 L')).toMatchObject({
      interpretation: 'abnormal',
      loinc_matches: [{ loinc_code: '3016-3' }],
    })
  })

  it('is nothing else', () => {
    for (const line of ['', 'Page 1', 'Age 34 years', 'Phone 555 0100', '92 mg/dL', 'Call 1-800 for help']) {
      expect(rowOf(line), line).toBeUndefined()
    }
  })
})

describe('a PDF', { tags: 'slow' }, () => {
  it('is read line by line, whatever pieces its texts come in', async () => {
    const content =
      'BT /F1 10 Tf 40 700 Td (a \\(b\\) \\101) Tj 200 0 Td <48656C6C6F> Tj -200 -20 Td [(Wo) -20 (rld) -300 (!)] TJ ET'
    expect(await readPdf(pdfOf([content]), 30)).toEqual({ pages: 1, lines: ['a (b) A  Hello', 'World !'] })
  })

  it('of any bytes is read or refused', async () => {
    const tokens = [
      'stream\n',
      'endstream',
      '/Type /Page',
      '/FlateDecode',
      'BT',
      'ET',
      'Tj',
      '(',
      ')',
      '<',
      '[',
      '\\',
    ]
    const part = fc.oneof(fc.constantFrom(...tokens), fc.string())
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 60 }), fc.boolean(), async (parts, whole) => {
        const text = parts.join(' ')
        const bytes = whole ? pdfOf([text], { deflate: false }) : Buffer.from(`%PDF-1.7 1 0 obj ${text}`)
        const content = await readPdf(bytes, 30)
        expect('lines' in content || content.failure === 'corrupt').toBe(true)
      }),
    )
  })
})
