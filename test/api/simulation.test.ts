import { describe, expect, it } from 'vitest'
import { happyPaths, lowStatuses, type Workflow } from '../../src/resources/orders/lifecycle.ts'
import { isReachable } from '../../src/resources/simulation/service.ts'
import { readOrder } from '../support/orders.ts'
import { forEachTest } from '../support/petri.ts'
import { dotted, placed, simulate, trailOf } from '../support/simulation.ts'

// Simulation by legal steps, as documented: the feature `simulation` is as always. Source: docs/contract/simulation.md.

const petri = forEachTest()

describe('a simulation to a status', () => {
  // biome-ignore format: a table is read by its columns.
  it.each([
    ['walk_in_test', 'ordered', ''],
    ['walk_in_test', 'requisition_created', 'requisition_created'],
    ['walk_in_test', 'requisition_bypassed', 'requisition_bypassed'],
    ['walk_in_test', 'completed', 'requisition_created partial_results completed'],
    ['walk_in_test', 'sample_error', 'requisition_created sample_error'],
    ['walk_in_test', 'appointment_scheduled', 'requisition_created appointment_pending appointment_scheduled'],
    ['walk_in_test', 'appointment_cancelled', 'requisition_created appointment_pending appointment_cancelled'],
    ['walk_in_test', 'appointment_pending', 'requisition_created appointment_pending'],
    ['walk_in_test', 'cancelled', 'cancelled'],
    ['walk_in_test', 'partial_results', 'requisition_created partial_results'],
    ['walk_in_test', 'redraw_available', 'refused'],
    ['walk_in_test', 'corrected', 'requisition_created completed corrected'],
    ['at_home_phlebotomy', 'ordered', ''],
    ['at_home_phlebotomy', 'requisition_created', 'requisition_created'],
    ['at_home_phlebotomy', 'requisition_bypassed', 'requisition_bypassed'],
    ['at_home_phlebotomy', 'completed', 'requisition_created appointment_pending appointment_scheduled draw_completed completed'],
    ['at_home_phlebotomy', 'sample_error', 'requisition_created appointment_scheduled draw_completed sample_error'],
    ['at_home_phlebotomy', 'appointment_scheduled', 'requisition_created appointment_pending appointment_scheduled'],
    ['at_home_phlebotomy', 'appointment_cancelled', 'requisition_created appointment_pending appointment_cancelled'],
    ['at_home_phlebotomy', 'appointment_pending', 'requisition_created appointment_pending'],
    ['at_home_phlebotomy', 'draw_completed', 'requisition_created appointment_pending appointment_scheduled draw_completed'],
    ['at_home_phlebotomy', 'cancelled', 'cancelled'],
    ['at_home_phlebotomy', 'partial_results', 'requisition_created appointment_scheduled draw_completed partial_results'],
    ['at_home_phlebotomy', 'corrected', 'requisition_created appointment_scheduled draw_completed completed corrected'],
    ['on_site_collection', 'ordered', ''],
    ['on_site_collection', 'requisition_created', 'requisition_created'],
    ['on_site_collection', 'requisition_bypassed', 'requisition_bypassed'],
    ['on_site_collection', 'completed', 'requisition_created draw_completed completed'],
    ['on_site_collection', 'sample_error', 'requisition_created draw_completed sample_error'],
    ['on_site_collection', 'draw_completed', 'requisition_created draw_completed'],
    ['on_site_collection', 'cancelled', 'cancelled'],
    ['on_site_collection', 'partial_results', 'requisition_created partial_results'],
    ['on_site_collection', 'corrected', 'requisition_created completed corrected'],
    ['testkit', 'ordered', ''],
    ['testkit', 'requisition_created', 'requisition_created'],
    ['testkit', 'requisition_bypassed', 'requisition_bypassed'],
    ['testkit', 'transit_customer', 'requisition_created transit_customer'],
    ['testkit', 'out_for_delivery', 'requisition_created transit_customer out_for_delivery'],
    ['testkit', 'with_customer', 'requisition_created transit_customer out_for_delivery with_customer'],
    ['testkit', 'transit_lab', 'requisition_created transit_customer out_for_delivery with_customer transit_lab'],
    ['testkit', 'delivered_to_lab', 'requisition_created transit_customer out_for_delivery with_customer transit_lab delivered_to_lab'],
    ['testkit', 'completed', 'requisition_created transit_customer out_for_delivery with_customer transit_lab delivered_to_lab completed'],
    ['testkit', 'failure_to_deliver_to_lab', 'requisition_created transit_customer with_customer transit_lab failure_to_deliver_to_lab'],
    ['testkit', 'failure_to_deliver_to_customer', 'requisition_created failure_to_deliver_to_customer'],
    ['testkit', 'problem_in_transit_lab', 'requisition_created transit_customer with_customer transit_lab problem_in_transit_lab'],
    ['testkit', 'problem_in_transit_customer', 'requisition_created transit_customer problem_in_transit_customer'],
    ['testkit', 'sample_error', 'requisition_created transit_customer with_customer delivered_to_lab sample_error'],
    ['testkit', 'cancelled', 'cancelled'],
    ['testkit', 'lost', 'requisition_created transit_customer lost'],
    ['testkit', 'do_not_process', 'do_not_process'],
    ['testkit', 'awaiting_registration', 'refused'],
    ['testkit', 'corrected', 'requisition_created transit_customer with_customer delivered_to_lab completed corrected'],
    ['testkit', 'lab_processing_blocked', 'requisition_created transit_customer with_customer delivered_to_lab lab_processing_blocked'],
    ['stock kit', 'ordered', 'refused'],
    ['stock kit', 'requisition_created', 'requisition_created'],
    ['stock kit', 'requisition_bypassed', 'refused'],
    ['stock kit', 'transit_customer', 'transit_customer'],
    ['stock kit', 'out_for_delivery', 'transit_customer out_for_delivery'],
    ['stock kit', 'with_customer', 'transit_customer out_for_delivery with_customer'],
    ['stock kit', 'transit_lab', 'refused'],
    ['stock kit', 'completed', 'refused'],
    ['stock kit', 'failure_to_deliver_to_customer', 'transit_customer failure_to_deliver_to_customer'],
    ['stock kit', 'cancelled', 'cancelled'],
    ['stock kit', 'do_not_process', 'do_not_process'],
    ['stock kit', 'awaiting_registration', ''],
    ['registered kit', 'ordered', 'refused'],
    ['registered kit', 'with_customer', 'requisition_created transit_customer with_customer'],
    ['registered kit', 'completed', 'requisition_created transit_customer out_for_delivery with_customer transit_lab delivered_to_lab completed'],
    ['registered kit', 'failure_to_deliver_to_customer', 'requisition_created transit_customer failure_to_deliver_to_customer'],
    ['registered kit', 'do_not_process', 'requisition_created transit_customer with_customer do_not_process'],
    ['registered kit', 'awaiting_registration', 'refused'],
  ])('takes an order by %s to %s: %s', async (what, low, steps) => {
    const id = await placed(petri, what)
    const before = await readOrder(petri, id)
    const method = what.endsWith('kit') ? 'testkit' : what
    const { status, body } = await simulate(petri, id, dotted(method, low))
    if (steps === 'refused') {
      const detail = `The order is ${before.last_event.status}; it cannot be simulated to ${low}`
      expect([status, body.detail]).toEqual([400, detail])
      expect(await readOrder(petri, id)).toEqual(before)
      return
    }
    expect([status, body]).toEqual([200, 'Success'])
    const trail = (await trailOf(petri, id)).slice(before.events.length)
    expect(trail.join(' ')).toBe(steps)
  })

  it('can be reached by a new order exactly if the simulation reaches it', () => {
    const unreachable = (workflow: Workflow) => lowStatuses.filter((low) => !isReachable(workflow, low))
    expect([...happyPaths.keys()].map((workflow) => unreachable(workflow as Workflow).length)).toEqual([
      8, 16, 16, 15, 18,
    ])
    expect(unreachable('registered_kit')).toEqual([
      'appointment_scheduled',
      'appointment_cancelled',
      'appointment_pending',
      'draw_completed',
      'partial_results',
      'awaiting_registration',
      'registered',
      'redraw_available',
    ])
  })
})
