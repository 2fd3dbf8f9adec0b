import { describe, expect, it } from 'vitest'
import { collectionMethods as methods } from '../../src/resources/catalogue/schema.ts'
import {
  canMove,
  dotted,
  dottedStatuses,
  happyPaths,
  type LowStatus,
  legalMoves,
  lowStatuses,
  pathTo,
  readStatus,
  statusSpellings,
  topStatusOf,
  workflows,
  workflowsOf,
} from '../../src/resources/orders/lifecycle.ts'

describe('the life of an order', () => {
  it('knows the 54 dotted statuses of the contract', () => {
    expect(dottedStatuses.length).toBe(54)
    expect(new Set(dottedStatuses).size).toBe(54)
    expect(
      new Set(methods.flatMap((method) => lowStatuses.filter((low) => topStatusOf(method, low)))).size,
    ).toBe(27)
  })

  it('is lived on the workflows of its method', () => {
    expect(methods.flatMap(workflowsOf).sort()).toEqual([...workflows].sort())
  })

  it.each(workflows)('can be lived from end to end on the workflow %s', (workflow) => {
    const path = happyPaths.get(workflow)
    for (let at = 1; at < path.length; at++) {
      expect(
        canMove(workflow, path.slice(0, at), path[at] as LowStatus),
        `${path[at - 1]} to ${path[at]}`,
      ).toBe(true)
    }
  })

  it('only leads to statuses its method has', () => {
    for (const method of methods) {
      for (const workflow of workflowsOf(method)) {
        for (const low of lowStatuses.filter((status) => topStatusOf(method, status))) {
          for (const to of legalMoves(workflow, ['ordered', low])) {
            expect(topStatusOf(method, to), `${workflow}: ${low} to ${to}`).toBeDefined()
          }
        }
      }
    }
  })

  it('ends where nothing follows', () => {
    for (const low of ['lost', 'sample_error', 'do_not_process', 'failure_to_deliver_to_lab'] as const) {
      expect(legalMoves('registered_kit', ['ordered', low])).toEqual([])
      expect(legalMoves('registrable_kit', ['ordered', low])).toEqual([])
    }
  })

  it('returns a registered kit only after the customer had it', () => {
    const early: LowStatus[] = ['ordered', 'awaiting_registration', 'registered', 'requisition_created']
    expect(canMove('registrable_kit', early, 'transit_lab')).toBe(false)
    expect(canMove('registrable_kit', early, 'transit_customer')).toBe(true)
    const late: LowStatus[] = [
      ...early.slice(0, 2),
      'transit_customer',
      'with_customer',
      'registered',
      'requisition_created',
    ]
    expect(canMove('registrable_kit', late, 'transit_lab')).toBe(true)
    expect(canMove('registrable_kit', late, 'transit_customer')).toBe(false)
  })

  it('lets a kit be registered once, wherever it is on its way to the customer', () => {
    const onItsWay: LowStatus[] = ['awaiting_registration', 'transit_customer', 'out_for_delivery']
    for (const at of onItsWay.keys()) {
      const history: LowStatus[] = ['ordered', ...onItsWay.slice(0, at + 1)]
      expect(canMove('registrable_kit', history, 'registered'), history.join()).toBe(true)
      const registered: LowStatus[] = ['ordered', 'registered', ...onItsWay.slice(0, at + 1)]
      expect(canMove('registrable_kit', registered, 'registered'), registered.join()).toBe(false)
    }
  })

  it('goes on from a registration whose requisition is there already, by where the kit is', () => {
    const before: LowStatus[] = ['ordered', 'awaiting_registration', 'requisition_created']
    expect(legalMoves('registrable_kit', [...before, 'registered'])).toEqual([
      'transit_customer',
      'cancelled',
    ])
    const withCustomer: LowStatus[] = [...before, 'transit_customer', 'with_customer']
    expect(legalMoves('registrable_kit', [...withCustomer, 'registered'])).toEqual([
      'transit_lab',
      'cancelled',
    ])
  })

  it('lets the customer return a kit that was registered before it arrived, and no other', () => {
    const onItsWay: LowStatus[] = ['transit_customer', 'with_customer']
    expect(
      legalMoves('registrable_kit', [
        'ordered',
        'awaiting_registration',
        'registered',
        'requisition_created',
        ...onItsWay,
      ]),
    ).toEqual(['transit_lab', 'delivered_to_lab', 'do_not_process'])
    expect(legalMoves('registrable_kit', ['ordered', 'awaiting_registration', ...onItsWay])).toEqual([
      'registered',
      'do_not_process',
    ])
  })

  it('sends no kit to the laboratory for a requisition without a registration', () => {
    const history: LowStatus[] = ['ordered', 'awaiting_registration', 'with_customer', 'requisition_created']
    expect(legalMoves('registrable_kit', history)).toEqual(['registered', 'cancelled'])
  })

  it('leads on wherever it was put by force', () => {
    const sentAgain: LowStatus[] = ['ordered', 'transit_customer', 'with_customer', 'requisition_created']
    expect(canMove('registered_kit', sentAgain, 'transit_customer')).toBe(true)
    expect(canMove('registrable_kit', ['ordered', 'problem_in_transit_lab'], 'transit_lab')).toBe(true)
  })

  it('begins as ordered, and is final only where nothing follows', () => {
    for (const workflow of workflows) {
      expect(legalMoves(workflow, [])).toEqual(legalMoves(workflow, ['ordered']))
      expect(legalMoves(workflow, ['ordered'])).not.toEqual([])
    }
  })

  it('reads every status in each accepted spelling', () => {
    for (const method of methods) {
      for (const low of lowStatuses.filter((status) => topStatusOf(method, status))) {
        expect(readStatus(dotted(method, low))).toEqual({ low, method })
        expect(readStatus(low)).toEqual({ low })
      }
    }
    expect(readStatus('received.testkit.registered')).toEqual({ low: 'registered', method: 'testkit' })
    expect(readStatus('testkit_registered')).toEqual({ low: 'registered' })
    expect(readStatus('collecting_sample.on_site_collection.draw_completed')).toEqual({
      low: 'draw_completed',
      method: 'on_site_collection',
    })
    expect(new Set(statusSpellings())).toEqual(
      new Set([
        ...lowStatuses,
        ...dottedStatuses,
        'testkit_registered',
        'received.testkit.registered',
        'collecting_sample.on_site_collection.draw_completed',
      ]),
    )
    expect(readStatus('received.testkit.completed')).toBeUndefined()
    expect(readStatus('nonsense')).toBeUndefined()
  })

  it('writes a registered kit as the specification does, or as the live contract', () => {
    expect(dotted('testkit', 'registered')).toBe('received.testkit.testkit_registered')
    expect(dotted('testkit', 'registered', 'live')).toBe('received.testkit.registered')
    expect(dotted('testkit', 'ordered', 'live')).toBe('received.testkit.ordered')
  })

  it('finds a path that avoids a status, and none where every path leads through it', () => {
    const avoiding = (status: LowStatus) => (low: LowStatus) => low !== status
    const unshipped = pathTo('registered_kit', ['ordered'], 'with_customer', avoiding('transit_customer'))
    expect(unshipped).toBeUndefined()
    expect(pathTo('registered_kit', ['ordered'], 'lost', avoiding('requisition_created'))).toEqual([
      'requisition_bypassed',
      'transit_customer',
      'lost',
    ])
  })

  it('finds among equally short paths the one along the happy path', () => {
    const booked: LowStatus[] = ['ordered', 'requisition_created', 'appointment_pending']
    expect(pathTo('walk_in_test', booked, 'redraw_available')).toEqual([
      'partial_results',
      'redraw_available',
    ])
    expect(pathTo('walk_in_test', [...booked, 'appointment_cancelled'], 'sample_error')).toEqual([
      'partial_results',
      'sample_error',
    ])
  })

  it('finds the shortest legal path, along the happy path where possible', () => {
    expect(pathTo('registered_kit', ['ordered'], 'completed')).toEqual([
      'requisition_created',
      'transit_customer',
      'with_customer',
      'delivered_to_lab',
      'completed',
    ])
    expect(pathTo('registered_kit', ['ordered', 'lost'], 'completed')).toBeUndefined()
  })
})
