import { describe, expect, it } from 'vitest'
import {
  askForVisit,
  book,
  change,
  homeSlots,
  type Offer,
  offersIn,
  onalaska,
  orderReady,
  read,
  trail,
  visitAddress,
} from '../support/appointments.ts'
import { field } from '../support/field.ts'
import { advance, cancelOrder, createUser, orderBy } from '../support/orders.ts'
import { forEachTest, payloadsOf, startTestPetri } from '../support/petri.ts'
import { simulate } from '../support/simulation.ts'

const NO_LONGER = '5330c863-ac80-4316-901b-d305d0df74d5'
const AVAILABILITY = '/v3/order/phlebotomy/appointment/availability'

const petri = forEachTest(startTestPetri)

const visitOf = async ({ id }: { id: string }) => (await read(petri, 'phlebotomy', id)).body

describe('the calendar of phlebotomists', () => {
  it('has 14 days of two-hour windows at the sandbox address, the same for a seed', async () => {
    const { body } = await petri.post(AVAILABILITY, visitAddress)
    expect(body.timezone).toBe('America/Phoenix')
    expect(body.slots).toHaveLength(14)
    const slots = offersIn({ body })
    // Of five windows a day some are closed, on each day others.
    expect(slots.length).toBeGreaterThan(40)
    expect(slots.length).toBeLessThan(65)
    const hoursOf = ({ slots }: { slots: Offer[] }) => slots.map(({ start }) => start.slice(11, 16)).join()
    expect(new Set(body.slots.slice(1).map(hoursOf)).size).toBeGreaterThan(3)
    for (const { start, end } of slots) expect(Date.parse(end) - Date.parse(start)).toBe(7_200_000)
    expect(body.slots[0]).toMatchObject({ date: '2026-01-05', location: null })
    expect(slots[0]).toMatchObject({ price: 7900, is_priority: true })
    expect(slots.at(-1)).toMatchObject({ price: 3500, is_priority: false })
    const again = await startTestPetri()
    expect((await again.post(AVAILABILITY, visitAddress)).body).toEqual(body)
  })

  it('starts at the requested date, which must not be in the past', async () => {
    const { body } = await petri.post(`${AVAILABILITY}?start_date=2026-02-01`, visitAddress)
    expect(body.slots[0].date).toBe('2026-02-01')
    expect(body.slots).toHaveLength(14)
    expect(await petri.post(`${AVAILABILITY}?start_date=2026-01-04`, visitAddress)).toRefuse(
      400,
      'start_date must be greater or equal than the current date',
    )
  })

  it('is empty on Sundays and holidays', async () => {
    const { body } = await petri.post(`${AVAILABILITY}?start_date=2026-01-14`, visitAddress)
    const empty = body.slots.filter(({ slots }: { slots: Offer[] }) => slots.length === 0)
    expect(empty.map(field('date'))).toEqual(['2026-01-18', '2026-01-19', '2026-01-25'])
  })

  it('is the same for every street of a served area', async () => {
    const slots = await homeSlots(petri)
    for (const first_line of ['111 E Monroe St', '1 N Central Ave']) {
      const answer = await petri.post(AVAILABILITY, { ...visitAddress, first_line })
      expect(offersIn(answer)).toHaveLength(slots.length)
    }
  })

  it('is refused for an area without phlebotomists', async () => {
    for (const address of [onalaska, { ...visitAddress, city: 'New York', state: 'NY', zip_code: '10001' }]) {
      expect(await petri.post(AVAILABILITY, address)).toRefuse(
        400,
        'No phlebotomy appointments are available for this address',
      )
    }
  })
})

describe('booking a visit', () => {
  it('schedules the order, with the access notes', async () => {
    const order = await orderReady(petri, 'at_home_phlebotomy')
    const slot = (await homeSlots(petri))[0] as Offer
    const { body } = await book(petri, 'phlebotomy', order.id, {
      booking_key: slot.booking_key,
      appointment_notes: 'Ring twice',
    })
    expect(body).toMatchObject({
      type: 'phlebotomy',
      provider: 'getlabs',
      status: 'pending',
      event_status: 'scheduled',
      event_data: null,
      events: [
        { status: 'pending', data: null },
        { status: 'scheduled', data: null },
      ],
      can_reschedule: true,
      start_at: slot.start,
      iana_timezone: 'America/Phoenix',
      external_id: null,
      appointment_notes: 'Ring twice',
      address: { first_line: '256 West Lincoln Street', access_notes: 'Gate code 1234' },
      location: { lng: -112.075075, lat: 33.44219 },
    })
    expect(await trail(petri, order.id)).toEqual([
      'ordered',
      'requisition_created',
      'appointment_pending',
      'appointment_scheduled',
    ])
    expect(await visitOf(order)).toEqual(body)
  })

  it('is refused for orders that cannot have a visit', async () => {
    const [slot, other] = (await homeSlots(petri)) as [Offer, Offer]
    const fresh = await orderBy(petri, 'at_home_phlebotomy')
    const walkIn = await orderReady(petri, 'walk_in_test')
    const order = await orderReady(petri, 'at_home_phlebotomy')
    const attempt = (id: string, key = slot.booking_key) =>
      book(petri, 'phlebotomy', id, { booking_key: key })
    expect(await attempt(fresh.id)).toRefuse(
      400,
      "This order does not have a requisition, it's still in state ordered.",
    )
    expect(await attempt(walkIn.id)).toRefuse(404, "This order doesn't have a phlebotomy order.")
    expect(await attempt(order.id, 'nonsense')).toRefuse(400, 'Invalid or expired booking key')
    const long = { ...slot, appointment_notes: 'x'.repeat(1001) }
    expect(await book(petri, 'phlebotomy', order.id, long)).toAnswer(422)
    expect(await attempt(order.id)).toAnswer(200)
    expect(await attempt(order.id, other.booking_key)).toRefuse(
      400,
      'Appointment already booked for this order',
    )
  })

  it('fills a window up to its number of phlebotomists', async () => {
    const slots = (await petri.post(AVAILABILITY, visitAddress)).body.slots
    const { start, num_appointments_available: count } = slots[1].slots[0]
    for (let nth = 0; nth < count; nth++) {
      const user_id = await createUser(petri, `patient-${nth}`)
      const order = await orderReady(petri, 'at_home_phlebotomy', { user_id })
      const slot = (await homeSlots(petri)).find((offer) => offer.start === start)
      expect(await book(petri, 'phlebotomy', order.id, slot)).toAnswer(200)
    }
    expect((await homeSlots(petri)).some((offer) => offer.start === start)).toBe(false)
  })
})

describe('requesting a visit', () => {
  it('waits until the phlebotomist chooses a time', async () => {
    const order = await orderReady(petri, 'at_home_phlebotomy')
    const { body } = await askForVisit(petri, order.id, { appointment_notes: 'Mornings, please' })
    expect(body).toMatchObject({
      provider: 'phlebfinders',
      status: 'pending',
      event_status: 'pending',
      start_at: null,
      end_at: null,
      can_reschedule: false,
      appointment_notes: 'Mornings, please',
      address: { zip_code: '54650', access_notes: 'Gate code 1234' },
    })
    expect((await trail(petri, order.id)).at(-1)).toBe('appointment_pending')
    await advance(petri, '2d')
    const named = await visitOf(order)
    expect(named).toMatchObject({ status: 'confirmed', start_at: '2026-01-08T19:00:00+00:00' })
    expect(named.events.map(field('status'))).toEqual(['pending', 'scheduled'])
    expect((await trail(petri, order.id)).at(-1)).toBe('appointment_scheduled')
    expect(await change(petri, 'phlebotomy', order.id, 'reschedule', (await homeSlots(petri))[0])).toRefuse(
      400,
      'This appointment cannot be rescheduled.',
    )
  })

  it('is refused for areas and providers without requests', async () => {
    const order = await orderReady(petri, 'at_home_phlebotomy')
    expect(await askForVisit(petri, order.id, { provider: 'getlabs' })).toAnswer(400)
    for (const zip_code of ['85004', '10001'])
      expect(await askForVisit(petri, order.id, { address: { ...onalaska, zip_code } })).toRefuse(
        400,
        `phlebfinders does not take appointment requests for zip code ${zip_code}`,
      )
  })
})

describe('changing a visit', () => {
  it('moves it to another time', async () => {
    const order = await orderReady(petri, 'at_home_phlebotomy')
    const [slot, other] = (await homeSlots(petri)) as [Offer, Offer]
    expect(await change(petri, 'phlebotomy', order.id, 'reschedule', slot)).toRefuse(
      404,
      'No appointment for this order',
    )
    await book(petri, 'phlebotomy', order.id, slot)
    const { body } = await change(petri, 'phlebotomy', order.id, 'reschedule', other)
    const data = { origin: 'patient', is_reschedule: true }
    expect(body).toMatchObject({
      start_at: other.start,
      status: 'pending',
      event_status: 'scheduled',
      event_data: data,
      events: [{ data: null }, { data: null }, { data }],
      address: { access_notes: 'Gate code 1234' },
    })
    expect((await trail(petri, order.id)).slice(-2)).toEqual([
      'appointment_scheduled',
      'appointment_scheduled',
    ])
  })

  it('cancels it, once', async () => {
    const order = await orderReady(petri, 'at_home_phlebotomy')
    await book(petri, 'phlebotomy', order.id, (await homeSlots(petri))[0])
    const cancel = (cancellation_reason_id: string) =>
      change(petri, 'phlebotomy', order.id, 'cancel', { cancellation_reason_id })
    expect(await cancel('226a6520-667c-495f-8500-c20722d231d0')).toRefuse(
      400,
      'Invalid cancellation reason id',
    )
    const cancelled = await cancel(NO_LONGER)
    expect(cancelled.body.status).toBe('cancelled')
    expect((await trail(petri, order.id)).at(-1)).toBe('appointment_cancelled')
    expect(await visitOf(order)).toEqual(cancelled.body)
    expect(await book(petri, 'phlebotomy', order.id, (await homeSlots(petri))[1])).toAnswer(200)
  })

  it('is cancelled with its order', async () => {
    const order = await orderReady(petri, 'at_home_phlebotomy')
    await book(petri, 'phlebotomy', order.id, (await homeSlots(petri))[0])
    await cancelOrder(petri, order.id)
    expect(await visitOf(order)).toMatchObject({
      status: 'cancelled',
      event_data: { origin: 'patient', cancelation_notes: null, cancelation_reason: 'order_cancelled' },
    })
    expect((await trail(petri, order.id)).at(-1)).toBe('cancelled')
  })

  it('lists the reasons', async () => {
    const body = await petri.read('/v3/order/phlebotomy/appointment/cancellation-reasons')
    expect(body).toHaveLength(14)
    expect(body).toContainEqual({ id: NO_LONGER, name: 'No longer interested', is_refundable: true })
  })
})

describe('an order that is simulated', () => {
  it('gets a visit that matches its statuses', async () => {
    const order = await orderBy(petri, 'at_home_phlebotomy')
    const status = 'collecting_sample.at_home_phlebotomy.appointment_scheduled'
    await petri.post(`/v3/order/${order.id}/test?final_status=${status}`)
    expect(await visitOf(order)).toMatchObject({
      provider: 'getlabs',
      status: 'pending',
      event_status: 'scheduled',
    })
    const { data } = payloadsOf(petri, 'labtest.order.updated').at(-1)
    expect(data).toMatchObject({
      last_event: { status },
      details: {
        data: { appointment_id: (await visitOf(order)).id },
      },
    })
    await simulate(petri, order.id)
    expect((await visitOf(order)).status).toBe('completed')
    expect(await trail(petri, order.id)).toEqual([
      'ordered',
      'requisition_created',
      'appointment_pending',
      'appointment_scheduled',
      'draw_completed',
      'completed',
    ])
  })
})
