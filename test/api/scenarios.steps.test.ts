import { beforeEach, describe, expect, it } from 'vitest'
import { book, homeSlots, pscSlots } from '../support/appointments.ts'
import {
  advance,
  cancelOrder,
  orderForPatient,
  orderKit,
  readDetails,
  readFollowed,
  readOrder,
  register,
  setFeatures,
  statusesOf,
  untilIdle,
} from '../support/orders.ts'
import { startTestPetri, startTestWorld, type TestPetri } from '../support/petri.ts'
import { placeByMethod, uploadScenario } from '../support/scenarios.ts'

// How an order goes through the steps of its scenario when it is moved, or moves, outside of them.

let petri: TestPetri
beforeEach(async () => {
  petri = await startTestWorld()
})

const put = async (name: string, method: string, steps: object[]) =>
  expect(await uploadScenario(petri, name, method, steps)).toAnswer(200)
const begin = (id: string, body: object) => petri.put(`/_petri/orders/${id}/scenario`, body)
const move = (id: string, body: object) => petri.post(`/_petri/orders/${id}/move`, body)
const lowOf = (status: string) => status.split('.').at(-1) ?? ''
const trailOf = async (id: string) =>
  statusesOf(await readOrder(petri, id))
    .map(lowOf)
    .join(' ')
const plannedOf = async (id: string): Promise<string> => {
  const { planned } = await readDetails(petri, id)
  return planned
    .map(
      ({ status, due }: { status: string; due: string | null }) =>
        `${lowOf(status)} ${due?.slice(8, 13) ?? '-'}`,
    )
    .join(', ')
}
const requisition = { after: '1h', status: 'requisition_created' }

describe('a scenario whose steps are all for the other kind of kits', () => {
  it.each([
    [
      'registered_kit',
      'This kit is registered later',
      'registered when they are ordered (only: registered_kit)',
    ],
    ['registrable_kit', 'This kit is registered already', 'registered later (only: registrable_kit)'],
  ])('is warned of when the other kind of kit begins it: steps only for %s', async (only, its, others) => {
    const warnings: unknown[][] = []
    petri = await startTestPetri({ warn: (...warning) => warnings.push(warning) })
    await put('mine', 'testkit', [{ after: '1h', status: 'cancelled', only }])
    const orders = [
      await orderKit(petri, { scenario: 'mine' }),
      await orderForPatient(petri, { scenario: 'mine' }),
    ]
    const order_id = orders[only === 'registered_kit' ? 0 : 1].id
    const reason = `${its}, and all steps of the scenario mine are for kits that are ${others}.`
    expect(warnings).toMatchObject([
      ['A scenario does not fit an order', { order_id, scenario: 'mine', reason }],
    ])
    await petri.close()
  })
})

describe('a scenario that names what its order cannot have', () => {
  const warningOf = async (results: object | undefined, status = 'completed') => {
    await put('mine', 'walk_in_test', [requisition, { after: '1h', status, results }])
    return (await readFollowed(petri, await placeByMethod(petri, 'walk_in_test', 'mine'))).warning
  }

  it('says which results, each once, whether they have values or are missing', async () => {
    const lacking = (names: string) =>
      `The lab test of this order has no result ${names}, which mine names; choose one that has.`
    const both = { values: { cortisol: 1, 'igf-1': 2 }, missing: ['cortisol'] }
    expect(await warningOf(both)).toBe(lacking('cortisol, igf-1'))
    expect(await warningOf({ missing: ['cortisol'] })).toBe(lacking('cortisol'))
    for (const none of [undefined, { missing: true }]) expect(await warningOf(none)).toBeNull()
    const replaced = 'mine ends with completed instead of redraw_available: the feature redraws is off.'
    expect(await warningOf(both, 'redraw_available')).toBe(`${lacking('cortisol, igf-1')} ${replaced}`)
    await setFeatures(petri, { redraws: true })
    expect(await warningOf(undefined, 'redraw_available')).toBeNull()
  })
})

describe('an order that has left its scenario', () => {
  it('keeps the first reason, and what it dropped then', async () => {
    await put('mine', 'walk_in_test', [requisition, { after: '1h', status: 'partial_results' }])
    const id = await placeByMethod(petri, 'walk_in_test', 'mine')
    await move(id, { status: 'requisition_created' })
    const left = {
      left_because: 'the order was moved manually',
      dropped: ['requisition_created', 'partial_results'],
    }
    expect(await readFollowed(petri, id)).toMatchObject(left)
    await cancelOrder(petri, id)
    expect(await readFollowed(petri, id)).toMatchObject(left)
  })

  it('drops the steps of its own kind of kit alone', async () => {
    await put('mine', 'testkit', [
      { ...requisition, only: 'registered_kit' },
      { after: '1h', status: 'transit_customer' },
      { await: 'registration', only: 'registrable_kit' },
      { ...requisition, only: 'registrable_kit' },
    ])
    const { id } = await orderKit(petri, { scenario: 'mine' })
    await cancelOrder(petri, id)
    expect((await readFollowed(petri, id)).dropped).toEqual([
      'transit_customer',
      'registered',
      'requisition_created',
    ])
  })

  it('does not go on, whatever the customer does', async () => {
    await put('mine', 'walk_in_test', [
      requisition,
      { await: 'appointment' },
      { after: '1h', status: 'partial_results' },
    ])
    const id = await placeByMethod(petri, 'walk_in_test', 'mine')
    await untilIdle(petri)
    await move(id, { status: 'appointment_pending' })
    const [slot] = await pscSlots(petri)
    await book(petri, 'psc', id, slot)
    await untilIdle(petri)
    expect(await trailOf(id)).not.toContain('partial_results')
    expect(await plannedOf(id)).toBe('')
  })
})

describe('a step', () => {
  it('that is forced comes whatever the lifecycle says, and may be the first', async () => {
    const forced = { after: '1h', status: 'completed', force: true }
    await put('mine', 'walk_in_test', [forced])
    const id = await placeByMethod(petri, 'walk_in_test', 'mine')
    expect(await plannedOf(id)).toBe('completed 05T10')
    await untilIdle(petri)
    expect(await trailOf(id)).toBe('ordered completed')
    const done = await placeByMethod(petri, 'on_site_collection', 'manual')
    await cancelOrder(petri, done)
    await put('again', 'on_site_collection', [requisition, { ...forced, after: '2h' }])
    expect(await begin(done, { scenario: 'again' })).toAnswer(200)
    expect(await plannedOf(done)).toBe('completed 05T12')
    await untilIdle(petri)
    expect(await trailOf(done)).toBe('ordered cancelled completed')
  })

  it('of a status that the order has already changes nothing', async () => {
    await put('mine', 'at_home_phlebotomy', [
      requisition,
      { after: '1d', status: 'appointment_scheduled' },
      { after: '1d', status: 'draw_completed' },
    ])
    const id = await placeByMethod(petri, 'at_home_phlebotomy', 'mine')
    await advance(petri, '1h')
    const [slot] = await homeSlots(petri)
    await book(petri, 'phlebotomy', id, slot)
    const before = await trailOf(id)
    expect(before).toMatch(/ appointment_scheduled$/)
    expect(await plannedOf(id)).toMatch(/^draw_completed /)
    await advance(petri, '1d')
    expect(await trailOf(id)).toBe(before)
    await advance(petri, '1d')
    expect(await trailOf(id)).toBe(`${before} draw_completed`)
  })

  it('that repeats a status moves the appointment', async () => {
    const scheduled = { after: '1h', status: 'appointment_scheduled' }
    await put('mine', 'at_home_phlebotomy', [requisition, scheduled, scheduled])
    const id = await placeByMethod(petri, 'at_home_phlebotomy', 'mine')
    expect(await plannedOf(id)).toBe(
      'requisition_created 05T10, appointment_scheduled 05T11, appointment_scheduled 05T12',
    )
    await untilIdle(petri)
    expect(await trailOf(id)).toBe('ordered requisition_created appointment_scheduled appointment_scheduled')
    const cancelled = { after: '1h', status: 'appointment_cancelled' }
    await put('twice', 'at_home_phlebotomy', [requisition, scheduled, cancelled, scheduled])
    const again = await placeByMethod(petri, 'at_home_phlebotomy', 'twice')
    await untilIdle(petri)
    expect(await trailOf(again)).toBe(
      'ordered requisition_created appointment_scheduled appointment_cancelled appointment_scheduled',
    )
  })

  it('brings what the customer has made necessary before it', async () => {
    await put('mine', 'testkit', [
      { ...requisition, only: 'registered_kit' },
      { after: '1h', status: 'transit_customer' },
      { after: '1h', status: 'with_customer' },
      { await: 'registration', only: 'registrable_kit' },
      { ...requisition, only: 'registrable_kit' },
      { after: '1h', status: 'transit_lab' },
    ])
    const { id, sample_id } = await orderKit(petri, { scenario: 'mine' })
    await register(petri, sample_id)
    const planned = await plannedOf(id)
    await untilIdle(petri)
    expect(await trailOf(id)).toBe(
      'ordered awaiting_registration testkit_registered requisition_created transit_customer with_customer transit_lab',
    )
    expect(planned).toBe(
      'requisition_created 05T10, transit_customer 05T10, with_customer 05T11, transit_lab 05T13',
    )
  })
})

describe('a plan', () => {
  it('has details with their own status, and none of another', async () => {
    await put('mine', 'walk_in_test', [
      requisition,
      { after: '1h', status: 'cancelled', status_detail: 'fulfillment_error' },
    ])
    const { planned } = await petri.read(
      `/_petri/orders/${await placeByMethod(petri, 'walk_in_test', 'mine')}`,
    )
    expect(planned.map((each: { status_detail: string | null }) => each.status_detail)).toEqual([
      null,
      'fulfillment_error',
    ])
  })

  it('is that of the step an order waits for, with no instants after it', async () => {
    await put('mine', 'at_home_phlebotomy', [
      requisition,
      { await: 'appointment' },
      { after: '1h', status: 'draw_completed' },
      { after: '1h', status: 'completed' },
    ])
    const id = await placeByMethod(petri, 'at_home_phlebotomy', 'mine')
    const later = 'appointment_pending -, appointment_scheduled -, draw_completed -, completed -'
    expect(await plannedOf(id)).toBe(`requisition_created 05T10, ${later}`)
    await untilIdle(petri)
    expect(await plannedOf(id)).toBe(later)
    expect(await readFollowed(petri, id)).toMatchObject({ waits_for: 'appointment', next_due: null })
  })
})

describe('an order begins a scenario', () => {
  it('that has no steps, whatever its method', async () => {
    await put('rest', 'testkit', [])
    const id = await placeByMethod(petri, 'walk_in_test', 'manual')
    expect(await begin(id, { scenario: 'rest' })).toAnswer(200)
    expect(await readFollowed(petri, id)).toMatchObject({ scenario: 'rest', next: null, waits_for: null })
  })

  it('of another method not at all', async () => {
    const id = await placeByMethod(petri, 'walk_in_test', 'manual')
    await put('home', 'at_home_phlebotomy', [requisition])
    expect(await begin(id, { scenario: 'home' })).toAnswer(409)
  })

  it('at the step that is named, which has to be one about a status', async () => {
    await put('mine', 'at_home_phlebotomy', [
      requisition,
      { await: 'appointment' },
      { after: '1h', appointment: 'start' },
    ])
    const id = await placeByMethod(petri, 'at_home_phlebotomy', 'manual')
    await move(id, { status: 'requisition_created' })
    expect(await begin(id, { scenario: 'mine', from: 'appointment_scheduled' })).toAnswer(409)
    expect(await begin(id, { scenario: 'mine' })).toAnswer(200)
    expect(await readFollowed(petri, id)).toMatchObject({ waits_for: 'appointment' })
  })
})
