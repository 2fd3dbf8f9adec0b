import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/kernel/random.ts'
import { type LineSource, missingLine } from '../../src/resources/results/lines.ts'
import type { Goal } from '../../src/resources/results/values.ts'
import { expectedOf, linesFor, patient, REPORTED } from '../support/results.ts'

/** The only line of a result. */
function lineFor(slug: string, source: Partial<LineSource> = {}) {
  const lines = linesFor(slug, source)
  expect(lines).toHaveLength(1)
  return lines[0]
}

const goal = (slug: string, level: Goal['level'], side: Goal['side'] = 'above') => ({
  goal: { slug, level, side },
})

describe('a result that two panels share', () => {
  const {
    markers: [first],
  } = expectedOf('potassium')
  const markers = [first, { ...first, id: 2 }] as const
  const sourcesOf = (repeats: boolean) =>
    linesFor('potassium', { value: 4.2, repeats }, { markers: [...markers] }).map(
      ({ value, source_markers }) => [value, source_markers?.map(({ marker_id }) => marker_id)],
    )

  it('is printed once, or with each of them where the laboratory does so', () => {
    expect(sourcesOf(false)).toEqual([[4.2, [1, 2]]])
    expect(sourcesOf(true)).toEqual([
      [4.2, [1]],
      [4.2, [2]],
    ])
  })
})

describe('the line of a number', () => {
  it('names the result, its codes, its range and its source', () => {
    expect(lineFor('potassium', { value: 4.2, sampleId: 'S-1' })).toEqual({
      name: 'The potassium',
      slug: 'lab-potassium',
      value: 4.2,
      result: '4.2',
      type: 'numeric',
      unit: 'mmol/L',
      timestamp: REPORTED,
      notes: null,
      reference_range: '3.5-5.2',
      min_range_value: 3.5,
      max_range_value: 5.2,
      is_above_max_range: false,
      is_below_min_range: false,
      interpretation: 'normal',
      source_interpretation: '',
      loinc: '2823-3',
      loinc_slug: 'potassium-moles-vol',
      provider_id: 'P-potassium',
      source_markers: [{ marker_id: 1, name: 'Marker 1', slug: 'marker-1', provider_id: 'M1' }],
      performing_laboratory: 'A laboratory',
      source_sample_id: 'S-1',
    })
    expect(lineFor('oxidized-ldl', { value: 1 })).toMatchObject({ loinc: null, loinc_slug: null })
  })

  it.each([
    ['potassium', 5.2, '', 'normal'],
    ['potassium', 5.3, 'H', 'abnormal'],
    ['potassium', 6.2, 'H', 'abnormal'],
    ['potassium', 6.3, 'HH', 'critical'],
    ['potassium', 3.4, 'L', 'abnormal'],
    ['potassium', 2.7, 'LL', 'critical'],
    ['triglycerides', 2900, 'H', 'abnormal'],
    ['neutrophils', 90, '', 'normal'],
  ])('flags %s of %d by its limits: %s', (slug, value, flag, interpretation) => {
    expect(lineFor(slug, { value })).toMatchObject({
      interpretation,
      source_interpretation: flag,
      ...(slug === 'potassium' && {
        is_above_max_range: flag.startsWith('H'),
        is_below_min_range: flag.startsWith('L'),
      }),
    })
  })

  it('is judged by its limits, whatever was asked for', () => {
    for (const [value, interpretation] of [
      [6.1, 'abnormal'],
      [6.4, 'critical'],
      [4, 'normal'],
    ] as const)
      for (const level of ['abnormal', 'critical'] as const)
        expect(lineFor('potassium', { value, ...goal('potassium', level) })).toMatchObject({ interpretation })
  })

  it.each(['numeric', 'comment', 'range'] as const)(
    'has no judgement as %s if it is to be unknown',
    (type) => {
      for (const value of [4, 9])
        expect(lineFor('potassium', { value, type, isUnknown: true })).toMatchObject({
          interpretation: 'unknown',
          source_interpretation: '',
        })
    },
  )

  it('has the digits of the laboratory, and more where more were given', () => {
    expect(lineFor('potassium', { value: 4 })?.result).toBe('4.0')
    expect(lineFor('potassium', { value: 4.125 })?.result).toBe('4.125')
    expect(lineFor('neutrophils', { value: 60 })?.result).toBe('60')
  })

  it('has the comment of the laboratory', () => {
    expect(lineFor('potassium', { value: 4, note: 'Repeat.' })).toMatchObject({
      result: '4.0',
      notes: 'Repeat.',
    })
  })

  it.each([
    ['tsh', 0.004, '<0.005', 'abnormal', 'L'],
    ['tsh', 0.005, '0.005', 'abnormal', 'L'],
    ['folate', 20, '20.0', 'normal', ''],
    ['folate', 20.1, '>20.0', 'normal', ''],
    ['crp-high-sensitivity', 0.14, '<0.15', 'normal', ''],
  ])('%s of %d is %s, because of what the method measures', (slug, value, result, interpretation, flag) => {
    const isBeyond = result.startsWith('<') || result.startsWith('>')
    expect(lineFor(slug, { value })).toMatchObject({
      result,
      interpretation,
      value: isBeyond ? -1 : value,
      type: isBeyond ? 'range' : 'numeric',
      notes: isBeyond ? result : null,
      source_interpretation: flag,
      is_above_max_range: isBeyond && flag === '' ? null : false,
      is_below_min_range: isBeyond && flag === '' ? null : flag === 'L',
    })
    expect(lineFor(slug, { value, isMeasured: false })).toMatchObject({ value, type: 'numeric' })
  })

  it.each([
    [2.9, 100, '<3'],
    [2.9, 120, '<3'],
    [2.9, 50, '<6'],
    [3, 100, '3'],
    [2.9, 0, '3'],
  ])(
    'the ratio of albumin is limited by the albumin that is measured (%d, %d): %s',
    (albumin, creatinine, result) => {
      const of = (slug: string) => (slug === 'urine-albumin' ? albumin : creatinine)
      expect(lineFor('albumin-creatinine-ratio', { value: 3, of })?.result).toBe(result)
    },
  )

  it.each([
    ['potassium', 4.2, '4.0-4.4'],
    ['potassium', 3.6, '3.5-3.8'],
    ['potassium', 5.2, '5.0-5.2'],
    ['potassium', 1.4, '<2.8'],
    ['potassium', 3.1, '<3.5'],
    ['potassium', 5.7, '>5.2'],
    ['potassium', 12, '>6.2'],
    ['hemoglobin-a1c', 5.6, '5.4-5.6'],
    ['hemoglobin-a1c', 5.9, '>=5.7'],
    ['hdl-cholesterol', 40, '40-42'],
    ['hdl-cholesterol', 30, '<=39'],
    ['triglycerides', 1, '0-3'],
    ['triglycerides', 200, '>149'],
    ['neutrophils', 1, '0-3'],
  ])('%s of %d is, as an interval, %s', (slug, value, result) => {
    const side = (sign: string) => (/^[<>]/.test(result) ? result.startsWith(sign) : null)
    expect(lineFor(slug, { value, type: 'range' })).toMatchObject({
      result,
      notes: result,
      type: 'range',
      value: -1,
      is_above_max_range: side('>'),
      is_below_min_range: side('<'),
    })
  })

  it.each([
    ['Critically low', 1.4],
    ['Below reference range', 3.1],
    ['Within reference range', 4.2],
    ['Above reference range', 5.7],
    ['Critically high', 12],
  ])('in words says %s', (words, value) => {
    expect(lineFor('potassium', { value, type: 'comment' })).toMatchObject({
      result: words,
      notes: words,
      value: -1,
    })
  })

  it('in words says where there is no range', () => {
    expect(lineFor('neutrophils', { value: 60, type: 'comment' })).toMatchObject({
      result: 'No reference range established',
      type: 'comment',
      unit: null,
      reference_range: null,
    })
  })

  it('is words where there is no number', () => {
    expect(lineFor('egfr', { value: 'Not calculated: patient is under 18 years' })).toMatchObject({
      result: 'Not calculated: patient is under 18 years',
      type: 'comment',
      value: -1,
      interpretation: 'unknown',
      source_interpretation: '',
    })
    expect(lineFor('egfr')?.result).toBe('Not calculated')
  })

  it('is a code where codes are asked for', () => {
    const type = 'coded_value'
    expect(lineFor('potassium', { value: 5.5, type })).toMatchObject({
      type,
      result: 'ABOVE_REFERENCE_RANGE',
      value: -1,
      notes: null,
      interpretation: 'abnormal',
      source_interpretation: 'H',
    })
    expect(lineFor('rpr', { type })).toMatchObject({ type, result: 'NON_REACTIVE', notes: null })
  })
})

describe('the line of words', () => {
  it.each([
    ['hbsag', {}, 'Negative', 'normal', ''],
    ['hbsag', goal('hbsag', 'abnormal'), 'Positive', 'abnormal', 'A'],
    ['hbsag', goal('rpr', 'critical'), 'Negative', 'normal', ''],
    ['hbsag', { ...goal('hbsag', 'abnormal'), value: 'Negative' }, 'Positive', 'abnormal', 'A'],
    ['hbsag', { value: ' NEGATIVE ' }, ' NEGATIVE ', 'normal', ''],
    ['hbsag', { value: 'Weak' }, 'Weak', 'abnormal', 'A'],
    ['hbsag', { ...goal('rpr', 'abnormal'), value: 'Weak' }, 'Weak', 'abnormal', 'A'],
    ['hbsag', { value: 'Weak', isUnknown: true }, 'Weak', 'unknown', ''],
    ['rpr', {}, 'Non Reactive', 'normal', ''],
    ['abo-grouping', { value: 'AB' }, 'AB', 'normal', ''],
  ] as const)('%s with %o: %s', (slug, source, result, interpretation, flag) => {
    expect(lineFor(slug, source)).toMatchObject({
      result,
      notes: result,
      interpretation,
      source_interpretation: flag,
      type: 'comment',
      value: -1,
      unit: null,
      reference_range: null,
    })
  })

  it('is one of four blood groups by person, none of which is abnormal', () => {
    const users = Array.from({ length: 60 }, (_, nth) => `${nth}`)
    const lines = users.map((drawKey) => lineFor('abo-grouping', { drawKey }))
    expect(lineFor('abo-grouping', { drawKey: '1', key: 'another order' })?.result).toBe(lines[1]?.result)
    expect(new Set(lines.map((line) => line?.result))).toEqual(new Set(['O', 'A', 'B', 'AB']))
    expect(new Set(lines.map((line) => line?.interpretation))).toEqual(new Set(['normal']))
  })
})

describe('the lines of a cancer screening', () => {
  const origins = ['LUNG', 'OVARY', 'PROSTATE'].map((origin) => ({ origin, subcategory: `${origin}_PART` }))

  it('is one without a signal', () => {
    for (const source of [{}, { value: 'NOT_DETECTED' }, goal('hbsag', 'critical')])
      expect(lineFor('cancer-signal', { origins, ...source })).toMatchObject({
        name: 'Galleri Multi-Cancer Early Detection',
        slug: 'galleri-cancer-signal',
        provider_id: 'M1',
        result: 'NOT_DETECTED',
        type: 'coded_value',
        notes: null,
        interpretation: 'normal',
        source_interpretation: '',
      })
  })

  it('are four with a signal, all of them critical', () => {
    for (const source of [goal('cancer-signal', 'critical'), { value: 'DETECTED' }]) {
      const lines = linesFor('cancer-signal', { origins: origins.slice(0, 1), ...source })
      expect(lines.map((line) => [line.slug, line.provider_id, line.type, line.result, line.notes])).toEqual([
        ['galleri-cancer-signal', 'M1', 'coded_value', 'DETECTED', null],
        ['galleri-cancer-origin', 'M1_1', 'coded_value', 'LUNG', null],
        ['galleri-cancer-subcategory', 'M1_2', 'coded_value', 'LUNG_PART', null],
        ['galleri-comment-1', 'M1_3', 'comment', lines[3]?.result, lines[3]?.result],
      ])
      expect(lines.map(({ name }) => name)).toEqual([
        'Galleri Multi-Cancer Early Detection',
        'Galleri Cancer Signal Origin',
        'Galleri Cancer Signal Subcategory',
        'Galleri Additional Information',
      ])
      for (const line of lines)
        expect(line).toMatchObject({ interpretation: 'critical', source_interpretation: 'A' })
    }
  })

  it('have no judgement if it is to be unknown', () => {
    for (const line of linesFor('cancer-signal', { origins, value: 'DETECTED', isUnknown: true }))
      expect(line).toMatchObject({ interpretation: 'unknown', source_interpretation: '' })
  })

  it.each([
    ['female', ['LUNG', 'OVARY']],
    ['male', ['LUNG', 'PROSTATE']],
    ['unknown', ['LUNG', 'OVARY', 'PROSTATE']],
  ] as const)('name an organ that a %s patient can have', (sex, organs) => {
    const found = Array.from({ length: 40 }, (_, nth) =>
      linesFor('cancer-signal', { origins, key: `${nth}`, value: 'DETECTED', patient: { ...patient, sex } }),
    )
    expect(new Set(found.map((lines) => lines[1]?.result))).toEqual(new Set(organs))
    for (const [, organ, part] of found) expect(part?.result).toBe(`${organ?.result}_PART`)
  })
})

describe('a missing result', () => {
  const lost = { random: createRandom('seed'), key: 'one', specimen: 'serum' }

  it('has its names, codes and sources, and why it is missing', () => {
    expect(missingLine(expectedOf('egfr'), lost)).toEqual({
      name: 'The egfr',
      slug: 'lab-egfr',
      inferred_failure_type: 'missing_result_calc_failure',
      note: 'Cannot be calculated',
      loinc: '98979-8',
      loinc_slug: expect.stringMatching(/^gfr-/),
      provider_id: 'P-egfr',
      source_markers: [{ marker_id: 1, name: 'Marker 1', slug: 'marker-1', provider_id: 'M1' }],
    })
    expect(missingLine(expectedOf('oxidized-ldl'), lost)).toMatchObject({ loinc: null, loinc_slug: null })
  })
})
