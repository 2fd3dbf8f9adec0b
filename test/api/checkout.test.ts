import { describe, expect, it } from 'vitest'
import { labAccounts } from '../../src/resources/lab-accounts/table.ts'
import { labTests } from '../../src/resources/lab-tests/table.ts'
import { type Offer, pscSlots } from '../support/appointments.ts'
import { hosted, makeQuote, openSession } from '../support/checkout.ts'
import { field } from '../support/field.ts'
import {
  address,
  advance,
  createUser,
  patient,
  readFollowed,
  readLabTest,
  readOrder,
  setFeatures,
  standardTest,
} from '../support/orders.ts'
import { forEachTest, NOBODY, ok, payloadsOf } from '../support/petri.ts'

const petri = forEachTest()

const pay = (id: string, body?: object) => petri.post(`/_petri/checkout/sessions/${id}/pay`, body)
const readSession = (id: string) => petri.read(`/checkout/v1/session/${id}`)
const orders = async () => (await petri.read('/v3/orders')).total

/** The example patient with another e-mail address. */
const payer = (name: string) => ({ patient_details: { ...patient, email: `${name}@example.com` } })

describe('a quote', () => {
  it('prices what the catalogue prices, with a draw where there is one', async () => {
    const fees = {
      walk_in_test: ['lab_test_fee', 'draw_fee'],
      at_home_phlebotomy: ['lab_test_fee', 'draw_fee'],
      testkit: ['lab_test_fee'],
      on_site_collection: ['lab_test_fee'],
    }
    for (const [modality, codes] of Object.entries(fees)) {
      const id = await standardTest(petri, modality)
      const { price } = await readLabTest(petri, id)
      const quote = await makeQuote(petri, { modality })
      expect(quote.line_items.map(field('code'))).toEqual(codes)
      expect(quote.line_items[0]).toEqual({
        code: 'lab_test_fee',
        amount_minor: Math.round(price * 100),
        currency: 'USD',
      })
    }
  })

  it('keeps its inputs, and names the network of a walk-in test in the states that it serves', async () => {
    const quote = await makeQuote(petri)
    expect(quote).toMatchObject({
      parent_id: null,
      created_at: '2026-01-05T09:00:00+00:00',
      expires_at: '2026-01-12T09:00:00+00:00',
      modality: 'walk_in_test',
      priority: false,
      us_state: 'AZ',
      order_set: { add_on: null, lab_account_id: null, parameters: null },
    })
    const id = await standardTest(petri, 'walk_in_test')
    const { lab } = await readLabTest(petri, id)
    expect(quote.walk_in_collection_networks).toEqual([lab.slug])
    for (const modality of ['testkit', 'at_home_phlebotomy', 'on_site_collection'])
      expect((await makeQuote(petri, { modality })).walk_in_collection_networks).toEqual([])
    const { db } = petri.world()
    for (const account of db.by(labAccounts, 'lab', lab.slug)) {
      db.put(labAccounts, { ...account, allowed_billing: { client_bill: ['AZ'] } })
    }
    expect((await makeQuote(petri)).walk_in_collection_networks).toEqual([lab.slug])
    expect((await makeQuote(petri, { us_state: 'TX' })).walk_in_collection_networks).toEqual([])
    expect(await petri.read(`/checkout/v1/quote/${quote.id}`)).toEqual(quote)
  })

  it('can be refined: another quote with the same inputs, priced anew', async () => {
    const quote = await makeQuote(petri)
    await advance(petri, '1d')
    const path = `/checkout/v1/quote/${quote.id}/refine`
    const same = (await petri.post(path, {})).body
    const urgent = (await petri.post(path, { priority: true })).body
    expect(same).toMatchObject({ parent_id: quote.id, priority: false, order_set: quote.order_set })
    expect(urgent).toMatchObject({ parent_id: quote.id, priority: true, line_items: quote.line_items })
    expect(same.expires_at).toBe('2026-01-13T09:00:00+00:00')
    expect(await petri.read(`/checkout/v1/quote/${quote.id}`)).toEqual(quote)
    expect(payloadsOf(petri, 'checkout.')).toEqual(
      [quote, same, urgent].map((data) => ({
        event_type: 'checkout.quote.created',
        data,
        team_id: petri.world().identity.teamId,
      })),
    )
  })

  it('is refused for what cannot be ordered, and leaves nothing behind', async () => {
    const lab_test_ids = [await standardTest(petri, 'walk_in_test')]
    const body = { order_set: { lab_test_ids }, modality: 'walk_in_test', priority: false, us_state: 'AZ' }
    const refused: [object, number][] = [
      [{ order_set: {} }, 400],
      [{ order_set: { lab_test_ids: [NOBODY] } }, 400],
      [{ modality: 'by_mail' }, 422],
      [{ us_state: 'Arizona' }, 422],
      [{ priority: null }, 422],
      [{ order_set: { lab_test_ids, parameters: { fasting: 'maybe' } } }, 422],
    ]
    for (const [change, status] of refused) {
      const answer = await petri.post('/checkout/v1/quote', { ...body, ...change })
      expect(answer.status, JSON.stringify(change)).toBe(status)
    }
    expect(await petri.post('/checkout/v1/quote', { ...body, modality: 'testkit' })).toRefuse(
      400,
      'The lab tests are collected by walk_in_test, not by testkit',
    )
    expect(await petri.get(`/checkout/v1/quote/${NOBODY}`)).toRefuse(404, 'Quote not found')
    expect(payloadsOf(petri, 'checkout.')).toEqual([])
  })
})

describe('an estimate', () => {
  const estimate = (body: object) => petri.post('/v3/lab_test/estimate_order_set_pricing', body)

  it('prices each order set as a quote does, with the prices of its markers', async () => {
    const id = await standardTest(petri, 'walk_in_test')
    const { markers } = await readLabTest(petri, id)
    const quote = await makeQuote(petri)
    const [lab, draw] = quote.line_items.map(field('amount_minor'))
    const sets = [{ lab_test_ids: [id] }, { lab_test_ids: [id] }]
    const { body } = await estimate({ order_sets: sets, modality: 'walk_in_test', us_state: 'AZ' })
    expect(body.currency).toBe('USD')
    expect(body.data).toHaveLength(2)
    expect(body.data[0]).toMatchObject({
      aggregate_pricing: { base_amount_minor: lab + draw, modifiers: null },
      components: [
        { id: 'lab_charge', pricing: { base_amount_minor: lab, modifiers: null } },
        { id: 'draw_charge', pricing: { base_amount_minor: draw, modifiers: null } },
      ],
    })
    const breakdown = Object.keys(body.data[0].components[0].marker_breakdown)
    const ids: string[] = markers.map((marker: { id: number }) => String(marker.id))
    expect(breakdown).toEqual(ids.sort())
  })

  it('has the price of each added marker', async () => {
    const query = 'a_la_carte_enabled=true&include_pricing=true&size=100'
    const { markers, pricing } = await petri.read(`/v3/lab_tests/markers?${query}`)
    const priceOf = (id: number) => pricing.data[id].base_amount_minor
    const priced = markers.filter(({ id }: { id: number }) => priceOf(id) !== undefined)
    const ids = priced
      .filter(({ lab_id }: { lab_id: number }) => lab_id === priced[0].lab_id)
      .slice(0, 2)
      .map(field('id'))
    expect(ids).toHaveLength(2)
    const order_sets = [{ add_on: { marker_ids: ids } }]
    const { body } = await estimate({ order_sets, modality: 'on_site_collection', us_state: 'AZ' })
    expect(body.data[0].components).toHaveLength(1)
    expect(body.data[0].components[0].pricing.base_amount_minor).toBe(
      ids.reduce((sum: number, id: number) => sum + priceOf(id), 0),
    )
  })

  it('takes any type of billing, and refuses what cannot be ordered', async () => {
    const order_sets = [{ lab_test_ids: [await standardTest(petri, 'at_home_phlebotomy')] }]
    const body = { order_sets, modality: 'at_home_phlebotomy', us_state: 'AZ' }
    expect(await estimate({ ...body, billing: 'upfront_payment' })).toAnswer(200)
    expect((await estimate({ ...body, order_sets: [] })).body).toEqual({ currency: 'USD', data: [] })
    expect(await estimate({ ...body, billing: 'barter' })).toAnswer(422)
    expect(await estimate({ ...body, order_sets: [{}] })).toAnswer(400)
    expect(await estimate({ ...body, modality: 'testkit' })).toAnswer(400)
  })
})

describe('a checkout session', () => {
  it('shows what it is paid with while it is unpaid, and becomes an order when it is paid', async () => {
    const user_id = await createUser(petri)
    const quote = await makeQuote(petri)
    const refined = (await petri.post(`/checkout/v1/quote/${quote.id}/refine`, { priority: true })).body
    const session = await ok(openSession(petri, { user_id, quote_id: refined.id }))
    const id = session.checkout_session_id
    expect(session).toMatchObject({
      status: 'unpaid',
      pay_before: '2026-01-06T09:00:00+00:00',
      payment_resource_id: expect.stringMatching(/^cs_/),
      payment_resource_url: expect.stringMatching(/^http.*\/checkout\/pay\?token=/),
      payment_resource_client_secret: null,
      order_id: null,
      appointment_hold_status: null,
    })
    expect(await readSession(id)).toEqual(session)
    expect((await petri.post(`/checkout/v1/session/${id}/confirm`)).body).toEqual(session)
    expect(await orders()).toBe(0)
    const paid = (await pay(id)).body
    expect(paid).toMatchObject({ status: 'paid', payment_resource_url: null })
    const order = await readOrder(petri, paid.order_id)
    expect(order).toMatchObject({
      user_id,
      billing_type: 'upfront_payment',
      priority: true,
      lab_test: { id: refined.order_set.lab_test_ids[0] },
      details: { type: 'walk_in_test' },
      order_transaction: { id: paid.order_transaction_id },
    })
    expect((await petri.post(`/checkout/v1/session/${id}/confirm`)).body).toEqual(paid)
    const told = payloadsOf(petri, 'checkout.session')
    expect(told.map(({ event_type, data }) => [event_type, data])).toEqual([
      ['checkout.session.created', { ...session, payment_resource_url: null }],
      ['checkout.session.updated', paid],
    ])
    for (const event of told) expect(Object.keys(event)).toEqual(['event_type', 'data', 'team_id'])
    expect(await pay(id)).toAnswer(409)
    await advance(petri, '2d')
    expect(await readSession(id)).toEqual(paid)
  })

  it('of each modality becomes an order of that method, which follows its scenario', async () => {
    for (const modality of ['testkit', 'walk_in_test', 'at_home_phlebotomy', 'on_site_collection']) {
      const quote = await makeQuote(petri, { modality })
      const slow = { testkit: 'slow-lab', walk_in_test: 'walk-in-slow-lab' }[modality]
      const headers = slow ? { 'x-petri-scenario': slow } : undefined
      const { body } = await openSession(petri, { quote_id: quote.id }, headers)
      const { order_id } = (await pay(body.checkout_session_id)).body
      expect((await readOrder(petri, order_id)).details.type).toBe(modality)
      const { scenario } = await readFollowed(petri, order_id)
      if (slow) expect(scenario).toBe(slow)
    }
  })

  it('of added markers alone becomes an order of the modality of its quote', async () => {
    const query = 'a_la_carte_enabled=true&lab_slug=quest'
    const [marker] = (await petri.read(`/v3/lab_tests/markers?${query}`)).markers
    const quote = await petri.post('/checkout/v1/quote', {
      order_set: { add_on: { marker_ids: [marker.id] } },
      modality: 'walk_in_test',
      priority: false,
      us_state: 'AZ',
    })
    const { body } = await openSession(petri, { quote_id: quote.body.id })
    const { order_id } = (await pay(body.checkout_session_id)).body
    expect((await readOrder(petri, order_id)).details.type).toBe('walk_in_test')
  })

  it('leaves nothing on the agenda once it is paid or cancelled', async () => {
    const { body } = await openSession(petri)
    const id = body.checkout_session_id
    const kinds = async () => (await petri.read(`/_petri/agenda?subject=${id}`)).data.map(field('kind'))
    expect(await kinds()).toEqual(['checkout.expire'])
    await pay(id, { outcome: 'cancelled' })
    expect(await kinds()).toEqual([])
  })

  it('with a payment intent has a client secret, and no page', async () => {
    const payment = { channel: 'stripe', method: 'payment_intent' }
    const { body } = await openSession(petri, { payment })
    expect(body).toMatchObject({
      payment_resource_id: expect.stringMatching(/^pi_/),
      payment_resource_url: null,
      payment_resource_client_secret: expect.stringMatching(/^pi_\w+_secret_\w+$/),
    })
  })

  it('expires at its deadline, a day later or with its quote', async () => {
    const quote = await makeQuote(petri)
    await advance(petri, '6d12h')
    const { body } = await openSession(petri, { quote_id: quote.id })
    expect(body.pay_before).toBe(quote.expires_at)
    await advance(petri, '11h59m')
    expect((await readSession(body.checkout_session_id)).status).toBe('unpaid')
    await advance(petri, '1m')
    const expired = await readSession(body.checkout_session_id)
    expect(expired).toMatchObject({ status: 'expired', payment_resource_url: null, order_id: null })
    expect(payloadsOf(petri, 'checkout.').at(-1)).toMatchObject({
      event_type: 'checkout.session.updated',
      data: expired,
    })
    expect(await pay(body.checkout_session_id)).toRefuse(409, 'The checkout session is already expired.')
    expect(await openSession(petri, { quote_id: quote.id })).toRefuse(400, 'The quote has expired')
  })

  it('stays unpaid when a payment is declined, and ends when it is cancelled', async () => {
    const id = (await openSession(petri)).body.checkout_session_id
    expect((await pay(id, { outcome: 'declined' })).body.status).toBe('unpaid')
    expect((await pay(id, { outcome: 'cancelled' })).body).toMatchObject({ status: 'cancelled' })
    expect(await pay(id)).toAnswer(409)
    expect(await orders()).toBe(0)
    expect(await pay(id, { outcome: 'maybe' })).toAnswer(422)
  })

  it('is paid, declined or cancelled by magic e-mail addresses', async () => {
    const statusOf = async (name: string) => {
      const id = (await openSession(petri, payer(name))).body.checkout_session_id
      await advance(petri, '1m')
      return (await readSession(id)).status
    }
    expect(await statusOf('pays-at-once')).toBe('paid')
    expect(await statusOf('cancels-payment')).toBe('cancelled')
    expect(await statusOf('ada')).toBe('unpaid')
    const id = (await openSession(petri, payer('payment-declined'))).body.checkout_session_id
    expect((await pay(id)).body.status).toBe('unpaid')
    expect((await pay(id, { outcome: 'paid' })).body.status).toBe('paid')
  })

  it('stays unpaid when the patient pays by themselves for an order that can no longer be placed', async () => {
    const { body } = await openSession(petri, payer('pays-at-once'))
    const labTest = await standardTest(petri, 'walk_in_test')
    const { db } = petri.world()
    db.put(labTests, { ...db.get(labTests, labTest), status: 'inactive' })
    const { effects } = (await advance(petri, '1m')).body
    expect(effects).toContainEqual(
      expect.objectContaining({
        kind: 'checkout',
        checkout_session_id: body.checkout_session_id,
        status: 'declined',
      }),
    )
    expect((await readSession(body.checkout_session_id)).status).toBe('unpaid')
    expect(await orders()).toBe(0)
  })

  it('is joined by a call with the same key, also once it is paid', async () => {
    const user_id = await createUser(petri)
    const quote_id = (await makeQuote(petri)).id
    const send = (more: object = {}, key = 'one') =>
      openSession(petri, { user_id, quote_id, ...more }, { 'x-idempotency-key': key })
    const first = (await send()).body
    expect((await send()).body).toEqual(first)
    expect(await send(payer('other'))).toRefuse(
      409,
      'This idempotency key was already used with a different request body.',
    )
    expect((await send({}, 'two')).body.checkout_session_id).not.toBe(first.checkout_session_id)
    await pay(first.checkout_session_id)
    expect((await send()).body).toMatchObject({
      checkout_session_id: first.checkout_session_id,
      status: 'paid',
      payment_resource_url: null,
    })
    await setFeatures(petri, { idempotency_mismatch: 'replay' })
    expect((await send(payer('other'))).body.checkout_session_id).toBe(first.checkout_session_id)
  })

  it('is refused like the order it would become, and leaves nothing behind', async () => {
    const refused: [object, number][] = [
      [{ quote_id: NOBODY }, 404],
      [{ user_id: NOBODY }, 404],
      [{ payment: { ...hosted, channel: 'cash' } }, 422],
      [{ patient_details: { ...patient, dob: '2020-01-01' } }, 400],
      [{ patient_details: { ...patient, gender: 'x' } }, 422],
      [{ patient_address: { ...address, zip: 'x' } }, 422],
      [{ appointment: { booking_key: 'nonsense', appointment_notes: '' } }, 400],
      [{ appointment: { booking_key: 'nonsense' } }, 422],
    ]
    for (const [change, status] of refused) expect(await openSession(petri, { ...change })).toAnswer(status)
    const unknown = await openSession(petri, {}, { 'x-petri-scenario': 'no-such' })
    expect(unknown).toAnswer(400)
    expect(await petri.get(`/checkout/v1/session/${NOBODY}`)).toRefuse(404, 'Checkout session not found')
    expect((await petri.read('/_petri/agenda')).data).toEqual([])
    expect(payloadsOf(petri, 'checkout.session')).toEqual([])
  })
})

describe('the URLs of a payment', () => {
  const intent = { channel: 'stripe', method: 'payment_intent' }
  const url = 'https://app.test/'

  it.each([
    ['success_url', { ...hosted, success_url: null }, 'must be set for checkout_session', null],
    ['success_url', { ...hosted, success_url: 'nowhere' }, 'must be a URL', 'nowhere'],
    ['cancel_url', { ...hosted, cancel_url: 'nowhere' }, 'must be a URL', 'nowhere'],
    ['success_url', { ...intent, success_url: url }, 'must not be set for payment_intent', url],
    ['cancel_url', { ...intent, cancel_url: url }, 'must not be set for payment_intent', url],
  ])('are refused with the name of the field: %s of %o', async (field, payment, rule, input) => {
    expect(await openSession(petri, { payment })).toRefuse(422, [
      {
        type: 'value_error',
        loc: ['body', 'payment', field],
        msg: `Value error, ${field} ${rule}`,
        input,
      },
    ])
  })
})

describe('the appointment of a checkout session', () => {
  const lastSlot = async () => (await pscSlots(petri)).at(-1)
  /** How many sites have time when the slot begins. */
  const freeAt = async (slot: Offer | undefined) =>
    (await pscSlots(petri)).filter(({ start }) => start === slot?.start).length
  const withSlot = async (more: object = {}, key?: string) => {
    const booking_key = key ?? (await lastSlot())?.booking_key
    return openSession(petri, { appointment: { booking_key, appointment_notes: 'By the door' }, ...more })
  }

  it('is held, and becomes that of the order when the session is paid', async () => {
    const slot = await lastSlot()
    const before = await freeAt(slot)
    const { body } = await withSlot({}, slot?.booking_key)
    const id = body.checkout_session_id
    expect(body).toMatchObject({ appointment_hold_status: 'pending', appointment_id: null })
    expect(await freeAt(slot)).toBe(before - 1)
    await advance(petri, '1m')
    expect(await readSession(id)).toMatchObject({ appointment_hold_status: 'held', appointment_id: null })
    const paid = (await pay(id)).body
    expect(paid).toMatchObject({ appointment_hold_status: 'held', appointment_id: expect.any(String) })
    await advance(petri, '2h')
    const appointment = await petri.read(`/v3/order/${paid.order_id}/psc/appointment`)
    expect(appointment).toMatchObject({
      id: paid.appointment_id,
      order_id: paid.order_id,
      event_status: 'scheduled',
      appointment_notes: 'By the door',
    })
    expect(Date.parse(appointment.start_at)).toBe(Date.parse(slot?.start ?? ''))
  })

  it('is attached at once when the session is paid before it is held', async () => {
    const { body } = await withSlot()
    expect((await pay(body.checkout_session_id)).body).toMatchObject({
      status: 'paid',
      appointment_hold_status: 'held',
      appointment_id: expect.any(String),
    })
  })

  it('is given back when the session expires or is cancelled', { tags: 'slow' }, async () => {
    const slot = await lastSlot()
    const before = await freeAt(slot)
    const { body } = await withSlot({}, slot?.booking_key)
    expect(await freeAt(slot)).toBe(before - 1)
    await pay(body.checkout_session_id, { outcome: 'cancelled' })
    expect(await freeAt(slot)).toBe(before)
    const other = await withSlot()
    await advance(petri, '1d')
    expect(await readSession(other.body.checkout_session_id)).toMatchObject({
      status: 'expired',
      appointment_hold_status: 'failed',
    })
  })

  it('is lost for some patients, whose orders have none', async () => {
    const slot = await lastSlot()
    const before = await freeAt(slot)
    const { body } = await withSlot(payer('slot-gone'), slot?.booking_key)
    await advance(petri, '1m')
    expect(await readSession(body.checkout_session_id)).toMatchObject({ appointment_hold_status: 'failed' })
    expect(await freeAt(slot)).toBe(before)
    expect((await pay(body.checkout_session_id)).body).toMatchObject({
      status: 'paid',
      appointment_hold_status: 'failed',
      appointment_id: null,
    })
    const silent = await withSlot(payer('site-unreachable'))
    await advance(petri, '14m')
    expect((await readSession(silent.body.checkout_session_id)).appointment_hold_status).toBe('pending')
    await advance(petri, '1m')
    expect((await readSession(silent.body.checkout_session_id)).appointment_hold_status).toBe('failed')
  })

  it('must be after the deadline, free, at the laboratory and for a walk-in test', async () => {
    const [first] = await pscSlots(petri)
    expect((await withSlot({}, first?.booking_key)).body.detail).toContain('payment deadline')
    const slot = await lastSlot()
    expect(await withSlot({}, slot?.booking_key)).toAnswer(200)
    expect((await withSlot({}, slot?.booking_key)).body.detail).toContain('no longer available')
    const kit = await makeQuote(petri, { modality: 'testkit' })
    expect((await withSlot({ quote_id: kit.id })).body.detail).toBe(
      'Only a walk-in test can have an appointment',
    )
    const elsewhere = (await pscSlots(petri, 'sonora_quest')).at(-1)
    expect((await withSlot({}, elsewhere?.booking_key)).body.detail).toContain('must be at quest')
  })
})

it('sessions are listed with their quotes, by user and by order', async () => {
  const quote = await makeQuote(petri)
  const user_id = await createUser(petri)
  const { body: first } = await openSession(petri, { user_id, quote_id: quote.id })
  const { body: other } = await openSession(petri)
  const list = (query = '') => petri.read(`/_petri/checkout/sessions${query}`)
  const idsOf = async (query?: string) => (await list(query)).data.map(field('checkout_session_id'))
  expect((await list()).data[0]).toEqual({
    ...first,
    user_id,
    created_at: '2026-01-05T09:00:00+00:00',
    quote,
  })
  expect(await idsOf()).toEqual([first.checkout_session_id, other.checkout_session_id])
  expect(await idsOf(`?user_id=${user_id}`)).toEqual([first.checkout_session_id])
  expect(await idsOf(`?user_id=${NOBODY}`)).toEqual([])
  const { next_cursor } = await list('?limit=1')
  expect(await idsOf(`?limit=1&cursor=${next_cursor}`)).toEqual([other.checkout_session_id])
  const { order_id } = (await pay(first.checkout_session_id)).body
  expect(await idsOf(`?order_id=${order_id}`)).toEqual([first.checkout_session_id])
  expect(await idsOf(`?order_id=${order_id}&user_id=${NOBODY}`)).toEqual([])
})

describe('the hosted page of a session', () => {
  const visit = async (url: string, outcome?: string) => {
    const response = await petri.petri.app.request(outcome ? `${url}&outcome=${outcome}` : url)
    return { status: response.status, text: await response.text(), to: response.headers.get('location') }
  }

  it('shows the amount, and leads back with both ids once it is paid', async () => {
    const { body } = await openSession(petri)
    const url = body.payment_resource_url
    const shown = await visit(url)
    expect(shown).toMatchObject({ status: 200, to: null })
    expect(shown.text).toContain('no money is moved')
    expect(shown.text).not.toContain('role="alert"')
    const { data } = await petri.read('/_petri/checkout/sessions')
    const [lab, draw] = data[0].quote.line_items.map(field('amount_minor'))
    expect(shown.text).toContain(`asks for <strong>$${((lab + draw) / 100).toFixed(2)}</strong>`)
    expect(shown.text).toContain('<form action="/checkout/pay">')
    expect(shown.text).toContain('<title>Pay for lab tests</title>')
    const back = `https://app.test/done?session=${body.checkout_session_id}&stripe=${body.payment_resource_id}`
    expect(await visit(url, 'paid')).toMatchObject({ status: 303, to: back })
    expect((await readSession(body.checkout_session_id)).status).toBe('paid')
    expect(await visit(url)).toMatchObject({ status: 303, to: back })
    expect(await orders()).toBe(1)
  })

  it('says that a card was declined, and leads to the cart when it is cancelled', async () => {
    const { body } = await openSession(petri)
    const declined = await visit(body.payment_resource_url, 'declined')
    expect(declined.text).toContain('The payment was declined.')
    expect(await visit(body.payment_resource_url, 'cancelled')).toMatchObject({
      status: 303,
      to: 'https://app.test/cart',
    })
  })

  it('says itself how a session without a way back ended', async () => {
    const { body } = await openSession(petri, { payment: { ...hosted, cancel_url: null } })
    const { status, text, to } = await visit(body.payment_resource_url, 'cancelled')
    expect({ status, to }).toEqual({ status: 200, to: null })
    expect(text).toContain('<title>Checkout</title>')
    expect(text).toContain('This checkout session is cancelled.')
  })

  it('has no session for the token of a link', async () => {
    const user_id = await createUser(petri)
    const { link_token } = (await petri.post('/v2/link/token', { user_id })).body
    const answer = await petri.get(`/checkout/pay?token=${link_token}`)
    expect(answer).toRefuse(404, 'Checkout session not found')
  })

  it('is nobody else’s', async () => {
    const { body } = await openSession(petri)
    const url = body.payment_resource_url
    expect(await visit(url.replace(/token=.*/, 'token=x'))).toAnswer(401)
    expect((await visit(`${url}x`)).status).toBeGreaterThanOrEqual(400)
    expect((await readSession(body.checkout_session_id)).status).toBe('unpaid')
  })
})
