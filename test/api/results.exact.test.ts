import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { dataFolder } from '../support/keeping-folder.ts'
import { makeFolder } from '../support/new-folder.ts'
import { advance, followScenario, giveResults, readOrder, statusesOf } from '../support/orders.ts'
import { startTestPetri, startTestWorld, type TestPetri } from '../support/petri.ts'
import {
  completedOrder,
  FERRITIN,
  LIPIDS,
  METABOLIC,
  orderMarkers,
  POTASSIUM,
  report,
  reportOf,
} from '../support/quest-reports.ts'
import { simulate } from '../support/simulation.ts'

/** Order codes of quest. */
const IGF_1 = '16293'
const HEPATITIS_B = '498'

let petri: TestPetri
beforeEach(async () => {
  petri = await startTestWorld()
})
afterEach(() => petri.close())

const completed = (codes: readonly string[], results: object) => completedOrder(petri, codes, { results })
const put = (id: string, body: object) => giveResults(petri, id, body)
const eventsOf = async (id: string) => statusesOf(await readOrder(petri, id))

async function pdfAt(path: string) {
  const headers = { 'x-service-api-key': petri.key }
  const response = await petri.petri.app.request(path, { headers })
  expect(response).toAnswer(200)
  return Buffer.from(await response.arrayBuffer())
}
const pdfOf = (id: string) => pdfAt(`/v3/order/${id}/result/pdf`)

async function makePdf() {
  const document = await PDFDocument.create()
  document.addPage()
  return Buffer.from(await document.save())
}

describe('exact results', () => {
  it.each(['ferritin', '2276-4', '25009000'])(
    'are reported for %s, with the flags that follow',
    async (name) => {
      const id = await completed([FERRITIN], { values: { [name]: 7 } })
      const { lines, body } = await reportOf(petri, id)
      expect(lines).toMatchObject([
        {
          value: 7,
          result: '7',
          type: 'numeric',
          is_below_min_range: true,
          is_above_max_range: false,
          interpretation: 'abnormal',
          source_interpretation: 'L',
        },
      ])
      expect(body.metadata.interpretation).toBe('abnormal')
      expect(await readOrder(petri, id)).toMatchObject({
        interpretation: 'abnormal',
        has_missing_results: false,
      })
    },
  )

  it('are bounds and ranges too, which are judged if that is certain', async () => {
    const values = {
      ferritin: '<7',
      potassium: '>=5.3',
      sodium: '>160',
      calcium: '8.9-9.4',
      chloride: '107-120',
    }
    const id = await completed([FERRITIN, POTASSIUM, METABOLIC], { values, interpretation: 'normal' })
    const { line, body } = await reportOf(petri, id)
    const found = Object.keys(values).map((slug) => [line(slug)?.result, line(slug)?.interpretation])
    expect(found).toEqual([
      ['<7', 'abnormal'],
      ['>=5.3', 'unknown'],
      ['>160', 'critical'],
      ['8.9-9.4', 'normal'],
      ['107-120', 'unknown'],
    ])
    expect(body.metadata.interpretation).toBe('critical')
    await put(id, { values: { sodium: 170 } })
    await put(id, { values: { sodium: '>160' } })
    expect((await reportOf(petri, id)).body.metadata.interpretation).toBe('critical')
  })

  it('leave the others within their ranges, if they are and the report is to be normal', {
    tags: 'slow',
  }, async () => {
    for (let nth = 0; nth < 12; nth++) {
      const id = await completed([METABOLIC], { values: { glucose: 85 }, interpretation: 'normal' })
      const { lines } = await reportOf(petri, id)
      expect(lines.filter(({ interpretation }) => interpretation !== 'normal')).toEqual([])
    }
  })

  it('have the comment of the laboratory in their notes, and all others have it where none is given', async () => {
    const notesOf = async (results: object) =>
      (await reportOf(petri, await completed([FERRITIN, POTASSIUM], results))).lines.map(
        ({ slug, notes }) => [slug, notes],
      )
    expect(await notesOf({ values: { ferritin: 7 }, comment: 'Repeat in four weeks.' })).toEqual([
      ['ferritin', 'Repeat in four weeks.'],
      ['potassium', null],
    ])
    expect((await notesOf({ comment: 'Hemolyzed.' })).map(([, notes]) => notes)).toEqual(
      Array(2).fill('Hemolyzed.'),
    )
  })

  it('are not judged if the interpretation is to be unknown', async () => {
    const id = await completed([FERRITIN], { values: { ferritin: 7 }, interpretation: 'unknown' })
    await put(id, { values: { ferritin: 8 } })
    const { line, body } = await reportOf(petri, id)
    expect(line('ferritin')).toMatchObject({ value: 8, interpretation: 'unknown' })
    expect(body.metadata.interpretation).toBe('unknown')
  })
})

describe('PUT …/results', () => {
  it('keeps them until the laboratory reports', async () => {
    const id = await orderMarkers(petri, [FERRITIN, LIPIDS])
    await followScenario(petri, id, 'walk-in-happy-path')
    expect(await put(id, { values: { ferritin: 7 }, comment: 'Low.' })).toAnswer(200, {
      order_id: id,
      applied: false,
    })
    expect(await eventsOf(id)).toEqual(['received.walk_in_test.ordered'])
    await simulate(petri, id)
    const { line, body } = await reportOf(petri, id)
    expect(line('ferritin')).toMatchObject({ value: 7, notes: 'Low.', interpretation: 'abnormal' })
    expect(body.metadata.interpretation).toBe('abnormal')
  })

  it('replaces what was kept before, and a step of its own overrides it', async () => {
    const id = await orderMarkers(petri, [FERRITIN, LIPIDS])
    await put(id, { values: { ferritin: 7, triglycerides: 99 } })
    await put(id, { values: { ferritin: 8, 'hdl-cholesterol': 61 } })
    await report(petri, id, 'completed', { values: { ferritin: 9 } })
    const { values } = await reportOf(petri, id)
    expect([values.ferritin, values['hdl-cholesterol']]).toEqual([9, 61])
    expect(values.triglycerides).not.toBe(99)
  })

  it('reports a result that was missing', async () => {
    const id = await completed([FERRITIN, LIPIDS], { interpretation: 'normal', missing: ['ferritin'] })
    expect(await readOrder(petri, id)).toMatchObject({ has_missing_results: true })
    await put(id, { values: { ferritin: 50 } })
    const { body, values } = await reportOf(petri, id)
    expect([body.missing_results, values.ferritin]).toEqual([null, 50])
    expect(await readOrder(petri, id)).toMatchObject({ has_missing_results: false, interpretation: 'normal' })
  })

  it('reports what a marker does not require, which nobody misses otherwise', async () => {
    const id = await completed([IGF_1], {})
    const before = await reportOf(petri, id)
    expect([before.body.missing_results, Object.keys(before.values)]).toEqual([null, ['igf-1']])
    expect(await readOrder(petri, id)).toMatchObject({ has_missing_results: false })
    const missing = ['igf-1-z-score-male']
    await report(petri, id, 'corrected', { missing, values: { 'igf-1-z-score-female': -1.4 } })
    const after = await reportOf(petri, id)
    expect(after.body.missing_results).toMatchObject([{ slug: 'igf-1-z-score-male' }])
    expect(after.line('igf-1-z-score-female')).toMatchObject({
      value: -1.4,
      result: '-1.4',
      unit: '{Z-score}',
      loinc: '73561-3',
      interpretation: 'normal',
    })
  })
})

describe('exact results that cannot be', () => {
  it.each([
    [{ values: { ferritin: -1 } }, '"ferritin" cannot be negative; it is -1.'],
    [
      { values: { hbsag: '>160' } },
      '"hbsag" is reported in words, such as "Negative" or "Positive"; it is ">160".',
    ],
    [{}, 'Give values, a comment or a pdf.'],
  ])('are refused before anything is stored: %j', { tags: 'slow' }, async (body, detail) => {
    for (const status of ['requisition_created', 'completed']) {
      const id = await orderMarkers(petri, [FERRITIN, HEPATITIS_B])
      await report(petri, id, status)
      const before = await petri.get('/_petri/state')
      expect(await put(id, body)).toRefuse(400, detail)
      expect((await petri.read('/_petri/state')).tables).toEqual(before.body.tables)
    }
  })

  it.each([
    [{ values: { ferritin: null } }],
    [{ values: { ferritin: [7] } }],
    [{ values: 7 }],
    [{ valus: {} }],
  ])('have the wrong form: %j', async (body) => {
    expect(await put(await orderMarkers(petri, [FERRITIN]), body)).toAnswer(422)
  })

  it.each([
    [
      'completed',
      { values: { ferritin: 7 }, missing: ['2276-4'] },
      '"ferritin" has a value and is missing; give one of the two.',
    ],
    ['cancelled', { values: { ferritin: 7 } }, 'An order that becomes cancelled gets no results with it.'],
  ])('are refused by a move to %s with %j, which then does not happen', async (status, results, detail) => {
    const id = await orderMarkers(petri, [FERRITIN])
    const body = { status, results, force: true }
    expect(await petri.post(`/_petri/orders/${id}/move`, body)).toRefuse(400, detail)
    expect(await eventsOf(id)).toEqual(['received.walk_in_test.ordered'])
  })
})

describe('a PDF of your own', { tags: 'slow' }, () => {
  it('is served for the results, and survives an export and import', async () => {
    const own = await makePdf()
    const id = await orderMarkers(petri, [FERRITIN])
    await put(id, { pdf: own.toString('base64') })
    await report(petri, id, 'completed')
    expect(await pdfOf(id)).toEqual(own)
    const { order_transaction } = await readOrder(petri, id)
    expect(await pdfAt(`/v3/order_transaction/${order_transaction.id}/result/pdf`)).toEqual(own)
    const state = await petri.get('/_petri/state')
    await petri.post('/_petri/reset')
    expect(await petri.put('/_petri/state', state.body)).toAnswer(200)
    expect(await pdfOf(id)).toEqual(own)
  })

  it('survives a restart with the values', async () => {
    const folder = dataFolder()
    const own = await makePdf()
    petri = await folder.start()
    const id = await orderMarkers(petri, [FERRITIN])
    await put(id, { values: { ferritin: 7 }, pdf: own.toString('base64') })
    await petri.close()
    petri = await folder.start()
    await report(petri, id, 'completed')
    await petri.close()
    petri = await folder.start()
    expect((await reportOf(petri, id)).values.ferritin).toBe(7)
    expect(await pdfOf(id)).toEqual(own)
  })
})

it('a scenario reports them with the PDF beside its file, and its correction changes only what it names', {
  tags: 'slow',
}, async () => {
  const folder = makeFolder('petri-exact-')
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const own = await makePdf()
  writeFileSync(join(folder, 'report.pdf'), own)
  writeFileSync(
    join(folder, 'exact.yaml'),
    `name: exact
summary: Exact results.
method: walk_in_test
steps:
  - { after: 1h, status: requisition_created }
  - { after: 1d, status: completed, results: { values: { ferritin: 7, "2093-3": 245 }, comment: Low., pdf: report.pdf } }
  - { after: 1d, status: corrected, results: { values: { ferritin: 70, glucose: 90 } } }
`,
  )
  petri = await startTestPetri({ scenarios: [folder] })
  const id = await orderMarkers(petri, [FERRITIN, LIPIDS])
  await followScenario(petri, id, 'exact')
  await advance(petri, '26h')
  const before = await reportOf(petri, id)
  expect(before.values).toMatchObject({ ferritin: 7, 'cholesterol-total': 245 })
  expect(before.line('ferritin')?.notes).toBe('Low.')
  expect(await pdfOf(id)).toEqual(own)
  await advance(petri, '1d')
  const after = await reportOf(petri, id)
  expect(after.values).toEqual({ ...before.values, ferritin: 70 })
  expect(await pdfOf(id)).not.toEqual(own)
})
