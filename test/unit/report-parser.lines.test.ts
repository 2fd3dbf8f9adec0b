import { describe, expect, it } from 'vitest'
import { runAtOnce } from '../../src/kernel/slices.ts'
import { createCatalogue } from '../../src/resources/catalogue/service.ts'
import { matchLoinc } from '../../src/resources/report-parser/loinc.ts'
import { flagsOf, readRange, readReport, typeOfValue } from '../../src/resources/report-parser/read-report.ts'

const catalogue = createCatalogue()
const read = (...lines: string[]) => runAtOnce(readReport(catalogue, lines))
const rowOf = (line: string) => read(line).results[0]

describe('the type of a value', () => {
  it.each([
    ['+3', 'numeric'],
    ['1,5', 'numeric'],
    ['≤5', 'range'],
    ['>= 5.5', 'range'],
    ['3.5 - 5,1', 'range'],
    ['1:160', 'ratio'],
    ['1 / 160', 'ratio'],
    ['TRUE', 'boolean'],
    ['90 minutes', 'duration'],
    ['8hr', 'duration'],
    ['100:05', 'duration'],
    ['1234567890', 'comment'],
    ['12.3.4', 'comment'],
    ['x5', 'comment'],
    ['5x', 'comment'],
    ['a>5', 'comment'],
    ['>5a', 'comment'],
    ['a1/160', 'comment'],
    ['1/160a', 'comment'],
    ['true story', 'comment'],
    ['not positive', 'comment'],
    ['8 hamsters', 'comment'],
    ['about 8 h', 'comment'],
    ['1:5', 'ratio'],
  ])('%s is a %s', (value, type) => expect(typeOfValue(value)).toBe(type))
})

describe('a range', () => {
  it.each([
    ['3.5-5.1', 3.5, 5.1],
    ['(3,5 - 5,1)', 3.5, 5.1],
    ['65–99', 65, 99],
    ['<200', null, 200],
    ['<= 200.5', null, 200.5],
    ['≤200', null, 200],
    ['>39', 39, null],
    ['≥ 39', 39, null],
  ])('%s has the bounds %s and %s', (text, min, max) => expect(readRange(text)).toEqual({ min, max }))

  it.each(['', '5', 'normal', '1-2-3', 'a1-9', '1-9a', 'a<5', '<5a', '<', '1.2.3-4'])(
    '"%s" is none',
    (text) => expect(readRange(text)).toBeUndefined(),
  )
})

describe('a value in its range', () => {
  const flag = (value: string, min: number | null, max: number | null) =>
    flagsOf(value, typeOfValue(value), { min, max })
  const normal = { interpretation: 'normal', is_above_max_range: false, is_below_min_range: false }
  const above = { interpretation: 'abnormal', is_above_max_range: true, is_below_min_range: false }
  const below = { interpretation: 'abnormal', is_above_max_range: false, is_below_min_range: true }
  const unknown = { interpretation: 'unknown', is_above_max_range: null, is_below_min_range: null }

  it.each([
    ['4', 4, 8, normal],
    ['8', 4, 8, normal],
    ['8.1', 4, 8, above],
    ['3.9', 4, 8, below],
    ['5,5', 4, 5.2, above],
    ['12%', 4, 8, above],
    ['0', null, 8, normal],
    ['9', null, 8, above],
    ['9', 4, null, normal],
    ['3', 4, null, below],
    ['5', null, null, unknown],
    ['>5', null, null, unknown],
    ['much%', 4, 8, unknown],
    ['Positive', 4, 8, unknown],
    // Bounds and ranges, if they decide.
    ['>8', 4, 8, above],
    ['>7', 4, 8, unknown],
    ['<4', 4, 8, below],
    ['<5', 4, 8, unknown],
    ['5-6', 4, 8, normal],
    ['4-8', 4, 8, normal],
    ['5-9', 4, 8, unknown],
    ['3-5', 4, 8, unknown],
    ['9-10', 4, 8, above],
    ['1-3', 4, 8, below],
    ['<10', null, 10, normal],
    ['<11', null, 10, unknown],
    ['>4', 4, null, normal],
    ['>3', 4, null, unknown],
  ])('%s in %s to %s', (value, min, max, flags) => expect(flag(value, min, max)).toEqual(flags))
})

describe('a row of a report', () => {
  it.each([
    ['Glucose 92 mg/dL 65 - 99', 'Glucose', '92', 'mg/dL', [65, 99]],
    ['Glucose: 92 H mg/dL (65-99)', 'Glucose', '92', 'mg/dL', [65, 99]],
    ['Glucose ..... 92 mg/dL', 'Glucose', '92', 'mg/dL', [null, null]],
    ['Vitamin B12 > 2000 pg/mL 232 – 1245', 'Vitamin B12', '>2000', 'pg/mL', [232, 1245]],
    ['Factor 5 92 %', 'Factor 5', '92', '%', [null, null]],
    ['Factor 5 92,5% 70-120', 'Factor 5', '92,5%', null, [70, 120]],
    ['Bleeding Time 2:30 sec', 'Bleeding Time', '2:30', 'sec', [null, null]],
    ['eGFR 90 mL/min/1.73 >59', 'eGFR', '90', 'mL/min/1.73', [59, null]],
    ['eGFR 90 mL/min/1.73m2 > OR = 60', 'eGFR', '90', 'mL/min/1.73m2', [60, null]],
    ['LDL 90 mg/dL (calc) <100', 'LDL', '90', 'mg/dL (calc)', [null, 100]],
    ['Hemoglobin A1c 5.4 % of total Hgb <5.7', 'Hemoglobin A1c', '5.4', '% of total Hgb', [null, 5.7]],
    ['WBC 6.1 x10(3)/uL 3.4-10.8', 'WBC', '6.1', 'x10(3)/uL', [3.4, 10.8]],
    ['Nitrite Negative', 'Nitrite', 'Negative', null, [null, null]],
    ['HIV Ag/Ab Non-Reactive N', 'HIV Ag/Ab', 'Non-Reactive', null, [null, null]],
  ])('%s', (line, name, value, unit, [min, max]) =>
    expect(rowOf(line)).toMatchObject({
      test_name: name,
      value,
      units: unit,
      min_reference_range: min,
      max_reference_range: max,
    }),
  )

  it.each([
    'Glucose 92',
    'Glucose 92 mg/dL 65-99 fasting',
    'Glucose 92 mg/dL mmol/L',
    'Glucose 92 mg/dL 65-99 60-100',
    'A 5 mg/dL',
    '17 5 mg/dL',
    '92 mg/dL',
    'Glucose x92 mg/dL',
    'Glucose 92x mg/dL',
    'Glucose 1234567890 mg/dL',
    'Seen notably by a doctor',
    'Glucose 92 Xmg/dLX/h/h',
  ])('is not in "%s"', (line) => expect(rowOf(line)).toBeUndefined())

  it('says how its value was measured, and in what', () => {
    expect(rowOf('BUN/Creatinine Ratio 15 ratio')).toMatchObject({ measurement_kind: 'ratio' })
    expect(rowOf('LDL Chol Calc 100 mg/dL')).toMatchObject({ measurement_kind: 'calculated' })
    expect(rowOf('Glucose 92 mg/dL')).toMatchObject({
      measurement_kind: 'direct',
      sample_type: 'serum_plasma_blood',
      sensitivity: 'unknown',
    })
    expect(rowOf('Urine Color Negative')).toMatchObject({ measurement_kind: 'direct', sample_type: 'urine' })
    expect(rowOf('Moonlight Index 3 index')).toMatchObject({
      measurement_kind: 'unknown',
      sample_type: 'unknown',
    })
  })

  it('is under the panel whose heading came last', () => {
    const { results } = read(
      'Glucose 92 mg/dL',
      '  LIPID PANEL ',
      'Cholesterol, Total 231 mg/dL',
      'Triglycerides 90 mg/dL',
      'Iron and TIBC',
      'Iron 90 ug/dL',
    )
    expect(results.map(({ source_panel_name }) => source_panel_name)).toEqual([
      null,
      'Lipid Panel',
      'Lipid Panel',
      'Iron and TIBC',
    ])
  })

  it('is one of five hundred at most', { tags: 'slow' }, () => {
    const lines = Array.from({ length: 502 }, (_, at) => `Glucose ${at} mg/dL`)
    const { results } = read(...lines)
    expect(results).toHaveLength(500)
    expect(results.at(-1)?.value).toBe('499')
  })
})

describe('the metadata of a report', () => {
  const metadata = (...lines: string[]) => read(...lines).metadata

  it('is empty where a report says nothing', () => {
    expect(metadata('Page 1')).toEqual({
      patient_first_name: '',
      patient_last_name: '',
      dob: '',
      gender: 'other',
      lab_name: '',
      date_reported: null,
      date_collected: null,
      specimen_number: null,
    })
  })

  it.each([
    ['Patient', 'patient_last_name'],
    ['Patient Name', 'patient_last_name'],
    ['Name', 'patient_last_name'],
    ['DOB', 'dob'],
    ['Date of birth', 'dob'],
    ['Born on', 'dob'],
    ['Lab', 'lab_name'],
    ['Performing Laboratory', 'lab_name'],
    ['Reported', 'date_reported'],
    ['Report Date', 'date_reported'],
    ['Collection date', 'date_collected'],
    ['Specimen ID', 'specimen_number'],
    ['Accession', 'specimen_number'],
  ] as const)('has what stands after "%s"', (label, field) => {
    expect(metadata(`${label}: Doe, 1`)[field]).toBe(field === 'patient_last_name' ? 'Doe' : 'Doe, 1')
    expect(metadata(`The ${label}: Doe, 1`)[field]).toBe(metadata('')[field])
  })

  it('may stand in the next cell, or under a row of labels, and the first counts', () => {
    expect(metadata('Collected:   03/14/2026   Sex:   F')).toMatchObject({
      date_collected: '03/14/2026',
      gender: 'female',
    })
    expect(metadata('Patient   DOB   Sex', 'Elva Jane Reilly   1990-01-01   M')).toMatchObject({
      patient_first_name: 'Elva Jane',
      patient_last_name: 'Reilly',
      dob: '1990-01-01',
      gender: 'male',
    })
    expect(metadata('DOB: 1990-01-01', 'DOB: 1991-01-01').dob).toBe('1990-01-01')
    expect(metadata('Collected: 03/14/2026 10:30').date_collected).toBe('03/14/2026 10:30')
  })

  it('does not take a line under other cells, or of one cell, for values', () => {
    expect(metadata('Patient   DOB', 'Elva   1990-01-01   F').dob).toBe('')
    expect(metadata('DOB', '1990-01-01').dob).toBe('')
    expect(metadata('DOB   Remark:', '1990-01-01   none').dob).toBe('')
    expect(metadata('DOB:').dob).toBe('')
  })

  it('has the names in either order', () => {
    const nameOf = (text: string) => {
      const { patient_first_name, patient_last_name } = metadata(`Patient: ${text}`)
      return [patient_first_name, patient_last_name]
    }
    expect(nameOf('Reilly, Elva')).toEqual(['Elva', 'Reilly'])
    expect(nameOf('Elva Reilly')).toEqual(['Elva', 'Reilly'])
    expect(nameOf('Elva')).toEqual(['Elva', ''])
  })

  it.each([
    ['f', 'female'],
    ['Female', 'female'],
    ['m', 'male'],
    ['MALE', 'male'],
    ['females', 'other'],
    ['not male', 'other'],
    ['malefic', 'other'],
    ['x f', 'other'],
  ])('has the gender of "%s"', (text, gender) => expect(metadata(`Sex: ${text}`).gender).toBe(gender))
})

describe('the LOINC codes of a row', () => {
  const match = (name: string, unit: string | null = null) => matchLoinc(catalogue, name, unit)
  const best = (name: string, unit?: string) => {
    const { loinc_match_status, loinc_matches } = match(name, unit)
    return [loinc_match_status, loinc_matches?.[0]?.loinc_code, loinc_matches?.[0]?.confidence_score]
  }

  it('are more certain with the same unit, and less with another', () => {
    expect(best('Glucose')).toEqual(['auto_match', '2345-7', 0.97])
    expect(best('Glucose', 'MG/DL')).toEqual(['auto_match', '2345-7', 1])
    expect(best('Glucose', 'mmol/L')).toEqual(['needs_review', '2345-7', 0.87])
    expect(match('Glucose', 'mmol/L').analyte).toBeUndefined()
    expect(match('Glucose', 'mg/dL').analyte?.slug).toBe('glucose')
  })

  it('are those of other names too, and of names without what does not matter', () => {
    expect(best('Thyroid Stimulating Hormone')).toEqual(['auto_match', '3016-3', 0.97])
    expect(best('GLUCOSE, Serum')).toEqual(['auto_match', '2345-7', 0.97])
    expect(best('total cholesterol level')).toEqual(['auto_match', '2093-3', 0.97])
  })

  it('are those of similar names, at most five, the best first', () => {
    const { loinc_match_status, loinc_matches } = match('Cholesterol ratio hdl ldl')
    expect(loinc_match_status).toBe('needs_review')
    const scores = (loinc_matches ?? []).map(({ confidence_score }) => confidence_score ?? 0)
    expect(scores.length).toBeGreaterThan(1)
    expect(scores.length).toBeLessThanOrEqual(5)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    expect(scores.at(-1)).toBeGreaterThanOrEqual(0.4)
  })

  it('have their names and aliases', () => {
    const [tsh] = match('TSH').loinc_matches ?? []
    expect(tsh).toMatchObject({
      loinc_code: '3016-3',
      loinc_name: 'TSH [Units/Vol]',
      display_name: 'TSH',
      aliases: ['Thyroid Stimulating Hormone'],
    })
  })

  it('are none for names without a word in common, and for analytes without a code', () => {
    const none = { loinc_match_status: 'no_match', loinc_matches: null, analyte: undefined }
    expect(match('Moonlight Index')).toEqual(none)
    expect(match('Cancer Signal')).toEqual(none)
  })
})

describe('separators of thousands', () => {
  it.each([
    [
      'Platelets 250,000 /uL 150,000-400,000',
      { value: '250000', min_reference_range: 150_000, max_reference_range: 400_000 },
    ],
    ['Vitamin B12 1,250 pg/mL 200-1,100', { value: '1250', max_reference_range: 1100 }],
    ['Ferritin 88 ng/mL 15 to 150', { value: '88', min_reference_range: 15, max_reference_range: 150 }],
  ])('are read: %s', (line, row) => expect(rowOf(line)).toMatchObject(row))

  it('are decimal commas where the report has them', () => {
    const { results } = read('Vitamin B12 1,250 pg/mL 0,200-1,100', 'Glucose 90,5 mg/dL 70-99')
    expect(results.map(({ value }) => value)).toEqual(['1,250', '90,5'])
    expect(results.map(({ max_reference_range: most }) => most)).toEqual([1.1, 99])
  })
})
