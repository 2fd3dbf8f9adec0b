import { beforeEach, describe, expect, it } from 'vitest'
import { appointmentResource } from '../../src/resources/appointments/index.ts'
import {
  cancelByProvider,
  completeAppointment,
  makeNextBookingTimeOut,
  startAppointment,
} from '../../src/resources/appointments/service.ts'
import { book, change, type Offer, orderReady, pscSlots, read, trail } from '../support/appointments.ts'
import { advance, moveOrder, orderBy, setFeatures } from '../support/orders.ts'
import { eventsOf, forEachTest } from '../support/petri.ts'

const petri = forEachTest()

const updates = (orderId: string) =>
  eventsOf(petri)
    .filter(
      ({ event_type, order_id }) => order_id === orderId && event_type === 'labtest.appointment.updated',
    )
    .map(({ payload }) => (payload as { data: { event_status: string } }).data.event_status)

async function bookQuest(orderId: string, more = {}) {
  // Early enough that a reservation is not given up at once.
  const { booking_key } = (await pscSlots(petri)).find(({ start }) => start >= '2026-01-05T13') as Offer
  return book(petri, 'psc', orderId, { booking_key, ...more })
}

describe('asynchronous confirmation', () => {
  it('leaves the order unchanged until the site confirms', async () => {
    const order = await orderReady(petri, 'walk_in_test')
    const { body } = await bookQuest(order.id, { async_confirmation: true })
    expect(body).toMatchObject({ status: 'pending', external_id: null, can_reschedule: false })
    expect((await trail(petri, order.id)).at(-1)).toBe('requisition_created')
    await advance(petri, '1m')
    const confirmed = (await read(petri, 'psc', order.id)).body
    expect(confirmed).toMatchObject({ status: 'confirmed', can_reschedule: true })
    expect(confirmed.external_id).toMatch(/^[A-Z]{6}$/)
    expect(updates(order.id)).toEqual(['pending', 'scheduled'])
    expect((await trail(petri, order.id)).slice(-2)).toEqual(['appointment_pending', 'appointment_scheduled'])
  })

  it('fails at its deadline when the site does not answer', async () => {
    const order = await orderReady(petri, 'walk_in_test')
    makeNextBookingTimeOut(petri.world(), order.id)
    await bookQuest(order.id, {
      async_confirmation: true,
      async_confirmation_timeout_millisecond: 120_000,
    })
    await advance(petri, '1m59s')
    expect((await read(petri, 'psc', order.id)).body.status).toBe('pending')
    await advance(petri, '1s')
    expect((await read(petri, 'psc', order.id)).body.status).toBe('cancelled')
    expect(updates(order.id)).toEqual(['pending', 'cancelled'])
    expect((await trail(petri, order.id)).at(-1)).toBe('requisition_created')
    expect(await bookQuest(order.id)).toAnswer(200)
  })

  it('is used for Sonora, whose appointments cannot be changed', async () => {
    const markers = (await petri.get('/v3/lab_tests/markers?lab_slug=sonora_quest&a_la_carte_enabled=true'))
      .body.markers as { id: number }[]
    const order = await orderReady(petri, 'walk_in_test', {
      order_set: { add_on: { marker_ids: [markers[0]?.id] } },
      collection_method: 'walk_in_test',
    })
    const [slot, other] = (await pscSlots(petri, 'sonora_quest')) as [Offer, Offer]
    expect((await book(petri, 'psc', order.id, slot)).body).toMatchObject({
      provider: 'sonora_quest',
      status: 'reserved',
      event_status: 'reserved',
    })
    expect(await trail(petri, order.id)).toHaveLength(2)
    await advance(petri, '10m')
    expect((await read(petri, 'psc', order.id)).body).toMatchObject({
      status: 'confirmed',
      external_id: null,
    })
    expect((await trail(petri, order.id)).at(-1)).toBe('appointment_scheduled')
    const reason = { cancellationReasonId: '226a6520-667c-495f-8500-c20722d231d0' }
    expect(await change(petri, 'psc', order.id, 'cancel', reason)).toRefuse(
      400,
      'This appointment cannot be cancelled through the API.',
    )
    expect(await change(petri, 'psc', order.id, 'reschedule', other)).toRefuse(
      400,
      'This appointment cannot be rescheduled.',
    )
  })
})

describe('booking before the requisition exists', () => {
  beforeEach(() => setFeatures(petri, { booking_before_requisition: true }))

  it('reserves the time, and confirms it with the requisition', async () => {
    const order = await orderBy(petri, 'walk_in_test')
    expect((await bookQuest(order.id)).body).toMatchObject({ status: 'reserved', can_reschedule: true })
    expect(await trail(petri, order.id)).toEqual(['ordered'])
    await moveOrder(petri, order.id, 'requisition_created')
    expect(await trail(petri, order.id)).toEqual([
      'ordered',
      'requisition_created',
      'appointment_pending',
      'appointment_scheduled',
    ])
    expect((await read(petri, 'psc', order.id)).body.status).toBe('confirmed')
    expect(updates(order.id)).toEqual(['reserved', 'scheduled'])
  })

  it('can be cancelled without a change of the order', async () => {
    const order = await orderBy(petri, 'walk_in_test')
    await bookQuest(order.id)
    const reason = { cancellationReasonId: '226a6520-667c-495f-8500-c20722d231d0' }
    expect((await change(petri, 'psc', order.id, 'cancel', reason)).body.status).toBe('cancelled')
    expect(await trail(petri, order.id)).toEqual(['ordered'])
  })
})

describe('an appointment without a client', () => {
  const schedule = (id: string) => moveOrder(petri, id, 'appointment_scheduled')

  it('sends events whose bodies are valid against their type', async () => {
    const { id } = await orderReady(petri, 'walk_in_test')
    await moveOrder(petri, id, 'appointment_pending')
    await schedule(id)
    cancelByProvider(petri.world(), id, 'site_closed')
    const sent = eventsOf(petri).filter(({ event_type }) => event_type.startsWith('labtest.appointment'))
    expect(sent).toHaveLength(3)
    for (const { event_type, payload } of sent) {
      const type = appointmentResource.events?.find(({ name }) => name === event_type)
      const { data } = payload as { data: unknown }
      expect(type?.data().parse(data)).toEqual(data)
    }
  })

  it('is booked, started and completed at home', async () => {
    const { id } = await orderReady(petri, 'at_home_phlebotomy')
    const world = petri.world()
    await schedule(id)
    expect((await read(petri, 'phlebotomy', id)).body).toMatchObject({
      provider: 'getlabs',
      event_status: 'scheduled',
      appointment_notes: null,
    })
    startAppointment(world, id)
    expect((await read(petri, 'phlebotomy', id)).body.status).toBe('in_progress')
    completeAppointment(world, id)
    expect((await read(petri, 'phlebotomy', id)).body.status).toBe('completed')
    expect((await trail(petri, id)).slice(-2)).toEqual(['appointment_scheduled', 'draw_completed'])
    expect(updates(id)).toEqual(['scheduled', 'in_progress', 'completed'])
  })

  it('is booked at the site nearest to the patient', async () => {
    const { id } = await orderReady(petri, 'walk_in_test')
    const [nearest] = (await petri.read(`/v3/order/${id}/psc/info`)).patient_service_centers
    await moveOrder(petri, id, 'appointment_pending')
    await schedule(id)
    expect((await read(petri, 'psc', id)).body).toMatchObject({
      start_at: '2026-01-05T12:00:00+00:00',
      address: { first_line: nearest.metadata.first_line, zip_code: nearest.metadata.zip_code },
    })
  })
})
