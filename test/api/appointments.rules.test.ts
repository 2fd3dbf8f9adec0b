import { beforeEach, describe, expect, it } from 'vitest'
import { takeSlot } from '../../src/resources/appointments/service.ts'
import {
  askForVisit,
  book,
  change,
  homeSlots,
  type Kind,
  type Offer,
  offersIn,
  onalaska,
  orderReady,
  pscSlots,
  read,
  searchPsc,
  trail,
  visitAddress,
  visitOrderAddress,
} from '../support/appointments.ts'
import {
  address,
  advance,
  cancelOrder,
  createUser,
  importedOrder,
  moveOrder,
  orderBy,
  patient,
  setFeatures,
} from '../support/orders.ts'
import { forEachTest, refusal, startTestWorld } from '../support/petri.ts'
import { simulate } from '../support/simulation.ts'

// Each rule at its boundary, and where it must not fire. Other tests make the rules fire: appointments.home, .psc and .waiting.

const NO_LONGER = '5330c863-ac80-4316-901b-d305d0df74d5'
const PSC_OTHER = '226a6520-667c-495f-8500-c20722d231d0'
const INVALID = refusal(400, 'Invalid or expired booking key')
const GONE = refusal(400, 'This appointment slot is no longer available. Please select a new time.')

const petri = forEachTest()

const readyWalkIn = () => orderReady(petri, 'walk_in_test')
const twoWalkIns = async () => [await readyWalkIn(), await readyWalkIn()] as const
const readyVisit = () => orderReady(petri, 'at_home_phlebotomy')
const statusOf = async (kind: Kind, id: string) => (await read(petri, kind, id)).body.status
async function statusAfter(by: string, kind: Kind, id: string) {
  await advance(petri, by)
  return statusOf(kind, id)
}
const bookHome = async (id: string, at = 0) => book(petri, 'phlebotomy', id, (await homeSlots(petri))[at])
const bookPsc = async (id: string, at = 0) => book(petri, 'psc', id, (await pscSlots(petri))[at])
const bookPscAt = async (id: string, start: string) =>
  book(
    petri,
    'psc',
    id,
    (await pscSlots(petri)).find((offer) => offer.start === start),
  )
const cancelHome = (id: string, cancellation_reason_id = NO_LONGER, notes?: string) =>
  change(petri, 'phlebotomy', id, 'cancel', { cancellation_reason_id, notes })

describe('the age of a patient', () => {
  const { first_name, last_name, phone_number } = patient
  const { receiver_name: _, ...home } = address
  const medical_proxy = { first_name, last_name, phone_number, address: home }
  const born = (dob: string) => ({ patient_details: { ...patient, dob, medical_proxy } })
  beforeEach(() => setFeatures(petri, { minor_ordering: true }))

  it('allows a visit from the eighteenth birthday on', async () => {
    const minor = await orderReady(petri, 'at_home_phlebotomy', born('2008-01-06'))
    const adult = await orderReady(petri, 'at_home_phlebotomy', born('2008-01-05'))
    expect(await bookHome(minor.id)).toRefuse(400, expect.stringContaining('under 18'))
    expect(await bookHome(adult.id)).toAnswer(200)
    await cancelHome(adult.id)
    await advance(petri, '1d')
    expect(await bookHome(minor.id)).toAnswer(200)
  })

  it('does not matter at a patient service center', async () => {
    const minor = await orderReady(petri, 'walk_in_test', born('2015-01-01'))
    expect(await bookPsc(minor.id)).toAnswer(200)
  })
})

describe('one visit per patient and provider', () => {
  it('allows other patients, and the same patient with another provider', async () => {
    const order = await readyVisit()
    expect(await bookHome(order.id)).toAnswer(200)
    const other = await createUser(petri, 'other')
    const theirs = await orderReady(petri, 'at_home_phlebotomy', { user_id: other })
    expect(await bookHome(theirs.id)).toAnswer(200)
    const second = await readyVisit()
    expect(await bookHome(second.id)).toRefuse(
      422,
      expect.stringMatching(/^The patient already has an appointment with Getlabs on /),
    )
    expect(await askForVisit(petri, second.id)).toAnswer(200)
    const third = await readyVisit()
    expect(await askForVisit(petri, third.id)).toRefuse(
      422,
      'The patient already has an appointment with Phlebfinders. Please cancel or reschedule the appointment before booking another appointment.',
    )
  })

  it('ignores appointments that are over', async () => {
    const one = await readyVisit()
    const two = await readyVisit()
    const three = await readyVisit()
    await bookHome(one.id)
    await cancelHome(one.id)
    expect(await bookHome(two.id)).toAnswer(200)
    await moveOrder(petri, two.id, 'draw_completed')
    expect(await bookHome(three.id)).toAnswer(200)
  })

  it('does not apply at patient service centers', { tags: 'slow' }, async () => {
    const [one, two] = await twoWalkIns()
    const visit = await readyVisit()
    expect(await bookHome(visit.id)).toAnswer(200)
    expect(await bookPsc(one.id)).toAnswer(200)
    expect(await bookPsc(two.id)).toAnswer(200)
  })
})

describe('a booking key', () => {
  it('is valid for half an hour, its last instant excluded', async () => {
    const [one, two] = (await pscSlots(petri)).slice(9) as [Offer, Offer]
    expect(one.expires_at).toBe('2026-01-05T09:30:00+00:00')
    const first = await readyWalkIn()
    const second = await readyWalkIn()
    await advance(petri, '29m59s')
    expect(await book(petri, 'psc', first.id, one)).toAnswer(200)
    await advance(petri, '1s')
    expect(await book(petri, 'psc', second.id, two)).toMatchObject(INVALID)
  })

  it('of a visit books no service center, nor the other way round', async () => {
    const walkIn = await readyWalkIn()
    const visit = await readyVisit()
    const [atHome] = await homeSlots(petri)
    const [atSite] = await pscSlots(petri)
    expect(await book(petri, 'psc', walkIn.id, atHome)).toMatchObject(INVALID)
    expect(await book(petri, 'phlebotomy', visit.id, atSite)).toMatchObject(INVALID)
  })

  it('with anything before, after or in it is none', async () => {
    const { id } = await readyWalkIn()
    const key = Buffer.from((await pscSlots(petri))[0]?.booking_key ?? '', 'base64url').toString()
    const answerTo = (text: string) =>
      book(petri, 'psc', id, { booking_key: Buffer.from(text).toString('base64url') })
    for (const text of [`x${key}`, `${key}0`, key.slice(0, -1), key.replace('@', '|')])
      expect(await answerTo(text)).toRefuse(400, 'Invalid booking key format')
    for (const text of [key.replace('@', '@1'), key.replace(/.$/, (last) => (last === '0' ? '1' : '0'))])
      expect(await answerTo(text)).toMatchObject(INVALID)
    expect(await answerTo(key)).toAnswer(200)
  })

  it('that was refused for another reason can still be used', async () => {
    const [slot] = await pscSlots(petri)
    const fresh = await orderBy(petri, 'walk_in_test')
    expect(await book(petri, 'psc', fresh.id, slot)).toAnswer(400)
    await moveOrder(petri, fresh.id, 'requisition_created')
    expect(await book(petri, 'psc', fresh.id, slot)).toAnswer(200)
  })

  it('can be used again for as long as it is valid', async () => {
    const order = await readyWalkIn()
    const [slot, other] = (await pscSlots(petri)) as [Offer, Offer]
    await book(petri, 'psc', order.id, slot)
    for (const { booking_key } of [other, other, slot])
      expect(await change(petri, 'psc', order.id, 'reschedule', { booking_key })).toAnswer(200)
  })
})

describe('a slot', () => {
  it('can be booked until it starts', async () => {
    const start = '2026-01-05T10:00:00+00:00'
    const [one, two] = await twoWalkIns()
    await advance(petri, '31m')
    const early = (await pscSlots(petri)).filter((offer) => offer.start === start)
    await advance(petri, '28m59s')
    expect(await book(petri, 'psc', one.id, early[0])).toAnswer(200)
    await advance(petri, '1s')
    await change(petri, 'psc', one.id, 'cancel', { cancellationReasonId: PSC_OTHER })
    const late = await startTestWorld()
    const other = await orderReady(late, 'walk_in_test')
    await advance(late, '31m')
    const [offer] = await pscSlots(late)
    expect(offer?.start).toBe(start)
    await advance(late, '29m')
    expect(await book(late, 'psc', other.id, offer)).toMatchObject(GONE)
    expect((await pscSlots(petri)).some((each) => each.start === start)).toBe(false)
    expect(await bookPsc(two.id)).toAnswer(200)
  })

  it('that is booked leaves the others free, and is free again after a cancellation', async () => {
    const slots = await pscSlots(petri)
    const again = await pscSlots(petri)
    const [one, two] = await twoWalkIns()
    expect(again[0]?.booking_key).not.toBe(slots[0]?.booking_key)
    await book(petri, 'psc', one.id, slots[0])
    expect(await book(petri, 'psc', two.id, again[0])).toMatchObject(GONE)
    await setFeatures(petri, { parity: 'production' })
    expect(await book(petri, 'psc', two.id, again[0])).toAnswer(404)
    expect(await book(petri, 'psc', two.id, again[1])).toAnswer(200)
    await change(petri, 'psc', one.id, 'cancel', { cancellationReasonId: PSC_OTHER })
    expect((await pscSlots(petri))[0]?.start).toBe(slots[0]?.start)
    expect((await bookPsc(one.id)).body.start_at).toBe(slots[0]?.start)
  })

  it('taken by another patient after it was booked stays taken, for every order', async () => {
    const [one, two] = await twoWalkIns()
    const [slot, other] = (await pscSlots(petri)) as [Offer, Offer]
    const spare = await pscSlots(petri)
    await book(petri, 'psc', one.id, slot)
    takeSlot(petri.world(), one.id)
    expect((await read(petri, 'psc', one.id)).body).toMatchObject({
      status: 'cancelled',
      event_data: { origin: 'provider', cancelation_reason: 'slot_no_longer_available' },
    })
    expect((await trail(petri, one.id)).at(-1)).toBe('appointment_cancelled')
    expect((await pscSlots(petri))[0]?.start).toBe(other.start)
    for (const { id } of [one, two]) expect(await book(petri, 'psc', id, spare[0])).toMatchObject(GONE)
  })

  it('taken while it is being booked is lost once', async () => {
    const order = await readyWalkIn()
    takeSlot(petri.world(), order.id)
    const slots = await pscSlots(petri)
    expect(await book(petri, 'psc', order.id, slots[0])).toMatchObject(GONE)
    expect(await book(petri, 'psc', order.id, slots[1])).toAnswer(200)
    expect((await pscSlots(petri))[0]?.start).toBe(slots[2]?.start)
  })

  it('can be booked again by the order that holds it, and by no other', async () => {
    const [one, two] = await twoWalkIns()
    const first = await pscSlots(petri)
    const again = await pscSlots(petri)
    const third = await pscSlots(petri)
    await book(petri, 'psc', one.id, first[0])
    await book(petri, 'psc', two.id, first[1])
    const { status, body } = await change(petri, 'psc', one.id, 'reschedule', again[0])
    expect([status, body.start_at]).toEqual([200, first[0]?.start])
    expect(await change(petri, 'psc', two.id, 'reschedule', third[0])).toMatchObject(GONE)
    expect((await read(petri, 'psc', two.id)).body.start_at).toBe(first[1]?.start)
  })

  it('at home costs more when it begins in less than two days', async () => {
    const offers = async () => (await homeSlots(petri)) as (Offer & { price: number })[]
    const limit = Date.parse('2026-01-07T09:00:00Z')
    const later = (await offers()).find(({ start }) => Date.parse(start) > limit)
    await advance(petri, `${Date.parse(later?.start ?? '') - limit}ms`)
    for (const { start, price } of await offers())
      expect([start, price]).toEqual([start, start < (later?.start ?? '') ? 7900 : 3500])
  })

  it('at home begins between seven and three, local time, for one to three patients', async () => {
    const { body } = await petri.post('/v3/order/phlebotomy/appointment/availability', {
      ...visitAddress,
      city: 'Anchorage',
      state: 'AK',
      zip_code: '99501',
    })
    expect(body.timezone).toBe('America/Anchorage')
    const slots = offersIn({ body }) as (Offer & { num_appointments_available: number })[]
    const hours = new Set(slots.map(({ start }) => start.slice(11, 16)))
    expect([...hours].sort()).toEqual(['00:00', '16:00', '18:00', '20:00', '22:00'])
    const places = new Set(slots.map((slot) => slot.num_appointments_available))
    expect([...places].sort()).toEqual([1, 2, 3])
  })

  it('at home is offered only while it lies ahead', async () => {
    const [first] = (await homeSlots(petri)) as [Offer]
    await petri.post('/_petri/clock/advance', { to: first.start })
    expect((await homeSlots(petri)).map(({ start }) => start)).not.toContain(first.start)
  })
})

describe('the search for a patient service center', () => {
  it('accepts three sites, and today as the first day', async () => {
    const sites = 'site_codes=PHX1&site_codes=QNY1&site_codes=QNY2'
    expect(await searchPsc(petri, `?lab=quest&${sites}&start_date=2026-01-05`)).toAnswer(200)
  })

  it('begins with the day it is in New York, and a visit with the day it is there', async () => {
    const late = await startTestWorld({ world: { now: Date.parse('2026-01-05T05:30:00Z') } })
    const psc = await searchPsc(late, '?lab=quest&zip_code=85004')
    expect(psc.body.slots[0].date).toBe('2026-01-05')
    const path = '/v3/order/phlebotomy/appointment/availability'
    const visit = await late.post(`${path}?start_date=2026-01-04`, visitAddress)
    expect([visit.status, visit.body.slots[0].date]).toEqual([200, '2026-01-04'])
    expect((await late.post(path, visitAddress)).body.slots[0].date).toBe('2026-01-04')
    expect(await searchPsc(late, '?lab=quest&zip_code=85004&start_date=2026-01-04')).toAnswer(400)
  })

  it('lists the days of all its sites in order', async () => {
    const { body } = await searchPsc(petri, '?lab=quest&site_codes=PHX1&site_codes=QNY1')
    const days = body.slots.map(({ date, location }: { date: string; location: { code: string } }) => [
      date,
      location.code,
    ])
    expect(days.slice(0, 4)).toEqual([
      ['2026-01-05', 'PHX1'],
      ['2026-01-05', 'QNY1'],
      ['2026-01-06', 'PHX1'],
      ['2026-01-06', 'QNY1'],
    ])
  })

  it('leaves out sites that take no bookings from the service', async () => {
    const search = (codes: string) => searchPsc(petri, `?lab=sonora_quest&${codes}`)
    expect(await search('site_codes=1TZ1')).toRefuse(
      404,
      'No slots found. Not all PSCs support scheduling through the API.',
    )
    const { body } = await search('site_codes=1TZ1&site_codes=PHX1')
    const codes = body.slots.map(({ location }: { location: { code: string } }) => location.code)
    expect(new Set(codes)).toEqual(new Set(['PHX1']))
  })

  it('shows today until four, New York time', async () => {
    const slotsToday = async () => {
      const { body } = await searchPsc(petri, '?lab=quest&zip_code=85004')
      return body.slots[0].slots.length
    }
    await advance(petri, '11h59m')
    expect(await slotsToday()).toBe(3)
    await advance(petri, '1m')
    expect(await slotsToday()).toBe(0)
  })

  it('with sites needs no radius, and without takes twenty-five miles', async () => {
    expect(await searchPsc(petri, '?lab=quest&site_codes=PHX1&radius=')).toAnswer(200)
    const usual = await searchPsc(petri, '?lab=quest&zip_code=85004')
    const given = await searchPsc(petri, '?lab=quest&zip_code=85004&radius=25')
    const codes = (answer: typeof usual) =>
      answer.body.slots.map(({ location }: { location: { code: string } }) => location.code)
    expect(codes(usual)).toEqual(codes(given))
  })

  it('is up to date unless it may be stale, for some more minutes', async () => {
    const order = await readyWalkIn()
    await advance(petri, '1m')
    const [slot, next] = (await pscSlots(petri)) as [Offer, Offer]
    await book(petri, 'psc', order.id, slot)
    const firstOf = async (query: string, body?: object) => {
      const answer = await searchPsc(petri, `?lab=quest&zip_code=85004${query}`, body)
      return answer.body.slots[0].slots[0].start
    }
    expect(await firstOf('')).toBe(next.start)
    expect(await firstOf('&allow_stale=false')).toBe(next.start)
    expect(await firstOf('&allow_stale=true')).toBe(slot.start)
    expect(await firstOf('', { allow_stale: true })).toBe(slot.start)
    await advance(petri, '5m')
    expect(await firstOf('&allow_stale=true')).toBe(next.start)
  })
})

describe('an order', () => {
  it('that was imported has no requisition to wait for', async () => {
    const imported = await petri.post('/v3/order/import', await importedOrder(petri))
    expect((await bookPsc(imported.body.order.id)).body.status).toBe('confirmed')
  })

  it('whose requisition is bypassed has no sample ID, which a service center needs and a visit does not', async () => {
    const atSite = await orderBy(petri, 'walk_in_test')
    const atHome = await orderBy(petri, 'at_home_phlebotomy')
    for (const { id } of [atSite, atHome]) await moveOrder(petri, id, 'requisition_bypassed')
    expect(await bookPsc(atSite.id)).toRefuse(400, 'Order does not have a sample ID yet.')
    expect(await bookHome(atHome.id)).toAnswer(200)
  })

  it('that has gone on without its appointment keeps it as it is', async () => {
    const atSite = await readyWalkIn()
    const atHome = await readyVisit()
    await bookPsc(atSite.id)
    await bookHome(atHome.id)
    for (const { id } of [atSite, atHome]) await moveOrder(petri, id, 'corrected', { force: true })
    const cancelled = await change(petri, 'psc', atSite.id, 'cancel', { cancellationReasonId: PSC_OTHER })
    const [slot] = await homeSlots(petri)
    const moved = await change(petri, 'phlebotomy', atHome.id, 'reschedule', slot)
    expect(cancelled).toRefuse(400, 'Order is not in a state that allows cancelling: corrected')
    expect(moved).toRefuse(400, 'Order is not in a state that allows rescheduling: corrected')
    expect(await statusOf('psc', atSite.id)).toBe('confirmed')
  })

  it('that is cancelled or over cannot be booked for', async () => {
    const cancelled = await readyWalkIn()
    const done = await readyWalkIn()
    await cancelOrder(petri, cancelled.id)
    await simulate(petri, done.id)
    expect(await bookPsc(cancelled.id)).toRefuse(
      400,
      'Order is not in a state that allows booking: cancelled',
    )
    expect(await bookPsc(done.id)).toRefuse(400, 'Order is not in a state that allows booking: completed')
  })

  it('of another method is not found by either kind of appointment', async () => {
    const onSite = await orderBy(petri, 'on_site_collection')
    expect((await read(petri, 'psc', onSite.id)).body.detail).toBe(
      'This order is not a walk-in phlebotomy order.',
    )
    expect((await read(petri, 'phlebotomy', onSite.id)).body.detail).toBe(
      "This order doesn't have a phlebotomy order.",
    )
  })

  it('is booked at home by a team without scheduling at service centers', async () => {
    await setFeatures(petri, { psc_scheduling: false })
    const { id } = await readyVisit()
    expect(await bookHome(id)).toAnswer(200)
    expect(await read(petri, 'phlebotomy', id)).toAnswer(200)
  })
})

describe('a request for a visit', () => {
  it('needs a digit in its street line, anywhere', async () => {
    const order = await readyVisit()
    const from = (first_line: string) =>
      askForVisit(petri, order.id, { address: { ...onalaska, first_line } })
    expect(await from('Main Street')).toRefuse(400, 'The address must have a street number')
    expect(await from('Main Street 1a')).toAnswer(200)
  })

  it('keeps its own access notes before those of the order', async () => {
    const order = await readyVisit()
    const own = await askForVisit(petri, order.id, { address: { ...onalaska, access_notes: 'Side door' } })
    expect(own.body.address).toMatchObject({ access_notes: 'Side door', country: 'United States' })
  })

  it('names a time at work two days after it is chosen, on the hour', async () => {
    const order = await readyVisit()
    await advance(petri, '20m')
    await askForVisit(petri, order.id)
    expect(await statusAfter('23h59m', 'phlebotomy', order.id)).toBe('pending')
    await advance(petri, '1m')
    expect((await read(petri, 'phlebotomy', order.id)).body).toMatchObject({
      status: 'confirmed',
      start_at: '2026-01-08T19:00:00+00:00',
      end_at: '2026-01-08T21:00:00+00:00',
    })
  })

  it('before the requisition is reserved once a time is chosen, and confirmed with the requisition', async () => {
    await setFeatures(petri, { booking_before_requisition: true })
    const order = await orderBy(petri, 'at_home_phlebotomy', { activate_by: '2026-01-20' })
    expect((await askForVisit(petri, order.id)).body).toMatchObject({ status: 'pending', start_at: null })
    expect(await trail(petri, order.id)).toEqual(['ordered'])
    await advance(petri, '1d')
    const reserved = (await read(petri, 'phlebotomy', order.id)).body
    expect(reserved).toMatchObject({ status: 'reserved', start_at: expect.any(String) })
    expect(await trail(petri, order.id)).toEqual(['ordered'])
    await moveOrder(petri, order.id, 'requisition_created')
    expect((await read(petri, 'phlebotomy', order.id)).body).toMatchObject({
      status: 'confirmed',
      start_at: reserved.start_at,
    })
    expect((await trail(petri, order.id)).at(-1)).toBe('appointment_scheduled')
  })

  it('whose requisition does not come is cancelled eight hours after the order', async () => {
    await setFeatures(petri, { booking_before_requisition: true })
    const order = await orderBy(petri, 'at_home_phlebotomy')
    await advance(petri, '1h')
    await askForVisit(petri, order.id)
    expect(await statusAfter('6h59m', 'phlebotomy', order.id)).toBe('pending')
    await advance(petri, '1m')
    expect((await read(petri, 'phlebotomy', order.id)).body).toMatchObject({
      status: 'cancelled',
      event_data: { origin: 'provider', cancelation_reason: 'requisition_timeout' },
    })
  })

  it('whose requisition comes before its time stays pending', async () => {
    await setFeatures(petri, { booking_before_requisition: true })
    const order = await orderBy(petri, 'at_home_phlebotomy')
    await askForVisit(petri, order.id)
    await moveOrder(petri, order.id, 'requisition_created')
    expect((await trail(petri, order.id)).at(-1)).toBe('appointment_pending')
    expect(await statusAfter('8h', 'phlebotomy', order.id)).toBe('pending')
    expect(await statusAfter('16h', 'phlebotomy', order.id)).toBe('confirmed')
  })
})

describe('a reservation', () => {
  beforeEach(() => setFeatures(petri, { booking_before_requisition: true }))

  it('of a scheduled order is kept past eight hours', async () => {
    const order = await orderBy(petri, 'at_home_phlebotomy', {
      patient_address: visitOrderAddress,
      activate_by: '2026-01-10',
    })
    await book(petri, 'phlebotomy', order.id, (await homeSlots(petri)).at(-1))
    expect(await statusAfter('3d', 'phlebotomy', order.id)).toBe('reserved')
  })

  it('counts the eight hours from the order, not from the booking', async () => {
    const order = await orderBy(petri, 'at_home_phlebotomy', { patient_address: visitOrderAddress })
    await advance(petri, '5h')
    await book(petri, 'phlebotomy', order.id, (await homeSlots(petri)).at(-1))
    expect(await statusAfter('2h59m', 'phlebotomy', order.id)).toBe('reserved')
    expect(await statusAfter('1m', 'phlebotomy', order.id)).toBe('cancelled')
  })

  it('that is moved is released two hours before its new time', async () => {
    const order = await orderBy(petri, 'walk_in_test')
    await bookPscAt(order.id, '2026-01-05T13:00:00+00:00')
    const later = (await pscSlots(petri)).find(({ start }) => start === '2026-01-05T16:00:00+00:00')
    expect((await change(petri, 'psc', order.id, 'reschedule', later)).body.status).toBe('reserved')
    expect(await statusAfter('4h59m', 'psc', order.id)).toBe('reserved')
    expect(await statusAfter('1m', 'psc', order.id)).toBe('cancelled')
  })

  it('is confirmed by a requisition that comes in time, and then kept', async () => {
    const order = await orderBy(petri, 'walk_in_test')
    await bookPscAt(order.id, '2026-01-05T13:00:00+00:00')
    await moveOrder(petri, order.id, 'requisition_created')
    expect(await statusAfter('3h', 'psc', order.id)).toBe('confirmed')
    expect(await statusAfter('12h', 'psc', order.id)).toBe('confirmed')
  })
})

describe('asynchronous confirmation', () => {
  it.each([
    ['sync_confirmation_timeout_millisecond', 1000, 10_000],
    ['async_confirmation_timeout_millisecond', 60_000, 172_800_000],
  ])('takes %s from %d to %d', async (name, least, most) => {
    const [first, second] = await pscSlots(petri)
    const statusOf = async (slot: Offer | undefined, timeout: number) => {
      const { id } = await readyWalkIn()
      return (await book(petri, 'psc', id, { ...slot, [name]: timeout })).status
    }
    expect([await statusOf(first, least - 1), await statusOf(first, most + 1)]).toEqual([422, 422])
    expect([await statusOf(first, least), await statusOf(second, most)]).toEqual([200, 200])
  })

  it('is kept after its deadline once it has come', async () => {
    const order = await readyWalkIn()
    const slot = (await pscSlots(petri)).at(-1)
    const wait = { async_confirmation: true, async_confirmation_timeout_millisecond: 60_000 }
    await book(petri, 'psc', order.id, { ...slot, ...wait })
    expect(await statusAfter('29s', 'psc', order.id)).toBe('pending')
    expect(await statusAfter('1s', 'psc', order.id)).toBe('confirmed')
    expect(await statusAfter('1h', 'psc', order.id)).toBe('confirmed')
  })

  it('is not waited for at home', async () => {
    const order = await readyVisit()
    const [slot] = await homeSlots(petri)
    const { body } = await book(petri, 'phlebotomy', order.id, { ...slot, async_confirmation: true })
    expect(body.event_status).toBe('scheduled')
  })
})

describe('a cancellation', () => {
  it('at a service center needs none', async () => {
    const { id } = await readyWalkIn()
    await bookPsc(id)
    const { status, body } = await change(petri, 'psc', id, 'cancel', { cancellationReasonId: PSC_OTHER })
    expect([status, body.appointment_notes]).toEqual([200, null])
  })
})

describe('a reschedule', () => {
  it('keeps the notes it is not given, and takes those it is', async () => {
    const { id } = await readyVisit()
    const [one, two, three] = (await homeSlots(petri)) as [Offer, Offer, Offer]
    await book(petri, 'phlebotomy', id, { ...one, appointment_notes: 'First' })
    const to = (body: object) => change(petri, 'phlebotomy', id, 'reschedule', body)
    expect((await to({ booking_key: two.booking_key })).body.appointment_notes).toBe('First')
    const noted = { booking_key: three.booking_key, appointment_notes: 'Second' }
    expect((await to(noted)).body.appointment_notes).toBe('Second')
  })

  it('at a service center leaves the status of its order, whatever it is', async () => {
    const { id } = await readyWalkIn()
    await bookPsc(id)
    await moveOrder(petri, id, 'appointment_pending')
    const before = await trail(petri, id)
    expect(await change(petri, 'psc', id, 'reschedule', (await pscSlots(petri))[3])).toAnswer(200)
    expect(await trail(petri, id)).toEqual(before)
  })

  it('at another site moves the appointment there', async () => {
    const { id } = await readyWalkIn()
    await bookPsc(id)
    const { body } = await searchPsc(petri, '?lab=quest&site_codes=QNY1')
    const [day] = body.slots
    const moved = await change(petri, 'psc', id, 'reschedule', day.slots[0])
    expect(moved.body).toMatchObject({
      address: { first_line: day.location.address.first_line },
      location: day.location.location,
    })
  })

  it('is refused once blood is drawn', async () => {
    const { id } = await readyVisit()
    await bookHome(id)
    await moveOrder(petri, id, 'draw_completed')
    const slot = (await homeSlots(petri))[3]
    expect(await change(petri, 'phlebotomy', id, 'reschedule', slot)).toRefuse(
      400,
      'This appointment has been cancelled or completed.',
    )
  })

  it('is refused for an order that was cancelled, whose appointment at a site stays', async () => {
    const { id } = await readyWalkIn()
    await bookPsc(id)
    await cancelOrder(petri, id)
    const slot = (await pscSlots(petri))[3]
    expect(await change(petri, 'psc', id, 'reschedule', slot)).toRefuse(
      400,
      'Order is not in a state that allows rescheduling: cancelled',
    )
  })
})
