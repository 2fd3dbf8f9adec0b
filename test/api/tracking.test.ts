import { describe, expect, it } from 'vitest'
import { orders } from '../../src/resources/orders/table.ts'
import { book, change, homeSlots, orderReady, pscSlots } from '../support/appointments.ts'
import { field } from '../support/field.ts'
import {
  advance,
  cancelOrder,
  createUser,
  orderBy,
  orderForPatient,
  readOrder,
  readResult,
  sendOrder,
  standardTest,
  untilIdle,
} from '../support/orders.ts'
import { forEachTest, NOBODY, payloadsOf } from '../support/petri.ts'

const DAY = 86_400_000

const petri = forEachTest()
let nth = 0

const track = (id: string) => petri.read(`/v3/order/${id}/tracking`)
const move = (id: string, status: string, more: object = {}) =>
  petri.post(`/_petri/orders/${id}/move`, { status, force: true, ...more })
const updates = () => payloadsOf(petri, 'labtest.order_tracking.updated')

/** An order drawn on site, whose lab test has a turnaround. */
const drawn = async () => {
  const order = await orderBy(petri, 'at_home_phlebotomy')
  await move(order.id, 'draw_completed')
  return readOrder(petri, order.id)
}

const none = { original_estimate: null, current_estimate: null }

/** The jobs that wait for overdue results. */
const waiting = async (id: string) =>
  (await petri.read(`/_petri/agenda?subject=${id}`)).data.filter(
    ({ kind }: { kind: string }) => kind === 'order-tracking.overdue',
  )

describe('the tracking of an order', () => {
  it('has no estimate before a collection can be dated', async () => {
    const order = await orderBy(petri, 'walk_in_test')
    const tracking = await track(order.id)
    expect(tracking).toMatchObject({
      order_id: order.id,
      expected_at: { final_results: none },
      collected_at: null,
      updates: [],
    })
    expect(tracking.markers).toHaveLength(order.lab_test.markers.length)
    for (const marker of tracking.markers)
      expect(marker).toMatchObject({ status: 'pending', expected_at: none, results: [] })
    expect(await petri.get(`/v3/order/${NOBODY}/tracking`)).toAnswer(404)
  })

  it('expects results a turnaround after the collection, as the order does', async () => {
    const order = await drawn()
    const { expected_at, collected_at, markers, updates: told } = await track(order.id)
    expect(collected_at).toEqual({
      collected_at: '2026-01-05T09:00:00+00:00',
      is_inferred: false,
      inferred_from: null,
    })
    const { original_estimate, current_estimate } = expected_at.final_results
    expect(original_estimate.slice(0, 10)).toBe(order.expected_result_by_date)
    expect(current_estimate).toBe(original_estimate)
    for (const [at, marker] of markers.entries()) {
      const days = order.lab_test.markers[at].common_tat_days
      const estimate = Date.parse('2026-01-05T09:00:00Z') + days * DAY
      expect(Date.parse(marker.expected_at.current_estimate)).toBe(estimate)
    }
    expect(told).toEqual([])
    expect(updates()).toEqual([])
  })

  it('is on the agenda until its results are due, in words', async () => {
    const order = await drawn()
    const { data } = await petri.read(`/_petri/agenda?subject=${order.id}`)
    expect(data).toMatchObject([
      { kind: 'order-tracking.overdue', order_id: order.id, does: 'overdue results move the estimate' },
    ])
  })

  it('infers the collection of a kit from its arrival at the laboratory', async () => {
    const order = await orderForPatient(petri, { scenario: 'happy-path' })
    await untilIdle(petri)
    const arrived = (await readOrder(petri, order.id)).events.find(({ status }: { status: string }) =>
      status.endsWith('delivered_to_lab'),
    )
    const tracking = await track(order.id)
    expect(tracking.collected_at).toEqual({
      collected_at: arrived.created_at,
      is_inferred: true,
      inferred_from: 'lab_arrival',
    })
    expect(tracking.updates).toEqual([])
  })

  it('infers the collection of a walk-in test from its appointment', async () => {
    const order = await orderBy(petri, 'walk_in_test')
    await move(order.id, 'requisition_created')
    const slot = (await pscSlots(petri)).at(-1)
    expect(await book(petri, 'psc', order.id, { booking_key: slot?.booking_key })).toAnswer(200)
    await advance(petri, '10m')
    const { collected_at, expected_at } = await track(order.id)
    expect(collected_at).toEqual({
      collected_at: slot?.start,
      is_inferred: true,
      inferred_from: 'scheduled_appointment',
    })
    expect(Date.parse(expected_at.final_results.current_estimate)).toBeGreaterThan(
      Date.parse(slot?.start ?? ''),
    )
  })

  it('shows which markers have their results, and which never get them', async () => {
    const order = await drawn()
    const report = async () => (await readResult(petri, order.id)).results
    await move(order.id, 'completed')
    const done = await track(order.id)
    for (const marker of done.markers) expect(marker.status).toBe('resulted')
    expect(done.markers.flatMap((marker: { results: object[] }) => marker.results)).toHaveLength(
      (await report()).length,
    )
    const other = await drawn()
    await move(other.id, 'completed', { results: { missing: true } })
    const { markers } = await track(other.id)
    expect(markers.map(field('status'))).toContain('incomplete')
  })

  it('counts a panel without one of its results as incomplete', async () => {
    const order = await drawn()
    await move(order.id, 'completed')
    const panelOf = (markers: { id: number; results: { slug: string }[] }[]) =>
      markers.find(({ results }) => results.length > 1)
    const panel = panelOf((await track(order.id)).markers)
    const other = await drawn()
    await move(other.id, 'completed', { results: { missing: [panel?.results[0]?.slug] } })
    const { markers } = await track(other.id)
    const same = markers.find(({ id }: { id: number }) => id === panel?.id)
    expect(same.status).toBe('incomplete')
    expect(same.results.length).toBe((panel?.results.length ?? 0) - 1)
  })

  it('names results by the ids of the catalogue, and waits for the rest of partial ones', async () => {
    const order = await orderBy(petri, 'walk_in_test')
    const { lab_test } = order
    const { markers: known } = await petri.read(`/v3/lab_tests/${lab_test.id}/markers`)
    const idOf = (slug: string) =>
      known
        .flatMap(
          ({ expected_results }: { expected_results: { id: number; slug: string }[] }) => expected_results,
        )
        .find((result: { slug: string }) => result.slug === slug)?.id
    await move(order.id, 'partial_results', { results: { missing: true } })
    const { markers } = await track(order.id)
    const statuses = markers.map(field('status'))
    expect(statuses).toContain('pending')
    expect(statuses).not.toContain('incomplete')
    const results = markers.flatMap(({ results: each }: { results: object[] }) => each)
    expect(results.length).toBeGreaterThan(0)
    for (const { id, slug } of results) expect(id, slug).toBe(idOf(slug))
  })

  it('infers the collection of an order without a draw from its first results', async () => {
    const order = await orderBy(petri, 'walk_in_test')
    await move(order.id, 'partial_results')
    const { collected_at } = await track(order.id)
    expect(collected_at).toEqual({
      collected_at: '2026-01-05T09:00:00+00:00',
      is_inferred: true,
      inferred_from: 'lab_accessioning',
    })
    expect(await waiting(order.id)).toHaveLength(1)
    await advance(petri, '1d')
    await move(order.id, 'completed')
    expect(await track(order.id)).toMatchObject({ collected_at, updates: [] })
    expect(await waiting(order.id)).toEqual([])
  })

  it('has no estimate, and waits for nothing, where a marker has no known turnaround', async () => {
    const order = await orderBy(petri, 'walk_in_test', {
      order_set: { add_on: { marker_ids: [8004] } },
      collection_method: 'walk_in_test',
    })
    await move(order.id, 'partial_results')
    expect(await track(order.id)).toMatchObject({
      expected_at: { final_results: none },
      collected_at: { inferred_from: 'lab_accessioning' },
      updates: [],
    })
    expect(await waiting(order.id)).toEqual([])
  })

  it.each([
    ['has no longest turnaround', null],
    ['takes the usual turnaround at most', 0],
  ])('waits for nothing where a lab test %s', async (_, longer) => {
    const { id } = await orderBy(petri, 'at_home_phlebotomy')
    const { db } = petri.world()
    const { lab_test, ...row } = db.get(orders, id)
    const worst_case_tat_days = longer === null ? null : lab_test.common_tat_days
    db.put(orders, { ...row, lab_test: { ...lab_test, worst_case_tat_days } })
    await move(id, 'draw_completed')
    expect((await track(id)).expected_at.final_results.current_estimate).not.toBeNull()
    expect(await waiting(id)).toEqual([])
  })

  it('waits for nothing once all results are there at once', async () => {
    const { id } = await orderBy(petri, 'walk_in_test')
    await move(id, 'completed')
    expect((await track(id)).collected_at.inferred_from).toBe('lab_accessioning')
    expect(await waiting(id)).toEqual([])
  })

  it('shows no results of a marker that the catalogue no longer has', async () => {
    const order = await drawn()
    await move(order.id, 'completed')
    const { db } = petri.world()
    const row = db.get(orders, order.id)
    const [marker] = row.lab_test.markers ?? []
    const markers = marker && [{ ...marker, id: 9_999_999 }]
    db.put(orders, { ...row, lab_test: { ...row.lab_test, markers: markers ?? null } })
    expect((await track(order.id)).markers).toMatchObject([{ status: 'incomplete', results: [] }])
  })
})

describe('an update of the tracking', () => {
  it('tells a problem in transit with courier and parcel, and a new estimate on arrival', async () => {
    const order = await orderForPatient(petri, { scenario: 'problem-in-transit-lab' })
    await untilIdle(petri)
    const { details, lab_test } = await readOrder(petri, order.id)
    const { inbound_courier, inbound_tracking_number } = details.data.shipment
    const parcel = `${inbound_courier.toUpperCase()} parcel ${inbound_tracking_number}`
    const tracking = await track(order.id)
    expect(tracking.updates[0]).toMatchObject({
      reason: `${parcel} has a problem on its way to the laboratory`,
      source: 'junction',
      revised_estimate: null,
    })
    if (lab_test.common_tat_days !== null)
      expect(tracking.updates[1]).toMatchObject({ reason: 'The laboratory works on the sample' })
    expect(updates()[0]).toMatchObject({ user_id: order.user_id, client_user_id: expect.any(String) })
  })

  it('takes the estimate back when the laboratory stops, and moves it when it goes on', async () => {
    const { id } = await drawn()
    const before = (await track(id)).expected_at.final_results
    await move(id, 'sample_error', { status_detail: 'sample_not_provided' })
    const stopped = await track(id)
    expect(stopped.expected_at.final_results).toEqual({ ...before, current_estimate: null })
    expect(stopped.updates).toMatchObject([
      {
        created_at: '2026-01-05T09:00:00+00:00',
        reason: 'The laboratory cannot use the sample: sample not provided',
        source: 'lab',
        revised_estimate: null,
        impacted_markers: stopped.markers.map(({ id: marker }: { id: number }) => ({ id: marker })),
      },
    ])
    await advance(petri, '2d')
    await move(id, 'draw_completed')
    const resumed = await track(id)
    expect(resumed.expected_at.final_results.original_estimate).toBe(before.original_estimate)
    expect(Date.parse(resumed.expected_at.final_results.current_estimate)).toBe(
      Date.parse(before.original_estimate) + 2 * DAY,
    )
    expect(resumed.updates).toHaveLength(2)
    expect(resumed.updates[0]).toEqual(stopped.updates[0])
    expect(updates().map(field('data'))).toEqual([stopped, resumed])
  })

  it('expects the longest turnaround once the usual one has passed, and nothing once results came', async () => {
    const order = await drawn()
    const punctual = await drawn()
    await advance(petri, '1d')
    await move(punctual.id, 'completed')
    const { common_tat_days: common, worst_case_tat_days: worst } = order.lab_test
    expect(worst).toBeGreaterThan(common)
    await advance(petri, `${common - 1}d`)
    const { expected_at, updates: told } = await track(order.id)
    const { original_estimate, current_estimate } = expected_at.final_results
    expect(Date.parse(current_estimate) - Date.parse(original_estimate)).toBe((worst - common) * DAY)
    expect(told).toMatchObject([
      {
        reason: 'The laboratory takes longer than usual',
        source: 'lab',
        revised_estimate: current_estimate,
      },
    ])
    expect((await track(punctual.id)).updates).toEqual([])
    expect(updates()).toHaveLength(1)
  })

  it('is not made for an order that is cancelled before anything was expected', async () => {
    const lab_test_id = await standardTest(petri, 'walk_in_test')
    const { id } = (await sendOrder(petri, { lab_test_id })).body.order
    await cancelOrder(petri, id)
    expect((await track(id)).updates).toEqual([])
  })

  it('tells that an order with expected results was cancelled, and waits no longer', async () => {
    const { id } = await drawn()
    expect(await waiting(id)).toHaveLength(1)
    await move(id, 'cancelled')
    expect((await track(id)).updates).toMatchObject([
      { reason: 'The order was cancelled', source: 'junction', revised_estimate: null },
    ])
    expect(await waiting(id)).toEqual([])
  })

  it('waits for overdue results anew when the laboratory goes on, and has no detail where it gave none', async () => {
    const { id } = await drawn()
    await move(id, 'sample_error')
    expect((await track(id)).updates).toMatchObject([{ reason: 'The laboratory cannot use the sample' }])
    expect(await waiting(id)).toEqual([])
    await move(id, 'draw_completed')
    expect(await waiting(id)).toHaveLength(1)
  })

  it('keeps the arrival of a kit when the laboratory stops and resumes its work', async () => {
    const { id } = await orderForPatient(petri, { scenario: 'manual' })
    await move(id, 'delivered_to_lab')
    const { collected_at } = await track(id)
    await advance(petri, '1d')
    await move(id, 'lab_processing_blocked')
    await move(id, 'delivered_to_lab')
    const tracking = await track(id)
    expect(tracking.collected_at).toEqual(collected_at)
    expect(tracking.updates.map(field('reason'))).toEqual([
      'The laboratory has stopped its work',
      'The laboratory works on the sample',
    ])
  })

  it('names the parcel that is lost by its way, or the kit if none was sent', async () => {
    const lost = async (...statuses: string[]) => {
      const { id } = await orderForPatient(petri, {
        scenario: 'manual',
        user: await createUser(petri, `${++nth}`),
      })
      for (const status of [...statuses, 'lost']) await move(id, status)
      const { shipment } = (await readOrder(petri, id)).details.data
      return { shipment, reason: (await track(id)).updates[0].reason }
    }
    const out = await lost('transit_customer')
    const { outbound_courier, outbound_tracking_number } = out.shipment
    expect(out.reason).toBe(`${outbound_courier.toUpperCase()} parcel ${outbound_tracking_number} is lost`)
    const back = await lost('transit_customer', 'transit_lab')
    const { inbound_courier, inbound_tracking_number } = back.shipment
    expect(back.reason).toBe(`${inbound_courier.toUpperCase()} parcel ${inbound_tracking_number} is lost`)
    expect((await lost()).reason).toBe('The kit is lost')
  })
})

describe('the tracking of an appointment', () => {
  const slotsByDay = async () => {
    const days = new Map<string, string[]>()
    for (const { start, booking_key } of await homeSlots(petri))
      days.set(start.slice(0, 10), [...(days.get(start.slice(0, 10)) ?? []), booking_key])
    return [...days.values()]
  }
  const reschedule = async (id: string, booking_key: string | undefined) => {
    expect(await change(petri, 'phlebotomy', id, 'reschedule', { booking_key })).toAnswer(200)
    await advance(petri, '10m')
  }
  const booked = async (booking_key: string | undefined) => {
    const { id } = await orderReady(petri, 'at_home_phlebotomy')
    expect(await book(petri, 'phlebotomy', id, { booking_key })).toAnswer(200)
    await advance(petri, '10m')
    return id
  }

  it('moves with it to another day, but not within one, and waits for no results yet', async () => {
    const [first = [], second = []] = await slotsByDay()
    const id = await booked(first.at(0))
    const before = await track(id)
    expect(before.collected_at.inferred_from).toBe('scheduled_appointment')
    expect(await waiting(id)).toEqual([])
    await reschedule(id, first.at(-1))
    const sameDay = await track(id)
    expect(sameDay.updates).toEqual([])
    expect(sameDay.expected_at).toEqual(before.expected_at)
    expect(sameDay.collected_at.collected_at).not.toBe(before.collected_at.collected_at)
    await reschedule(id, second.at(0))
    const { updates: told, expected_at } = await track(id)
    expect(told).toMatchObject([{ reason: 'The sample is taken at another time', source: 'patient' }])
    expect(expected_at.final_results.original_estimate).toBe(
      before.expected_at.final_results.original_estimate,
    )
    expect(expected_at.final_results.current_estimate).not.toBe(
      before.expected_at.final_results.original_estimate,
    )
  })

  it('tells when the sample was taken on another day', async () => {
    const days = await slotsByDay()
    const id = await booked(days.at(-1)?.at(0))
    await move(id, 'draw_completed')
    const { updates: told, collected_at } = await track(id)
    expect(told).toMatchObject([{ reason: 'The sample was taken at another time', source: 'patient' }])
    expect(collected_at).toMatchObject({ is_inferred: false, inferred_from: null })
  })

  it('tells when it is cancelled, and takes the estimate back', async () => {
    const [first = []] = await slotsByDay()
    const id = await booked(first.at(-1))
    expect((await track(id)).expected_at.final_results.current_estimate).not.toBeNull()
    await move(id, 'appointment_cancelled')
    const { updates: told, expected_at } = await track(id)
    expect(told).toMatchObject([
      { reason: 'The appointment was cancelled', source: 'patient', revised_estimate: null },
    ])
    expect(expected_at.final_results.current_estimate).toBeNull()
  })
})
