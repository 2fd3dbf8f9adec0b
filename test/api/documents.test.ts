import { describe, expect, it } from 'vitest'
import { orders } from '../../src/resources/orders/table.ts'
import {
  address,
  createUser,
  moveOrder,
  orderForPatient,
  orderKit,
  patient,
  readOrder,
  readResult,
  register,
  setFeatures,
  standardTest,
} from '../support/orders.ts'
import { pagesOf } from '../support/pdf-text.ts'
import { forEachTest, NOBODY, startTestWorld } from '../support/petri.ts'

const petri = forEachTest()

async function pdf(path: string, from = petri): Promise<Buffer> {
  const answer = await from.petri.app.request(path, { headers: { 'x-service-api-key': from.key } })
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(answer.status, bytes.toString('latin1').slice(0, 200)).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  expect(bytes.subarray(-6).toString().trim()).toBe('%%EOF')
  return bytes
}

const textsOf = (file: Buffer) => pagesOf(file).flat()
const simulate = (id: string, body: object, from = petri) => from.post(`/v3/order/${id}/test`, body)

async function walkIn(from = petri) {
  const body = {
    user_id: await createUser(from, `walker-${(await from.read('/v2/user')).total}`),
    lab_test_id: await standardTest(from, 'walk_in_test'),
    patient_details: patient,
    patient_address: address,
    icd_codes: ['E78.5'],
    clinical_notes: 'Fasted since midnight – Łódź, ʻĀina, 日本, Київ.',
    physician: { first_name: 'Robin', last_name: 'Sample', npi: '1234567893' },
  }
  return (await from.post('/v3/order', body, { 'x-petri-scenario': 'manual' })).body.order
}

describe('the report of an order', { tags: 'slow' }, () => {
  it('has the same lines as the JSON', async () => {
    const { id } = await walkIn()
    await simulate(id, { interpretation: 'abnormal', has_missing_results: true })
    const body = await readResult(petri, id)
    const texts = textsOf(await pdf(`/v3/order/${id}/result/pdf`))
    let from = texts.indexOf('Reference interval')
    for (const line of body.results) {
      from = texts.indexOf(line.name, from + 1)
      expect(from, `${line.name} is not there, or not in its place`).toBeGreaterThan(-1)
      const row = texts.slice(from, from + 6)
      for (const cell of [line.result, line.unit, line.reference_range].filter(Boolean))
        expect(row, line.name).toContain(cell)
    }
    for (const { name, note } of body.missing_results)
      expect(texts).toEqual(expect.arrayContaining(['Not reported', name, note]))
    const { patient: name, specimen_number, dob, age, laboratory } = body.metadata
    expect(texts).toEqual(expect.arrayContaining([name, specimen_number, dob, age, laboratory, 'FINAL']))
    expect(texts).toContain(`Order ${id}`)
  })

  it('is marked when it is partial or corrected', async () => {
    const { id } = await walkIn()
    await moveOrder(petri, id, 'partial_results', { force: true })
    expect(textsOf(await pdf(`/v3/order/${id}/result/pdf`))).toContain('PARTIAL')
    await moveOrder(petri, id, 'completed')
    await moveOrder(petri, id, 'corrected')
    expect(textsOf(await pdf(`/v3/order/${id}/result/pdf`))).toContain('CORRECTED')
  })

  it('of a transaction names all of its orders', async () => {
    await setFeatures(petri, { redraws: true })
    const { id, order_transaction } = await walkIn()
    await moveOrder(petri, id, 'requisition_created')
    await moveOrder(petri, id, 'redraw_available')
    const path = `/v3/order_transaction/${order_transaction.id}/result/pdf`
    await pdf(path)
    const all = (await petri.read('/v3/orders')).orders
    const redraw = all.find(({ origin }: { origin: string }) => origin === 'redraw')
    await moveOrder(petri, redraw.id, 'completed', { force: true })
    const texts = textsOf(await pdf(path))
    expect(texts).toContain('COMBINED LABORATORY REPORT')
    expect(texts.join(' ')).toContain(id)
    expect(texts.join(' ')).toContain(redraw.id)
    const body = await petri.read(path.replace('/pdf', ''))
    for (const { name, result } of body.results) expect(texts).toEqual(expect.arrayContaining([name, result]))
  })
})

describe('the requisition', () => {
  it('is that of the order: patient, physician, tests, sample and notes', async () => {
    const { id } = await walkIn()
    await simulate(id, {})
    const body = await readOrder(petri, id)
    const texts = textsOf(await pdf(new URL(body.requisition_form_url).pathname))
    const expected = ['Ada Example', 'Robin Sample', '1234567893', body.sample_id, id, 'E78.5', '01/01/1990']
    expect(texts).toEqual(expect.arrayContaining(expected))
    for (const { name, provider_id } of body.lab_test.markers)
      expect(texts).toEqual(expect.arrayContaining([name, provider_id]))
    expect(texts).toContain('Fasted since midnight \x96 Lódz, \x91Aina, RiBen, Kiiv.')
  })

  it('exists from its status on, and never for an imported order', async () => {
    const { id } = await walkIn()
    expect(await petri.get(`/v3/order/${id}/requisition/pdf`)).toRefuse(
      400,
      "This order does not have a requisition, it's still in state ordered.",
    )
    await moveOrder(petri, id, 'requisition_bypassed')
    expect(await petri.get(`/v3/order/${id}/requisition/pdf`)).toAnswer(404)
    expect(await petri.get(`/v3/order/${NOBODY}/requisition/pdf`)).toRefuse(404, "This order doesn't exist")
  })
})

describe('labels', () => {
  const path = (id: string, more = '') =>
    `/v3/order/${id}/labels/pdf?collection_date=2026-01-05T10%3A00%3A00Z${more}`

  it('are three by default, with name, birth date, sample and account', async () => {
    const { id } = await orderForPatient(petri, { scenario: 'manual' })
    const move = { status: 'requisition_created' }
    const { sample_id } = (await petri.post(`/_petri/orders/${id}/move`, move)).body
    const pages = pagesOf(await pdf(path(id)))
    expect(pages).toHaveLength(3)
    for (const texts of pages) {
      const expected = ['EXAMPLE, ADA', sample_id, 'Acct 1234567890', 'Collected 01/05/2026 10:00 UTC']
      expect(texts).toEqual(expect.arrayContaining(expected))
      expect(texts.join(' ')).toContain('01/01/1990')
    }
    expect(pagesOf(await pdf(path(id, '&number_of_labels=7')))).toHaveLength(7)
  })

  it('need a collection date, a sensible number, and a sample', async () => {
    const { id } = await orderForPatient(petri, { scenario: 'manual' })
    expect(await petri.get(`/v3/order/${id}/labels/pdf`)).toRefuse(422, [
      { type: 'missing', loc: ['query', 'collection_date'], input: null },
    ])
    for (const number of [0, -1, 5000])
      expect(await petri.get(path(id, `&number_of_labels=${number}`))).toAnswer(400)
    const unsampled = await walkIn()
    expect(await petri.get(path(unsampled.id))).toAnswer(400)
    expect(await petri.get(path(NOBODY))).toAnswer(404)
  })
})

describe('the notice that insurance may not pay', () => {
  it('exists only for an order that needs one', async () => {
    const placed = await walkIn()
    expect(await petri.get(`/v3/order/${placed.id}/abn_pdf`)).toAnswer(404)
    petri.world().db.put(orders, { ...placed, has_abn: true })
    const texts = textsOf(await pdf(`/v3/order/${placed.id}/abn_pdf`))
    expect(texts).toEqual(
      expect.arrayContaining(['ADVANCE BENEFICIARY NOTICE', 'Ada Example', 'Lipid Panel']),
    )
  })
})

describe('collection instructions', () => {
  it('describe the kit, for an order with its patient', async () => {
    const { id, lab_test, sample_id } = await orderKit(petri, { scenario: 'manual' })
    await register(petri, sample_id)
    const general = textsOf(await pdf(`/v3/lab_test/${lab_test.id}/collection_instruction_pdf`))
    expect(general).toEqual(expect.arrayContaining([lab_test.name, 'Finger-prick sample on a card']))
    const own = textsOf(await pdf(`/v3/order/${id}/collection_instruction_pdf`))
    expect(own).toEqual(expect.arrayContaining(['Ada Example', sample_id, 'Finger-prick sample on a card']))
  })

  it('exist for an unregistered kit, and only for lab tests that have them', async () => {
    const kit = await orderKit(petri, { scenario: 'manual' })
    await pdf(`/v3/order/${kit.id}/collection_instruction_pdf`)
    const { id, lab_test } = await walkIn()
    expect(await petri.get(`/v3/order/${id}/collection_instruction_pdf`)).toAnswer(404)
    expect(await petri.get(`/v3/lab_test/${lab_test.id}/collection_instruction_pdf`)).toAnswer(404)
    expect(await petri.get(`/v3/lab_test/${NOBODY}/collection_instruction_pdf`)).toRefuse(
      404,
      'Lab test does not exist',
    )
  })
})

it('a document has the same bytes in two worlds of one seed, and at every request', {
  tags: 'slow',
}, async () => {
  const files = await Promise.all(
    [1, 2].map(async () => {
      const world = await startTestWorld({ world: { seed: '5' } })
      const { id } = await walkIn(world)
      await simulate(id, { interpretation: 'abnormal' }, world)
      const paths = [
        `/v3/order/${id}/result/pdf`,
        `/v3/order/${id}/requisition/pdf`,
        `/v3/order/${id}/labels/pdf?collection_date=2026-01-05`,
      ]
      const all = async () => Promise.all(paths.map((path) => pdf(path, world)))
      const now = await all()
      await world.post('/_petri/clock/advance', { by: '3d' })
      expect(await all()).toEqual(now)
      return now
    }),
  )
  expect(files[0]).toEqual(files[1])
})
