import { beforeEach, describe, expect, it } from 'vitest'
import {
  cancelByPatient,
  cancelByProvider,
  completeAppointment,
  makeNextBookingTimeOut,
  moveAppointment,
  startAppointment,
  takeSlot,
} from '../../src/resources/appointments/service.ts'
import {
  askForVisit,
  book,
  change,
  homeSlots,
  orderReady,
  pscSlots,
  read,
  trail,
  visitOrderAddress,
} from '../support/appointments.ts'
import { advance, cancelOrder, createUser, moveOrder, orderBy, setFeatures } from '../support/orders.ts'
import { eventsOf, forEachTest } from '../support/petri.ts'

// What happens to an appointment without a call of the client about it: by its order, its provider or its patient.

const petri = forEachTest()

const move = (id: string, status: string) => moveOrder(petri, id, status, { force: true })
const visit = async (id: string) => (await read(petri, 'phlebotomy', id)).body
const atSite = async (id: string) => (await read(petri, 'psc', id)).body
const pending = async () => (await petri.read('/_petri/clock')).pending
/** The low status of an order. */
const lastOf = async (id: string) => (await trail(petri, id)).at(-1)
const sent = () =>
  eventsOf(petri).filter(({ event_type }) => event_type.startsWith('labtest.appointment')).length

/** An order with a visit whose time is set. */
async function visited(): Promise<string> {
  const { id } = await orderReady(petri, 'at_home_phlebotomy')
  await book(petri, 'phlebotomy', id, (await homeSlots(petri))[0])
  return id
}

/** An order with a visit whose time nobody has chosen yet. */
async function requested(): Promise<string> {
  const { id } = await orderReady(petri, 'at_home_phlebotomy')
  await askForVisit(petri, id)
  return id
}

/** An order with an appointment at a site; the first slots are the earliest. */
async function atQuest(more = {}, nth = 0): Promise<string> {
  const { id } = await orderReady(petri, 'walk_in_test')
  await book(petri, 'psc', id, { ...(await pscSlots(petri))[nth], ...more })
  return id
}

const byProvider = (reason: string | null) => ({
  origin: 'provider',
  cancelation_notes: null,
  cancelation_reason: reason,
})

/** From seven in New York. */
const isByDay = ({ start }: { readonly start: string }) => start >= '2026-01-05T12:00'

describe('an order moved manually takes its appointment along', () => {
  it.each(['draw_completed', 'partial_results', 'completed', 'sample_error'])(
    'to completed when it becomes %s',
    async (status) => {
      const id = await visited()
      await move(id, status)
      expect(await visit(id)).toMatchObject({ status: 'completed', event_data: null })
      expect(await lastOf(id)).toBe(status)
    },
  )

  it.each(['partial_results', 'completed', 'redraw_available', 'sample_error'])(
    'at a site to completed when it becomes %s, also while it is in progress',
    async (status) => {
      const one = await atQuest()
      const two = await atQuest()
      startAppointment(petri.world(), two)
      for (const id of [one, two]) {
        await move(id, status)
        expect(await atSite(id)).toMatchObject({ status: 'completed', event_data: null })
      }
    },
  )

  it('to cancelled when it was never confirmed', async () => {
    const one = await requested()
    const two = await atQuest({ async_confirmation: true })
    await move(one, 'draw_completed')
    await move(two, 'partial_results')
    for (const appointment of [await visit(one), await atSite(two)])
      expect(appointment).toMatchObject({ status: 'cancelled', event_data: byProvider(null) })
  })

  it('to cancelled by the provider when it becomes appointment_cancelled', async () => {
    const one = await visited()
    const two = await atQuest()
    for (const id of [one, two]) await move(id, 'appointment_cancelled')
    for (const appointment of [await visit(one), await atSite(two)])
      expect(appointment).toMatchObject({ status: 'cancelled', event_data: byProvider(null) })
  })

  it('to confirmed when it becomes appointment_scheduled', async () => {
    const one = await requested()
    const two = await atQuest({ async_confirmation: true })
    const waiting = await pending()
    await move(one, 'appointment_scheduled')
    await move(two, 'appointment_scheduled')
    expect(await visit(one)).toMatchObject({
      status: 'confirmed',
      start_at: '2026-01-07T19:00:00+00:00',
      end_at: '2026-01-07T21:00:00+00:00',
      external_id: null,
    })
    expect(await atSite(two)).toMatchObject({ status: 'confirmed', external_id: expect.any(String) })
    expect(await pending()).toBe(waiting - 3)
    expect((await trail(petri, two)).slice(-2)).toEqual(['requisition_created', 'appointment_scheduled'])
  })

  it('but not back from in progress', async () => {
    const id = await atQuest()
    startAppointment(petri.world(), id)
    await move(id, 'appointment_scheduled')
    expect((await atSite(id)).status).toBe('in_progress')
  })

  it('but not when it is scheduled already, nor with a status that says nothing about it', async () => {
    const one = await visited()
    const two = await atQuest()
    const before = [await visit(one), await atSite(two)]
    for (const id of [one, two])
      for (const status of ['appointment_scheduled', 'appointment_pending', 'requisition_created'])
        await move(id, status)
    expect([await visit(one), await atSite(two)]).toEqual(before)
  })

  it('and leaves one that is over as it is', async () => {
    const id = await visited()
    await move(id, 'draw_completed')
    const done = await visit(id)
    for (const status of ['appointment_cancelled', 'sample_error', 'cancelled']) await move(id, status)
    expect(await visit(id)).toEqual(done)
  })
})

describe('an order that becomes scheduled without an appointment', () => {
  it('gets a visit in the area of the patient', async () => {
    const patient_address = { ...visitOrderAddress, city: 'Atlanta', state: 'GA', zip: '30303' }
    const { id } = await orderReady(petri, 'at_home_phlebotomy', { patient_address })
    await move(id, 'appointment_scheduled')
    expect(await visit(id)).toMatchObject({
      iana_timezone: 'America/New_York',
      location: { lat: 33.75, lng: -84.39 },
      address: { zip_code: '30303' },
    })
  })

  it.each(['10001', '54650'])('gets one in another area where nobody comes at once: %s', async (zip) => {
    const patient_address = { ...visitOrderAddress, zip }
    const { id } = await orderReady(petri, 'at_home_phlebotomy', { patient_address })
    await move(id, 'appointment_scheduled')
    expect(await visit(id)).toMatchObject({ provider: 'getlabs', iana_timezone: 'America/Phoenix' })
  })

  it('gets the first free time', async () => {
    const [first, second] = (await pscSlots(petri)).filter(isByDay)
    const one = await orderReady(petri, 'walk_in_test')
    const two = await orderReady(petri, 'walk_in_test')
    for (const { id } of [one, two]) await move(id, 'appointment_scheduled')
    expect((await atSite(one.id)).start_at).toBe(first?.start)
    expect((await atSite(two.id)).start_at).toBe(second?.start)
    expect(await trail(petri, one.id)).toEqual(['ordered', 'requisition_created', 'appointment_scheduled'])
  })

  it('gets the nearest site whose appointments the service books', async () => {
    const patient_address = { ...visitOrderAddress, zip: '85544' }
    const { id } = await orderReady(petri, 'walk_in_test', { patient_address })
    await move(id, 'appointment_scheduled')
    expect((await atSite(id)).address).toMatchObject({
      state: 'AZ',
      zip_code: expect.not.stringMatching(/^855/),
    })
  })

  it('gets a site of its laboratory anywhere when the ZIP code has no place', async () => {
    const patient_address = { ...visitOrderAddress, zip: '26900' }
    const { id } = await orderReady(petri, 'walk_in_test', { patient_address })
    await move(id, 'appointment_scheduled')
    expect(await atSite(id)).toMatchObject({ provider: 'quest', address: { zip_code: '10005' } })
  })

  it('gets none at a laboratory the service does not book', async () => {
    const { markers } = (await petri.get('/v3/lab_tests/markers?lab_slug=labcorp&a_la_carte_enabled=true'))
      .body as { markers: { id: number; aoe: { questions: unknown[] } | null }[] }
    const plain = markers.find(({ aoe }) => !aoe?.questions.length)
    const order_set = { add_on: { marker_ids: [plain?.id] } }
    const { id } = await orderReady(petri, 'walk_in_test', { order_set, collection_method: 'walk_in_test' })
    expect(await move(id, 'appointment_scheduled')).toAnswer(200)
    expect(await read(petri, 'psc', id)).toAnswer(404)
    expect(cancelByProvider(petri.world(), id, 'no_show')).toBeUndefined()
    expect(await lastOf(id)).toBe('appointment_scheduled')
    expect(sent()).toBe(0)
  })
})

describe('a provider or a patient', () => {
  it('starts and completes an appointment at a site, whose order waits for the results', async () => {
    const id = await atQuest()
    const world = petri.world()
    expect(startAppointment(world, id)).toMatchObject({ status: 'in_progress', can_reschedule: false })
    expect(completeAppointment(world, id)).toMatchObject({ status: 'completed' })
    expect(await lastOf(id)).toBe('appointment_scheduled')
  })

  it('cancels it, with the reason', async () => {
    const one = await visited()
    const two = await atQuest()
    cancelByPatient(petri.world(), one)
    cancelByProvider(petri.world(), two, 'site_closed')
    expect((await visit(one)).event_data).toEqual({
      origin: 'patient',
      cancelation_notes: null,
      cancelation_reason: 'no_longer_interested',
    })
    expect((await atSite(two)).event_data).toEqual(byProvider('site_closed'))
    for (const id of [one, two]) expect(await lastOf(id)).toBe('appointment_cancelled')
  })

  it('moves it to the next free time after its own', async () => {
    const [next] = (await pscSlots(petri)).filter(isByDay)
    const [one] = [await atQuest(), await atQuest()]
    expect(moveAppointment(petri.world(), one)).toMatchObject({
      start_at: next?.start,
      event_data: { origin: 'patient', is_reschedule: true },
    })
    const offered = await homeSlots(petri)
    const id = await visited()
    expect(moveAppointment(petri.world(), id)?.start_at).toBe(offered[1]?.start)
    expect((await trail(petri, id)).slice(-2)).toEqual(['appointment_scheduled', 'appointment_scheduled'])
  })

  it('moves no appointment without a time, nor one that has begun', async () => {
    const asked = await requested()
    const begun = await atQuest()
    startAppointment(petri.world(), begun)
    const before = [await visit(asked), await atSite(begun)]
    for (const id of [asked, begun]) expect(moveAppointment(petri.world(), id)).toBeUndefined()
    expect([await visit(asked), await atSite(begun)]).toEqual(before)
  })

  it('does nothing to an order without an appointment, nor to an appointment that is over', async () => {
    const never = await orderReady(petri, 'at_home_phlebotomy')
    const done = await visited()
    await move(done, 'draw_completed')
    const before = [await trail(petri, never.id), await trail(petri, done), sent()]
    const world = petri.world()
    for (const id of [never.id, done]) {
      for (const act of [startAppointment, completeAppointment, moveAppointment, cancelByPatient])
        expect(act(world, id)).toBeUndefined()
      expect(cancelByProvider(world, id, 'no_show')).toBeUndefined()
    }
    expect([await trail(petri, never.id), await trail(petri, done), sent()]).toEqual(before)
  })

  it('neither starts nor completes a visit without a time', async () => {
    const id = await requested()
    expect(startAppointment(petri.world(), id)).toBeUndefined()
    expect(completeAppointment(petri.world(), id)).toBeUndefined()
    expect((await visit(id)).status).toBe('pending')
    expect(await lastOf(id)).toBe('appointment_pending')
  })

  it('loses the next slot when the visit has none', async () => {
    const id = await requested()
    takeSlot(petri.world(), id)
    expect((await visit(id)).status).toBe('pending')
    cancelByPatient(petri.world(), id)
    const [slot] = await homeSlots(petri)
    expect(await book(petri, 'phlebotomy', id, slot)).toAnswer(400)
  })
})

describe('a provider that does not answer', () => {
  it('is one of service centers, for one booking', async () => {
    const { id } = await orderReady(petri, 'at_home_phlebotomy')
    makeNextBookingTimeOut(petri.world(), id)
    expect(await book(petri, 'phlebotomy', id, (await homeSlots(petri))[0])).toAnswer(200)
    const order = await orderReady(petri, 'walk_in_test')
    makeNextBookingTimeOut(petri.world(), order.id)
    const [slot] = await pscSlots(petri)
    const before = [await pending(), sent()]
    expect(await book(petri, 'psc', order.id, slot)).toRefuse(
      500,
      'The provider did not confirm the appointment in time. Please try again.',
    )
    expect([await pending(), sent()]).toEqual(before)
    expect((await pscSlots(petri))[0]?.start).toBe(slot?.start)
    const later = { ...slot, async_confirmation: true }
    await book(petri, 'psc', order.id, later)
    await advance(petri, '30s')
    expect((await atSite(order.id)).status).toBe('confirmed')
  })

  it('is Sonora’s for five minutes, or for half of the time it is given', async () => {
    const { markers } = (await petri.read(
      '/v3/lab_tests/markers?lab_slug=sonora_quest&a_la_carte_enabled=true',
    )) as { markers: { id: number }[] }
    const order_set = { add_on: { marker_ids: [markers[0]?.id] } }
    const fromSonora = async (nth: number, more: object) => {
      const { id } = await orderReady(petri, 'walk_in_test', { order_set, collection_method: 'walk_in_test' })
      await book(petri, 'psc', id, { ...(await pscSlots(petri, 'sonora_quest'))[nth], ...more })
      return id
    }
    const hasty = await fromSonora(0, {
      async_confirmation: true,
      async_confirmation_timeout_millisecond: 60_000,
    })
    const usual = await fromSonora(1, {})
    const statuses = async () => [(await atSite(hasty)).status, (await atSite(usual)).status]
    await advance(petri, '29s')
    expect(await statuses()).toEqual(['reserved', 'reserved'])
    await advance(petri, '1s')
    expect(await statuses()).toEqual(['confirmed', 'reserved'])
    await advance(petri, '4m29s')
    expect(await statuses()).toEqual(['confirmed', 'reserved'])
    await advance(petri, '1s')
    expect(await statuses()).toEqual(['confirmed', 'confirmed'])
  })

  it('gives up after a quarter of an hour when nothing else is asked', async () => {
    const { id } = await orderReady(petri, 'walk_in_test')
    makeNextBookingTimeOut(petri.world(), id)
    await book(petri, 'psc', id, { ...(await pscSlots(petri)).at(-1), async_confirmation: true })
    await advance(petri, '14m59s')
    expect((await atSite(id)).status).toBe('pending')
    await advance(petri, '1s')
    expect(await atSite(id)).toMatchObject({
      status: 'cancelled',
      event_data: byProvider('confirmation_timeout'),
    })
  })

  it('does not matter before the requisition exists', async () => {
    await setFeatures(petri, { booking_before_requisition: true })
    const { id } = await orderBy(petri, 'walk_in_test')
    makeNextBookingTimeOut(petri.world(), id)
    const { status, body } = await book(petri, 'psc', id, (await pscSlots(petri)).at(-1))
    expect([status, body.status]).toEqual([200, 'reserved'])
  })
})

describe('each appointment', () => {
  it('has its own provider and code, and is among the effects of an advance', async () => {
    const one = await atQuest({ async_confirmation: true })
    const two = await atQuest({}, 1)
    const { user_id } = await atSite(one)
    const { body } = await advance(petri, '30s')
    expect(body.effects).toContainEqual(
      expect.objectContaining({ kind: 'appointment', order_id: one, user_id, status: 'scheduled' }),
    )
    const first = await atSite(one)
    const second = await atSite(two)
    expect(first.provider_id).not.toBe(second.provider_id)
    expect(first.external_id).not.toBe(second.external_id)
  })

  it('that waits for its provider is not concerned by another requisition', async () => {
    const id = await atQuest({ async_confirmation: true })
    await move(id, 'requisition_created')
    expect(await lastOf(id)).toBe('requisition_created')
    expect((await atSite(id)).status).toBe('pending')
  })

  it('is confirmed once, whatever becomes of the requisition', async () => {
    await setFeatures(petri, { booking_before_requisition: true })
    const { id } = await orderBy(petri, 'walk_in_test')
    await book(petri, 'psc', id, (await pscSlots(petri)).at(-1))
    await move(id, 'requisition_created')
    const confirmed = await atSite(id)
    await move(id, 'requisition_created')
    expect(await atSite(id)).toEqual(confirmed)
    expect(await lastOf(id)).toBe('requisition_created')
  })
})

describe('an appointment that is over', () => {
  it('waits for nothing, and leaves its order to another', async () => {
    const before = await pending()
    const id = await atQuest({ async_confirmation: true })
    expect(await pending()).toBe(before + 2)
    await change(petri, 'psc', id, 'cancel', { cancellationReasonId: '226a6520-667c-495f-8500-c20722d231d0' })
    expect(await pending()).toBe(before)
    expect(await lastOf(id)).toBe('requisition_created')
  })

  it('leaves those of other orders as they are', async () => {
    const one = await atQuest({ async_confirmation: true })
    const two = await atQuest({}, 1)
    cancelByPatient(petri.world(), one)
    await advance(petri, '1h')
    expect([(await atSite(one)).status, (await atSite(two)).status]).toEqual(['cancelled', 'confirmed'])
  })
})

describe('an order that waits for its requisition', () => {
  beforeEach(() => setFeatures(petri, { booking_before_requisition: true }))

  it('gets its visit confirmed by a bypassed requisition too', async () => {
    const { id } = await orderBy(petri, 'at_home_phlebotomy', { patient_address: visitOrderAddress })
    await book(petri, 'phlebotomy', id, (await homeSlots(petri)).at(-1))
    await move(id, 'requisition_bypassed')
    expect((await visit(id)).event_status).toBe('scheduled')
    expect(await trail(petri, id)).toEqual([
      'ordered',
      'requisition_bypassed',
      'appointment_pending',
      'appointment_scheduled',
    ])
  })

  it('becomes pending once when a visit without a time gets its requisition', async () => {
    const before = await pending()
    const { id } = await orderBy(petri, 'at_home_phlebotomy', { activate_by: '2026-02-20' })
    const waiting = (await pending()) - before
    await askForVisit(petri, id)
    expect(await pending()).toBe(before + waiting + 1)
    await move(id, 'requisition_created')
    expect(await lastOf(id)).toBe('appointment_pending')
    await move(id, 'requisition_created')
    expect(await lastOf(id)).toBe('requisition_created')
  })

  it('loses a visit two hours before the time that was chosen', async () => {
    const { id } = await orderBy(petri, 'at_home_phlebotomy', { activate_by: '2026-02-20' })
    await askForVisit(petri, id)
    await advance(petri, '1d')
    expect(await visit(id)).toMatchObject({ status: 'reserved', start_at: '2026-01-08T19:00:00+00:00' })
    await advance(petri, '55h59m')
    expect((await visit(id)).status).toBe('reserved')
    await advance(petri, '1m')
    expect(await visit(id)).toMatchObject({
      status: 'cancelled',
      event_data: byProvider('requisition_timeout'),
    })
  })

  it('is scheduled without being pending where visits are confirmed at once', async () => {
    await setFeatures(petri, { visit_confirmation: 'at_once' })
    const atHome = await orderBy(petri, 'at_home_phlebotomy', { patient_address: visitOrderAddress })
    await book(petri, 'phlebotomy', atHome.id, (await homeSlots(petri)).at(-1))
    await move(atHome.id, 'requisition_created')
    expect(await trail(petri, atHome.id)).toEqual(['ordered', 'requisition_created', 'appointment_scheduled'])
    const site = await orderBy(petri, 'walk_in_test')
    await book(petri, 'psc', site.id, (await pscSlots(petri)).at(-1))
    await move(site.id, 'requisition_created')
    expect((await trail(petri, site.id)).slice(-2)).toEqual(['appointment_pending', 'appointment_scheduled'])
  })

  it('keeps what it reserved at a site, unconfirmed, when it is cancelled', async () => {
    const { id } = await orderBy(petri, 'walk_in_test')
    await book(petri, 'psc', id, (await pscSlots(petri)).at(-1))
    await cancelOrder(petri, id)
    expect((await atSite(id)).status).toBe('reserved')
  })

  it('loses it with a reason', async () => {
    const user_id = await createUser(petri, 'late')
    const { id } = await orderBy(petri, 'at_home_phlebotomy', { user_id, patient_address: visitOrderAddress })
    await book(petri, 'phlebotomy', id, (await homeSlots(petri)).at(-1))
    await advance(petri, '8h')
    expect((await visit(id)).event_data).toEqual(byProvider('requisition_timeout'))
    expect(await trail(petri, id)).toEqual(['ordered'])
  })
})
