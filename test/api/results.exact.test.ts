import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ckdEpi2021 } from '../../src/resources/results/derived.ts'
import { dataFolder } from '../support/keeping-folder.ts'
import { address, advance, createUser, patient, readOrder } from '../support/orders.ts'
import { pagesOf } from '../support/pdf-text.ts'
import { KEY, startTestPetri, type TestPetri } from '../support/petri.ts'

/** Order codes of a laboratory. */
const LIPIDS = '7600'
const FERRITIN = '457'
const IGF_1 = '16293'
const HEPATITIS_B = '498'
const POTASSIUM = '733'
const METABOLIC = '10231'
const BLOOD_COUNT = '6399'

let petri: TestPetri
beforeEach(async () => {
  petri = await startTestPetri()
})
afterEach(() => petri.close())

interface Line {
  readonly slug: string
  readonly value: number
  readonly result: string
  readonly type: string
  readonly notes: string | null
  readonly interpretation: string
  readonly source_interpretation: string
  readonly [field: string]: unknown
}

async function order(codes: readonly string[], { scenario = 'manual', details = {}, from = petri } = {}) {
  const catalogue = from.world().services.catalogue
  const marker_ids = codes.map((code) => catalogue.findMarker('quest', code)?.id)
  const answer = await from.post(
    '/v3/order',
    {
      user_id: await createUser(from, `user-${(await from.get('/v2/user')).body.total}`),
      order_set: { add_on: { marker_ids } },
      collection_method: 'walk_in_test',
      patient_details: { ...patient, ...details },
      patient_address: address,
    },
    { 'x-petri-scenario': scenario },
  )
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body.order.id as string
}

const put = (id: string, body: object) => petri.call('PUT', `/_petri/orders/${id}/results`, body)
const move = (id: string, status: string, results?: object) =>
  petri.post(`/_petri/orders/${id}/move`, { status, results, force: true })
const complete = async (id: string, results?: object) => {
  const answer = await move(id, 'completed', results)
  expect(answer).toMatchObject({ status: 200 })
}

async function reportOf(id: string) {
  const { body } = await petri.get(`/v3/order/${id}/result`)
  const lines: Line[] = body.results
  const line = (slug: string) => lines.find((each) => each.slug === slug) as Line
  return {
    metadata: body.metadata,
    missing: body.missing_results,
    lines,
    line,
    of: (slug: string) => line(slug).value,
  }
}

const eventsOf = async (id: string) =>
  (await readOrder(petri, id)).events.map((event: { status: string }) => event.status)

const pdfOf = async (id: string) => {
  const response = await petri.petri.app.request(`/v3/order/${id}/result/pdf`, {
    headers: { 'x-service-api-key': KEY },
  })
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

const makePdf = async (title: string) => {
  const document = await PDFDocument.create()
  document.addPage()
  document.setTitle(title)
  return Buffer.from(await document.save())
}

describe('exact results', () => {
  it.each(['ferritin', '2276-4', '25009000'])(
    'are reported for %s, with the flags that follow',
    async (name) => {
      const id = await order([FERRITIN])
      await complete(id, { values: { [name]: 7 } })
      const { lines, metadata } = await reportOf(id)
      expect(lines).toMatchObject([
        { value: 7, result: '7', type: 'numeric', is_below_min_range: true, is_above_max_range: false },
      ])
      expect(lines[0]).toMatchObject({ interpretation: 'abnormal', source_interpretation: 'L' })
      expect(metadata.interpretation).toBe('abnormal')
      expect(await petri.get(`/v3/order/${id}/result/metadata`)).toMatchObject({ body: metadata })
      expect(await readOrder(petri, id)).toMatchObject({
        interpretation: 'abnormal',
        has_missing_results: false,
      })
    },
  )

  it('are normal within the range, and critical beyond its limits, whatever interpretation was asked for', async () => {
    for (const [value, word, flag] of [
      [4.2, 'normal', ''],
      [2.1, 'critical', 'LL'],
      [7.3, 'critical', 'HH'],
    ] as const) {
      const id = await order([POTASSIUM])
      await complete(id, { values: { potassium: value }, interpretation: 'abnormal' })
      const { line, metadata } = await reportOf(id)
      expect(line('potassium')).toMatchObject({ interpretation: word, source_interpretation: flag })
      expect(metadata.interpretation).toBe(word)
    }
  })

  it('are not critical where no laboratory phones', async () => {
    const id = await order([FERRITIN])
    await complete(id, { values: { ferritin: 20_000 } })
    expect((await reportOf(id)).line('ferritin')).toMatchObject({ interpretation: 'abnormal' })
  })

  it('leave the interpretation that was asked for to other results', async () => {
    const id = await order([FERRITIN, LIPIDS])
    await complete(id, { values: { ferritin: 60 }, interpretation: 'abnormal' })
    const { line, lines, metadata } = await reportOf(id)
    expect(line('ferritin')).toMatchObject({ value: 60, interpretation: 'normal' })
    expect(lines.map(({ interpretation }) => interpretation)).toContain('abnormal')
    expect(metadata.interpretation).toBe('abnormal')
  })

  it('are bounds and ranges too, which are judged if that is certain', async () => {
    const id = await order([FERRITIN, POTASSIUM, METABOLIC])
    const values = {
      ferritin: '<7',
      potassium: '>=5.3',
      sodium: '>160',
      calcium: '8.9-9.4',
      chloride: '107-120',
    }
    await complete(id, { values, interpretation: 'normal' })
    const { line, metadata } = await reportOf(id)
    const found = Object.keys(values).map((slug) => {
      const { result, type, interpretation, is_above_max_range, is_below_min_range } = line(slug)
      return [result, type, interpretation, is_above_max_range, is_below_min_range]
    })
    expect(found).toEqual([
      ['<7', 'range', 'abnormal', false, true],
      ['>=5.3', 'range', 'unknown', null, null],
      ['>160', 'range', 'critical', true, false],
      ['8.9-9.4', 'range', 'normal', null, null],
      ['107-120', 'range', 'unknown', null, null],
    ])
    expect(metadata.interpretation).toBe('critical')
    await put(id, { values: { sodium: 170 } })
    await put(id, { values: { sodium: '>160' } })
    expect((await reportOf(id)).metadata.interpretation).toBe('critical')
  })

  it('leave the others within their ranges, if they are and the report is to be normal', {
    tags: 'slow',
  }, async () => {
    for (let nth = 0; nth < 12; nth++) {
      const id = await order([METABOLIC])
      await complete(id, { values: { glucose: 85 }, interpretation: 'normal' })
      const { lines } = await reportOf(id)
      expect(lines.filter(({ interpretation }) => interpretation !== 'normal')).toEqual([])
    }
  })

  it('announce a critical value', async () => {
    await petri.post('/_petri/webhooks/endpoints', { url: 'http://127.0.0.1:9/hooks' })
    const id = await order([POTASSIUM])
    await complete(id, { values: { potassium: 7.1 } })
    const { data } = (await petri.get(`/_petri/webhooks/messages?order_id=${id}`)).body
    const types = data.map(({ event_type }: { event_type: string }) => event_type)
    expect(types).toContain('labtest.result.critical')
  })

  it('keep the digits that were given', async () => {
    const id = await order([METABOLIC, FERRITIN])
    await complete(id, { values: { ferritin: 7.25, creatinine: 1 } })
    const { line } = await reportOf(id)
    expect(line('ferritin')).toMatchObject({ value: 7.25, result: '7.25' })
    expect(line('creatinine')).toMatchObject({ value: 1, result: '1.00' })
  })

  it('can be words', async () => {
    const code = [...petri.world().services.catalogue.markers().values()].find(
      ({ lab, slug, is_orderable }) => lab.slug === 'quest' && slug === 'rpr' && is_orderable,
    )?.provider_id as string
    for (const [text, interpretation, flag] of [
      ['Reactive', 'abnormal', 'A'],
      ['non reactive', 'normal', ''],
    ] as const) {
      const id = await order([code])
      await complete(id, { values: { rpr: text } })
      const { line, metadata } = await reportOf(id)
      expect(line('rpr')).toMatchObject({ result: text, interpretation, source_interpretation: flag })
      expect(metadata.interpretation).toBe(interpretation)
    }
  })

  it('are the same in the PDF', async () => {
    const id = await order([FERRITIN])
    await complete(id, { values: { ferritin: 7.125 }, comment: 'Repeat in four weeks.' })
    const texts = pagesOf(await pdfOf(id)).flat()
    expect(texts).toEqual(expect.arrayContaining(['7.125', 'L Abnormal', 'Repeat in four weeks.']))
  })
})

describe('what is computed from exact results', () => {
  it('agrees with measured lipids', async () => {
    const id = await order([LIPIDS])
    await complete(id, { values: { '2093-3': 245, 'hdl-cholesterol': 40, triglycerides: 150 } })
    const { of } = await reportOf(id)
    expect(of('cholesterol-total')).toBe(245)
    expect(of('non-hdl-cholesterol')).toBe(205)
    expect(of('cholesterol-hdl-ratio')).toBeCloseTo(245 / 40, 1)
    expect(of('ldl-cholesterol-calc')).toBeGreaterThan(170)
    expect(of('ldl-cholesterol-calc')).toBeLessThan(185)
  })

  it('is reached by the measured ones if it is given itself', async () => {
    const id = await order([LIPIDS, METABOLIC])
    await complete(id, { values: { 'ldl-cholesterol-calc': 190, egfr: 45 } })
    const { of } = await reportOf(id)
    expect(of('ldl-cholesterol-calc')).toBe(190)
    const rest = of('cholesterol-total') - of('hdl-cholesterol') - 190
    expect(Math.abs(rest - of('triglycerides') / 5)).toBeLessThan(12)
    expect(of('non-hdl-cholesterol')).toBe(of('cholesterol-total') - of('hdl-cholesterol'))
    expect(of('egfr')).toBe(45)
    expect(ckdEpi2021(of('creatinine'), { sex: 'female', age: 36 })).toBeCloseTo(45, -0.5)
  })

  it('is reached by what is left if some measured ones are given, too', async () => {
    const id = await order([LIPIDS])
    await complete(id, { values: { 'ldl-cholesterol-calc': 160, 'cholesterol-total': 245 } })
    const { of } = await reportOf(id)
    expect([of('ldl-cholesterol-calc'), of('cholesterol-total')]).toEqual([160, 245])
    expect(of('non-hdl-cholesterol')).toBe(245 - of('hdl-cholesterol'))
    const rest = 245 - 160 - of('hdl-cholesterol')
    expect(rest).toBeGreaterThan(0)
    expect(rest).toBeLessThan(60)
  })

  it('agrees in blood counts and sums', async () => {
    const id = await order([BLOOD_COUNT, METABOLIC])
    await complete(id, { values: { lymphocytes: 50, wbc: 8, 'protein-total': 8, albumin: 4.5 } })
    const { of } = await reportOf(id)
    const cells = ['neutrophils', 'lymphocytes', 'monocytes', 'eosinophils', 'basophils']
    expect(cells.reduce((sum, cell) => sum + of(cell), 0)).toBeCloseTo(100, 5)
    expect(of('globulin')).toBeCloseTo(3.5, 5)
  })

  it('is not calculated where the values contradict each other, or triglycerides are too high', async () => {
    const id = await order([LIPIDS])
    await complete(id, { values: { 'cholesterol-total': 100, 'hdl-cholesterol': 120 } })
    const { line } = await reportOf(id)
    expect(line('non-hdl-cholesterol')).toMatchObject({ type: 'comment', value: -1 })
    expect(line('non-hdl-cholesterol').result).toMatch(/^Not calculated/)
    const high = await order([LIPIDS])
    await complete(high, { values: { triglycerides: 3000 } })
    const report = await reportOf(high)
    expect(report.line('ldl-cholesterol-calc').result).toMatch(/^Not calculated/)
    expect(report.of('cholesterol-total')).toBeGreaterThan(0)
  })
})

describe('the comment of the laboratory', () => {
  it('is in the notes of the given results, or of all', async () => {
    const one = await order([FERRITIN, LIPIDS])
    await complete(one, { values: { ferritin: 7 }, comment: 'Repeat in four weeks.' })
    const { lines } = await reportOf(one)
    expect(lines.filter(({ notes }) => notes === 'Repeat in four weeks.').map(({ slug }) => slug)).toEqual([
      'ferritin',
    ])
    const all = await order([FERRITIN, LIPIDS])
    await complete(all, { comment: 'Sample slightly hemolyzed.' })
    const report = await reportOf(all)
    expect(new Set(report.lines.map(({ notes }) => notes))).toEqual(new Set(['Sample slightly hemolyzed.']))
  })
})

describe('PUT …/results', () => {
  it('keeps them until the laboratory reports', async () => {
    const id = await order([FERRITIN, LIPIDS], { scenario: 'walk-in-happy-path' })
    expect(await put(id, { values: { ferritin: 7 }, comment: 'Low.' })).toMatchObject({
      status: 200,
      body: { order_id: id, applied: false },
    })
    expect(await eventsOf(id)).toEqual(['received.walk_in_test.ordered'])
    await petri.post(`/v3/order/${id}/test`)
    const { line, metadata } = await reportOf(id)
    expect(line('ferritin')).toMatchObject({ value: 7, notes: 'Low.', interpretation: 'abnormal' })
    expect(metadata.interpretation).toBe('abnormal')
  })

  it('replaces what was kept before, and a step of its own overrides it', async () => {
    const id = await order([FERRITIN, LIPIDS])
    await put(id, { values: { ferritin: 7, triglycerides: 99 } })
    await put(id, { values: { ferritin: 8, 'hdl-cholesterol': 61 } })
    await complete(id, { values: { ferritin: 9 } })
    const { of } = await reportOf(id)
    expect([of('ferritin'), of('hdl-cholesterol')]).toEqual([9, 61])
    expect(of('triglycerides')).not.toBe(99)
  })

  it('is reported with a partial report, which never has all results', async () => {
    const id = await order([FERRITIN, LIPIDS])
    await put(id, { values: { ferritin: 7 } })
    await move(id, 'partial_results')
    const partial = await reportOf(id)
    expect(partial.of('ferritin')).toBe(7)
    await complete(id)
    const { lines } = await reportOf(id)
    expect(lines.length).toBeGreaterThan(partial.lines.length)
    for (const line of partial.lines) expect(lines).toContainEqual(line)
  })

  it('corrects a completed order, and changes nothing that does not follow from it', async () => {
    const id = await order([FERRITIN, LIPIDS, BLOOD_COUNT])
    await complete(id, { interpretation: 'abnormal' })
    const before = await reportOf(id)
    expect(
      await put(id, { values: { ferritin: 7, 'hdl-cholesterol': 30 }, comment: 'Corrected.' }),
    ).toMatchObject({
      status: 200,
      body: { status: 'completed.walk_in_test.corrected', applied: true },
    })
    expect((await eventsOf(id)).slice(-2)).toEqual([
      'completed.walk_in_test.completed',
      'completed.walk_in_test.corrected',
    ])
    const after = await reportOf(id)
    const follows = [
      'non-hdl-cholesterol',
      'cholesterol-hdl-ratio',
      'ldl-cholesterol-calc',
      'vldl-cholesterol-calc',
    ]
    for (const { slug, value, notes } of before.lines) {
      if (['ferritin', 'hdl-cholesterol'].includes(slug))
        expect(after.line(slug).notes).toMatch(/^Previously reported as .*\. Corrected\.$/)
      else if (!follows.includes(slug)) expect(after.line(slug), slug).toMatchObject({ value, notes })
    }
    expect([after.of('ferritin'), after.of('hdl-cholesterol')]).toEqual([7, 30])
    expect(after.of('non-hdl-cholesterol')).toBe(after.of('cholesterol-total') - 30)
    await put(id, { values: { ferritin: 70 } })
    const again = await reportOf(id)
    expect([again.of('ferritin'), again.of('hdl-cholesterol')]).toEqual([70, 30])
    expect(again.line('hdl-cholesterol')).toEqual(after.line('hdl-cholesterol'))
  })

  it('can correct a calculated value: the measured ones follow', async () => {
    const id = await order([LIPIDS])
    await complete(id)
    const before = await reportOf(id)
    await put(id, { values: { 'ldl-cholesterol-calc': 190 } })
    const after = await reportOf(id)
    expect(after.of('ldl-cholesterol-calc')).toBe(190)
    expect(after.of('triglycerides')).toBe(before.of('triglycerides'))
    expect(after.of('cholesterol-total')).toBeGreaterThan(before.of('cholesterol-total'))
    expect(after.metadata.interpretation).toBe('abnormal')
  })

  it('reports a result that was missing', async () => {
    const id = await order([FERRITIN, LIPIDS])
    await complete(id, { interpretation: 'normal', missing: ['ferritin'] })
    expect(await readOrder(petri, id)).toMatchObject({ has_missing_results: true })
    await put(id, { values: { ferritin: 50 } })
    const { missing, of } = await reportOf(id)
    expect(missing).toBeNull()
    expect(of('ferritin')).toBe(50)
    expect(await readOrder(petri, id)).toMatchObject({ has_missing_results: false, interpretation: 'normal' })
  })

  it('reports what a marker does not require, which nobody misses otherwise', async () => {
    const id = await order([IGF_1])
    await complete(id)
    const before = await reportOf(id)
    expect([before.missing, before.lines.map(({ slug }) => slug)]).toEqual([null, ['igf-1']])
    expect(await readOrder(petri, id)).toMatchObject({ has_missing_results: false })
    const missing = ['igf-1-z-score-male']
    await move(id, 'corrected', { missing, values: { 'igf-1-z-score-female': -1.4 } })
    const after = await reportOf(id)
    expect(after.missing).toMatchObject([{ slug: 'igf-1-z-score-male' }])
    expect(after.line('igf-1-z-score-female')).toMatchObject({
      ...{ value: -1.4, result: '-1.4', unit: '{Z-score}', loinc: '73561-3', interpretation: 'normal' },
    })
  })

  it('is refused for an order that gets no results', async () => {
    const id = await order([FERRITIN])
    await move(id, 'cancelled')
    expect(await put(id, { values: { ferritin: 7 } })).toMatchObject({
      status: 409,
      body: { detail: 'The order is cancelled.walk_in_test.cancelled; no results will come.' },
    })
  })
})

describe('exact results that cannot be', () => {
  it.each([
    [{ values: { feritin: 7 } }, '"feritin" is not a result of this order. Did you mean "ferritin"?'],
    [{ values: { glucose: 7 } }, /^"glucose" is not a result of this order\. It has ferritin, /],
    [{ values: { ferritin: -1 } }, '"ferritin" cannot be negative; it is -1.'],
    [{ values: { ferritin: 'low' } }, '"ferritin" is measured as a number in ng/mL; it is "low".'],
    [{ values: { ferritin: 1e300 } }, '"ferritin" cannot be more than 1000000000; it is 1e+300.'],
    [{ values: { ferritin: 1e-9 } }, '"ferritin" can have 6 digits after the point at most; it is 1e-9.'],
    [
      { values: { ferritin: 7, '2276-4': 8 } },
      '"ferritin" and "2276-4" are the same result; give one of them.',
    ],
    [
      { values: { hbsag: '>160' } },
      '"hbsag" is reported in words, such as "Negative" or "Positive"; it is ">160".',
    ],
    [{}, 'Give values, a comment or a pdf.'],
  ])('are refused before anything is stored: %j', async (body, detail) => {
    for (const status of [undefined, 'completed']) {
      const id = await order([FERRITIN, HEPATITIS_B])
      if (status) await move(id, status)
      const before = await petri.get('/_petri/state')
      const answer = await put(id, body)
      expect(answer.status).toBe(400)
      expect(answer.body.detail).toMatch(detail)
      expect((await petri.get('/_petri/state')).body.tables).toEqual(before.body.tables)
    }
  })

  it.each([
    [{ values: { ferritin: null } }],
    [{ values: { ferritin: [7] } }],
    [{ values: 7 }],
    [{ valus: {} }],
  ])('have the wrong form: %j', async (body) => {
    expect((await put(await order([FERRITIN]), body)).status).toBe(422)
  })

  it('are refused by a move, too, which then does not happen', async () => {
    const id = await order([FERRITIN])
    for (const [status, results, detail] of [
      ['completed', { values: { ferritin: -1 } }, '"ferritin" cannot be negative; it is -1.'],
      [
        'completed',
        { values: { ferritin: 7 }, missing: ['2276-4'] },
        '"ferritin" has a value and is missing; give one of the two.',
      ],
      ['cancelled', { values: { ferritin: 7 } }, 'An order that becomes cancelled gets no results with it.'],
    ] as const) {
      expect(await move(id, status, results)).toMatchObject({ status: 400, body: { detail } })
    }
    expect(await eventsOf(id)).toEqual(['received.walk_in_test.ordered'])
  })
})

describe('a PDF of your own', () => {
  it('is served for the results, and survives an export and import', { tags: 'slow' }, async () => {
    const own = await makePdf('Mine')
    const id = await order([FERRITIN])
    await put(id, { pdf: own.toString('base64') })
    await complete(id)
    expect(await pdfOf(id)).toEqual(own)
    const { order_transaction } = await readOrder(petri, id)
    const path = `/v3/order_transaction/${order_transaction.id}/result/pdf`
    const merged = await petri.petri.app.request(path, { headers: { 'x-service-api-key': KEY } })
    expect(Buffer.from(await merged.arrayBuffer())).toEqual(own)
    const state = await petri.get('/_petri/state')
    await petri.post('/_petri/reset')
    expect((await petri.call('PUT', '/_petri/state', state.body)).status).toBe(200)
    expect(await pdfOf(id)).toEqual(own)
  })

  it('is generated again after a correction without one', async () => {
    const own = await makePdf('Mine')
    const id = await order([FERRITIN])
    await complete(id, { pdf: own.toString('base64') })
    expect(await pdfOf(id)).toEqual(own)
    await put(id, { values: { ferritin: 7 } })
    expect(await pdfOf(id)).not.toEqual(own)
    await put(id, { pdf: own.toString('base64') })
    expect(await pdfOf(id)).toEqual(own)
    expect((await reportOf(id)).of('ferritin')).toBe(7)
  })

  it.each([
    ['not Base64', 'pdf must be the Base64 of a PDF'],
    [Buffer.from('GIF89a').toString('base64'), 'the file in pdf is not a PDF'],
    [
      `${Buffer.from('%PDF-1.7\n').toString('base64')}${'AAAA'.repeat(700_000)}`,
      'is longer than 2097152 bytes',
    ],
  ])('is refused if it is none, or too long', { tags: 'slow' }, async (pdf, message) => {
    const answer = await put(await order([FERRITIN]), { pdf })
    expect(answer.status).toBe(422)
    expect(answer.body.detail[0].msg).toContain(message)
  })
})

describe('exact results, with what else is asked of an order,', () => {
  it('survive a restart, as does the PDF', { tags: 'slow' }, async () => {
    const folder = dataFolder()
    const own = await makePdf('Mine')
    await petri.close()
    petri = await folder.start()
    const id = await order([FERRITIN])
    await put(id, { values: { ferritin: 7 }, pdf: own.toString('base64') })
    await petri.close()
    petri = await folder.start()
    await complete(id)
    await petri.close()
    petri = await folder.start()
    expect((await reportOf(id)).of('ferritin')).toBe(7)
    expect(await pdfOf(id)).toEqual(own)
  })

  it('are numbers where the live simulation shows others as texts, also after a correction', async () => {
    await petri.call('PATCH', '/_petri/world', { features: { simulation: 'live' } })
    const id = await order([FERRITIN, LIPIDS])
    await put(id, { values: { ferritin: 7, 'hdl-cholesterol': 61 } })
    for (const status of ['requisition_created', 'completed']) await move(id, status, { types: ['comment'] })
    const before = await reportOf(id)
    expect([before.of('ferritin'), before.of('hdl-cholesterol')]).toEqual([7, 61])
    expect(before.line('triglycerides')).toMatchObject({ type: 'comment', value: -1 })
    await put(id, { values: { ferritin: 70 } })
    const after = await reportOf(id)
    expect([after.of('ferritin'), after.of('hdl-cholesterol')]).toEqual([70, 61])
    expect(after.line('triglycerides')).toEqual({
      ...before.line('triglycerides'),
      timestamp: after.line('triglycerides').timestamp,
    })
  })

  it('are not judged if the interpretation is to be unknown', async () => {
    const id = await order([FERRITIN])
    await complete(id, { values: { ferritin: 7 }, interpretation: 'unknown' })
    await put(id, { values: { ferritin: 8 } })
    const { line, metadata } = await reportOf(id)
    expect(line('ferritin')).toMatchObject({ value: 8, interpretation: 'unknown' })
    expect(metadata.interpretation).toBe('unknown')
  })

  it('are never among those that a redraw asks for', { tags: 'slow' }, async () => {
    await petri.call('PATCH', '/_petri/world', { features: { redraws: true } })
    for (let nth = 0; nth < 4; nth++) {
      const id = await order([FERRITIN, LIPIDS])
      await put(id, { values: { ferritin: 7 } })
      await move(id, 'requisition_created')
      const answer = await petri.post(`/_petri/orders/${id}/move`, {
        status: 'redraw_available',
        results: { missing: true, ...(nth % 2 === 0 && { values: { ferritin: 7 } }) },
      })
      expect(answer.status).toBe(200)
      const { missing, of } = await reportOf(id)
      expect(of('ferritin')).toBe(7)
      expect(missing.map(({ slug }: { slug: string }) => slug)).not.toContain('ferritin')
    }
  })

  it('come with the bundled scenario', async () => {
    const id = await order([LIPIDS], { scenario: 'walk-in-exact-results' })
    await advance(petri, '3d')
    const first = await reportOf(id)
    expect([first.of('cholesterol-total'), first.of('hdl-cholesterol'), first.of('triglycerides')]).toEqual([
      245, 38, 210,
    ])
    await advance(petri, '4d')
    const { of, metadata } = await reportOf(id)
    expect([of('cholesterol-total'), of('triglycerides')]).toEqual([245, 120])
    expect(of('ldl-cholesterol-calc')).toBeGreaterThan(first.of('ldl-cholesterol-calc'))
    expect(metadata.interpretation).toBe('abnormal')
  })
})

describe('a scenario with exact results', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'petri-exact-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const source = (...steps: string[]) =>
    [
      'name: exact',
      'summary: Exact results.',
      'method: walk_in_test',
      'steps:',
      '  - { after: 1h, status: requisition_created }',
      ...steps.map((step) => `  - { after: 1d, ${step} }`),
    ].join('\n')

  it('reports them with the PDF beside its file, and its correction changes only what it names', {
    tags: 'slow',
  }, async () => {
    const own = await makePdf('Mine')
    writeFileSync(join(folder, 'report.pdf'), own)
    writeFileSync(
      join(folder, 'exact.yaml'),
      source(
        'status: completed, results: { values: { ferritin: 7, "2093-3": 245 }, comment: Low., pdf: report.pdf }',
        'status: corrected, results: { values: { ferritin: 70, glucose: 90 } }',
      ),
    )
    await petri.close()
    petri = await startTestPetri({ scenarios: [folder] })
    const id = await order([FERRITIN, LIPIDS], { scenario: 'exact' })
    await advance(petri, '26h')
    const before = await reportOf(id)
    expect([before.of('ferritin'), before.of('cholesterol-total')]).toEqual([7, 245])
    expect(before.line('ferritin').notes).toBe('Low.')
    expect(await pdfOf(id)).toEqual(own)
    await advance(petri, '1d')
    const after = await reportOf(id)
    expect([after.of('ferritin'), after.of('cholesterol-total')]).toEqual([70, 245])
    expect(after.of('hdl-cholesterol')).toBe(before.of('hdl-cholesterol'))
    expect(await pdfOf(id)).not.toEqual(own)
  })

  it.each([
    [
      'status: completed, results: { values: { feritin: 7 } }',
      '"feritin" is not a result of any marker. Did you mean "ferritin"?',
    ],
    ['status: completed, results: { values: { ferritin: -7 } }', '"ferritin" cannot be negative; it is -7'],
    [
      'status: completed, results: { values: { ferritin: low } }',
      '"ferritin" is measured as a number in ng/mL; it is "low"',
    ],
    [
      'status: cancelled, results: { values: { ferritin: 7 } }',
      'an order that becomes cancelled gets no results with it',
    ],
    ['status: completed, results: { pdf: absent.pdf }', 'pdf: absent.pdf is not there'],
    ['status: completed, results: { pdf: exact.yaml }', 'pdf: exact.yaml is not a PDF'],
  ])('is refused with file, line and step: %s', async (step, message) => {
    writeFileSync(join(folder, 'exact.yaml'), source('status: partial_results', step))
    const refused = await startTestPetri({ scenarios: [folder] }).then(
      () => '',
      (error: Error) => error.message,
    )
    const place = `${join(folder, 'exact.yaml')}:7: step 3: `
    expect(refused.slice(0, place.length)).toBe(place)
    expect(refused.slice(place.length)).toMatch(message)
  })

  it('cannot be uploaded with a PDF, which would have no folder', async () => {
    const text = source('status: completed, results: { pdf: report.pdf }')
    const answer = await petri.call('PUT', '/_petri/scenarios/exact', { source: text })
    expect(answer.status).toBe(422)
    expect(answer.body.detail[0]).toMatchObject({ ctx: { line: 6, step: 2 } })
    expect(answer.body.detail[0].msg).toContain('an uploaded scenario has no folder')
  })
})
