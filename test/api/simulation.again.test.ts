import { describe, expect, it } from 'vitest'
import { orders } from '../../src/resources/orders/table.ts'
import {
  advance,
  moveOrder,
  orderForPatient,
  readDetails,
  readOrder,
  setFeatures,
} from '../support/orders.ts'
import { forEachTest, NOBODY } from '../support/petri.ts'
import { dotted, followsOf, placed, simulate, trailOf } from '../support/simulation.ts'

// Simulation by legal steps of orders that are under way, or that no single call completes.

const petri = forEachTest()

it('an order that is not there is not simulated', async () => {
  for (const simulation of ['documented', 'live']) {
    await setFeatures(petri, { simulation })
    expect(await simulate(petri, NOBODY)).toRefuse(404, "Order doesn't exist")
  }
})

describe('a simulation as documented', () => {
  it('takes the order out of its scenario', async () => {
    const { id } = await orderForPatient(petri, { scenario: 'happy-path' })
    await simulate(petri, id, dotted('testkit', 'requisition_created'))
    const body = await readDetails(petri, id)
    expect(body.scenario).toMatchObject({
      left_because: 'the order was simulated',
      dropped: [
        'requisition_created',
        'transit_customer',
        'out_for_delivery',
        'with_customer',
        'transit_lab',
        'delivered_to_lab',
        'completed',
      ],
    })
    await advance(petri, '60d')
    expect(await trailOf(petri, id)).toEqual(['ordered', 'requisition_created'])
  })

  it.each([
    [
      'testkit',
      'requisition_created transit_customer out_for_delivery with_customer transit_lab delivered_to_lab completed',
    ],
    ['stock kit', 'transit_customer out_for_delivery with_customer'],
  ])('without a status takes an order by %s to its end: %s', async (what, steps) => {
    const id = await placed(petri, what)
    expect(await followsOf(petri, id, () => simulate(petri, id))).toBe(steps)
  })

  it.each([
    [
      'testkit',
      'requisition_created transit_customer problem_in_transit_customer',
      'out_for_delivery with_customer transit_lab delivered_to_lab completed',
    ],
    [
      'testkit',
      'requisition_bypassed',
      'transit_customer out_for_delivery with_customer transit_lab delivered_to_lab completed',
    ],
    ['testkit', 'requisition_created transit_customer lost', ''],
    ['walk_in_test', 'requisition_bypassed', 'partial_results completed'],
    ['at_home_phlebotomy', 'requisition_created appointment_scheduled', 'draw_completed completed'],
    ['on_site_collection', 'requisition_created partial_results', 'completed'],
    ['on_site_collection', 'requisition_created completed corrected', ''],
  ])('goes on from where an order by %s stands: %s, then %s', async (what, before, steps) => {
    const id = await placed(petri, what)
    for (const low of before.split(' ')) await moveOrder(petri, id, low)
    expect(await trailOf(petri, id)).toEqual(['ordered', ...before.split(' ')])
    const answers: number[] = []
    expect(await followsOf(petri, id, async () => answers.push((await simulate(petri, id)).status))).toBe(
      steps,
    )
    expect(answers).toEqual([200])
  })

  it.each([
    ['walk_in_test', 'partial_results', 'partial_results'],
    ['walk_in_test', 'completed', ''],
    ['walk_in_test', 'corrected', 'corrected'],
    ['at_home_phlebotomy', 'appointment_scheduled', 'appointment_scheduled'],
    ['at_home_phlebotomy', 'appointment_pending', ''],
    ['testkit', 'with_customer', ''],
    ['testkit', 'lost', ''],
  ])('of an order by %s to %s that it has already reached: %s', async (what, low, steps) => {
    const id = await placed(petri, what)
    const to = dotted(what, low)
    await simulate(petri, id, to)
    expect(await followsOf(petri, id, () => simulate(petri, id, to))).toBe(steps)
  })

  it.each([
    ['walk_in_test', '', 'completed.testkit.completed', 'completed'],
    ['walk_in_test', '', 'received.testkit.ordered', 'ordered'],
    [
      'walk_in_test',
      'requisition_created appointment_pending',
      dotted('walk_in_test', 'requisition_created'),
      'requisition_created',
    ],
    ['testkit', '', 'received.testkit.registered', 'registered'],
    ['stock kit', '', 'received.testkit.registered', 'registered'],
    ['stock kit', 'transit_customer with_customer', dotted('testkit', 'transit_lab'), 'transit_lab'],
  ])('refuses an order by %s that is %s: %s', async (what, moves, to, low) => {
    const id = await placed(petri, what)
    for (const status of moves.split(' ').filter(Boolean)) await moveOrder(petri, id, status)
    const before = await readOrder(petri, id)
    expect(await simulate(petri, id, to)).toRefuse(
      400,
      `The order is ${before.last_event.status}; it cannot be simulated to ${low}`,
    )
    expect(await readOrder(petri, id)).toEqual(before)
  })

  it('to the registration of a kit that is registered changes nothing', async () => {
    const id = await placed(petri, 'registered kit')
    const before = await readOrder(petri, id)
    expect(await simulate(petri, id, 'received.testkit.registered')).toAnswer(200)
    expect(await readOrder(petri, id)).toEqual(before)
  })

  it('makes a redraw available where the laboratory redraws', async () => {
    await setFeatures(petri, { redraws: true })
    const id = await placed(petri, 'walk_in_test')
    expect(
      await followsOf(petri, id, () => simulate(petri, id, dotted('walk_in_test', 'redraw_available'))),
    ).toBe('requisition_created redraw_available')
  })

  it('completes with missing results only where that is asked for', async () => {
    await setFeatures(petri, { redraws: true })
    const missing = { body: { has_missing_results: true } }
    const [asked, open] = [await placed(petri, 'walk_in_test'), await placed(petri, 'walk_in_test')]
    await simulate(petri, asked, dotted('walk_in_test', 'completed'), missing)
    expect((await trailOf(petri, asked)).at(-1)).toBe('completed')
    await simulate(petri, open, undefined, missing)
    expect((await trailOf(petri, open)).at(-1)).toBe('redraw_available')
  })

  it('of an order that is gone ends', async () => {
    const id = await placed(petri, 'walk_in_test')
    await simulate(petri, id, undefined, { delay: 60 })
    petri.world().db.delete(orders, id)
    expect((await advance(petri, '1h')).body.pending).toBe(0)
  })
})
