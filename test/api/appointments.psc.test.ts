import { describe, expect, it } from 'vitest'
import {
  book,
  change,
  type Offer,
  orderReady,
  pscSlots,
  read,
  searchPsc,
  trail,
} from '../support/appointments.ts'
import { cancelOrder, moveOrder, orderBy, readOrder, setFeatures } from '../support/orders.ts'
import { eventsOf, forEachTest, refusal, startTestWorld } from '../support/petri.ts'

const OTHER = '226a6520-667c-495f-8500-c20722d231d0'

const petri = forEachTest()

const first = ([slot]: Offer[]) => slot as Offer
const typesSent = () =>
  eventsOf(petri)
    .map(({ event_type }) => event_type)
    .filter((type) => type.startsWith('labtest.appointment'))

interface Day {
  date: string
  location: { code: string; iana_timezone: string; distance: number | null }
  slots: Offer[]
}

describe('the calendar of patient service centers', () => {
  it('has 14 days, mornings in New York, and today from the next full hour to five', async () => {
    const { body } = await searchPsc(petri, '?lab=quest&site_codes=PHX1')
    const days: Day[] = body.slots
    expect(body.timezone).toBeNull()
    expect(days.map(({ date }) => date)).toEqual(
      Array.from({ length: 14 }, (_, at) => `2026-01-${String(5 + at).padStart(2, '0')}`),
    )
    expect(days[0]?.slots).toHaveLength(12 * 3)
    expect(days[0]?.slots[0]).toMatchObject({
      start: '2026-01-05T10:00:00+00:00',
      end: '2026-01-05T10:20:00+00:00',
      price: 0,
      is_priority: true,
      num_appointments_available: 1,
    })
    expect(days[1]?.slots).toHaveLength(15)
    expect(days[1]?.slots[0]?.start).toBe('2026-01-06T12:00:00+00:00')
    expect(days[1]?.slots.at(-1)?.end).toBe('2026-01-06T17:00:00+00:00')
    expect(days[0]?.location).toMatchObject({
      code: 'PHX1',
      iana_timezone: 'America/New_York',
      distance: null,
    })
  })

  it('uses the time zone of the site when the feature is on', async () => {
    await setFeatures(petri, { psc_time_zones: true })
    const { body } = await searchPsc(petri, '?lab=quest&site_codes=PHX1&start_date=2026-01-06')
    expect(body.slots[0]).toMatchObject({ location: { iana_timezone: 'America/Phoenix', distance: null } })
    expect(body.slots[0].slots[0].start).toBe('2026-01-06T14:00:00+00:00')
  })

  it('opens at seven local time before and after a clock change, and not on Sundays and holidays', async () => {
    await setFeatures(petri, { psc_time_zones: true })
    const { body } = await searchPsc(petri, '?lab=quest&site_codes=QNY1&start_date=2026-03-07')
    const opening = body.slots.map(({ slots }: Day) => slots[0]?.start).slice(0, 3)
    expect(opening).toEqual(['2026-03-07T12:00:00+00:00', undefined, '2026-03-09T11:00:00+00:00'])
    const july = await searchPsc(petri, '?lab=quest&site_codes=QNY1&start_date=2026-07-02')
    const open = july.body.slots.filter(({ slots }: Day) => slots.length > 0).map(({ date }: Day) => date)
    expect(open.slice(0, 3)).toEqual(['2026-07-02', '2026-07-03', '2026-07-06'])
  })

  it('shows the three nearest sites of a search by ZIP code, and takes its input as body too', async () => {
    const asQuery = await searchPsc(petri, '?lab=sonora_quest&zip_code=85004&radius=50')
    const asBody = await searchPsc(petri, '', { lab: 'sonora_quest', zip_code: '85004', radius: '50' })
    const codes = (days: Day[]) => [...new Set(days.map(({ location }) => location.code))]
    expect(codes(asQuery.body.slots)).toHaveLength(3)
    expect(asQuery.body.slots).toHaveLength(42)
    expect(codes(asBody.body.slots)).toEqual(codes(asQuery.body.slots))
  })

  it('prefers the radius of the query to that of the body', async () => {
    const sites = async (radius: string, body?: object) => {
      const { slots } = (await searchPsc(petri, `?lab=quest&zip_code=99501&radius=${radius}`, body)).body
      return new Set(slots.map(({ location }: Day) => location.code)).size
    }
    expect([await sites('10'), await sites('100')]).toEqual([1, 2])
    expect(await sites('10', { radius: '100' })).toBe(1)
    expect(await sites('100', { radius: '10' })).toBe(2)
  })

  it.each([
    ['?lab=quest', 400, 'site_codes or zip_code must be provided'],
    ['?lab=quest&zip_code=85004&radius=', 400, 'radius must be provided when using zip_code'],
    ['?lab=sonora_quest&zip_code=99901', 404, 'No slots found for zip code'],
    ['?lab=quest&site_codes=NOPE', 400, 'Location with site code NOPE not found'],
    ['?lab=quest&site_codes=QNY9', 400, 'Location with site code QNY9 is no longer active'],
    [
      '?lab=quest&site_codes=PHX1&site_codes=QNY1&site_codes=QNY2&site_codes=QCA1',
      400,
      'site_codes must be less than or equal to 3',
    ],
    [
      '?lab=quest&zip_code=85004&start_date=2026-01-04',
      400,
      'start_date must be greater or equal than the current date',
    ],
  ])('refuses %s', async (query, status, detail) => {
    expect(await searchPsc(petri, query)).toRefuse(status, detail)
  })

  it('refuses a laboratory that cannot be booked', async () => {
    const missing = await searchPsc(petri, '?zip_code=85004')
    expect(missing).toRefuse(422, [{ loc: ['query', 'lab'] }])
    expect(await searchPsc(petri, '?lab=labcorp&zip_code=85004')).toAnswer(422)
  })

  it('is refused for teams without scheduling', async () => {
    await setFeatures(petri, { psc_scheduling: false })
    const order = await orderReady(petri, 'walk_in_test')
    const closed = refusal(503, 'Feature not enabled')
    const cancelled = change(petri, 'psc', order.id, 'cancel', { cancellationReasonId: OTHER })
    expect(await read(petri, 'psc', order.id)).toMatchObject(closed)
    expect(await cancelled).toMatchObject(closed)
    expect(await searchPsc(petri, '?lab=quest&zip_code=85004')).toMatchObject(closed)
    expect(await book(petri, 'psc', order.id, { booking_key: 'x' })).toMatchObject(closed)
  })
})

describe('booking at a patient service center', () => {
  it('confirms the appointment, moves the order and sends both events', async () => {
    const order = await orderReady(petri, 'walk_in_test')
    const slot = first((await searchPsc(petri, '?lab=quest&site_codes=PHX1')).body.slots[0].slots as Offer[])
    const { body } = await book(petri, 'psc', order.id, {
      booking_key: slot.booking_key,
      appointment_notes: 'Uses a wheelchair',
    })
    expect(body).toMatchObject({
      order_id: order.id,
      user_id: order.user_id,
      order_transaction_id: order.order_transaction.id,
      type: 'patient_service_center',
      provider: 'quest',
      status: 'confirmed',
      event_status: 'scheduled',
      event_data: null,
      start_at: slot.start,
      end_at: slot.end,
      iana_timezone: 'America/New_York',
      can_reschedule: true,
      appointment_notes: 'Uses a wheelchair',
      address: { first_line: '1300 N 12th St', zip_code: '85006', unit: null },
      events: [{ status: 'scheduled', data: null }],
    })
    expect(body.external_id).toMatch(/^[A-Z]{6}$/)
    expect((await read(petri, 'psc', order.id)).body).toEqual(body)
    expect(await trail(petri, order.id)).toEqual([
      'ordered',
      'requisition_created',
      'appointment_pending',
      'appointment_scheduled',
    ])
    expect((await readOrder(petri, order.id)).details.data.appointment_id).toBe(body.id)
    expect(typesSent()).toEqual(['labtest.appointment.created', 'labtest.appointment.updated'])
  })

  it('sends no created event to teams without it', async () => {
    await setFeatures(petri, { appointment_created_events: false })
    const order = await orderReady(petri, 'walk_in_test')
    await book(petri, 'psc', order.id, first(await pscSlots(petri)))
    expect(typesSent()).toEqual(['labtest.appointment.updated'])
  })

  it('refuses keys of another world or laboratory', async () => {
    const order = await orderReady(petri, 'walk_in_test')
    const [sonora] = await pscSlots(petri, 'sonora_quest')
    const stranger = await startTestWorld({ world: { seed: '2' } })
    const foreign = first(await pscSlots(stranger))
    expect(await book(petri, 'psc', order.id, { booking_key: 'nonsense' })).toRefuse(
      400,
      'Invalid booking key format',
    )
    for (const slot of [sonora, foreign]) {
      expect(await book(petri, 'psc', order.id, slot)).toRefuse(400, 'Invalid or expired booking key')
    }
  })

  it('refuses orders that cannot have such an appointment', async () => {
    const key = { booking_key: first(await pscSlots(petri)).booking_key }
    const fresh = await orderBy(petri, 'walk_in_test')
    const visit = await orderReady(petri, 'at_home_phlebotomy')
    const done = await orderReady(petri, 'walk_in_test')
    await moveOrder(petri, done.id, 'partial_results')
    const nobody = '7e57c0de-0000-4000-8000-000000000000'
    const tries: [string, ReturnType<typeof refusal>][] = [
      [nobody, refusal(404, "This order doesn't exist.")],
      [visit.id, refusal(400, 'Order is not a walkin phlebotomy order')],
      [fresh.id, refusal(400, expect.stringMatching(/^This order does not have a requisition/))],
      [done.id, refusal(400, expect.stringMatching(/^Order is not in a state that allows booking/))],
    ]
    for (const [id, expected] of tries) expect(await book(petri, 'psc', id, key)).toMatchObject(expected)
    expect(await read(petri, 'psc', fresh.id)).toRefuse(404, 'Appointment not found.')
  })

  it('refuses laboratories the service does not book', async () => {
    const markers = (await petri.read('/v3/lab_tests/markers?lab_slug=labcorp&a_la_carte_enabled=true'))
      .markers as { id: number; type: string; aoe: unknown }[]
    const plain = markers.find(({ aoe }) => !(aoe as { questions: unknown[] } | null)?.questions?.length)
    const order = await orderReady(petri, 'walk_in_test', {
      order_set: { add_on: { marker_ids: [plain?.id] } },
      collection_method: 'walk_in_test',
    })
    const { booking_key } = first(await pscSlots(petri))
    const refused = await book(petri, 'psc', order.id, { booking_key })
    expect(refused).toRefuse(400, 'This lab is not supported.')
    expect(refused.headers.get('x-petri-hint')).toBe('appointments can be booked at quest, sonora_quest')
  })
})

describe('changing an appointment at a patient service center', () => {
  it('moves it to another time and sends the event', async () => {
    const order = await orderReady(petri, 'walk_in_test')
    const [slot, other] = (await pscSlots(petri)) as [Offer, Offer]
    await book(petri, 'psc', order.id, { ...slot, appointment_notes: 'First' })
    const { body } = await change(petri, 'psc', order.id, 'reschedule', {
      booking_key: other.booking_key,
      appointment_notes: 'Second',
    })
    const data = { origin: 'patient', is_reschedule: true }
    expect(body).toMatchObject({
      start_at: other.start,
      status: 'confirmed',
      appointment_notes: 'Second',
      event_status: 'scheduled',
      event_data: data,
      events: [{ status: 'scheduled' }, { status: 'scheduled', data }],
    })
    expect((await trail(petri, order.id)).slice(-3)).toEqual([
      'requisition_created',
      'appointment_pending',
      'appointment_scheduled',
    ])
    expect((await pscSlots(petri))[0]?.start).toBe(slot.start)
  })

  it.each([
    { cancellationReasonId: OTHER, note: 'Ill' },
    { cancellation_reason_id: OTHER, notes: 'Ill' },
  ])('cancels it, once, in either spelling', async (body) => {
    const order = await orderReady(petri, 'walk_in_test')
    await book(petri, 'psc', order.id, first(await pscSlots(petri)))
    const cancelled = await change(petri, 'psc', order.id, 'cancel', body)
    expect(cancelled.body).toMatchObject({
      status: 'cancelled',
      event_status: 'cancelled',
      can_reschedule: false,
      event_data: null,
      events: [{ data: null }, { data: null }],
      appointment_notes: 'Ill',
    })
    expect(await readOrder(petri, order.id)).toMatchObject({
      last_event: { status: 'collecting_sample.walk_in_test.appointment_cancelled' },
      details: { data: { appointment_id: null } },
    })
    expect(await change(petri, 'psc', order.id, 'cancel', body)).toRefuse(
      400,
      'This appointment has already been cancelled.',
    )
    expect((await read(petri, 'psc', order.id)).body).toEqual(cancelled.body)
    expect(await book(petri, 'psc', order.id, first(await pscSlots(petri)))).toAnswer(200)
  })

  it('refuses invalid changes', async () => {
    const order = await orderReady(petri, 'walk_in_test')
    const slot = first(await pscSlots(petri))
    const none = refusal(400, "This order doesn't have an appointment yet.")
    expect(await change(petri, 'psc', order.id, 'reschedule', slot)).toMatchObject(none)
    expect(await change(petri, 'psc', order.id, 'cancel', { cancellationReasonId: OTHER })).toMatchObject(
      none,
    )
    await book(petri, 'psc', order.id, slot)
    await moveOrder(petri, order.id, 'partial_results')
    expect((await read(petri, 'psc', order.id)).body.status).toBe('completed')
    expect(await change(petri, 'psc', order.id, 'cancel', { cancellationReasonId: OTHER })).toRefuse(
      400,
      'This appointment has been cancelled or completed.',
    )
  })

  it('keeps it when the order is cancelled, until it is cancelled itself', async () => {
    const order = await orderReady(petri, 'walk_in_test')
    await book(petri, 'psc', order.id, first(await pscSlots(petri)))
    await cancelOrder(petri, order.id)
    expect((await read(petri, 'psc', order.id)).body.status).toBe('confirmed')
    const { body } = await change(petri, 'psc', order.id, 'cancel', { cancellationReasonId: OTHER })
    expect(body.status).toBe('cancelled')
    expect((await trail(petri, order.id)).at(-1)).toBe('cancelled')
  })

  it('lists one reason', async () => {
    expect(await petri.read('/v3/order/psc/appointment/cancellation-reasons')).toEqual([
      { id: OTHER, name: 'Other', is_refundable: true },
    ])
  })
})
