import { describe, expect, it } from 'vitest'
import { book, homeSlots, orderReady } from '../support/appointments.ts'
import {
  address,
  advance,
  createUser,
  kitTestId,
  orderBy,
  orderForPatient,
  orderKit,
  patient,
  readOrder,
  register,
  setFeatures,
  untilIdle,
} from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'
import { pageOf, pdfOf, upload } from '../support/reports.ts'
import { toldOf } from '../support/wearables.ts'

const petri = forEachTest()

const report = { name: 'r.pdf', bytes: pdfOf([pageOf([['Glucose 90 mg/dL 70-99', 50, 700]])]) }

describe('the live contract form', () => {
  it('spells a registered kit as typed clients know it, and everything else goes on as before', async () => {
    await setFeatures(petri, { contract_form: 'live' })
    const kit = await orderKit(petri, { scenario: 'happy-path' })
    await advance(petri, '10d')
    const { body } = await register(petri, kit.sample_id)
    expect(body.order.last_event.status).toBe('received.testkit.registered')
    await untilIdle(petri)
    const done = await readOrder(petri, kit.id)
    expect(done.last_event.status).toBe('completed.testkit.completed')
    const waited = { order_id: kit.id, status: 'received.testkit.testkit_registered' }
    expect(await petri.post('/_petri/wait', waited)).toAnswer(200)
  })

  it('leaves the country of a kit as it was sent', async () => {
    const countryOf = async () =>
      (await orderForPatient(petri, { scenario: 'manual', user })).patient_address.country
    const user = await createUser(petri)
    expect(await countryOf()).toBe('United States')
    await setFeatures(petri, { contract_form: 'live' })
    expect(await countryOf()).toBe(address.country)
  })

  it('keeps a report under review started until it is reviewed', { tags: 'slow' }, async () => {
    await setFeatures(petri, { contract_form: 'live' })
    const user_id = await createUser(petri)
    const { body } = await upload(petri, [report], { user_id, needs_human_review: 'true' })
    const job = () => petri.read(`/lab_report/v1/parser/job/${body.id}`)
    await advance(petri, '1m')
    expect(await job()).toMatchObject({ status: 'started', data: null, is_reviewed: false })
    await advance(petri, '1d')
    expect(await job()).toMatchObject({ status: 'completed', is_reviewed: true })
    expect((await job()).data.results).toHaveLength(1)
  })
})

it('an order without a receiver is addressed to the patient', async () => {
  const { receiver_name: _, ...home } = address
  const name = `${patient.first_name} ${patient.last_name}`
  const order = await orderBy(petri, 'walk_in_test', { patient_address: home })
  expect(order.patient_address.receiver_name).toBe(name)
  const user_id = await createUser(petri, 'another')
  const lab_test_id = await kitTestId(petri)
  const kit = await petri.post('/v3/order', {
    user_id,
    lab_test_id,
    patient_details: patient,
    patient_address: home,
  })
  expect(kit.body.order.shipping_details.receiver_name).toBe(name)
})

it('events of appointments have the country as it was sent', async () => {
  const order = await orderReady(petri, 'at_home_phlebotomy')
  const [slot] = await homeSlots(petri)
  await book(petri, 'phlebotomy', order.id, { booking_key: slot?.booking_key })
  expect(toldOf(petri, 'labtest.appointment.updated').at(-1)?.data.address.country).toBe('US')
})
