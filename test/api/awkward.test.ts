import { describe, expect, it } from 'vitest'
import { visitOrderAddress } from '../support/appointments.ts'
import {
  address,
  createUser,
  moveOrder,
  orderBy,
  patient,
  readOrder,
  readResult,
  sendOrder,
  setFeatures,
  standardTest,
  untilIdle,
} from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'

// What the service may send and most programs have never seen, had on purpose.

const petri = forEachTest()

interface Line {
  readonly slug: string
  readonly [field: string]: unknown
}

it('an awkward report is had by a ZIP code, and a line that nobody ordered by its marker', async () => {
  const patient_address = { ...visitOrderAddress, zip: '00218' }
  const lab_test_id = await standardTest(petri, 'walk_in_test')
  const { id } = (await sendOrder(petri, { lab_test_id, patient_address })).body.order
  await untilIdle(petri)
  const { results } = await readResult(petri, id)
  const line = (wanted: string) => results.find(({ slug }: Line) => slug === wanted)
  expect(line('sodium')).toMatchObject({
    result: '>160',
    type: 'range',
    value: -1,
    unit: 'mmol/L',
    notes: '>160',
    is_above_max_range: true,
    interpretation: 'critical',
    source_interpretation: 'HH',
  })
  expect(line('glucose')).toMatchObject({
    result: 'TNP',
    type: 'comment',
    value: -1,
    unit: null,
    reference_range: null,
    notes: 'TNP',
  })
  expect(line('triglycerides').result).toBe('>4000')
  expect(line('ldl-cholesterol-calc').result).toBe('Not calculated: no number of triglycerides')

  const { catalogue } = petri.world().services
  const creatinine = [...catalogue.markers().values()].find(
    ({ lab, analyte }) => lab.slug === 'quest' && analyte === 'creatinine',
  )
  const order_set = { add_on: { marker_ids: [creatinine?.id] } }
  const placed = await petri.post('/v3/order', {
    user_id: await createUser(petri),
    order_set,
    collection_method: 'walk_in_test',
    patient_details: patient,
    patient_address: address,
  })
  const alone = placed.body.order.id
  await moveOrder(petri, alone, 'completed', { force: true })
  const lines: Line[] = (await readResult(petri, alone)).results
  expect(lines.map(({ slug, source_markers }) => [slug, source_markers === null])).toEqual([
    ['creatinine', false],
    ['egfr', true],
  ])
})

it('an awkward patient can be sent: blanks in the name, an apartment, ZIP+4, 29 February, a hundred years', async () => {
  const { id } = await orderBy(petri, 'walk_in_test', {
    patient_details: { ...patient, first_name: 'Ana Maria', last_name: 'van der Berg', dob: '1924-02-29' },
    patient_address: { ...visitOrderAddress, second_line: 'Apt 5 B', zip: '85004-1234' },
  })
  await moveOrder(petri, id, 'completed', { force: true })
  expect(await petri.read(`/v3/order/${id}/result/metadata`)).toMatchObject({
    patient: 'Ana Maria van der Berg',
    age: '101',
    dob: '29/02/1924',
  })
})

describe('a sparse world', () => {
  it('sends null in all fields that may be null, but cursors', async () => {
    const { id } = await orderBy(petri, 'walk_in_test')
    await orderBy(petri, 'walk_in_test')
    await moveOrder(petri, id, 'completed', { force: true })
    const [before] = (await readResult(petri, id)).results
    await setFeatures(petri, { sparse: true })
    const [line] = (await readResult(petri, id)).results
    expect(line).toEqual({
      ...before,
      value: null,
      unit: null,
      timestamp: null,
      notes: null,
      reference_range: null,
      loinc: null,
      min_range_value: null,
      max_range_value: null,
      is_above_max_range: null,
      is_below_min_range: null,
      loinc_slug: null,
      provider_id: null,
      source_markers: null,
      performing_laboratory: null,
      source_sample_id: null,
    })
    const body = await petri.read('/v3/lab_test?lab_test_limit=1')
    expect(body.next_cursor).toEqual(expect.any(String))
  })

  it('sends them in events, too, and stores what it had', async () => {
    await petri.post('/_petri/webhooks/endpoints', { url: 'http://127.0.0.1:9/' })
    await setFeatures(petri, { sparse: true })
    const { id } = await orderBy(petri, 'walk_in_test')
    await moveOrder(petri, id, 'requisition_created')
    const { data } = await petri.read(`/_petri/webhooks/messages?order_id=${id}`)
    expect(data.length).toBeGreaterThan(1)
    for (const { payload } of data) expect(payload.data.patient_details).toBeNull()
    expect((await readOrder(petri, id)).requisition_form_url).toBeNull()
    await setFeatures(petri, { sparse: false })
    expect((await readOrder(petri, id)).requisition_form_url).toContain(id)
  })
})
