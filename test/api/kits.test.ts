import { describe, expect, it } from 'vitest'
import { labTests } from '../../src/resources/lab-tests/table.ts'
import {
  advance,
  createUser,
  kitTestId,
  orderForPatient,
  orderKit,
  patient,
  register,
  shipping,
  statusesOf,
} from '../support/orders.ts'
import { startTestWorld } from '../support/petri.ts'

describe('a test kit', () => {
  it('is ordered, shipped, registered, sent back, analysed and completed on the clock', async () => {
    const petri = await startTestWorld()
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
    const arrived = (await petri.get(`/v3/order/${order.id}`)).body
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
    expect(registered).toMatchObject({
      status: 200,
      body: {
        status: 'success',
        order: {
          id: order.id,
          status: 'received',
          patient_details: { ...patient, dob: `${patient.dob}T00:00:00+00:00` },
          patient_address: { country: 'United States', phone_number: patient.phone_number },
          last_event: { status: 'received.testkit.testkit_registered' },
        },
      },
    })
    const { effects } = (await advance(petri, '8d')).body
    expect(
      effects
        .filter(({ kind }: { kind: string }) => kind === 'order')
        .map(({ status }: { status: string }) => status),
    ).toEqual([
      'received.testkit.requisition_created',
      'collecting_sample.testkit.transit_lab',
      'sample_with_lab.testkit.delivered_to_lab',
      'completed.testkit.completed',
    ])
    expect((await petri.get(`/v3/order/${order.id}`)).body).toMatchObject({
      status: 'completed',
      interpretation: 'normal',
      has_missing_results: false,
      order_transaction: { status: 'completed', orders: [{ low_level_status: 'completed' }] },
    })
  })

  it('can be registered before it has shipped, and is still delivered', async () => {
    const petri = await startTestWorld()
    const order = await orderKit(petri)
    await register(petri, order.sample_id)
    await petri.post('/_petri/clock/advance', { until: 'idle' })
    expect(statusesOf((await petri.get(`/v3/order/${order.id}`)).body)).toEqual([
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
      const petri = await startTestWorld()
      const body = { user_id: await createUser(petri), lab_test_id: await kitTestId(petri) }
      const sent = await petri.post('/v3/order/testkit', {
        ...body,
        shipping_details: { ...shipping, country },
      })
      expect(sent.status).toBe(200)
    },
  )

  it.each(['Narnia', '', 'XX', '840'])(
    'is not sent to the country "%s", which does not exist',
    async (country) => {
      const petri = await startTestWorld()
      const body = { user_id: await createUser(petri), lab_test_id: await kitTestId(petri) }
      const refused = await petri.post('/v3/order/testkit', {
        ...body,
        shipping_details: { ...shipping, country },
      })
      expect(refused).toMatchObject({
        status: 422,
        body: {
          detail: [{ type: 'value_error', loc: ['body', 'shipping_details', 'country'], input: country }],
        },
      })
    },
  )

  it('is registered once, and may change hands', async () => {
    const petri = await startTestWorld()
    const order = await orderKit(petri)
    const other = await createUser(petri, 'other')
    const body = {
      user_id: other,
      sample_id: order.sample_id,
      patient_details: patient,
      patient_address: shipping,
    }
    expect(await petri.post('/v3/order/testkit/register', body)).toMatchObject({
      status: 200,
      body: { order: { user_id: other } },
    })
    expect(await petri.post('/v3/order/testkit/register', body)).toMatchObject({
      status: 400,
      body: { detail: 'This test kit is already registered' },
    })
  })

  it('is refused with one error for each invalid field of the patient', async () => {
    const petri = await startTestWorld()
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
    expect((await petri.get(`/v3/order/${order.id}`)).body.patient_details).toBeNull()
  })

  it('for a named patient ships without registration', async () => {
    const petri = await startTestWorld()
    const order = await orderForPatient(petri)
    expect(order).toMatchObject({
      patient_details: { ...patient, dob: `${patient.dob}T00:00:00+00:00` },
      shipping_details: { receiver_name: 'Ada Example' },
      details: { data: { shipment: null } },
      physician: { npi: expect.stringMatching(/^1\d{9}$/) },
    })
    await petri.post('/_petri/clock/advance', { until: 'idle' })
    expect((await petri.get(`/v3/order/${order.id}`)).body.last_event.status).toBe(
      'completed.testkit.completed',
    )
  })
})

describe('a test kit for a special patient', () => {
  it('is not ordered once its lab test is inactive', async () => {
    const petri = await startTestWorld()
    const user_id = await createUser(petri)
    const { db } = petri.world()
    const row = db.put(labTests, { ...db.get(labTests, await kitTestId(petri)), status: 'inactive' })
    const kit = { user_id, lab_test_id: row.id, shipping_details: shipping }
    expect(await petri.post('/v3/order/testkit', kit)).toMatchObject({
      status: 400,
      body: { detail: 'test is not active' },
    })
  })

  it('is not registered for a minor without the feature and a medical proxy', async () => {
    const petri = await startTestWorld()
    const order = await orderKit(petri)
    const body = {
      sample_id: order.sample_id,
      patient_details: { ...patient, dob: '2015-05-05' },
      patient_address: shipping,
      consents: [{ consentType: 'hipaa-authorization' }],
    }
    expect(await petri.post('/v3/order/testkit/register', body)).toMatchObject({
      status: 400,
      body: { detail: 'Ordering for patients under 18 is not enabled for this team' },
    })
    await petri.call('PATCH', '/_petri/world', { features: { minor_ordering: true } })
    expect(await petri.post('/v3/order/testkit/register', body)).toMatchObject({ status: 400 })
    const { first_line, city, state, zip, country } = shipping
    const medical_proxy = {
      first_name: 'Grace',
      last_name: 'Example',
      phone_number: '+16025550124',
      address: { first_line, city, state, zip, country },
    }
    const asked = { ...body, patient_details: { ...body.patient_details, medical_proxy } }
    expect(await petri.post('/v3/order/testkit/register', asked)).toMatchObject({
      status: 200,
      body: { order: { patient_details: { medical_proxy: { first_name: 'Grace' } } } },
    })
  })
})

describe('cancelling', () => {
  it('works until the kit ships, and twice does nothing more', async () => {
    const petri = await startTestWorld()
    const order = await orderForPatient(petri)
    expect(await petri.post(`/v3/order/${order.id}/cancel`)).toMatchObject({
      status: 200,
      body: {
        message: 'order cancelled',
        order: { status: 'cancelled', order_transaction: { status: 'cancelled' } },
      },
    })
    const again = await petri.post(`/v3/order/${order.id}/cancel`)
    expect(again).toMatchObject({ status: 200, body: { message: 'order already cancelled' } })
    expect(again.body.order.events).toHaveLength(2)
    expect(
      (await petri.post('/_petri/clock/advance', { until: 'idle' })).body.effects.filter(
        ({ kind }: { kind: string }) => kind === 'order',
      ),
    ).toEqual([])
  })

  it('is refused afterwards, as the service words it', async () => {
    const petri = await startTestWorld()
    const order = await orderForPatient(petri)
    await advance(petri, '2d')
    expect(await petri.post(`/v3/order/${order.id}/cancel`)).toEqual(
      expect.objectContaining({
        status: 400,
        body: { detail: expect.stringMatching(/^This order is not in a Cancellable Status\./) },
      }),
    )
    expect(await petri.post('/v3/order/7f0c2d2c-0000-4000-8000-000000000000/cancel')).toMatchObject({
      status: 404,
      body: { detail: "Order doesn't exist" },
    })
  })
})

describe('simulating', () => {
  it('follows the happy path at once, or with a delay between steps', async () => {
    const petri = await startTestWorld()
    const order = await orderForPatient(petri)
    expect(await petri.post(`/v3/order/${order.id}/test`)).toMatchObject({ status: 200, body: 'Success' })
    expect((await petri.get(`/v3/order/${order.id}`)).body.status).toBe('completed')

    const slow = await orderForPatient(petri, { user: order.user_id })
    await petri.post(`/v3/order/${slow.id}/test?delay=10`)
    await advance(petri, '25s')
    expect((await petri.get(`/v3/order/${slow.id}`)).body.last_event.status).toBe(
      'collecting_sample.testkit.transit_customer',
    )
  })

  it('reaches every status that can be reached, and refuses the others', async () => {
    const petri = await startTestWorld()
    const order = await orderForPatient(petri)
    expect(await petri.post(`/v3/order/${order.id}/test?final_status=failed.testkit.lost`)).toMatchObject({
      status: 200,
    })
    expect((await petri.get(`/v3/order/${order.id}`)).body.last_event.status).toBe('failed.testkit.lost')
    expect(
      await petri.post(`/v3/order/${order.id}/test?final_status=completed.testkit.completed`),
    ).toMatchObject({ status: 400 })
    expect(await petri.post(`/v3/order/${order.id}/test?final_status=nonsense`)).toMatchObject({
      status: 422,
    })
  })

  it.each(['collecting_sample.testkit.transit_customer', 'sample_with_lab.testkit.delivered_to_lab'])(
    'changes nothing of an order that is at %s already',
    async (status) => {
      const petri = await startTestWorld()
      const order = await orderForPatient(petri, { scenario: 'manual' })
      const simulate = () => petri.post(`/v3/order/${order.id}/test?final_status=${status}`)
      await simulate()
      const before = (await petri.get(`/v3/order/${order.id}`)).body
      expect(before.last_event.status).toBe(status)
      expect(await simulate()).toMatchObject({ status: 200, body: 'Success' })
      expect((await petri.get(`/v3/order/${order.id}`)).body).toEqual(before)
    },
  )

  it('skips no status of the happy path', async () => {
    const petri = await startTestWorld()
    const order = await orderForPatient(petri, { scenario: 'manual' })
    await petri.post(`/v3/order/${order.id}/test?final_status=sample_with_lab.testkit.delivered_to_lab`)
    await petri.post(`/v3/order/${order.id}/test?final_status=completed.testkit.completed`)
    const { events } = (await petri.get(`/v3/order/${order.id}`)).body
    expect(events.map(({ status }: { status: string }) => status.split('.').at(-1))).toEqual([
      'ordered',
      'requisition_created',
      'transit_customer',
      'out_for_delivery',
      'with_customer',
      'transit_lab',
      'delivered_to_lab',
      'completed',
    ])
  })

  it.each(['completed.testkit.completed', 'received.testkit.testkit_registered'])(
    'does not register a kit for the customer on the way to %s',
    async (status) => {
      const petri = await startTestWorld()
      const order = await orderKit(petri, { scenario: 'manual' })
      expect(await petri.post(`/v3/order/${order.id}/test?final_status=${status}`)).toMatchObject({
        status: 400,
      })
      expect((await petri.get(`/v3/order/${order.id}`)).body.events).toHaveLength(2)
    },
  )

  it('stops where the customer has to register the kit', async () => {
    const petri = await startTestWorld()
    const order = await orderKit(petri)
    await petri.post(`/v3/order/${order.id}/test`)
    expect((await petri.get(`/v3/order/${order.id}`)).body.last_event.status).toBe(
      'collecting_sample.testkit.with_customer',
    )
    await register(petri, order.sample_id)
    await petri.post(`/v3/order/${order.id}/test`, { interpretation: 'critical' })
    expect((await petri.get(`/v3/order/${order.id}`)).body).toMatchObject({
      status: 'completed',
      interpretation: 'critical',
    })
  })
})
