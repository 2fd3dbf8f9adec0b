import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { appointmentWords } from '../../src/scenarios/appointment-steps.ts'
import { change, homeSlots } from '../support/appointments.ts'
import { advance, followScenario, readFollowed, readOrder, statusesOf } from '../support/orders.ts'
import { forEachTest, startTestWorld } from '../support/petri.ts'
import { orderMarkers } from '../support/quest-reports.ts'
import { placeByMethod, scenarioNames, scenarioRefusals, uploadScenario } from '../support/scenarios.ts'

// Visits take place at their appointments.

const petri = forEachTest(startTestWorld)

const bookFirst = async (id: string) => {
  const { status, body } = await petri.post(`/_petri/orders/${id}/book`)
  expect(status).toBe(200)
  return body
}
const appointmentOf = (kind: 'psc' | 'phlebotomy', id: string) =>
  petri.read(`/v3/order/${id}/${kind}/appointment`)
const cancelVisit = async (id: string) => {
  const body = await petri.read('/v3/order/phlebotomy/appointment/cancellation-reasons')
  return change(petri, 'phlebotomy', id, 'cancel', { cancellation_reason_id: body[0].id })
}
const happened = (appointment: { events: { status: string; created_at: string }[] }, what: string) =>
  Date.parse(appointment.events.find(({ status }) => status === what)?.created_at ?? '')
const put = async (steps: object[], method = 'at_home_phlebotomy') =>
  expect(await uploadScenario(petri, 'mine', method, steps)).toAnswer(200)
const requisition = { after: '1h', status: 'requisition_created' }
const booked = { await: 'appointment' }
const start = { at: 'appointment', appointment: 'start' }
const complete = { after: '20m', appointment: 'complete' }

const hasVisit = (name: string) =>
  readFileSync(`scenarios/${name}.yaml`, 'utf8').includes('appointment: start')

describe('a bundled scenario', () => {
  it.each(
    scenarioNames().filter(
      (name) => /^(at-home|walk-in)-(?!.*(cancels|no-show))/.test(name) && hasVisit(name),
    ),
  )('starts the visit within the window of its appointment: %s', async (scenario) => {
    const isHome = scenario.startsWith('at-home')
    const id = await placeByMethod(petri, isHome ? 'at_home_phlebotomy' : 'walk_in_test', scenario)
    await advance(petri, '2h')
    // The first booking may fail; one by phone is not the customer's.
    const tries = scenario.includes('by-phone') ? 0 : 3
    for (let made = 0; made < tries; made++) await petri.post(`/_petri/orders/${id}/book`)
    await advance(petri, '60d')
    const appointment = await appointmentOf(isHome ? 'phlebotomy' : 'psc', id)
    const startedAt = happened(appointment, 'in_progress')
    expect(startedAt).toBe(Date.parse(appointment.start_at))
    expect(happened(appointment, 'completed')).toBeLessThanOrEqual(Date.parse(appointment.end_at))
  })
})

describe('a step at the appointment', () => {
  it('moves along when the customer changes the time, and waits for another one when it is cancelled', async () => {
    await put([requisition, booked, start, complete])
    const id = await placeByMethod(petri, 'at_home_phlebotomy', 'mine')
    await advance(petri, '2h')
    await bookFirst(id)
    const dueOf = () => readFollowed(petri, id)
    const first = await appointmentOf('phlebotomy', id)
    expect(Date.parse((await dueOf()).next_due)).toBe(Date.parse(first.start_at))
    await advance(petri, '1h')
    const last = (await homeSlots(petri)).at(-1)
    const moved = await change(petri, 'phlebotomy', id, 'reschedule', { booking_key: last?.booking_key })
    expect(moved).toAnswer(200)
    expect(moved.body.start_at).not.toBe(first.start_at)
    expect(Date.parse((await dueOf()).next_due)).toBe(Date.parse(moved.body.start_at))
    await cancelVisit(id)
    expect(await dueOf()).toMatchObject({ next_due: null, waits_for: 'appointment' })
    const again = await bookFirst(id)
    expect(Date.parse((await dueOf()).next_due)).toBe(Date.parse(again.start_at))
    await advance(petri, '30d')
    expect(statusesOf(await readOrder(petri, id)).at(-1)).toContain('draw_completed')
  })

  it.each([
    [{ before: 'appointment', by: '2h' }, (start: number) => start - 2 * 3_600_000],
    // One that has a time of its own keeps it.
    [{ after: '5h' }, () => Date.parse('2026-01-05T16:00:00Z')],
  ])('takes place some time before it, wherever it is moved: %j', async (when, due) => {
    await put([requisition, booked, { ...when, appointment: 'cancelled_by_patient' }])
    const id = await placeByMethod(petri, 'at_home_phlebotomy', 'mine')
    await advance(petri, '2h')
    await bookFirst(id)
    await advance(petri, '1h')
    const booking_key = (await homeSlots(petri)).at(-1)?.booking_key
    const { start_at } = (await change(petri, 'phlebotomy', id, 'reschedule', { booking_key })).body
    await advance(petri, '30d')
    const cancelled = happened(await appointmentOf('phlebotomy', id), 'cancelled')
    expect(cancelled).toBe(due(Date.parse(start_at)))
  })
})

describe('a step for an appointment that does not allow it', () => {
  it.each([
    [
      'moved before it is booked',
      ['after: 1h, appointment: moved'],
      /2 .*not booked cannot get moved; legal: slot_gone, no_answer$/,
    ],
    [
      'complete without start',
      ['await: appointment', 'after: 1h, appointment: complete'],
      /3 .*booked cannot get complete; legal: start/,
    ],
    [
      'no_show after complete',
      [
        'await: appointment',
        'at: appointment, appointment: start',
        'after: 1h, appointment: complete',
        'after: 1h, appointment: no_show',
      ],
      /5 .*completed cannot get no_show; legal: nothing/,
    ],
    ['before it is booked', ['at: appointment, appointment: start'], /2 no appointment is booked by then/],
    ['without a time', ['await: appointment', 'appointment: start'], /3 after is missing/],
    [
      'with two times',
      ['await: appointment', 'after: 1h, at: appointment, appointment: start'],
      /3 at "appointment" is not allowed here; a step takes only one of/,
    ],
    [
      'before, without how long',
      ['await: appointment', 'before: appointment, appointment: start'],
      /3 by is missing/,
    ],
  ])('is refused when the file is read: %s', (_, steps, message) => {
    const all = scenarioRefusals('at_home_phlebotomy', 'after: 1h, status: requisition_created', ...steps)
    expect(all.join('\n')).toMatch(message)
  })

  const walkIn = 'after: 1h, status: '
  it.each([
    // What can happen to an appointment, by the steps before.
    ['not booked', [], ['slot_gone', 'no_answer']],
    [
      'booked',
      ['await: appointment'],
      ['start', 'no_show', 'cancelled_by_provider', 'cancelled_by_patient', 'moved', 'slot_gone'],
    ],
    [
      'booked',
      ['await: appointment', 'after: 1h, appointment: moved'],
      ['start', 'no_show', 'cancelled_by_provider', 'cancelled_by_patient', 'moved', 'slot_gone'],
    ],
    [
      'started',
      ['await: appointment', 'at: appointment, appointment: start'],
      ['complete', 'cancelled_by_provider', 'cancelled_by_patient'],
    ],
    ['not booked', ['await: appointment', 'after: 1h, appointment: slot_gone'], ['slot_gone', 'no_answer']],
    ['not booked', ['await: appointment', `${walkIn}appointment_cancelled`], ['slot_gone', 'no_answer']],
    ...['partial_results', 'completed', 'redraw_available', 'sample_error'].map(
      (status) => ['completed', ['await: appointment', walkIn + status], []] as const,
    ),
  ] as const)('of one that is %s after %j: %j', (_, before, words) => {
    const after = appointmentWords.filter((word) => {
      const all = scenarioRefusals(
        'walk_in_test',
        `${walkIn}requisition_created`,
        ...before,
        `after: 1h, appointment: ${word}`,
      )
      return !all.some((message) => message.includes(`cannot get ${word}`))
    })
    expect(after).toEqual(words)
  })

  it('is refused for a kit', () => {
    expect(scenarioRefusals('testkit', 'at: appointment, status: transit_customer').join()).toContain(
      'orders of testkit have no appointments',
    )
  })

  it('ends an appointment that nobody had booked, if the draw is forced', async () => {
    await put([requisition, { after: '1d', status: 'draw_completed', force: true }])
    const id = await placeByMethod(petri, 'at_home_phlebotomy', 'mine')
    await advance(petri, '2d')
    const body = await petri.read(`/v3/order/${id}/phlebotomy/appointment`)
    expect(body).toMatchObject({ status: 'completed', event_status: 'completed' })
  })

  it('is listed as dropped with the reason when the order is played', async () => {
    await put([requisition, booked, { after: '1h', appointment: 'moved' }, start, complete])
    const id = await placeByMethod(petri, 'at_home_phlebotomy', 'mine')
    await advance(petri, '2h')
    await bookFirst(id)
    await cancelVisit(id)
    await advance(petri, '2h')
    expect(await readFollowed(petri, id)).toMatchObject({
      dropped: ['moved (the order has no appointment)'],
      waits_for: 'appointment',
    })
  })

  it('leaves out both parts of a report that cannot be', async () => {
    const visit = { after: '1h', appointment: 'start' }
    await put([requisition, booked, visit, complete, { after: '1h', status: 'completed', in_parts: true }])
    const id = await orderMarkers(petri, ['6399', '91891'], {
      more: { collection_method: 'at_home_phlebotomy' },
    })
    await followScenario(petri, id, 'mine')
    await advance(petri, '1h')
    await bookFirst(id)
    await cancelVisit(id)
    await advance(petri, '1d')
    expect(await readFollowed(petri, id)).toMatchObject({
      dropped: [
        'start (the order has no appointment)',
        'complete (the order has no appointment)',
        'partial_results (the order is appointment_cancelled)',
      ],
      next_due: null,
    })
  })
})
