import { describe, expect, it } from 'vitest'
import { createCatalogue, type Marker } from '../../src/resources/catalogue/service.ts'
import { complete, seedFolder } from '../support/seeds.ts'

const analyte = (slug: string, more: object = {}) => ({
  slug,
  name: slug.toUpperCase(),
  category: 'chemistry',
  kind: 'numeric',
  unit: 'mg/dL',
  loinc: null,
  ...more,
})
const marker = (id: number, more: object = {}) => ({
  id,
  lab: 'quest',
  provider_id: `Q${id}`,
  type: 'biomarker',
  price: 'N/A',
  a_la_carte_enabled: true,
  common_tat_days: 1,
  worst_case_tat_days: 2,
  ...more,
})
const result = (id: number, name: string, more: object = {}) => ({
  id,
  lab: 'quest',
  analyte: name,
  provider_id: `R${id}`,
  ...more,
})

const files = {
  'analytes.json': [analyte('iron'), analyte('sodium', { unit: null })],
  'panels.json': [{ slug: 'salts', name: 'Salts', analytes: ['iron', 'sodium'] }],
  'results.json': [
    result(11, 'iron', { name: 'Ferrum', slug: 'ferrum--1', required: false }),
    result(12, 'sodium'),
  ],
  'markers.json': [
    marker(1, { panel: 'salts', reflex: [4] }),
    marker(2, { analyte: 'iron' }),
    marker(3, { results: ['sodium'] }),
    marker(4, { analyte: 'iron', name: 'Own', slug: 'own--2', unit: 'g', results: ['sodium'] }),
    marker(5, { panel: 'salts', unit: null, results: ['iron'] }),
    marker(6, { analyte: 'iron', unit: null }),
  ],
  'orderables.json': [],
  'lab-profiles.json': [],
  'lab-tests.json': [],
}
const catalogueOf = (more: Record<string, readonly unknown[]> = {}) =>
  createCatalogue([seedFolder(complete({ ...files, ...more }))])
const refusal = (more: Record<string, readonly unknown[]>) => () => catalogueOf(more)

describe('a marker', () => {
  it('has name, slug, unit and results of its panel or analyte, unless it says others', () => {
    const describeMarker = ({ name, slug, unit, results, isReflex }: Marker) => [
      name,
      slug,
      unit,
      results.map(({ id }) => id),
      isReflex,
    ]
    expect([...catalogueOf().markers().values()].map(describeMarker)).toEqual([
      ['Salts', 'salts', null, [11, 12], false],
      ['IRON', 'iron', 'mg/dL', [11], false],
      ['Q3', 'Q3', null, [12], false],
      ['Own', 'own--2', 'g', [12], true],
      ['Salts', 'salts', null, [11], false],
      ['IRON', 'iron', null, [11], false],
    ])
  })

  it('has results with the words of the laboratory, or those of the analyte', () => {
    const catalogue = catalogueOf()
    const [iron, sodium] = ['iron', 'sodium'].map((slug) => catalogue.analytes().get(slug))
    expect(catalogue.markers().get(1)?.results).toEqual([
      {
        id: 11,
        name: 'Ferrum',
        slug: 'ferrum--1',
        lab_id: 4,
        provider_id: 'R11',
        required: false,
        analyte: iron,
      },
      {
        id: 12,
        name: 'SODIUM',
        slug: 'sodium',
        lab_id: 4,
        provider_id: 'R12',
        required: true,
        analyte: sodium,
      },
    ])
  })

  it('is found by the code of its laboratory', () => {
    const catalogue = catalogueOf()
    expect(catalogue.findMarker('quest', 'Q2')?.id).toBe(2)
    expect([catalogue.findMarker('labcorp', 'Q2'), catalogue.findMarker('quest', 'R11')]).toEqual([
      undefined,
      undefined,
    ])
    expect(catalogue.findMarker('quest', 'Q2')?.lab).toBe(catalogue.labs().get('quest'))
  })

  it('is read with what it refers to, a file at a step', () => {
    const catalogue = createCatalogue()
    expect([...catalogue.readMarkers()]).toHaveLength(8)
    expect(catalogue.markers().size).toBeGreaterThan(1400)
  })

  it.each<[string, Record<string, readonly unknown[]>]>([
    ['markers.json: row 1: needs panel, analyte or results', { 'markers.json': [marker(7)] }],
    ['markers.json: 7: no panel is called none', { 'markers.json': [marker(7, { panel: 'none' })] }],
    ['markers.json: 7: no analyte is called none', { 'markers.json': [marker(7, { analyte: 'none' })] }],
    [
      'markers.json: 7: no result is called quest/none',
      { 'markers.json': [marker(7, { results: ['none'] })] },
    ],
    [
      'markers.json: 7: no result is called labcorp/iron',
      { 'markers.json': [marker(7, { lab: 'labcorp', analyte: 'iron' })] },
    ],
    [
      'markers.json: a marker names 99 as reflex, which is not there',
      { 'markers.json': [marker(7, { analyte: 'iron', reflex: [7, 99] })] },
    ],
    ['results.json: 13: no analyte is called none', { 'results.json': [result(13, 'none')] }],
    [
      'markers.json: 7: no lab is called labcorp',
      { 'labs.json': [], 'results.json': [], 'markers.json': [marker(7, { lab: 'labcorp', results: [] })] },
    ],
    [
      'results.json: 14: no lab is called quest',
      { 'labs.json': [], 'markers.json': [], 'results.json': [result(14, 'iron')] },
    ],
  ])('is refused: %s', (message, more) => {
    expect(refusal(more)).toThrow(message)
  })
})

describe('an orderable analyte', () => {
  const orderable = { id: 17, analyte: 'iron', codes: { quest: '571', labcorp: '001339' } }

  it('is a marker and a result of each laboratory that has a code for it', () => {
    const catalogue = catalogueOf({ 'results.json': [], 'markers.json': [], 'orderables.json': [orderable] })
    const quest = catalogue.labs().get('quest')
    const labcorp = catalogue.labs().get('labcorp')
    const common = {
      analyte: 'iron',
      type: 'biomarker',
      price: 'N/A',
      a_la_carte_enabled: true,
      reflex: [],
      is_orderable: true,
      is_insurable: true,
      aoe: undefined,
      name: 'IRON',
      slug: 'iron',
      unit: 'mg/dL',
      isReflex: false,
    }
    const measured = {
      name: 'IRON',
      slug: 'iron',
      required: true,
      analyte: catalogue.analytes().get('iron'),
    }
    expect([...catalogue.markers().values()]).toEqual([
      {
        ...common,
        id: 400_017,
        lab: quest,
        provider_id: '571',
        common_tat_days: 2,
        worst_case_tat_days: 5,
        results: [{ ...measured, id: 50_400_017, lab_id: 4, provider_id: '571' }],
      },
      {
        ...common,
        id: 600_017,
        lab: labcorp,
        provider_id: '001339',
        common_tat_days: 2,
        worst_case_tat_days: 5,
        results: [{ ...measured, id: 50_600_017, lab_id: 6, provider_id: '001339' }],
      },
    ])
  })

  it('takes the days of its slowest analyte, and one to arrive', () => {
    const markers = [...createCatalogue().markers().values()]
    const days = (slug: string) => {
      const marker = markers.find((each) => each.lab.slug === 'quest' && each.slug === slug)
      return [marker?.common_tat_days, marker?.worst_case_tat_days]
    }
    expect(days('tsh')).toEqual([2, 5])
    expect(days('stool-culture')).toEqual([4, 7])
    expect(days('hla-b27')).toEqual([6, 9])
  })

  it('asks its questions, none of which must be answered', () => {
    const asks = ['fasting', 'collection_time', 'source', 'pregnancy']
    const rows = [{ ...orderable, codes: { quest: '571' }, asks }]
    const { aoe } = catalogueOf({ 'orderables.json': rows, 'markers.json': [] }).markers().get(400_017) ?? {}
    const open = { required: false, sequence: 1, answers: [], constraint: null, default: null }
    const yesOrNo = [
      { id: 1, code: 'N', value: 'No' },
      { id: 2, code: 'Y', value: 'Yes' },
    ]
    expect(aoe).toEqual({
      questions: [
        { ...open, id: 1, code: 'FSTING', value: 'FASTING', type: 'choice', answers: yesOrNo },
        { ...open, id: 2, code: 'COLTIM', value: 'COLLECTION TIME', type: 'text', constraint: 'HHMM' },
        { ...open, id: 3, code: 'SOURCE', value: 'SPECIMEN SOURCE', type: 'text' },
        { ...open, id: 4, code: 'PREG', value: 'PREGNANT', type: 'choice', answers: yesOrNo },
      ],
    })
  })

  it('gives way to a marker or a result of its own, and to a laboratory that is not there', () => {
    const own = marker(400_017, { analyte: 'iron', name: 'Own' })
    const catalogue = catalogueOf({ 'orderables.json': [orderable], 'markers.json': [own] })
    expect(catalogue.markers().get(400_017)).toMatchObject({ name: 'Own', provider_id: 'Q400017' })
    expect(catalogue.markers().get(400_017)?.results).toMatchObject([{ id: 11 }])
    const others = { 'markers.json': [], 'results.json': [], 'orderables.json': [orderable] }
    expect(catalogueOf({ ...others, 'labs.json': [] }).markers().size).toBe(0)
  })
})

describe('a lab test of the seeds', () => {
  const labTest = (more: object) => ({
    slug: 'mine',
    name: 'Mine',
    description: null,
    method: 'walk_in_test',
    lab: 'quest',
    sample_type: 'serum',
    price: 1,
    fasting: false,
    has_collection_instructions: null,
    markers: [],
    ...more,
  })

  it('has markers of its laboratory only', () => {
    const labTests = [labTest({ markers: [1, 2], reports: [3] })]
    expect(catalogueOf({ 'lab-tests.json': labTests }).labTests().get('mine')).toMatchObject(
      labTests[0] ?? {},
    )
  })

  it.each([
    [{ markers: [1, 99] }, 'quest has no marker 99'],
    [{ markers: [1], reports: [98] }, 'quest has no marker 98'],
    [{ lab: 'labcorp', markers: [1] }, 'labcorp has no marker 1'],
  ])('is refused with %j', (more, reason) => {
    expect(refusal({ 'lab-tests.json': [labTest(more)] })).toThrow(`lab-tests.json: mine: ${reason}`)
  })
})
