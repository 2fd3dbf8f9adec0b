import { beforeEach, describe, expect, it } from 'vitest'
import { field } from '../support/field.ts'
import { advance, cancelOrder, moveOrder, readResult, setFeatures } from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'
import { followsOf, placed, simulate, trailOf } from '../support/simulation.ts'

// Simulation as in the live sandbox of orders that are under way, and with a delay. More: recorded.simulation.test.ts.

const petri = forEachTest()
beforeEach(async () => {
  await setFeatures(petri, { simulation: 'live' })
})

describe('a simulation as in the live sandbox', () => {
  it.each([
    ['walk_in_test', 'failed.walk_in_test.sample_error', 'requisition_created sample_error'],
    ['walk_in_test', 'received.walk_in_test.requisition_bypassed', 'requisition_bypassed'],
    ['walk_in_test', 'completed.testkit.completed', 'requisition_created partial_results completed'],
    [
      'walk_in_test',
      'collecting_sample.walk_in_test.appointment_pending',
      'requisition_created partial_results completed',
    ],
    [
      'walk_in_test',
      'collecting_sample.walk_in_test.appointment_cancelled',
      'requisition_created partial_results completed',
    ],
    [
      'on_site_collection',
      'sample_with_lab.on_site_collection.draw_completed',
      'requisition_created draw_completed',
    ],
    ['on_site_collection', undefined, 'requisition_created draw_completed completed'],
    [
      'testkit',
      'collecting_sample.testkit.transit_lab',
      'requisition_created transit_customer out_for_delivery with_customer transit_lab',
    ],
    ['testkit', 'failed.testkit.lost', 'requisition_created transit_customer lost'],
    [
      'testkit',
      'cancelled.testkit.cancelled',
      'requisition_created transit_customer out_for_delivery with_customer transit_lab delivered_to_lab completed',
    ],
    ['at_home_phlebotomy', 'completed.at_home_phlebotomy.completed', 'requisition_created'],
  ])('with a delay takes an order by %s asked for %s: %s', async (what, to, steps) => {
    const id = await placed(petri, what)
    expect(await simulate(petri, id, to, { delay: 10 })).toAnswer(200)
    expect(await followsOf(petri, id, () => advance(petri, '9s'))).toBe('')
    expect(await followsOf(petri, id, () => advance(petri, '1m'))).toBe(steps)
  })

  it.each([
    ['walk_in_test', ['requisition_created'], 'partial_results completed'],
    ['walk_in_test', ['requisition_created', 'appointment_pending'], 'partial_results completed'],
    ['walk_in_test', ['requisition_created', 'partial_results'], 'completed'],
    ['walk_in_test', ['requisition_created', 'cancelled'], ''],
    ['walk_in_test', ['requisition_bypassed'], 'partial_results completed'],
    [
      'testkit',
      ['requisition_created', 'transit_customer'],
      'out_for_delivery with_customer transit_lab delivered_to_lab',
    ],
    ['on_site_collection', ['requisition_created', 'draw_completed'], ''],
  ])('goes on from where an order by %s stands: %j, then %s', async (what, before, steps) => {
    const id = await placed(petri, what)
    for (const low of before) await moveOrder(petri, id, low)
    expect(await followsOf(petri, id, () => simulate(petri, id))).toBe(steps)
  })

  it('gives numbers, comments and ranges in turn', async () => {
    const id = await placed(petri, 'walk_in_test')
    await simulate(petri, id)
    await simulate(petri, id)
    const { results } = await readResult(petri, id)
    expect(results.map(field('type')).slice(0, 4)).toEqual(['numeric', 'comment', 'range', 'numeric'])
  })

  it('of a kit that is cancelled on its way ends', async () => {
    const id = await placed(petri, 'testkit')
    await simulate(petri, id, 'collecting_sample.testkit.transit_customer', { delay: 10 })
    await cancelOrder(petri, id)
    await advance(petri, '1m')
    expect(await trailOf(petri, id)).toEqual(['ordered', 'cancelled'])
  })

  it('is replaced by the next one', async () => {
    const id = await placed(petri, 'walk_in_test')
    await simulate(petri, id, undefined, { delay: 10 })
    await simulate(petri, id, 'received.walk_in_test.requisition_created', { delay: 20 })
    await advance(petri, '1h')
    expect(await trailOf(petri, id)).toEqual(['ordered', 'requisition_created'])
  })

  it('completes with missing results only where that is asked for', async () => {
    await setFeatures(petri, { redraws: true })
    const missing = { body: { has_missing_results: true } }
    for (const [to, end] of [
      ['completed.walk_in_test.completed', 'completed'],
      [undefined, 'redraw_available'],
    ]) {
      const id = await placed(petri, 'walk_in_test')
      await simulate(petri, id)
      await simulate(petri, id, to, missing)
      expect((await trailOf(petri, id)).at(-1)).toBe(end)
    }
  })
})
