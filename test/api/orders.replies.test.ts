import { describe, expect, it } from 'vitest'
import {
  accountId,
  address,
  createUser,
  importedOrder,
  type LabMethod,
  moveOrder,
  orderBy,
  orderForPatient,
  orderKit,
  patient,
  readOrder,
  setFeatures,
  shipping,
} from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'

// Replies as a whole: each field has its value where nothing was said about it.

const petri = forEachTest()

const NOW = '2026-01-05T09:00:00+00:00'
const id = expect.stringMatching(/^[0-9a-f-]{36}$/)
const physician = {
  first_name: expect.any(String),
  last_name: expect.any(String),
  npi: expect.stringMatching(/^1\d{9}$/),
}
const details = {
  ...patient,
  dob: '1990-01-01T00:00:00+00:00',
  medical_proxy: null,
  race: null,
  ethnicity: null,
  sexual_orientation: null,
  gender_identity: null,
}
const at = { ...address, second_line: null, access_notes: null, phone_number: patient.phone_number }

const eventsOf = (...statuses: string[]) =>
  statuses.map((status) => ({ id: expect.any(Number), created_at: NOW, status, status_detail: null }))

/** The reply for an order with nothing special: `more` differs by method, `statuses` are those of its events. */
function replyOf(order: { id: string; user_id: string }, statuses: string[], more: object) {
  const events = eventsOf(...statuses)
  const [low = ''] = statuses.at(-1)?.split('.').slice(-1) ?? []
  return {
    user_id: order.user_id,
    id: order.id,
    team_id: petri.world().identity.teamId,
    patient_details: details,
    patient_address: at,
    lab_test: expect.any(Object),
    sample_id: null,
    notes: null,
    clinical_notes: null,
    created_at: NOW,
    updated_at: NOW,
    events,
    status: 'received',
    last_event: events.at(-1),
    physician,
    health_insurance_id: null,
    requisition_form_url: null,
    priority: false,
    shipping_details: null,
    activate_by: null,
    passthrough: null,
    billing_type: 'client_bill',
    icd_codes: null,
    has_abn: false,
    interpretation: null,
    has_missing_results: null,
    expected_result_by_date: null,
    worst_case_result_by_date: null,
    origin: 'initial',
    order_transaction: {
      id,
      status: 'active',
      orders: [
        {
          id: order.id,
          low_level_status: low,
          low_level_status_created_at: expect.stringMatching(/^2026-01-05T09:00:00\.00[01]000Z$/),
          origin: 'initial',
          parent_id: null,
          created_at: '2026-01-05T09:00:00.000000Z',
          updated_at: '2026-01-05T09:00:00.000000Z',
        },
      ],
    },
    ...more,
  }
}

const stamps = { created_at: NOW, updated_at: NOW }
const sent = { ...shipping, second_line: null, country: 'United States' }

describe('the reply for an order', () => {
  it.each<[LabMethod, object]>([
    ['walk_in_test', { id, ...stamps, appointment_id: null }],
    ['at_home_phlebotomy', { id, ...stamps, appointment_id: null }],
    ['on_site_collection', { id, ...stamps }],
  ])('of %s has no parcel and no kit', async (type, data) => {
    const order = await orderBy(petri, type)
    expect(order).toEqual(replyOf(order, [`received.${type}.ordered`], { details: { type, data } }))
    expect(await readOrder(petri, order.id)).toEqual(order)
  })

  it('of a kit for a patient is sent to the patient, and has its sample id with the requisition', async () => {
    const order = await orderForPatient(petri, { scenario: 'manual' })
    expect(order).toEqual(
      replyOf(order, ['received.testkit.ordered'], {
        details: { type: 'testkit', data: { id, shipment: null, ...stamps } },
        shipping_details: sent,
        patient_address: { ...at, country: 'United States' },
        health_insurace_id: null,
      }),
    )
  })

  it('of a kit for a patient to come has a sample id, and neither patient nor physician', async () => {
    const order = await orderKit(petri, { scenario: 'manual' })
    expect(order).toEqual(
      replyOf(order, ['received.testkit.ordered', 'received.testkit.awaiting_registration'], {
        details: { type: 'testkit', data: { id, shipment: null, ...stamps } },
        shipping_details: sent,
        patient_details: null,
        patient_address: null,
        physician: null,
        health_insurace_id: null,
        sample_id: expect.stringMatching(/^[A-Z0-9]{12}$/),
      }),
    )
  })

  it('that was imported has its sample id and no requisition', async () => {
    const body = await importedOrder(petri, { patient_address: { ...address, phone_number: '+16025550199' } })
    const { order } = (await petri.post('/v3/order/import', body, { 'x-petri-scenario': 'manual' })).body
    expect(order).toEqual(
      replyOf(order, ['received.walk_in_test.ordered', 'received.walk_in_test.requisition_bypassed'], {
        details: { type: 'walk_in_test', data: { id, ...stamps, appointment_id: null } },
        sample_id: 'A-1',
        patient_address: { ...at, phone_number: '+16025550199' },
      }),
    )
  })
})

describe('the address of a kit', () => {
  const kitFor = async (more: object) =>
    (
      await petri.post('/v3/order', {
        user_id: await createUser(petri),
        lab_test_id: (await orderForPatient(petri, { scenario: 'manual' })).lab_test.id,
        patient_details: patient,
        patient_address: { ...address, ...more },
      })
    ).body.order

  it('has the name and the phone number of the patient unless it says others', async () => {
    const { receiver_name: _, ...nameless } = address
    const own = await petri.post('/v3/order', {
      user_id: await createUser(petri, 'nameless'),
      lab_test_id: (await orderForPatient(petri, { scenario: 'manual' })).lab_test.id,
      patient_details: patient,
      patient_address: nameless,
    })
    for (const field of ['shipping_details', 'patient_address'])
      expect(own.body.order[field]).toMatchObject({
        receiver_name: 'Ada Example',
        phone_number: patient.phone_number,
      })
    const other = { receiver_name: 'Grace Sample', phone_number: '+16025550199', second_line: 'Flat 2' }
    const order = await kitFor(other)
    expect(order.shipping_details).toMatchObject(other)
    expect(order.patient_address).toMatchObject(other)
  })

  it.each([
    ['US', 'United States'],
    ['us', 'United States'],
    ['CA', 'Canada'],
    ['USA', 'USA'],
    ['Bolivia', 'Bolivia'],
  ])('shows the country %s as %s', async (country, shown) => {
    const order = await kitFor({ country })
    expect([order.shipping_details.country, order.patient_address.country]).toEqual([shown, shown])
  })
})

describe('the next order of a patient', () => {
  it('has what the order before it said, and leaves out what was said of that one alone', async () => {
    await setFeatures(petri, { order_lab_account: true })
    const lab_account_id = await accountId(petri, 'Own Quest')
    const named = { first_name: 'Pat', last_name: 'Sample', npi: '1999999992' }
    const said = { physician: named, priority: true, passthrough: 'mine', icd_codes: ['R53.83'] }
    const first = await orderBy(petri, 'walk_in_test', {
      ...said,
      lab_account_id,
      clinical_notes: 'Left arm',
      activate_by: '2026-01-05',
    })
    await moveOrder(petri, first.id, 'redraw_available', { force: true })
    const { order_transaction } = await readOrder(petri, first.id)
    const line = order_transaction.orders.find(({ parent_id }: { parent_id: string | null }) => parent_id)
    const next = await readOrder(petri, line?.id)
    expect(next).toMatchObject({
      ...said,
      origin: 'redraw',
      user_id: first.user_id,
      clinical_notes: first.clinical_notes,
      patient_details: first.patient_details,
      patient_address: first.patient_address,
      lab_account_id,
      shipping_details: null,
      activate_by: null,
      order_transaction: { id: first.order_transaction.id, orders: [{ id: first.id }, { id: next.id }] },
    })
  })
})
