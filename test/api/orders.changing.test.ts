import { describe, expect, it } from 'vitest'
import {
  accountId,
  address,
  advance,
  cancelOrder,
  importedOrder,
  moveOrder,
  orderBy,
  readOrder,
  sendOrder,
  setFeatures,
  standardTest,
  statusesOf,
} from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'
import { simulate } from '../support/simulation.ts'

const petri = forEachTest()

const lowStatusesOf = (order: { events: { status: string }[] }) =>
  statusesOf(order).map((status) => status.split('.').at(-1))

describe('a scheduled order', () => {
  const schedule = async (activate_by: string) =>
    sendOrder(petri, { lab_test_id: await standardTest(petri, 'testkit'), activate_by })
  const patch = (id: string, activate_by: string | null) => petri.patch(`/v3/order/${id}`, { activate_by })
  const hasBegun = async (id: string) => lowStatusesOf(await readOrder(petri, id)).length > 1

  it('waits until its day, and is listed separately', async () => {
    const { order } = (await schedule('2026-01-15')).body
    const listed = async (type: string) =>
      (await petri.read(`/v3/orders?order_activation_types=${type}`)).total
    expect([await listed('scheduled'), await listed('current')]).toEqual([1, 0])
    await advance(petri, '9d')
    expect(await hasBegun(order.id)).toBe(false)
    await advance(petri, '2d')
    expect(await hasBegun(order.id)).toBe(true)
    expect([await listed('scheduled'), await listed('current')]).toEqual([0, 1])
  })

  it('is refused for a day in the past', async () => {
    expect(await schedule('2026-01-04')).toRefuse(400, 'activate_by must not be in the past')
  })

  it('can be postponed, or started at once', async () => {
    const { order } = (await schedule('2026-01-10')).body
    expect(await patch(order.id, '2026-01-20')).toAnswer(200, {
      status: 'success',
      message: 'order updated',
      order: { activate_by: '2026-01-20' },
    })
    await advance(petri, '8d')
    expect(await hasBegun(order.id)).toBe(false)
    expect(await patch(order.id, null)).toMatchObject({ body: { order: { activate_by: null } } })
    await advance(petri, '1d')
    expect(await hasBegun(order.id)).toBe(true)
  })

  it('cannot be changed into the past, once it has begun, or when it never was one', async () => {
    const { order } = (await schedule('2026-01-10')).body
    expect(await patch(order.id, '2026-01-04')).toAnswer(400)
    expect(await petri.patch(`/v3/order/${order.id}`, {})).toAnswer(422)
    await moveOrder(petri, order.id, 'requisition_created')
    expect(await patch(order.id, '2026-01-20')).toRefuse(
      400,
      'The order cannot be updated, it is in state requisition_created',
    )
    const immediate = await orderBy(petri, 'walk_in_test')
    expect(await patch(immediate.id, '2026-01-20')).toAnswer(400)
  })
})

describe('an imported order', () => {
  const abroad = { zip: 'SW1A 1AA', state: 'Westminster', country: 'United Kingdom' }
  const imported = (more: object = {}) =>
    importedOrder(petri, { patient_address: { ...address, ...abroad }, ...more })

  it('brings its sample id, has no requisition, and an address taken as it is', async () => {
    expect(await petri.post('/v3/order/import', await imported())).toRefuse(
      400,
      'Lab Quest does not support state WESTMINSTER',
    )
    const arizona = { patient_address: { ...address, zip: 'any' } }
    const { body: taken } = await petri.post('/v3/order/import', await imported(arizona))
    expect(taken.order.patient_address.zip).toBe('any')
    await simulate(petri, taken.order.id)
    const done = await readOrder(petri, taken.order.id)
    expect(lowStatusesOf(done)).toEqual(['ordered', 'requisition_bypassed', 'partial_results', 'completed'])
    expect(done).toMatchObject({ sample_id: 'A-1', requisition_form_url: null })
  })

  it('is refused with a sample id that no label has room for', async () => {
    const arizona = (sample_id: string) =>
      imported({ patient_address: { ...address, zip: 'any' }, sample_id })
    expect(await petri.post('/v3/order/import', await arizona('S'.repeat(64)))).toAnswer(200)
    const tooLong = await petri.post('/v3/order/import', await arizona('S'.repeat(65)))
    expect(tooLong).toRefuse(422, [
      { loc: ['body', 'sample_id'], type: 'string_too_long', ctx: { max_length: 64 } },
    ])
  })

  it('may be on an account that is still pending', async () => {
    const { markers } = await petri.read(
      '/v3/lab_tests/markers?lab_slug=sonora_quest&a_la_carte_enabled=true',
    )
    const marker = markers.find(({ aoe }: { aoe: unknown }) => !aoe)
    const order = await imported({
      order_set: { add_on: { marker_ids: [marker.id] } },
      patient_address: address,
      lab_account_id: await accountId(petri, 'Own Sonora Quest'),
      physician: { first_name: 'Pat', last_name: 'Sample', npi: '1999999992' },
    })
    expect(await petri.post('/v3/order/import', order)).toAnswer(200)
    expect(await petri.post('/v3/order', order)).toRefuse(400, 'Lab account is not active')
  })
})

describe('an on-site order', () => {
  it('can be marked as drawn once its requisition exists', async () => {
    const order = await orderBy(petri, 'on_site_collection')
    const draw = () => petri.patch(`/v3/order/${order.id}/draw_completed`)
    expect(await draw()).toRefuse(400, 'Transition from ordered to draw_completed is not allowed')
    await moveOrder(petri, order.id, 'requisition_created')
    expect(await draw()).toAnswer(200, {
      order: {
        status: 'sample_with_lab',
        last_event: { status: 'sample_with_lab.on_site_collection.draw_completed' },
        expected_result_by_date: expect.stringMatching(/^2026-01-/),
      },
    })
    const walkIn = await orderBy(petri, 'walk_in_test')
    expect(await petri.patch(`/v3/order/${walkIn.id}/draw_completed`)).toRefuse(
      400,
      'This order is collected by walk_in_test, not on site',
    )
  })
})

describe('expected dates', () => {
  it('are counted from the draw, and null before', async () => {
    const order = await orderBy(petri, 'at_home_phlebotomy')
    expect(order).toMatchObject({ expected_result_by_date: null, worst_case_result_by_date: null })
    await simulate(petri, order.id, 'collecting_sample.at_home_phlebotomy.draw_completed')
    const drawn = await readOrder(petri, order.id)
    const dayAfter = (days: number | null) =>
      days === null ? null : `2026-01-${String(5 + days).padStart(2, '0')}`
    expect(drawn.expected_result_by_date).toBe(dayAfter(order.lab_test.common_tat_days))
    expect(drawn.worst_case_result_by_date).toBe(dayAfter(order.lab_test.worst_case_tat_days))
    await advance(petri, '2d')
    await simulate(petri, order.id)
    expect((await readOrder(petri, order.id)).expected_result_by_date).toBe(drawn.expected_result_by_date)
  })
})

describe('communication settings', () => {
  it('text the patient by default', async () => {
    const { id } = await orderBy(petri, 'walk_in_test')
    const path = `/v3/order/${id}/communication_settings`
    expect(await petri.read(path)).toEqual({ order_id: id, sms_enabled: true })
    expect((await petri.patch(path, { sms_enabled: false })).body).toEqual({
      order_id: id,
      sms_enabled: false,
    })
    expect((await petri.read(path)).sms_enabled).toBe(false)
    expect(
      await petri.get('/v3/order/7f0c2d2c-0000-4000-8000-000000000000/communication_settings'),
    ).toMatchObject({
      status: 404,
    })
  })
})

describe('cancelling', () => {
  it.each(['walk_in_test', 'at_home_phlebotomy', 'on_site_collection'] as const)(
    'of %s is refused once results come',
    async (method) => {
      const order = await orderBy(petri, method)
      await petri.post(`/v3/order/${order.id}/test?final_status=sample_with_lab.${method}.partial_results`)
      expect(await cancelOrder(petri, order.id)).toRefuse(
        400,
        expect.stringMatching(/^This order is not in a Cancellable Status\./),
      )
    },
  )
})

describe('simulating', () => {
  it('is missing in production', async () => {
    const order = await orderBy(petri, 'walk_in_test')
    await setFeatures(petri, { parity: 'production' })
    expect(await simulate(petri, order.id)).toAnswer(404)
  })
})
