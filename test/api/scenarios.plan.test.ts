import { describe, expect, it } from 'vitest'
import { book, homeSlots, pscSlots } from '../support/appointments.ts'
import { field } from '../support/field.ts'
import {
  advance,
  cancelOrder,
  moveOrder,
  orderForPatient,
  orderKit,
  readDetails,
  readFollowed,
  register,
  setFeatures,
  untilIdle,
} from '../support/orders.ts'
import { forEachTest, startTestWorld } from '../support/petri.ts'
import { placeByMethod, uploadScenario } from '../support/scenarios.ts'
import { trailOf } from '../support/simulation.ts'

// What an order will go through if nobody interferes, and where it enters a scenario.

const petri = forEachTest(startTestWorld)

const put = async (name: string, method: string, steps: object[], more: object = {}) =>
  expect(await uploadScenario(petri, name, method, steps, more)).toAnswer(200)
const plannedOf = async (id: string) => (await readDetails(petri, id)).planned
const placeBy = (method: string, scenario: string) => placeByMethod(petri, method, scenario)

const at = (time: string, day = '05') => `2026-01-${day}T${time}:00.000Z`
const brief = async (id: string) =>
  (await plannedOf(id)).map(
    ({ status, due, waits_for }: { status: string; due: string | null; waits_for: string | null }) =>
      `${status.split('.').at(-1)} ${due ?? 'some time'}${waits_for ? ` after ${waits_for}` : ''}`,
  )

describe('the plan of an order', () => {
  it('has the statuses of its scenario with their instants and details', async () => {
    await put('mine', 'walk_in_test', [
      { after: '1h', status: 'requisition_created' },
      { after: '2h', status: 'cancelled', status_detail: 'fulfillment_error' },
    ])
    const id = await placeBy('walk_in_test', 'mine')
    const cancelled = {
      status: 'cancelled.walk_in_test.cancelled',
      status_detail: 'fulfillment_error',
      due: at('12:00'),
      waits_for: null,
    }
    expect(await plannedOf(id)).toEqual([
      {
        status: 'received.walk_in_test.requisition_created',
        status_detail: null,
        due: at('10:00'),
        waits_for: null,
      },
      cancelled,
    ])
    await advance(petri, '1h')
    expect(await plannedOf(id)).toEqual([cancelled])
    await advance(petri, '2h')
    expect(await plannedOf(id)).toEqual([])
  })

  it('has no instant from where it waits for the customer', async () => {
    await put('site', 'walk_in_test', [
      { after: '1h', status: 'requisition_created' },
      { await: 'appointment' },
      { after: '1h', appointment: 'start' },
      { after: '1h', appointment: 'complete' },
      { after: '1h', status: 'partial_results' },
    ])
    const id = await placeBy('walk_in_test', 'site')
    const later = ['partial_results some time']
    expect(await brief(id)).toEqual([
      `requisition_created ${at('10:00')}`,
      'appointment_pending some time after appointment',
      'appointment_scheduled some time after appointment',
      ...later,
    ])
    await untilIdle(petri)
    expect((await brief(id))[0]).toBe('appointment_pending some time after appointment')
    const [slot] = await pscSlots(petri)
    await book(petri, 'psc', id, slot)
    const [next] = await plannedOf(id)
    expect(next.status).toContain('partial_results')
    expect(next.due).not.toBeNull()
  })

  it('counts a step about an appointment that brings no status as a wait', async () => {
    await put('visit', 'at_home_phlebotomy', [
      { after: '1h', status: 'requisition_created' },
      { await: 'appointment' },
      { after: '1h', appointment: 'start' },
      { after: '2h', appointment: 'complete' },
      { after: '3h', status: 'completed' },
    ])
    const id = await placeBy('at_home_phlebotomy', 'visit')
    await untilIdle(petri)
    const [slot] = await homeSlots(petri)
    await book(petri, 'phlebotomy', id, slot)
    const plan = await plannedOf(id)
    expect(plan.map(({ status }: { status: string }) => status.split('.').at(-1))).toEqual([
      'draw_completed',
      'completed',
    ])
    const [drawn, completed] = plan.map(({ due }: { due: string }) => Date.parse(due))
    expect(completed - drawn).toBe(3 * 3_600_000)
  })

  it('has what comes between when the customer acts out of turn', { tags: 'slow' }, async () => {
    await put('kit', 'testkit', [
      { after: '1h', status: 'requisition_created', only: 'registered_kit' },
      { after: '1h', status: 'transit_customer' },
      { await: 'registration', only: 'registrable_kit' },
      { after: '1h', status: 'requisition_created', only: 'registrable_kit' },
    ])
    const kit = await orderKit(petri, { scenario: 'kit' })
    expect(await brief(kit.id)).toEqual([
      `transit_customer ${at('10:00')}`,
      'testkit_registered some time after registration',
      'requisition_created some time',
    ])
    await register(petri, kit.sample_id)
    const early = await brief(kit.id)
    expect(early).toContain(`transit_customer ${at('10:00')}`)
    expect(early.some((line: string) => line.includes('registration'))).toBe(false)
    await untilIdle(petri)
    expect(await brief(kit.id)).toEqual([])
    const bound = await orderForPatient(petri, { scenario: 'kit' })
    const plan = await brief(bound.id)
    expect(plan.map((line: string) => line.split(' ')[0])).toEqual([
      'requisition_created',
      'transit_customer',
    ])
  })

  it('follows the pace of a world that is not frozen, then without hours of work', async () => {
    const steps = [
      { after: '1h', status: 'requisition_created' },
      { after: '2h', status: 'partial_results' },
    ]
    await put('mine', 'walk_in_test', steps, { workdays: true })
    await setFeatures(petri, { working_hours: true })
    await put('by-the-hour', 'walk_in_test', steps)
    const [id, other] = [await placeBy('walk_in_test', 'mine'), await placeBy('walk_in_test', 'by-the-hour')]
    const hours = async (of = id) => {
      const [first, second] = (await plannedOf(of)).map(({ due }: { due: string }) => Date.parse(due))
      return (second - first) / 3_600_000
    }
    expect(await hours()).toBeGreaterThan(2)
    expect(await hours(other)).toBe(2)
    await petri.patch('/_petri/clock', { frozen: false, pace: 2 })
    expect(await hours()).toBe(1)
    await petri.patch('/_petri/clock', { frozen: true })
  })

  it('is empty for an order that has left its scenario or follows one without steps', async () => {
    await put('mine', 'walk_in_test', [{ after: '1h', status: 'requisition_created' }])
    const [left, manual] = [await placeBy('walk_in_test', 'mine'), await placeBy('walk_in_test', 'manual')]
    await cancelOrder(petri, left)
    expect(await plannedOf(left)).toEqual([])
    expect(await plannedOf(manual)).toEqual([])
  })
})

describe('an order enters a scenario', () => {
  const begin = (id: string, body: object) => petri.put(`/_petri/orders/${id}/scenario`, body)
  const steps = [
    { after: '1h', status: 'requisition_created' },
    { after: '2h', status: 'partial_results' },
    { after: '3h', status: 'completed' },
  ]

  it('at the first step it can take, or at the one that is named', async () => {
    await put('mine', 'walk_in_test', steps)
    const id = await placeBy('walk_in_test', 'manual')
    await begin(id, { scenario: 'mine' })
    expect(await brief(id)).toEqual([
      `requisition_created ${at('10:00')}`,
      `partial_results ${at('12:00')}`,
      `completed ${at('15:00')}`,
    ])
    await moveOrder(petri, id, 'requisition_created')
    expect(await plannedOf(id)).toEqual([])
    await begin(id, { scenario: 'mine' })
    expect(await brief(id)).toEqual([`partial_results ${at('11:00')}`, `completed ${at('14:00')}`])
    await begin(id, { scenario: 'mine', from: 'completed' })
    expect(await brief(id)).toEqual([`completed ${at('12:00')}`])
    await untilIdle(petri)
    expect((await trailOf(petri, id)).at(-1)).toBe('completed')
  })

  it('not at a step it cannot take, nor at one of another workflow', async () => {
    await put('mine', 'walk_in_test', steps)
    const id = await placeBy('walk_in_test', 'manual')
    expect(await begin(id, { scenario: 'mine', from: 'completed' })).toAnswer(409)
    expect(await begin(id, { scenario: 'mine', from: 'appointment_scheduled' })).toAnswer(409)
    await put('kit', 'testkit', [{ after: '1h', status: 'cancelled', only: 'registered_kit' }])
    const kit = await orderKit(petri, { scenario: 'manual' })
    expect(await begin(kit.id, { scenario: 'kit' })).toAnswer(409)
    const bound = await orderForPatient(petri, { scenario: 'manual' })
    expect(await begin(bound.id, { scenario: 'kit' })).toAnswer(200)
  })

  it('with the delivery and the faults of that scenario, and without those of the one before', async () => {
    const faults = [{ operation: 'GET /v3/order/{order_id}', times: 1, respond: { status: 503 } }]
    await put('mine', 'walk_in_test', steps, {
      webhook_faults: { duplicate: 1, delay: '5m', reorder: true },
      faults,
    })
    await put('plain', 'walk_in_test', steps)
    const id = await placeBy('walk_in_test', 'mine')
    const rules = async () => Object.values((await petri.read('/_petri/state')).tables.order_delivery ?? {})
    expect(await rules()).toEqual([
      { order_id: id, rules: expect.objectContaining({ duplicate: 1, delay_ms: 300_000, reorder: 2 }) },
    ])
    expect(await petri.get(`/v3/order/${id}`)).toAnswer(503)
    expect(await petri.get(`/v3/order/${id}`)).toAnswer(200)
    await begin(id, { scenario: 'plain' })
    expect(await rules()).toEqual([])
    await begin(id, { scenario: 'mine' })
    expect(await petri.get(`/v3/order/${id}`)).toAnswer(503)
  })

  it('is told which statuses it has dropped when it leaves one', async () => {
    await put('mine', 'walk_in_test', [
      ...steps.slice(0, 1),
      { await: 'appointment' },
      { after: '1h', appointment: 'no_show' },
      { after: '1h', status: 'partial_results' },
    ])
    const id = await placeBy('walk_in_test', 'mine')
    await advance(petri, '1h')
    await cancelOrder(petri, id)
    const body = await readFollowed(petri, id)
    expect(body.left_because).toBe('the order was cancelled')
    expect(body.dropped.map((status: string) => status.split('.').at(-1))).toEqual([
      'appointment_pending',
      'appointment_scheduled',
      'appointment_cancelled',
      'partial_results',
    ])
  })
})

describe('a scenario that waits for an appointment', () => {
  const check = async (...steps: object[]) => {
    const all = [{ after: '1h', status: 'requisition_created' }, ...steps]
    const { status, body } = await petri.put('/_petri/scenarios/mine', {
      name: 'mine',
      summary: 'A test.',
      method: 'walk_in_test',
      steps: all,
    })
    return status === 200 ? [] : body.detail.map(field('msg'))
  }
  const pending = { after: '1h', status: 'appointment_pending' }

  it('may do so when one is pending already', async () => {
    expect(await check({ await: 'appointment' })).toEqual([])
    expect(await check(pending, { await: 'appointment' })).toEqual([])
    expect(await check(pending, pending)).toEqual([
      expect.stringContaining('cannot become appointment_pending'),
    ])
  })

  it('says which moves are legal, and that a final status has none', async () => {
    const done = [
      { after: '1h', status: 'partial_results' },
      { after: '1h', status: 'completed' },
    ]
    const [told] = await check(...done, { after: '1h', status: 'transit_customer' })
    expect(told).toContain('transit_customer is not a status of walk_in_test')
    const [final] = await check(...done, { after: '1h', status: 'requisition_created' })
    expect(final).toContain(
      'an order that is completed (walk in test) cannot become requisition_created; legal: ',
    )
  })
})
