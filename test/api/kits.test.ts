import { describe, expect, it } from 'vitest'
import { labTests } from '../../src/resources/lab-tests/table.ts'
import { field } from '../support/field.ts'
import {
  advance,
  createUser,
  kitTestId,
  orderForPatient,
  orderKit,
  patient,
  readOrder,
  register,
  setFeatures,
  shipping,
  statusesOf,
  untilIdle,
} from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'

const petri = forEachTest()

describe('a test kit', () => {
  it('is ordered, shipped, registered, sent back, analysed and completed on the clock', async () => {
    const order = await orderKit(petri)
    expect(order).toMatchObject({
      status: 'received',
      patient_details: null,
      shipping_details: { country: 'United States', phone_number: '+16025550123' },
      details: { type: 'testkit', data: { shipment: null } },
      last_event: { status: 'received.testkit.awaiting_registration', status_detail: null },
      order_transaction: {
        status: 'active',
        orders: [{ id: order.id, low_level_status: 'awaiting_registration' }],
      },
    })
    await advance(petri, '4d')
    const arrived = await readOrder(petri, order.id)
    expect(statusesOf(arrived)).toEqual([
      'received.testkit.ordered',
      'received.testkit.awaiting_registration',
      'collecting_sample.testkit.transit_customer',
      'collecting_sample.testkit.out_for_delivery',
      'collecting_sample.testkit.with_customer',
    ])
    expect(arrived.details.data.shipment.outbound_tracking_url).toMatch(
      /^http:\/\/127\.0\.0\.1:4080\/tracking\//,
    )

    const registered = await register(petri, order.sample_id)
    expect(registered).toAnswer(200, {
      status: 'success',
      order: {
        id: order.id,
        status: 'received',
        patient_details: { ...patient, dob: `${patient.dob}T00:00:00+00:00` },
        patient_address: { country: 'United States', phone_number: patient.phone_number },
        last_event: { status: 'received.testkit.testkit_registered' },
      },
    })
    const { effects } = (await advance(petri, '8d')).body
    expect(effects.filter(({ kind }: { kind: string }) => kind === 'order').map(field('status'))).toEqual([
      'received.testkit.requisition_created',
      'collecting_sample.testkit.transit_lab',
      'sample_with_lab.testkit.delivered_to_lab',
      'completed.testkit.completed',
    ])
    expect(await readOrder(petri, order.id)).toMatchObject({
      status: 'completed',
      interpretation: 'normal',
      has_missing_results: false,
      order_transaction: { status: 'completed', orders: [{ low_level_status: 'completed' }] },
    })
  })

  it('can be registered before it has shipped, and is still delivered', async () => {
    const order = await orderKit(petri)
    await register(petri, order.sample_id)
    await untilIdle(petri)
    expect(statusesOf(await readOrder(petri, order.id))).toEqual([
      'received.testkit.ordered',
      'received.testkit.awaiting_registration',
      'received.testkit.testkit_registered',
      'received.testkit.requisition_created',
      'collecting_sample.testkit.transit_customer',
      'collecting_sample.testkit.out_for_delivery',
      'collecting_sample.testkit.with_customer',
      'collecting_sample.testkit.transit_lab',
      'sample_with_lab.testkit.delivered_to_lab',
      'completed.testkit.completed',
    ])
  })

  it.each(['US', 'us', 'USA', 'U.S.A.', 'United States', 'united kingdom', 'DEU'])(
    'is sent to the country "%s"',
    async (country) => {
      const body = { user_id: await createUser(petri), lab_test_id: await kitTestId(petri) }
      const sent = await petri.post('/v3/order/testkit', {
        ...body,
        shipping_details: { ...shipping, country },
      })
      expect(sent).toAnswer(200)
    },
  )

  it.each(['Narnia', '', 'XX', '840'])(
    'is not sent to the country "%s", which does not exist',
    async (country) => {
      const body = { user_id: await createUser(petri), lab_test_id: await kitTestId(petri) }
      const refused = await petri.post('/v3/order/testkit', {
        ...body,
        shipping_details: { ...shipping, country },
      })
      expect(refused).toRefuse(422, [
        { type: 'value_error', loc: ['body', 'shipping_details', 'country'], input: country },
      ])
    },
  )

  it('is registered once, and may change hands', async () => {
    const order = await orderKit(petri)
    const other = await createUser(petri, 'other')
    const body = {
      user_id: other,
      sample_id: order.sample_id,
      patient_details: patient,
      patient_address: shipping,
    }
    expect(await petri.post('/v3/order/testkit/register', body)).toAnswer(200, { order: { user_id: other } })
    expect(await petri.post('/v3/order/testkit/register', body)).toRefuse(
      400,
      'This test kit is already registered',
    )
  })

  it('is refused with one error for each invalid field of the patient', async () => {
    const order = await orderKit(petri)
    const { status, body } = await petri.post('/v3/order/testkit/register', {
      sample_id: order.sample_id,
      patient_details: {
        ...patient,
        first_name: '-Ada',
        dob: '2026-13-40',
        phone_number: '123',
        email: 'nobody',
        gender: 'x',
      },
      patient_address: { ...shipping, state: 'ZZ', zip: 'abc' },
    })
    expect(status).toBe(422)
    expect(
      body.detail.map(({ type, loc, msg }: { type: string; loc: string[]; msg: string }) => [
        type,
        loc.join('.'),
        msg,
      ]),
    ).toEqual([
      ['value_error', 'body.patient_details.first_name', expect.stringContaining('must start with a letter')],
      ['value_error', 'body.patient_details.dob', 'Value error, month must be in 1..12, not 13'],
      ['enum', 'body.patient_details.gender', "Input should be 'female', 'male', 'other' or 'unknown'"],
      ['value_error', 'body.patient_details.phone_number', 'Value error, Invalid phone number: 123'],
      ['value_error', 'body.patient_details.email', expect.stringContaining('@-sign')],
      ['value_error', 'body.patient_address.state', 'Value error, Invalid state: ZZ'],
      [
        'string_pattern_mismatch',
        'body.patient_address.zip',
        "String should match pattern '^\\d{5}(-\\d{4})?$'",
      ],
    ])
    expect((await readOrder(petri, order.id)).patient_details).toBeNull()
  })

  it('for a named patient ships without registration', async () => {
    const order = await orderForPatient(petri)
    expect(order).toMatchObject({
      patient_details: { ...patient, dob: `${patient.dob}T00:00:00+00:00` },
      shipping_details: { receiver_name: 'Ada Example' },
      details: { data: { shipment: null } },
      physician: { npi: expect.stringMatching(/^1\d{9}$/) },
    })
    await untilIdle(petri)
    expect((await readOrder(petri, order.id)).last_event.status).toBe('completed.testkit.completed')
  })
})

describe('a test kit for a special patient', () => {
  it('is not ordered once its lab test is inactive', async () => {
    const user_id = await createUser(petri)
    const { db } = petri.world()
    const row = db.put(labTests, { ...db.get(labTests, await kitTestId(petri)), status: 'inactive' })
    const kit = { user_id, lab_test_id: row.id, shipping_details: shipping }
    expect(await petri.post('/v3/order/testkit', kit)).toRefuse(400, 'test is not active')
  })

  it('is not registered for a minor without the feature and a medical proxy', async () => {
    const order = await orderKit(petri)
    const body = {
      sample_id: order.sample_id,
      patient_details: { ...patient, dob: '2015-05-05' },
      patient_address: shipping,
      consents: [{ consentType: 'hipaa-authorization' }],
    }
    expect(await petri.post('/v3/order/testkit/register', body)).toRefuse(
      400,
      'Ordering for patients under 18 is not enabled for this team',
    )
    await setFeatures(petri, { minor_ordering: true })
    expect(await petri.post('/v3/order/testkit/register', body)).toAnswer(400)
    const { first_line, city, state, zip, country } = shipping
    const medical_proxy = {
      first_name: 'Grace',
      last_name: 'Example',
      phone_number: '+16025550124',
      address: { first_line, city, state, zip, country },
    }
    const asked = { ...body, patient_details: { ...body.patient_details, medical_proxy } }
    expect(await petri.post('/v3/order/testkit/register', asked)).toAnswer(200, {
      order: { patient_details: { medical_proxy: { first_name: 'Grace' } } },
    })
  })
})
