import { describe, expect, it } from 'vitest'
import {
  advance,
  createUser,
  moveOrder,
  orderBy,
  orderForPatient,
  orderKit,
  readResult,
  setFeatures,
  untilIdle,
} from '../support/orders.ts'
import { eventsOf, forEachTest, payloadsOf } from '../support/petri.ts'

const petri = forEachTest()

const move = async (id: string, status: string, more: object = {}) => {
  const answer = await moveOrder(petri, id, status, more)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body
}
const eventTypes = () => eventsOf(petri).map(({ event_type }) => event_type)
const criticalStatuses = () => payloadsOf(petri, 'labtest.result.critical').map(({ data }) => data.status)

describe('a move that the lifecycle does not have', () => {
  it('is refused with the statuses that are next, a redraw only where there can be one', async () => {
    const { id } = await orderBy(petri, 'walk_in_test')
    await move(id, 'requisition_created')
    const refuse = async () => (await moveOrder(petri, id, 'corrected')).body
    const { detail, legal } = await refuse()
    expect(detail).toBe(
      'The order is received.walk_in_test.requisition_created and cannot become corrected. With `force: true` it is ' +
        'set anyway; `reach` advances the order to it, in a scenario that passes through it. These pass through corrected: ' +
        'walk-in-corrected-result, walk-in-exact-results.',
    )
    const redraw = 'collecting_sample.walk_in_test.redraw_available'
    expect(legal).toContain('completed.walk_in_test.completed')
    expect(legal).not.toContain(redraw)
    await setFeatures(petri, { redraws: true })
    expect((await refuse()).legal).toEqual(expect.arrayContaining([...legal, redraw]))
  })

  it('of an order that does not exist is a 404', async () => {
    const path = '/_petri/orders/7f0c2d2c-0000-4000-8000-000000000000/move'
    expect(await petri.post(path, { status: 'lost' })).toRefuse(404, "This order doesn't exist")
  })
})

describe('the effects of an advance', () => {
  it('name each status an order gets, with its detail where it has one', async () => {
    const { id, user_id } = await orderForPatient(petri, { scenario: 'sample-hemolyzed' })
    const { effects } = (await untilIdle(petri)).body
    const moves = effects.filter(({ kind }: { kind: string }) => kind === 'order')
    expect(moves[0]).toMatchObject({
      order_id: id,
      user_id,
      status: 'received.testkit.requisition_created',
    })
    expect(moves[0]).not.toHaveProperty('detail')
    expect(moves.at(-1)).toMatchObject({ status: 'failed.testkit.sample_error', detail: 'sample_hemolyzed' })
  })
})

describe('the parcels of a kit', () => {
  const shipmentOf = (order: { details: { data: { shipment: Record<string, string> } } }) =>
    order.details.data.shipment

  it('have a courier, a number and a page each from the day the kit leaves, and keep them', async () => {
    const { id } = await orderForPatient(petri, { scenario: 'manual' })
    await move(id, 'requisition_created')
    const sent = shipmentOf(await move(id, 'transit_customer'))
    for (const way of ['outbound', 'inbound']) {
      expect(['usps', 'ups', 'fedex']).toContain(sent[`${way}_courier`])
      expect(sent[`${way}_tracking_number`]).toMatch(/^[0-9A-Z]{10,}$/)
      const page = `/tracking/${sent[`${way}_courier`]}/${sent[`${way}_tracking_number`]}`
      expect(sent[`${way}_tracking_url`]?.endsWith(page)).toBe(true)
      for (const accept of ['text/html', 'application/json', '*/*'])
        expect(await petri.petri.app.request(page, { headers: { accept } })).toAnswer(200)
    }
    expect(sent.outbound_tracking_number).not.toBe(sent.inbound_tracking_number)
    await advance(petri, '1d')
    await move(id, 'with_customer')
    const later = await move(id, 'transit_lab')
    const now = '2026-01-06T09:00:00+00:00'
    expect(shipmentOf(later)).toEqual({ ...sent, updated_at: now })
    expect(later.details.data.updated_at).toBe(now)
  })

  it('are those that are given, and the numbers fit the courier', async () => {
    const { id } = await orderForPatient(petri, { scenario: 'manual' })
    await move(id, 'requisition_created')
    const shipment = { outbound_courier: 'UPS', inbound_tracking_number: 'MINE', notes: 'by the door' }
    const sent = shipmentOf(await move(id, 'transit_customer', { shipment }))
    expect(sent).toMatchObject({ ...shipment, outbound_tracking_number: expect.stringMatching(/^1Z/) })
    expect(sent.outbound_tracking_url).toContain('/tracking/ups/1Z')
    const later = shipmentOf(await move(id, 'out_for_delivery', { shipment: { notes: 'at the neighbour' } }))
    expect(later).toMatchObject({ outbound_courier: 'UPS', notes: 'at the neighbour' })
  })

  it('differ from kit to kit', { tags: 'slow' }, async () => {
    const user = await createUser(petri)
    const sent: ReturnType<typeof shipmentOf>[] = []
    for (let nth = 0; nth < 12; nth++) {
      const { id } = await orderForPatient(petri, { scenario: 'manual', user })
      await move(id, 'requisition_created')
      sent.push(shipmentOf(await move(id, 'transit_customer', { shipment: { inbound_courier: 'dhl' } })))
    }
    const different = (field: string) => new Set(sent.map((shipment) => shipment[field]))
    expect(different('outbound_courier')).toEqual(new Set(['usps', 'ups', 'fedex']))
    expect(different('inbound_courier')).toEqual(new Set(['dhl']))
    for (const field of ['id', 'outbound_tracking_number', 'inbound_tracking_number'])
      expect(different(field).size).toBe(12)
    for (const { inbound_tracking_number } of sent) expect(inbound_tracking_number).toMatch(/^\d{10}$/)
  })

  it('are made up for a kit without a patient too, when it leaves', async () => {
    const { id, details } = await orderKit(petri, { scenario: 'manual' })
    expect(details.data.shipment).toBeNull()
    const { outbound_tracking_number, created_at, ...rest } = shipmentOf(await move(id, 'transit_customer'))
    expect(outbound_tracking_number).toMatch(/^[0-9A-Z]{10,}$/)
    expect([created_at, rest.notes]).toEqual(['2026-01-05T09:00:00+00:00', null])
  })
})

describe('the dates of the results', () => {
  it('are unknown where the laboratory names no days', async () => {
    const order_set = { add_on: { marker_ids: [2077] } }
    const { id } = await orderBy(petri, 'walk_in_test', { order_set, collection_method: 'walk_in_test' })
    await move(id, 'requisition_created')
    expect(await move(id, 'completed')).toMatchObject({
      lab_test: { common_tat_days: null },
      expected_result_by_date: null,
    })
  })
})

describe('results', () => {
  const report = (id: string, status: string, results: object) => move(id, status, { results, force: true })

  it('never get better by a later report, except by a correction', async () => {
    const { id } = await orderBy(petri, 'walk_in_test')
    const interpretations = []
    for (const [status, interpretation] of [
      ['partial_results', 'abnormal'],
      ['partial_results', 'unknown'],
      ['partial_results', 'normal'],
      ['completed', 'critical'],
      ['corrected', 'unknown'],
    ] as const) {
      interpretations.push((await report(id, status, { interpretation })).interpretation)
    }
    // The lines that could be critical have been reported before, and only a correction changes them.
    expect(interpretations).toEqual(['abnormal', 'abnormal', 'abnormal', 'abnormal', 'unknown'])
  })

  it('stay what they were in every report before, however many follow', async () => {
    const { id } = await orderBy(petri, 'walk_in_test')
    const lines = async () =>
      (await readResult(petri, id)).results.map(({ slug, value }: { slug: string; value: number }) => [
        slug,
        value,
      ])
    await report(id, 'partial_results', {})
    const first = await lines()
    expect(first.length).toBeGreaterThan(0)
    for (const interpretation of ['abnormal', 'critical'] as const)
      await report(id, 'partial_results', { interpretation })
    await report(id, 'completed', { interpretation: 'critical' })
    expect(await lines()).toEqual(expect.arrayContaining(first))
  })

  it('are missing where the report names some or says so', async () => {
    const { id, lab_test } = await orderBy(petri, 'walk_in_test')
    const name = (await petri.read(`/v3/lab_tests/${lab_test.id}/markers`)).markers[0].expected_results[0]
      .slug
    const isMissing = async (missing?: unknown) =>
      (await report(id, 'partial_results', missing === undefined ? {} : { missing })).has_missing_results
    expect(await isMissing()).toBe(false)
    expect(await isMissing(false)).toBe(false)
    expect(await isMissing([])).toBe(false)
    expect(await isMissing(true)).toBe(true)
    expect(await isMissing([name])).toBe(true)
  })

  it('come with an event, partial ones only while the world is told of them', async () => {
    const { id } = await orderBy(petri, 'walk_in_test')
    await move(id, 'requisition_created')
    const count = eventTypes().length
    await setFeatures(petri, { partial_results_webhooks: false })
    await move(id, 'partial_results')
    expect(eventTypes()).toHaveLength(count)
    await setFeatures(petri, { partial_results_webhooks: true })
    await move(id, 'partial_results')
    expect(eventTypes().slice(count)).toEqual(['labtest.order.updated'])
  })

  it('that are critical are told with the report that says so first, a correction included', async () => {
    const { id } = await orderBy(petri, 'walk_in_test')
    await report(id, 'completed', { interpretation: 'abnormal' })
    expect(criticalStatuses()).toEqual([])
    await report(id, 'corrected', { interpretation: 'critical' })
    expect(criticalStatuses()).toEqual(['final'])
    await report(id, 'corrected', { interpretation: 'critical' })
    expect(criticalStatuses()).toEqual(['final'])
  })

  it('that are critical are not told with a status that reports nothing', async () => {
    const { id } = await orderBy(petri, 'walk_in_test')
    await report(id, 'partial_results', { interpretation: 'critical' })
    await move(id, 'sample_error', { force: true })
    expect(criticalStatuses()).toEqual(['partial'])
  })
})
