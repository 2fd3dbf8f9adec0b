import { beforeAll, describe, expect, it } from 'vitest'
import { instructionsDocument } from '../../src/resources/documents/instructions.ts'
import { labelsDocument } from '../../src/resources/documents/labels.ts'
import { reportDocument } from '../../src/resources/documents/report.ts'
import { abnDocument, requisitionDocument } from '../../src/resources/documents/requisition.ts'
import { insurances } from '../../src/resources/insurance/table.ts'
import { labAccounts } from '../../src/resources/lab-accounts/table.ts'
import { type OrderRow, orderMetadata } from '../../src/resources/orders/table.ts'
import type { Report, ResultLine } from '../../src/resources/results/service.ts'
import { expectedOf } from '../../src/resources/results/service.ts'
import type { World } from '../../src/world/world.ts'
import { field } from '../support/field.ts'
import { type DrawnPage, drawnOn } from '../support/pdf-text.ts'
import { startTestWorld } from '../support/petri.ts'

const RED = '0.72 0.09 0.11'
const GREY = '0.42 0.45 0.5'

let base: World
beforeAll(async () => {
  base = (await startTestWorld()).world()
})

/** A world whose only rows are these. */
function worldWith(metadata?: object, insurance?: object): World {
  const account = { provider_account_id: 'ACC-7', account_name: 'Main account' }
  const find = (table: unknown) =>
    new Map<unknown, object | undefined>([
      [orderMetadata, metadata],
      [labAccounts, account],
      [insurances, insurance],
    ]).get(table)
  return Object.assign(Object.create(base), { db: { find } })
}

const patient = {
  first_name: 'Ada',
  last_name: 'Example',
  dob: '1990-01-02T00:00:00+00:00',
  gender: 'female',
  phone_number: '+16025550123',
  email: 'ada@example.com',
}
const marker = { id: 1, provider_id: '7600', name: 'Lipid Panel', type: 'panel' }
const test = {
  id: 'test-1',
  name: 'A lab test',
  slug: 'a-lab-test',
  price: 12.5,
  method: 'walk_in_test',
  sample_type: 'serum',
  fasting: false,
  markers: [marker],
  lab: { slug: 'quest', name: 'Quest' },
}
const order = (more: object = {}): OrderRow =>
  ({
    id: 'order-1',
    user_id: 'user-1',
    sample_id: 'S-1',
    priority: false,
    billing_type: 'client_bill',
    lab_test: test,
    patient_details: patient,
    icd_codes: ['I10', 'E78.5'],
    clinical_notes: null,
    patient_address: {
      first_line: '1 Main St',
      second_line: 'Unit 2',
      city: 'Phoenix',
      state: 'AZ',
      zip: '85004',
    },
    physician: { first_name: 'Robin', last_name: 'Berg', npi: '1234567893' },
    created_at: '2026-01-05T09:00:00+00:00',
    events: [
      { status: 'received.walk_in_test.ordered', created_at: '2026-01-05T09:00:00+00:00' },
      { status: 'received.walk_in_test.requisition_created', created_at: '2026-01-05T10:30:00+00:00' },
    ],
    ...more,
  }) as unknown as OrderRow

/** An order of which only what must be known is. */
const bare = () =>
  order({
    sample_id: null,
    patient_details: null,
    patient_address: null,
    physician: null,
    icd_codes: null,
    lab_test: { ...test, lab: null, markers: null },
    events: [],
  })

const drawn = async (document: Promise<Uint8Array>): Promise<DrawnPage[]> =>
  drawnOn(Buffer.from(await document))
/** What stands below the labels of facts, line by line. */
function factsOf(pages: readonly DrawnPage[]) {
  const found: Record<string, string> = {}
  for (const { texts } of pages) {
    for (const label of texts.filter(({ size, colour }) => size === 7 && colour === GREY)) {
      const lines: string[] = []
      const next = () =>
        texts.find(
          ({ x, y, size }) => x === label.x && size === 9 && y === label.y + 10.5 + lines.length * 11,
        )
      for (let line = next(); line; line = next()) lines.push(line.text)
      found[label.text] = lines.join('\n')
    }
  }
  return found
}

const linesOf = (pages: readonly DrawnPage[]) => pages.flatMap(({ texts }) => texts.map(field('text')))
const cellsOf = (pages: readonly DrawnPage[], text: string) =>
  pages.flatMap(({ texts }) => texts.filter((each) => each.text === text))
/** The texts of the rows that begin at a point, and how far apart they are. */
const rowsFrom = (pages: readonly DrawnPage[], x: number, size = 9) =>
  (pages[0]?.texts ?? []).filter((each) => each.x === x && each.size === size)

describe('a requisition', () => {
  const requisition = (of = order(), world = worldWith()) => drawn(requisitionDocument(world, of))

  it('has the order, the patient, the physician and the tests', async () => {
    const world = worldWith({ lab_account_id: 'account' })
    const pages = await requisition(order({ clinical_notes: 'Fasted.' }), world)
    expect(factsOf(pages)).toMatchObject({
      Order: 'order-1',
      Account: 'ACC-7 · Main account',
      'Requisition / specimen': 'S-1',
      Created: '01/05/2026 10:30 UTC',
      'Bill to': 'Client bill',
      Collection: 'Walk in test',
      'Date of birth': '01/02/1990',
      Sex: 'Female',
      Telephone: '+16025550123',
      'E-mail': 'ada@example.com',
      NPI: '1234567893',
      Signature: 'Signed electronically',
      'Diagnosis (ICD-10)': 'I10, E78.5',
      Fasting: 'Not required',
      Specimen: 'Gold top (SST)',
    })
    const lines = linesOf(pages)
    for (const text of [
      'LABORATORY REQUISITION',
      'ROUTINE',
      'Ada Example',
      'Robin Berg',
      'Tests ordered (1)',
      'Order order-1',
    ])
      expect(lines).toContain(text)
    expect(lines.join(' ')).toContain('1 Main St, Unit 2, Phoenix, AZ 85004')
    expect(lines.slice(lines.indexOf('Clinical notes')).slice(0, 2)).toEqual(['Clinical notes', 'Fasted.'])
    expect(lines).toContain('Write the number S-1 on every tube or card, or use its labels.')
    expect(lines).not.toContain('Answers to the laboratory')
    expect(lines[1]).toMatch(/^.+, .+, [A-Z]{2} \d{5}$/)
    expect(lines[2]).toMatch(/^CLIA /)
  })

  it('has the tubes of its tests, what is known of the fast, and who pays', async () => {
    const company = { name: 'Aetna' }
    const insured = { first_name: 'Grace', last_name: 'Example' }
    const insurance = {
      company,
      payor_code: 'AETNA',
      member_id: 'M-1',
      group_id: 'G-1',
      relationship: 'Spouse',
      insured,
    }
    const world = worldWith({ draw: { is_fasting: true } }, insurance)
    const measuring = (wanted: string) =>
      [...world.services.catalogue.markers().values()].find((each) => {
        const found = expectedOf(world.services.catalogue, order({ lab_test: { ...test, markers: [each] } }))
        return found.length > 0 && found.every(({ result }) => result.analyte.category === wanted)
      })
    const markers = ['blood_count', 'coagulation'].map((category) => ({ ...marker, ...measuring(category) }))
    const insured_order = order({ health_insurance_id: 'insurance', lab_test: { ...test, markers } })
    expect(factsOf(await requisition(insured_order, world))).toMatchObject({
      Specimen: 'Lavender top (EDTA), Light blue top\n(citrate)',
      Fasting: 'Yes',
      Payor: 'Aetna (AETNA)',
      Member: 'M-1',
      Insured: 'Grace Example',
      'Relationship to insured': 'Spouse',
    })
  })

  it('has dates as they are written where the patient lives', async () => {
    const patient_address = {
      first_line: '1 High St',
      second_line: null,
      city: 'Leeds',
      state: 'AZ',
      zip: '85004',
      country: 'GB',
    }
    const facts = factsOf(await requisition(order({ patient_address })))
    expect(facts).toMatchObject({ Created: '2026-01-05 10:30 UTC', 'Date of birth': '1990-01-02' })
  })

  it('has a crossed box, a code and a name for each test, line by line', async () => {
    const markers = [marker, { ...marker, provider_id: null, name: 'Another', type: null }]
    const pages = await requisition(order({ lab_test: { ...test, markers } }))
    const [first, second] = ['Lipid Panel', 'Another'].map((name) => cellsOf(pages, name)[0])
    expect([first?.x, second?.x, (second?.y ?? 0) - (first?.y ?? 0)]).toEqual([132, 132, 15])
    const top = (first?.y ?? 0) - 10
    expect(cellsOf(pages, '7600')).toMatchObject([{ x: 58, y: top + 10, isBold: true }])
    expect(cellsOf(pages, 'x').map(({ x, y }) => [x, y])).toEqual([
      [43.6, expect.closeTo(top + 9.6, 1)],
      [43.6, expect.closeTo(top + 24.6, 1)],
    ])
    expect(cellsOf(pages, 'panel')).toMatchObject([{ y: top + 10, size: 8, colour: GREY }])
    expect(pages[0]?.boxes.filter(({ isFilled }) => !isFilled)).toMatchObject([
      { x: 42, y: expect.closeTo(top + 3, 1), width: 8, height: 8 },
      { x: 42, y: expect.closeTo(top + 18, 1), width: 8, height: 8 },
    ])
    expect(cellsOf(pages, 'Tests ordered (2)')).toHaveLength(1)
  })

  it('has three lines to fill in by hand, side by side', async () => {
    const pages = await requisition()
    const blanks = ['Date collected', 'Time collected', 'Collected by'].map((text) => cellsOf(pages, text)[0])
    expect(blanks.map((blank) => blank?.x)).toEqual([42, 218, 394])
    const y = (blanks[0]?.y ?? 0) - 9
    for (const x of [42, 218, 394])
      expect(pages[0]?.boxes).toContainEqual(
        expect.objectContaining({ x, y: expect.closeTo(y - 0.35, 1), width: 162 }),
      )
  })

  it('has the answers in words, as far as the laboratory has words', async () => {
    const answers = [
      { marker_id: 173, question_id: -1, answer: 'free text' },
      { marker_id: -5, question_id: 3, answer: 'Y' },
      { marker_id: -6, question_id: 3, answer: 'Y' },
      { marker_id: 1975, question_id: 1, answer: 'Y' },
    ]
    const pages = await requisition(order({ priority: true }), worldWith({ aoe_answers: answers }))
    expect(factsOf(pages)).toMatchObject({ '-1': 'free text', '3': 'Y' })
    expect([cellsOf(pages, '3').length, cellsOf(pages, 'FASTING')]).toEqual([1, []])
    expect(linesOf(pages)).toEqual(expect.arrayContaining(['Answers to the laboratory', 'STAT']))
  })

  it('has empty places where nothing is known', async () => {
    const pages = await requisition(bare())
    const facts = factsOf(pages)
    for (const label of [
      'Account',
      'Requisition / specimen',
      'Date of birth',
      'Sex',
      'Address',
      'Telephone',
      'NPI',
      'Signature',
      'Diagnosis (ICD-10)',
    ])
      expect([label, facts[label]]).toEqual([label, ''])
    expect(facts.Created).toBe('01/05/2026 09:00 UTC')
    const lines = linesOf(pages)
    expect(lines).toEqual(expect.arrayContaining(['Laboratory', 'Tests ordered (0)']))
    expect(lines).toContain('Write the number  on every tube or card, or use its labels.')
    expect(lines).not.toContain('Clinical notes')
  })
})

describe('the notice that insurance may not pay', () => {
  it('has the tests, their cost, three choices and a place to sign', async () => {
    const pages = await drawn(abnDocument(worldWith(), order()))
    expect(factsOf(pages)).toMatchObject({
      Patient: 'Ada Example',
      'Date of birth': '01/02/1990',
      Identification: 'S-1',
      'Why it may not be paid': 'Not covered for this diagnosis: I10, E78.5',
      'Estimated cost': '$12.50',
    })
    expect(cellsOf(pages, '7600')).toMatchObject([{ x: 42, isBold: true }])
    expect(cellsOf(pages, 'Lipid Panel')).toMatchObject([{ x: 116, y: cellsOf(pages, '7600')[0]?.y }])
    const squares = pages[0]?.boxes.filter(({ isFilled }) => !isFilled) ?? []
    expect(squares).toHaveLength(3)
    const choices = (pages[0]?.texts ?? []).filter(({ text, x }) => x === 60 && /^[123]\. /.test(text))
    expect(choices.map(({ text }) => text[0])).toEqual(['1', '2', '3'])
    for (const [nth, { y }] of choices.entries()) {
      const box = squares[nth]
      expect(box).toMatchObject({ x: 42, width: 9, height: 9 })
      expect(Math.abs(y - ((box?.y ?? 0) + 9))).toBeLessThan(3)
    }
    const [signature, date] = ['Signature', 'Date'].map((text) => cellsOf(pages, text)[0])
    expect([signature?.x, date?.x, signature?.y]).toEqual([42, 372, date?.y])
    for (const [x, width] of [
      [42, 300],
      [372, 198],
    ])
      expect(pages[0]?.boxes).toContainEqual(
        expect.objectContaining({ x, width, y: expect.closeTo((date?.y ?? 0) - 9.35, 1) }),
      )
    expect(linesOf(pages)).toEqual(
      expect.arrayContaining(['ADVANCE BENEFICIARY NOTICE', 'OF NON-COVERAGE', 'Order order-1']),
    )
  })

  it('has the order where there is no sample, and says that no diagnosis is known', async () => {
    const facts = factsOf(await drawn(abnDocument(worldWith(), bare())))
    expect(facts).toMatchObject({
      Patient: '',
      'Date of birth': '',
      Identification: 'order-1',
      'Why it may not be paid': 'Not covered for this diagnosis: none given',
    })
  })
})

describe('labels', () => {
  const input = { collectedAt: Date.parse('2026-01-05T10:00:00Z'), count: 2 }

  it('are of the size of a label, with everything at its place', async () => {
    const pages = await drawn(labelsDocument(order(), input))
    expect(pages).toHaveLength(2)
    const places = pages[1]?.texts.map(({ text, x, y, size, isBold }) => [text, x, y, size, isBold])
    const right = expect.any(Number)
    expect(places).toEqual([
      ['EXAMPLE, ADA', 10, 18, 11, true],
      ['DOB 01/02/1990   Female', 10, 29, 8, false],
      ['S-1', 10, 71, 9, true],
      ['Acct 1234567890', right, 71, 8, false],
      ['Collected 01/05/2026 10:00 UTC', 10, 83, 8, false],
      ['A lab test', 10, 97, 7, false],
      ['2 of 2', right, 97, 7, false],
    ])
    expect(pages[0]?.texts.at(-1)?.text).toBe('1 of 2')
    const bars = pages[0]?.boxes ?? []
    expect(bars[0]).toMatchObject({ x: 10, y: 35, height: 26 })
    expect((bars.at(-1)?.x ?? 0) + (bars.at(-1)?.width ?? 0)).toBe(10 + (3 + 3) * 11 + 2)
    for (const { x, y } of pages[0]?.texts ?? []) {
      expect(x).toBeGreaterThanOrEqual(10)
      expect(x).toBeLessThan(206)
      expect(y).toBeLessThan(108)
    }
  })

  it('have one line of a long name and of a long test', async () => {
    const names = {
      ...patient,
      first_name: 'Bartholomea Wilhelmina',
      last_name: 'Featherstonehaugh-Cholmondeley',
    }
    const name = 'A very long name of a laboratory test that needs more than a line of a label'
    const [page] = await drawn(
      labelsDocument(order({ patient_details: names, lab_test: { ...test, name } }), { ...input, count: 1 }),
    )
    expect(page?.texts[0]?.text).toMatch(/^FEATHERSTONEHAUGH/)
    expect(page?.texts.filter(({ size }) => size === 11)).toHaveLength(1)
    expect(name.startsWith(page?.texts.find(({ size }) => size === 7)?.text ?? '-')).toBe(true)
  })

  it('have neither bars nor a name where there is no sample and no patient', async () => {
    const [page] = await drawn(labelsDocument(bare(), input))
    expect(page?.boxes).toEqual([])
    expect(page?.texts.map(field('text'))).toEqual([
      '',
      'DOB    ',
      'Acct 1234567890',
      'Collected 01/05/2026 10:00 UTC',
      'A lab test',
      '1 of 2',
    ])
  })
})

describe('a report', () => {
  const line = (more: object = {}) =>
    ({
      name: 'Sodium',
      slug: 'sodium',
      result: '140',
      unit: 'mmol/L',
      reference_range: '135-145',
      notes: null,
      interpretation: 'normal',
      source_interpretation: '',
      source_markers: [{ name: 'Metabolic panel' }],
      ...more,
    }) as unknown as ResultLine
  const stamp = { timestamp: '2026-01-07T18:15:00+00:00', timezone_offset: -7 * 3600 }
  const report = (results: readonly ResultLine[], metadata: object = {}, more: object = {}) =>
    ({
      metadata: {
        patient: 'Ada Example',
        dob: '02/01/1990',
        age: '36',
        specimen_number: 'S-1',
        status: 'final',
        date_collected: stamp.timestamp,
        date_received: null,
        date_reported: '2026-01-08T18:00:00+00:00',
        provider: 'Robin Berg',
        account_id: 'ACC-7',
        interpretation: 'abnormal',
        laboratory: 'Quest',
        ...metadata,
      },
      results,
      missing_results: null,
      sample_information: {
        'S-1': {
          sample_id: 'S-1',
          control_number: '123',
          date_collected: stamp,
          date_received: null,
          date_reported: { ...stamp, timezone_offset: 0 },
          performing_laboratories: {
            '01': { name: 'Quest', medical_director: 'Dr. Who', phone_number: '+1800' },
          },
          clinical_information: { fasting: true, notes: 'Notes.', information: 'Sample hemolyzed.' },
        },
      },
      ...more,
    }) as unknown as Report
  const reportOf = (results: readonly ResultLine[], metadata?: object, more?: object) =>
    drawn(reportDocument(worldWith(), [order()], report(results, metadata, more)))

  it('has a head with the patient, the times where the sample was drawn, and the order', async () => {
    const pages = await reportOf([line()])
    expect(factsOf(pages)).toMatchObject({
      Patient: 'Ada Example',
      'Date of birth': '01/02/1990',
      Age: '36',
      Sex: 'Female',
      Collected: '01/07/2026 11:15 UTC-07:00',
      Received: '',
      Reported: '01/08/2026 18:00 UTC+00:00',
      'Ordering physician': 'Robin Berg',
      NPI: '1234567893',
      Account: 'ACC-7',
      Interpretation: 'Abnormal',
      Test: 'A lab test',
      Order: 'order-1',
      'Control number': '123',
      Laboratory: 'Quest',
      'Medical director': 'Dr. Who',
      Fasting: 'Yes',
      Telephone: '+1800',
      'Clinical notes': 'Notes.',
    })
    expect(linesOf(pages)).toEqual(
      expect.arrayContaining(['LABORATORY REPORT', 'FINAL', 'Sample hemolyzed.']),
    )
  })

  it('has columns, under a head of their own, and rows as high as their names', async () => {
    const pages = await reportOf([
      line(),
      line({ name: 'Potassium', result: '5.9', interpretation: 'abnormal', source_interpretation: 'H' }),
    ])
    const at = (text: string) => cellsOf(pages, text).map(({ x, y }) => [x, y])[0] ?? []
    const [, top = 0] = at('Reference interval')
    const columns = { name: 46, result: 260, flag: 348, unit: 418, range: 488 }
    for (const [text, x] of [
      ['Result', columns.result],
      ['Flag', columns.flag],
      ['Units', columns.unit],
      ['Reference interval', columns.range],
    ] as const)
      expect(cellsOf(pages, text)).toContainEqual({ text, x, y: top, size: 8, isBold: true, colour: '1 1 1' })
    expect(pages[0]?.boxes).toContainEqual(
      expect.objectContaining({ x: 42, y: expect.closeTo(top - 11, 1), width: 528, height: 16 }),
    )
    expect(at('Metabolic panel')).toEqual([columns.name, top + 18])
    expect(pages[0]?.boxes).toContainEqual(
      expect.objectContaining({ y: expect.closeTo(top + 8, 1), width: 528, height: 14 }),
    )
    expect(at('Sodium')).toEqual([columns.name, top + 33])
    expect(at('140')).toEqual([columns.result, top + 33])
    expect(at('mmol/L')).toEqual([columns.unit, top + 33])
    expect(at('135-145')).toEqual([columns.range, top + 33])
    expect(at('Potassium')).toEqual([columns.name, top + 48])
    expect(cellsOf(pages, '5.9')).toMatchObject([
      { x: columns.result, y: top + 48, isBold: true, colour: RED },
    ])
    expect(cellsOf(pages, 'H Abnormal')).toMatchObject([
      { x: columns.flag, y: top + 48, size: 8, isBold: true, colour: RED },
    ])
    expect(cellsOf(pages, '140')[0]).toMatchObject({ isBold: false })
    expect(pages[0]?.boxes).toContainEqual(
      expect.objectContaining({ x: 42, y: expect.closeTo(top + 36.65, 1), width: 528 }),
    )
  })

  it('breaks long names, and puts a long result below its name', async () => {
    const name = 'A result of a name that is too long for one line of its column'
    const result = 'Not calculated: the measured values contradict each other'
    const pages = await reportOf([line({ name, result, interpretation: 'unknown' }), line({ name: 'Next' })])
    const names = rowsFrom(pages, 46).filter(({ text }) => name.includes(text) && text !== 'Next')
    expect(names.length).toBeGreaterThan(1)
    expect(names.map(field('text')).join(' ')).toBe(name)
    const [first] = names
    const below = cellsOf(pages, result)[0]
    expect(below).toMatchObject({ x: 58, y: (first?.y ?? 0) + names.length * 11, isBold: false })
    expect(cellsOf(pages, 'Next')[0]?.y).toBe((first?.y ?? 0) + (names.length + 1) * 11 + 4)
    expect(cellsOf(pages, 'Unknown')).toMatchObject([{ y: first?.y }])
  })

  it('names panels only if there is one of several results', async () => {
    const single = await reportOf([line(), line({ name: 'TSH', source_markers: [{ name: 'Thyroid' }] })])
    expect(linesOf(single)).not.toContain('Thyroid')
    const panels = await reportOf([
      line(),
      line({ name: 'TSH', source_markers: null }),
      line({ name: 'Potassium' }),
    ])
    const lines = linesOf(panels).filter((text) =>
      ['Metabolic panel', 'Sodium', 'Potassium', 'Other', 'TSH'].includes(text),
    )
    expect(lines).toEqual(['Metabolic panel', 'Sodium', 'Potassium', 'Other', 'TSH'])
  })

  it('has the comments of the laboratory, once each, with the results that they are about', async () => {
    const texts = async (results: readonly ResultLine[]) => {
      const lines = linesOf(await reportOf(results))
      const from = lines.indexOf('Comments')
      return from < 0 ? [] : lines.slice(from + 1, lines.indexOf('Specimens and performing laboratory'))
    }
    expect(await texts([line(), line({ notes: '140' })])).toEqual([])
    expect(await texts([line({ notes: 'Repeat.' }), line({ name: 'TSH', notes: 'Repeat.' })])).toEqual([
      'Repeat.',
    ])
    expect(
      await texts([
        line({ notes: 'Repeat.' }),
        line({ name: 'TSH' }),
        line({ name: 'T4', notes: 'Repeat.' }),
      ]),
    ).toEqual(['Sodium, T4: Repeat.'])
  })

  it('lists what is missing, and why', async () => {
    const missing = [
      { name: 'Iron', note: 'Quantity not sufficient', inferred_failure_type: 'internal_lab_failure' },
      { name: 'TIBC', note: null, inferred_failure_type: 'collection_process_failure' },
    ]
    const pages = await reportOf([line()], {}, { missing_results: missing })
    const [iron, tibc] = ['Iron', 'TIBC'].map((name) => cellsOf(pages, name)[0])
    expect([iron?.x, (tibc?.y ?? 0) - (iron?.y ?? 0)]).toEqual([46, 14])
    expect(cellsOf(pages, 'Quantity not sufficient')).toMatchObject([{ x: 260, y: iron?.y }])
    expect(cellsOf(pages, 'Internal lab failure')).toMatchObject([{ y: iron?.y, size: 8, colour: GREY }])
    expect(linesOf(pages)).toContain('Not reported')
    expect(linesOf(await reportOf([line()]))).not.toContain('Not reported')
  })

  it('says when it is partial, and when it combines orders', async () => {
    const partial = linesOf(await reportOf([line()], { status: 'partial' }))
    expect(partial).toEqual(
      expect.arrayContaining(['PARTIAL', 'Partial report: further results will follow.']),
    )
    expect(linesOf(await reportOf([line()]))).not.toContain('Partial report: further results will follow.')
    const two = [order(), order({ id: 'order-2', sample_id: 'S-2' })] as const
    const pages = await drawn(
      reportDocument(worldWith(), two, report([line()], {}, { order_transaction: { id: 'transaction-1' } })),
    )
    expect(linesOf(pages)).toEqual(
      expect.arrayContaining(['COMBINED LABORATORY REPORT', 'Order transaction transaction-1']),
    )
    expect(factsOf(pages).Orders?.replace('\n', ' ')).toBe('order-1 order-2')
  })

  it('does without what is not known', async () => {
    const metadata = {
      laboratory: null,
      specimen_number: '',
      interpretation: null,
      provider: null,
      date_collected: null,
    }
    const pages = await drawn(
      reportDocument(
        worldWith(),
        [bare()],
        report([line({ unit: null, reference_range: null })], metadata, { sample_information: null }),
      ),
    )
    const facts = factsOf(pages)
    for (const label of ['Sex', 'Specimen', 'Collected', 'Ordering physician', 'NPI', 'Interpretation'])
      expect([label, facts[label]]).toEqual([label, ''])
    expect(facts.Reported).toBe('01/08/2026 18:00 UTC')
    expect(linesOf(pages)[0]).toBe('Laboratory')
    expect(linesOf(pages)).toContain('Specimens and performing laboratory')
  })
})

describe('collection instructions', () => {
  const kit = { ...test, method: 'testkit', sample_type: 'dried_blood_spot' } as unknown as Parameters<
    typeof instructionsDocument
  >[1]['test']
  const at = Date.parse('2026-01-05T09:00:00Z')
  const instructions = (more: object = {}) =>
    drawn(instructionsDocument(worldWith(), { test: kit, lab: 'quest', at, ...more }))

  it.each([
    ['testkit', 'dried_blood_spot', 'Finger-prick sample on a card'],
    ['testkit', 'arm_collector', 'Sample with the upper-arm device'],
    ['testkit', 'serum', 'Sample with the upper-arm device'],
    ['testkit', 'saliva', 'Saliva sample'],
    ['testkit', 'urine', 'Urine sample'],
    ['testkit', 'stool', 'Stool sample'],
    ['walk_in_test', 'serum', 'Visit to a patient service center'],
    ['at_home_phlebotomy', 'urine', 'Blood draw at home'],
    ['on_site_collection', 'serum', 'Collection on site'],
  ])('of %s with %s are about it', async (method, sample_type, title) => {
    const how = { ...kit, method, sample_type } as typeof kit
    const pages = await instructions({ test: how })
    expect(cellsOf(pages, title)).toMatchObject([{ x: 42, size: 15, isBold: true }])
    expect(linesOf(pages)).toContain(method.replaceAll('_', ' ').toUpperCase())
  })

  it('have lists in four parts, of which the steps are numbered', async () => {
    const pages = await instructions()
    const lines = linesOf(pages)
    const heads = ['You need', 'Before', 'Step by step', 'Afterwards']
    expect(lines.filter((text) => heads.includes(text))).toEqual(heads)
    const between = (from: string, to: string) => lines.slice(lines.indexOf(from) + 1, lines.indexOf(to))
    const bullet = String.fromCharCode(0x95)
    expect(between('You need', 'Before').map((text) => text.slice(0, 3))).toEqual(
      Array(4).fill(`${bullet}  `),
    )
    expect(between('Step by step', 'Afterwards').flatMap((text) => /^\d\. {2}/.exec(text) ?? [])).toEqual([
      '1.  ',
      '2.  ',
      '3.  ',
      '4.  ',
    ])
    for (const cell of cellsOf(pages, `${bullet}  Collection card`))
      expect(cell).toMatchObject({ x: 46, size: 10.5 })
    expect(factsOf(pages)).toMatchObject({
      Test: 'A lab test',
      Specimen: 'Dried blood spot',
      Fasting: 'Not required',
    })
    expect(factsOf(pages)).not.toHaveProperty('Patient')
    expect(lines).toContain('Lab test test-1')
  })

  it('have the patient of an order, and the fast that it needs', async () => {
    const fasting = { ...kit, fasting: true }
    const pages = await instructions({ test: fasting, lab: undefined, order: order() })
    expect(factsOf(pages)).toMatchObject({
      Fasting: 'Required',
      Patient: 'Ada Example',
      'Date of birth': '01/02/1990',
      'Specimen number': 'S-1',
    })
    const lines = linesOf(pages)
    expect(lines[lines.indexOf('Before') + 1]).toMatch(
      /Do not eat for ten to twelve hours before; water is fine\.$/,
    )
    expect(lines).toEqual(
      expect.arrayContaining(['Laboratory', 'Order order-1', 'S-1', 'COLLECTION INSTRUCTIONS']),
    )
  })
})
