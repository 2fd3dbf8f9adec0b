import { describe, expect, it } from 'vitest'
import { orderReady } from '../support/appointments.ts'
import {
  address,
  createUser,
  importedOrder,
  moveOrder,
  orderBy,
  orderForPatient,
  orderKit,
  patient,
  readOrder,
  register,
  sendOrder,
  setFeatures,
  standardTest,
} from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'
import { toldOf } from '../support/wearables.ts'

// Bodies of orders as the live sandbox sends them: keys and their order, nulls and formats.

const petri = forEachTest()

const words = (text: string) => text.trim().split(/\s+/)

// The properties of the published document, in its order.
const ORDER = words(`
  user_id id team_id patient_details patient_address lab_test details sample_id notes clinical_notes created_at
  updated_at events status last_event physician health_insurance_id requisition_form_url priority shipping_details
  activate_by passthrough billing_type icd_codes has_abn interpretation has_missing_results expected_result_by_date
  worst_case_result_by_date origin order_transaction`)
const PATIENT = words(`
  first_name last_name dob gender phone_number email medical_proxy race ethnicity sexual_orientation gender_identity`)
const ADDRESS = words(`
  receiver_name first_line second_line city state zip country access_notes phone_number`)
const LAB_TEST = words(`
  id slug name sample_type method price is_active status fasting lab markers is_delegated auto_generated
  has_collection_instructions common_tat_days worst_case_tat_days`)
const LAB = words(`
  id slug name first_line_address city zipcode collection_methods sample_types logo_url`)
const MARKER = words(`
  id name slug description lab_id provider_id type unit price aoe a_la_carte_enabled common_tat_days
  worst_case_tat_days is_orderable`)
const EVENT = words('id created_at status status_detail')
const LINE = words(`
  id low_level_status low_level_status_created_at origin parent_id created_at updated_at`)
const SHIPPING = words('receiver_name first_line second_line city state zip country phone_number')
const SHIPMENT = words(`
  id outbound_tracking_number outbound_tracking_url inbound_tracking_number inbound_tracking_url outbound_courier
  inbound_courier notes created_at updated_at`)

/** The same keys with one more, which the specification has for kits. */
const withKey = (keys: readonly string[], after: string, key: string) =>
  keys.flatMap((each) => (each === after ? [each, key] : [each]))
const KIT_ORDER = withKey(ORDER, 'health_insurance_id', 'health_insurace_id')
const KIT_LAB_TEST = withKey(LAB_TEST, 'name', 'description')

const data: Readonly<Record<string, readonly string[]>> = {
  walk_in_test: words('id created_at updated_at appointment_id'),
  at_home_phlebotomy: words('id appointment_id created_at updated_at'),
  on_site_collection: words('id created_at updated_at'),
  testkit: words('id shipment created_at updated_at'),
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
type Order = any

/** Compares the keys of an order at every level, in their order. */
function expectKeys(order: Order): void {
  const isKit = order.details.type === 'testkit'
  const found = {
    order: Object.keys(order),
    patient: Object.keys(order.patient_details ?? {}),
    address: Object.keys(order.patient_address ?? {}),
    shipping: Object.keys(order.shipping_details ?? {}),
    lab_test: Object.keys(order.lab_test),
    lab: Object.keys(order.lab_test.lab),
    details: Object.keys(order.details),
    data: Object.keys(order.details.data),
    shipment: Object.keys(order.details.data.shipment ?? {}),
    physician: Object.keys(order.physician ?? {}),
    last_event: Object.keys(order.last_event),
    transaction: Object.keys(order.order_transaction),
  }
  expect(found).toEqual({
    order: isKit ? KIT_ORDER : ORDER,
    patient: order.patient_details ? PATIENT : [],
    address: order.patient_address ? ADDRESS : [],
    shipping: order.shipping_details ? SHIPPING : [],
    lab_test: isKit ? KIT_LAB_TEST : LAB_TEST,
    lab: LAB,
    details: ['type', 'data'],
    data: data[order.details.type],
    shipment: order.details.data.shipment ? SHIPMENT : [],
    physician: order.physician ? ['first_name', 'last_name', 'npi'] : [],
    last_event: EVENT,
    transaction: ['id', 'status', 'orders'],
  })
  for (const marker of order.lab_test.markers ?? []) expect(Object.keys(marker)).toEqual(MARKER)
  for (const event of order.events) expect(Object.keys(event)).toEqual(EVENT)
  for (const line of order.order_transaction.orders) expect(Object.keys(line)).toEqual(LINE)
}

describe('an order as answered', () => {
  // Its values are in orders.replies.
  it('of a walk-in test has the recorded keys, and the name of the patient in an address without one', async () => {
    const lab_test_id = await standardTest(petri, 'walk_in_test')
    const { receiver_name: _, ...home } = address
    const { body } = await sendOrder(petri, { lab_test_id, patient_address: home })
    expect(Object.keys(body)).toEqual(['order', 'status', 'message'])
    expectKeys(body.order)
    expect(body.order).toMatchObject({
      patient_address: { receiver_name: 'Ada Example' },
      order_transaction: { orders: [{ low_level_status_created_at: '2026-01-05T09:00:00.001000Z' }] },
    })
  })

  it.each(['walk_in_test', 'at_home_phlebotomy', 'on_site_collection'] as const)(
    'of %s has the published keys from the beginning to the results, in replies, lists and events',
    async (method) => {
      const order = await orderBy(petri, method)
      expectKeys(order)
      for (const status of ['requisition_created', 'completed'])
        expectKeys((await moveOrder(petri, order.id, status, { force: true })).body)
      expectKeys(await readOrder(petri, order.id))
      expectKeys((await petri.read('/v3/orders')).orders[0])
      expectKeys(toldOf(petri, 'labtest.order.created').at(-1)?.data)
      expectKeys(toldOf(petri, 'labtest.order.updated').at(-1)?.data)
    },
  )

  it('with an appointment keeps the order of its keys', async () => {
    for (const method of ['at_home_phlebotomy', 'walk_in_test'] as const)
      expectKeys(await readOrder(petri, (await orderReady(petri, method)).id))
  })

  it('that is imported has the same keys', async () => {
    const { body } = await petri.post('/v3/order/import', await importedOrder(petri))
    expectKeys(body.order)
  })

  it('of a patient with everything has nothing more', async () => {
    const order = await orderBy(petri, 'walk_in_test', {
      patient_details: { ...patient, race: 'other', household_income: 1000, household_size: 2 },
    })
    expectKeys(order)
  })
})

describe('the order of a kit', () => {
  it('for a patient has no shipment and no sample id yet, and both with the requisition', async () => {
    const order = await orderForPatient(petri, { scenario: 'manual' })
    expectKeys(order)
    expect(order).toMatchObject({
      sample_id: null,
      details: { type: 'testkit', data: { shipment: null } },
      events: [{ status: 'received.testkit.ordered' }],
      health_insurace_id: null,
      patient_address: { country: 'United States' },
    })
    await moveOrder(petri, order.id, 'requisition_created')
    const later = await readOrder(petri, order.id)
    expectKeys(later)
    expect(later.sample_id).toMatch(/^[A-Z0-9]{12}$/)
    expect(later.details.data.shipment).toMatchObject({ outbound_courier: null, inbound_courier: null })
  })

  it('to be registered has its sample id at once, and a shipment once it is registered', async () => {
    const order = await orderKit(petri, { scenario: 'manual' })
    expectKeys(order)
    expect(order).toMatchObject({
      sample_id: expect.stringMatching(/^[A-Z0-9]{12}$/),
      details: { data: { shipment: null } },
    })
    const { body } = await register(petri, order.sample_id)
    expectKeys(body.order)
    expect(body.order.details.data.shipment).not.toBeNull()
  })

  it('sends the country as it came where the live form is chosen', async () => {
    await setFeatures(petri, { contract_form: 'live' })
    const order = await orderForPatient(petri, { scenario: 'manual' })
    expect([order.patient_address.country, order.shipping_details.country]).toEqual(['US', 'US'])
  })
})

describe('an address', () => {
  it('has the phone number that was given, otherwise the patient’s', async () => {
    const phoneOf = async (more: object) =>
      (await orderBy(petri, 'walk_in_test', { patient_address: { ...address, ...more } })).patient_address
        .phone_number
    expect(await phoneOf({})).toBe(patient.phone_number)
    expect(await phoneOf({ phone_number: '+14155550199' })).toBe('+14155550199')
  })

  it('has the country as it was sent, but for kits', async () => {
    for (const country of ['US', 'United States', 'us']) {
      const order = await orderBy(petri, 'walk_in_test', { patient_address: { ...address, country } })
      expect(order.patient_address.country).toBe(country)
    }
  })
})

describe('the demographics', () => {
  it('are those of the latest order, with an empty second line where none was given', async () => {
    const user_id = await createUser(petri)
    const latest = () => petri.read(`/v2/user/${user_id}/info/latest`)
    await orderBy(petri, 'walk_in_test', { user_id })
    expect(await latest()).toMatchObject({ dob: '1990-01-01', address: { second_line: '' } })
    await orderBy(petri, 'walk_in_test', { user_id, patient_address: { ...address, second_line: 'Apt 2' } })
    expect(await latest()).toMatchObject({ address: { second_line: 'Apt 2' } })
  })

  it('are not changed by an order that is refused', async () => {
    const user_id = await createUser(petri)
    await sendOrder(petri, { user_id })
    expect(await petri.get(`/v2/user/${user_id}/info/latest`)).toAnswer(404)
  })
})
