import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { advance, createUser, orderBy, readResult } from '../support/orders.ts'
import { forAllTests, KEY, NOBODY, startTestPetri } from '../support/petri.ts'
import {
  type Cell,
  jpeg,
  pageOf,
  pdfOf,
  png,
  scannedPdf,
  type TestFile,
  twoBytePdf,
  upload,
} from '../support/reports.ts'

const report: readonly Cell[] = [
  ['Northern Sample Laboratory', 40, 760],
  ['Laboratory: Northern Sample', 40, 740],
  ['Patient: Ada Example', 40, 725],
  ['DOB: 1990-01-01', 300, 725],
  ['Sex: F', 40, 710],
  ['Collected: 03/14/2026', 300, 710],
  ['Specimen: N-100-7', 40, 695],
  ['Lipid Panel', 40, 670],
  ['Cholesterol, Total', 40, 655],
  ['231', 220, 655],
  ['H', 260, 655],
  ['mg/dL', 300, 655],
  ['100 - 199', 380, 655],
  ['HDL Cholesterol', 40, 640],
  ['58', 220, 640.4],
  ['mg/dL', 300, 640],
  ['>39', 380, 640],
  ['Vitamin B12 >2000 pg/mL 232-1245', 40, 625],
  ['HIV Ag/Ab Non-Reactive', 40, 610],
  ['Moonlight Index 3.1 index', 40, 595],
  ['Page 1 of 1', 40, 40],
]

const file = (name: string, bytes: Buffer, type?: string): TestFile => ({
  name,
  bytes,
  ...(type !== undefined && { type }),
})
const pdf = (name = 'report.pdf') => file(name, pdfOf([pageOf(report)]), 'application/pdf')

// One Petri for all tests, because each starts a process of its own to read PDFs.
const petri = forAllTests(startTestPetri)

async function start() {
  await petri.post('/_petri/reset')
  const user_id = await createUser(petri)
  const send = (files: readonly TestFile[], fields: Record<string, string> = {}) =>
    upload(petri, files, { user_id, ...fields })
  const job = (id: string) => petri.read(`/lab_report/v1/parser/job/${id}`)
  const finished = async (one: TestFile) => {
    const { body } = await send([one])
    await advance(petri, '1m')
    return job(body.id)
  }
  return { user_id, send, job, finished }
}

describe('a text layer', () => {
  it.each([true, false])('is really read (compressed: %s)', { tags: 'slow' }, async (deflate) => {
    const { finished } = await start()
    const { data } = await finished(file('r.pdf', pdfOf([pageOf(report)], { deflate })))
    expect(data.metadata).toEqual({
      patient_first_name: 'Ada',
      patient_last_name: 'Example',
      dob: '1990-01-01',
      gender: 'female',
      lab_name: 'Northern Sample',
      date_reported: null,
      date_collected: '03/14/2026',
      specimen_number: 'N-100-7',
    })
    const [total, hdl, b12, hiv, moon, ...more] = data.results
    expect(more).toEqual([])
    expect(total).toMatchObject({
      test_name: 'Cholesterol, Total',
      value: '231',
      type: 'numeric',
      units: 'mg/dL',
      min_reference_range: 100,
      max_reference_range: 199,
      source_panel_name: 'Lipid Panel',
      sample_type: 'serum_plasma_blood',
      interpretation: 'abnormal',
      is_above_max_range: true,
      loinc_match_status: 'auto_match',
      loinc_matches: [{ loinc_code: '2093-3' }, ...total.loinc_matches.slice(1)],
    })
    expect(hdl).toMatchObject({ value: '58', interpretation: 'normal', min_reference_range: 39 })
    expect(b12).toMatchObject({ value: '>2000', type: 'range', is_above_max_range: true })
    expect(hiv).toMatchObject({ value: 'Non-Reactive', type: 'comment', interpretation: 'unknown' })
    expect(moon).toMatchObject({ loinc_match_status: 'no_match', loinc_matches: null })
  })

  it("of Petri's own result is read back as it was written", { tags: 'slow' }, async () => {
    const { finished } = await start()
    const order = await orderBy(petri, 'walk_in_test')
    await petri.post(`/v3/order/${order.id}/test?final_status=completed.walk_in_test.completed`, {})
    const answer = await petri.petri.app.request(`/v3/order/${order.id}/result/pdf`, {
      headers: { 'x-service-api-key': KEY },
    })
    const { data } = await finished(file('result.pdf', Buffer.from(await answer.arrayBuffer())))
    const { results } = await readResult(petri, order.id)
    expect(data.metadata).toMatchObject({ patient_first_name: 'Ada', gender: 'female', lab_name: 'Quest' })
    for (const result of results.filter(({ type }: { type: string }) => type === 'numeric')) {
      const row = data.results.find((each: { test_name: string }) => each.test_name === result.name)
      expect(Number(row?.value), result.name).toBe(result.value)
      expect(row.units).toBe(result.unit)
    }
  })

  it('in a font with codes of two bytes is read', { tags: 'slow' }, async () => {
    const { finished } = await start()
    const { data } = await finished(file('r.pdf', await twoBytePdf(report), 'application/pdf'))
    const plain = await finished(pdf())
    expect(data.results).toHaveLength(5)
    expect(data).toEqual(plain.data)
  })

  it('that is encrypted cannot be read, and its job fails', { tags: 'slow' }, async () => {
    const { finished } = await start()
    const job = await finished(file('locked.pdf', await twoBytePdf(report, 'secret'), 'application/pdf'))
    expect(job).toMatchObject({ status: 'failed', failure_reason: 'invalid_input', data: null })
  })

  it('that is missing fails the job of a scanned PDF, after the review where one was asked for', async () => {
    const { finished, send, job } = await start()
    const scan = file('scan.pdf', await scannedPdf(), 'application/pdf')
    const failed = { status: 'failed', failure_reason: 'low_quality', data: null }
    expect(await finished(scan)).toMatchObject({ ...failed, is_reviewed: false })
    const { body } = await send([scan], { needs_human_review: 'true' })
    await advance(petri, '1m')
    expect(await job(body.id)).toMatchObject({ status: 'pending_review', data: null })
    await advance(petri, '1d')
    expect(await job(body.id)).toMatchObject({ ...failed, is_reviewed: true })
  })

  it('that decompresses to too much is read only up to the limit', { tags: 'slow' }, async () => {
    const { send, finished } = await start()
    const bomb = deflateSync(Buffer.alloc(200 * 1024 * 1024, 0x20))
    const head = `10 0 obj\n<< /Type /ObjStm /Length ${bomb.length} /Filter /FlateDecode >>\nstream\n`
    const tail = Buffer.from('\nendstream\nendobj\n')
    const bytes = Buffer.concat([
      Buffer.from('%PDF-1.7\n'),
      ...Array.from({ length: 20 }, () => [Buffer.from(head), bomb, tail]).flat(),
      Buffer.from('%%EOF'),
    ])
    const job = await finished(file('bomb.pdf', bytes))
    expect(job).toMatchObject({ status: 'failed', failure_reason: 'processing_error' })
    const open = pdfOf([`BT ${'('.repeat(500_000)} ET`, `BT (${'a'.repeat(3_000_000)} Tj ET`], {
      deflate: false,
    })
    expect(await send([file('open.pdf', open)])).toAnswer(200)
  })
})

describe('an image', () => {
  it('gives a made-up report that says so, the same for the same bytes', async () => {
    const { finished } = await start()
    const { data } = await finished(file('scan.png', png, 'image/png'))
    expect(data.metadata.lab_name).toBe('Petri synthetic report')
    expect(data.results.length).toBeGreaterThan(3)
    const again = await (await start()).finished(file('other name.png', png))
    expect(again.data).toEqual(data)
    expect((await finished(file('scan.jpg', jpeg, 'image/jpg'))).data.results.length).toBeGreaterThan(3)
  })
})

describe('an upload', () => {
  it('is refused for its content', async () => {
    const { send } = await start()
    const ofPages = (count: number) => send([file('a.pdf', pdfOf(Array(count).fill('')))])
    expect(await ofPages(31)).toRefuse(400, 'File a.pdf has more than 30 pages')
    expect(await ofPages(30)).toAnswer(200)
  })

  it('is refused for its size, by the limits of the specification or the live ones', {
    tags: 'slow',
  }, async () => {
    const { send } = await start()
    const ofSize = (megabytes: number) =>
      file('a.pdf', pdfOf([' '.repeat(megabytes * 1024 * 1024)], { deflate: false }))
    const big = ofSize(11)
    expect(await send([big])).toRefuse(413, expect.stringContaining('10 MB'))
    petri.world().setSettings({ features: { report_parser_limits: 'live' } })
    expect(await send([big])).toAnswer(200)
    expect(await send([ofSize(31)])).toAnswer(413)
  })

  it('needs a file, and a user of the team', async () => {
    const { send } = await start()
    expect(await send([pdf()], { user_id: NOBODY })).toAnswer(404)
    expect(await send([])).toAnswer(422)
    expect(await send([pdf()], { user_id: 'ada' })).toAnswer(422)
    expect((await upload(petri, [], { user_id: NOBODY, file: 'text' })).body.detail[0]).toMatchObject({
      loc: ['body', 'file'],
    })
  })
})
