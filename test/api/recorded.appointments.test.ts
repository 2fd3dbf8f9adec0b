import { beforeEach, describe, expect, it } from 'vitest'
import { appointments } from '../../src/resources/appointments/table.ts'
import {
  book,
  change,
  homeSlots,
  type Offer,
  offersIn,
  orderReady,
  pscSlots,
  read,
  trail,
  visitAddress,
  visitOrderAddress,
} from '../support/appointments.ts'
import { cancelOrder, deleteUser, setFeatures } from '../support/orders.ts'
import { eventsOf, forEachTest, ok, payloadsOf, valueError } from '../support/petri.ts'

// Appointments as the live sandbox answers.

const AVAILABILITY = '/v3/order/phlebotomy/appointment/availability'
const NO_LONGER = { id: '5330c863-ac80-4316-901b-d305d0df74d5', name: 'No longer interested' }
const HOME_OTHER = '2b9f23fd-163e-4483-bb10-90c74a67e0dc'
const PSC_OTHER = '226a6520-667c-495f-8500-c20722d231d0'
const PHOENIX = 'America/Phoenix'

const petri = forEachTest()

const ready = (more: Record<string, unknown> = {}) => orderReady(petri, 'at_home_phlebotomy', more)

/** Slots far ahead, as in the recordings. */
async function slotsFarAhead(): Promise<[Offer, Offer]> {
  return offersIn(await petri.post(`${AVAILABILITY}?start_date=2099-06-15`, visitAddress)) as [Offer, Offer]
}

async function bookedVisit(more: Record<string, unknown> = {}) {
  const order = await ready(more)
  const [slot, other] = await slotsFarAhead()
  const { status, body } = await book(petri, 'phlebotomy', order.id, { booking_key: slot.booking_key })
  return { order, slot, other, status, body }
}

const cancelVisit = (id: string, notes?: string | null) =>
  change(petri, 'phlebotomy', id, 'cancel', { cancellation_reason_id: NO_LONGER.id, notes })

const statuses = (body: { events: { status: string }[] }) => body.events.map(({ status }) => status)
const dataOf = (body: { events: { data: unknown }[] }) => body.events.map(({ data }) => data)

/** The events after the first of the log: their types, and the status each one shows. */
function sentAfter(count: number): [string, string][] {
  return payloadsOf(petri)
    .slice(count)
    .map(({ event_type, data }) => [
      event_type,
      data.event_status ?? data.last_event.status.split('.').at(-1),
    ])
}
const sentSoFar = () => eventsOf(petri).length

describe('a visit at home', () => {
  it.each([
    ['256 West Lincoln Street', { lat: 33.44219, lng: -112.075075 }],
    ['West Lincoln Street', { lat: 33.44219, lng: -112.075075 }],
    ['1 N Central Ave', { lat: 33.4486237, lng: -112.0733246 }],
    ['21 N Central Ave', { lat: 33.4421912, lng: -112.0772235 }],
  ])('at %s has its location', async (first_line, location) => {
    const { body } = await bookedVisit({ patient_address: { ...visitOrderAddress, first_line } })
    expect(body.location).toEqual(location)
  })

  it.each([
    ['85004-1234', { lat: 33.44219, lng: -112.075075 }],
    ['10001', { lat: 40.7506, lng: -73.9972 }],
  ])('at West Lincoln Street in %s has a location in that ZIP code', async (zip, location) => {
    const { body } = await bookedVisit({ patient_address: { ...visitOrderAddress, zip } })
    expect(body.location).toEqual(location)
  })

  it('moves the order to pending and scheduled before the appointment is announced once', async () => {
    await setFeatures(petri, { appointment_created_events: false })
    const order = await ready()
    const [slot] = await slotsFarAhead()
    const before = sentSoFar()
    await book(petri, 'phlebotomy', order.id, { booking_key: slot.booking_key })
    expect(await trail(petri, order.id)).toEqual([
      'ordered',
      'requisition_created',
      'appointment_pending',
      'appointment_scheduled',
    ])
    expect(sentAfter(before)).toEqual([
      ['labtest.order.updated', 'appointment_pending'],
      ['labtest.order.updated', 'appointment_scheduled'],
      ['labtest.appointment.updated', 'scheduled'],
    ])
  })

  it('sends the created event of the catalogue before the updated one', async () => {
    const order = await ready()
    const [slot] = await slotsFarAhead()
    const before = sentSoFar()
    await book(petri, 'phlebotomy', order.id, { booking_key: slot.booking_key })
    expect(sentAfter(before).map(([type]) => type)).toEqual([
      'labtest.order.updated',
      'labtest.order.updated',
      'labtest.appointment.created',
      'labtest.appointment.updated',
    ])
  })

  it.each([
    ['2099-06-15T15:00:00+00:00', '2099-06-15T17:00:00+00:00', PHOENIX, '06-15-2099 between 8 AM and 10 AM'],
    [
      '2099-06-15T17:30:00+00:00',
      '2099-06-15T19:30:00+00:00',
      PHOENIX,
      '06-15-2099 between 10:30 AM and 12:30 PM',
    ],
    [
      '2099-06-15T17:05:00+00:00',
      '2099-06-15T19:59:00+00:00',
      PHOENIX,
      '06-15-2099 between 10:05 AM and 12:59 PM',
    ],
    ['2099-06-16T06:00:00+00:00', '2099-06-16T08:00:00+00:00', PHOENIX, '06-15-2099 between 11 PM and 1 AM'],
    ['2099-06-16T07:00:00+00:00', '2099-06-16T19:00:00+00:00', PHOENIX, '06-16-2099 between 12 AM and 12 PM'],
    [
      '2099-06-15T12:00:00+00:00',
      '2099-06-15T14:00:00+00:00',
      'America/New_York',
      '06-15-2099 between 8 AM and 10 AM',
    ],
  ])('from %s to %s in %s blocks another of the patient', async (start_at, end_at, iana_timezone, when) => {
    const { order, slot, body } = await bookedVisit()
    petri.world().db.put(appointments, { ...body, start_at, end_at, iana_timezone })
    const second = await ready({ user_id: order.user_id })
    expect(await book(petri, 'phlebotomy', second.id, { booking_key: slot.booking_key })).toRefuse(
      422,
      `The patient already has an appointment with Getlabs on ${when}. Please cancel or reschedule the appointment before booking another appointment.`,
    )
    expect((await trail(petri, second.id)).at(-1)).toBe('requisition_created')
  })

  it.each([null, 'On holiday'])('cancelled with the notes %j names the reason', async (notes) => {
    const { order } = await bookedVisit()
    const { body } = await cancelVisit(order.id, notes)
    const data = { origin: 'patient', cancelation_notes: notes, cancelation_reason: NO_LONGER.name }
    expect(JSON.stringify(body.event_data)).toBe(JSON.stringify(data))
    expect(dataOf(body)).toEqual([null, null, data])
    expect(body).toMatchObject({
      status: 'cancelled',
      event_status: 'cancelled',
      appointment_notes: notes,
    })
    expect(statuses(body)).toEqual(['pending', 'scheduled', 'cancelled'])
  })

  it('can be cancelled once', async () => {
    const { order } = await bookedVisit()
    await cancelVisit(order.id)
    const before = sentSoFar()
    expect(await cancelVisit(order.id)).toRefuse(400, 'This appointment has already been cancelled.')
    expect(sentAfter(before)).toEqual([])
  })

  it('cancelled leaves its time to the other order of the patient, with the same booking key', async () => {
    const { order, slot } = await bookedVisit()
    const second = await ready({ user_id: order.user_id })
    const attempt = () => book(petri, 'phlebotomy', second.id, { booking_key: slot.booking_key })
    expect(await attempt()).toAnswer(422)
    await cancelVisit(order.id)
    const body = await ok(attempt())
    expect(body).toMatchObject({ status: 'pending', start_at: slot.start })
    expect(statuses(body)).toEqual(['pending', 'scheduled'])
  })

  it('cancelled cannot be rescheduled', async () => {
    const { order, other } = await bookedVisit()
    await cancelVisit(order.id)
    expect(
      await change(petri, 'phlebotomy', order.id, 'reschedule', { booking_key: other.booking_key }),
    ).toRefuse(400, 'Cannot reschedule a cancelled appointment')
  })

  it('leaves an order that can be cancelled, and a user who can be deleted', async () => {
    const { order } = await bookedVisit()
    await cancelVisit(order.id)
    expect(await cancelOrder(petri, order.id)).toAnswer(200, { message: 'order cancelled' })
    expect(await deleteUser(petri, order.user_id)).toAnswer(200)
  })
})

describe('an appointment at a patient service center', () => {
  it('is cancelled for the reasons of service centers only', async () => {
    const order = await orderReady(petri, 'walk_in_test')
    await book(petri, 'psc', order.id, (await pscSlots(petri))[0])
    const cancel = (cancellationReasonId: string) =>
      change(petri, 'psc', order.id, 'cancel', { cancellationReasonId })
    const atHome = await petri.read('/v3/order/phlebotomy/appointment/cancellation-reasons')
    for (const { id } of atHome) expect(await cancel(id)).toRefuse(400, 'Invalid cancellation reason id')
    expect(await cancel(PSC_OTHER)).toAnswer(200)
  })
})

describe('the texts of refusals', () => {
  it.each(['8500', '850041', 'abcde', ''])('name the ZIP code %j of an availability', async (zip_code) => {
    expect(await petri.post(AVAILABILITY, { ...visitAddress, zip_code })).toRefuse(
      422,
      valueError(['zip_code'], `Invalid zip code: ${zip_code}`, zip_code),
    )
  })

  it('take a ZIP code of nine digits', async () => {
    expect(await petri.post(AVAILABILITY, { ...visitAddress, zip_code: '85004-1234' })).toAnswer(200)
  })

  it.each([undefined, null, '', '  '])(
    'ask for notes when the reason is Other and they are %j',
    async (notes) => {
      const { order } = await bookedVisit()
      const body = { cancellation_reason_id: HOME_OTHER, notes }
      expect(await change(petri, 'phlebotomy', order.id, 'cancel', body)).toRefuse(
        400,
        "notes is required for reason 'Other'",
      )
      expect((await read(petri, 'phlebotomy', order.id)).body.status).toBe('pending')
      const noted = { ...body, notes: 'Moved' }
      expect(await change(petri, 'phlebotomy', order.id, 'cancel', noted)).toAnswer(200)
    },
  )
})

describe('with the feature visit_confirmation at_once', () => {
  beforeEach(() => setFeatures(petri, { visit_confirmation: 'at_once' }))

  it('a booked visit is confirmed, and its order scheduled without being pending', async () => {
    const order = await ready()
    const { body } = await book(petri, 'phlebotomy', order.id, (await homeSlots(petri))[0])
    expect(body).toMatchObject({ status: 'confirmed', event_status: 'scheduled' })
    expect(statuses(body)).toEqual(['scheduled'])
    expect(await trail(petri, order.id)).toEqual(['ordered', 'requisition_created', 'appointment_scheduled'])
  })

  it('an appointment at a site moves its order as ever', async () => {
    const order = await orderReady(petri, 'walk_in_test')
    const { body } = await book(petri, 'psc', order.id, (await pscSlots(petri))[0])
    expect([body.status, ...statuses(body)]).toEqual(['confirmed', 'scheduled'])
    expect((await trail(petri, order.id)).slice(-2)).toEqual(['appointment_pending', 'appointment_scheduled'])
  })
})
